/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/connection/waiting.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include <ap_mpm.h>
#include <apr_atomic.h>
#include <apr_portable.h>
#include <apr_thread_cond.h>
#include <apr_thread_mutex.h>
#include <http_core.h>

#include "api/http/client_signals.h"
#include "httpd/process/child_process.h"

#ifndef AP_MPMQ_CAN_WAITIO /* httpd before 2.4.63: waiting is unsupported */
#define CONN_STATE_ASYNC_WAITIO CONN_STATE_LINGER
#endif

#define SWEEP_INTERVAL apr_time_from_msec(250)
/* The time limit of a head in a child that ends gracefully. While such children
 * wait, httpd may lack room for their replacements. */
#define LAST_HEAD_TIME apr_time_from_sec(1)
/* How long a child that ends waits for the next request on a connection. The
 * client of a busy one sends it within this time, and its response says that the
 * connection is closed. */
#define LAST_REST_TIME apr_time_from_sec(1)
/* How long a thread stays with a connection for the next request. */
#define LINGER_MILLISECONDS 10
/* The age from which a head counts against its address. A client that opens
 * many connections at once, like a proxy after a restart, is not slow. */
#define BURST_TIME apr_time_from_sec(1)

APR_RING_HEAD(ring_t, idv_connection_t);

/* The state of this child. */
static struct {
    apr_thread_mutex_t *mutex;
    apr_thread_cond_t *changed; /* a connection waits, or the child ends */
    apr_thread_t *sweeper;
    struct ring_t all; /* longest waiting first */
    apr_uint32_t lingering; /* threads that wait for the next request */
    int heads;
    int heads_max; /* threads of this child */
    apr_uint64_t added; /* connections so far */
    int is_asleep; /* the sweeper, until `changed` is signaled */
    int is_ending;
} waiting;

/* Wakes a connection by shutting down the receiving half of its socket or, if
 * it waits to be written to, both halves. The caller has the lock, so the
 * socket is open: idv_waiting_remove() comes before it is closed. */
static void hurry(idv_connection_t *connection)
{
    apr_os_sock_t descriptor;

    connection->is_late = 1;
    if (apr_os_sock_get(&descriptor, ap_get_conn_socket(connection->c))
        == APR_SUCCESS)
        (void)shutdown(descriptor,
                       connection->is_sending ? SHUT_RDWR : SHUT_RD);
}

static int is_head(const idv_connection_t *connection)
{
    return !connection->parked && !connection->is_resting;
}

/* Whether bytes arrive within MILLISECONDS. */
static int has_come(const idv_connection_t *connection, int milliseconds)
{
    struct pollfd polled = {-1, POLLIN, 0};

    return apr_os_sock_get(&polled.fd, ap_get_conn_socket(connection->c))
               == APR_SUCCESS
        && poll(&polled, 1, milliseconds) == 1;
}

/* A client that calls again at once saves the way over the listener to another
 * thread, which costs as much as httpd's share of a small request. */
int idv_waiting_linger(const idv_connection_t *connection)
{
    int has_room = apr_atomic_inc32(&waiting.lingering)
                 < (apr_uint32_t)waiting.heads_max / 2;
    int came = has_room && has_come(connection, LINGER_MILLISECONDS);

    apr_atomic_dec32(&waiting.lingering);
    return came;
}

/* Whether CONNECTION does not expect any more data. */
static int is_over(const idv_connection_t *connection, apr_time_t now,
                   int stopping)
{
    if (connection->is_resting && !connection->is_sending)
        return (now > connection->deadline
                || (stopping
                    && now > connection->deadline - connection->idle_time
                           + LAST_REST_TIME))
            && !has_come(connection, 0);
    return now > connection->deadline
        || (stopping && is_head(connection)
            && now > connection->begun + LAST_HEAD_TIME);
}

/* Wakes the connections that have reached their deadline. The caller has the
 * lock. */
static void hurry_late(void)
{
    apr_time_t now = apr_time_now();
    int stopping = idv_child_is_stopping();
    idv_connection_t *connection;

    APR_RING_FOREACH(connection, &waiting.all, idv_connection_t, link) {
        if (!connection->is_late && is_over(connection, now, stopping))
            hurry(connection);
    }
}

/* Looks for connections past their deadline. This takes a thread because the
 * MPM's timed callbacks only run when something else happens too. At least in
 * httpd 2.4.62 to 2.4.71, the listener's poll does not end when the next one is
 * due. */
