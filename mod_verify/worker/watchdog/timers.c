/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/timers.h"

#include <apr_strings.h>

#include "core/id.h"
#include "store/db/work_queue.h"
#include "store/oidc/login.h"
#include "store/session/attempt_limit.h"
#include "store/session/session_lookup.h"
#include "store/session/session_risk.h"
#include "store/simulation/workflow_replay.h"
#include "store/transaction/retention.h"
#include "store/transaction/session_transition.h"
#include "store/trust/revocation_list.h"
#include "store/webhook/webhook_recovery.h"

APLOG_USE_MODULE(verify);

#define SESSION_BATCH 8 /* transitions a turn, a few ms each */
#define SESSION_PAUSE 10 /* ms between them */
#define PURGE_BATCH 500
#define PURGE_PAUSE 50 /* ms */
#define PURGE_INTERVAL (10 * IDV_MINUTE)
#define RECOVERY_BATCH 250 /* events a turn, a few ms */
#define RECOVERY_PAUSE 25  /* ms between them */
#define BACKLOG_MAX 100000 /* as the help texts in statistics.h say */
#define BACKLOG_INTERVAL (15 * IDV_SECOND)
#define ATTEMPT_RETENTION (2 * IDV_HOUR) /* longer than any limit looks back */
#define MAIL_RETENTION (2 * IDV_DAY) /* the last attempt is within a day */
#define EVIDENCE_RETENTION IDV_HOUR /* see purge_evidence.sql */
#define HANDOFF_RETENTION (2 * IDV_HOUR) /* a phone reads the end for one */

/* One kind of session timer: sweeps over the sessions that are due, a batch a
 * turn, in the order of their moments. */
typedef struct {
    idv_timers_t *timers;
    idv_due_kind_t kind;
    idv_session_input_type_t input;
    idv_event_timer_t timer;
    idv_due_session_t after; /* the last session that this sweep has seen */
    char after_id[IDV_ID_SIZE];
} sweep_t;

struct idv_timers_t {
    idv_worker_t *worker;
    idv_deliverer_t *deliverer;
    sweep_t expiries, reviews, checks, handoffs;
    idv_event_timer_t purge_timer, recovery_timer, backlog_timer;
    idv_retention_t purging; /* the kind of rows that is removed next */
};

/* --- sessions --- */

static void count_change(const sweep_t *sweep)
{
    idv_statistics_t *statistics = sweep->timers->worker->statistics;

    if (sweep->kind == IDV_DUE_EXPIRY)
        idv_statistics_count(statistics, sessions_expired);
    else if (sweep->kind == IDV_DUE_REVIEW)
        idv_statistics_count(statistics, reviews_timed_out);
    else if (sweep->kind == IDV_DUE_CHECKS)
        idv_statistics_count(statistics, checks_resumed);
    else
        idv_statistics_count(statistics, handoffs_idle);
}

/* Has the timer of the session DUE take effect; zero when that failed. */
static int fire(sweep_t *sweep, idv_db_t *db, const idv_due_session_t *due)
{
    idv_worker_t *worker = sweep->timers->worker;
    idv_session_input_t input = {.type = sweep->input};
    idv_session_transition_t transition = {
        .scope = {.organization_id = due->organization_id},
        .session_id = due->id,
        .input = &input,
        .now = idv_time_now(),
        .keyring = worker->config->keys,
        .risk_policy = worker->config->risk_policy,
    };
    idv_session_transition_result_t result;
    idv_error_t *error = idv_session_transition(
        db, &transition, &result, idv_event_loop_scratch(worker->loop));

    if (error) {
        idv_worker_log_failure(worker, "IDV0340", error,
                               "a timer of session %s failed", due->id);
        idv_worker_database_failed(worker, error);
        return 0;
    }
    if (!result.changed)
        return 1;
    count_change(sweep);
    if (result.queued.deliveries)
        idv_deliverer_wake(sweep->timers->deliverer);
    return 1;
}

