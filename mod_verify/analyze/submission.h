/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_SUBMISSION_H
#define IDV_ANALYZE_SUBMISSION_H

/*
 * Transfers one submission and its findings over a stream, on the side of
 * verify-analyze: blocking, whole messages, in the encoding of
 * domain/method/analysis_protocol.h. The watchdog's side, which does not block,
 * is worker/method/analyzer.h.
 *
 * The other end is the watchdog and trusted; the evidence that it passes on is
 * not. Sizes are checked all the same before anything is allocated. The caller
 * has its own wall clock limit. Memory: everything lives in the given pool.
 * Threads: no state. Failures: internal errors.
 */
#include "domain/method/analysis_protocol.h"

/* Reads a whole request, with its parts, from STREAM. */
idv_error_t *idv_submission_receive(int stream, idv_analysis_request_t *request,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Writes a whole request to STREAM; for the command line. */
idv_error_t *idv_submission_send(int stream,
                                 const idv_analysis_request_t *request,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Writes FINDINGS, 1 to IDV_ANALYZE_FINDINGS_MAX bytes, as an answer. */
idv_error_t *idv_findings_send(int stream, idv_bytes_t findings,
                               apr_pool_t *pool) IDV_CHECKED;

/* Writes FINDINGS, as far as they go, as the last action of a process; the
 * receiver sees that they end early. Async-signal-safe. */
void idv_findings_send_at_end(int stream, idv_bytes_t findings);

/* Writes the answer of a submission that takes too long. Async-signal-safe. */
void idv_findings_send_time_out(int stream);

/* Reads a whole answer; its length is 0 if the submission takes too long. */
idv_error_t *idv_findings_receive(int stream, idv_bytes_t *findings,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
