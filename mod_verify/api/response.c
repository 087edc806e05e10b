/* SPDX-License-Identifier: Apache-2.0 */
#include "api/response.h"

#include <string.h>

#include <http_protocol.h>

#include <apr_strings.h>

static const char json_media_type[] = "application/json";

void idv_respond_bytes(idv_request_t *request, int status,
                       const char *media_type, idv_bytes_t body)
{
    request->response.status = status;
    request->response.media_type = media_type;
    request->response.body = body;
}

idv_error_t *idv_respond_json(idv_request_t *request, int status, json_t *value)
{
    const char *text;

    if (!value)
        return idv_error_internal(request->pool, "out of memory for an answer");
    IDV_TRY(idv_json_dump(idv_json_own(value, request->pool), &text, NULL,
                          request->pool));
    return idv_respond_text(request, status, text);
}

idv_error_t *idv_respond_text(idv_request_t *request, int status,
                              const char *body)
{
    idv_bytes_t bytes = {(const unsigned char *)body, strlen(body)};

    idv_respond_bytes(request, status, json_media_type, bytes);
    return NULL;
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

    /* httpd would cut a range out of any answer, and a part is no JSON. */
    apr_table_unset(r->headers_in, "Range");
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
