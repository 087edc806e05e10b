/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/watchdog_process.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <http_log.h>
#include <mpm_common.h>

#include "worker/account/captcha_check.h"
#include "worker/gate/gate_watch.h"
#include "worker/oidc/key_watch.h"
#include "worker/process/worker.h"
#include "worker/simulation/replayer.h"
#include "worker/trust/expiry_watch.h"
#include "worker/watchdog/analysis_runner.h"
#include "worker/watchdog/law_watch.h"
#include "worker/watchdog/mailer.h"
#include "worker/watchdog/presence.h"
#include "worker/watchdog/remover.h"
#include "worker/watchdog/span_exporter.h"
#include "worker/watchdog/timers.h"
#include "worker/webhook/deliverer.h"

APLOG_USE_MODULE(verify);

#define PROCESS_NAME "verify-watchdog"
#define HEARTBEAT IDV_SECOND
#define STOP_GRACE 500 /* ms for exchanges under way, once told to end */
#define KEPT_FREE (4 << 20) /* bytes that the allocator keeps for later */
#define ENDING_TURN 20 /* ms between looks whether they have ended */

/* watchdog_process.h says what they mean. */
typedef enum { BEGINNING, WORKING, DEPARTING, ENDING } state_t;

typedef struct {
    idv_watchdog_process_t *process;
    state_t state;
    idv_worker_t worker;
    /* The parts; NULL before the first work. */
    idv_deliverer_t *deliverer;
    idv_timers_t *timers;
    idv_remover_t *remover;
    idv_replayer_t *replayer;
    idv_expiry_watch_t *expiries;
    idv_gate_watch_t *gates; /* NULL also when there are none */
    idv_law_watch_t *law; /* NULL also without rules */
    idv_oidc_key_watch_t *login_keys;
    idv_presence_t *presence;
    idv_analysis_runner_t *analyses; /* NULL also when departing */
    idv_captcha_checker_t *captchas; /* NULL also when none are configured */
    idv_mailer_t *mailer;            /* likewise */
    idv_span_exporter_t *exporter;   /* likewise */
    idv_time_t end_by;               /* monotonic; in the last two states */
    idv_event_timer_t heartbeat, ending, beginning;
} watchdog_t;

/* --- signals --- */

/* The two things that a signal handler can reach. */
static volatile sig_atomic_t signal_descriptor = -1;
static volatile sig_atomic_t is_told_to_end; /* not only to depart */

static void on_signal(int number)
{
    const uint64_t one = 1;
    int saved = errno;
    ssize_t written;

    if (number != IDV_WATCHDOG_DEPART)
        is_told_to_end = 1;
    if (signal_descriptor < 0)
        return;
    written = write((int)signal_descriptor, &one, sizeof(one));
    (void)written; /* when it is full, it is readable already */
    errno = saved;
}

/* Every signal for which httpd's parent has a handler of its own, or which may
 * come to this process. */
static const struct {
    int number;
    void (*handler)(int);
} signal_table[] = {
    {SIGTERM, on_signal}, /* end: from httpd's parent, init or an operator */
    {SIGINT, on_signal},  /* end: httpd in the foreground of a terminal */
    {SIGHUP, on_signal},  /* end: the terminal has gone */
    {IDV_WATCHDOG_DEPART, on_signal}, /* depart: from httpd's parent */
    /* A closed peer is reported by the write. */
    {SIGPIPE, SIG_IGN},
    /* These mean something to httpd's own processes, and reach this one when
     * somebody sends them to the whole process group. */
    {SIGUSR2, SIG_IGN},
    {SIGWINCH, SIG_IGN},
    /* verify-analyze is waited for where it is ended. */
    {SIGCHLD, SIG_DFL},
    {SIGALRM, SIG_DFL},
    /* Faults end the process at once, and its exit status says so. */
    {SIGSEGV, SIG_DFL},
    {SIGBUS, SIG_DFL},
    {SIGABRT, SIG_DFL},
    {SIGILL, SIG_DFL},
    {SIGFPE, SIG_DFL},
    {SIGQUIT, SIG_DFL},
    {SIGXCPU, SIG_DFL},
    {SIGXFSZ, SIG_DFL},
};

