/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/body.h"

#include <http_core.h>
#include <http_protocol.h>
#include <util_filter.h>

#include <apr_poll.h>
#include <apr_strings.h>

#include "core/query_string.h"

#define READ_SIZE (64 * 1024)
/* How much of a refused body is discarded, and for how long. */
#define ABANDONED_MAX (1024 * 1024)
#define ABANDONED_TIME apr_time_from_msec(250)
/* An HTTP/2 stream has no socket to poll, so it is checked at this interval. */
#define LOOK_INTERVAL apr_time_from_msec(20)
/* Many clients send the header and the body separately, but without a pause. */
#define CLOSE_BEHIND apr_time_from_msec(25)
/* mod_reqtimeout only checks its clock when it is called for more data. */
#define WAIT_MAX apr_time_from_sec(1)

/* A body that is being received. */
struct idv_body_arrival_t {
    apr_size_t limit;
    apr_size_t announced; /* by its header, within the limit; 0: not */
    apr_time_t begun;
    apr_time_t deadline;
    apr_bucket_brigade *brigade;
    char *data;
    apr_size_t length, capacity;
    int ended;
};

static void read_away(request_rec *r)
{
    apr_time_t end = apr_time_now() + ABANDONED_TIME;
    apr_bucket_brigade *brigade =
        apr_brigade_create(r->pool, r->connection->bucket_alloc);
    apr_off_t length, total = 0;

    while (total < ABANDONED_MAX && apr_time_now() < end) {
        apr_status_t status =
            ap_get_brigade(r->input_filters, brigade, AP_MODE_READBYTES,
                           APR_NONBLOCK_READ, READ_SIZE);

        if (APR_STATUS_IS_EAGAIN(status)
            || (status == APR_SUCCESS && APR_BRIGADE_EMPTY(brigade))) {
            apr_sleep(LOOK_INTERVAL);
            continue;
        }
        if (status != APR_SUCCESS
            || APR_BUCKET_IS_EOS(APR_BRIGADE_LAST(brigade))
            || apr_brigade_length(brigade, 1, &length) != APR_SUCCESS)
            return;
        total += length;
        apr_brigade_cleanup(brigade);
    }
}

void idv_body_abandon(request_rec *r)
{
    conn_rec *connection = r->connection;

    /* If the body was not read, HTTP/2 resets the stream. Some clients treat
     * this as a failure and never read the response. */
    if (connection->master) {
        read_away(r);
        return;
    }
    connection->keepalive = AP_CONN_CLOSE;
    /* httpd then discards incoming data for 2 seconds instead of 30. */
    apr_table_setn(connection->notes, "short-lingering-close", "1");
}

static idv_error_t *takes_no_body(const idv_request_t *request)
{
    return idv_error_param(request->pool, NULL,
                           "This operation accepts no request body. Omit it.");
}

static idv_error_t *too_large(idv_request_t *request)
{
    if (request->route->body == IDV_BODY_EMPTY)
        return takes_no_body(request);
    return idv_error_new(IDV_E_BODY_TOO_LARGE, request->pool);
}

static idv_error_t *append(idv_request_t *request, const char *data,
                           apr_size_t length)
{
    idv_body_arrival_t *arrival = request->arrival;

    if (length > arrival->limit - arrival->length)
        return too_large(request);
    if (arrival->length + length > arrival->capacity) {
        apr_size_t capacity = 2 * (arrival->length + length);
        char *grown;

        if (capacity < arrival->announced)
            capacity = arrival->announced;
        if (capacity > arrival->limit)
            capacity = arrival->limit;
        grown = apr_palloc(request->pool, capacity);
        memcpy(grown, arrival->data, arrival->length);
        arrival->data = grown;
        arrival->capacity = capacity;
    }
    memcpy(arrival->data + arrival->length, data, length);
    arrival->length += length;
    return NULL;
}

static idv_error_t *too_late(const idv_request_t *request)
{
    idv_admission_count_late(request, idv_body_place_kind(request));
    return idv_error_new(IDV_E_REQUEST_TIMEOUT, request->pool);
}

static idv_error_t *failed(idv_request_t *request, apr_status_t status,
                           int *answered)
{
    int code = ap_map_http_request_error(status, HTTP_BAD_REQUEST);

    if (code == AP_FILTER_ERROR || status == AP_FILTER_ERROR) {
        *answered = AP_FILTER_ERROR;
        idv_body_abandon(request->r);
        return NULL;
    }
    if (code == HTTP_REQUEST_ENTITY_TOO_LARGE)
        return too_large(request);
    if (code == HTTP_REQUEST_TIME_OUT)
        return too_late(request);
    return idv_error_param(
        request->pool, NULL,
        "The request body could not be read. Send it again.");
}

