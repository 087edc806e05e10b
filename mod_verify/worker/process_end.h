/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_PROCESS_END_H
#define IDV_WORKER_PROCESS_END_H

/*
 * The end of a process that this one has started (the watchdog of httpd's
 * parent, verify-analyze of the watchdog): waited for, and enforced by SIGKILL
 * only when it does not come. How a process ends is the only thing that tells
 * of a fault on its way out, so whoever ends a process says what was wrong.
 *
 * Threads: nobody else may wait for the same process meanwhile. Memory: nothing
 * but the text of a fault. Failures: none; a process that is no child has the
 * status -1.
 */
#include <sys/types.h>

#include <apr_pools.h>

/* Waits until the child PID has ended, for PATIENCE milliseconds at most;
 * non-zero when it has, with *STATUS as idv_process_end() returns it. */
int idv_process_wait(pid_t pid, int patience, int *status);

/* Waits until the child PID, which has been told to end, has ended; kills it
 * after PATIENCE milliseconds. The status of waitpid(2), or -1 when it was no
 * child. */
int idv_process_end(pid_t pid, int patience);

/* "signal 11" or "status 1", for people; NULL when STATUS is a good end: exit
 * status 0. */
const char *idv_process_end_fault(int status, apr_pool_t *pool);

#endif