void idv_watchdog_catch_signals(void)
{
    struct sigaction action = {.sa_flags = SA_RESTART};

    signal_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(signal_table) / sizeof(*signal_table); i++) {
        action.sa_handler = signal_table[i].handler;
        sigaction(signal_table[i].number, &action, NULL);
    }
}

/* --- the end --- */

/* Releases running work; the database has the rest. */
static void finish(watchdog_t *watchdog)
{
    if (watchdog->analyses)
        idv_analysis_runner_release(watchdog->analyses);
    if (watchdog->deliverer)
        idv_deliverer_release(watchdog->deliverer);
    if (watchdog->mailer)
        idv_mailer_release(watchdog->mailer);
    if (watchdog->analyses)
        idv_analysis_runner_end(watchdog->analyses);
    idv_event_loop_stop(watchdog->worker.loop);
}

static int in_flight(const watchdog_t *watchdog)
{
    return (watchdog->deliverer ? idv_deliverer_in_flight(watchdog->deliverer)
                                : 0)
         + (watchdog->mailer ? idv_mailer_in_flight(watchdog->mailer) : 0)
         + (watchdog->exporter
                ? idv_span_exporter_in_flight(watchdog->exporter) : 0);
}

static void on_ending(void *baton)
{
    watchdog_t *watchdog = baton;

    if (idv_event_loop_now() >= watchdog->end_by || !in_flight(watchdog))
        finish(watchdog);
    else
        idv_event_loop_schedule(watchdog->worker.loop, &watchdog->ending,
                                ENDING_TURN);
}

static void stop_parts(watchdog_t *watchdog)
{
    if (!watchdog->deliverer)
        return; /* the work has not begun */
    /* Wake-ups and the questions of children are the successor's from now. */
    idv_event_loop_forget(watchdog->worker.loop, watchdog->process->descriptor);
    idv_deliverer_stop(watchdog->deliverer);
    if (watchdog->timers)
        idv_timers_stop(watchdog->timers);
    if (watchdog->remover)
        idv_remover_stop(watchdog->remover);
    if (watchdog->replayer)
        idv_replayer_stop(watchdog->replayer);
    if (watchdog->expiries)
        idv_expiry_watch_stop(watchdog->expiries);
    if (watchdog->gates)
        idv_gate_watch_stop(watchdog->gates);
    if (watchdog->law)
        idv_law_watch_stop(watchdog->law);
    if (watchdog->login_keys)
        idv_oidc_key_watch_stop(watchdog->login_keys);
    if (watchdog->presence)
        idv_presence_leave(watchdog->presence);
    if (watchdog->analyses)
        idv_analysis_runner_stop(watchdog->analyses);
    if (watchdog->captchas)
        idv_captcha_checker_stop(watchdog->captchas);
    if (watchdog->mailer)
        idv_mailer_stop(watchdog->mailer);
    if (watchdog->exporter)
        idv_span_exporter_stop(watchdog->exporter);
}

/* Only this process would end them, and only the successor starts them again. */
static void give_analyses_back(watchdog_t *watchdog)
{
    if (!watchdog->analyses)
        return;
    idv_analysis_runner_release(watchdog->analyses);
    idv_analysis_runner_end(watchdog->analyses);
    watchdog->analyses = NULL;
}

/* Enters DEPARTING or ENDING, unless the process is already in that state. If a
 * departing process has to end, the shorter of both times applies. */
