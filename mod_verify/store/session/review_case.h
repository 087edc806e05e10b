/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_REVIEW_CASE_H
#define IDV_STORE_SESSION_REVIEW_CASE_H

/*
 * The case of an open review: the failed checks that an approval must overrule,
 * notes of the team, and the reviewer whom the review is assigned to.
 *
 * - Failed checks are those of the last submission of each method, apart from
 *   unreadable ones. An approval may state which of them it overrules; then it
 *   must name each. An approval that states nothing remains possible, because
 *   older clients do not know the parameter; its record says so.
 * - Notes and assignments are entries of the review record
 *   (store/session/review.h). Only operators see them. The erasure of a person
 *   deletes the texts, the removal of the session deletes all.
 * - An assignment belongs to the open review and ends with it. It reserves
 *   nothing: anybody can claim a review that its assignee does not work on. It
 *   ends the claim of the person who assigns. Nobody is assigned a review that
 *   they opened themselves: `reviewer_not_independent`. Second reviews are never
 *   assigned, so that the first reviewer cannot choose the second.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and those named above.
 */
#include "store/session/review_work.h"

/* Maximum notes of a session, and assignments to somebody. */
#define IDV_REVIEW_NOTES_MAX 50

/* The failed checks of SESSION, in order: [{"check", "reason", "method"}]. Owned
 * by POOL. */
idv_error_t *idv_review_failed_checks(idv_db_t *db,
                                      const idv_session_t *session,
                                      json_t **checks,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Checks that OVERRULED (NULL-terminated; NULL: not stated) names exactly the
 * failed checks of the session of CLAIMING, if DECISION is an approval, and is
 * NULL otherwise: `parameter_invalid` at `overruled_checks`. The session is
 * locked. */
idv_error_t *idv_review_may_overrule(idv_db_t *db,
                                     const idv_review_claiming_t *claiming,
                                     idv_decision_t decision,
                                     const char *const *overruled,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Adds the note TEXT of the reviewer; in a transaction. `session_state_conflict`
 * unless the session is under review; `parameter_invalid` at `text` if that is
 * only spaces, or if there are IDV_REVIEW_NOTES_MAX notes. */
idv_error_t *idv_review_add_note(idv_db_t *db,
                                 const idv_review_claiming_t *claiming,
                                 const char *text,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Assigns the review to ASSIGNEE (NULL: nobody); in a transaction.
 * `session_state_conflict` unless the session is under review; `review_claimed`
 * while somebody else than the reviewer or the assignee has claimed it;
 * `reviewer_not_independent`; `parameter_invalid` at `assignee` if that is only
 * spaces, or after IDV_REVIEW_NOTES_MAX assignments. */
idv_error_t *idv_review_assign(idv_db_t *db,
                               const idv_review_claiming_t *claiming,
                               const char *assignee,
                               apr_pool_t *pool) IDV_CHECKED;

/* The assignee of the open review of SESSION; NULL: nobody. */
idv_error_t *idv_review_assignee(idv_db_t *db, const idv_session_t *session,
                                 const char **assignee,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