static idv_error_t *take(idv_request_t *request, int *answered)
{
    apr_bucket_brigade *brigade = request->arrival->brigade;

    for (apr_bucket *bucket = APR_BRIGADE_FIRST(brigade);
         bucket != APR_BRIGADE_SENTINEL(brigade);
         bucket = APR_BUCKET_NEXT(bucket)) {
        const char *data;
        apr_size_t length;
        apr_status_t status;

        if (APR_BUCKET_IS_EOS(bucket)) {
            request->arrival->ended = 1;
            return NULL;
        }
        if (APR_BUCKET_IS_METADATA(bucket))
            continue;
        status = apr_bucket_read(bucket, &data, &length, APR_BLOCK_READ);
        if (status != APR_SUCCESS)
            return failed(request, status, answered);
        IDV_TRY(append(request, data, length));
    }
    return NULL;
}

static apr_time_t earlier(apr_time_t a, apr_time_t b)
{
    return a < b ? a : b;
}

/* Non-zero for a body that may take as long as its length requires. */
static int is_long(const idv_request_t *request)
{
    return request->arrival->limit > IDV_BODY_SMALL;
}

/* Adds the time that LENGTH received bytes earn at the minimum rate, but never
 * more than upload_start from now. */
static void extend_time(const idv_request_t *request, apr_size_t length)
{
    const idv_settings_t *settings = request->services->settings;
    idv_body_arrival_t *arrival = request->arrival;
    apr_time_t earned = arrival->deadline
        + (apr_time_t)length * APR_USEC_PER_SEC / settings->upload_rate;
    apr_time_t most =
        apr_time_now() + apr_time_from_sec(settings->upload_start);

    if (is_long(request))
        arrival->deadline =
            earlier(earlier(earned, most),
                    arrival->begun + apr_time_from_sec(settings->body_time));
}

static apr_time_t first_deadline(const idv_request_t *request)
{
    const idv_settings_t *settings = request->services->settings;
    int seconds = is_long(request) ? settings->upload_start
                                   : settings->small_body_time;

    if (seconds > settings->body_time)
        seconds = settings->body_time;
    return request->arrival->begun + apr_time_from_sec(seconds);
}

static idv_error_t *read_some(idv_request_t *request,
                              idv_body_progress_t *progress, int *answered)
{
    idv_body_arrival_t *arrival = request->arrival;
    apr_size_t before = arrival->length;
    apr_status_t status;

    if (apr_time_now() > arrival->deadline)
        return too_late(request);
    status = ap_get_brigade(request->r->input_filters, arrival->brigade,
                            AP_MODE_READBYTES, APR_NONBLOCK_READ, READ_SIZE);
    if (APR_STATUS_IS_EAGAIN(status)
        || (status == APR_SUCCESS && APR_BRIGADE_EMPTY(arrival->brigade))) {
        *progress = IDV_BODY_AWAITED;
        return NULL;
    }
    if (status != APR_SUCCESS)
        return failed(request, status, answered);
    IDV_TRY(take(request, answered));
    apr_brigade_cleanup(arrival->brigade);
    extend_time(request, arrival->length - before);
    return NULL;
}

idv_error_t *idv_body_advance(idv_request_t *request,
                              idv_body_progress_t *progress, int *answered)
{
    *progress = IDV_BODY_ARRIVED;
    while (request->arrival && !request->arrival->ended && *answered == OK
           && *progress == IDV_BODY_ARRIVED)
        IDV_TRY(read_some(request, progress, answered));
    return NULL;
}

void idv_body_ask(idv_request_t *request)
{
    request_rec *r = request->r;
    int status = r->status;
    const char *status_line = r->status_line;

    if (!r->expecting_100 || request->arrival->length > 0)
        return;
    r->status = HTTP_CONTINUE;
    r->status_line = NULL;
    ap_send_interim_response(r, 0);
    r->status = status;
    r->status_line = status_line;
}

idv_place_kind_t idv_body_place_kind(const idv_request_t *request)
{
    if (request->route->body == IDV_BODY_IMAGE
        || request->route->body == IDV_BODY_CHIP
        || request->route->body == IDV_BODY_FRAMES)
        return IDV_PLACE_UPLOAD;
    return request->can_park ? IDV_PLACE_PARKED_BODY : IDV_PLACE_BODY;
}

apr_time_t idv_body_deadline(const idv_request_t *request)
{
    return request->arrival->deadline;
}

int idv_body_is_close(const idv_request_t *request)
{
    return idv_body_place_kind(request) != IDV_PLACE_UPLOAD
        && !request->r->expecting_100
        && apr_time_now() < request->arrival->begun + CLOSE_BEHIND;
}

