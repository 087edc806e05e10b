/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/sending.h"

#include <apr_poll.h>
#include <http_core.h>
#include <http_protocol.h>
#include <util_filter.h>

#include "api/http/admission.h"
#include "api/http/response.h"

/* httpd keeps less than 64 KiB without waiting for the client, including the
 * head and the overhead of TLS; mod_http2 keeps 32 KiB of a stream. */
#define SHORT_MAX (60 * 1024)
#define SHORT_STREAM_MAX (24 * 1024)
#define PART_MAX (32 * 1024)

#define WAIT_MAX APR_USEC_PER_SEC
/* Seconds that a place lasts beyond the time of its reader. Then its process is
 * assumed to have been killed. */
#define SLACK 5
#define EXTEND_INTERVAL (5 * APR_USEC_PER_SEC)

struct idv_sending_t {
    apr_bucket_brigade *brigade;
    const unsigned char *data; /* the unsent rest of the answer or piece */
    apr_size_t length;
    apr_pool_t *pool; /* of the piece */
    apr_time_t begun, deadline;
    apr_time_t extended; /* when the place was extended */
    idv_place_kind_t kind;
    int may_wait;        /* flag: it has a place, or does not need one */
    int is_drained;      /* flag: a thread also waits for the last part */
    int has_all;         /* flag: httpd has all of it */
    int has_ended;       /* flag: there is nothing left to do */
};

/* --- places --- */

static int is_stream(const idv_request_t *request)
{
    return request->r->connection->master != NULL;
}

static int is_long(const idv_request_t *request)
{
    apr_size_t most = is_stream(request) ? SHORT_STREAM_MAX : SHORT_MAX;

    return !request->r->header_only
        && (request->response.next || request->response.body.length > most);
}

static int has_caller(const idv_request_t *request)
{
    return request->operator || request->key || request->caller_id;
}

/* A thread may also block this long inside mod_http2. */
static int place_time(const idv_request_t *request)
{
    int seconds = request->services->settings->answer_start + SLACK;

    if (is_stream(request))
        seconds += (int)apr_time_sec(request->r->server->timeout);
    return seconds;
}

static idv_place_kind_t kind_of(const idv_request_t *request)
{
    if (!has_caller(request))
        return request->can_park ? IDV_PLACE_PARKED_PUBLIC_ANSWER
                                 : IDV_PLACE_PUBLIC_ANSWER;
    return request->can_park ? IDV_PLACE_PARKED_ANSWER : IDV_PLACE_ANSWER;
}

idv_error_t *idv_sending_reserve(idv_request_t *request)
{
    return idv_admission_take(request, kind_of(request), place_time(request));
}

static idv_sending_t *make(idv_request_t *request)
{
    idv_sending_t *sending = apr_pcalloc(request->pool, sizeof(*sending));

    sending->kind = kind_of(request);
    sending->may_wait = 1;
    request->sending = sending;
    return sending;
}

idv_error_t *idv_sending_admit(idv_request_t *request)
{
    idv_error_t *error = NULL;

    if (is_long(request))
        error = idv_admission_take(request, kind_of(request),
                                   place_time(request));
    if (error && request->r->method_number == M_GET)
        return error;
    make(request)->may_wait = !error;
    return NULL;
}

/* --- the head --- */

static void set_headers(idv_request_t *request)
{
    const idv_response_t *response = &request->response;
    request_rec *r = request->r;

    /* httpd would cut a range out of any answer, and part of a JSON text is not
     * JSON. */
    apr_table_unset(r->headers_in, "Range");
    r->status = response->status;
    ap_set_content_type(r, response->media_type);
    if (!response->next)
        ap_set_content_length(r, (apr_off_t)response->body.length);
    if (!apr_table_get(r->err_headers_out, "Cache-Control"))
        apr_table_setn(r->err_headers_out, "Cache-Control", "no-store");
    apr_table_setn(r->err_headers_out, "X-Content-Type-Options", "nosniff");
}

