/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SECOND_REVIEW_H
#define IDV_STORE_SESSION_SECOND_REVIEW_H

/*
 * Second, blind reviews of a sample of decisions, which measure how far an
 * organization's reviewers agree.
 *
 * Selection: when a reviewer's approval or rejection ends a session, an HMAC of
 * the session and the review under a key of the server determines whether the
 * decision is in the sample. It does not depend on the decision, and nobody
 * without the key can predict it. The organization sets the percentage (default
 * 0).
 *
 * Independence: a second reviewer sees the checks, the signals and the
 * evidence, but neither the first decision nor the session's id, and decides.
 * Anybody who was involved in the session's reviews, before or after the
 * selection, is excluded: a person who opened, changed or ended one, claimed
 * the session, viewed its evidence, or took any other recorded action on it
 * (store/account/operator_action.h), under any login of that person
 * (domain/account/operator_key.h).
 *
 * Blinding: until the second decision nothing leads to the session. A second
 * review has an id of its own that appears nowhere else. Its times are only UTC
 * days: in the id, of its selection, and of its end, which is the start of a
 * day. The data shown has no ids, and its times are days. While the evidence is
 * kept for a second review, the session's own review does not show it. What
 * remains: checks, signals and pictures are the session's, so a reader who
 * compares them with all readable session data can find the session; so can
 * somebody who sees the list grow while a decision is made, or knows that there
 * was only one that day. The link is not secret, but nobody learns it by
 * accident or at a glance.
 *
 * Retention: the evidence is kept until the second decision, or until the
 * second review lapses: IDV_SECOND_REVIEW_TIME after the start of the day, and
 * never longer than a review can keep evidence (IDV_SECOND_REVIEW_EVIDENCE_MAX
 * from its start). A decision in the last hours of that period is not selected,
 * because it would lapse at once.
 *
 * Effect: a second review never changes a session or notifies a customer. If
 * the two decisions differ, a third person says which was right; consequences
 * take a flag, and then an ordinary review. The third person may have seen the
 * session, but must not have decided anything about it.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; `resource_missing`;
 * `session_state_conflict` if it was decided, has lapsed, or needs no settling;
 * `reviewer_not_independent`.
 */
#include "domain/session/review.h"
#include "store/db/lookup.h"
#include "store/method/evidence.h"
#include "store/session/session_lookup.h"

#define IDV_SECOND_REVIEW_TIME (3 * IDV_DAY)
#define IDV_SECOND_REVIEW_EVIDENCE_MAX (7 * IDV_DAY)

typedef struct {
    const char *id; /* the displayed id */
    const char *session_id;
    const char *first_reviewer;
    const char *first_decision;
    const char *first_reason; /* NULL: none given */
    idv_time_t chosen_at;     /* a day; so for the next */
    idv_time_t deadline;
    const char *second_reviewer; /* NULL: not decided; so for the next
                                  * members */
    const char *second_decision;
    const char *second_reason;
    idv_time_t decided_at;
    idv_time_t lapsed_at;   /* 0: not lapsed */
    const char *settled_by; /* NULL: not settled; so for the next members */
    const char *settled_decision;
    idv_time_t settled_at;
} idv_second_review_t;

/* Non-zero if TEXT has the form of a second review's id; ids made by older
 * versions are those of a review entry. */
int idv_second_review_is_id(const char *text);

/* A session change that may contain a reviewer's decision. */
typedef struct {
    const idv_session_t *before;
    const idv_session_change_t *change;
    const idv_keyring_t *keyring; /* NULL: nothing is selected */
    idv_time_t now;
} idv_second_review_candidate_t;

/* Decides whether CANDIDATE's decision, if any, joins the sample. In the
 * session's transaction, after its reviews are recorded and before evidence is
 * purged. */
idv_error_t *
idv_second_review_choose(idv_db_t *db,
                         const idv_second_review_candidate_t *candidate,
                         apr_pool_t *pool) IDV_CHECKED;

/* Whether the evidence of SESSION is kept for a second review. */
idv_error_t *idv_second_review_is_open(idv_db_t *db,
                                       const idv_session_t *session,
                                       int *is_open,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The caller, the second review, and the time. */
typedef struct {
    const char *organization_id;
    const char *id; /* NULL: a page */
    const char *reviewer;
    idv_time_t now;
} idv_second_review_asking_t;

/* A page of second reviews. */
typedef struct {
    const idv_second_review_asking_t *asking;
    int disagreed;
    idv_cursor_t cursor;
} idv_second_review_query_t;

/* A page, newest first, of second reviews that the reviewer can decide, or of
 * disagreements; an array of idv_second_review_t. */
idv_error_t *idv_second_review_page(idv_db_t *db,
                                    const idv_second_review_query_t *query,
                                    apr_array_header_t **items, int *has_more,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The data for the second decision: {"id", "object", "type", "jurisdiction",
 * "chosen_at", "deadline_at"} and that of idv_review_findings(). In a
 * transaction. New reference. */
idv_error_t *idv_second_review_subject(idv_db_t *db,
                                       const idv_second_review_asking_t *asking,
                                       json_t **subject,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Opens the picture SIDE for the second decision. In a transaction, in which
 * the caller records the view. */
typedef struct {
    idv_second_review_asking_t asking;
    const char *side;
    const idv_keyring_t *keyring;
} idv_second_review_look_t;

idv_error_t *idv_second_review_look(idv_db_t *db,
                                    const idv_second_review_look_t *look,
                                    idv_evidence_t **picture,
                                    apr_pool_t *pool) IDV_CHECKED;

/* REVIEW as its reader may see it: session and first decision only after the
 * second decision. New reference. */
json_t *idv_second_review_json(const idv_second_review_t *review);

/* The decision of a second reviewer. */
typedef struct {
    idv_decision_t decision;
    const char *reason;
} idv_second_decision_t;

/* Records the second decision, APPROVE or REJECT, for REASON, and deletes the
 * evidence. In a transaction. */
idv_error_t *idv_second_review_decide(idv_db_t *db,
                                      const idv_second_review_asking_t *asking,
                                      const idv_second_decision_t *second,
                                      idv_second_review_t *review,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Records a third person's decision on a disagreement. */
idv_error_t *idv_second_review_settle(idv_db_t *db,
                                      const idv_second_review_asking_t *asking,
                                      idv_decision_t decision,
                                      idv_second_review_t *review,
                                      apr_pool_t *pool) IDV_CHECKED;

/* {"n", "agreed", "agreement", "kappa", "matrix", "reasons", "open", "lapsed",
 * "disagreed"} of an organization. `agreement` and `kappa` (idv_review_kappa())
 * are null if undefined. New reference. */
idv_error_t *idv_second_review_agreement(idv_db_t *db,
                                         const char *organization_id,
                                         json_t **figures,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Sets the percentage of decisions to select (0 to 100; negative: unchanged),
 * and returns the current one. */
idv_error_t *idv_second_review_percent(idv_db_t *db,
                                       const char *organization_id,
                                       int *percent,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
