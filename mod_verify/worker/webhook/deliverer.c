/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/webhook/deliverer.h"

#include <stddef.h>
#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

#include "worker/webhook/delivery_attempt.h"
#include "worker/webhook/delivery_queue.h"
#include "worker/webhook/endpoint_limit.h"

APLOG_USE_MODULE(verify);

/* Claims (see claim_delay()). */
#define CLAIM_DELAY 2  /* ms from a free slot to a claim: others may follow */
#define CLAIM_LATER 20 /* the same while enough deliveries wait for slots */
#define CLAIM_LOW 256   /* deliveries that wait; with fewer, more are wanted */
/* A delivery that has waited so long for a slot is given back. */
#define WAIT_MAX (5 * IDV_SECOND)

#define QUICK_ANSWER 2000 /* ms; an endpoint that takes longer is slow */

/* Sending (deliverer.h, "Pace"). */
#define SEND_BATCH 8 /* deliveries that an idle moment sends */
#define SEND_DELAY 5 /* ms after which a busy loop sends them, too */

/* One delivery, in its own pool, from its claim until it is settled. */
typedef struct task_t task_t;
struct task_t {
    idv_endpoint_waiter_t waiter; /* the first member */
    task_t *next;                 /* in the queue of ready ones */
    task_t *older, **link;        /* in the list of all */
    idv_deliverer_t *deliverer;
    apr_pool_t *pool;
    idv_delivery_t delivery;
    idv_delivery_request_t request;
    idv_span_t span; /* of the attempt */
    idv_time_t claimed; /* monotonic */
    idv_delivery_result_t result;
    int ended; /* the queue has the result */
};

struct idv_deliverer_t {
    idv_worker_t *worker;
    apr_pool_t *pool;
    idv_http_client_t *client;
    idv_endpoint_limits_t *limits;
    idv_delivery_signers_t *signers;
    idv_delivery_queue_t *queue;
    task_t *tasks; /* all, the newest first */
    /* Ready: with a slot of their endpoint and not sent yet, the oldest
     * first. */
    task_t *ready, **ready_end;
    int ready_count;
    idv_event_timer_t send_timer;
};

static apr_pool_t *scratch_of(const idv_deliverer_t *deliverer)
{
    return idv_event_loop_scratch(deliverer->worker->loop);
}

/* --- one delivery --- */

static void destroy_task(task_t *task)
{
    *task->link = task->older;
    if (task->older)
        task->older->link = task->link;
    apr_pool_destroy(task->pool);
}

/* Hands the result of TASK to the queue, which tells when it is recorded. */
static void end_task(task_t *task)
{
    task->ended = 1;
    idv_delivery_queue_settle(task->deliverer->queue, &task->result);
}

static void on_settled(void *baton, idv_delivery_result_t *result)
{
    (void)baton;
    destroy_task((task_t *)(void *)((char *)result - offsetof(task_t, result)));
}

/* Ends TASK without an attempt: the delivery is due again at once. */
static void give_back(task_t *task)
{
    task->result.status = idv_delivery_record_status(IDV_DELIVERY_RETRY);
    task->result.next_attempt_at = 0;
    task->result.request_url = "";
    end_task(task);
}

static void count_verdict(const task_t *task, idv_delivery_verdict_t verdict,
                          const idv_http_response_t *response)
{
    idv_statistics_t *statistics = task->deliverer->worker->statistics;

    if (response->result == IDV_HTTP_ADDRESS_FORBIDDEN)
        idv_statistics_count(statistics, address_refusals);
    if (verdict == IDV_DELIVERY_DELIVERED)
        idv_statistics_count(statistics, deliveries_succeeded);
    else if (verdict == IDV_DELIVERY_RETRY)
        idv_statistics_count(statistics, deliveries_retried);
    else
        idv_statistics_count(statistics, deliveries_failed);
}

static void send_later(task_t *task)
{
    idv_deliverer_t *deliverer = task->deliverer;

    task->next = NULL;
    *deliverer->ready_end = task;
    deliverer->ready_end = &task->next;
    deliverer->ready_count++;
    if (!deliverer->send_timer.scheduled)
        idv_event_loop_schedule_idle(deliverer->worker->loop,
                                     &deliverer->send_timer, SEND_DELAY);
}

/* An exchange has ended: deliveries that wait for a slot of its endpoint have
 * one now, as many as there is room for. */
