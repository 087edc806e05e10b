/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_MDL_WALLET_READER_H
#define IDV_ANALYZE_MDL_WALLET_READER_H

/*
 * From the answer of a wallet to findings: opens, reads and checks it as
 * methods/mdl/mdl_verification.h says.
 *
 * A request has two parts: "wallet_response", the answer as it came, and
 * "wallet_request", what was asked and whom to trust, in the text of
 * methods/mdl/mdl_request.h, which comes from us. It needs no models and no
 * files; OpenSSL has to be loaded before the sandbox is entered.
 *
 * Memory: findings live in the given pool and are personal data. Threads: one
 * submission at a time. Failures: what is wrong with the answer is in the
 * findings; errors are internal.
 */
#include "domain/method/analysis_protocol.h"

/* Opens the reader; MODELS_DIRECTORY is not needed. */
idv_error_t *idv_wallet_reader_open(const char *models_directory, void **reader,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Reads REQUEST; *FINDINGS are the text of methods/mdl/mdl_findings.h. */
idv_error_t *idv_wallet_reader_read(void *reader,
                                    const idv_analysis_request_t *request,
                                    idv_bytes_t *findings,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
