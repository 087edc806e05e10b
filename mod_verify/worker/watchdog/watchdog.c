/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/watchdog.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <ap_listen.h>
#include <ap_mpm.h>
#include <apr_strings.h>
#include <apr_thread_proc.h>
#include <http_config.h>
#include <http_core.h>
#include <http_log.h>
#include <mpm_common.h>

#include "worker/process/process_end.h"
#include "worker/process/retained.h"
#include "worker/process/span_channel.h"
#include "worker/watchdog/watchdog_process.h"

APLOG_USE_MODULE(verify);

#define WORK_VERSION 1      /* of what idv_work_t's bits mean */
#define DEPARTING_VERSION 1 /* of what idv_departing_t's members mean */
#define SPAN_CHANNEL "spans 1" /* the number stands for idv_span_t */

#define ENDING_TIME 5000   /* ms that a process has from SIGTERM to its end */
#define DEPARTING_TIME 500 /* ms that a reload waits for the old process */
#define SETTLED_LIFE (10 * IDV_SECOND) /* after it, a death is a first one */
#define FIRST_PAUSE 500                /* ms; doubled with each shorter life */
#define LONGEST_PAUSE (30 * IDV_SECOND)

/* The parent's side of one generation, in the configuration's pool. The
 * channels' resources are older and persist (worker/process/retained.h), so
 * that children of the previous generation reach the new watchdog. */
struct idv_watchdog_t {
    idv_statistics_t *statistics;
    _Atomic unsigned *work; /* said but not yet taken, of idv_work_t */
    int descriptor;         /* eventfd */
    idv_captcha_channel_t captcha;
    int spans; /* descriptor of the channel; -1: no spans are recorded */
    const char *node;
    idv_departing_t *departing;
    pid_t parent;
    apr_proc_t process; /* pid 0: none runs */
    idv_time_t started;
    int failures; /* short lives in a row */
    const idv_watchdog_config_t *config;
    server_rec *server;
    apr_pool_t *pconf;
};

/* --- what generations share --- */

static const char *const statistic_names[] = {
#define IDV_STATISTIC(member, name, help) name,
    IDV_STATISTICS_COUNTERS(IDV_STATISTIC)
    IDV_STATISTICS_GAUGES(IDV_STATISTIC)
#undef IDV_STATISTIC
};

#define STATISTICS ((int)(sizeof(statistic_names) / sizeof(*statistic_names)))

#define COUNTERS (STATISTICS + IDV_DEVIATIONS + IDV_MDL_DEVIATIONS)

_Static_assert(sizeof(idv_statistics_t) == sizeof(atomic_llong) * COUNTERS,
               "the statistics are a list of counters");

/* Fills NAMES with those of COUNT deviations, by KIND and code. */
static void name_deviations(const char **names, const char *kind, int count,
                            const char *(*code_of)(int), apr_pool_t *pool)
{
    for (int i = 0; i < count; i++) {
        const char *code = code_of(i);

        names[i] = code ? apr_pstrcat(pool, kind, " ", code, NULL)
                        : apr_psprintf(pool, "%s %d", kind, i);
    }
}

/* The names of all counters, those of the deviations by their codes. */
static const char **all_names(apr_pool_t *pool)
{
    const char **names = apr_palloc(pool, COUNTERS * sizeof(*names));

    memcpy(names, statistic_names, sizeof(statistic_names));
    name_deviations(names + STATISTICS, "deviation", IDV_DEVIATIONS,
                    idv_deviation_code, pool);
    name_deviations(names + STATISTICS + IDV_DEVIATIONS, "wallet deviation",
                    IDV_MDL_DEVIATIONS, idv_mdl_deviation_code, pool);
    return names;
}

static idv_error_t *open_wake_up(int *descriptor, apr_pool_t *pool)
{
    int opened = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

    if (opened < 0)
        return idv_error_apr(pool, errno, "eventfd");
    *descriptor = opened;
    return NULL;
}

static idv_error_t *open_channels(idv_watchdog_t *watchdog,
                                  const idv_watchdog_config_t *config,
                                  apr_pool_t *pool)
{
    atomic_llong *values;
    void *work, *departing;
    int captcha;

    IDV_TRY(idv_retained_counters("statistics", all_names(pool),
                                  COUNTERS, &values, pool));
    watchdog->statistics = (idv_statistics_t *)values;
    IDV_TRY(idv_retained_memory("work", WORK_VERSION, sizeof(*watchdog->work),
                                &work, pool));
    watchdog->work = work;
    IDV_TRY(idv_retained_descriptor("wake-up", open_wake_up,
                                    &watchdog->descriptor, pool));
    IDV_TRY(idv_retained_descriptor("captcha", idv_captcha_channel_open,
                                    &captcha, pool));
    IDV_TRY(idv_captcha_channel_of(captcha, &watchdog->captcha, pool));
    watchdog->spans = -1;
    if (config->trace_collector)
        IDV_TRY(idv_retained_descriptor(SPAN_CHANNEL, idv_span_channel_open,
                                        &watchdog->spans, pool));
    watchdog->node = idv_retained_token("node", pool);
    IDV_TRY(idv_retained_memory("departing", DEPARTING_VERSION,
                                sizeof(*watchdog->departing), &departing,
                                pool));
    watchdog->departing = departing;
    return NULL;
}

