/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_PARENT_PROCESS_H
#define IDV_HTTPD_PARENT_PROCESS_H

/*
 * The end of httpd's parent process, as its children see it.
 *
 * A parent that ends in order ends its children first. One that is killed leaves
 * them behind: they would go on for ever without a watchdog, nobody would
 * replace them, and their sockets would keep the next httpd from starting. So
 * each child watches its parent, in a thread that sleeps until then. When the
 * parent has gone, readiness is denied at once (idv_parent_process_is_gone()),
 * the requests being answered are given a moment, and the child ends with
 * status 0.
 *
 * With httpd -X there is no other process, and nothing is watched.
 *
 * Threads: idv_parent_process_is_gone() may be called from all. Memory: of the
 * child; the thread ends with its pool. Failures: only at the child's start.
 */
#include "core/error.h"

/* Remembers the calling process as the parent; in post_config. */
void idv_parent_process_note(void);

/* Begins to watch the parent; in child_init. */
idv_error_t *idv_parent_process_child_init(apr_pool_t *pchild) IDV_CHECKED;

/* Non-zero in a child whose parent has ended; one system call. */
int idv_parent_process_is_gone(void);

#endif
