/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WALLET_SUBMISSION_H
#define IDV_WORKER_WALLET_SUBMISSION_H

/*
 * What the watchdog does with the answers of wallets, the submissions of `mdl`:
 * the functions of its entry in worker/analysis_method.h.
 *
 * What a link has brought is opened before, as a question (an answer has a form,
 * see idv_mdl_is_answer()): only what is an answer is submitted, and read once
 * more as that.
 *
 * Beside the answer, verify-analyze is given what was asked and whom to trust.
 * What comes of it is written down for the wallet, which waits for that, before
 * it is applied to the session. An answer that came by a link counts only when
 * the browser of the session has come back from the wallet
 * (store/method/mdl_request_record.h); until then it is kept as it is, and decided
 * anew. Refusals count at once.
 *
 * Memory, threads: as in worker/analysis_method.h.
 */
#include "worker/analysis_method.h"

/* How long after the answer a person may come back. */
#define IDV_WALLET_RETURN_TIME (10 * IDV_MINUTE)

/* The hint for an answer that could not be read. */
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
