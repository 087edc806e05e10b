/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/error_filter.h"

#include <http_protocol.h>
#include <http_request.h>
#include <util_filter.h>

#include "api/body.h"
#include "api/error_response.h"
#include "httpd/configuration.h"
#include "httpd/counters.h"
#include "httpd/request_state.h"

static ap_filter_rec_t *filter;

static const idv_error_t *error_of(request_rec *r)
{
    const idv_error_t *error = idv_request_state(r)->error;

    /* A hook of somebody else may have failed after ours. */
    if (error && idv_error_info(error->code)->status == r->status)
        return error;
    return idv_error_of_status(r->status, r->pool);
}

static void set_headers(request_rec *r, const idv_error_t *error)
{
    idv_route_match_t match;
    idv_error_t *fault = NULL;

    /* By now httpd has made its headers out of r->err_headers_out. */
    idv_error_headers(r, error, r->headers_out);
    apr_table_setn(r->headers_out, "X-Request-Id", idv_request_state(r)->id);
    apr_table_setn(r->headers_out, "Cache-Control", "no-store");
    if (r->status == HTTP_METHOD_NOT_ALLOWED && r->uri)
        fault = idv_route_find(r->method, r->uri, &match, r->pool);
    if (fault && match.allow)
        apr_table_setn(r->headers_out, "Allow", match.allow);
}

static apr_status_t replace_body(ap_filter_t *f, apr_bucket_brigade *brigade)
{
    request_rec *r = f->r;
    apr_bucket_alloc_t *allocator = f->c->bucket_alloc;
    const idv_error_t *error;
    const char *text;

    /* The first brigade is answered by the envelope, the rest of the page by
     * nothing. */
    apr_brigade_cleanup(brigade);
    if (f->ctx)
        return APR_SUCCESS;
    f->ctx = f;
    error = error_of(r);
    text = idv_error_envelope(error, idv_request_state(r)->id, r->pool);
    set_headers(r, error);
    ap_set_content_type(r, "application/json");
    apr_table_unset(r->headers_out, "Content-Encoding");
    r->content_languages = NULL;
    ap_set_content_length(r, (apr_off_t)strlen(text));
    APR_BRIGADE_INSERT_TAIL(
        brigade, apr_bucket_pool_create(text, strlen(text), r->pool,
                                        allocator));
    APR_BRIGADE_INSERT_TAIL(brigade, apr_bucket_eos_create(allocator));
    return ap_pass_brigade(f->next, brigade);
}

static void insert_filter(request_rec *r)
{
    const idv_error_t *error;

    if (r->status < 400)
        return;
    /* httpd would have a thread wait for the body before it answers, also on
     * paths beside the service's. */
    if (idv_configuration_in_service(r->server) && ap_request_has_body(r))
        idv_body_abandon(r);
    if (!idv_request_is_ours(r))
        return;
    /* mod_authz_core asks for another login where a Require refuses a valid
     * one; a key of the other type would be no answer to that. */
    error = idv_request_state(r)->error;
    if (r->status == HTTP_UNAUTHORIZED && error
        && error->code == IDV_E_PUBLISHABLE_KEY_SCOPE)
        r->status = HTTP_FORBIDDEN;
    idv_count_request(NULL, r->status, apr_time_now() - r->request_time);
    ap_add_output_filter_handle(filter, NULL, r, r->connection);
}

void idv_error_filter_register(void)
{
    filter = ap_register_output_filter("VERIFY_ERROR", replace_body, NULL,
                                       AP_FTYPE_RESOURCE);
    ap_hook_insert_error_filter(insert_filter, NULL, NULL, APR_HOOK_LAST);
}
