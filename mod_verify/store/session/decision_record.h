/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_DECISION_RECORD_H
#define IDV_STORE_SESSION_DECISION_RECORD_H

/*
 * Why a method decided as it did: one record for each submission, written in the
 * transaction of its outcome.
 *
 * A record has the checks with their results and reasons (stable codes), what
 * doubts were left, the hint or error of the method, what the session made of it
 * (a node may demand more than the method passed with), and the basis: the
 * kinds, ids and versions of what the decision rests on. The method names lists
 * and models (domain/method/method_outcome.h); program, version of the workflow and
 * version of the law are added here, and the text of the rule in `law`. There is no
 * personal data in it, and it goes
 * with the person's erasure all the same.
 *
 * Threads and failures: as in store/db/db.h. Memory: the given pool.
 */
#include <apr_tables.h>

#include "domain/session/session_step.h"
#include "store/db/db.h"

typedef struct {
    int submission;
    const char *method;
    const char *verdict; /* passed, failed, undetermined, unreadable */
    json_t *record;      /* {"checks", "doubts", "hint", "error",
                            "session_verdict", "session_error", "basis"} */
    idv_time_t decided;
} idv_decision_record_t;

/* Writes the record of INPUT, which is an OUTCOME, with the SESSION as it has
 * taken it: the newest of its results is that of the outcome. Inside of the
 * session's transaction. */
idv_error_t *idv_decision_record_write(idv_db_t *db,
                                       const idv_session_t *session,
                                       const idv_session_input_t *input,
                                       idv_time_t now,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The records of a session in the order of its submissions, as an array of
 * idv_decision_record_t. */
idv_error_t *idv_decision_record_list(idv_db_t *db, const idv_session_t *session,
                                      apr_array_header_t **records,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
