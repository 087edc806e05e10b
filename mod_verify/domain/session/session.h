/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_H
#define IDV_DOMAIN_SESSION_SESSION_H

/*
 * A verification session: its complete state. session_columns.h has the form in
 * which it is stored, session_view.h the forms in which it is shown.
 *
 * A session is a value and never modified in place: session_create.h makes the
 * first, session_step.h derives the next from the last, and the store writes
 * it. Fields that the API returns or queries filter by have their own columns.
 * Everything else is one JSON value in the column `runner`: all of
 * idv_session_runner_t, and the members marked [runner].
 *
 * A session contains no secrets: the client secret is passed separately where
 * it is shown, once.
 *
 * JSON members are kept as compact text, because they are mostly passed on
 * unread.
 *
 * Memory: texts live at least as long as the pool of the session's creator.
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

/* How a session was verified, other than by a person in the widget. */
#define IDV_VERIFICATION_PATHS(X)                                              \
    X(CREDENTIAL_REUSE, "credential_reuse")                                    \
    X(VP_TOKEN, "vp_token")                                                    \
    X(TRUST_REUSE, "trust_reuse")                                              \
    X(SANDBOX, "sandbox")

typedef enum {
    IDV_PATH_FRESH, /* null in the API */
#define X(name, value) IDV_PATH_##name,
    IDV_VERIFICATION_PATHS(X)
#undef X
    IDV_PATH_COUNT
} idv_verification_path_t;

/* States of a handoff to a phone: name, value. */
#define IDV_HANDOFF_STATES(X)                                                  \
    X(OFFERED, "offered") /* a link is shown and was not opened yet */         \
    X(SCANNED, "scanned") /* a phone has opened the link */                    \
    X(HELD, "held")       /* the phone holds the session; others read */       \
    X(IDLE, "idle")       /* the phone fell silent; the next device that
                           * acts controls it */

typedef enum {
    IDV_HANDOFF_NONE,
#define X(name, value) IDV_HANDOFF_##name,
    IDV_HANDOFF_STATES(X)
#undef X
    IDV_HANDOFF_STATE_COUNT
} idv_handoff_state_t;

/* A handoff and the phone concerned: phones are numbered from 1, in the order
 * in which they took the session. */
typedef struct {
    idv_handoff_state_t state;
    int phones;
} idv_handoff_t;

/* The device that acts on a session. FIRST is the device with the client secret
 * from the creation. */
typedef struct {
    enum { IDV_DEVICE_NONE, IDV_DEVICE_FIRST, IDV_DEVICE_PHONE } kind;
    int phone; /* PHONE: its number */
} idv_device_t;

/* `active_device` of a session held by a phone. */
#define IDV_ACTIVE_DEVICE_MOBILE "mobile"

/* Why a session did not succeed, shown to the applicant. The code is NULL if
 * there is no error. */
typedef idv_method_error_t idv_session_error_t;

/* Reasons for the failure of a session, in addition to those of its methods
 * (see their lists): name, code, message for the applicant, category. Like the
 * codes of methods, these and those of the next two lists are part of the API:
 * add, never rename. */
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

/* Checks in addition to those of methods: name, code, reason code of a
 * failure. */
#define IDV_SESSION_CHECKS(X)                                                  \
    X(ASSURANCE, "assurance", "assurance_insufficient")                        \
    X(VP_TOKEN_SAME_PERSON, "vp_token_same_person", "other_person")

/* Hints to the person in addition to those of methods: name, code. */
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

/* Facts proved by a passed method, as far as a credential can carry them. */
typedef struct {
    int age;                  /* completed years proved; -1: none */
    int younger_than;         /* upper bound: this many years are not completed;
                               * 0: unknown, as in older records */
    const char *jurisdiction; /* of the evidence; NULL: none */
    const char *expiry;       /* last day, YYYY-MM-DD; NULL: never */
    idv_assurance_t assurance; /* of the evidence */
} idv_session_facts_t;

/* Requirements that the creation set for an earlier verification that would
 * satisfy the session, then or later; NONE or 0: none. */
typedef struct {
    idv_strength_t min_strength;
    int max_age_days;
    idv_method_list_t methods; /* all must have been passed */
    /* Required by the workflow; NONE: the minimum of the session's type. */
    idv_assurance_t min_assurance;
} idv_reuse_terms_t;

