/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_PROCESS_CHILD_PROCESS_H
#define IDV_HTTPD_PROCESS_CHILD_PROCESS_H

/*
 * What the service adds to a child of httpd: its own threads, and a watch on
 * httpd's parent process.
 *
 * Threads. The MPM's threads take httpd's signals; a signal taken by another
 * thread would be lost. So threads of the service have all signals blocked from
 * their first instruction on.
 *
 * The parent's end. A parent that ends in order ends its children first. If it
 * is killed, they would run forever without a watchdog or replacement, and
 * their sockets would keep the next httpd from starting. So each child watches
 * its parent in a thread that sleeps until the parent is gone. Then readiness
 * is denied at once (idv_parent_process_is_gone()), current requests get a
 * moment to finish, and the child exits with status 0. With httpd -X there is
 * no other process and nothing to watch.
 *
 * Threads: idv_parent_process_is_gone() may be called from any thread; the rest
 * is for the start of a process. Memory: of the child; the watching thread ends
 * with its pool. Failures: only at the child's start.
 */
#include <apr_thread_proc.h>

#include "core/error.h"

/* Starts WORK with BATON in *THREAD, which the caller joins; memory of PCHILD.
 * The status is that of apr_thread_create(). */
apr_status_t idv_child_thread_start(apr_thread_t **thread,
                                    apr_thread_start_t work, void *baton,
                                    apr_pool_t *pchild) IDV_CHECKED;

/* Notes the calling process as the parent; in post_config. */
void idv_parent_process_note(void);

/* Starts to watch the parent; in child_init. */
idv_error_t *idv_parent_process_child_init(apr_pool_t *pchild) IDV_CHECKED;

/* Non-zero in a child whose parent has ended; one system call. */
int idv_parent_process_is_gone(void);

#endif
