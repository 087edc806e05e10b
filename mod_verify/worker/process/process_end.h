/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_PROCESS_PROCESS_END_H
#define IDV_WORKER_PROCESS_PROCESS_END_H

/*
 * Ends a child process (the watchdog of httpd's parent, verify-analyze of the
 * watchdog): waits for it, and sends SIGKILL only if it does not exit. The exit
 * status is the only sign of a fault during shutdown, so the caller must report
 * it.
 *
 * Threads: no other thread may wait for the same process. Memory: only the text
 * of a fault. Failures: none; a process that is not a child has the status -1.
 */
#include <sys/types.h>

#include <apr_pools.h>

/* Waits at most PATIENCE milliseconds for the child PID to exit. Non-zero if it
 * did, with *STATUS like the result of idv_process_end(). */
int idv_process_wait(pid_t pid, int patience, int *status);

/* Waits for the child PID, which was told to exit; kills it after PATIENCE
 * milliseconds. Returns the status of waitpid(2), or -1 if it is not a
 * child. */
int idv_process_end(pid_t pid, int patience);

/* "signal 11" or "status 1", for people; NULL if STATUS is a clean exit (status
 * 0). */
const char *idv_process_end_fault(int status, apr_pool_t *pool);

#endif