/* The sweep continues after SESSION; NULL: from the start. */
static void set_position(sweep_t *sweep, const idv_due_session_t *session)
{
    sweep->after.due_at = session ? session->due_at : 0;
    apr_cpystrn(sweep->after_id, session ? session->id : "",
                sizeof(sweep->after_id));
    sweep->after.id = sweep->after_id;
}

typedef enum {
    SWEPT,      /* no more sessions are due */
    MORE,       /* there may be more */
    ALL_FAILED, /* there may be more, but not one of these could be changed */
} sweep_end_t;

/* A session that cannot be changed is passed over. When not one session of a
 * turn can be changed, the cause is probably the database, and hurrying would
 * only fill the log. */
static sweep_end_t fire_all(sweep_t *sweep, const apr_array_header_t *sessions)
{
    const idv_worker_t *worker = sweep->timers->worker;
    int done = 0;

    for (int i = 0; i < sessions->nelts && worker->db; i++) {
        const idv_due_session_t *due =
            &APR_ARRAY_IDX(sessions, i, idv_due_session_t);

        done += fire(sweep, worker->db, due);
        set_position(sweep, due);
    }
    if (!worker->db || sessions->nelts < SESSION_BATCH)
        return SWEPT;
    return done ? MORE : ALL_FAILED;
}

static sweep_end_t sweep_some(sweep_t *sweep)
{
    idv_worker_t *worker = sweep->timers->worker;
    idv_db_t *db = idv_worker_database(worker);
    apr_array_header_t *sessions;
    idv_error_t *error;

    if (!db)
        return SWEPT;
    error = idv_due_session_list(
        db,
        &(const idv_due_session_query_t){.kind = sweep->kind,
                                         .now = idv_time_now(),
                                         .after = &sweep->after,
                                         .limit = SESSION_BATCH},
        &sessions, idv_event_loop_scratch(worker->loop));
    if (error) {
        idv_worker_database_failed(worker, error);
        return SWEPT;
    }
    return fire_all(sweep, sessions);
}

static void on_sweep_due(void *baton)
{
    sweep_t *sweep = baton;
    idv_worker_t *worker = sweep->timers->worker;
    sweep_end_t end = sweep_some(sweep);

    if (end == SWEPT)
        set_position(sweep, NULL);
    idv_event_loop_schedule(worker->loop, &sweep->timer,
                            end == MORE ? SESSION_PAUSE
                                        : IDV_POLL_INTERVAL);
}

static void start_sweep(sweep_t *sweep, idv_timers_t *timers,
                        idv_due_kind_t kind, idv_session_input_type_t input)
{
    sweep->timers = timers;
    sweep->kind = kind;
    sweep->input = input;
    sweep->timer.callback = on_sweep_due;
    sweep->timer.baton = sweep;
    set_position(sweep, NULL);
    idv_event_loop_schedule(timers->worker->loop, &sweep->timer, SESSION_PAUSE);
}

/* --- retention --- */