static void begin(idv_request_t *request)
{
    idv_sending_t *sending =
        request->sending ? request->sending : make(request);
    request_rec *r = request->r;

    set_headers(request);
    sending->brigade =
        apr_brigade_create(request->pool, r->connection->bucket_alloc);
    sending->data = request->response.body.data;
    sending->length = request->response.body.length;
    if (request->response.next)
        apr_pool_create(&sending->pool, request->pool);
    if (r->header_only)
        request->response.next = NULL;
    sending->is_drained = !request->can_park && !is_stream(request);
    sending->begun = sending->extended = apr_time_now();
    sending->deadline =
        sending->begun
        + apr_time_from_sec(request->services->settings->answer_start);
    /* A reserved place has been waiting for the handler. */
    idv_admission_extend(request, place_time(request));
}

/* --- the parts --- */

/* Adds the time that LENGTH accepted bytes earn at the minimum rate, but never
 * more than answer_start from now. */
static void extend_time(idv_request_t *request, apr_size_t length)
{
    const idv_settings_t *settings = request->services->settings;
    idv_sending_t *sending = request->sending;
    apr_time_t now = apr_time_now();
    apr_time_t most = now + apr_time_from_sec(settings->answer_start);

    sending->deadline +=
        (apr_time_t)length * APR_USEC_PER_SEC / settings->answer_rate;
    if (sending->deadline > most)
        sending->deadline = most;
    if (now < sending->extended + EXTEND_INTERVAL)
        return;
    sending->extended = now;
    idv_admission_extend(request, place_time(request));
}

/* Passes the brigade to httpd, with the end of the answer if IS_LAST. It is not
 * a failure if the client has gone. */
static void pass(idv_request_t *request, int is_last)
{
    idv_sending_t *sending = request->sending;
    request_rec *r = request->r;

    if (is_last)
        APR_BRIGADE_INSERT_TAIL(
            sending->brigade,
            apr_bucket_eos_create(r->connection->bucket_alloc));
    sending->has_all = is_last;
    if (ap_pass_brigade(r->output_filters, sending->brigade) != APR_SUCCESS
        || (is_last && !sending->is_drained) || r->connection->aborted)
        sending->has_ended = 1;
    apr_brigade_cleanup(sending->brigade);
}

/* The client must be able to tell a part from the whole: after this bucket,
 * httpd omits the last chunk, or resets an HTTP/2 stream. */
static void break_off(idv_request_t *request)
{
    request_rec *r = request->r;

    r->connection->keepalive = AP_CONN_CLOSE;
    APR_BRIGADE_INSERT_TAIL(
        request->sending->brigade,
        ap_bucket_error_create(HTTP_BAD_GATEWAY, NULL, r->pool,
                               r->connection->bucket_alloc));
    pass(request, 1);
}

/* Stops waiting for this reader. Data that httpd still keeps would also wait
 * for it, so the connection is aborted. */
static void give_up(idv_request_t *request)
{
    idv_sending_t *sending = request->sending;

    if (sending->may_wait)
        idv_admission_count_late(request, sending->kind);
    if (is_stream(request))
        break_off(request);
    else
        request->r->connection->aborted = 1;
    sending->has_ended = 1;
}

static void pass_part(idv_request_t *request)
{
    idv_sending_t *sending = request->sending;
    apr_size_t length = sending->length < PART_MAX ? sending->length : PART_MAX;

    if (length)
        APR_BRIGADE_INSERT_TAIL(
            sending->brigade,
            apr_bucket_transient_create(
                (const char *)sending->data, length,
                request->r->connection->bucket_alloc));
    sending->data += length;
    sending->length -= length;
    pass(request, !sending->length && !request->response.next);
    extend_time(request, length);
}

/* Fetches the next piece when httpd has all of the previous one. The time this
 * takes does not count against the reader. */
