/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/deliverer.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

#include "out/webhook_client.h"
#include "store/delivery.h"
#include "worker/delivery_record.h"
#include "worker/delivery_request.h"
#include "worker/delivery_schedule.h"
#include "worker/endpoint_limit.h"

APLOG_USE_MODULE(verify);

#define LEASE_SLACK (60 * IDV_SECOND) /* beyond the exchange's deadline */
#define CLAIMER_BYTES 6
#define SETTLE_BATCH 128
#define SETTLE_DELAY 5 /* ms for others to join the batch */
#define CLAIM_BATCH 256
#define CLAIM_DELAY 2 /* ms for more slots to become free */
#define CLAIM_LATER 20 /* the same while enough waits for its slot */
#define CLAIM_LOW 64 /* claimed and not yet begun: more is wanted */
#define WAIT_MAX (5 * IDV_SECOND) /* for a slot, then the claim is too old */
#define START_BATCH 8 /* exchanges started when there is nothing else to do */
#define START_DELAY 5 /* ms until some are started all the same */

/* One delivery, in its own pool, from its claim until it is settled. */
typedef struct task_t task_t;
struct task_t {
    idv_endpoint_waiter_t waiter; /* the first member */
    task_t *next;         /* to be started after this one */
    task_t *older, **link; /* among all */
    idv_deliverer_t *deliverer;
    apr_pool_t *pool;
    idv_delivery_t delivery;
    idv_delivery_request_t request;
    idv_time_t claimed; /* monotonic */
    idv_delivery_result_t result;
};

struct idv_deliverer_t {
    idv_worker_t *worker;
    apr_pool_t *pool;
    idv_webhook_client_config_t client_config;
    idv_webhook_client_t *client;
    idv_endpoint_limits_t *limits;
    idv_delivery_signers_t *signers;
    const char *claimer;
    task_t *tasks;                  /* all, the newest first */
    task_t *claimed, **claimed_end; /* not yet started, the oldest first */
    int claimed_count;
    apr_array_header_t *ended; /* of task_t *, not yet settled */
    apr_array_header_t *stale; /* of task_t *, to be given back */
    char after_endpoint[64]; /* where the last claim ended */
    idv_time_t last_lease; /* its end; each claim has another one */
    /* The server may have carried out a claim whose connection broke before it
     * could say so: nobody works on what was leased then. 0: none. */
    idv_time_t lost_lease;
    int stopping;
    int new_ones, due_ones; /* there may be some */
    idv_event_timer_t client_timer, settle_timer, claim_timer, poll_timer,
        start_timer;
};

static apr_pool_t *scratch_of(const idv_deliverer_t *deliverer)
{
    return idv_event_loop_scratch(deliverer->worker->loop);
}

/* --- settling --- */

static void destroy_task(task_t *task)
{
    *task->link = task->older;
    if (task->older)
        task->older->link = task->link;
    apr_pool_destroy(task->pool);
}

static idv_error_t *settle_some(idv_deliverer_t *deliverer, idv_db_t *db,
                                int first, int count)
{
    apr_pool_t *scratch = scratch_of(deliverer);
    task_t **tasks = (task_t **)deliverer->ended->elts + first;
    idv_delivery_result_t *results =
        apr_palloc(scratch, (apr_size_t)count * sizeof(*results));

    for (int i = 0; i < count; i++)
        results[i] = tasks[i]->result;
    return idv_delivery_settle(db, deliverer->claimer, idv_time_now(), results,
                               count, NULL, scratch);
}

static idv_error_t *give_back_stale(idv_deliverer_t *deliverer, idv_db_t *db)
{
    apr_array_header_t *stale = deliverer->stale;
    apr_pool_t *scratch = scratch_of(deliverer);
    idv_delivery_t *deliveries =
        apr_palloc(scratch, (apr_size_t)stale->nelts * sizeof(*deliveries));

    for (int i = 0; i < stale->nelts; i++)
        deliveries[i] = APR_ARRAY_IDX(stale, i, task_t *)->delivery;
    IDV_TRY(idv_delivery_release(db, deliverer->claimer, deliveries,
                                 stale->nelts, scratch));
    while (stale->nelts)
        destroy_task(*(task_t **)apr_array_pop(stale));
    deliverer->new_ones = deliverer->due_ones = 1;
    return NULL;
}

/* Records what has ended; what cannot be recorded now stays for the next
 * time. */
