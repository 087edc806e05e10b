/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/webhook/delivery_queue.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

APLOG_USE_MODULE(verify);

#define CLAIMER_BYTES 6
#define CLAIM_BATCH 256
#define SETTLE_BATCH 256
#define SETTLE_DELAY 20 /* ms for others to join the batch */

struct idv_delivery_queue_t {
    idv_worker_t worker; /* a copy: the connection is the queue's own */
    idv_delivery_queue_host_t host;
    idv_endpoint_limits_t *limits;
    const char *claimer;
    /* Results that the database does not have yet, idv_delivery_result_t *; a
     * statement that records the first `settling` of them is under way. */
    apr_array_header_t *ended;
    int settling;
    int claiming; /* the statement of `claim` is under way */
    idv_delivery_claim_t claim;
    char after_endpoint[64]; /* with which the last claim ended */
    /* The end of the last claim's leases. No two claims have the same, so that
     * a result tells by it whether the lease is still the claim's own. */
    idv_time_t last_lease;
    /* The server may have carried out a claim whose connection broke before the
     * answer came: nobody works on those deliveries, and the next claim takes
     * them by the end of their leases. 0: there was no such claim. */
    idv_time_t lost_lease;
    int stopping;
    /* There may be deliveries that were never tried, or that are to be
     * repeated. */
    int new_ones, repeated_ones;
    /* Which statements are to be sent; results go before claims. */
    int settle_due, claim_new_due, claim_repeated_due;
    idv_event_timer_t settle_timer, claim_timer, poll_timer;
};

static apr_pool_t *scratch_of(const idv_delivery_queue_t *queue)
{
    return idv_event_loop_scratch(queue->worker.loop);
}

static void next_statement(idv_delivery_queue_t *queue);

/* --- results --- */

static void plan_settling(idv_delivery_queue_t *queue, idv_time_t delay)
{
    if (!queue->settle_timer.scheduled)
        idv_event_loop_schedule(queue->worker.loop, &queue->settle_timer,
                                delay);
}

static idv_error_t *send_results(idv_delivery_queue_t *queue, idv_db_t *db)
{
    int count = queue->ended->nelts;

    queue->settle_due = 0;
    queue->settling = count < SETTLE_BATCH ? count : SETTLE_BATCH;
    return idv_delivery_settle_send(
        db, queue->claimer,
        (const idv_delivery_result_t *const *)(void *)queue->ended->elts,
        queue->settling, scratch_of(queue));
}

static void end_settling(idv_delivery_queue_t *queue, const idv_error_t *error)
{
    apr_array_header_t *ended = queue->ended;
    int count = queue->settling;

    queue->settling = 0;
    if (error) {
        plan_settling(queue, IDV_POLL_INTERVAL);
        return;
    }
    for (int i = 0; i < count; i++)
        queue->host.settled(queue->host.baton,
                            APR_ARRAY_IDX(ended, i, idv_delivery_result_t *));
    ended->nelts -= count;
    memmove(ended->elts, (idv_delivery_result_t **)ended->elts + count,
            (size_t)ended->nelts * sizeof(idv_delivery_result_t *));
    queue->settle_due = ended->nelts >= SETTLE_BATCH;
    if (ended->nelts)
        plan_settling(queue, SETTLE_DELAY);
}

void idv_delivery_queue_settle(idv_delivery_queue_t *queue,
                               idv_delivery_result_t *result)
{
    APR_ARRAY_PUSH(queue->ended, idv_delivery_result_t *) = result;
    plan_settling(queue, SETTLE_DELAY);
    if (queue->ended->nelts - queue->settling == SETTLE_BATCH)
        idv_event_loop_schedule(queue->worker.loop, &queue->settle_timer, 0);
}

static void on_settle_due(void *baton)
{
    idv_delivery_queue_t *queue = baton;

    queue->settle_due = queue->ended->nelts > 0;
    next_statement(queue);
}

/* --- claims --- */

static idv_time_t lease_end(idv_delivery_queue_t *queue, idv_time_t now)
{
    idv_time_t end = now + IDV_WEBHOOK_TIMEOUT + IDV_LEASE_SLACK;

    if (end <= queue->last_lease)
        end = queue->last_lease + 1;
    queue->last_lease = end;
    return end;
}

