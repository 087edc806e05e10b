/* SPDX-License-Identifier: Apache-2.0 */
#include "api/response.h"

#include <string.h>

#include <http_protocol.h>

#include <apr_strings.h>

static const char json_media_type[] = "application/json";

idv_error_t *idv_respond_json(idv_request_t *request, int status,
                              json_t *value)
{
    const char *text;
    apr_size_t length;

    if (!value)
        return idv_error_internal(request->pool, "out of memory for an answer");
    idv_json_own(value, request->pool);
    IDV_TRY(idv_json_dump(value, &text, &length, request->pool));
    return idv_respond_bytes(
        request, status, json_media_type,
        (idv_bytes_t){(const unsigned char *)text, length});
}

idv_error_t *idv_respond_text(idv_request_t *request, int status,
                              const char *body)
{
    return idv_respond_bytes(
        request, status, json_media_type,
        (idv_bytes_t){(const unsigned char *)body, strlen(body)});
}

idv_error_t *idv_respond_bytes(idv_request_t *request, int status,
                               const char *media_type, idv_bytes_t body)
{
    request->response.status = status;
    request->response.media_type = media_type ? media_type : json_media_type;
    request->response.body = body;
    return NULL;
}

idv_error_t *idv_respond_asset(idv_request_t *request,
                               const idv_web_asset_t *asset)
{
    request_rec *r = request->r;
    const idv_web_body_t *body = &asset->plain;
    idv_bytes_t none = {NULL, 0};

    if (idv_web_accepts_gzip(apr_table_get(r->headers_in, "Accept-Encoding")))
        body = &asset->gzip;
    apr_table_setn(r->headers_out, "ETag", body->etag);
    if (ap_meets_conditions(r) == HTTP_NOT_MODIFIED)
        return idv_respond_bytes(request, HTTP_NOT_MODIFIED,
                                 asset->media_type, none);
    if (body == &asset->gzip)
        apr_table_setn(r->headers_out, "Content-Encoding", "gzip");
    return idv_respond_bytes(request, HTTP_OK, asset->media_type,
                             (idv_bytes_t){body->data, body->length});
}

void idv_respond_header(idv_request_t *request, const char *name,
                        const char *value)
{
    /* The headers that httpd keeps when it answers an error itself. */
    apr_table_set(request->r->err_headers_out, name, value);
}

int idv_response_send(idv_request_t *request)
{
    const idv_response_t *response = &request->response;
    request_rec *r = request->r;
    apr_bucket_brigade *brigade;
    apr_bucket_alloc_t *allocator = r->connection->bucket_alloc;

    r->status = response->status;
    ap_set_content_type(r, response->media_type);
    ap_set_content_length(r, (apr_off_t)response->body.length);
    if (!apr_table_get(r->err_headers_out, "Cache-Control"))
        apr_table_setn(r->err_headers_out, "Cache-Control", "no-store");
    apr_table_setn(r->err_headers_out, "X-Content-Type-Options", "nosniff");
    brigade = apr_brigade_create(r->pool, allocator);
    if (response->body.length)
        APR_BRIGADE_INSERT_TAIL(
            brigade,
            apr_bucket_pool_create((const char *)response->body.data,
                                   response->body.length, r->pool, allocator));
    APR_BRIGADE_INSERT_TAIL(brigade, apr_bucket_eos_create(allocator));
    /* A client that went away meanwhile is no failure of ours. */
    (void)ap_pass_brigade(r->output_filters, brigade);
    return OK;
}