static void settle(idv_deliverer_t *deliverer)
{
    idv_db_t *db = idv_worker_database(deliverer->worker);
    apr_array_header_t *ended = deliverer->ended;
    int done = 0;

    while (db && done < ended->nelts) {
        int count = ended->nelts - done;
        idv_error_t *error;

        if (count > SETTLE_BATCH)
            count = SETTLE_BATCH;
        error = settle_some(deliverer, db, done, count);
        if (error) {
            idv_worker_database_failed(deliverer->worker, error);
            break;
        }
        for (int i = done; i < done + count; i++)
            destroy_task(APR_ARRAY_IDX(ended, i, task_t *));
        done += count;
    }
    memmove(ended->elts, ended->elts + (size_t)done * sizeof(task_t *),
            (size_t)(ended->nelts - done) * sizeof(task_t *));
    ended->nelts -= done;
    if (db && !ended->nelts && deliverer->stale->nelts) {
        idv_error_t *error = give_back_stale(deliverer, db);

        if (error)
            idv_worker_database_failed(deliverer->worker, error);
    }
    if (ended->nelts || deliverer->stale->nelts)
        idv_event_loop_schedule(deliverer->worker->loop,
                                &deliverer->settle_timer,
                                deliverer->worker->config->poll_interval);
}

static void plan_claim(idv_deliverer_t *deliverer, idv_time_t delay)
{
    idv_event_timer_t *timer = &deliverer->claim_timer;

    if (deliverer->stopping)
        return;
    if (!timer->scheduled || timer->due > idv_event_loop_now() + delay)
        idv_event_loop_schedule(deliverer->worker->loop, timer, delay);
}

static void on_settle_due(void *baton)
{
    settle(baton);
}

static void plan_settling(idv_deliverer_t *deliverer)
{
    if (deliverer->ended->nelts >= SETTLE_BATCH)
        idv_event_loop_schedule(deliverer->worker->loop,
                                &deliverer->settle_timer, 0);
    else if (!deliverer->settle_timer.scheduled)
        idv_event_loop_schedule(deliverer->worker->loop,
                                &deliverer->settle_timer, SETTLE_DELAY);
}

/* The task has its result. */
static void end_task(task_t *task)
{
    APR_ARRAY_PUSH(task->deliverer->ended, task_t *) = task;
    plan_settling(task->deliverer);
}

/* --- one delivery --- */

static void count_verdict(const task_t *task, idv_delivery_verdict_t verdict,
                          const idv_webhook_response_t *response)
{
    idv_statistics_t *statistics = task->deliverer->worker->statistics;

    if (response->result == IDV_WEBHOOK_ADDRESS_FORBIDDEN)
        idv_statistics_count(statistics, address_refusals);
    if (verdict == IDV_DELIVERY_DELIVERED)
        idv_statistics_count(statistics, deliveries_succeeded);
    else if (verdict == IDV_DELIVERY_RETRY)
        idv_statistics_count(statistics, deliveries_retried);
    else
        idv_statistics_count(statistics, deliveries_failed);
}

static void start_later(task_t *task)
{
    idv_deliverer_t *deliverer = task->deliverer;

    task->next = NULL;
    *deliverer->claimed_end = task;
    deliverer->claimed_end = &task->next;
    deliverer->claimed_count++;
    if (!deliverer->start_timer.scheduled)
        idv_event_loop_schedule_idle(deliverer->worker->loop,
                                     &deliverer->start_timer, START_DELAY);
}

/* An exchange has ended: others of its endpoint may begin. */
static void begin_waiting(idv_deliverer_t *deliverer, const char *endpoint_id)
{
    idv_endpoint_waiter_t *waiter;

    while ((waiter = idv_endpoint_limits_next(deliverer->limits, endpoint_id)))
        start_later((task_t *)waiter);
}

/* More is claimed in a moment, unless there is enough to begin until then. */
static idv_time_t claim_delay(const idv_deliverer_t *deliverer)
{
    int waiting = deliverer->claimed_count
        + idv_endpoint_limits_waiting(deliverer->limits);
    int under_way = idv_endpoint_limits_in_flight(deliverer->limits)
        - deliverer->claimed_count;

    return waiting > CLAIM_LOW && waiting >= under_way / 2 ? CLAIM_LATER
                                                           : CLAIM_DELAY;
}

