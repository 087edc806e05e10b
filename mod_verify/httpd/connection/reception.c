/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/connection/reception.h"

#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include <ap_mpm.h>
#include <apr_portable.h>
#include <apr_ring.h>
#include <apr_strings.h>
#include <apr_thread_cond.h>
#include <apr_thread_mutex.h>
#include <http_connection.h>
#include <http_core.h>
#include <http_protocol.h>
#include <http_request.h>
#include <util_filter.h>

#include "api/http/client_signals.h"
#include "api/http/request.h"
#include "core/http_syntax.h"
#include "httpd/configuration/configuration.h"
#include "httpd/connection/connections.h"
#include "httpd/process/child_process.h"

#ifndef AP_MPMQ_CAN_WAITIO /* httpd before 2.4.63: waiting is unsupported */
#define AP_MPMQ_CAN_WAITIO (-1)
#define CONN_STATE_ASYNC_WAITIO CONN_STATE_LINGER
#endif

#define READ_SIZE 8192
#define CLOCK_FILTER "reqtimeout" /* of mod_reqtimeout */
#define SWEEP_INTERVAL apr_time_from_msec(250)
/* The time limit of a head in a child that ends gracefully. While such children
 * wait, httpd may lack room for their replacements. */
#define LAST_HEAD_TIME apr_time_from_sec(1)
/* The age from which a head counts against its address. A client that opens
 * many connections at once, like a proxy after a restart, is not slow. */
#define BURST_TIME apr_time_from_sec(1)

/* --- waiting connections --- */

typedef struct connection_t connection_t;
struct connection_t {
    APR_RING_ENTRY(connection_t) link;
    conn_rec *c;
    const char *address; /* for counting */
    idv_counted_t *counted;
    int is_listed;       /* it is in the child's list */
    int is_late;         /* its time is up, or it had to make room */
    apr_time_t deadline; /* of the current wait */
    apr_time_t begun;    /* of the head */
    request_rec *parked; /* waiting for its client; NULL: it waits for a head */
    int is_resting;      /* between two requests */
    int is_sending;      /* waits until its client reads, parked or resting */
    apr_interval_time_t idle_time; /* longest rest; 0: httpd does the waiting */
    int is_inside;       /* httpd's own hooks run below this module's */
    int is_transparent;  /* left to other modules, as HTTP/2 is */
    /* Bytes that have arrived but that httpd has not read, those on their way
     * there, and the head at their start. */
    ap_filter_t *filter;
    apr_bucket_brigade *received, *arriving;
    idv_request_head_t head;
    int is_begun;  /* a request has started */
    int is_given;  /* httpd has been given its head, and nothing after it */
    int is_told;   /* mod_reqtimeout knows that the head or body was read */
    int has_ended; /* no more data: the client closed or timed out */
};

APR_RING_HEAD(ring_t, connection_t);

/* The state of this child. */
static struct {
    apr_thread_mutex_t *mutex;
    apr_thread_cond_t *changed; /* a connection waits, or the child ends */
    apr_thread_t *sweeper;
    struct ring_t waiting; /* longest waiting first */
    int heads;
    int heads_max;
    int is_ending;
    int is_able;
} reception;

/* Set when the module is loaded. */
static ap_filter_rec_t *filter_record;
static idv_resume_t *resume_request;

/* Wakes a connection by shutting down the receiving half of its socket or, if
 * it waits to be written to, both halves. The caller has the lock, so the
 * socket is open: pre_close() waits. */
static void hurry(connection_t *connection)
{
    apr_os_sock_t descriptor;

    connection->is_late = 1;
    if (apr_os_sock_get(&descriptor, ap_get_conn_socket(connection->c))
        == APR_SUCCESS)
        (void)shutdown(descriptor,
                       connection->is_sending ? SHUT_RDWR : SHUT_RD);
}

static int is_head(const connection_t *connection)
{
    return !connection->parked && !connection->is_resting;
}

/* Whether a request has arrived that a thread will take. */
static int has_come(const connection_t *connection)
{
    struct pollfd polled = {-1, POLLIN, 0};

    return apr_os_sock_get(&polled.fd, ap_get_conn_socket(connection->c))
               == APR_SUCCESS
        && poll(&polled, 1, 0) == 1;
}