static idv_error_t *send_claim(idv_delivery_queue_t *queue, idv_db_t *db,
                               int repeated)
{
    idv_delivery_claim_t *claim = &queue->claim;
    apr_pool_t *scratch = scratch_of(queue);

    claim->claimer = queue->claimer;
    /* A claim takes leases of its own node over, as those of a watchdog that
     * has died; while a predecessor departs, it must not take that one's. */
    claim->node = idv_worker_has_predecessor(&queue->worker)
                    ? queue->claimer
                    : queue->worker.node;
    claim->now = idv_time_now();
    claim->leased_until = lease_end(queue, claim->now);
    claim->lost_lease = queue->lost_lease;
    claim->repeated = repeated;
    claim->after_endpoint = queue->after_endpoint;
    idv_endpoint_limits_room(queue->limits, claim, idv_event_loop_now(),
                             scratch);
    if (claim->limit > CLAIM_BATCH)
        claim->limit = CLAIM_BATCH;
    if (claim->limit <= 0) { /* no room, until an exchange ends */
        queue->claim_new_due = queue->claim_repeated_due = 0;
        return NULL;
    }
    /* A wake-up during this claim may be about a delivery that the claim does
     * not see; it asks for the next one. */
    if (repeated)
        queue->repeated_ones = queue->claim_repeated_due = 0;
    else
        queue->new_ones = queue->claim_new_due = 0;
    queue->claiming = 1;
    return idv_delivery_claim_send(db, claim, scratch);
}

static void end_claim(idv_delivery_queue_t *queue, const idv_error_t *error,
                      const idv_db_result_t *rows)
{
    apr_pool_t *scratch = scratch_of(queue);
    idv_delivery_t *deliveries;
    int count;

    queue->claiming = 0;
    if (error) {
        queue->lost_lease = queue->claim.leased_until;
        queue->new_ones = queue->repeated_ones = 1;
        queue->claim_repeated_due = 0; /* until the next poll */
        return;
    }
    idv_delivery_claim_read(rows, &queue->claim, &deliveries, &count, scratch);
    if (queue->claim.repeated)
        queue->repeated_ones |= count > 0;
    else
        queue->new_ones |= count > 0;
    if (count)
        apr_cpystrn(queue->after_endpoint, deliveries[count - 1].endpoint_id,
                    sizeof(queue->after_endpoint));
    queue->host.claimed(queue->host.baton, deliveries, count);
    idv_statistics_set(queue->worker.statistics, deliveries_in_flight,
                       idv_endpoint_limits_in_flight(queue->limits));
}

void idv_delivery_queue_claim(idv_delivery_queue_t *queue, idv_time_t delay)
{
    idv_event_timer_t *timer = &queue->claim_timer;

    if (queue->stopping || (!queue->new_ones && !queue->repeated_ones))
        return;
    if (!timer->scheduled || timer->due > idv_event_loop_now() + delay)
        idv_event_loop_schedule(queue->worker.loop, timer, delay);
}

static void on_claim_due(void *baton)
{
    idv_delivery_queue_t *queue = baton;

    if (queue->stopping)
        return;
    queue->claim_new_due = queue->new_ones;
    queue->claim_repeated_due = queue->repeated_ones;
    next_statement(queue);
}

void idv_delivery_queue_wake(idv_delivery_queue_t *queue)
{
    queue->new_ones = 1;
    idv_delivery_queue_claim(queue, 0);
}

void idv_delivery_queue_look_again(idv_delivery_queue_t *queue)
{
    queue->new_ones = queue->repeated_ones = 1;
}

static void on_poll_due(void *baton)
{
    idv_delivery_queue_t *queue = baton;
    idv_worker_t *worker = &queue->worker;

    idv_delivery_queue_look_again(queue);
    idv_delivery_queue_claim(queue, 0);
    idv_statistics_set(worker->statistics, deliveries_in_flight,
                       idv_endpoint_limits_in_flight(queue->limits));
    idv_event_loop_schedule(worker->loop, &queue->poll_timer,
                            IDV_POLL_INTERVAL);
}

/* --- statements --- */