static void begin_to_end(watchdog_t *watchdog, state_t state)
{
    idv_time_t grace =
        state == DEPARTING ? watchdog->worker.config->reload_grace : STOP_GRACE;
    idv_time_t end_by = idv_event_loop_now() + grace;

    if (state <= watchdog->state)
        return;
    if (watchdog->state < DEPARTING)
        stop_parts(watchdog);
    if (watchdog->state < DEPARTING || end_by < watchdog->end_by)
        watchdog->end_by = end_by;
    watchdog->state = state;
    if (state == DEPARTING) {
        watchdog->worker.is_departing = 1;
        give_analyses_back(watchdog);
    }
    idv_event_loop_schedule(watchdog->worker.loop, &watchdog->ending, 0);
}

static void on_signalled(void *baton, int fd, unsigned events)
{
    uint64_t count;

    (void)events;
    if (read(fd, &count, sizeof(count)) > 0)
        begin_to_end(baton, is_told_to_end ? ENDING : DEPARTING);
}

/* --- the work --- */

static void on_wake(void *baton, int fd, unsigned events)
{
    watchdog_t *watchdog = baton;
    uint64_t count;
    unsigned work;

    (void)events;
    if (read(fd, &count, sizeof(count)) < 0)
        return; /* the watchdog of another generation has read it */
    work = atomic_exchange(watchdog->process->work, 0);
    if (work & IDV_WORK_DELIVERIES && watchdog->deliverer)
        idv_deliverer_wake(watchdog->deliverer);
    if (work & IDV_WORK_ANALYSES && watchdog->analyses)
        idv_analysis_runner_wake(watchdog->analyses);
    if (work & IDV_WORK_MAIL && watchdog->mailer)
        idv_mailer_wake(watchdog->mailer);
    if (work & IDV_WORK_REPLAYS && watchdog->replayer)
        idv_replayer_wake(watchdog->replayer);
}

static void on_heartbeat(void *baton)
{
    watchdog_t *watchdog = baton;

    if (!watchdog->worker.is_departing)
        idv_statistics_set(watchdog->worker.statistics, heartbeat_seconds,
                           idv_time_seconds(idv_time_now()));
    if (getppid() != watchdog->process->parent)
        begin_to_end(watchdog, ENDING);
    idv_event_loop_schedule(watchdog->worker.loop, &watchdog->heartbeat,
                            HEARTBEAT);
}

/* Takes over the leases of a predecessor of this server process; of e-mails
 * only if no predecessor departs, because their leases do not distinguish the
 * two. Claims take over deliveries (delivery_queue.c). */
static void take_over(watchdog_t *watchdog)
{
    if (!idv_worker_database(&watchdog->worker))
        return;
    idv_analysis_runner_release(watchdog->analyses);
    if (watchdog->mailer && !idv_worker_has_predecessor(&watchdog->worker))
        idv_mailer_release(watchdog->mailer);
}

static idv_error_t *begin_working(watchdog_t *watchdog)
{
    idv_worker_t *worker = &watchdog->worker;

    if (worker->config->trace_collector)
        IDV_TRY(idv_span_exporter_create(worker, watchdog->process->spans,
                                         &watchdog->exporter, worker->pool));
    /* Said to a predecessor; all parts look for work when they begin. */
    atomic_store(watchdog->process->work, 0);
    IDV_TRY(idv_event_loop_watch(worker->loop, watchdog->process->descriptor,
                                 IDV_EVENT_READABLE, on_wake, watchdog));
    IDV_TRY(idv_deliverer_create(worker, &watchdog->deliverer, worker->pool));
    watchdog->timers =
        idv_timers_create(worker, watchdog->deliverer, worker->pool);
    watchdog->remover = idv_remover_create(worker, worker->pool);
    watchdog->replayer = idv_replayer_create(worker, worker->pool);
    watchdog->expiries = idv_expiry_watch_create(worker, worker->pool);
    watchdog->gates = idv_gate_watch_create(worker, worker->pool);
    watchdog->law =
        idv_law_watch_create(worker, watchdog->deliverer, worker->pool);
    watchdog->login_keys = idv_oidc_key_watch_create(worker, worker->pool);
    watchdog->presence = idv_presence_create(worker, worker->pool);
    IDV_TRY(idv_analysis_runner_create(worker, watchdog->deliverer,
                                       &watchdog->analyses, worker->pool));
    if (worker->config->captcha)
        IDV_TRY(idv_captcha_checker_create(worker, watchdog->process->captcha,
                                           &watchdog->captchas, worker->pool));
    if (worker->config->mail)
        IDV_TRY(idv_mailer_create(worker, &watchdog->mailer, worker->pool));
    take_over(watchdog);
    idv_analysis_runner_wake(watchdog->analyses);
    return NULL;
}