/* Whether CONNECTION does not expect any more data. */
static int is_over(const connection_t *connection, apr_time_t now, int stopping)
{
    if (connection->is_resting && !connection->is_sending)
        return (stopping || now > connection->deadline)
            && !has_come(connection);
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
    connection_t *connection;

    APR_RING_FOREACH(connection, &reception.waiting, connection_t, link) {
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
    (void)thread;
    (void)unused;
    apr_thread_mutex_lock(reception.mutex);
    while (!reception.is_ending) {
        if (APR_RING_EMPTY(&reception.waiting, connection_t, link)
            && !idv_connections_are_many())
            apr_thread_cond_wait(reception.changed, reception.mutex);
        else
            apr_thread_cond_timedwait(reception.changed, reception.mutex,
                                      SWEEP_INTERVAL);
        hurry_late();
        idv_connections_trim();
    }
    apr_thread_mutex_unlock(reception.mutex);
    return NULL; /* apr_thread_exit() would not unwind this frame */
}

static void wake_sweeper(void)
{
    apr_thread_mutex_lock(reception.mutex);
    apr_thread_cond_signal(reception.changed);
    apr_thread_mutex_unlock(reception.mutex);
}

static void unlist(connection_t *connection)
{
    apr_thread_mutex_lock(reception.mutex);
    if (connection->is_listed) {
        APR_RING_REMOVE(connection, link);
        reception.heads -= is_head(connection);
        connection->is_listed = 0;
    }
    apr_thread_mutex_unlock(reception.mutex);
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
static void make_room(const connection_t *newcomer)
{
    apr_time_t settled = apr_time_now() - BURST_TIME;
    connection_t *connection, *oldest = NULL, *oldest_same = NULL;
    int half = reception.heads_max / 2, all = 0, same = 0, same_settled = 0;

    if (reception.heads < half)
        return;
    APR_RING_FOREACH(connection, &reception.waiting, connection_t, link) {
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
        && (same_settled >= half || (all >= reception.heads_max && same >= half)))
        hurry(oldest_same);
    else if (oldest && all >= reception.heads_max)
        hurry(oldest);
}

/* Makes CONNECTION wait until it is readable (writable, if a response is being
 * sent) or reaches its deadline. */
static int await(connection_t *connection)
{
    conn_state_t *state = connection->c->cs;

    apr_thread_mutex_lock(reception.mutex);
    if (is_head(connection))
        make_room(connection);
    APR_RING_INSERT_TAIL(&reception.waiting, connection, connection_t, link);
    reception.heads += is_head(connection);
    connection->is_listed = 1;
    if (APR_RING_FIRST(&reception.waiting) == connection)
        apr_thread_cond_signal(reception.changed);
    apr_thread_mutex_unlock(reception.mutex);
    /* For a head, mod_ssl knows which event a handshake waits for. */
    if (!is_head(connection))
        state->sense = connection->is_sending ? CONN_SENSE_WANT_WRITE
                                              : CONN_SENSE_DEFAULT;
    state->state = CONN_STATE_ASYNC_WAITIO;
    return OK;
}

static apr_status_t forget(void *data)
{
    connection_t *connection = data;

    unlist(connection);
    idv_connections_remove(connection->counted);
    return APR_SUCCESS;
}

/* --- the head --- */

static void look_for_end(connection_t *connection, const char *text,
                         apr_size_t length)
{
    const server_rec *server = connection->c->base_server;

    /* httpd answers 414 once it has read that many bytes and one more. */
    (void)idv_request_head_add(&connection->head, text, length,
                               (apr_size_t)server->limit_req_line + 2);
}

/* Appends data from the filters below to the received data. It copies the bytes
 * because the buckets belong to the filters. */
static apr_status_t keep(connection_t *connection)
{
    while (!APR_BRIGADE_EMPTY(connection->arriving)) {
        apr_bucket *bucket = APR_BRIGADE_FIRST(connection->arriving);
        const char *data;
        apr_size_t length;
        apr_status_t status;

        if (APR_BUCKET_IS_METADATA(bucket)) {
            APR_BUCKET_REMOVE(bucket);
            APR_BRIGADE_INSERT_TAIL(connection->received, bucket);
            continue;
        }
        status = apr_bucket_read(bucket, &data, &length, APR_NONBLOCK_READ);
        if (status == APR_SUCCESS)
            status = apr_brigade_write(connection->received, NULL, NULL, data,
                                       length);
        if (status != APR_SUCCESS)
            return status;
        look_for_end(connection, data, length);
        apr_bucket_delete(bucket);
    }
    return APR_SUCCESS;
}

/* Starts a request, perhaps with bytes that arrived after the last one. */
static void begin_head(connection_t *connection)
{
    const idv_settings_t *settings =
        &idv_configuration_of(connection->c->base_server)->settings;

    memset(&connection->head, 0, sizeof(connection->head));
    connection->is_begun = 1;
    connection->is_late = connection->has_ended = 0;
    connection->begun = apr_time_now();
    connection->deadline =
        connection->begun + apr_time_from_sec(settings->head_time);
    for (apr_bucket *bucket = APR_BRIGADE_FIRST(connection->received);
         bucket != APR_BRIGADE_SENTINEL(connection->received);
         bucket = APR_BUCKET_NEXT(bucket)) {
        const char *data;
        apr_size_t length;

        if (!APR_BUCKET_IS_METADATA(bucket)
            && apr_bucket_read(bucket, &data, &length, APR_NONBLOCK_READ)
                   == APR_SUCCESS)
            look_for_end(connection, data, length);
    }
}

static int is_http1(conn_rec *c)
{
    return strcmp(ap_get_protocol(c), AP_PROTOCOL_HTTP1) == 0;
}

/* Reads more of the head; 0 if it is still incomplete. */
static int collect_head(connection_t *connection)
{
    if (!connection->is_begun)
        begin_head(connection);
    if (connection->is_late || apr_time_now() > connection->deadline) {
        connection->is_late = 1;
        connection->has_ended = 1;
    }
    while (!connection->head.is_complete && !connection->has_ended) {
        /* The first read includes the TLS handshake, which may choose another
         * protocol. */
        apr_status_t status =
            ap_get_brigade(connection->filter->next, connection->arriving,
                           AP_MODE_READBYTES, APR_NONBLOCK_READ, READ_SIZE);

        connection->is_transparent = !is_http1(connection->c);
        if (APR_STATUS_IS_EAGAIN(status)
            || (status == APR_SUCCESS
                && APR_BRIGADE_EMPTY(connection->arriving)))
            return connection->is_transparent;
        if (status != APR_SUCCESS || keep(connection) != APR_SUCCESS)
            connection->has_ended = 1;
        if (connection->is_transparent)
            return 1;
    }
    return 1;
}

/* --- the filter that passes received data to httpd --- */

static apr_status_t take_bytes(connection_t *connection,
                               apr_bucket_brigade *brigade,
                               ap_input_mode_t mode, apr_off_t length)
{
    apr_bucket *end;
    apr_status_t status =
        apr_brigade_partition(connection->received, length, &end);

    if (status != APR_SUCCESS && status != APR_INCOMPLETE)
        return status;
    for (apr_bucket *bucket = APR_BRIGADE_FIRST(connection->received), *next;
         bucket != end && bucket != APR_BRIGADE_SENTINEL(connection->received);
         bucket = next) {
        apr_bucket *taken = bucket;

        next = APR_BUCKET_NEXT(bucket);
        if (mode == AP_MODE_SPECULATIVE)
            apr_bucket_copy(bucket, &taken);
        else
            APR_BUCKET_REMOVE(bucket);
        APR_BRIGADE_INSERT_TAIL(brigade, taken);
    }
    return APR_SUCCESS;
}

/* Whether httpd has read all received data. Removes empty buckets: a line that
 * ends with its bucket leaves one behind, which httpd would take for an empty
 * line. */
static int is_drained(connection_t *connection)
{
    while (!APR_BRIGADE_EMPTY(connection->received)) {
        apr_bucket *bucket = APR_BRIGADE_FIRST(connection->received);

        if (APR_BUCKET_IS_METADATA(bucket) || bucket->length > 0)
            return 0;
        apr_bucket_delete(bucket);
    }
    return 1;
}

/* Whether httpd would wait for more of a head than was received: for the rest
 * of one that was late or too long, or that ends elsewhere for httpd. */
static int wants_head(const connection_t *connection, apr_read_type_e block)
{
    return connection->is_given && block == APR_BLOCK_READ
        && is_http1(connection->c);
}

/* Tells mod_reqtimeout that httpd reads a head or body that was received here
 * earlier. mod_reqtimeout counts the reads that reach it. The first read after
 * an announced head ends the wait of a kept connection, and the next read
 * starts the clock that was set. So both heads and bodies must be announced. If
 * one is omitted, the clock of this request starts when httpd looks for the
 * next one. The connection then ends without answering the next request,
 * because its head is read here before mod_reqtimeout knows of it.
 *
 * The call skips mod_ssl, which is in between: if a head and its body arrived
 * in one segment, it answers reads from data that it has already decrypted. */
static void tell_clock(connection_t *connection)
{
    conn_rec *c = connection->c;
    ap_filter_t *clock = connection->filter->next;
    apr_bucket_brigade *none;

    if (connection->is_told || connection->is_transparent)
        return;
    connection->is_told = 1;
    while (clock && strcasecmp(clock->frec->name, CLOCK_FILTER) != 0)
        clock = clock->next;
    if (!clock)
        return;
    none = apr_brigade_create(c->pool, c->bucket_alloc);
    (void)ap_get_brigade(clock, none, AP_MODE_SPECULATIVE, APR_NONBLOCK_READ,
                         1);
    apr_brigade_destroy(none);
}

static apr_status_t give_received(ap_filter_t *filter,
                                  apr_bucket_brigade *brigade,
                                  ap_input_mode_t mode, apr_read_type_e block,
                                  apr_off_t length)
{
    connection_t *connection = filter->ctx;

    if (is_drained(connection)) {
        /* httpd answers a partial head with 408. */
        if (connection->is_late && !connection->is_transparent)
            return APR_TIMEUP;
        /* httpd answers this error with 400. */
        if (wants_head(connection, block))
            return APR_EINVAL;
        /* In the other modes, httpd checks whether there is another request. */
        if (mode == AP_MODE_READBYTES || mode == AP_MODE_GETLINE)
            tell_clock(connection);
        return ap_get_brigade(filter->next, brigade, mode, block, length);
    }
    tell_clock(connection);
    switch (mode) {
    case AP_MODE_READBYTES:
    case AP_MODE_SPECULATIVE:
        return take_bytes(connection, brigade, mode, length);
    case AP_MODE_GETLINE:
        return apr_brigade_split_line(brigade, connection->received, block,
                                      HUGE_STRING_LEN);
    case AP_MODE_EXHAUSTIVE:
        APR_BRIGADE_CONCAT(brigade, connection->received);
        return APR_SUCCESS;
    default:
        return APR_ENOTIMPL; /* as in mod_ssl */
    }
}

/* --- httpd's hooks --- */

static int hang_up(conn_rec *c)
{
    apr_table_setn(c->notes, "short-lingering-close", "1");
    c->keepalive = AP_CONN_CLOSE;
    c->cs->state = CONN_STATE_LINGER;
    return OK;
}

/* Whether the connection only has to wait for another request. */
static int may_rest(const connection_t *connection)
{
    const conn_rec *c = connection->c;

    return connection->filter && !connection->is_transparent
        && connection->idle_time > 0 && c->keepalive == AP_CONN_KEEPALIVE
        && !c->aborted && !c->data_in_input_filters
        && !c->clogging_input_filters
        && c->cs->state == CONN_STATE_WRITE_COMPLETION
        && c->cs->sense == CONN_SENSE_DEFAULT && is_http1(connection->c)
        && !idv_child_is_stopping();
}

/* Sends pending output without blocking, as the event MPM does. */
static apr_status_t flush(conn_rec *c)
{
    ap_filter_t *network = c->output_filters;

    while (network->next)
        network = network->next;
    return network->frec->filter_func.out_func(network, NULL);
}

/* Makes CONNECTION wait for its next request here rather than in httpd as kept
 * alive. When all threads are busy, httpd closes connections that it keeps
 * alive, including a request that has just arrived on one. For connections that
 * wait here it finds a thread. */
static int rest(connection_t *connection)
{
    conn_rec *c = connection->c;

    if (!may_rest(connection))
        return OK;
    if (flush(c) != APR_SUCCESS) {
        c->cs->state = CONN_STATE_LINGER;
        return OK;
    }
    connection->is_resting = 1;
    connection->is_sending = c->data_in_output_filters != 0;
    connection->is_late = 0;
    connection->deadline = apr_time_now()
        + (connection->is_sending ? c->base_server->timeout
                                  : connection->idle_time);
    return await(connection);
}

/* The next request starts, or more of the last response can be sent. */
static int rise(connection_t *connection)
{
    int was_sending = connection->is_sending;

    connection->is_resting = connection->is_sending = 0;
    if (!was_sending)
        return 0;
    connection->c->cs->state = CONN_STATE_WRITE_COMPLETION;
    return 1;
}

/* The result of process_connection after httpd's own hooks, or a resumed
 * request, ended with RESULT. */
static int settle(connection_t *connection, int result)
{
    if (connection->parked)
        return await(connection);
    return result == OK ? rest(connection) : result;
}

static int resume(connection_t *connection)
{
    request_rec *r = connection->parked;

    connection->parked = NULL;
    connection->is_sending = 0;
    connection->c->cs->state = CONN_STATE_HANDLER;
    connection->is_inside = 1;
    resume_request(r);
    connection->is_inside = 0;
    return settle(connection, OK);
}

static int pass_on(connection_t *connection)
{
    int result;

    connection->is_begun = 0;
    connection->is_given = !connection->is_transparent;
    connection->is_inside = 1;
    result = ap_run_process_connection(connection->c);
    connection->is_inside = connection->is_given = 0;
    /* DECLINED would make httpd run the same hooks once more. */
    return settle(connection, result == DECLINED ? OK : result);
}

static connection_t *connection_of(conn_rec *c)
{
    connection_t *connection =
        ap_get_module_config(c->conn_config, &verify_module);

    if (connection)
        return connection;
    connection = apr_pcalloc(c->pool, sizeof(*connection));
    connection->c = c;
    connection->address = idv_address_client(c->client_ip, c->pool);
    connection->counted = idv_connections_add(c, connection->address);
    ap_set_module_config(c->conn_config, &verify_module, connection);
    apr_pool_cleanup_register(c->pool, connection, forget,
                              apr_pool_cleanup_null);
    if (idv_connections_are_many())
        wake_sweeper();
    connection->is_transparent = !idv_configuration_in_service(c->base_server)
        || !idv_configuration_of(c->base_server)->settings.head_time;
    if (connection->is_transparent)
        return connection;
    connection->received = apr_brigade_create(c->pool, c->bucket_alloc);
    connection->arriving = apr_brigade_create(c->pool, c->bucket_alloc);
    connection->filter =
        ap_add_input_filter_handle(filter_record, connection, NULL, c);
    return connection;
}

static int process_connection(conn_rec *c)
{
    connection_t *connection;

    if (!reception.is_able || c->master || c->outgoing || !c->cs)
        return DECLINED;
    connection = connection_of(c);
    if (connection->is_inside)
        return DECLINED;
    unlist(connection);
    if (connection->parked)
        return resume(connection);
    if (connection->is_resting && rise(connection))
        return rest(connection);
    if (connection->is_transparent)
        return pass_on(connection);
    if (!collect_head(connection))
        return await(connection);
    if (connection->has_ended && is_drained(connection))
        return hang_up(c);
    return pass_on(connection);
}

/* Unlists the connection before its socket is closed, because another
 * connection may soon have the same descriptor. */
static int pre_close(conn_rec *c)
{
    connection_t *connection =
        ap_get_module_config(c->conn_config, &verify_module);

    if (connection && !c->master)
        (void)forget(connection);
    return OK;
}

int idv_reception_can_park(const request_rec *r)
{
    const connection_t *connection =
        ap_get_module_config(r->connection->conn_config, &verify_module);

    return reception.is_able && connection && !r->connection->master && !r->main
        && !r->prev && connection->is_inside
        && !r->connection->clogging_input_filters;
}

void idv_reception_note_head(const request_rec *r)
{
    connection_t *connection =
        ap_get_module_config(r->connection->conn_config, &verify_module);

    if (connection)
        connection->is_given = connection->is_told = 0;
}

/* Runs after mod_reqtimeout's hook, which chooses the clock of the head. */
static void before_head(request_rec *r, conn_rec *c)
{
    connection_t *connection =
        ap_get_module_config(c->conn_config, &verify_module);

    (void)r;
    if (!connection || !connection->filter || c->master)
        return;
    connection->is_told = 0;
    tell_clock(connection);
}

static int has_body(const request_rec *r)
{
    const char *length = apr_table_get(r->headers_in, "Content-Length");

    return apr_table_get(r->headers_in, "Transfer-Encoding")
        || (length && apr_atoi64(length) != 0);
}

/* For an HTTP/2 stream, the connection of all streams is in use. */
static void note_use(request_rec *r)
{
    const conn_rec *c = r->connection->master ? r->connection->master
                                              : r->connection;
    const connection_t *connection =
        ap_get_module_config(c->conn_config, &verify_module);

    if (connection)
        idv_connections_use(connection->counted, r);
}

/* Runs after mod_reqtimeout's hook, which chooses the clock of the body. */
static int after_head(request_rec *r)
{
    connection_t *connection =
        ap_get_module_config(r->connection->conn_config, &verify_module);
    const server_rec *server = r->server->keep_alive_timeout_set
                                 ? r->server
                                 : r->connection->base_server;

    if (r->main || r->prev)
        return DECLINED;
    note_use(r);
    if (!connection || !connection->filter || r->connection->master)
        return DECLINED;
    /* The MPM ends connections that wait here after Timeout at the latest. */
    connection->idle_time = server->keep_alive_timeout <= server->timeout
                              ? server->keep_alive_timeout
                              : 0;
    if (!has_body(r))
        tell_clock(connection);
    return DECLINED;
}

static int park(request_rec *r, apr_time_t deadline, int is_sending)
{
    connection_t *connection =
        ap_get_module_config(r->connection->conn_config, &verify_module);

    if (!idv_reception_can_park(r))
        return 0;
    connection->parked = r;
    connection->is_sending = is_sending;
    connection->deadline = deadline;
    connection->is_late = 0;
    return 1;
}

int idv_reception_park(request_rec *r, apr_time_t deadline)
{
    return park(r, deadline, 0);
}

int idv_reception_park_sending(request_rec *r, apr_time_t deadline)
{
    return park(r, deadline, 1);
}

static apr_status_t end_sweeper(void *unused)
{
    apr_status_t result;

    (void)unused;
    apr_thread_mutex_lock(reception.mutex);
    reception.is_ending = 1;
    apr_thread_cond_signal(reception.changed);
    apr_thread_mutex_unlock(reception.mutex);
    return apr_thread_join(&result, reception.sweeper);
}

int idv_reception_can_wait(void)
{
    int can_wait = 0;

    return ap_mpm_query(AP_MPMQ_CAN_WAITIO, &can_wait) == APR_SUCCESS
        && can_wait;
}

idv_error_t *idv_reception_child_init(apr_pool_t *pchild)
{
    int threads = 0;
    apr_status_t status;

    if (!idv_reception_can_wait()
        || ap_mpm_query(AP_MPMQ_MAX_THREADS, &threads) != APR_SUCCESS)
        return NULL;
    APR_RING_INIT(&reception.waiting, connection_t, link);
    reception.heads_max = threads;
    status = apr_thread_mutex_create(&reception.mutex,
                                     APR_THREAD_MUTEX_DEFAULT, pchild);
    if (status == APR_SUCCESS)
        status = apr_thread_cond_create(&reception.changed, pchild);
    if (status == APR_SUCCESS)
        status = idv_child_thread_start(&reception.sweeper, sweep, NULL,
                                        pchild);
    if (status != APR_SUCCESS)
        return idv_error_apr(pchild, status, "preparing the reception");
    apr_pool_pre_cleanup_register(pchild, NULL, end_sweeper);
    reception.is_able = 1;
    return NULL;
}

void idv_reception_register(idv_resume_t *resume_parked)
{
    resume_request = resume_parked;
    filter_record = ap_register_input_filter("VERIFY_RECEPTION", give_received,
                                             NULL, AP_FTYPE_CONNECTION);
    ap_hook_process_connection(process_connection, NULL, NULL,
                               APR_HOOK_REALLY_FIRST);
    ap_hook_pre_read_request(before_head, NULL, NULL, APR_HOOK_REALLY_LAST);
    ap_hook_post_read_request(after_head, NULL, NULL, APR_HOOK_REALLY_LAST);
    ap_hook_pre_close_connection(pre_close, NULL, NULL, APR_HOOK_REALLY_FIRST);
}
