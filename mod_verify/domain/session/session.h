/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_H
#define IDV_DOMAIN_SESSION_SESSION_H

/*
 * A verification session: everything that is known of it, and the form in which
 * it is kept. The forms in which it is shown stand in domain/session/session_view.h.
 *
 * A session is a value. Nothing changes one in place: session_create.h makes
 * the first, session_step.h makes the next from the last, and the store keeps
 * whichever it is given. What the interface shows or queries look at has
 * columns of its own; everything else is one JSON value to the store, its
 * column `runner` (idv_session_runner_text, idv_session_runner_load): the whole
 * of idv_session_runner_t, and the members marked [runner].
 *
 * Secrets are not in it: the client secret is passed where it is shown once.
 *
 * What is JSON in it is kept as compact text, since it is mostly passed on.
 *
 * Memory: texts live in the pool of whoever made the session or longer.
 * Threads: immutable.
 */
#include "core/json_writer.h"
#include "domain/law/compliance.h"
#include "domain/session/session_signals.h"
#include "domain/value/jurisdiction.h"
#include "domain/workflow/workflow.h"

/* Status, value, open (non-zero) or terminal. */
#define IDV_SESSION_STATUSES(X)                                                \
    X(CREATED, "created", 1)                                                   \
    X(PENDING, "pending", 1)                                                   \
    X(PROCESSING, "processing", 1)                                             \
    X(REQUIRES_INPUT, "requires_input", 1)                                     \
    X(UNDER_REVIEW, "under_review", 1)                                         \
    X(VERIFIED, "verified", 0)                                                 \
    X(FAILED, "failed", 0)                                                     \
    X(CANCELLED, "cancelled", 0)                                               \
    X(EXPIRED, "expired", 0)

typedef enum {
#define X(name, value, open) IDV_STATUS_##name,
    IDV_SESSION_STATUSES(X)
#undef X
    IDV_STATUS_COUNT,
    IDV_STATUS_NONE = -1
} idv_session_status_t;

/* How a session was verified other than by a person in the widget. */
#define IDV_VERIFICATION_PATHS(X)                                              \
    X(CREDENTIAL_REUSE, "credential_reuse")                                    \
    X(VP_TOKEN, "vp_token")                                                    \
    X(TRUST_REUSE, "trust_reuse")                                              \
    X(SANDBOX, "sandbox")

typedef enum {
    IDV_PATH_FRESH, /* null in the interface */
#define X(name, value) IDV_PATH_##name,
    IDV_VERIFICATION_PATHS(X)
#undef X
    IDV_PATH_COUNT
} idv_verification_path_t;

/* How a session moves to a phone: name, value. */
#define IDV_HANDOFF_STATES(X)                                                  \
    X(OFFERED, "offered") /* a link is shown, and nobody has opened it */      \
    X(SCANNED, "scanned") /* a phone has opened it */                          \
    X(HELD, "held")       /* the phone has the session, others only read */    \
    X(IDLE, "idle")       /* the phone fell silent; whoever acts has it */

typedef enum {
    IDV_HANDOFF_NONE,
#define X(name, value) IDV_HANDOFF_##name,
    IDV_HANDOFF_STATES(X)
#undef X
    IDV_HANDOFF_STATE_COUNT
} idv_handoff_state_t;

/* A handoff, and which phone it is about: they are numbered from 1, in the
 * order in which they took the session. */
typedef struct {
    idv_handoff_state_t state;
    int phones;
} idv_handoff_t;

/* Who acts on a session. The FIRST device is who has the client secret of its
 * creation. */
typedef struct {
    enum { IDV_DEVICE_NONE, IDV_DEVICE_FIRST, IDV_DEVICE_PHONE } kind;
    int phone; /* PHONE: its number */
} idv_device_t;

/* `active_device` of a session that a phone holds. */
#define IDV_ACTIVE_DEVICE_MOBILE "mobile"

/* Why a session did not succeed; shown to the applicant. The code is NULL when
 * there is no error. */
typedef idv_method_error_t idv_session_error_t;

/* Why a session fails, besides the failures of its methods (their own lists): name,
 * code, message for the applicant, category. As the codes of methods, these and
 * those of the next two lists are part of the API: add, never rename. */
