/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/remover.h"

#include <string.h>

#include <apr_strings.h>

#include "store/transaction/removal.h"

APLOG_USE_MODULE(verify);

#define BATCH 100 /* sessions or credentials, tens of ms */
#define PAUSE 50  /* ms after each page, at least */
#define PAUSE_FACTOR 4 /* of what the page took */
#define INTERVAL IDV_HOUR
#define FAILURE_PAUSE IDV_MINUTE /* what fails may have taken 10 s to do so */
#define WHOLE_PASS 24 /* one of so many begins where everything does */
#define FIRST_DELAY (2 * IDV_SECOND)

struct idv_remover_t {
    idv_worker_t *worker;
    idv_event_timer_t timer;
    idv_removal_t removal;
    char floors[IDV_REMOVAL_COUNT][IDV_ID_SIZE]; /* where each kind begins */
    unsigned passes; /* that have ended */
};

/* Retention of KIND after its end; 0: forever. */
static idv_time_t kept(const idv_remover_t *remover, idv_removal_kind_t kind)
{
    const idv_watchdog_config_t *config = remover->worker->config;
    const idv_time_t times[IDV_REMOVAL_COUNT] = {
        [IDV_REMOVAL_SESSION] = config->session_retention,
        [IDV_REMOVAL_CREDENTIAL] = config->credential_retention,
    };

    return times[kind];
}

/* Starts with the first kind from KIND on that is not kept forever; zero if
 * there is none. */
static int begin(idv_remover_t *remover, int kind)
{
    while (kind < IDV_REMOVAL_COUNT && !kept(remover, kind))
        kind++;
    if (kind == IDV_REMOVAL_COUNT)
        return 0;
    idv_removal_begin(&remover->removal, kind,
                      idv_time_now() - kept(remover, kind),
                      remover->floors[kind]);
    return 1;
}

/* Starts the next kind; zero if all have had their turn, after which the first
 * is next. Data of disabled organizations is skipped without being seen, so the
 * floors are reset now and then. */
static int begin_next(idv_remover_t *remover)
{
    const idv_removal_t *removal = &remover->removal;

    apr_cpystrn(remover->floors[removal->kind], removal->left, IDV_ID_SIZE);
    if (begin(remover, removal->kind + 1))
        return 1;
    if (++remover->passes % WHOLE_PASS == 0)
        memset(remover->floors, 0, sizeof(remover->floors));
    begin(remover, 0);
    return 0;
}

static void count(idv_statistics_t *statistics, idv_removal_kind_t kind,
                  apr_int64_t removed)
{
    atomic_fetch_add_explicit(kind == IDV_REMOVAL_SESSION
                                  ? &statistics->sessions_removed
                                  : &statistics->credentials_removed,
                              removed, memory_order_relaxed);
}

/* Removes a page; zero when that failed. */
static int remove_some(idv_remover_t *remover, idv_db_t *db)
{
    idv_worker_t *worker = remover->worker;
    apr_int64_t removed = 0;
    idv_error_t *error =
        idv_removal_advance(db, &remover->removal, BATCH, &removed,
                            idv_event_loop_scratch(worker->loop));

    if (error) {
        idv_worker_database_failed(worker, error);
        idv_removal_skip(&remover->removal);
        return 0;
    }
    count(worker->statistics, remover->removal.kind, removed);
    return 1;
}

static void on_due(void *baton)
{
    idv_remover_t *remover = baton;
    idv_worker_t *worker = remover->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_time_t started = idv_time_steady(), pause = IDV_POLL_INTERVAL;

    if (db && remove_some(remover, db)) {
        pause = PAUSE_FACTOR * (idv_time_steady() - started);
        pause = pause < PAUSE ? PAUSE : pause;
    } else if (db) {
        pause = FAILURE_PAUSE;
    }
    if (remover->removal.is_over && !begin_next(remover))
        pause = INTERVAL;
    idv_event_loop_schedule(worker->loop, &remover->timer, pause);
}

idv_remover_t *idv_remover_create(idv_worker_t *worker, apr_pool_t *pool)
{
    idv_remover_t *remover = apr_pcalloc(pool, sizeof(*remover));

    remover->worker = worker;
    remover->timer.callback = on_due;
    remover->timer.baton = remover;
    if (begin(remover, 0))
        idv_event_loop_schedule(worker->loop, &remover->timer, FIRST_DELAY);
    return remover;
}

void idv_remover_stop(idv_remover_t *remover)
{
    idv_event_loop_cancel(remover->worker->loop, &remover->timer);
}