static void give_slots(idv_deliverer_t *deliverer, const char *endpoint_id)
{
    idv_endpoint_waiter_t *waiter;

    while ((waiter = idv_endpoint_limits_next(deliverer->limits, endpoint_id)))
        send_later((task_t *)waiter);
}

/* How long the next claim has to wait: not at all when no delivery waits to be
 * sent, a moment when few do, and longer while there are enough of them to keep
 * the slots busy until then. */
static idv_time_t claim_delay(const idv_deliverer_t *deliverer)
{
    int waiting = deliverer->ready_count
        + idv_endpoint_limits_waiting(deliverer->limits);
    int under_way = idv_endpoint_limits_in_flight(deliverer->limits)
        - deliverer->ready_count;

    if (!waiting)
        return 0;
    return waiting > CLAIM_LOW && waiting >= under_way / 2 ? CLAIM_LATER
                                                           : CLAIM_DELAY;
}

static idv_endpoint_answer_t answer_of(const idv_http_response_t *response)
{
    if (!response->status_code)
        return IDV_ENDPOINT_SILENT;
    return response->duration_ms > QUICK_ANSWER ? IDV_ENDPOINT_SLOW
                                                : IDV_ENDPOINT_QUICK;
}

static void on_response(void *baton, const idv_http_response_t *response)
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

    if (response->result != IDV_HTTP_OK)
        idv_random_bytes((unsigned char *)&random, sizeof(random));
    verdict = idv_delivery_decide(&attempt, idv_time_now(), random,
                                  &task->result.next_attempt_at);
    task->span.status = response->status_code;
    idv_span_end(&task->span, response->result != IDV_HTTP_OK);
    task->result.status = idv_delivery_record_status(verdict);
    task->result.response = idv_delivery_record_response(response, task->pool);
    task->result.last_error =
        idv_delivery_record_error(response, task->pool);
    if (response->result != IDV_HTTP_OK)
        idv_worker_log(deliverer->worker, APLOG_INFO, "IDV0310",
                       "delivery %s to %s, attempt %d: %s, status %d",
                       task->delivery.id, task->delivery.endpoint_id,
                       attempt.attempt, idv_http_result_code(response->result),
                       response->status_code);
    count_verdict(task, verdict, response);
    /* While the endpoint was full, claims have passed over its deliveries. */
    if (idv_endpoint_limits_end(deliverer->limits, task->delivery.endpoint_id,
                                answer_of(response), idv_event_loop_now()))
        idv_delivery_queue_look_again(deliverer->queue);
    give_slots(deliverer, task->delivery.endpoint_id);
    end_task(task);
    idv_delivery_queue_claim(deliverer->queue, claim_delay(deliverer));
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
    if (delivery->trace)
        task->delivery.trace =
            apr_pmemdup(pool, delivery->trace, sizeof(*delivery->trace));
    task->delivery.sealed_secret = idv_bytes_copy(delivery->sealed_secret, pool);
    task->delivery.sealed_former_secret =
        idv_bytes_copy(delivery->sealed_former_secret, pool);
    task->result.organization_id = task->delivery.organization_id;
    task->result.id = task->delivery.id;
    task->result.leased_until = delivery->leased_until;
    task->result.request_url = "";
    task->result.request_headers = "";
    task->result.response = "";
    task->result.last_error = "";
    return task;
}

static void take_delivery(idv_deliverer_t *deliverer, const idv_delivery_t *delivery)
{
    task_t *task = create_task(deliverer, delivery);

    if (!delivery->endpoint_enabled || !delivery->url || !delivery->body) {
        task->result.status = idv_delivery_record_status(IDV_DELIVERY_FAILED);
        task->result.last_error = idv_delivery_record_endpoint_disabled();
        idv_statistics_count(deliverer->worker->statistics,
                             deliveries_failed);
        end_task(task);
        idv_delivery_queue_claim(deliverer->queue, CLAIM_DELAY);
    } else if (idv_endpoint_limits_begin(deliverer->limits,
                                         delivery->endpoint_id,
                                         &task->waiter)) {
        send_later(task);
    }
}

/* Frees the slot of a TASK that is not going to be sent, because its claim is
 * too old or because it cannot be signed. */
static void withdraw(task_t *task)
{
    idv_deliverer_t *deliverer = task->deliverer;

    idv_endpoint_limits_cancel(deliverer->limits, task->delivery.endpoint_id);
    give_slots(deliverer, task->delivery.endpoint_id);
}