#define IDV_SESSION_ERRORS(X)                                                  \
    X(DECLINED, "verification_declined",                                       \
      "The verification was not successful.", "verification_declined")         \
    X(ASSURANCE_INSUFFICIENT, "assurance_insufficient",                        \
      "What was shown does not prove enough by itself.",                       \
      "verification_declined")                                                 \
    X(UNREADABLE, "document_unreadable", "The document could not be read.",    \
      "verification_declined")                                                 \
    X(UNREADABLE_ATTEMPTS, "unreadable_attempts_exceeded",                     \
      "This document could not be read here in any of the attempts.",          \
      "verification_declined")                                                 \
    X(UNDER_AGE, "under_age", "The document does not show the required age.", \
      "verification_declined")                                                 \
    X(AGE_UNDETERMINED, "age_undetermined",                                    \
      "The document does not show the exact date of birth.",                   \
      "verification_declined")                                                 \
    X(PROHIBITED, "use_case_prohibited",                                       \
      "What was verified for may not be offered here any more.",               \
      "verification_declined")                                                 \
    X(LAW_UNKNOWN, "law_unknown",                                              \
      "Whether what was verified for may be offered here is not known.",       \
      "verification_declined")                                                 \
    X(METHODS_NOT_ACCEPTED, "methods_not_accepted",                            \
      "No way of verifying is left that the law accepts.",                     \
      "verification_declined")                                                 \
    X(PROCESSING, "processing_error",                                          \
      "A technical problem prevented the verification.", "technical_error")

/* What is checked besides what methods check: name, code, code of the reason for
 * which it does not pass. */
#define IDV_SESSION_CHECKS(X)                                                  \
    X(ASSURANCE, "assurance", "assurance_insufficient")                        \
    X(VP_TOKEN_SAME_PERSON, "vp_token_same_person", "other_person")

/* What the person is asked besides what methods ask: name, code. */
#define IDV_SESSION_HINTS(X)                                                   \
    X(TRY_AGAIN, "try_again")

typedef enum {
#define X(name, code, message, category) IDV_SESSION_ERROR_##name,
    IDV_SESSION_ERRORS(X)
#undef X
} idv_session_failure_t;

typedef enum {
#define X(name, code, reason) IDV_SESSION_CHECK_##name,
    IDV_SESSION_CHECKS(X)
#undef X
} idv_session_check_t;

typedef enum {
#define X(name, code) IDV_SESSION_HINT_##name,
    IDV_SESSION_HINTS(X)
#undef X
} idv_session_hint_t;

/* What a passed method proved, as far as a credential may carry it. */
typedef struct {
    int age;                  /* completed years that are proved; -1: none */
    int younger_than;         /* years that are surely not completed; 0: not
                               * known, as in records of before */
    const char *jurisdiction; /* of the evidence; NULL: none */
    const char *expiry;       /* last day, YYYY-MM-DD; NULL: never */
    idv_assurance_t assurance; /* of the evidence */
} idv_session_facts_t;

/* What the creation demanded of an earlier verification that would satisfy the
 * session, then or later; NONE or 0: nothing. */
typedef struct {
    idv_strength_t min_strength;
    int max_age_days;
    idv_method_list_t methods; /* all must have been passed before */
    /* What the workflow demands; NONE: that of the session's type. */
    idv_assurance_t min_assurance;
} idv_reuse_terms_t;

/* The state of the walk through the workflow. The store keeps it as it is. */
typedef struct {
    const char *node;           /* id of the current node; NULL before it */
    const char *way;            /* the nodes gone through, domain/session/session_way.h;
                                 * NULL: none is recorded */
    int attempts;               /* used up in the current node */
    int unreadable;             /* documents that could not be read there */
    idv_method_list_t passed;   /* of the current all_of node */
    idv_method_list_t verified; /* passed in the whole session */
    int submission;             /* number of the last submission, from 1 */
    int technical_failures;     /* since the last outcome */
    const char *hint;           /* for the person; NULL: none */
    const char *checks_failed;  /* JSON array of reason codes, or NULL */
    idv_session_facts_t facts;
    const idv_session_signals_t *signals; /* for its checks; NULL: none */
    int counted;                /* its verification is counted and stays so,
                                 * unless a reviewer rejects it; also set when
                                 * the customer cancelled it after evidence
                                 * had passed */
    int review_flagged;         /* the hold was put on a verified session */
    int review_escalated;
    const char *review_reason;  /* of a flag or a doubt; NULL: none given */
    int document_reused;        /* what was shown was somebody else's */
    int document_traces;        /* of all pictures that were decided on, bits
                                 * 1 << idv_picture_trace_t */
    const char *held_method;    /* whose outcome a review holds; NULL: none */
    idv_handoff_t handoff;
} idv_session_runner_t;

