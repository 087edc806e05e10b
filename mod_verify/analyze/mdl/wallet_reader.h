/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_MDL_WALLET_READER_H
#define IDV_ANALYZE_MDL_WALLET_READER_H

/*
 * Turns a wallet's answer into findings: opens, reads and checks it with
 * methods/mdl/mdl_verification.h.
 *
 * A request has two parts: "wallet_response", the answer as received, and
 * "wallet_request", our request and the trusted issuers, in the text of
 * methods/mdl/mdl_request.h. The reader needs no models and no files; OpenSSL
 * must be loaded before the sandbox is entered.
 *
 * Memory: findings live in the given pool and are personal data. Threads: one
 * submission at a time. Failures: faults of the answer are in the findings;
 * errors are internal.
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