void idv_body_wait(const idv_request_t *request)
{
    conn_rec *connection = request->r->connection;
    apr_time_t end = idv_body_is_close(request)
                       ? request->arrival->begun + CLOSE_BEHIND
                       : request->arrival->deadline;
    apr_time_t left = end - apr_time_now();
    apr_pollfd_t poll = {.p = request->pool, .desc_type = APR_POLL_SOCKET,
                         .reqevents = APR_POLLIN | APR_POLLHUP};
    apr_int32_t count;

    if (connection->master) {
        apr_sleep(LOOK_INTERVAL);
        return;
    }
    poll.desc.s = ap_get_conn_socket(connection);
    /* The result is not needed: the next read and the deadline decide. */
    if (left > 0)
        (void)apr_poll(&poll, 1, &count, earlier(left, WAIT_MAX));
}

static apr_int64_t announced_length(request_rec *r)
{
    const char *length = apr_table_get(r->headers_in, "Content-Length");

    return length ? apr_strtoi64(length, NULL, 10) : 0;
}

static int has_body(request_rec *r)
{
    return apr_table_get(r->headers_in, "Transfer-Encoding")
        || announced_length(r) != 0;
}

static idv_error_t *check_type(idv_request_t *request,
                               const char *const *media_types)
{
    request_rec *r = request->r;
    const char *type = apr_table_get(r->headers_in, "Content-Type");
    const char *encoding = apr_table_get(r->headers_in, "Content-Encoding");

    request->body_type = type ? ap_field_noparam(request->pool, type) : NULL;
    if (!media_types)
        return NULL;
    for (const char *const *known = media_types;; known++) {
        if (!*known || (encoding && strcasecmp(encoding, "identity") != 0))
            return idv_error_new(IDV_E_UNSUPPORTED_MEDIA_TYPE, request->pool);
        if (request->body_type && strcasecmp(*known, request->body_type) == 0) {
            request->body_type = *known;
            return NULL;
        }
    }
}

/* Nothing is allocated until the type and the announced length are valid. */
static idv_error_t *check_headers(idv_request_t *request,
                                  const idv_body_rule_t *rule)
{
    if (rule->limit == 0)
        return takes_no_body(request);
    IDV_TRY(check_type(request, rule->media_types));
    if (announced_length(request->r) > (apr_int64_t)rule->limit)
        return too_large(request);
    return NULL;
}

static idv_error_t *begin_arrival(idv_request_t *request)
{
    const idv_body_rule_t *rule = idv_body_rule(request->route->body);
    idv_body_arrival_t *arrival = apr_pcalloc(request->pool, sizeof(*arrival));

    IDV_TRY(check_headers(request, rule));
    arrival->limit = rule->limit;
    arrival->announced = (apr_size_t)announced_length(request->r);
    arrival->begun = apr_time_now();
    arrival->data = "";
    arrival->brigade = apr_brigade_create(
        request->pool, request->r->connection->bucket_alloc);
    request->arrival = arrival;
    arrival->deadline = first_deadline(request);
    return NULL;
}

idv_error_t *idv_body_begin(idv_request_t *request)
{
    IDV_TRY(idv_query_string_parse(request->r->args, &request->parameters,
                                   request->pool));
    request->parameters_are_query = 1;
    return has_body(request->r) ? begin_arrival(request) : NULL;
}

#define NOTHING_MAX 64 /* bytes of a body without content */

static const char *skip_space(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* Whether the body is an empty text, object or array. Many clients send an
 * empty object with DELETE, and PHP encodes an empty object as an empty
 * array. */
static int is_nothing(const idv_request_t *request)
{
    char text[NOTHING_MAX + 1];
    const char *open, *behind;

    if (request->body.length == 0)
        return 1;
    if (request->body.length > NOTHING_MAX)
        return 0;
    memcpy(text, request->body.data, request->body.length);
    text[request->body.length] = '\0';
    open = skip_space(text);
    if (strlen(text) != request->body.length || (*open != '{' && *open != '['))
        return 0;
    behind = skip_space(open + 1);
    return *behind == (*open == '{' ? '}' : ']')
        && skip_space(behind + 1)[0] == '\0';
}

idv_error_t *idv_body_finish(idv_request_t *request)
{
    json_t *query = request->parameters;

    if (request->arrival) {
        request->body.data = (const unsigned char *)request->arrival->data;
        request->body.length = request->arrival->length;
    }
    if (request->route->body == IDV_BODY_NO)
        return NULL;
    if (request->route->body == IDV_BODY_EMPTY)
        return is_nothing(request) ? NULL : takes_no_body(request);
    if (json_object_size(query) > 0)
        return idv_error_param(
            request->pool, json_object_iter_key(json_object_iter(query)),
            "is in the query, but this operation accepts no query parameters. "
            "Pass it in the body.");
    if ((request->route->body == IDV_BODY_JSON
         || request->route->body == IDV_BODY_LONG_JSON
         || request->route->body == IDV_BODY_FRAMES)
        && !is_nothing(request))
        IDV_TRY(idv_json_parse((const char *)request->body.data,
                               request->body.length, &request->parameters,
                               request->pool));
    request->parameters_are_query = 0;
    return NULL;
}
