/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_H

/*
 * A workflow: settings and a graph of nodes, as defined by an operator and run
 * by sessions.
 *
 * Publishing compiles the definition (domain/workflow/workflow_compile.h) and
 * stores the compiled form as one immutable version. A compiled workflow is a
 * connected graph without loops, in which every path to `verified` contains a
 * primary method that was passed, or was tried and then approved by a reviewer.
 * Sessions load the compiled form (idv_workflow_load) without checking the
 * rules again.
 *
 * Memory: everything lives in the given pool. Threads: immutable once built.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/json.h"
#include "domain/law/compliance.h"
#include "domain/method/method.h"
#include "domain/method/method_outcome.h"
#include "domain/method/statement.h"
#include "domain/value/session_type.h"

#define IDV_WORKFLOW_NODES_MAX 64
#define IDV_WORKFLOW_NAME_MAX 100
#define IDV_WORKFLOW_DESCRIPTION_MAX 2000
#define IDV_WORKFLOW_NODE_ID_MAX 64
#define IDV_WORKFLOW_JURISDICTIONS_MAX 500
#define IDV_WORKFLOW_ATTEMPTS_MAX 20
#define IDV_WORKFLOW_ATTEMPTS_DEFAULT 3
#define IDV_WORKFLOW_UNREADABLE_MAX 20
#define IDV_WORKFLOW_UNREADABLE_DEFAULT 8
#define IDV_WORKFLOW_EXPIRY_MIN 1                /* seconds */
#define IDV_WORKFLOW_EXPIRY_MAX (30 * 24 * 3600) /* seconds */
#define IDV_WORKFLOW_EXPIRY_DEFAULT (24 * 3600)  /* seconds */
#define IDV_WORKFLOW_REVIEW_HOURS_MAX 168
#define IDV_WORKFLOW_REVIEW_HOURS_DEFAULT 72
#define IDV_WORKFLOW_NO_NODE (-1)

#define IDV_NODE_TYPES(X)                                                      \
    X(CHECKS, "checks")                                                        \
    X(REVIEW, "review")                                                        \
    X(METHODS, "methods")                                                      \
    X(OUTCOME, "outcome")

typedef enum {
#define X(name, value) IDV_NODE_##name,
    IDV_NODE_TYPES(X)
#undef X
        IDV_NODE_TYPE_COUNT
} idv_node_type_t;

/* The exits of nodes: name, value in `next`, type of node. */
#define IDV_NODE_EXITS(X)                                                      \
    X(LOW, "low", CHECKS)                                                      \
    X(MEDIUM, "medium", CHECKS)                                                \
    X(HIGH, "high", CHECKS)                                                    \
    X(APPROVED, "approved", REVIEW)                                            \
    X(REJECTED, "rejected", REVIEW)                                            \
    X(PASSED, "passed", METHODS)                                               \
    X(EXHAUSTED, "exhausted", METHODS)

typedef enum {
#define X(name, value, node) IDV_EXIT_##name,
    IDV_NODE_EXITS(X)
#undef X
        IDV_EXIT_COUNT
} idv_node_exit_t;

typedef enum { IDV_MODE_ANY_OF, IDV_MODE_ALL_OF } idv_node_mode_t;

/* Consequences of a doubt in an outcome, mildest first: name, value. NOTED:
 * recorded in the results; REVIEW: a person decides; REQUIRES_INPUT: an attempt
 * is used; FAILED: the node is left as exhausted. */
#define IDV_DOUBT_ACTIONS(X)                                                   \
    X(NOTED, "noted")                                                          \
    X(REVIEW, "review")                                                        \
    X(REQUIRES_INPUT, "requires_input")                                        \
    X(FAILED, "failed")

typedef enum {
#define X(name, value) IDV_ON_DOUBT_##name,
    IDV_DOUBT_ACTIONS(X)
#undef X
        IDV_DOUBT_ACTION_COUNT
} idv_doubt_action_t;

