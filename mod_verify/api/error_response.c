/* SPDX-License-Identifier: Apache-2.0 */
#include "api/error_response.h"

#include <apr_strings.h>

#include "api/response.h"

/* Which code stands for a status of httpd's own. */
static const struct {
    int status;
    idv_error_code_t code;
} httpd_errors[] = {
    {HTTP_BAD_REQUEST, IDV_E_PARAMETER_INVALID},
    {HTTP_UNAUTHORIZED, IDV_E_API_KEY_INVALID},
    {HTTP_FORBIDDEN, IDV_E_ACCESS_DENIED},
    {HTTP_NOT_FOUND, IDV_E_RESOURCE_MISSING},
    {HTTP_METHOD_NOT_ALLOWED, IDV_E_METHOD_NOT_ALLOWED},
    {HTTP_REQUEST_TIME_OUT, IDV_E_REQUEST_TIMEOUT},
    {HTTP_PRECONDITION_FAILED, IDV_E_PRECONDITION_FAILED},
    {HTTP_REQUEST_ENTITY_TOO_LARGE, IDV_E_BODY_TOO_LARGE},
    {HTTP_REQUEST_URI_TOO_LARGE, IDV_E_URI_TOO_LONG},
    {HTTP_UNSUPPORTED_MEDIA_TYPE, IDV_E_UNSUPPORTED_MEDIA_TYPE},
    {HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE, IDV_E_HEADERS_TOO_LARGE},
    {HTTP_NOT_IMPLEMENTED, IDV_E_METHOD_NOT_ALLOWED},
    {HTTP_SERVICE_UNAVAILABLE, IDV_E_SERVICE_UNAVAILABLE},
};

idv_error_t *idv_error_of_status(int status, apr_pool_t *pool)
{
    for (size_t i = 0; i < sizeof(httpd_errors) / sizeof(*httpd_errors); i++) {
        if (httpd_errors[i].status == status)
            return idv_error_new(httpd_errors[i].code, pool);
    }
    return idv_error_new(status >= 400 && status < 500
                             ? IDV_E_PARAMETER_INVALID : IDV_E_INTERNAL,
                         pool);
}

const char *idv_error_envelope(const idv_error_t *error,
                               const char *request_id, apr_pool_t *pool)
{
    const idv_error_info_t *info = idv_error_info(error->code);
    json_t *inner = idv_json_own(json_object(), pool);
    json_t *outer = idv_json_own(json_object(), pool);
    const char *text;

    json_object_set_new(inner, "type", json_string(info->type));
    json_object_set_new(inner, "code", json_string(info->code));
    json_object_set_new(inner, "message", json_string(error->message));
    if (error->param)
        json_object_set_new(inner, "param", json_string(error->param));
    json_object_set_new(inner, "request_id", json_string(request_id));
    json_object_set(outer, "error", inner);
    if (idv_json_dump(outer, &text, NULL, pool))
        text = "{\"error\":{\"type\":\"api_error\"}}"; /* out of memory */
    return text;
}

void idv_error_headers(request_rec *r, const idv_error_t *error,
                       apr_table_t *headers)
{
    if (error->retry_after > 0)
        apr_table_setn(headers, "Retry-After",
                       apr_itoa(r->pool, error->retry_after));
    if (idv_error_info(error->code)->status == HTTP_UNAUTHORIZED)
        apr_table_setn(headers, "WWW-Authenticate",
                       apr_table_get(r->headers_in, "Authorization")
                           ? "Bearer realm=\"verify\", error=\"invalid_token\""
                           : "Bearer realm=\"verify\"");
}

void idv_respond_error(idv_request_t *request, const idv_error_t *error)
{
    const char *text = idv_error_envelope(error, request->id, request->pool);

    idv_error_headers(request->r, error, request->r->err_headers_out);
    request->response.status = idv_error_info(error->code)->status;
    request->response.media_type = "application/json";
    request->response.body.data = (const unsigned char *)text;
    request->response.body.length = strlen(text);
}
