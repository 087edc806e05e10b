/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_SUBMISSION_H
#define IDV_ANALYZE_SUBMISSION_H

/*
 * How one submission and its findings pass a stream, on the side of
 * verify-analyze: blocking, whole messages, in the encoding of
 * domain/method/analysis_protocol.h. The watchdog's side, which does not block, is
 * worker/analyzer.h.
 *
 * The other end is trusted to be the watchdog, the evidence that it passes on
 * is not; sizes are checked all the same before anything is allocated. The
 * caller has a wall clock limit of its own. Memory: everything lives in the
 * given pool. Threads: no state. Failures: internal errors.
 */
#include "domain/method/analysis_protocol.h"

/* Reads a whole request, with its parts, from STREAM. */
idv_error_t *idv_submission_receive(int stream, idv_analysis_request_t *request,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Writes a whole request to STREAM; the counterpart for the command line. */
idv_error_t *idv_submission_send(int stream,
                                 const idv_analysis_request_t *request,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Writes FINDINGS, 1 to IDV_ANALYZE_FINDINGS_MAX bytes, as an answer. */
idv_error_t *idv_findings_send(int stream, idv_bytes_t findings,
                               apr_pool_t *pool) IDV_CHECKED;

/* Writes FINDINGS as the last that a process does, as far as they go: who waits for
 * them sees that they end early. Does nothing that a signal handler must not do. */
void idv_findings_send_at_end(int stream, idv_bytes_t findings);

/* Writes the answer of a submission that takes too long. Does nothing that a
 * signal handler must not do. */
void idv_findings_send_time_out(int stream);

/* Reads a whole answer; its length is 0 when the submission takes too long. */
idv_error_t *idv_findings_receive(int stream, idv_bytes_t *findings,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
