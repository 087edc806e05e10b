/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/connection/connections.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ap_mpm.h>
#include <apr_portable.h>
#include <apr_ring.h>
#include <apr_thread_mutex.h>
#include <http_config.h>
#include <http_core.h>
#include <http_log.h>
#include <scoreboard.h>

#include "httpd/configuration/configuration.h"
#include "httpd/process/counters.h"

APLOG_USE_MODULE(verify);

#define FACTOR_DEFAULT 2.0 /* of AsyncRequestWorkerFactor */
#define FACTOR_ADVISED 4
#define IDLE_TIME apr_time_from_sec(1)
#define CROWDED_IDLE_TIME apr_time_from_msec(100)
#define BUCKETS 256

/* A client address with its connections. */
typedef struct address_t address_t;
struct address_t {
    address_t *next; /* in the same bucket */
    int connections;
    int staying;  /* connections that are not ending */
    int is_proxy; /* flag: mod_remoteip trusts it */
    char text[];
};

struct idv_counted_t {
    APR_RING_ENTRY(idv_counted_t) link;
    conn_rec *c;
    address_t *address;
    apr_time_t used; /* time of last use */
    int requests;    /* in progress */
    int is_kept;     /* HTTP/1, answered, and not asked to close */
    int is_listed;
    int is_ending;
};

APR_RING_HEAD(counted_ring_t, idv_counted_t);

/* The state of this child. */
static struct {
    apr_thread_mutex_t *mutex; /* NULL: nothing is counted */
    struct counted_ring_t all; /* least recently used first */
    address_t *buckets[BUCKETS];
    int threads, room, share;
    int staying;
    int slot; /* in the scoreboard; -1: still unknown */
} child;

/* --- addresses --- */

static address_t **bucket_of(const char *text)
{
    unsigned hash = 5381;

    for (; *text; text++)
        hash = hash * 33 + (unsigned char)*text;
    return &child.buckets[hash % BUCKETS];
}

static address_t *take_address(const char *text)
{
    address_t **bucket = bucket_of(text), *address = *bucket;

    while (address && strcmp(address->text, text) != 0)
        address = address->next;
    if (address)
        return address;
    address = calloc(1, sizeof(*address) + strlen(text) + 1);
    if (!address)
        return NULL;
    memcpy(address->text, text, strlen(text) + 1);
    address->next = *bucket;
    *bucket = address;
    return address;
}

static void drop_address(address_t *address)
{
    address_t **place = bucket_of(address->text);

    if (address->connections > 0)
        return;
    while (*place != address)
        place = &(*place)->next;
    *place = address->next;
    free(address);
}

/* --- making room --- */

static int is_unread(int descriptor)
{
    struct pollfd polled = {descriptor, POLLIN, 0};

    return poll(&polled, 1, 0) == 1;
}

/* The caller has the lock, so the socket is open. */
static void end(idv_counted_t *counted)
{
    apr_os_sock_t descriptor;

    if (apr_os_sock_get(&descriptor, ap_get_conn_socket(counted->c))
            != APR_SUCCESS
        || is_unread(descriptor))
        return;
    counted->is_ending = 1;
    counted->address->staying--;
    child.staying--;
    idv_count(connections_ended);
    (void)shutdown(descriptor, SHUT_RD);
}

static int is_over_share(const address_t *address)
{
    return child.share && !address->is_proxy && address->staying > child.share;
}

/* Whether the child has little room left. */
static int is_crowded(void)
{
    return child.staying > child.room / 4 * 3;
}

/* Ends connections that have been idle for IDLE, the least recently used first,
 * while more than LEAST stay. Unless ANY is set, only those of addresses with
 * more than their share. The caller has the lock.
 *
 * A client that was told to keep its connection may be about to use it, so such
 * a connection gets the full IDLE_TIME. Over HTTP/2, GOAWAY tells the client
 * which requests were not accepted. */
static void end_idle(apr_time_t idle, int least, int any)
{
    apr_time_t since = apr_time_now() - idle;
    idv_counted_t *counted;

    APR_RING_FOREACH(counted, &child.all, idv_counted_t, link)
    {
        if (child.staying <= least || counted->used > since)
            return;
        if (!counted->is_ending && counted->requests == 0
            && (!counted->is_kept || idle >= IDLE_TIME)
            && (any || is_over_share(counted->address)))
            end(counted);
    }
}

static void make_room(void)
{
    end_idle(IDLE_TIME, child.room / 2, 0);
    end_idle(CROWDED_IDLE_TIME, child.room / 4 * 3, 0);
    end_idle(IDLE_TIME, child.room / 8 * 7, 1);
}

int idv_connections_are_many(void)
{
    int staying;

    if (!child.mutex)
        return 0;
    apr_thread_mutex_lock(child.mutex);
    staying = child.staying;
    apr_thread_mutex_unlock(child.mutex);
    return staying > child.room / 2;
}

void idv_connections_trim(void)
{
    if (!child.mutex)
        return;
    apr_thread_mutex_lock(child.mutex);
    make_room();
    apr_thread_mutex_unlock(child.mutex);
}

/* --- connections --- */

idv_counted_t *idv_connections_add(conn_rec *c, const char *address)
{
    idv_counted_t *counted;

    if (!child.mutex)
        return NULL;
    counted = apr_pcalloc(c->pool, sizeof(*counted));
    counted->c = c;
    counted->used = apr_time_now();
    apr_thread_mutex_lock(child.mutex);
    counted->address = take_address(address);
    if (counted->address) {
        counted->is_listed = 1;
        counted->address->connections++;
        counted->address->staying++;
        child.staying++;
        APR_RING_INSERT_TAIL(&child.all, counted, idv_counted_t, link);
        make_room();
    }
    apr_thread_mutex_unlock(child.mutex);
    return counted;
}

