/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_CHILD_H
#define IDV_ANALYZE_CHILD_H

/*
 * The process that reads one submission: forked, walled in, then gone.
 *
 * A child takes one stream, enters the sandbox, reads a request (submission.h),
 * calls the work it was given, writes the findings and exits. It never returns
 * to its parent's code. Its exit code is one of idv_child_exit_t, for the log;
 * the client of the stream learns only that it ended early.
 *
 * The child dies with its parent. Wall clock time is the parent's to watch.
 */
#include <sys/types.h>

#include "analyze/sandbox.h"
#include "analyze/submission.h"

typedef enum {
    IDV_CHILD_DONE = 0,
    IDV_CHILD_NO_SANDBOX = 10, /* nothing was read */
    IDV_CHILD_BAD_REQUEST = 11,
    IDV_CHILD_NO_FINDINGS = 12,
    IDV_CHILD_NOT_SENT = 13,
    IDV_CHILD_NO_MEMORY = 14
} idv_child_exit_t;

/* What the child does between request and response. BATON is the parent's, as
 * it was at the fork; FINDINGS live in POOL. */
typedef idv_error_t *idv_child_work_t(void *baton,
                                      const idv_submission_t *submission,
                                      idv_bytes_t *findings, apr_pool_t *pool);

typedef struct {
    idv_child_work_t *work;
    void *baton;
    apr_uint64_t memory_bytes;
    int cpu_seconds;
} idv_child_settings_t;

/* Descriptor of the stream inside of the child; all others are closed. */
#define IDV_CHILD_STREAM 3

/* Forks a child that serves STREAM. The caller keeps its copy of STREAM open
 * or closes it, and reaps *PID. */
idv_error_t *idv_child_start(const idv_child_settings_t *settings, int stream,
                             pid_t *pid, apr_pool_t *pool) IDV_CHECKED;

/* Forks a child that only enters the sandbox, and waits for its report of the
 * layers that hold, which are added to *LAYERS. An error when it could not. */
idv_error_t *idv_child_probe(const idv_child_settings_t *settings,
                             unsigned *layers, apr_pool_t *pool) IDV_CHECKED;

#endif
