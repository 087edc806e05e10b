/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/connection/received.h"

#include <string.h>
#include <strings.h>

#include <http_connection.h>
#include <http_core.h>
#include <http_protocol.h>

#include "httpd/configuration/configuration.h"

#define READ_SIZE 8192
#define CLOCK_FILTER "reqtimeout" /* of mod_reqtimeout */

/* Set when the module is loaded. */
static ap_filter_rec_t *filter_record;

/* --- receiving a head --- */

static void look_for_end(idv_connection_t *connection, const char *text,
                         apr_size_t length)
{
    const server_rec *server = connection->c->base_server;

    /* httpd answers 414 once it has read that many bytes and one more. */
    (void)idv_request_head_add(&connection->head, text, length,
                               (apr_size_t)server->limit_req_line + 2);
}

/* Appends data from the filters below to the received data. It copies the bytes
 * because the buckets belong to the filters. */
static apr_status_t keep(idv_connection_t *connection)
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
static void begin_head(idv_connection_t *connection)
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

int idv_received_is_http1(conn_rec *c)
{
    return strcmp(ap_get_protocol(c), AP_PROTOCOL_HTTP1) == 0;
}

int idv_received_head(idv_connection_t *connection)
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

        connection->is_transparent = !idv_received_is_http1(connection->c);
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

/* --- passing it to httpd --- */

static apr_status_t take_bytes(idv_connection_t *connection,
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

/* Removes empty buckets: a line that ends with its bucket leaves one behind,
 * which httpd would take for an empty line. */
int idv_received_is_drained(idv_connection_t *connection)
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
static int wants_head(const idv_connection_t *connection, apr_read_type_e block)
{
    return connection->is_given && block == APR_BLOCK_READ
        && idv_received_is_http1(connection->c);
}

/* mod_reqtimeout counts the reads that reach it. The first read after an
 * announced head ends the wait of a kept connection, and the next read starts
 * the clock that was set. So both heads and bodies must be announced. If one is
 * omitted, the clock of this request starts when httpd looks for the next one.
 * The connection then ends without answering the next request, because its head
 * is read here before mod_reqtimeout knows of it.
 *
 * The call skips mod_ssl, which is in between: if a head and its body arrived
 * in one segment, it answers reads from data that it has already decrypted. */
void idv_received_tell_clock(idv_connection_t *connection)
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
    idv_connection_t *connection = filter->ctx;

    if (idv_received_is_drained(connection)) {
        /* httpd answers a partial head with 408. */
        if (connection->is_late && !connection->is_transparent)
            return APR_TIMEUP;
        /* httpd answers this error with 400. */
        if (wants_head(connection, block))
            return APR_EINVAL;
        /* In the other modes, httpd checks whether there is another request. */
        if (mode == AP_MODE_READBYTES || mode == AP_MODE_GETLINE)
            idv_received_tell_clock(connection);
        return ap_get_brigade(filter->next, brigade, mode, block, length);
    }
    idv_received_tell_clock(connection);
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

void idv_received_open(idv_connection_t *connection)
{
    conn_rec *c = connection->c;

    connection->received = apr_brigade_create(c->pool, c->bucket_alloc);
    connection->arriving = apr_brigade_create(c->pool, c->bucket_alloc);
    connection->filter =
        ap_add_input_filter_handle(filter_record, connection, NULL, c);
}

void idv_received_register(void)
{
    filter_record = ap_register_input_filter("VERIFY_RECEPTION", give_received,
                                             NULL, AP_FTYPE_CONNECTION);
}
