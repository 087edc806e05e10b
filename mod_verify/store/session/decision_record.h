/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_DECISION_RECORD_H
#define IDV_STORE_SESSION_DECISION_RECORD_H

/*
 * The reasons for a method's decision: one record per submission, written in
 * the transaction of its outcome.
 *
 * A record contains the checks with results and reasons (stable codes), the
 * remaining doubts, the method's hint or error, how the session applied it (a
 * node may require more than the method passed with), and the basis: kinds, ids
 * and versions of what the decision relies on. The method names lists and
 * models (domain/method/method_outcome.h); this adds the program, the versions
 * of workflow and law, and the text of the rule in `law`. It contains no
 * personal data, but is still deleted when the person is erased.
 *
 * Threads and failures: as in store/db/db.h. Memory: the given pool.
 */
#include <apr_tables.h>

#include "domain/transition/session_step.h"
#include "store/db/db.h"

typedef struct {
    int submission;
    const char *method;
    const char *verdict; /* passed, failed, undetermined, unreadable */
    json_t *record;      /* {"checks", "doubts", "hint", "error",
                            "session_verdict", "session_error", "assurance",
                            "basis"} */
    idv_time_t decided;
} idv_decision_record_t;

/* Stores the record of INPUT, an OUTCOME, and the resulting SESSION, whose
 * newest result is that of the outcome. Within the session's transaction. */
idv_error_t *idv_decision_record_write(idv_db_t *db,
                                       const idv_session_t *session,
                                       const idv_session_input_t *input,
                                       idv_time_t now,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The records of a session in the order of its submissions, an array of
 * idv_decision_record_t. */
idv_error_t *idv_decision_record_list(idv_db_t *db, const idv_session_t *session,
                                      apr_array_header_t **records,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