/* Progress through the workflow. Stored unchanged. */
typedef struct {
    const char *node;           /* id of the current node; NULL before the
                                 * first */
    const char *way;            /* nodes passed through, see
                                 * domain/session/session_way.h; NULL: not
                                 * recorded */
    int attempts;               /* used in the current node */
    int unreadable;             /* unreadable documents in the current node */
    idv_method_list_t passed;   /* methods passed in the current all_of node */
    idv_method_list_t verified; /* methods passed in the whole session */
    int submission;             /* number of the last submission, from 1 */
    int technical_failures;     /* since the last outcome */
    const char *hint;           /* for the person; NULL: none */
    const char *hint_side;      /* the picture that the hint is about: "front" or
                                 * "back"; NULL: not one picture */
    const char *checks_failed;  /* JSON array of reason codes, or NULL */
    idv_session_facts_t facts;
    const idv_session_signals_t *signals; /* for passive checks; NULL: none */
    int counted;                /* its verification was counted, and stays
                                 * counted unless a reviewer rejects it; also
                                 * set if the customer cancelled after evidence
                                 * passed */
    int review_flagged;         /* a verified session was flagged for review */
    int review_escalated;
    const char *review_reason;  /* of a flag or doubt; NULL: none given */
    int document_reused;        /* the document belongs to somebody else */
    int document_traces;        /* of all pictures decided on, bits 1 <<
                                 * idv_picture_trace_t */
    const char *held_method;    /* the method under review; NULL: none */
    const char *document_kind;  /* of the last document that was read, whether it
                                 * passed or not, for statistics; NULL: none */
    const char *document_issuer;
    const char *browser;        /* the family of the person's last browser, for
                                 * statistics (domain/risk/user_agent.h); NULL:
                                 * none yet */
    idv_handoff_t handoff;
} idv_session_runner_t;

typedef struct {
    const char *id;
    const char *organization_id;
    const char *application_id; /* NULL: the key is organization-wide */
    const char *workflow_id;
    const char *workflow_version_id;
    int livemode; /* zero: a sandbox organization */
    apr_int64_t revision; /* incremented with every change */

    idv_session_status_t status;
    idv_session_type_t type;
    idv_method_list_t methods;
    idv_method_t current_method; /* IDV_METHOD_NONE: none active */
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
    idv_time_t ended_at;     /* [runner] first became terminal, even if a flag
                              * reopened it since; 0: never */

    idv_verification_path_t verification_path;
    const char *active_device;   /* "mobile" or NULL */
    idv_time_t device_locked_at; /* 0: no lock */

    idv_age_tier_t age_tier;
    int required_age; /* [runner] exact, in years; 0: none */
    idv_jurisdiction_audit_t jurisdiction;
    idv_compliance_t compliance;
    int require_email_otp; /* [runner] required by the workflow */
    int email_otp_proven;  /* [runner] */
    int identifiers_claimed; /* [runner] named by a browser, unproven */
    idv_reuse_terms_t reuse_terms; /* [runner] */

    int consent_required;    /* [runner] before a submission is accepted */
    idv_time_t consented_at; /* [runner] 0: not given */
    int share_consent;       /* [runner] consent to cross-organization reuse */
    const char *consent_text; /* [runner] version of the accepted text, as the
                               * widget names it, or NULL */

    idv_time_t review_opened_at; /* 0: not held */
    idv_time_t review_deadline;  /* 0: not held */

    const char *verification_result; /* JSON object, or NULL */
    const char *results;             /* JSON array (the expansion) or NULL */
    idv_session_error_t last_error;
    idv_session_runner_t runner;
} idv_session_t;

/* Entries of the lists above; a check is returned as failed. Static, never
 * NULL. */
const idv_session_error_t *idv_session_error(idv_session_failure_t failure);
const idv_method_check_t *idv_session_check(idv_session_check_t check);
const char *idv_session_hint(idv_session_hint_t hint);