static void on_response(void *baton, const idv_webhook_response_t *response)
{
    task_t *task = baton;
    idv_deliverer_t *deliverer = task->deliverer;
    idv_delivery_attempt_t attempt = {
        .attempt = task->delivery.attempt + 1,
        .result = response->result,
        .status_code = response->status_code,
        .retry_after = apr_table_get(response->headers, "retry-after"),
    };
    idv_delivery_verdict_t verdict;
    uint32_t random = 0;

    if (response->result != IDV_WEBHOOK_OK)
        idv_random_bytes((unsigned char *)&random, sizeof(random));
    verdict = idv_delivery_decide(&attempt, idv_time_now(), random,
                                  &task->result.next_attempt_at);
    task->result.status = idv_delivery_record_status(verdict);
    task->result.response = idv_delivery_record_response(response, task->pool);
    task->result.last_error =
        idv_delivery_record_error(response, task->pool);
    if (response->result != IDV_WEBHOOK_OK)
        idv_worker_log(deliverer->worker, APLOG_INFO, "IDV0310",
                       "delivery %s to %s, attempt %d: %s, status %d",
                       task->delivery.id, task->delivery.endpoint_id,
                       attempt.attempt,
                       idv_webhook_result_code(response->result),
                       response->status_code);
    count_verdict(task, verdict, response);
    /* Claims have passed over a full endpoint. */
    if (idv_endpoint_limits_end(deliverer->limits, task->delivery.endpoint_id,
                                response->status_code != 0))
        deliverer->new_ones = 1;
    begin_waiting(deliverer, task->delivery.endpoint_id);
    end_task(task);
    if (deliverer->new_ones || deliverer->due_ones)
        plan_claim(deliverer, claim_delay(deliverer));
}

static task_t *create_task(idv_deliverer_t *deliverer,
                           const idv_delivery_t *delivery)
{
    apr_pool_t *pool;
    task_t *task;

    apr_pool_create(&pool, deliverer->pool);
    task = apr_pcalloc(pool, sizeof(*task));
    task->deliverer = deliverer;
    task->pool = pool;
    task->older = deliverer->tasks;
    task->link = &deliverer->tasks;
    if (task->older)
        task->older->link = &task->older;
    deliverer->tasks = task;
    task->claimed = idv_event_loop_now();
    task->delivery = *delivery;
    task->delivery.organization_id = apr_pstrdup(pool, delivery->organization_id);
    task->delivery.id = apr_pstrdup(pool, delivery->id);
    task->delivery.endpoint_id = apr_pstrdup(pool, delivery->endpoint_id);
    task->delivery.event_id = apr_pstrdup(pool, delivery->event_id);
    task->delivery.url = apr_pstrdup(pool, delivery->url);
    task->delivery.body = apr_pstrdup(pool, delivery->body);
    task->delivery.sealed_secret.data =
        apr_pmemdup(pool, delivery->sealed_secret.data,
                    delivery->sealed_secret.length);
    task->result.organization_id = task->delivery.organization_id;
    task->result.id = task->delivery.id;
    task->result.leased_until = delivery->leased_until;
    task->result.request_url = "";
    task->result.request_headers = "";
    task->result.response = "";
    task->result.last_error = "";
    return task;
}

static void begin(idv_deliverer_t *deliverer, const idv_delivery_t *delivery)
{
    task_t *task = create_task(deliverer, delivery);

    if (!delivery->endpoint_enabled || !delivery->url || !delivery->body) {
        task->result.status = idv_delivery_record_status(IDV_DELIVERY_FAILED);
        task->result.last_error = idv_delivery_record_endpoint_disabled();
        idv_statistics_count(deliverer->worker->statistics,
                             deliveries_failed);
        end_task(task);
        plan_claim(deliverer, CLAIM_DELAY);
    } else if (idv_endpoint_limits_begin(deliverer->limits,
                                         delivery->endpoint_id,
                                         &task->waiter)) {
        start_later(task);
    }
}

/* Not to be sent: a claim that is too old, or a delivery that cannot be
 * signed. */
static void withdraw(task_t *task)
{
    idv_deliverer_t *deliverer = task->deliverer;

    idv_endpoint_limits_cancel(deliverer->limits, task->delivery.endpoint_id);
    begin_waiting(deliverer, task->delivery.endpoint_id);
}

static void start(task_t *task)
{
    idv_deliverer_t *deliverer = task->deliverer;
    idv_error_t *error;

    if (idv_event_loop_now() - task->claimed > WAIT_MAX) {
        withdraw(task);
        APR_ARRAY_PUSH(deliverer->stale, task_t *) = task;
        plan_settling(deliverer);
        return;
    }
    task->request.pool = task->pool;
    task->request.delivery = &task->delivery;
    task->request.timestamp = idv_time_seconds(idv_time_now());
    error = idv_delivery_request_make(deliverer->signers, &task->request,
                                      scratch_of(deliverer));
    if (error) {
        /* A wrong master key must not use up attempts: the lease runs out and
         * the delivery is due again. */
        idv_worker_log(deliverer->worker, APLOG_ERR, "IDV0311",
                       "delivery %s cannot be signed: %s", task->delivery.id,
                       error->detail ? error->detail : error->message);
        withdraw(task);
        destroy_task(task);
        return;
    }
    task->result.request_url = task->delivery.url;
    task->result.request_headers = idv_delivery_record_request_headers(
        &task->delivery, task->request.timestamp, task->pool);
    idv_webhook_client_send(deliverer->client, &task->request.http, on_response,
                            task, task->pool);
}