void idv_connections_remove(idv_counted_t *counted)
{
    if (!counted)
        return;
    apr_thread_mutex_lock(child.mutex);
    if (counted->is_listed) {
        counted->is_listed = 0;
        APR_RING_REMOVE(counted, link);
        if (!counted->is_ending) {
            counted->address->staying--;
            child.staying--;
        }
        counted->address->connections--;
        drop_address(counted->address);
    }
    apr_thread_mutex_unlock(child.mutex);
}

/* --- requests --- */

/* The caller has the lock. */
static void note_use(idv_counted_t *counted, int requests)
{
    counted->requests += requests;
    counted->used = apr_time_now();
    APR_RING_REMOVE(counted, link);
    APR_RING_INSERT_TAIL(&child.all, counted, idv_counted_t, link);
}

/* A request may outlive its connection. */
static apr_status_t end_use(void *data)
{
    idv_counted_t *counted = data;

    apr_thread_mutex_lock(child.mutex);
    if (counted->is_listed)
        note_use(counted, -1);
    apr_thread_mutex_unlock(child.mutex);
    return APR_SUCCESS;
}

static int slot_of_child(void)
{
    apr_proc_t self = {.pid = getpid()};

    if (child.slot < 0)
        child.slot = ap_find_child_by_pid(&self);
    return child.slot;
}

/* Whether httpd does not accept connections in this child because it has too
 * many. The caller has the lock. */
static int is_full(void)
{
    int slot = slot_of_child();

    return child.staying > child.threads && slot >= 0
        && ap_get_scoreboard_process(slot)->not_accepting;
}

void idv_connections_use(idv_counted_t *counted, request_rec *r)
{
    conn_rec *c = r->connection;
    const conn_rec *peer = c->master ? c->master : c;
    int has_to_end = 0;

    if (!counted)
        return;
    apr_thread_mutex_lock(child.mutex);
    if (counted->is_listed) {
        note_use(counted, 1);
        apr_pool_cleanup_register(r->pool, counted, end_use,
                                  apr_pool_cleanup_null);
        if (r->useragent_ip && strcmp(r->useragent_ip, peer->client_ip) != 0)
            counted->address->is_proxy = 1;
        has_to_end = counted->is_ending || is_full()
            || (is_crowded() && is_over_share(counted->address));
        counted->is_kept = !c->master && !has_to_end;
    }
    apr_thread_mutex_unlock(child.mutex);
    if (has_to_end && !c->master)
        c->keepalive = AP_CONN_CLOSE;
}

/* --- the child --- */

/* AsyncRequestWorkerFactor, as read by httpd. */
static double worker_factor(apr_pool_t *scratch)
{
    double factor = FACTOR_DEFAULT;

    for (const ap_directive_t *node = ap_conftree; node; node = node->next) {
        const char *rest = node->args;

        if (rest
            && strcasecmp(node->directive, "AsyncRequestWorkerFactor") == 0)
            factor = strtod(ap_getword_conf(scratch, &rest), NULL);
    }
    return factor < 1 ? 1 : factor;
}

static void check_factor(server_rec *server, apr_pool_t *scratch)
{
    double factor = worker_factor(scratch);
    int threads = 0;

    if (factor >= FACTOR_ADVISED
        || ap_mpm_query(AP_MPMQ_MAX_THREADS, &threads) != APR_SUCCESS)
        return;
    ap_log_error(
        APLOG_MARK, APLOG_WARNING, 0, server,
        "IDV0970: AsyncRequestWorkerFactor is %.4g: a child has room "
        "for %d connections, idle ones included, and accepts no others "
        "until one ends. Write, outside of virtual hosts: "
        "AsyncRequestWorkerFactor %d",
        factor, threads * (1 + (int)factor), FACTOR_ADVISED);
}

static void check_idle_time(server_rec *server)
{
    int idle = (int)apr_time_sec(server->keep_alive_timeout);
    int timeout = (int)apr_time_sec(server->timeout);

    if (idle <= timeout)
        return;
    ap_log_error(
        APLOG_MARK, APLOG_WARNING, 0, server,
        "IDV0971: KeepAliveTimeout (%d s) is longer than Timeout (%d "
        "s): when all threads of a child are busy, httpd closes its idle "
        "connections and loses requests that are just arriving. Write: "
        "KeepAliveTimeout %d",
        idle, timeout, timeout);
}

void idv_connections_check(server_rec *servers, apr_pool_t *scratch)
{
    int is_first = 1;

    for (server_rec *server = servers; server; server = server->next) {
        if (!idv_configuration_in_service(server))
            continue;
        if (is_first)
            check_factor(server, scratch);
        /* A virtual host that does not set a time uses that of its main
         * server. */
        if (is_first || server->keep_alive_timeout_set)
            check_idle_time(server);
        is_first = 0;
    }
}

idv_error_t *idv_connections_child_init(const idv_settings_t *settings,
                                        apr_pool_t *pchild)
{
    int threads = 0;
    apr_status_t status;

    if (ap_mpm_query(AP_MPMQ_MAX_THREADS, &threads) != APR_SUCCESS)
        return NULL;
    APR_RING_INIT(&child.all, idv_counted_t, link);
    child.slot = -1;
    child.threads = threads;
    child.room = threads * (1 + (int)worker_factor(pchild));
    child.share = settings->connections_per_address < 0
                    ? child.room / 4
                    : settings->connections_per_address;
    status =
        apr_thread_mutex_create(&child.mutex, APR_THREAD_MUTEX_DEFAULT, pchild);
    return status == APR_SUCCESS
             ? NULL
             : idv_error_apr(pchild, status, "counting connections");
}
