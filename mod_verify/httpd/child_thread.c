/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/child_thread.h"

#include <pthread.h>
#include <signal.h>

apr_status_t idv_child_thread_start(apr_thread_t **thread,
                                    apr_thread_start_t work, void *baton,
                                    apr_pool_t *pchild)
{
    sigset_t all, before;
    apr_status_t status;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = apr_thread_create(thread, NULL, work, baton, pchild);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}