static idv_time_t cutoff(const idv_watchdog_config_t *config,
                         idv_retention_t kind)
{
    const idv_time_t kept[IDV_RETENTION_COUNT] = {
        [IDV_RETENTION_IDEMPOTENCY] = config->idempotency_retention,
        [IDV_RETENTION_DELIVERY] = config->event_retention,
        [IDV_RETENTION_EVENT] = config->event_retention,
        [IDV_RETENTION_RECOVERY] = config->recovery_retention,
        [IDV_RETENTION_SECOND_REVIEW] = 0, /* each has its own deadline */
        [IDV_RETENTION_EVIDENCE] = EVIDENCE_RETENTION,
        [IDV_RETENTION_ATTEMPT] = ATTEMPT_RETENTION,
        [IDV_RETENTION_RISK_OBSERVATION] = IDV_RISK_OBSERVATION_DAYS * IDV_DAY,
        [IDV_RETENTION_MAIL] = MAIL_RETENTION,
        [IDV_RETENTION_DOCUMENT_SIGHTING] = config->sighting_retention,
        [IDV_RETENTION_RISK_ASSESSMENT] = config->risk_retention,
        [IDV_RETENTION_TRUST_REUSE_TALLY] =
            IDV_TRUST_REUSE_TALLY_DAYS * IDV_DAY,
        [IDV_RETENTION_VP_TOKEN_PRESENTATION] =
            IDV_RISK_OBSERVATION_DAYS * IDV_DAY,
        [IDV_RETENTION_EMAIL_OTP] = IDV_HOUR,
        [IDV_RETENTION_PASSKEY_CHALLENGE] = IDV_HOUR,
        [IDV_RETENTION_HANDOFF] = HANDOFF_RETENTION,
        [IDV_RETENTION_AGE_FAILURE] = IDV_RISK_OBSERVATION_DAYS * IDV_DAY,
        [IDV_RETENTION_REVOCATION_LIST] = IDV_REVOCATION_LIST_DAYS * IDV_DAY,
        [IDV_RETENTION_WORKFLOW_REPLAY] = IDV_REPLAY_DAYS * IDV_DAY,
        [IDV_RETENTION_SHADOW_SESSION] = 0, /* each by the end of its shadow */
        [IDV_RETENTION_FORMER_SECRET] = 0, /* each has its own end */
        [IDV_RETENTION_LAW] = 0, /* each has its own days */
        [IDV_RETENTION_OIDC_LOGIN] = IDV_OIDC_LOGIN_DAYS * IDV_DAY,
        [IDV_RETENTION_REMOVED_SESSION] = config->event_retention,
    };

    return idv_time_now() - kept[kind];
}

/* Removes one batch; non-zero when there may be more rows of the kind. */
static int purge_some(idv_timers_t *timers)
{
    idv_worker_t *worker = timers->worker;
    idv_db_t *db = idv_worker_database(worker);
    apr_int64_t removed = 0;
    idv_error_t *error;

    if (!db)
        return 0;
    error = idv_retention_purge(
        db,
        &(const idv_retention_purge_t){
            .kind = timers->purging,
            .cutoff = cutoff(worker->config, timers->purging),
            .limit = PURGE_BATCH},
        &removed, idv_event_loop_scratch(worker->loop));
    if (error) {
        idv_worker_database_failed(worker, error);
        return 0;
    }
    atomic_fetch_add_explicit(&worker->statistics->rows_purged, removed,
                              memory_order_relaxed);
    return removed == PURGE_BATCH;
}

static void on_purge_due(void *baton)
{
    idv_timers_t *timers = baton;
    idv_time_t pause = PURGE_PAUSE;

    if (!purge_some(timers) && ++timers->purging == IDV_RETENTION_COUNT) {
        timers->purging = 0;
        pause = PURGE_INTERVAL;
    }
    idv_event_loop_schedule(timers->worker->loop, &timers->purge_timer, pause);
}

/* --- recoveries --- */

/* Carries a recovery on by one batch; non-zero when there was one. */
static int recover_some(idv_timers_t *timers)
{
    idv_worker_t *worker = timers->worker;
    idv_db_t *db = idv_worker_database(worker);
    apr_int64_t queued = 0;
    idv_error_t *error;
    int worked = 0;

    if (!db)
        return 0;
    error = idv_webhook_recovery_advance(db, RECOVERY_BATCH, &worked, &queued,
                                         idv_event_loop_scratch(worker->loop));
    if (error) {
        idv_worker_database_failed(worker, error);
        return 0;
    }
    if (queued) {
        atomic_fetch_add_explicit(&worker->statistics->deliveries_recovered,
                                  queued, memory_order_relaxed);
        idv_deliverer_wake(timers->deliverer);
    }
    return worked;
}

static void on_recovery_due(void *baton)
{
    idv_timers_t *timers = baton;
    idv_worker_t *worker = timers->worker;
    idv_time_t pause =
        recover_some(timers) ? RECOVERY_PAUSE : IDV_POLL_INTERVAL;

    idv_event_loop_schedule(worker->loop, &timers->recovery_timer, pause);
}

