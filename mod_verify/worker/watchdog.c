/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog.h"

#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <ap_listen.h>
#include <ap_mpm.h>
#include <apr_strings.h>
#include <apr_thread_proc.h>
#include <http_config.h>
#include <http_log.h>
#include <mpm_common.h>

#include "worker/watchdog_process.h"

APLOG_USE_MODULE(verify);

#define CHANNEL_KEY "mod_verify_watchdog"
#define NODE_BYTES 15
#define SETTLED_LIFE (10 * IDV_SECOND) /* who lived so long starts at once */
#define FIRST_PAUSE 250 /* ms; doubled with each short life */
#define LONGEST_PAUSE (30 * IDV_SECOND)

/* Shared by the parent, the children and the watchdog. */
typedef struct {
    idv_statistics_t statistics;
    _Atomic unsigned work; /* said but not yet taken, of idv_work_t */
} shared_t;

/* In the process pool: it outlives configurations. */
struct idv_watchdog_t {
    shared_t *shared;
    int descriptor; /* eventfd */
    idv_captcha_channel_t captcha;
    const char *node;
    apr_proc_t process;
    idv_time_t started;
    int failures; /* short lives in a row */
    const idv_watchdog_config_t *config;
    server_rec *server;
    apr_pool_t *pconf;
};

static idv_error_t *create_channel(idv_watchdog_t **out, apr_pool_t *process)
{
    idv_watchdog_t *watchdog = apr_pcalloc(process, sizeof(*watchdog));
    void *memory = mmap(NULL, sizeof(shared_t), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        return idv_error_apr(process, errno, "mapping the watchdog's page");
    watchdog->shared = memory;
    watchdog->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (watchdog->descriptor < 0)
        return idv_error_apr(process, errno, "eventfd");
    IDV_TRY(idv_captcha_channel_open(&watchdog->captcha, process));
    watchdog->node = idv_random_token(NODE_BYTES, process);
    apr_pool_userdata_setn(watchdog, CHANNEL_KEY, NULL, process);
    *out = watchdog;
    return NULL;
}

static idv_time_t pause_before_start(const idv_watchdog_t *watchdog)
{
    idv_time_t pause;

    if (!watchdog->failures)
        return 0;
    pause = FIRST_PAUSE << (watchdog->failures < 8 ? watchdog->failures : 8);
    return pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE;
}

/* In the new process; does not return. */
static void become_watchdog(idv_watchdog_t *watchdog, pid_t parent,
                            const sigset_t *signals)
{
    idv_watchdog_process_t process = {
        .config = watchdog->config,
        .server = watchdog->server,
        .statistics = &watchdog->shared->statistics,
        .work = &watchdog->shared->work,
        .descriptor = watchdog->descriptor,
        .captcha = &watchdog->captcha,
        .node = watchdog->node,
        .parent = parent,
        .pause = pause_before_start(watchdog),
    };

    idv_watchdog_catch_signals();
    pthread_sigmask(SIG_SETMASK, signals, NULL);
    ap_close_listeners();
    /* Nothing of the parent is cleaned up here: its pools know processes that
     * are not ours to end. */
    _exit(idv_watchdog_process_run(&process));
}

static void on_maintenance(int reason, void *data, int status);

static apr_status_t start_process(idv_watchdog_t *watchdog)
{
    sigset_t all, before;
    pid_t parent = getpid();
    apr_status_t status;

    /* No signal may meet the new process with the parent's handlers. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = apr_proc_fork(&watchdog->process, watchdog->pconf);
    if (status == APR_INCHILD)
        become_watchdog(watchdog, parent, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status != APR_INPARENT)
        return status;
    watchdog->started = idv_time_now();
    apr_pool_note_subprocess(watchdog->pconf, &watchdog->process,
                             APR_KILL_AFTER_TIMEOUT);
    apr_proc_other_child_register(&watchdog->process, on_maintenance, watchdog,
                                  NULL, watchdog->pconf);
    return APR_SUCCESS;
}

static void respawn(idv_watchdog_t *watchdog, int status)
{
    int state = 0;
    apr_status_t result;

    if (ap_mpm_query(AP_MPMQ_MPM_STATE, &state) == APR_SUCCESS
        && state == AP_MPMQ_STOPPING)
        return;
    if (idv_time_now() - watchdog->started > SETTLED_LIFE)
        watchdog->failures = 0;
    ap_log_error(APLOG_MARK, APLOG_ERR, 0, watchdog->server,
                 "IDV0320: the watchdog ended (wait status %d), starting "
                 "another one", status);
    result = start_process(watchdog);
    watchdog->failures++;
    if (result != APR_SUCCESS)
        ap_log_error(APLOG_MARK, APLOG_ALERT, result, watchdog->server,
                     "IDV0321: the watchdog cannot be started");
}

static void on_maintenance(int reason, void *data, int status)
{
    idv_watchdog_t *watchdog = data;

    switch (reason) {
    case APR_OC_REASON_DEATH:
    case APR_OC_REASON_LOST:
        apr_proc_other_child_unregister(watchdog);
        idv_statistics_set(&watchdog->shared->statistics, watchdog_pid, 0);
        respawn(watchdog, status);
        break;
    case APR_OC_REASON_RESTART:
        apr_proc_other_child_unregister(watchdog);
        break;
    default: /* the pool's note about the process ends it */
        break;
    }
}

idv_error_t *idv_watchdog_start(const idv_watchdog_config_t *config,
                                server_rec *server, idv_watchdog_t **out,
                                apr_pool_t *pconf)
{
    apr_pool_t *process = server->process->pool;
    idv_watchdog_t *watchdog = NULL;
    apr_status_t status;
    void *kept = NULL;

    apr_pool_userdata_get(&kept, CHANNEL_KEY, process);
    watchdog = kept;
    if (!watchdog)
        IDV_TRY(create_channel(&watchdog, process));
    watchdog->config = apr_pmemdup(pconf, config, sizeof(*config));
    watchdog->server = server;
    watchdog->pconf = pconf;
    watchdog->failures = 0;
    *out = watchdog;
    status = start_process(watchdog);
    if (status != APR_SUCCESS)
        return idv_error_apr(pconf, status, "starting the watchdog");
    return NULL;
}

void idv_watchdog_wake(idv_watchdog_t *watchdog, unsigned work)
{
    const uint64_t one = 1;

    if (!watchdog)
        return;
    /* Work that was said before and not taken has its wake-up on the way. */
    if ((atomic_fetch_or(&watchdog->shared->work, work) & work) == work)
        return;
    while (write(watchdog->descriptor, &one, sizeof(one)) < 0
           && errno == EINTR)
        continue;
}

const idv_captcha_channel_t *
idv_watchdog_captcha_channel(const idv_watchdog_t *watchdog)
{
    return &watchdog->captcha;
}

idv_statistics_t *idv_watchdog_statistics(idv_watchdog_t *watchdog)
{
    return &watchdog->shared->statistics;
}
