/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SECOND_REVIEW_H
#define IDV_STORE_SESSION_SECOND_REVIEW_H

/*
 * Second, blind reviews of a sample of decisions, by which an organization knows
 * how far its reviewers agree.
 *
 * When a reviewer's approval or rejection ends a session, an HMAC of the session
 * and the review under a key of the server says whether the decision is in the
 * sample: the same whatever was decided, and nobody without the key can tell
 * before. The organization says how many of a hundred are (default 0).
 *
 * A second reviewer sees the checks, the signals and the evidence, and neither the
 * first decision nor the session's id, and decides. Nobody may who has had to do
 * with the session's reviews, before or after it was chosen: who opened, moved or
 * ended one, claimed the session, looked at its evidence, or did anything else to
 * it that is recorded (store/account/operator_action.h); by whichever login of that person
 * (domain/account/operator_key.h).
 *
 * Until the second decision nothing leads to the session. A second review has an
 * id of its own, which stands nowhere else, and of times the day in UTC alone: in
 * the id, of its choice, and of its end, which is the beginning of a day. Of what
 * is shown the ids are gone and the times are days. While the evidence is kept for
 * it, the session's review shows none. What is left: checks, signals and pictures
 * are those of the session, so who compares them with all that may be read of
 * sessions finds it, and so does who sees the list grow while one decision is made,
 * or knows that a day had only one. It is no secret, but nobody learns it by chance
 * or by one look.
 *
 * The evidence is kept until the second decision, or until the second review
 * lapses: IDV_SECOND_REVIEW_TIME after the beginning of the day, and never longer
 * than a review can keep evidence at all (IDV_SECOND_REVIEW_EVIDENCE_MAX from its
 * beginning on). A decision in the last hours of these is not chosen: it would lapse
 * at once.
 *
 * Nothing of it changes a session or tells a customer anything. Where the two
 * differ, a third person says which was right; what is to follow from that is a
 * flag, and a review like any other. The third may have seen the session, but
 * has decided nothing about it.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; `resource_missing`; `session_state_conflict`
 * for what was decided, has lapsed, or needs no settling;
 * `reviewer_not_independent`.
 */
#include "domain/session/review.h"
#include "store/db/lookup.h"
#include "store/method/evidence.h"
#include "store/session/session_lookup.h"

#define IDV_SECOND_REVIEW_TIME (3 * IDV_DAY)
#define IDV_SECOND_REVIEW_EVIDENCE_MAX (7 * IDV_DAY)

typedef struct {
    const char *id; /* as it is shown */
    const char *session_id;
    const char *first_reviewer;
    const char *first_decision;
    const char *first_reason; /* NULL: not said */
    idv_time_t chosen_at; /* the day, as the next */
    idv_time_t deadline;
    const char *second_reviewer; /* NULL, as what follows: not decided */
    const char *second_decision;
    const char *second_reason;
    idv_time_t decided_at;
    idv_time_t lapsed_at; /* 0: it has not */
    const char *settled_by; /* NULL, as what follows: not settled */
    const char *settled_decision;
    idv_time_t settled_at;
} idv_second_review_t;

/* Non-zero when TEXT has the shape of an id of one: those that older modules have
 * made are of a review's entry. */
int idv_second_review_is_id(const char *text);

/* A change of a session that a reviewer may have decided. */
typedef struct {
    const idv_session_t *before;
    const idv_session_change_t *change;
    const idv_keyring_t *keyring; /* NULL: nothing is chosen */
    idv_time_t now;
} idv_second_review_candidate_t;

/* Takes the decision of CANDIDATE, if there is one, into the sample, or not.
 * Belongs inside the session's transaction, after its reviews are recorded and
 * before evidence is purged. */
idv_error_t *
idv_second_review_choose(idv_db_t *db,
                         const idv_second_review_candidate_t *candidate,
                         apr_pool_t *pool) IDV_CHECKED;

/* Whether the evidence of SESSION is kept for a second review. */
idv_error_t *idv_second_review_is_open(idv_db_t *db,
                                       const idv_session_t *session,
                                       int *is_open,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Who asks, for what, and when. */
typedef struct {
    const char *organization_id;
    const char *id; /* NULL: for a page */
    const char *reviewer;
    idv_time_t now;
} idv_second_review_asking_t;

/* A page, newest first, of what the reviewer may decide, or of what was decided
 * differently; as an array of idv_second_review_t. */
idv_error_t *idv_second_review_page(idv_db_t *db,
                                    const idv_second_review_asking_t *asking,
                                    int disagreed, const idv_cursor_t *cursor,
                                    apr_array_header_t **items, int *has_more,
                                    apr_pool_t *pool) IDV_CHECKED;

/* One that is open, whose session is locked into *RECORD; for showing evidence
 * to whoever may decide. Inside of a transaction. */
idv_error_t *idv_second_review_open(idv_db_t *db,
                                    const idv_second_review_asking_t *asking,
                                    idv_second_review_t *review,
                                    idv_session_record_t **record,
                                    apr_pool_t *pool) IDV_CHECKED;

/* What the reviewer is to know of it for deciding: {"id", "object", "type",
 * "jurisdiction", "chosen_at", "deadline_at"} with what idv_review_findings()
 * has. Inside of a transaction. New reference. */
idv_error_t *idv_second_review_subject(idv_db_t *db,
                                       const idv_second_review_asking_t *asking,
                                       json_t **subject,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Opens the picture SIDE of it, for deciding. Inside of a transaction, in which
 * the caller records the look. */
typedef struct {
    idv_second_review_asking_t asking;
    const char *side;
    const idv_keyring_t *keyring;
} idv_second_review_look_t;

idv_error_t *idv_second_review_look(idv_db_t *db,
                                    const idv_second_review_look_t *look,
                                    idv_evidence_t **picture,
                                    apr_pool_t *pool) IDV_CHECKED;

/* REVIEW as its reader may know it: with the session and the first decision once
 * there is a second one. New reference. */
json_t *idv_second_review_json(const idv_second_review_t *review);

/* The second decision, APPROVE or REJECT, for REASON; the evidence goes. Inside
 * of a transaction. */
idv_error_t *idv_second_review_decide(idv_db_t *db,
                                      const idv_second_review_asking_t *asking,
                                      idv_decision_t decision,
                                      const char *reason,
                                      idv_second_review_t *review,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Which of two that differ is right, as a third person says. */
idv_error_t *idv_second_review_settle(idv_db_t *db,
                                      const idv_second_review_asking_t *asking,
                                      idv_decision_t decision,
                                      idv_second_review_t *review,
                                      apr_pool_t *pool) IDV_CHECKED;

/* {"n", "agreed", "agreement", "kappa", "matrix", "reasons", "open", "lapsed",
 * "disagreed"} of an organization. `agreement` and `kappa` (idv_review_kappa())
 * are null where they are not defined. New reference. */
idv_error_t *idv_second_review_agreement(idv_db_t *db,
                                         const char *organization_id,
                                         json_t **figures,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Sets how many of a hundred decisions are chosen (0 to 100; negative: leaves
 * it), and tells how many are. */
idv_error_t *idv_second_review_percent(idv_db_t *db,
                                       const char *organization_id,
                                       int *percent,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