static void sign_and_send(task_t *task)
{
    idv_deliverer_t *deliverer = task->deliverer;
    idv_error_t *error;

    if (idv_event_loop_now() - task->claimed > WAIT_MAX) {
        withdraw(task);
        give_back(task);
        return;
    }
    task->request.pool = task->pool;
    task->request.delivery = &task->delivery;
    task->request.timestamp = idv_time_seconds(idv_time_now());
    error = idv_delivery_request_make(deliverer->signers, &task->request,
                                      scratch_of(deliverer));
    if (error) {
        /* A wrong master key must not use up attempts: no result is recorded,
         * the lease runs out, and the delivery is due again. */
        idv_worker_log_failure(deliverer->worker, "IDV0311", error,
                               "delivery %s cannot be signed",
                               task->delivery.id);
        withdraw(task);
        destroy_task(task);
        return;
    }
    if (task->request.former_fault)
        idv_worker_log_failure(deliverer->worker, "IDV0950",
                               task->request.former_fault,
                               "delivery %s is signed with the new secret only",
                               task->delivery.id);
    task->result.request_url = task->delivery.url;
    task->result.request_headers = idv_delivery_record_request_headers(
        &task->delivery, task->request.timestamp, task->pool);
    idv_span_begin(&task->span, task->delivery.trace, IDV_SPAN_DELIVERY,
                   "deliver webhook");
    idv_span_set_subject(&task->span, task->delivery.event_id);
    idv_http_client_send(deliverer->client, &task->request.http, on_response,
                         task, task->pool);
}

static void send_some(idv_deliverer_t *deliverer, int count)
{
    task_t *task;

    while (count-- > 0 && (task = deliverer->ready)) {
        deliverer->ready = task->next;
        deliverer->ready_count--;
        if (!deliverer->ready)
            deliverer->ready_end = &deliverer->ready;
        sign_and_send(task);
    }
}

static void on_send_due(void *baton)
{
    idv_deliverer_t *deliverer = baton;

    send_some(deliverer, SEND_BATCH);
    if (claim_delay(deliverer) != CLAIM_LATER)
        idv_delivery_queue_claim(deliverer->queue, CLAIM_DELAY);
    if (deliverer->ready)
        idv_event_loop_schedule_idle(deliverer->worker->loop,
                                     &deliverer->send_timer, SEND_DELAY);
}

static void on_claimed(void *baton, const idv_delivery_t *deliveries, int count)
{
    for (int i = 0; i < count; i++)
        take_delivery(baton, &deliveries[i]);
}

void idv_deliverer_wake(idv_deliverer_t *deliverer)
{
    idv_delivery_queue_wake(deliverer->queue);
}

/* --- life --- */

idv_error_t *idv_deliverer_create(idv_worker_t *worker, idv_deliverer_t **out,
                                  apr_pool_t *pool)
{
    idv_deliverer_t *deliverer = apr_pcalloc(pool, sizeof(*deliverer));
    const idv_watchdog_config_t *config = worker->config;
    const idv_http_client_config_t client_config = {
        .allowed = config->webhook_allow,
        .ca_file = config->webhook_ca_file,
        .timeout = IDV_WEBHOOK_TIMEOUT,
        .kept_connections = config->webhook_in_flight,
    };
    idv_delivery_queue_host_t queue_host = {on_claimed, on_settled, deliverer};

    deliverer->worker = worker;
    deliverer->pool = pool;
    deliverer->signers = idv_delivery_signers_create(config->keys, pool);
    deliverer->limits = idv_endpoint_limits_create(
        config->webhook_endpoint_in_flight, config->webhook_in_flight, pool);
    deliverer->send_timer.callback = on_send_due;
    deliverer->send_timer.baton = deliverer;
    deliverer->ready_end = &deliverer->ready;
    IDV_TRY(idv_worker_http_client_create(worker, &client_config,
                                          &deliverer->client, pool));
    deliverer->queue = idv_delivery_queue_create(worker, deliverer->limits,
                                                 &queue_host, pool);
    *out = deliverer;
    return NULL;
}

void idv_deliverer_stop(idv_deliverer_t *deliverer)
{
    idv_delivery_queue_stop(deliverer->queue);
}

int idv_deliverer_in_flight(const idv_deliverer_t *deliverer)
{
    return idv_endpoint_limits_in_flight(deliverer->limits);
}

void idv_deliverer_release(idv_deliverer_t *deliverer)
{
    idv_delivery_queue_wait(deliverer->queue);
    for (task_t *task = deliverer->tasks; task; task = task->older)
        if (!task->ended)
            give_back(task);
    idv_delivery_queue_finish(deliverer->queue);
}
