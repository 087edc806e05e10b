/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/process/child_process.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ap_mpm.h>
#include <http_core.h>
#include <http_log.h>
#include <http_main.h>
#include <scoreboard.h>

#include "core/clock.h"

APLOG_USE_MODULE(verify);

#define LOOK_AGAIN 250 /* ms; for kernels without process descriptors */
#define ENDING_TIME (2 * IDV_SECOND) /* for requests in progress */
#define ENDING_TURN 20 /* ms between checks whether any are left */

/* --- threads --- */

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

/* --- the parent --- */

/* The state of this child. The parent's pid is set before any child exists. */
static struct {
    pid_t parent;
    int process; /* descriptor of the parent; -1: unsupported */
    int ending;  /* readable if the child ends for another reason */
    apr_thread_t *thread;
} watch;

void idv_parent_process_note(void)
{
    watch.parent = getpid();
}

int idv_parent_process_is_gone(void)
{
    return getpid() != watch.parent && getppid() != watch.parent;
}

/* Whether a thread of this child is writing a response. */
static int is_answering(void)
{
    apr_proc_t self = {.pid = getpid()};
    int threads = 0, slot = ap_find_child_by_pid(&self);

    ap_mpm_query(AP_MPMQ_HARD_LIMIT_THREADS, &threads);
    for (int i = 0; slot >= 0 && i < (threads > 0 ? threads : 1); i++) {
        int status = ap_get_scoreboard_worker_from_indexes(slot, i)->status;

        if (status == SERVER_BUSY_WRITE || status == SERVER_BUSY_LOG)
            return 1;
    }
    return 0;
}

/* Ends the process without any cleanup. Its other threads still use what a
 * cleanup would destroy, and all lasting state is in the database. */
static void end_child(void)
{
    idv_time_t until = idv_time_steady() + ENDING_TIME;

    ap_log_error(APLOG_MARK, APLOG_ERR, 0, ap_server_conf,
                 "IDV0777: httpd's parent process has gone, so its child %d "
                 "ends",
                 (int)getpid());
    while (is_answering() && idv_time_steady() < until)
        poll(NULL, 0, ENDING_TURN);
    _exit(0);
}

static void *APR_THREAD_FUNC watch_parent(apr_thread_t *thread, void *unused)
{
    enum { PARENT, ENDING, COUNT };
    struct pollfd polled[COUNT] = {[PARENT] = {watch.process, POLLIN, 0},
                                   [ENDING] = {watch.ending, POLLIN, 0}};

    (void)thread;
    (void)unused;
    while (!polled[ENDING].revents) {
        if (idv_parent_process_is_gone())
            end_child();
        if (poll(polled, COUNT, watch.process < 0 ? LOOK_AGAIN : -1) < 0
            && errno != EINTR)
            break;
    }
    return NULL;
}

static apr_status_t end_watch(void *unused)
{
    const uint64_t one = 1;
    apr_status_t result;

    (void)unused;
    if (write(watch.ending, &one, sizeof(one)) != sizeof(one))
        return errno;
    return apr_thread_join(&result, watch.thread);
}

idv_error_t *idv_parent_process_child_init(apr_pool_t *pchild)
{
    apr_status_t status;

    if (getpid() == watch.parent)
        return NULL;
    watch.process = (int)syscall(SYS_pidfd_open, watch.parent, 0);
    watch.ending = eventfd(0, EFD_CLOEXEC);
    if (watch.ending < 0)
        return idv_error_apr(pchild, errno, "eventfd");
    status =
        idv_child_thread_start(&watch.thread, watch_parent, NULL, pchild);
    if (status != APR_SUCCESS)
        return idv_error_apr(pchild, status, "watching the parent process");
    apr_pool_pre_cleanup_register(pchild, NULL, end_watch);
    return NULL;
}