static void start_some(idv_deliverer_t *deliverer, int count)
{
    task_t *task;

    while (count-- > 0 && (task = deliverer->claimed)) {
        deliverer->claimed = task->next;
        deliverer->claimed_count--;
        if (!deliverer->claimed)
            deliverer->claimed_end = &deliverer->claimed;
        start(task);
    }
}

static void on_start_due(void *baton)
{
    idv_deliverer_t *deliverer = baton;

    start_some(deliverer, START_BATCH);
    if ((deliverer->new_ones || deliverer->due_ones)
        && claim_delay(deliverer) == CLAIM_DELAY)
        plan_claim(deliverer, CLAIM_DELAY);
    if (deliverer->claimed)
        idv_event_loop_schedule_idle(deliverer->worker->loop,
                                     &deliverer->start_timer, START_DELAY);
}

/* --- claiming --- */

static idv_time_t lease_end(idv_deliverer_t *deliverer, idv_time_t now)
{
    idv_time_t end =
        now + deliverer->worker->config->webhook_timeout + LEASE_SLACK;

    if (end <= deliverer->last_lease)
        end = deliverer->last_lease + 1;
    deliverer->last_lease = end;
    return end;
}

/* Non-zero when there may be more of the kind. */
static int claim(idv_deliverer_t *deliverer, int repeated)
{
    idv_worker_t *worker = deliverer->worker;
    idv_db_t *db = idv_worker_database(worker);
    apr_pool_t *scratch = scratch_of(deliverer);
    idv_delivery_claim_t request = {
        .claimer = deliverer->claimer,
        .node = worker->node,
        .now = idv_time_now(),
        .lost_lease = deliverer->lost_lease,
        .repeated = repeated,
        .after_endpoint = deliverer->after_endpoint,
    };
    idv_delivery_t *deliveries;
    idv_error_t *error;
    int count;

    if (!db)
        return 1;
    request.leased_until = lease_end(deliverer, request.now);
    idv_endpoint_limits_room(deliverer->limits, &request, scratch);
    if (request.limit > CLAIM_BATCH)
        request.limit = CLAIM_BATCH;
    if (request.limit <= 0)
        return 1;
    error = idv_delivery_claim(db, &request, &deliveries, &count, scratch);
    if (error) {
        deliverer->lost_lease = request.leased_until;
        deliverer->new_ones = deliverer->due_ones = 1;
        idv_worker_database_failed(worker, error);
        return 1;
    }
    for (int i = 0; i < count; i++)
        begin(deliverer, &deliveries[i]);
    if (count)
        apr_cpystrn(deliverer->after_endpoint,
                    deliveries[count - 1].endpoint_id,
                    sizeof(deliverer->after_endpoint));
    idv_statistics_set(worker->statistics, deliveries_in_flight,
                       idv_endpoint_limits_in_flight(deliverer->limits));
    return count > 0;
}

static void on_claim_due(void *baton)
{
    idv_deliverer_t *deliverer = baton;

    if (deliverer->stopping)
        return;
    if (deliverer->new_ones)
        deliverer->new_ones = claim(deliverer, 0);
    if (deliverer->due_ones)
        deliverer->due_ones = claim(deliverer, 1);
}

static void on_poll_due(void *baton)
{
    idv_deliverer_t *deliverer = baton;
    idv_worker_t *worker = deliverer->worker;

    deliverer->new_ones = deliverer->due_ones = 1;
    plan_claim(deliverer, 0);
    idv_statistics_set(worker->statistics, deliveries_in_flight,
                       idv_endpoint_limits_in_flight(deliverer->limits));
    idv_event_loop_schedule(worker->loop, &deliverer->poll_timer,
                            worker->config->poll_interval);
}

void idv_deliverer_wake(idv_deliverer_t *deliverer)
{
    deliverer->new_ones = 1;
    if (!deliverer->stopping)
        idv_event_loop_schedule(deliverer->worker->loop,
                                &deliverer->claim_timer, 0);
}

/* --- the client's host --- */

static void on_client_ready(void *baton, int fd, int readable, int writable)
{
    idv_deliverer_t *deliverer = baton;

    idv_webhook_client_ready(deliverer->client, fd, readable, writable);
}