static void fetch(idv_request_t *request)
{
    idv_sending_t *sending = request->sending;
    idv_response_t *response = &request->response;
    idv_bytes_t piece = {NULL, 0};
    apr_time_t begun = apr_time_now(), took;

    apr_pool_clear(sending->pool);
    response->failure =
        response->next(request, response->baton, &piece, sending->pool);
    took = apr_time_now() - begun;
    sending->begun += took;
    sending->deadline += took;
    idv_admission_extend(request, place_time(request));
    if (response->failure || !piece.length)
        response->next = NULL;
    sending->data = piece.data;
    sending->length = response->failure ? 0 : piece.length;
    if (response->failure)
        break_off(request);
}

/* Whether httpd still has data that the client has not read. */
static int is_pending(const idv_request_t *request)
{
    conn_rec *c = request->r->connection;
    ap_filter_t *last = c->output_filters;

    if (is_stream(request) || !c->data_in_output_filters)
        return 0;
    while (last->next)
        last = last->next;
    /* Like the MPM when a connection becomes writable. */
    (void)last->frec->filter_func.out_func(last, NULL);
    return c->data_in_output_filters && !c->aborted;
}

/* Whether a child that is ending has waited for this reader long enough. */
static int is_over(const idv_request_t *request)
{
    apr_time_t most =
        apr_time_from_sec(request->services->settings->body_time);

    return apr_time_now() > request->sending->begun + most
        && idv_child_is_stopping();
}

static int is_late(const idv_request_t *request)
{
    return apr_time_now() > request->sending->deadline || is_over(request);
}

/* Whether the connection was ended by us, not by the client: the time of the
 * answer was up before a thread noticed (httpd/connection/reception.h). */
static int was_cut(const idv_request_t *request)
{
    return request->r->connection->aborted && is_late(request);
}

/* A client that has read all data in httpd was in time, even if a thread
 * noticed that late. */
static void catch_up(idv_sending_t *sending)
{
    apr_time_t now = apr_time_now();

    if (sending->deadline < now)
        sending->deadline = now;
}

/* httpd sends on its own what it keeps without waiting. */
static void pass_short(idv_request_t *request)
{
    idv_sending_t *sending = request->sending;

    sending->is_drained = 0;
    if (sending->length)
        APR_BRIGADE_INSERT_TAIL(
            sending->brigade,
            apr_bucket_pool_create((const char *)sending->data,
                                   sending->length, request->r->pool,
                                   request->r->connection->bucket_alloc));
    pass(request, 1);
}

static void go_on(idv_request_t *request)
{
    idv_sending_t *sending = request->sending;

    catch_up(sending);
    if (!sending->length && request->response.next)
        fetch(request);
    else
        pass_part(request);
}

idv_sending_progress_t idv_sending_advance(idv_request_t *request)
{
    idv_sending_t *sending = request->sending;

    if (!sending || !sending->brigade) {
        begin(request);
        sending = request->sending;
        if (!is_long(request))
            pass_short(request);
    }
    while (!sending->has_ended) {
        int pending = is_pending(request);

        if (pending && sending->may_wait && !is_late(request))
            return IDV_SENDING_AWAITED;
        if (pending || was_cut(request)) {
            give_up(request);
        } else if (request->r->connection->aborted || sending->has_all) {
            sending->has_ended = 1;
        } else if (is_stream(request) ? is_late(request) : is_over(request)) {
            give_up(request);
        } else {
            go_on(request);
        }
    }
    return IDV_SENDING_ENDED;
}

apr_time_t idv_sending_deadline(const idv_request_t *request)
{
    return request->sending->deadline;
}

void idv_sending_wait(const idv_request_t *request)
{
    apr_time_t left = request->sending->deadline - apr_time_now();
    apr_pollfd_t poll = {.p = request->pool, .desc_type = APR_POLL_SOCKET,
                         .reqevents = APR_POLLOUT | APR_POLLHUP};
    apr_int32_t count;

    poll.desc.s = ap_get_conn_socket(request->r->connection);
    /* The result is not needed: the next write and the deadline decide. */
    if (left > 0)
        (void)apr_poll(&poll, 1, &count, left < WAIT_MAX ? left : WAIT_MAX);
}