/* --- the backlog --- */

/* How often applications asked for persons of others within a day, and met
 * one; of all nodes. */
static idv_error_t *count_askings(idv_worker_t *worker, idv_db_t *db)
{
    idv_trust_reuse_sums_t sums;

    IDV_TRY(idv_trust_reuse_sums(db, idv_time_now() - IDV_DAY, &sums,
                                 idv_event_loop_scratch(worker->loop)));
    idv_statistics_set(worker->statistics, trust_reuse_asked, sums.asked);
    idv_statistics_set(worker->statistics, trust_reuse_met, sums.met);
    idv_statistics_set(worker->statistics, trust_reuse_unmet_most,
                       sums.unmet_most);
    return NULL;
}

static void on_backlog_due(void *baton)
{
    idv_timers_t *timers = baton;
    idv_worker_t *worker = timers->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_backlog_t backlog;
    idv_error_t *error =
        db ? idv_backlog_count(db, BACKLOG_MAX, &backlog,
                               idv_event_loop_scratch(worker->loop))
           : NULL;

    if (db && !error)
        error = count_askings(worker, db);
    idv_event_loop_schedule(worker->loop, &timers->backlog_timer,
                            BACKLOG_INTERVAL);
    idv_worker_log_rest(worker);
    if (!db)
        return;
    if (error) {
        idv_worker_database_failed(worker, error);
        return;
    }
    idv_statistics_set(worker->statistics, deliveries_waiting,
                       backlog.deliveries_new);
    idv_statistics_set(worker->statistics, deliveries_repeating,
                       backlog.deliveries_repeated);
    idv_statistics_set(worker->statistics, analyses_waiting, backlog.analyses);
    idv_statistics_set(worker->statistics, mails_waiting, backlog.mails);
}

/* --- life --- */

static void start_timer(idv_timers_t *timers, idv_event_timer_t *timer,
                        idv_event_due_t *callback, idv_time_t delay)
{
    timer->callback = callback;
    timer->baton = timers;
    idv_event_loop_schedule(timers->worker->loop, timer, delay);
}

idv_timers_t *idv_timers_create(idv_worker_t *worker,
                                idv_deliverer_t *deliverer, apr_pool_t *pool)
{
    idv_timers_t *timers = apr_pcalloc(pool, sizeof(*timers));

    timers->worker = worker;
    timers->deliverer = deliverer;
    start_sweep(&timers->expiries, timers, IDV_DUE_EXPIRY, IDV_INPUT_EXPIRE);
    start_sweep(&timers->reviews, timers, IDV_DUE_REVIEW,
                IDV_INPUT_REVIEW_TIMEOUT);
    if (worker->config->risk_policy)
        start_sweep(&timers->checks, timers, IDV_DUE_CHECKS,
                    IDV_INPUT_RESUME_CHECKS);
    start_sweep(&timers->handoffs, timers, IDV_DUE_HANDOFF,
                IDV_INPUT_HANDOFF_IDLE);
    start_timer(timers, &timers->purge_timer, on_purge_due, IDV_SECOND);
    start_timer(timers, &timers->recovery_timer, on_recovery_due,
                RECOVERY_PAUSE);
    start_timer(timers, &timers->backlog_timer, on_backlog_due, IDV_SECOND);
    return timers;
}

void idv_timers_stop(idv_timers_t *timers)
{
    idv_event_loop_t *loop = timers->worker->loop;

    idv_event_loop_cancel(loop, &timers->expiries.timer);
    idv_event_loop_cancel(loop, &timers->reviews.timer);
    idv_event_loop_cancel(loop, &timers->checks.timer);
    idv_event_loop_cancel(loop, &timers->handoffs.timer);
    idv_event_loop_cancel(loop, &timers->purge_timer);
    idv_event_loop_cancel(loop, &timers->recovery_timer);
    idv_event_loop_cancel(loop, &timers->backlog_timer);
}
