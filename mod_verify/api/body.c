/* SPDX-License-Identifier: Apache-2.0 */
#include "api/body.h"

#include <http_protocol.h>
#include <util_filter.h>

#include <apr_strings.h>

#include "core/query_string.h"

#define READ_SIZE (64 * 1024)
/* Bytes of a refused body that are read away. */
#define ABANDONED_MAX (1024 * 1024)

/* A body that arrives. */
typedef struct {
    idv_request_t *request;
    apr_size_t limit;
    apr_size_t announced; /* by its header, within the limit; 0: not */
    apr_time_t deadline;
    char *data;
    apr_size_t length, capacity;
    int ended;
} arrival_t;

void idv_body_abandon(request_rec *r)
{
    apr_bucket_brigade *brigade;
    apr_off_t length, total = 0;

    if (!r->connection->master) {
        r->connection->keepalive = AP_CONN_CLOSE;
        return;
    }
    /* Some clients take the reset of a stream whose body was not read as a
     * failure and never look at the answer. */
    brigade = apr_brigade_create(r->pool, r->connection->bucket_alloc);
    while (total < ABANDONED_MAX
           && ap_get_brigade(r->input_filters, brigade, AP_MODE_READBYTES,
                             APR_BLOCK_READ, READ_SIZE) == APR_SUCCESS) {
        int ended = !APR_BRIGADE_EMPTY(brigade)
            && APR_BUCKET_IS_EOS(APR_BRIGADE_LAST(brigade));

        if (apr_brigade_length(brigade, 1, &length) != APR_SUCCESS || ended)
            break;
        total += length;
        apr_brigade_cleanup(brigade);
    }
}

static idv_error_t *too_large(idv_request_t *request)
{
    idv_body_abandon(request->r);
    return idv_error_new(IDV_E_BODY_TOO_LARGE, request->pool);
}

static idv_error_t *append(arrival_t *arrival, const char *data,
                           apr_size_t length)
{
    if (length > arrival->limit - arrival->length)
        return too_large(arrival->request);
    if (arrival->length + length > arrival->capacity) {
        apr_size_t capacity = 2 * (arrival->length + length);
        char *grown;

        if (capacity < arrival->announced)
            capacity = arrival->announced;
        if (capacity > arrival->limit)
            capacity = arrival->limit;
        grown = apr_palloc(arrival->request->pool, capacity);
        memcpy(grown, arrival->data, arrival->length);
        arrival->data = grown;
        arrival->capacity = capacity;
    }
    memcpy(arrival->data + arrival->length, data, length);
    arrival->length += length;
    return NULL;
}

static idv_error_t *failed(idv_request_t *request, apr_status_t status,
                           int *answered)
{
    int code = ap_map_http_request_error(status, HTTP_BAD_REQUEST);

    idv_body_abandon(request->r);
    if (code == AP_FILTER_ERROR || status == AP_FILTER_ERROR) {
        *answered = AP_FILTER_ERROR;
        return NULL;
    }
    if (code == HTTP_REQUEST_ENTITY_TOO_LARGE)
        return too_large(request);
    if (code == HTTP_REQUEST_TIME_OUT)
        return idv_error_new(IDV_E_REQUEST_TIMEOUT, request->pool);
    return idv_error_param(request->pool, NULL,
                           "The request body could not be read.");
}

static idv_error_t *take(arrival_t *arrival, apr_bucket_brigade *brigade,
                         int *answered)
{
    for (apr_bucket *bucket = APR_BRIGADE_FIRST(brigade);
         bucket != APR_BRIGADE_SENTINEL(brigade);
         bucket = APR_BUCKET_NEXT(bucket)) {
        const char *data;
        apr_size_t length;
        apr_status_t status;

        if (APR_BUCKET_IS_EOS(bucket)) {
            arrival->ended = 1;
            return NULL;
        }
        if (APR_BUCKET_IS_METADATA(bucket))
            continue;
        status = apr_bucket_read(bucket, &data, &length, APR_BLOCK_READ);
        if (status != APR_SUCCESS)
            return failed(arrival->request, status, answered);
        IDV_TRY(append(arrival, data, length));
    }
    return NULL;
}

static idv_error_t *read_all(arrival_t *arrival, int *answered)
{
    request_rec *r = arrival->request->r;
    apr_bucket_brigade *brigade =
        apr_brigade_create(r->pool, r->connection->bucket_alloc);

    while (!arrival->ended && *answered == OK) {
        apr_status_t status =
            ap_get_brigade(r->input_filters, brigade, AP_MODE_READBYTES,
                           APR_BLOCK_READ, READ_SIZE);

        if (status != APR_SUCCESS)
            return failed(arrival->request, status, answered);
        IDV_TRY(take(arrival, brigade, answered));
        apr_brigade_cleanup(brigade);
        /* However little comes at a time, and however steadily. */
        if (!arrival->ended && apr_time_now() > arrival->deadline)
            return failed(arrival->request, APR_TIMEUP, answered);
    }
    return NULL;
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

/* Nothing is allocated before the type and the announced length are right. */
static idv_error_t *check_headers(idv_request_t *request,
                                  const idv_body_rule_t *rule)
{
    request_rec *r = request->r;
    const char *type = apr_table_get(r->headers_in, "Content-Type");
    const char *encoding = apr_table_get(r->headers_in, "Content-Encoding");

    if (rule->limit == 0)
        return idv_error_param(request->pool, NULL,
                               "This operation takes no request body.");
    request->body_type = type ? ap_field_noparam(request->pool, type) : NULL;
    for (const char *const *known = rule->media_types;; known++) {
        if (!*known || (encoding && strcasecmp(encoding, "identity") != 0))
            return idv_error_new(IDV_E_UNSUPPORTED_MEDIA_TYPE, request->pool);
        if (request->body_type && strcasecmp(*known, request->body_type) == 0) {
            request->body_type = *known;
            break;
        }
    }
    if (announced_length(r) > (apr_int64_t)rule->limit)
        return too_large(request);
    return NULL;
}

static idv_error_t *read_body(idv_request_t *request, int *answered)
{
    const idv_body_rule_t *rule = idv_body_rule(request->route->body);
    arrival_t arrival = {
        .request = request,
        .limit = rule->limit,
        .data = "",
        .announced = (apr_size_t)announced_length(request->r),
        .deadline = apr_time_now()
            + apr_time_from_sec(request->services->settings->body_time),
    };
    idv_error_t *error = check_headers(request, rule);

    if (error) {
        /* What was announced may be longer than is worth reading away. */
        idv_body_abandon(request->r);
        return error;
    }
    IDV_TRY(read_all(&arrival, answered));
    request->body.data = (const unsigned char *)arrival.data;
    request->body.length = arrival.length;
    return NULL;
}

idv_error_t *idv_body_read(idv_request_t *request, int *answered)
{
    json_t *query;

    *answered = OK;
    IDV_TRY(idv_query_string_parse(request->r->args, &query, request->pool));
    request->parameters = query;
    request->parameters_are_query = 1;
    if (has_body(request->r)) {
        IDV_TRY(read_body(request, answered));
        if (*answered != OK)
            return NULL;
    }
    if (request->route->body == IDV_BODY_NO)
        return NULL;
    if (json_object_size(query) > 0)
        return idv_error_param(request->pool,
                               json_object_iter_key(json_object_iter(query)),
                               "This operation takes no query parameters.");
    if (request->route->body == IDV_BODY_JSON && request->body.length > 0)
        IDV_TRY(idv_json_parse((const char *)request->body.data,
                               request->body.length, &request->parameters,
                               request->pool));
    request->parameters_are_query = 0;
    return NULL;
}