static void on_beginning(void *baton)
{
    watchdog_t *watchdog = baton;
    idv_error_t *error;

    if (watchdog->state != BEGINNING)
        return;
    watchdog->state = WORKING;
    error = begin_working(watchdog);
    if (!error)
        return;
    idv_worker_log(&watchdog->worker, APLOG_CRIT, "IDV0330",
                   "the watchdog cannot work: %s", idv_error_cause(error));
    begin_to_end(watchdog, ENDING);
}

static void set_timer(idv_event_timer_t *timer, idv_event_due_t *callback,
                      watchdog_t *watchdog)
{
    timer->callback = callback;
    timer->baton = watchdog;
}

/* --- the process --- */

static idv_error_t *work(idv_watchdog_process_t *process, apr_pool_t *pool)
{
    watchdog_t *watchdog = apr_pcalloc(pool, sizeof(*watchdog));
    idv_worker_t *worker = &watchdog->worker;

    watchdog->process = process;
    worker->config = process->config;
    worker->server = process->server;
    worker->pool = pool;
    worker->statistics = process->statistics;
    worker->node = process->node;
    worker->departing = process->departing;
    worker->log_limit = apr_pcalloc(pool, sizeof(*worker->log_limit));
    worker->outage = apr_pcalloc(pool, sizeof(*worker->outage));
    IDV_TRY(idv_event_loop_create(&worker->loop, pool));
    set_timer(&watchdog->heartbeat, on_heartbeat, watchdog);
    set_timer(&watchdog->ending, on_ending, watchdog);
    set_timer(&watchdog->beginning, on_beginning, watchdog);
    IDV_TRY(idv_event_loop_watch(worker->loop, (int)signal_descriptor,
                                 IDV_EVENT_READABLE, on_signalled, watchdog));
    idv_statistics_count(worker->statistics, starts);
    idv_statistics_set(worker->statistics, watchdog_pid, getpid());
    idv_event_loop_schedule(worker->loop, &watchdog->heartbeat, 0);
    idv_event_loop_schedule(worker->loop, &watchdog->beginning,
                            process->pause);
    idv_event_loop_run(worker->loop);
    return NULL;
}

/* The parent's death must not leave this process behind. A change of user
 * clears the wish (prctl(2)), so it comes after that; a parent that went before
 * is seen by the comparison, one that goes later by the heartbeat, too. */
static void follow_parent(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(0);
}

int idv_watchdog_process_run(idv_watchdog_process_t *process)
{
    apr_allocator_t *allocator;
    apr_pool_t *pool;
    idv_error_t *error;

    if (apr_allocator_create(&allocator) != APR_SUCCESS)
        return EXIT_FAILURE;
    apr_allocator_max_free_set(allocator, KEPT_FREE);
    if (apr_pool_create_ex(&pool, NULL, NULL, allocator) != APR_SUCCESS)
        return EXIT_FAILURE;
    apr_allocator_owner_set(allocator, pool);
    apr_pool_tag(pool, PROCESS_NAME);
    prctl(PR_SET_NAME, PROCESS_NAME);
    if (ap_run_drop_privileges(pool, process->server))
        return EXIT_FAILURE;
    follow_parent(process->parent);
    error = work(process, pool);
    if (error)
        ap_log_error(APLOG_MARK, APLOG_CRIT, 0, process->server,
                     "IDV0331: the watchdog cannot start: %s",
                     idv_error_cause(error));
    apr_pool_destroy(pool);
    return error ? EXIT_FAILURE : EXIT_SUCCESS;
}