typedef struct {
    const char *id; /* its key in the definition */
    idv_node_type_t type;
    idv_method_list_t methods; /* or the checks of a checks node */
    idv_node_mode_t mode;      /* methods */
    int max_attempts;          /* methods; at least 1 */
    int max_unreadable;        /* methods; unreadable documents allowed */
    idv_assurance_t min_assurance; /* methods; NONE: by the session's type */
    int require_genuine_chip;      /* methods with nfc_passport; so for the
                                    * next */
    int accept_unknown_revocation;
    idv_time_t review_timeout; /* review */
    int verified;              /* outcome: non-zero verified, zero failed */
    int next[IDV_EXIT_COUNT];  /* index, or IDV_WORKFLOW_NO_NODE */
} idv_workflow_node_t;

typedef struct {
    const char *name;
    unsigned session_types; /* bit 1 << idv_session_type_t */
    idv_use_case_t use_case;
    idv_article_t article; /* of the use case; NONE: any, use the strictest
                            * law */
    idv_channel_t channel; /* of the use case */
    idv_age_tier_t required_age_tier;
    const char *const *jurisdictions; /* normal form */
    int jurisdiction_count;           /* 0: any */
    idv_time_t expires_after;
    int require_email_otp;
    int accept_trust_reuse;
    int avoids_birth_date; /* flag: do not ask wallets for the date of birth
                            * instead of an age statement */
    int same_person_required; /* of a VP token, see
                               * domain/session/session_risk.h */
    idv_doubt_action_t on_doubt[IDV_DOUBT_COUNT];
    idv_statement_list_t statements; /* of self_attestation */
    idv_method_list_t methods; /* all, in the order in which a person meets
                                * them */
    const idv_workflow_node_t *nodes;
    int node_count;
    int start; /* index */
} idv_workflow_t;

/* Non-zero if sessions can be held for a manual review before they are decided:
 * by a node of the workflow, or for a doubt left by a wallet or chip. */
int idv_workflow_may_review(const idv_workflow_t *workflow);

/* The compiled form, to be stored with the version. New reference; NULL if
 * memory runs out. */
json_t *idv_workflow_json(const idv_workflow_t *workflow);

/* Loads a stored compiled form; strings are copied. Internal error for anything
 * that idv_workflow_json() cannot have written. */
idv_error_t *idv_workflow_load(const json_t *compiled,
                               idv_workflow_t **workflow,
                               apr_pool_t *pool) IDV_CHECKED;

/* The node with this id; NULL if there is none. */
const idv_workflow_node_t *idv_workflow_node(const idv_workflow_t *workflow,
                                             const char *id);

/* Non-zero if the workflow allows sessions of TYPE. */
int idv_workflow_allows_type(const idv_workflow_t *workflow,
                             idv_session_type_t type);

/* Non-zero if the workflow targets JURISDICTION (normal form). */
int idv_workflow_targets(const idv_workflow_t *workflow,
                         const char *jurisdiction);

/* The minimum assurance for sessions of TYPE, whatever a node says: `decoded`
 * for `age`, `consistent` for the types about an identity (`identity` and
 * `student`). */
idv_assurance_t idv_session_type_demand(idv_session_type_t type);

/* The minimum assurance for a method of NODE to pass. */
idv_assurance_t idv_workflow_node_demand(const idv_workflow_node_t *node,
                                         idv_session_type_t type);

/* The highest of all nodes, required of anything that replaces them all. */
idv_assurance_t idv_workflow_demand(const idv_workflow_t *workflow,
                                    idv_session_type_t type);

/* The legal query for WORKFLOW in JURISDICTION (normal form), with the local
 * date at NOW. */
idv_compliance_question_t
idv_workflow_question(const idv_workflow_t *workflow, const char *jurisdiction,
                      idv_time_t now);

/* The consequence of DOUBTS (1 << idv_method_doubt_t): the most severe that the
 * workflow sets for one of them. */
idv_doubt_action_t idv_workflow_on_doubts(const idv_workflow_t *workflow,
                                          unsigned doubts);

/* Values of the definition. */
const char *idv_node_type_value(idv_node_type_t type);
const char *idv_node_exit_value(idv_node_exit_t exit);
const char *idv_doubt_action_value(idv_doubt_action_t action);

/* The type of node that has EXIT. */
idv_node_type_t idv_node_exit_owner(idv_node_exit_t exit);

#endif