typedef struct {
    const char *id;
    const char *organization_id;
    const char *application_id; /* NULL: organization-wide key */
    const char *workflow_id;
    const char *workflow_version_id;
    int livemode; /* zero for a sandbox organization */
    apr_int64_t revision; /* rises by one with every change */

    idv_session_status_t status;
    idv_session_type_t type;
    idv_method_list_t methods;
    idv_method_t current_method; /* IDV_METHOD_NONE: none is active */
    const char *client_reference_id;
    const char *return_url;
    const char *cancel_url;
    const char *metadata; /* JSON object; NULL: empty */
    const char *user_message;

    idv_time_t created;
    idv_time_t updated;
    idv_time_t expires_at;
    idv_time_t completed_at; /* 0: not completed */
    idv_time_t cancelled_at; /* 0: not cancelled */
    idv_time_t ended_at;     /* [runner] first became terminal, also when a
                              * flag holds it since; 0: never did */

    idv_verification_path_t verification_path;
    const char *active_device;   /* "mobile" or NULL */
    idv_time_t device_locked_at; /* 0: no lock */

    idv_age_tier_t age_tier;
    int required_age; /* [runner] exact, in years; 0: none */
    idv_jurisdiction_audit_t jurisdiction;
    idv_compliance_t compliance;
    int require_email_otp; /* [runner] the workflow demands the proof */
    int email_otp_proven;  /* [runner] */
    int identifiers_claimed; /* [runner] a browser named them, unproven */
    idv_reuse_terms_t reuse_terms; /* [runner] */

    int consent_required;    /* [runner] before a submission is accepted */
    idv_time_t consented_at; /* [runner] 0: not given */
    int share_consent;       /* [runner] to cross-organization reuse */
    const char *consent_text; /* [runner] version of what was agreed to, as the
                               * widget names it, or NULL */

    idv_time_t review_opened_at; /* 0: no hold */
    idv_time_t review_deadline;  /* 0: no hold */

    const char *verification_result; /* JSON object, or NULL */
    const char *results;             /* JSON array, the expansion, or NULL */
    idv_session_error_t last_error;
    idv_session_runner_t runner;
} idv_session_t;

/* What the store keeps in the column `runner`. */
const char *idv_session_runner_text(const idv_session_t *session,
                                    apr_pool_t *pool);

/* Fills the runner and the members marked [runner] from what
 * idv_session_runner_text() wrote, and leaves the others; texts are copied.
 * What is 0, false, null or empty may be missing, but the age, and is left as
 * it is in SESSION. Internal error for other JSON. */