/* --- the start --- */

static idv_time_t pause_before_start(const idv_watchdog_t *watchdog)
{
    return watchdog->failures ? idv_time_backoff(FIRST_PAUSE, LONGEST_PAUSE,
                                                 watchdog->failures - 1)
                              : 0;
}

/* In the new process; does not return. */
static void become_watchdog(idv_watchdog_t *watchdog, const sigset_t *signals)
{
    idv_watchdog_process_t process = {
        .config = watchdog->config,
        .server = watchdog->server,
        .statistics = watchdog->statistics,
        .work = watchdog->work,
        .descriptor = watchdog->descriptor,
        .captcha = &watchdog->captcha,
        .spans = watchdog->spans,
        .node = watchdog->node,
        .departing = watchdog->departing,
        .parent = watchdog->parent,
        .pause = pause_before_start(watchdog),
    };

    idv_watchdog_catch_signals();
    pthread_sigmask(SIG_SETMASK, signals, NULL);
    ap_close_listeners();
    /* By _exit(): the cleanups of the parent's pools, which this process has
     * copies of, would end processes of the parent. */
    _exit(idv_watchdog_process_run(&process));
}

static void on_maintenance(int reason, void *data, int status);

static apr_status_t start_process(idv_watchdog_t *watchdog)
{
    sigset_t all, before;
    apr_status_t status;

    /* Until the new process has its own handlers, a signal would be handled by
     * the parent's, and lost. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = apr_proc_fork(&watchdog->process, watchdog->pconf);
    if (status == APR_INCHILD)
        become_watchdog(watchdog, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status != APR_INPARENT) {
        watchdog->process.pid = 0;
        return status;
    }
    watchdog->started = idv_time_now();
    apr_proc_other_child_register(&watchdog->process, on_maintenance, watchdog,
                                  NULL, watchdog->pconf);
    return APR_SUCCESS;
}

/* --- the end --- */

/* When httpd itself ends, its error log is closed before the configuration's
 * pool is destroyed; the line goes to standard error then. */
static void complain(const idv_watchdog_t *watchdog, const char *fault)
{
    if (ap_state_query(AP_SQ_MAIN_STATE) == AP_SQ_MS_EXITING)
        fprintf(stderr, "IDV0760: the watchdog did not end cleanly: %s\n",
                fault);
    else
        ap_log_error(APLOG_MARK, APLOG_ERR, 0, watchdog->server,
                     "IDV0761: the watchdog did not end cleanly: %s", fault);
}

/* Complains unless STATUS, of idv_process_end(), is a good end. */
static void judge(const idv_watchdog_t *watchdog, int status)
{
    const char *fault = idv_process_end_fault(status, watchdog->pconf);

    if (fault)
        complain(watchdog, fault);
}

static void end_process(idv_watchdog_t *watchdog)
{
    pid_t pid = watchdog->process.pid;

    if (!pid)
        return;
    watchdog->process.pid = 0;
    kill(pid, SIGTERM);
    judge(watchdog, idv_process_end(pid, ENDING_TIME));
}

/* --- processes that depart --- */

/* A process that departs, as the generation that waits for it knows it; of the
 * configuration's pool. */
typedef struct {
    idv_watchdog_t *watchdog;
    atomic_int *place; /* holds its pid, which says to all that it is there */
    apr_proc_t process;
} departing_process_t;

static atomic_int *free_place(idv_departing_t *departing)
{
    for (int i = 0; i < IDV_DEPARTING_MAX; i++)
        if (!atomic_load(&departing->pids[i]))
            return &departing->pids[i];
    return NULL;
}

/* At a reload. A process that does not end within DEPARTING_TIME is the next
 * generation's to wait for (adopt_departing()). Where too many depart already,
 * or the configuration gives no grace, the process is ended as at a stop. */
static void let_depart(idv_watchdog_t *watchdog)
{
    pid_t pid = watchdog->process.pid;
    atomic_int *place = free_place(watchdog->departing);
    int status;

    if (!pid || !place || !watchdog->config->reload_grace) {
        end_process(watchdog);
        return;
    }
    watchdog->process.pid = 0;
    atomic_store(place, (int)pid);
    kill(pid, IDV_WATCHDOG_DEPART);
    if (!idv_process_wait(pid, DEPARTING_TIME, &status))
        return;
    atomic_store(place, 0);
    judge(watchdog, status);
}

static void on_departing(int reason, void *data, int status)
{
    departing_process_t *departing = data;
    pid_t pid = departing->process.pid;

    if (reason == APR_OC_REASON_UNREGISTER)
        return; /* at the next reload; the next generation adopts it */
    apr_proc_other_child_unregister(departing);
    if (reason == APR_OC_REASON_RESTART) { /* or a stop */
        kill(pid, SIGTERM);
        judge(departing->watchdog, idv_process_end(pid, ENDING_TIME));
    } else if (status) {
        ap_log_error(APLOG_MARK, APLOG_ERR, 0, departing->watchdog->server,
                     "IDV0778: the watchdog from before a reload did not end "
                     "cleanly (wait status %d)",
                     status);
    }
    atomic_store(departing->place, 0);
}

/* Processes that depart from earlier generations are this generation's to wait
 * for. One that has ended meanwhile leaves its place at once. */
static void adopt_departing(idv_watchdog_t *watchdog)
{
    for (int i = 0; i < IDV_DEPARTING_MAX; i++) {
        atomic_int *place = &watchdog->departing->pids[i];
        pid_t pid = atomic_load(place);
        departing_process_t *departing;
        int status;

        if (!pid)
            continue;
        if (idv_process_wait(pid, 0, &status)) {
            atomic_store(place, 0);
            if (status != -1)
                judge(watchdog, status);
            continue;
        }
        departing = apr_pcalloc(watchdog->pconf, sizeof(*departing));
        *departing = (departing_process_t){watchdog, place, {.pid = pid}};
        apr_proc_other_child_register(&departing->process, on_departing,
                                      departing, NULL, watchdog->pconf);
    }
}

/* --- the watch --- */

/* Cleanup of the configuration's pool. A stop, and a restart that is not
 * graceful, have ended the process before (on_maintenance()). */
static apr_status_t end_with_configuration(void *baton)
{
    idv_watchdog_t *watchdog = baton;

    if (getpid() != watchdog->parent)
        return APR_SUCCESS;
    if (ap_state_query(AP_SQ_MAIN_STATE) == AP_SQ_MS_DESTROY_CONFIG)
        let_depart(watchdog);
    else
        end_process(watchdog);
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
    /* A watchdog that exits with status 0 was ended by somebody other than the
     * parent: by systemd, which signals all processes of a service, or by an
     * operator. */
    ap_log_error(APLOG_MARK, status ? APLOG_ERR : APLOG_NOTICE, 0,
                 watchdog->server,
                 "IDV0320: the watchdog ended (wait status %d), starting "
                 "another one", status);
    result = start_process(watchdog);
    watchdog->failures++;
    if (result != APR_SUCCESS)
        ap_log_error(APLOG_MARK, APLOG_ALERT, result, watchdog->server,
                     "IDV0321: the watchdog cannot be started");
}

/* httpd's notice about its "other children": one has died, which waitpid() or its
 * absence shows, or the server restarts or stops. */
static void on_maintenance(int reason, void *data, int status)
{
    idv_watchdog_t *watchdog = data;

    switch (reason) {
    case APR_OC_REASON_DEATH:
    case APR_OC_REASON_LOST:
        apr_proc_other_child_unregister(watchdog);
        watchdog->process.pid = 0;
        idv_statistics_set(watchdog->statistics, watchdog_pid, 0);
        idv_statistics_set(watchdog->statistics, reader_up, 0);
        respawn(watchdog, status);
        break;
    case APR_OC_REASON_RESTART: /* also when the server stops */
        apr_proc_other_child_unregister(watchdog);
        end_process(watchdog);
        break;
    default: /* unregistered: end_with_configuration() does the rest */
        break;
    }
}

/* --- for the parent and the children --- */

idv_error_t *idv_watchdog_start(const idv_watchdog_config_t *config,
                                server_rec *server, idv_watchdog_t **out,
                                apr_pool_t *pconf)
{
    idv_watchdog_t *watchdog = apr_pcalloc(pconf, sizeof(*watchdog));
    apr_status_t status;

    IDV_TRY(open_channels(watchdog, config, pconf));
    watchdog->config = apr_pmemdup(pconf, config, sizeof(*config));
    watchdog->server = server;
    watchdog->pconf = pconf;
    watchdog->parent = getpid();
    *out = watchdog;
    adopt_departing(watchdog);
    apr_pool_cleanup_register(pconf, watchdog, end_with_configuration,
                              apr_pool_cleanup_null);
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
    /* For work that was said before and not taken a wake-up is on its way. */
    if ((atomic_fetch_or(watchdog->work, work) & work) == work)
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

int idv_watchdog_span_channel(const idv_watchdog_t *watchdog)
{
    return watchdog ? watchdog->spans : -1;
}

idv_statistics_t *idv_watchdog_statistics(idv_watchdog_t *watchdog)
{
    return watchdog->statistics;
}
