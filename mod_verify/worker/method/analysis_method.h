/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_ANALYSIS_METHOD_H
#define IDV_WORKER_METHOD_ANALYSIS_METHOD_H

/*
 * How the watchdog handles the findings of each method: one table, the
 * counterpart of verify-analyze's (analyze/evidence_reader.h).
 *
 * Findings come from an untrusted process. First they are validated, without
 * the database; then the outcome is decided, using what the database knows
 * about the evidence. The decision itself is pure and in methods/METHOD/.
 *
 * Memory: everything lives in the pool of the submission, which is wiped.
 * Threads: the loop's.
 */
#include "domain/method/method_outcome.h"
#include "methods/face/provider_answer.h"
#include "store/transaction/session_transition.h"
#include "worker/method/analysis_case.h"
#include "worker/method/revocation_fetcher.h"

typedef struct {
    idv_method_t method;
    /* The hint of the outcome UNREADABLE if reading exceeds its time limit; a
     * stable code. */
    const char *(*too_long_hint)(void);
    /* Adds to REQUEST (of READ) parts that the service itself provides; NULL:
     * none. An error is the database's. */
    idv_error_t *(*complete)(idv_db_t *db, const idv_analysis_case_t *read,
                             idv_analysis_request_t *request,
                             apr_pool_t *pool);
    /* Validates the text FINDINGS. An internal error means an invalid format
     * and is the reading process's fault. */
    idv_error_t *(*validate)(idv_bytes_t findings, void **validated,
                             apr_pool_t *pool);
    /* The outcome of VALIDATED. An error is the database's; the submission is
     * then retried. */
    idv_error_t *(*decide)(idv_db_t *db, const idv_analysis_case_t *read,
                           const void *validated, idv_method_outcome_t **outcome,
                           apr_pool_t *pool);
    /* Stores the answer to a question, an unvalidated text, for the asker, and
     * adds the resulting work to QUEUED; NULL: the method has no questions. An
     * error is the database's. */
    idv_error_t *(*answer)(idv_db_t *db, const idv_analysis_case_t *read,
                           idv_bytes_t findings, idv_session_queued_t *queued,
                           apr_pool_t *pool);
    /* Reports to the asker that a question has no answer, because reading takes
     * too long or always fails. NULL: the asker finds out on its own. An error
     * is the database's. */
    idv_error_t *(*leave)(idv_db_t *db, const idv_analysis_case_t *read,
                          apr_pool_t *pool);
    /* Sets *DUE if OUTCOME must wait for something else: the submission is then
     * read and decided again at *DUE, or earlier if its job is made due. May
     * replace OUTCOME if the awaited event never came. NULL: every outcome
     * applies at once. */
    idv_error_t *(*await)(idv_db_t *db, const idv_analysis_case_t *read,
                          idv_method_outcome_t **outcome, idv_time_t *due,
                          apr_pool_t *pool);
    /* Fills EVIDENCE (empty on entry) if the provider must be asked before the
     * outcome of VALIDATED applies; an error is the database's. The answer is
     * in the case when it is decided. NULL: never asked. */
    idv_error_t *(*consult)(idv_db_t *db, const idv_analysis_case_t *read,
                            const void *validated,
                            idv_provider_evidence_t *evidence,
                            apr_pool_t *pool);
    /* The revocation lists that the outcome of VALIDATED depends on: writes
     * their addresses and returns their number; NULL: none. Their copies
     * (store/trust/revocation_list.h) are refreshed, if possible, before
     * DECIDE. */
    int (*lists)(const void *validated,
                 const char *addresses[IDV_REVOCATION_ADDRESSES_MAX]);
} idv_analysis_method_t;

/* The entry of the method with this value ("document_capture"); NULL: no such
 * method, or its submissions contain no evidence. */
const idv_analysis_method_t *idv_analysis_method_find(const char *value);

/* Counts the deviations from the standard that OUTCOME of METHOD reports. */
void idv_analysis_count_deviations(idv_method_t method,
                                   const idv_method_outcome_t *outcome,
                                   idv_statistics_t *statistics);

#endif