idv_error_t *idv_session_runner_load(const char *json, idv_session_t *session,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The compliance block for one column, and back; NULL for all zero. */
const char *idv_session_compliance_text(const idv_compliance_t *compliance,
                                        apr_pool_t *pool);
idv_error_t *idv_session_compliance_load(const char *json,
                                         idv_compliance_t *compliance,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The error, {code, message, category} or null, inside of other JSON; for one
 * column, where none is NULL; and back. */
void idv_session_error_write(idv_json_writer_t *writer, const char *key,
                             const idv_session_error_t *error);
const char *idv_session_error_text(const idv_session_error_t *error,
                                   apr_pool_t *pool);
idv_error_t *idv_session_error_load(const char *json,
                                    idv_session_error_t *error,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The entries of the lists above; a check comes as one that did not pass. Static,
 * never NULL. */
const idv_session_error_t *idv_session_error(idv_session_failure_t failure);
const idv_method_check_t *idv_session_check(idv_session_check_t check);
const char *idv_session_hint(idv_session_hint_t hint);

/* Values of the interface, and back; NULL or the NONE/FRESH value for none. */
const char *idv_session_status_value(idv_session_status_t status);
idv_session_status_t idv_session_status_parse(const char *value);
const char *idv_verification_path_value(idv_verification_path_t path);
idv_verification_path_t idv_verification_path_parse(const char *value);

/* Non-zero while the session has not ended. */
int idv_session_status_open(idv_session_status_t status);

/* True while the workflow demands proof of the e-mail address and this session
 * has not brought it. */
int idv_session_requires_email_otp(const idv_session_t *session);

/* Whether a proof of the e-mail address is taken at NOW: a workflow demands it,
 * or a browser named the address, and it is not proved yet;
 * `session_not_redeemable` otherwise, and in a session that has ended or is under
 * review. The same for sessions of known persons and of others, and for those
 * that name no address. */
idv_error_t *idv_session_check_otp(const idv_session_t *session, idv_time_t now,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when the e-mail address, and the phone number, that the creation of
 * the session named may stand for the person: a server said so and the workflow
 * demands no proof, or the address has been proved. What a browser says of a
 * person binds and shares nothing. A sandbox's session that skips the
 * verification skips the proof with it. */
int idv_session_email_stands(const idv_session_t *session);
int idv_session_phone_stands(const idv_session_t *session);

/* Non-zero while the client secret is good at NOW: until the session ends for
 * the first time, and one hour longer. No later review begins it anew: of a
 * session that was verified and is flagged it is good for what is left of that
 * hour, and then for nothing. */
int idv_session_secret_usable(const idv_session_t *session, idv_time_t now);

/* Non-zero when SESSION has ended, or its time has passed at NOW although no
 * timer has come yet. Under review no time passes. */
int idv_session_is_over(const idv_session_t *session, idv_time_t now);

/* Non-zero when what the person showed surely does not reach the age that is
 * demanded. Zero: it does, or leaves it open, or nothing is known. */
int idv_session_is_too_young(const idv_session_t *session);

/* Non-zero when evidence of a method has passed in the session. A declaration is
 * not evidence. */
int idv_session_has_passed_evidence(const idv_session_t *session);

/* Non-zero when the session was announced as verified once, and no reviewer
 * rejected it since. */
int idv_session_was_verified(const idv_session_t *session);

/* Non-zero when DEVICE is a phone that has given the session back, or lost it to
 * another: it is told nothing any more. */
int idv_session_has_left_device(const idv_session_t *session,
                                const idv_device_t *device);

/* Non-zero when AFTER, which follows from BEFORE, is another device's. A phone
 * that fell silent keeps the session until somebody else acts. */
int idv_session_has_moved(const idv_session_t *before,
                          const idv_session_t *after);

/* Whether DEVICE may change SESSION: `session_locked_to_other_device` while a
 * phone holds it and for a phone that does not. */
idv_error_t *idv_session_check_device(const idv_session_t *session,
                                      const idv_device_t *device,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The value of a state in the widget's view; NULL for none. */
const char *idv_handoff_state_value(idv_handoff_state_t state);

/* Whether SESSION, of WORKFLOW, takes something at NOW, a submission or an image
 * for one: session_terminal when it is over, session_state_conflict while no
 * method is awaited, or before a consent that is required. */
idv_error_t *idv_session_check_awaiting(const idv_session_t *session,
                                        const idv_workflow_t *workflow,
                                        idv_time_t now,
                                        apr_pool_t *pool) IDV_CHECKED;

/* The same for METHOD, which must be among those that are awaited. */
idv_error_t *idv_session_check_asked(const idv_session_t *session,
                                     const idv_workflow_t *workflow,
                                     idv_method_t method, idv_time_t now,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Whether METHOD of NODE comes behind others of it: a match is with the portrait
 * of what was shown, so where all is asked for it is the last to be chosen.
 * Else it would be compared with nothing, and another document shown after it. */
int idv_session_has_to_wait(const idv_session_t *session,
                            const idv_workflow_node_t *node,
                            idv_method_t method);

/* The methods that may be submitted now, in order: none unless the session
 * waits for a person in a methods node. */
void idv_session_choices(const idv_session_t *session,
                         const idv_workflow_t *workflow,
                         idv_method_list_t *choices);

/* Attempts left in the current node; -1 where none count. */
int idv_session_attempts_remaining(const idv_session_t *session,
                                   const idv_workflow_t *workflow);

#endif
