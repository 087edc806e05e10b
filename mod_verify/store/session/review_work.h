/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_REVIEW_WORK_H
#define IDV_STORE_SESSION_REVIEW_WORK_H

/*
 * The work of reviewers: the queue of held sessions, claims, and all data for a
 * decision. The decision itself is a transition
 * (store/transaction/session_transition.h); its record is in
 * store/session/review.h.
 *
 * Claims: a claim reserves a session for IDV_REVIEW_CLAIM_TIME, extended at
 * most to IDV_REVIEW_CLAIM_LONGEST; after that others have precedence for
 * IDV_REVIEW_CLAIM_PAUSE, so that neither an open page nor a person blocks a
 * session. Releasing the claim, letting it expire or escalating does not
 * restart this time: it runs from a person's first claim until another had the
 * session, or nobody had it for that pause. Claims and decisions lock the
 * session, so that of two reviewers the second gets an error: `review_claimed`
 * while the other has it, `session_state_conflict` once it was decided. Anybody
 * can take an expired claim; the previous holder cannot decide while the next
 * reviewer has the session. A session that nobody has can be decided without a
 * claim. Any action on a session ends its claim.
 *
 * Independence: a person who held a session by flagging it can neither approve
 * nor reject it, nor claim it, which would block all others until its time is
 * over and thereby reject it: `reviewer_not_independent`. Reviewers are
 * identified by the name under which their decisions are recorded. In rules
 * that keep one person from acting as two (this one, four eyes, and the maximum
 * time for a session), names that can be one person's logins are equal
 * (domain/account/operator_key.h). A claim itself belongs to the name as typed,
 * because it grants something. Both rules also apply to an operator who cancels
 * a session, as a rejection.
 *
 * Four eyes: if the organization requires two people (idv_four_eyes_t), a
 * reviewer can reject a verified session only after another person has flagged
 * or escalated it: `four_eyes_required`. A flag set by an API key does not
 * count as a person; and a server that cancels with its key is exempt.
 *
 * If a method's decision did not accept a document of a test issuer, a reviewer
 * cannot accept it either: `test_issuer_refused`.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and those named above.
 */
#include "core/keyring.h"
#include "domain/session/review.h"
#include "store/method/evidence.h"
#include "store/session/session_lookup.h"

/* --- claims --- */

typedef struct {
    const char *reviewer; /* NULL: nobody */
    idv_time_t claimed;
    idv_time_t expires_at;
} idv_review_claim_t;

/* A claim request. */
typedef struct {
    idv_scope_t scope;
    const char *session_id;
    const char *reviewer;
    idv_time_t now;
} idv_review_claiming_t;

/* Claims the session for the reviewer, or extends the reviewer's claim; in a
 * transaction. `session_state_conflict` unless it is under review;
 * `review_claimed`; `reviewer_not_independent`; `session_not_found`. */
idv_error_t *idv_review_claim(idv_db_t *db,
                              const idv_review_claiming_t *claiming,
                              idv_review_claim_t *claim,
                              apr_pool_t *pool) IDV_CHECKED;

/* Releases a claim; no effect if it is not the reviewer's. */
idv_error_t *idv_review_release(idv_db_t *db,
                                const idv_review_claiming_t *claiming,
                                apr_pool_t *pool) IDV_CHECKED;

