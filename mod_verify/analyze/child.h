/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_CHILD_H
#define IDV_ANALYZE_CHILD_H

/*
 * The process that reads one submission: forked, sandboxed, then gone.
 *
 * A child takes one stream, enters the sandbox, reads a request (submission.h),
 * calls its work function, writes the findings and exits. It never returns to
 * its parent's code. Its exit code is an idv_child_exit_t, for the log; the
 * client of the stream only learns that it ended early.
 *
 * It has two clocks, processor time and wall clock, and ends itself when either
 * has run out (domain/method/analysis_protocol.h). Once it knows the request,
 * the limit of processor time is set to that of the request. If the time went
 * into computing, it answers before it ends: with the findings so far if the
 * work has saved them (idv_child_lay_down()), else that its time is over. A
 * child that was kept waiting sends nothing. A child that has blocked the
 * signals of its clocks is killed, by the kernel for processor time, by the
 * parent for the wall clock.
 *
 * The child dies with its parent.
 *
 * Threads: one in the parent, at the fork, and one in the child. Memory: errors
 * live in the given pool; a child has a pool without a parent, bounded by
 * `memory_bytes`, which ends with the process. Failures: the parent's functions
 * return internal errors if a process or a stream cannot be created; a failure
 * in the child is its exit code.
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
    IDV_CHILD_NO_MEMORY = 14,
    IDV_CHILD_OUT_OF_TIME = 15,  /* its request takes too long */
    IDV_CHILD_KEPT_WAITING = 16 /* the wall clock ran out, without computing */
} idv_child_exit_t;

/* The child's work between request and response. BATON is the parent's, as it
 * was at the fork; FINDINGS live in POOL. They are empty at the call; their
 * content when the processor time runs out is the answer. */
typedef idv_error_t *idv_child_work_t(void *baton,
                                      const idv_analysis_request_t *request,
                                      idv_bytes_t *findings, apr_pool_t *pool);

/* The processor time in milliseconds that the whole child may take for REQUEST;
 * 0: only `cpu_seconds` applies. */
typedef int idv_child_allowance_t(const idv_analysis_request_t *request);

typedef struct {
    idv_child_work_t *work;
    void *baton;
    apr_uint64_t memory_bytes;
    int cpu_seconds;
    int wall_seconds;
    idv_child_allowance_t *allowance; /* NULL: 0 for every request */
} idv_child_settings_t;

/* Descriptor of the stream inside the child; all others are closed. */
#define IDV_CHILD_STREAM 3

/* Forks a child that serves STREAM. The caller may close its own copy of
 * STREAM, and reaps *PID. */
idv_error_t *idv_child_start(const idv_child_settings_t *settings, int stream,
                             pid_t *pid, apr_pool_t *pool) IDV_CHECKED;

/* Makes SO_FAR the FINDINGS of a work that continues: the rest may exceed its
 * time, which must not cost earlier findings. SO_FAR must be complete findings
 * that outlive the work. */
void idv_child_lay_down(idv_bytes_t *findings, idv_bytes_t so_far);

/* Non-zero if a child whose only limit is `cpu_seconds`, and that used
 * CPU_SECONDS of processor time until its wall clock ran out, was computing: at
 * least a quarter of its limit. */
int idv_child_computed(const idv_child_settings_t *settings,
                       double cpu_seconds);

/* Forks a child that only enters the sandbox, and waits for its report of the
 * active layers, which are added to *LAYERS. An error if it could not enter. */
idv_error_t *idv_child_probe(const idv_child_settings_t *settings,
                             unsigned *layers, apr_pool_t *pool) IDV_CHECKED;

#endif
