/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_WALLET_SUBMISSION_H
#define IDV_WORKER_METHOD_WALLET_SUBMISSION_H

/*
 * The watchdog's functions for wallet answers, the submissions of `mdl`, listed
 * in worker/method/analysis_method.h.
 *
 * Data that arrives by a link is first opened as a question. Answers have a
 * recognizable form (idv_mdl_is_answer()); only an answer is submitted, and
 * then read again as a submission.
 *
 * verify-analyze gets the answer, the original request and the trusted
 * certificates. The outcome is recorded for the waiting wallet before it is
 * applied to the session. An answer that came by a link counts only after the
 * session's browser has returned from the wallet
 * (store/method/mdl_request_record.h); until then it is stored unchanged and
 * decided again later. Refusals count at once.
 *
 * Memory, threads: as in worker/method/analysis_method.h.
 */
#include "domain/method/method_outcome.h"
#include "store/transaction/session_transition.h"
#include "worker/method/analysis_case.h"
#include "worker/method/revocation_fetcher.h"

/* Time for a person to return after the answer. */
#define IDV_WALLET_RETURN_TIME (10 * IDV_MINUTE)

/* The hint for an unreadable answer. */
const char *idv_wallet_submission_unreadable(void);

idv_error_t *idv_wallet_submission_complete(
    idv_db_t *db, const idv_analysis_case_t *submitted,
    idv_analysis_request_t *request, apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_wallet_submission_validate(idv_bytes_t findings,
                                            void **validated,
                                            apr_pool_t *pool) IDV_CHECKED;

int idv_wallet_submission_lists(
    const void *validated, const char *addresses[IDV_REVOCATION_ADDRESSES_MAX]);

idv_error_t *idv_wallet_submission_decide(idv_db_t *db,
                                          const idv_analysis_case_t *read,
                                          const void *validated,
                                          idv_method_outcome_t **outcome,
                                          apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_wallet_submission_answer(idv_db_t *db,
                                          const idv_analysis_case_t *read,
                                          idv_bytes_t findings,
                                          idv_session_queued_t *queued,
                                          apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_wallet_submission_leave(idv_db_t *db,
                                         const idv_analysis_case_t *read,
                                         apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_wallet_submission_await(idv_db_t *db,
                                         const idv_analysis_case_t *read,
                                         idv_method_outcome_t **outcome,
                                         idv_time_t *due,
                                         apr_pool_t *pool) IDV_CHECKED;

#endif