/* The claim on SESSION at NOW. */
idv_error_t *idv_review_claim_find(idv_db_t *db, const idv_session_t *session,
                                   idv_time_t now, idv_review_claim_t *claim,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Checks that REVIEWER did not open the current review of SESSION:
 * `reviewer_not_independent`. */
idv_error_t *idv_review_check_independence(idv_db_t *db,
                                           const idv_session_t *session,
                                           const char *reviewer,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Checks that the reviewer of CLAIMING may take DECISION on the session
 * (locked); a condition of the deciding transition. */
idv_error_t *idv_review_may_decide(idv_db_t *db,
                                   const idv_review_claiming_t *claiming,
                                   idv_decision_t decision,
                                   apr_pool_t *pool) IDV_CHECKED;

/* --- the queue --- */

/* A held session. */
typedef struct {
    const char *session_id;
    const char *application_id;
    const char *type;
    const char *client_reference_id; /* personal */
    const char *workflow_id;
    const char *risk_tier;
    idv_time_t opened_at;
    idv_time_t deadline;
    const char *reason; /* of a flag or doubt; NULL: the workflow's */
    const char *node;
    int flagged;
    int escalated;
    idv_review_claim_t claim;
    const char *assignee; /* review_case.h; NULL: nobody */
    const char *cursor; /* continues after this item */
} idv_review_item_t;

typedef struct {
    const char *organization_id;
    const char *cursor; /* of an item; NULL: from the first that is due */
    int unclaimed;      /* flag: only unclaimed ones */
    const char *workflow_id; /* only of this one; NULL: all */
    const char *reason;      /* only of this one; NULL: all */
    const char *assignee;    /* only assigned to this one; NULL: all */
    idv_time_t due_before;   /* only with a deadline until then; 0: all */
    int limit;
    idv_time_t now;
} idv_review_filter_t;

/* A page ordered by deadline, earliest first, an array of idv_review_item_t.
 * `parameter_invalid` at `cursor` if it comes from no page. */
idv_error_t *idv_review_queue(idv_db_t *db, const idv_review_filter_t *filter,
                              apr_array_header_t **items, int *has_more,
                              apr_pool_t *pool) IDV_CHECKED;

/* {"total", "is_whole", "deadlines", "workflows", "reasons"}: the open reviews in
 * numbers, of which the first 10,000 by deadline are counted. Owned by POOL. */
idv_error_t *idv_review_summary(idv_db_t *db, const char *organization_id,
                                idv_time_t now, json_t **summary,
                                apr_pool_t *pool) IDV_CHECKED;

/* --- details of a held session --- */

/* Maximum related sessions, and assessments. */
#define IDV_REVIEW_RELATED_MAX 20

/* {"claim", "entries", "decisions", "risk_assessments", "related_sessions",
 * "evidence"} of SESSION at NOW: the current claim; the actions on its reviews;
 * the checks of each submission with codes; the latest assessments with points;
 * other sessions with the same evidence or person; and, while the session is
 * open, the names of the stored parts of evidence. Apart from notes,
 * reviewers and the customer's references it contains nothing personal. New
 * reference. */
idv_error_t *idv_review_detail(idv_db_t *db, const idv_session_t *session,
                               idv_time_t now, json_t **detail,
                               apr_pool_t *pool) IDV_CHECKED;

/* The latest assessments of SESSION with points, an array of the API's objects
 * in order of creation, owned by POOL. */
idv_error_t *idv_review_assessments(idv_db_t *db, const idv_session_t *session,
                                    json_t **list,
                                    apr_pool_t *pool) IDV_CHECKED;

/* {"decisions", "risk_assessments", "evidence"} only, without any id that would
 * identify the session, and with times reduced to days: for a reader who must
 * not learn its outcome. */
idv_error_t *idv_review_findings(idv_db_t *db, const idv_session_t *session,
                                 json_t **findings,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- viewing evidence --- */

/* Reasons for viewing evidence; codes, because they are recorded. A viewer who
 * decides must have claimed the session; for a complaint or a legal obligation
 * somebody else may have it. NULL-terminated. */
extern const char *const idv_review_look_reasons[];

typedef struct {
    idv_review_claiming_t claiming; /* the viewer and the session */
    const char *side;
    const char *reason; /* one of these codes */
    const idv_keyring_t *keyring;
} idv_review_look_t;

/* Opens one picture of a held session, which remains locked, so that evidence
 * being purged is not shown. In a transaction, in which the caller records the
 * view (store/account/operator_action.h). `session_state_conflict` unless the
 * session is under review; `review_claim_required`; `resource_missing` for an
 * unknown picture. */
idv_error_t *idv_review_look(idv_db_t *db, const idv_review_look_t *look,
                             idv_evidence_t **picture,
                             apr_pool_t *pool) IDV_CHECKED;

/* Opens the data read from the document (store/method/review_fields.h), for LOOK
 * without a side; like idv_review_look(). Owned by POOL. */
idv_error_t *idv_review_look_at_fields(idv_db_t *db,
                                       const idv_review_look_t *look,
                                       json_t **fields,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
