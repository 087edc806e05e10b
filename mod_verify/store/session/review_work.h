/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_REVIEW_WORK_H
#define IDV_STORE_SESSION_REVIEW_WORK_H

/*
 * The work of reviewers: the queue of held sessions, who has which, and all that
 * is known of one for deciding about it. The decision itself is a transition
 * (store/transaction/session_transition.h), its record store/session/review.h's.
 *
 * A claim keeps others from a session for IDV_REVIEW_CLAIM_TIME and, prolonged,
 * for IDV_REVIEW_CLAIM_LONGEST; then others come first for IDV_REVIEW_CLAIM_PAUSE,
 * so that neither a page that was left open nor a person keeps the others from a
 * session. Giving it back, letting the claim run out or escalating begins no new
 * time: the time of one person goes on from the first claim until another had the
 * session, or nobody for that pause. Claims and
 * decisions lock the session, so that of two reviewers one comes second and is
 * told: `review_claimed` while the other has it, `session_state_conflict` once
 * it was decided. A claim whose time has passed is anybody's; who lost one so
 * cannot decide while the next reviewer has the session. Nobody needs a claim for
 * a session that nobody has. What is done about a session ends its claim, whoever
 * does it.
 *
 * Who put a hold on a session by flagging it neither approves nor rejects it, nor
 * claims it, as that would keep it from all others until its time is over, which
 * rejects it: `reviewer_not_independent`. Reviewers are told apart by the name under which
 * their decisions are recorded. Where one person must not act as two (this rule,
 * four eyes, and how long one may have a session), names that can be one person's
 * logins are one (domain/account/operator_key.h); a claim itself is of the name as it was
 * typed, since it gives something. An operator who cancels a session is held to
 * both rules as one who rejects it.
 *
 * Where an organization wants two people for it (idv_four_eyes_t), a session that
 * was verified is rejected by one reviewer after another person has flagged or
 * escalated it: `four_eyes_required`. A key that has flagged it is nobody; and a
 * server that cancels with its key is not held to this.
 *
 * A document of a test issuer that the decision of its method did not accept is
 * not accepted by a reviewer either: `test_issuer_refused`.
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
    const char *reviewer; /* NULL: nobody has the session */
    idv_time_t claimed;
    idv_time_t expires_at;
} idv_review_claim_t;

/* Which session, who wants it, and when. */
typedef struct {
    idv_scope_t scope;
    const char *session_id;
    const char *reviewer;
    idv_time_t now;
} idv_review_claiming_t;

/* Gives the session to the reviewer, or prolongs the claim that is the
 * reviewer's already; inside of a transaction. `session_state_conflict` unless
 * it is under review; `review_claimed`; `reviewer_not_independent`;
 * `session_not_found`. */
idv_error_t *idv_review_claim(idv_db_t *db,
                              const idv_review_claiming_t *claiming,
                              idv_review_claim_t *claim,
                              apr_pool_t *pool) IDV_CHECKED;

/* `review_claim_required` unless the session is claimed by the reviewer. */
idv_error_t *idv_review_check_claim(idv_db_t *db,
                                    const idv_review_claiming_t *claiming,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Gives it back; nothing happens when it is not the reviewer's. */
idv_error_t *idv_review_release(idv_db_t *db,
                                const idv_review_claiming_t *claiming,
                                apr_pool_t *pool) IDV_CHECKED;

/* Who has SESSION at NOW. */
idv_error_t *idv_review_claim_find(idv_db_t *db, const idv_session_t *session,
                                   idv_time_t now, idv_review_claim_t *claim,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Whether the reviewer of CLAIMING may take DECISION about the session, which
 * is locked; for the condition of the transition that decides. */
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
    const char *reason; /* a flag's or a doubt's; NULL: the workflow's */
    const char *node;
    int flagged;
    int escalated;
    idv_review_claim_t claim;
    const char *cursor; /* what stands behind this one is asked for by it */
} idv_review_item_t;

typedef struct {
    const char *organization_id;
    const char *cursor; /* of an item; NULL: from the next that is due */
    int unclaimed;      /* only those that nobody has */
    int limit;
    idv_time_t now;
} idv_review_filter_t;

/* A page by deadlines, the next first, as an array of idv_review_item_t.
 * `parameter_invalid` at `cursor` for one that no page had. */
idv_error_t *idv_review_queue(idv_db_t *db, const idv_review_filter_t *filter,
                              apr_array_header_t **items, int *has_more,
                              apr_pool_t *pool) IDV_CHECKED;

/* --- what is known of a held session --- */

/* Sessions that are shown beside one, and its assessments. */
#define IDV_REVIEW_RELATED_MAX 20

/* {"claim", "entries", "decisions", "risk_assessments", "related_sessions",
 * "evidence"} of SESSION at NOW: who has it; what was done about its reviews;
 * the checks of each submission with their codes; what was assessed last, with
 * the points; other sessions of the same evidence or person; and, as long as the
 * session is open, the names of the parts of evidence that are there. Notes and
 * reviewers aside there is nothing in it of a person. New reference. */
idv_error_t *idv_review_detail(idv_db_t *db, const idv_session_t *session,
                               idv_time_t now, json_t **detail,
                               apr_pool_t *pool) IDV_CHECKED;

/* What was assessed of SESSION last, with the points, as an array of the API's
 * objects in the order in which they were made, owned by POOL. */
idv_error_t *idv_review_assessments(idv_db_t *db, const idv_session_t *session,
                                    json_t **list,
                                    apr_pool_t *pool) IDV_CHECKED;

/* {"decisions", "risk_assessments", "evidence"} of it alone, with no id that the
 * session could be found by, and times to the day: what somebody sees who is not
 * to know what became of it. */
idv_error_t *idv_review_findings(idv_db_t *db, const idv_session_t *session,
                                 json_t **findings,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- a look at what was shown --- */

/* Why somebody looks; codes, since they are kept. Who looks in order to decide
 * has claimed the session; for a complaint, or where the law demands it, another
 * may have it. NULL-terminated. */
extern const char *const idv_review_look_reasons[];

typedef struct {
    idv_review_claiming_t claiming; /* who looks, at which session */
    const char *side;
    const char *reason; /* one of them */
    const idv_keyring_t *keyring;
} idv_review_look_t;

/* Opens one picture of a held session, which stays locked: what is being purged
 * is not shown. Inside of a transaction, in which the caller records the look
 * (store/account/operator_action.h). `session_state_conflict` unless the session is under
 * review; `review_claim_required`; `resource_missing` for no such picture. */
idv_error_t *idv_review_look(idv_db_t *db, const idv_review_look_t *look,
                             idv_evidence_t **picture,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