static void *APR_THREAD_FUNC sweep(apr_thread_t *thread, void *unused)
{
    apr_uint64_t added = 0;

    (void)thread;
    (void)unused;
    apr_thread_mutex_lock(waiting.mutex);
    while (!waiting.is_ending) {
        /* A busy connection waits again and again for a moment: the sweeper
         * only sleeps after an interval in which none has waited. */
        waiting.is_asleep = waiting.added == added && !idv_connections_are_many()
                         && APR_RING_EMPTY(&waiting.all, idv_connection_t, link);
        added = waiting.added;
        if (waiting.is_asleep)
            apr_thread_cond_wait(waiting.changed, waiting.mutex);
        else
            apr_thread_cond_timedwait(waiting.changed, waiting.mutex,
                                      SWEEP_INTERVAL);
        hurry_late();
        idv_connections_trim();
    }
    apr_thread_mutex_unlock(waiting.mutex);
    return NULL; /* apr_thread_exit() would not unwind this frame */
}

void idv_waiting_look(void)
{
    apr_thread_mutex_lock(waiting.mutex);
    apr_thread_cond_signal(waiting.changed);
    apr_thread_mutex_unlock(waiting.mutex);
}

void idv_waiting_remove(idv_connection_t *connection)
{
    apr_thread_mutex_lock(waiting.mutex);
    if (connection->is_listed) {
        APR_RING_REMOVE(connection, link);
        waiting.heads -= is_head(connection);
        connection->is_listed = 0;
    }
    apr_thread_mutex_unlock(waiting.mutex);
}

/* Makes room for NEWCOMER by waking another connection if necessary. A client
 * that has waited long is more likely to be slow on purpose than a new one.
 *
 * - If heads of the newcomer's address that are older than BURST_TIME hold half
 *   of the room, the longest waiting connection of this address must go.
 * - If there is no room at all, the longest waiting connection must go; of the
 *   newcomer's address, if that has half of the room.
 *
 * The caller has the lock. */
static void make_room(const idv_connection_t *newcomer)
{
    apr_time_t settled = apr_time_now() - BURST_TIME;
    idv_connection_t *connection, *oldest = NULL, *oldest_same = NULL;
    int half = waiting.heads_max / 2, all = 0, same = 0, same_settled = 0;

    if (waiting.heads < half)
        return;
    APR_RING_FOREACH(connection, &waiting.all, idv_connection_t, link) {
        if (!is_head(connection) || connection->is_late)
            continue;
        oldest = oldest ? oldest : connection;
        all++;
        if (strcmp(connection->address, newcomer->address) != 0)
            continue;
        oldest_same = oldest_same ? oldest_same : connection;
        same++;
        same_settled += connection->begun < settled;
    }
    if (oldest_same
        && (same_settled >= half || (all >= waiting.heads_max && same >= half)))
        hurry(oldest_same);
    else if (oldest && all >= waiting.heads_max)
        hurry(oldest);
}

int idv_waiting_add(idv_connection_t *connection)
{
    conn_state_t *state = connection->c->cs;

    apr_thread_mutex_lock(waiting.mutex);
    if (is_head(connection))
        make_room(connection);
    APR_RING_INSERT_TAIL(&waiting.all, connection, idv_connection_t, link);
    waiting.heads += is_head(connection);
    connection->is_listed = 1;
    waiting.added++;
    if (waiting.is_asleep) {
        waiting.is_asleep = 0;
        apr_thread_cond_signal(waiting.changed);
    }
    apr_thread_mutex_unlock(waiting.mutex);
    /* For a head, mod_ssl knows which event a handshake waits for. */
    if (!is_head(connection))
        state->sense = connection->is_sending ? CONN_SENSE_WANT_WRITE
                                              : CONN_SENSE_DEFAULT;
    state->state = CONN_STATE_ASYNC_WAITIO;
    return OK;
}

static apr_status_t end_sweeper(void *unused)
{
    apr_status_t result;

    (void)unused;
    apr_thread_mutex_lock(waiting.mutex);
    waiting.is_ending = 1;
    apr_thread_cond_signal(waiting.changed);
    apr_thread_mutex_unlock(waiting.mutex);
    return apr_thread_join(&result, waiting.sweeper);
}

idv_error_t *idv_waiting_child_init(int threads, apr_pool_t *pchild)
{
    apr_status_t status;

    APR_RING_INIT(&waiting.all, idv_connection_t, link);
    waiting.heads_max = threads;
    status = apr_thread_mutex_create(&waiting.mutex, APR_THREAD_MUTEX_DEFAULT,
                                     pchild);
    if (status == APR_SUCCESS)
        status = apr_thread_cond_create(&waiting.changed, pchild);
    if (status == APR_SUCCESS)
        status = idv_child_thread_start(&waiting.sweeper, sweep, NULL, pchild);
    if (status != APR_SUCCESS)
        return idv_error_apr(pchild, status, "preparing the reception");
    apr_pool_pre_cleanup_register(pchild, NULL, end_sweeper);
    return NULL;
}
