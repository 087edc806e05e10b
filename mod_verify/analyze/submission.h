/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_SUBMISSION_H
#define IDV_ANALYZE_SUBMISSION_H

/*
 * One request to verify-analyze, as it comes over the stream (the format is in
 * domain/analysis_protocol.h).
 *
 * The other end is trusted to be the watchdog, its images are not; sizes are
 * checked all the same before anything is allocated. Blocking: the caller has
 * a wall clock limit of its own. Memory: everything lives in the given pool.
 */
#include "domain/analysis_protocol.h"
#include "core/clock.h"
#include "core/crypto.h"

typedef struct {
    const char *name; /* "front" or "back" */
    idv_bytes_t file;
} idv_submission_side_t;

typedef struct {
    idv_time_t now;   /* the moment of the check */
    int milliseconds; /* the readers' time, of the processor */
    int side_count;   /* 1 to IDV_ANALYZE_SIDES_MAX */
    idv_submission_side_t sides[IDV_ANALYZE_SIDES_MAX];
} idv_submission_t;

/* Reads a whole request from STREAM. Internal errors only. */
idv_error_t *idv_submission_receive(int stream, idv_submission_t *submission,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Writes a whole request to STREAM; the counterpart for the command line. */
idv_error_t *idv_submission_send(int stream, const idv_submission_t *submission,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Writes FINDINGS, at most IDV_ANALYZE_FINDINGS_MAX bytes, as a response. */
idv_error_t *idv_findings_send(int stream, idv_bytes_t findings,
                               apr_pool_t *pool) IDV_CHECKED;

/* Writes the response of a submission that takes too long. Does nothing that a
 * signal handler must not do. */
void idv_findings_send_time_out(int stream);

/* Reads a whole response; its length is 0 when the submission takes too long. */
idv_error_t *idv_findings_receive(int stream, idv_bytes_t *findings,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