/* API values and their parsing; NULL or the NONE/FRESH value for none. */
const char *idv_session_status_value(idv_session_status_t status);
idv_session_status_t idv_session_status_parse(const char *value);
const char *idv_verification_path_value(idv_verification_path_t path);
idv_verification_path_t idv_verification_path_parse(const char *value);

/* Non-zero while the session has not ended. */
int idv_session_status_open(idv_session_status_t status);

/* Non-zero while the workflow requires proof of the e-mail address and the
 * session lacks it. */
int idv_session_requires_email_otp(const idv_session_t *session);

/* Checks that a proof of the e-mail address is accepted at NOW: the workflow
 * requires it or a browser named the address, and it is not proved yet.
 * Otherwise, and in a session that has ended or is under review:
 * `session_not_redeemable`. The result does not depend on whether the person is
 * known or whether the session names an address. */
idv_error_t *idv_session_check_otp(const idv_session_t *session, idv_time_t now,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if the e-mail address or phone number named at creation may identify
 * the person: a server named it and the workflow requires no proof, or the
 * address was proved. Claims made by a browser identify nobody and share
 * nothing. A sandbox session that skips the verification also skips the
 * proof. */
int idv_session_email_stands(const idv_session_t *session);
int idv_session_phone_stands(const idv_session_t *session);

/* Non-zero while the client secret is valid at NOW: until the session first
 * ends, and one hour longer. A later review does not restart that hour: after a
 * flag the secret is valid for the rest of the hour only. */
int idv_session_secret_usable(const idv_session_t *session, idv_time_t now);

/* Non-zero if SESSION has ended, or its time is over at NOW although its timer
 * has not run yet. A session under review does not time out. */
int idv_session_is_over(const idv_session_t *session, idv_time_t now);

/* Non-zero if the evidence surely does not reach the required age. Zero: it
 * does, it leaves the age open, or nothing is known. */
int idv_session_is_too_young(const idv_session_t *session);

/* Non-zero if evidence of a method has passed in the session. A declaration is
 * not evidence. */
int idv_session_has_passed_evidence(const idv_session_t *session);

/* Non-zero if the session was once announced as verified and no reviewer has
 * rejected it since. */
int idv_session_was_verified(const idv_session_t *session);

/* Non-zero if DEVICE is a phone that returned the session or lost it to another
 * device: it gets no more information. */
int idv_session_has_left_device(const idv_session_t *session,
                                const idv_device_t *device);

/* Non-zero if AFTER, which follows BEFORE, belongs to another device. A phone
 * that fell silent keeps the session until another device acts. */
int idv_session_has_moved(const idv_session_t *before,
                          const idv_session_t *after);

/* Checks that DEVICE may change SESSION: `session_locked_to_other_device` for
 * other devices while a phone holds it, and for a phone that does not hold
 * it. */
idv_error_t *idv_session_check_device(const idv_session_t *session,
                                      const idv_device_t *device,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The API value of a state in the widget's view; NULL for none. */
const char *idv_handoff_state_value(idv_handoff_state_t state);

/* Checks that SESSION, of WORKFLOW, accepts input such as a submission or an
 * image at NOW: session_terminal if it is over, session_state_conflict if it
 * awaits no method or lacks a required consent. */
idv_error_t *idv_session_check_awaiting(const idv_session_t *session,
                                        const idv_workflow_t *workflow,
                                        idv_time_t now,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Likewise for METHOD, which must be one of those awaited. */
idv_error_t *idv_session_check_asked(const idv_session_t *session,
                                     const idv_workflow_t *workflow,
                                     idv_method_t method, idv_time_t now,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if METHOD of NODE must come after other methods. A match compares
 * with the portrait of the presented document, so in an all_of node it comes
 * last. Otherwise it would compare with nothing, and a different document could
 * be presented afterwards. */
int idv_session_has_to_wait(const idv_session_t *session,
                            const idv_workflow_node_t *node,
                            idv_method_t method);

/* The methods that can be submitted now, in order; none unless the session
 * waits for a person in a methods node. */
void idv_session_choices(const idv_session_t *session,
                         const idv_workflow_t *workflow,
                         idv_method_list_t *choices);

/* Attempts left in the current node; -1 if attempts are not limited there. */
int idv_session_attempts_remaining(const idv_session_t *session,
                                   const idv_workflow_t *workflow);

#endif
