/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/connection/reception.h"

#include <ap_mpm.h>
#include <apr_strings.h>
#include <http_connection.h>
#include <http_core.h>
#include <http_protocol.h>
#include <http_request.h>

#include "api/http/client_signals.h"
#include "httpd/configuration/configuration.h"
#include "httpd/connection/received.h"

#ifndef AP_MPMQ_CAN_WAITIO /* httpd before 2.4.63: waiting is unsupported */
#define AP_MPMQ_CAN_WAITIO (-1)
#define CONN_STATE_PROCESSING CONN_STATE_READ_REQUEST_LINE /* its name there */
#endif

/* Set when the module is loaded. */
static idv_resume_t *resume_request;

/* Set in a child that can wait. */
static int is_able;

static apr_status_t forget(void *data)
{
    idv_connection_t *connection = data;

    idv_waiting_remove(connection);
    idv_connections_remove(connection->counted);
    return APR_SUCCESS;
}

static int hang_up(conn_rec *c)
{
    apr_table_setn(c->notes, "short-lingering-close", "1");
    c->keepalive = AP_CONN_CLOSE;
    c->cs->state = CONN_STATE_LINGER;
    return OK;
}

/* Whether the connection only has to wait for another request. This also holds
 * in a child that ends: the client was told that the connection stays open, and
 * may be sending its next request. httpd would close it at once. */
static int may_rest(const idv_connection_t *connection)
{
    const conn_rec *c = connection->c;

    return connection->filter && !connection->is_transparent
        && connection->idle_time > 0 && c->keepalive == AP_CONN_KEEPALIVE
        && !c->aborted && !c->data_in_input_filters
        && !c->clogging_input_filters
        && c->cs->state == CONN_STATE_WRITE_COMPLETION
        && c->cs->sense == CONN_SENSE_DEFAULT
        && idv_received_is_http1(connection->c);
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
static int rest(idv_connection_t *connection)
{
    conn_rec *c = connection->c;

    if (!may_rest(connection))
        return OK;
    if (flush(c) != APR_SUCCESS) {
        c->cs->state = CONN_STATE_LINGER;
        return OK;
    }
    if (!c->data_in_output_filters && idv_waiting_linger(connection)) {
        connection->is_back = 1;
        c->cs->state = CONN_STATE_PROCESSING;
        return OK;
    }
    connection->is_resting = 1;
    connection->is_sending = c->data_in_output_filters != 0;
    connection->is_late = 0;
    connection->deadline = apr_time_now()
        + (connection->is_sending ? c->base_server->timeout
                                  : connection->idle_time);
    return idv_waiting_add(connection);
}

/* The next request starts, or more of the last response can be sent. */
static int rise(idv_connection_t *connection)
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
static int settle(idv_connection_t *connection, int result)
{
    if (connection->parked)
        return idv_waiting_add(connection);
    return result == OK ? rest(connection) : result;
}

static int resume(idv_connection_t *connection)
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

static int pass_on(idv_connection_t *connection)
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

static idv_connection_t *connection_of(conn_rec *c)
{
    idv_connection_t *connection =
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
        idv_waiting_look();
    connection->is_transparent = !idv_configuration_in_service(c->base_server)
        || !idv_configuration_of(c->base_server)->settings.head_time;
    if (connection->is_transparent)
        return connection;
    idv_received_open(connection);
    return connection;
}

/* The next request, if its head has arrived. */
static int receive(idv_connection_t *connection)
{
    connection->is_back = 0;
    if (!idv_received_head(connection))
        return idv_waiting_add(connection);
    if (connection->has_ended && idv_received_is_drained(connection))
        return hang_up(connection->c);
    return pass_on(connection);
}

static int process_connection(conn_rec *c)
{
    idv_connection_t *connection;
    int result;

    if (!is_able || c->master || c->outgoing || !c->cs)
        return DECLINED;
    connection = connection_of(c);
    if (connection->is_inside)
        return DECLINED;
    idv_waiting_remove(connection);
    if (connection->parked)
        result = resume(connection);
    else if (connection->is_resting && rise(connection))
        result = rest(connection);
    else if (connection->is_transparent)
        result = pass_on(connection);
    else
        result = receive(connection);
    while (connection->is_back)
        result = receive(connection);
    return result;
}

/* Unlists the connection before its socket is closed, because another
 * connection may soon have the same descriptor. */
static int pre_close(conn_rec *c)
{
    idv_connection_t *connection =
        ap_get_module_config(c->conn_config, &verify_module);

    if (connection && !c->master)
        (void)forget(connection);
    return OK;
}

int idv_reception_can_park(const request_rec *r)
{
    const idv_connection_t *connection =
        ap_get_module_config(r->connection->conn_config, &verify_module);

    return is_able && connection && !r->connection->master && !r->main
        && !r->prev && connection->is_inside
        && !r->connection->clogging_input_filters;
}

void idv_reception_note_head(const request_rec *r)
{
    idv_connection_t *connection =
        ap_get_module_config(r->connection->conn_config, &verify_module);

    if (connection)
        connection->is_given = connection->is_told = 0;
}

/* Runs after mod_reqtimeout's hook, which chooses the clock of the head. */
static void before_head(request_rec *r, conn_rec *c)
{
    idv_connection_t *connection =
        ap_get_module_config(c->conn_config, &verify_module);

    (void)r;
    if (!connection || !connection->filter || c->master)
        return;
    connection->is_told = 0;
    idv_received_tell_clock(connection);
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
    const idv_connection_t *connection =
        ap_get_module_config(c->conn_config, &verify_module);

    if (connection)
        idv_connections_use(connection->counted, r);
}

/* Runs after mod_reqtimeout's hook, which chooses the clock of the body. */
static int after_head(request_rec *r)
{
    idv_connection_t *connection =
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
        idv_received_tell_clock(connection);
    return DECLINED;
}

static int park(request_rec *r, apr_time_t deadline, int is_sending)
{
    idv_connection_t *connection =
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

int idv_reception_can_wait(void)
{
    int can_wait = 0;

    return ap_mpm_query(AP_MPMQ_CAN_WAITIO, &can_wait) == APR_SUCCESS
        && can_wait;
}

idv_error_t *idv_reception_child_init(apr_pool_t *pchild)
{
    int threads = 0;

    if (!idv_reception_can_wait()
        || ap_mpm_query(AP_MPMQ_MAX_THREADS, &threads) != APR_SUCCESS)
        return NULL;
    IDV_TRY(idv_waiting_child_init(threads, pchild));
    is_able = 1;
    return NULL;
}

void idv_reception_register(idv_resume_t *resume_parked)
{
    resume_request = resume_parked;
    idv_received_register();
    ap_hook_process_connection(process_connection, NULL, NULL,
                               APR_HOOK_REALLY_FIRST);
    ap_hook_pre_read_request(before_head, NULL, NULL, APR_HOOK_REALLY_LAST);
    ap_hook_post_read_request(after_head, NULL, NULL, APR_HOOK_REALLY_LAST);
    ap_hook_pre_close_connection(pre_close, NULL, NULL, APR_HOOK_REALLY_FIRST);
}
