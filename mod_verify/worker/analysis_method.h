/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_ANALYSIS_METHOD_H
#define IDV_WORKER_ANALYSIS_METHOD_H

/*
 * What the watchdog does with the findings of each method: one table, beside
 * that of verify-analyze (analyze/evidence_reader.h).
 *
 * A method's findings come from a process that is not trusted: first they are
 * validated, without the database; then the outcome is decided, with what the
 * database knows of the evidence. The decision itself is pure and lives in
 * methods/METHOD/.
 *
 * Memory: everything lives in the pool of the submission, which is wiped with
 * it. Threads: the one that owns the loop.
 */
#include "domain/method/analysis_protocol.h"
#include "domain/method/method_outcome.h"
#include "domain/session/session.h"
#include "methods/face/provider_answer.h"
#include "store/transaction/session_transition.h"
#include "worker/revocation_fetcher.h"
#include "worker/worker.h"

/* A submission, or a question about evidence; reading that changes nothing of its
 * session. */
typedef struct {
    const idv_watchdog_config_t *config;
    const idv_session_t *session;
    const idv_workflow_t *workflow; /* of the session; NULL before it was read */
    const idv_analysis_request_t *request; /* with the evidence itself */
    int is_question;
    const char *job; /* its id */
    int submission; /* its number in the session */
    /* What the provider said of it (worker/liveness_provider.h); NULL: it was not
     * asked. */
    const idv_provider_answer_t *provider;
} idv_analysis_case_t;

typedef struct {
    idv_method_t method;
    /* The hint of the outcome UNREADABLE when reading takes more than its time:
     * a stable code. */
    const char *(*too_long_hint)(void);
    /* Adds to REQUEST, that of READ, parts which nobody sends because the service
     * has them itself; NULL: there are none. An error is the database's. */
    idv_error_t *(*complete)(idv_db_t *db, const idv_analysis_case_t *read,
                             idv_analysis_request_t *request,
                             apr_pool_t *pool);
    /* Validates the text FINDINGS: internal error when it is not of the
     * format, which is the reading process' fault. */
    idv_error_t *(*validate)(idv_bytes_t findings, void **validated,
                             apr_pool_t *pool);
    /* The outcome of VALIDATED; an error is the database's, and the submission
     * is tried again. */
    idv_error_t *(*decide)(idv_db_t *db, const idv_analysis_case_t *read,
                           const void *validated, idv_method_outcome_t **outcome,
                           apr_pool_t *pool);
    /* Keeps the answer to a question, a text that was not validated, where who
     * asked finds it, and adds to QUEUED what follows from it; NULL: the method
     * is asked none. An error is the database's. */
    idv_error_t *(*answer)(idv_db_t *db, const idv_analysis_case_t *read,
                           idv_bytes_t findings, idv_session_queued_t *queued,
                           apr_pool_t *pool);
    /* Tells who asked a question that it has no answer: reading takes too long,
     * or fails each time. NULL: who asks finds out. An error is the
     * database's. */
    idv_error_t *(*leave)(idv_db_t *db, const idv_analysis_case_t *read,
                          apr_pool_t *pool);
    /* Sets *DUE when OUTCOME does not count before something else has come: the
     * submission is read and decided again then, or whenever its job is made
     * due before. May replace OUTCOME by what follows when that never came.
     * NULL: every outcome counts at once. */
    idv_error_t *(*await)(idv_db_t *db, const idv_analysis_case_t *read,
                          idv_method_outcome_t **outcome, idv_time_t *due,
                          apr_pool_t *pool);
    /* Fills EVIDENCE, which is empty, when the provider has to be asked before
     * the outcome of VALIDATED counts; an error is the database's. Its answer is
     * in the case that is decided. NULL: it is never asked. */
    idv_error_t *(*consult)(idv_db_t *db, const idv_analysis_case_t *read,
                            const void *validated,
                            idv_provider_evidence_t *evidence,
                            apr_pool_t *pool);
    /* Which lists of revoked documents the outcome of VALIDATED depends on:
     * writes their addresses and returns how many; NULL: none. Before DECIDE
     * their copies (store/trust/revocation_list.h) are made as fresh as can be. */
    int (*lists)(const void *validated,
                 const char *addresses[IDV_REVOCATION_ADDRESSES_MAX]);
} idv_analysis_method_t;

/* The entry of the method with this value ("document_capture"); NULL: its
 * submissions hold no evidence, or there is no such method. */
const idv_analysis_method_t *idv_analysis_method_find(const char *value);

/* Counts the deviations from its standard that OUTCOME of METHOD found. */
void idv_analysis_count_deviations(idv_method_t method,
                                   const idv_method_outcome_t *outcome,
                                   idv_statistics_t *statistics);

#endif