static int is_busy(const idv_delivery_queue_t *queue)
{
    return queue->settling || queue->claiming;
}

static void end_statement(idv_delivery_queue_t *queue, const idv_error_t *error,
                          const idv_db_result_t *result)
{
    if (error)
        idv_worker_database_failed(&queue->worker, error);
    if (queue->claiming)
        end_claim(queue, error, result);
    else
        end_settling(queue, error);
}

static void receive(idv_delivery_queue_t *queue, int wait)
{
    idv_db_t *db = queue->worker.db;
    idv_db_result_t *result;
    idv_error_t *error = idv_db_receive(db, wait, &result, scratch_of(queue));

    if (!result)
        return;
    idv_event_loop_forget(queue->worker.loop, PQsocket(idv_db_native(db)));
    end_statement(queue, error, result);
}

static void on_readable(void *baton, int fd, unsigned events)
{
    (void)fd;
    (void)events;
    receive(baton, 0);
    next_statement(baton);
}

/* Sends the next statement; the event loop tells when the answer is there. When
 * the socket cannot be watched, the answer is waited for. */
static void send_statement(idv_delivery_queue_t *queue, idv_db_t *db)
{
    idv_error_t *error;

    if (queue->settle_due)
        error = send_results(queue, db);
    else
        error = send_claim(queue, db, !queue->claim_new_due);
    if (error)
        end_statement(queue, error, NULL);
    else if (is_busy(queue)
             && idv_event_loop_watch(queue->worker.loop,
                                     PQsocket(idv_db_native(db)),
                                     IDV_EVENT_READABLE, on_readable, queue))
        receive(queue, 1);
}

static void next_statement(idv_delivery_queue_t *queue)
{
    while (!is_busy(queue)
           && (queue->settle_due || queue->claim_new_due
               || queue->claim_repeated_due)) {
        idv_db_t *db = idv_worker_database(&queue->worker);

        if (!db) /* the database is away; the next poll tries again */
            return;
        send_statement(queue, db);
    }
}

/* --- life --- */

static void set_timer(idv_event_timer_t *timer, idv_event_due_t *callback,
                      idv_delivery_queue_t *queue)
{
    timer->callback = callback;
    timer->baton = queue;
}

idv_delivery_queue_t *
idv_delivery_queue_create(const idv_worker_t *worker,
                          idv_endpoint_limits_t *limits,
                          const idv_delivery_queue_host_t *host,
                          apr_pool_t *pool)
{
    idv_delivery_queue_t *queue = apr_pcalloc(pool, sizeof(*queue));

    queue->worker = *worker;
    queue->worker.db = NULL;
    queue->worker.db_pool = NULL;
    queue->host = *host;
    queue->limits = limits;
    queue->claimer = apr_pstrcat(pool, worker->node, ".",
                                 idv_random_token(CLAIMER_BYTES, pool), NULL);
    queue->ended =
        apr_array_make(pool, SETTLE_BATCH, sizeof(idv_delivery_result_t *));
    set_timer(&queue->settle_timer, on_settle_due, queue);
    set_timer(&queue->claim_timer, on_claim_due, queue);
    set_timer(&queue->poll_timer, on_poll_due, queue);
    idv_event_loop_schedule(worker->loop, &queue->poll_timer, 0);
    return queue;
}

void idv_delivery_queue_stop(idv_delivery_queue_t *queue)
{
    queue->stopping = 1;
    queue->claim_new_due = queue->claim_repeated_due = 0;
    idv_event_loop_cancel(queue->worker.loop, &queue->claim_timer);
    idv_event_loop_cancel(queue->worker.loop, &queue->poll_timer);
}

void idv_delivery_queue_wait(idv_delivery_queue_t *queue)
{
    while (is_busy(queue))
        receive(queue, 1);
}

void idv_delivery_queue_finish(idv_delivery_queue_t *queue)
{
    int left = -1;

    idv_delivery_queue_wait(queue);
    while (queue->ended->nelts && queue->ended->nelts != left
           && idv_worker_database(&queue->worker)) {
        left = queue->ended->nelts;
        queue->settle_due = 1;
        send_statement(queue, queue->worker.db);
        idv_delivery_queue_wait(queue);
    }
}
