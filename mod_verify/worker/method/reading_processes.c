/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/method/reading_processes.h"

APLOG_USE_MODULE(verify);

typedef struct {
    idv_reading_processes_t *all;
    idv_analyzer_t *analyzer;
    int watched; /* descriptor in the loop, -1: none */
    idv_event_timer_t tend_timer;
} reading_process_t;

struct idv_reading_processes_t {
    idv_worker_t *worker;
    void (*on_ready)(void *baton);
    void *baton;
    reading_process_t processes[IDV_ANALYSIS_KIND_COUNT]; /* none for ALL */
};

#define FIRST (IDV_ANALYSIS_ALL + 1)

static void tend(reading_process_t *process);

static void on_readable(void *baton, int fd, unsigned events)
{
    (void)fd;
    (void)events;
    tend(baton);
}

static void on_tend_due(void *baton)
{
    tend(baton);
}

static void unwatch(reading_process_t *process)
{
    if (process->watched >= 0)
        idv_event_loop_forget(process->all->worker->loop, process->watched);
    process->watched = -1;
}

static void watch(reading_process_t *process)
{
    idv_worker_t *worker = process->all->worker;
    int fd = idv_analyzer_fd(process->analyzer);
    idv_error_t *error = NULL;

    if (process->watched != fd)
        unwatch(process);
    process->watched = fd;
    if (fd >= 0)
        error = idv_event_loop_watch(worker->loop, fd, IDV_EVENT_READABLE,
                                     on_readable, process);
    if (error)
        idv_worker_log(worker, APLOG_ERR, "IDV0352", "%s",
                       idv_error_cause(error));
}

static const char *kind_of(const reading_process_t *process)
{
    return idv_analysis_kind_value(
        (idv_analysis_kind_t)(process - process->all->processes));
}

static void say_what_is_missing(const reading_process_t *process)
{
    const char *missing = idv_analyzer_missing_layers(process->analyzer);

    if (*missing)
        idv_worker_log(process->all->worker, APLOG_NOTICE, "IDV0764",
                       "verify-analyze (%s) runs without these layers of its "
                       "sandbox, because the machine or httpd's service unit "
                       "does not allow them: %s", kind_of(process), missing);
}

static void welcome(const reading_process_t *process)
{
    const idv_reading_processes_t *all = process->all;

    idv_worker_log(all->worker, APLOG_INFO, "IDV0354",
                   "verify-analyze (%s) is ready, in a sandbox of: %s",
                   kind_of(process), idv_analyzer_layers(process->analyzer));
    say_what_is_missing(process);
    if (idv_reading_processes_ready(all))
        all->on_ready(all->baton);
}

static void tend(reading_process_t *process)
{
    idv_worker_t *worker = process->all->worker;
    int was_ready = idv_analyzer_is_ready(process->analyzer);
    idv_time_t now = idv_time_now(), due;
    idv_error_t *error = idv_analyzer_tend(
        process->analyzer, now, idv_event_loop_scratch(worker->loop));

    if (error)
        idv_worker_log_failure(worker, "IDV0353", error, "verify-analyze");
    idv_statistics_set(worker->statistics, reader_up,
                       idv_reading_processes_ready(process->all));
    watch(process);
    due = idv_analyzer_due(process->analyzer);
    if (due)
        idv_event_loop_schedule(worker->loop, &process->tend_timer,
                                due > now ? due - now : 0);
    if (!was_ready && idv_analyzer_is_ready(process->analyzer))
        welcome(process);
}

idv_reading_processes_t *
idv_reading_processes_create(idv_worker_t *worker,
                             const idv_analyzer_settings_t *settings,
                             void (*on_ready)(void *baton), void *baton,
                             apr_pool_t *pool)
{
    idv_reading_processes_t *all = apr_pcalloc(pool, sizeof(*all));
    idv_analyzer_settings_t own = *settings;

    all->worker = worker;
    all->on_ready = on_ready;
    all->baton = baton;
    for (int kind = FIRST; kind < IDV_ANALYSIS_KIND_COUNT; kind++) {
        reading_process_t *process = &all->processes[kind];

        own.kind = (idv_analysis_kind_t)kind;
        process->all = all;
        process->analyzer = idv_analyzer_create(&own, pool);
        process->watched = -1;
        process->tend_timer.callback = on_tend_due;
        process->tend_timer.baton = process;
    }
    /* Whether all are ready can be asked from the first one's start on. */
    for (int kind = FIRST; kind < IDV_ANALYSIS_KIND_COUNT; kind++)
        tend(&all->processes[kind]);
    return all;
}

int idv_reading_processes_ready(const idv_reading_processes_t *all)
{
    for (int kind = FIRST; kind < IDV_ANALYSIS_KIND_COUNT; kind++)
        if (!idv_analyzer_is_ready(all->processes[kind].analyzer))
            return 0;
    return 1;
}

idv_error_t *idv_reading_processes_submit(idv_reading_processes_t *all,
                                          const idv_analysis_request_t *request,
                                          idv_time_t deadline,
                                          idv_analysis_t **out,
                                          apr_pool_t *pool)
{
    idv_analysis_kind_t kind =
        idv_analysis_kind(idv_method_parse(request->method));

    return idv_analyzer_submit(all->processes[kind].analyzer, request, deadline,
                               out, pool);
}

void idv_reading_processes_stop(idv_reading_processes_t *all)
{
    for (int kind = FIRST; kind < IDV_ANALYSIS_KIND_COUNT; kind++) {
        unwatch(&all->processes[kind]);
        idv_event_loop_cancel(all->worker->loop,
                              &all->processes[kind].tend_timer);
    }
}

void idv_reading_processes_end(idv_reading_processes_t *all)
{
    for (int kind = FIRST; kind < IDV_ANALYSIS_KIND_COUNT; kind++) {
        reading_process_t *process = &all->processes[kind];
        idv_error_t *error = idv_analyzer_end(
            process->analyzer, idv_event_loop_scratch(all->worker->loop));

        if (error)
            idv_worker_log(all->worker, APLOG_ERR, "IDV0762",
                           "verify-analyze (%s): %s", kind_of(process),
                           idv_error_cause(error));
    }
}
