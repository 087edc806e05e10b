/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_CHILD_THREAD_H
#define IDV_HTTPD_CHILD_THREAD_H

/*
 * Threads of the service's own in an httpd child.
 *
 * The MPM's threads take httpd's signals; one that another thread took would be
 * lost, so these have all of them blocked from their first instruction on.
 */
#include <apr_thread_proc.h>

#include "core/error.h"

/* Starts WORK with BATON in *THREAD, which the caller joins; memory of PCHILD.
 * The status is that of apr_thread_create(). */
apr_status_t idv_child_thread_start(apr_thread_t **thread,
                                    apr_thread_start_t work, void *baton,
                                    apr_pool_t *pchild) IDV_CHECKED;

#endif