static void watch_for_client(void *baton, int fd, int readable, int writable)
{
    idv_deliverer_t *deliverer = baton;
    idv_event_loop_t *loop = deliverer->worker->loop;
    idv_error_t *error = NULL;

    if (readable || writable)
        error = idv_event_loop_watch(loop, fd, readable, writable,
                                     on_client_ready, deliverer);
    else
        idv_event_loop_forget(loop, fd);
    if (error) /* the exchange will end by its timeout */
        idv_worker_log(deliverer->worker, APLOG_ERR, "IDV0312", "%s",
                       error->detail);
}

static void on_client_due(void *baton)
{
    idv_deliverer_t *deliverer = baton;

    idv_webhook_client_timeout(deliverer->client);
}

static void set_client_timer(void *baton, long milliseconds)
{
    idv_deliverer_t *deliverer = baton;
    idv_event_loop_t *loop = deliverer->worker->loop;

    if (milliseconds < 0)
        idv_event_loop_cancel(loop, &deliverer->client_timer);
    else
        idv_event_loop_schedule(loop, &deliverer->client_timer, milliseconds);
}

/* --- life --- */

static void set_timer(idv_event_timer_t *timer, idv_event_due_t *callback,
                      idv_deliverer_t *deliverer)
{
    timer->callback = callback;
    timer->baton = deliverer;
}

idv_error_t *idv_deliverer_create(idv_worker_t *worker, idv_deliverer_t **out,
                                  apr_pool_t *pool)
{
    idv_deliverer_t *deliverer = apr_pcalloc(pool, sizeof(*deliverer));
    const idv_watchdog_config_t *config = worker->config;
    idv_webhook_host_t host = {watch_for_client, set_client_timer, deliverer};

    deliverer->worker = worker;
    deliverer->pool = pool;
    deliverer->claimer = apr_pstrcat(pool, worker->node, ".",
                                     idv_random_token(CLAIMER_BYTES, pool),
                                     NULL);
    deliverer->ended = apr_array_make(pool, SETTLE_BATCH, sizeof(task_t *));
    deliverer->stale = apr_array_make(pool, SETTLE_BATCH, sizeof(task_t *));
    deliverer->signers = idv_delivery_signers_create(config->keys, pool);
    deliverer->limits = idv_endpoint_limits_create(
        config->webhook_endpoint_in_flight, config->webhook_in_flight, pool);
    deliverer->client_config.allowed = config->webhook_allow;
    deliverer->client_config.ca_file = config->webhook_ca_file;
    deliverer->client_config.timeout = config->webhook_timeout;
    deliverer->client_config.kept_connections = config->webhook_in_flight;
    set_timer(&deliverer->client_timer, on_client_due, deliverer);
    set_timer(&deliverer->settle_timer, on_settle_due, deliverer);
    set_timer(&deliverer->claim_timer, on_claim_due, deliverer);
    set_timer(&deliverer->poll_timer, on_poll_due, deliverer);
    set_timer(&deliverer->start_timer, on_start_due, deliverer);
    deliverer->claimed_end = &deliverer->claimed;
    IDV_TRY(idv_webhook_client_create(&deliverer->client_config, &host,
                                      &deliverer->client, pool));
    idv_event_loop_schedule(worker->loop, &deliverer->poll_timer, 0);
    *out = deliverer;
    return NULL;
}

void idv_deliverer_stop(idv_deliverer_t *deliverer)
{
    deliverer->stopping = 1;
    idv_event_loop_cancel(deliverer->worker->loop, &deliverer->claim_timer);
    idv_event_loop_cancel(deliverer->worker->loop, &deliverer->poll_timer);
}

int idv_deliverer_in_flight(const idv_deliverer_t *deliverer)
{
    return idv_endpoint_limits_in_flight(deliverer->limits);
}

static void release(idv_deliverer_t *deliverer, idv_db_t *db)
{
    apr_pool_t *scratch = scratch_of(deliverer);
    apr_array_header_t *held =
        apr_array_make(scratch, CLAIM_BATCH, sizeof(idv_delivery_t));
    idv_error_t *error;

    for (task_t *task = deliverer->tasks; task; task = task->older)
        APR_ARRAY_PUSH(held, idv_delivery_t) = task->delivery;
    error = idv_delivery_release(db, deliverer->claimer,
                                 (const idv_delivery_t *)held->elts,
                                 held->nelts, scratch);
    if (error)
        idv_worker_database_failed(deliverer->worker, error);
}

void idv_deliverer_release(idv_deliverer_t *deliverer)
{
    settle(deliverer);
    if (deliverer->worker->db && deliverer->tasks)
        release(deliverer, deliverer->worker->db);
}
