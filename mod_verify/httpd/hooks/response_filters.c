/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/hooks/response_filters.h"

#include <string.h>

#include <http_protocol.h>
#include <http_request.h>
#include <util_filter.h>

#include "api/http/body.h"
#include "api/http/response.h"
#include "api/http/routes.h"
#include "httpd/access/login_page.h"
#include "httpd/access/operator_access.h"
#include "httpd/configuration/configuration.h"
#include "httpd/process/counters.h"
#include "httpd/request/request_state.h"

/* --- pages of other sites --- */

/* The headers that a page may send, and those that it may read in addition to
 * the ones that every page may read. */
static const char request_headers[] =
    "Authorization, Content-Type, Idempotency-Key, X-Service-Session-Secret";
static const char response_headers[] =
    "Service-Deprecation, X-Request-Id, X-RateLimit-Limit, "
    "X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, "
    "Idempotent-Replayed";

/* How long a preflight response is valid, in seconds; the maximum in Chrome. */
static const char preflight_age[] = "7200";

/* Origins are compared byte by byte because browsers write them in only one way
 * (RFC 6454, section 6.2). */
static int is_listed(const char *origin, const apr_array_header_t *origins)
{
    for (int i = 0; i < origins->nelts; i++)
        if (strcmp(APR_ARRAY_IDX(origins, i, const char *), origin) == 0)
            return 1;
    return 0;
}

/* The route of METHOD, if pages may use it. */
static const idv_route_t *open_route(request_rec *r, const char *method)
{
    idv_route_match_t match;

    if (idv_route_find(method, r->uri, &match, r->pool) || match.for_operator
        || (match.route->credential != IDV_CREDENTIAL_PUBLISHABLE_OR_SECRET
            && match.route->credential != IDV_CREDENTIAL_ANY_ORIGIN))
        return NULL;
    return match.route;
}

static void allow_preflight(request_rec *r, const idv_route_t *route)
{
    apr_table_t *headers = r->err_headers_out;

    apr_table_setn(headers, "Access-Control-Allow-Methods", route->method);
    apr_table_setn(headers, "Access-Control-Allow-Headers", request_headers);
    apr_table_setn(headers, "Access-Control-Max-Age", preflight_age);
}

/* The answers of these routes are the same for everybody, or depend on what the
 * page itself sends. */
static int is_for_all(const idv_route_t *route)
{
    return route->credential == IDV_CREDENTIAL_ANY_ORIGIN;
}

/* The value of Access-Control-Allow-Origin; NULL: ORIGIN may not call ROUTE. */
static const char *allowed_origin(request_rec *r, const idv_route_t *route,
                                  const apr_array_header_t *origins)
{
    const char *origin = apr_table_get(r->headers_in, "Origin");

    if (is_for_all(route))
        return "*";
    /* The response to a request without Origin varies as well: a cache must not
     * give it to a page. */
    apr_table_mergen(r->err_headers_out, "Vary", "Origin");
    return origin && is_listed(origin, origins) ? origin : NULL;
}

void idv_cross_origin_note(request_rec *r, const idv_settings_t *settings)
{
    const char *wanted = NULL, *allowed;
    const idv_route_t *route;

    if (!r->uri)
        return;
    if (r->method_number == M_OPTIONS)
        wanted = apr_table_get(r->headers_in, "Access-Control-Request-Method");
    route = open_route(r, wanted ? wanted : r->method);
    if (!route || (settings->cors_origins->nelts == 0 && !is_for_all(route)))
        return;
    allowed = allowed_origin(r, route, settings->cors_origins);
    if (!allowed)
        return;
    apr_table_set(r->err_headers_out, "Access-Control-Allow-Origin", allowed);
    if (wanted)
        allow_preflight(r, route);
    else
        apr_table_setn(r->err_headers_out, "Access-Control-Expose-Headers",
                       response_headers);
}

/* --- the error envelope in place of httpd's pages --- */

static ap_filter_rec_t *error_filter;

static int is_of_dashboard(const request_rec *r)
{
    return r->uri && idv_path_is_of_dashboard(r->uri);
}

static const idv_error_t *error_of(request_rec *r)
{
    const idv_error_t *error = idv_request_state(r)->error;

    /* If a hook of another module failed afterwards, its status applies. */
    if (error && idv_error_info(error->code)->status == r->status)
        return error;
    if (r->status == HTTP_UNAUTHORIZED && is_of_dashboard(r))
        return idv_error_new(IDV_E_OPERATOR_LOGIN_REQUIRED, r->pool);
    return idv_error_of_status(r->status, r->pool);
}

static void set_error_headers(request_rec *r, const idv_error_t *error)
{
    idv_route_match_t match;
    idv_error_t *fault = NULL;

    /* By now httpd has merged r->err_headers_out into r->headers_out. The login
     * challenge for operators comes from the authenticating module. */
    if (is_of_dashboard(r))
        idv_operator_set_headers(r->headers_out);
    else
        idv_error_headers(r, error, r->headers_out);
    apr_table_setn(r->headers_out, "X-Request-Id", idv_request_state(r)->id);
    apr_table_setn(r->headers_out, "Cache-Control", "no-store");
    if (r->status == HTTP_METHOD_NOT_ALLOWED && r->uri)
        fault = idv_route_find(r->method, r->uri, &match, r->pool);
    if (fault && match.allow)
        apr_table_setn(r->headers_out, "Allow", match.allow);
}

/* What is sent for ERROR; sets all headers. */
static const char *body_of(request_rec *r, const idv_error_t *error)
{
    const char *page;

    set_error_headers(r, error);
    page = error->code == IDV_E_OPERATOR_LOGIN_REQUIRED ? idv_login_page(r)
                                                        : NULL;
    ap_set_content_type(r,
                        page ? "text/html; charset=utf-8" : "application/json");
    return page ? page
                : idv_error_envelope(error, idv_request_state(r)->id, r->pool);
}

static apr_status_t replace_body(ap_filter_t *f, apr_bucket_brigade *brigade)
{
    request_rec *r = f->r;
    apr_bucket_alloc_t *allocator = f->c->bucket_alloc;
    const char *text;

    /* Replaces the first brigade by the envelope, and drops the rest of the
     * page. */
    apr_brigade_cleanup(brigade);
    if (f->ctx)
        return APR_SUCCESS;
    f->ctx = f;
    text = body_of(r, error_of(r));
    apr_table_unset(r->headers_out, "Content-Encoding");
    r->content_languages = NULL;
    ap_set_content_length(r, (apr_off_t)strlen(text));
    APR_BRIGADE_INSERT_TAIL(
        brigade, apr_bucket_pool_create(text, strlen(text), r->pool,
                                        allocator));
    APR_BRIGADE_INSERT_TAIL(brigade, apr_bucket_eos_create(allocator));
    return ap_pass_brigade(f->next, brigade);
}

static void insert_error_filter(request_rec *r)
{
    const idv_error_t *error;

    if (r->status < 400)
        return;
    /* httpd would block a thread for the body before it answers, even on other
     * paths of the server. */
    if (idv_configuration_in_service(r->server) && ap_request_has_body(r))
        idv_body_abandon(r);
    if (!idv_request_is_ours(r))
        return;
    /* mod_authz_core answers 401 if a Require refuses a valid login. For a
     * valid key of the wrong type the answer must be 403. */
    error = idv_request_state(r)->error;
    if (r->status == HTTP_UNAUTHORIZED && error
        && error->code == IDV_E_PUBLISHABLE_KEY_SCOPE)
        r->status = HTTP_FORBIDDEN;
    idv_count_request(NULL, r->status, apr_time_now() - r->request_time,
                      NULL);
    ap_add_output_filter_handle(error_filter, NULL, r, r->connection);
}

/* --- headers that the surrounding site cannot change --- */

/* Headers that only the service can set correctly. */
static const char *const own_headers[] = {
#define IDV_WEB_HEADER(name, value) name,
#include "api/http/web_headers.def"
#undef IDV_WEB_HEADER
    "Cross-Origin-Resource-Policy",
    "X-Frame-Options",
    "Access-Control-Allow-Origin",
    "Access-Control-Allow-Methods",
    "Access-Control-Allow-Headers",
    "Access-Control-Expose-Headers",
    "Access-Control-Max-Age",
    "X-Request-Id",
};

enum { OWN_HEADERS = sizeof(own_headers) / sizeof(*own_headers) };

/* NULL: the service did not set it. */
typedef struct {
    const char *values[OWN_HEADERS];
} noted_headers_t;

static ap_filter_rec_t *note_filter, *restore_filter;

static apr_status_t note_headers(ap_filter_t *f, apr_bucket_brigade *brigade)
{
    noted_headers_t *noted = f->ctx;
    request_rec *r = f->r;

    for (int i = 0; i < OWN_HEADERS; i++) {
        noted->values[i] = apr_table_get(r->err_headers_out, own_headers[i]);
        /* For an error, httpd has moved the headers there. */
        if (!noted->values[i])
            noted->values[i] = apr_table_get(r->headers_out, own_headers[i]);
    }
    ap_remove_output_filter(f);
    return ap_pass_brigade(f->next, brigade);
}

static apr_status_t restore_headers(ap_filter_t *f, apr_bucket_brigade *brigade)
{
    const noted_headers_t *noted = f->ctx;
    request_rec *r = f->r;

    for (int i = 0; i < OWN_HEADERS; i++) {
        if (!noted->values[i])
            continue;
        apr_table_unset(r->headers_out, own_headers[i]);
        apr_table_setn(r->err_headers_out, own_headers[i], noted->values[i]);
    }
    ap_remove_output_filter(f);
    return ap_pass_brigade(f->next, brigade);
}

static void insert_header_filters(request_rec *r)
{
    noted_headers_t *noted;

    if (!idv_request_is_ours(r))
        return;
    noted = apr_pcalloc(r->pool, sizeof(*noted));
    ap_add_output_filter_handle(note_filter, noted, r, r->connection);
    ap_add_output_filter_handle(restore_filter, noted, r, r->connection);
}

/* --- registration --- */

void idv_response_filters_register(void)
{
    error_filter = ap_register_output_filter("VERIFY_ERROR", replace_body, NULL,
                                             AP_FTYPE_RESOURCE);
    /* After the filter that writes errors: one before and one after
     * mod_headers' filter. */
    note_filter = ap_register_output_filter(
        "VERIFY_HEADERS_NOTE", note_headers, NULL, AP_FTYPE_RESOURCE + 1);
    restore_filter = ap_register_output_filter(
        "VERIFY_HEADERS", restore_headers, NULL, AP_FTYPE_CONTENT_SET + 1);
    ap_hook_insert_error_filter(insert_error_filter, NULL, NULL, APR_HOOK_LAST);
    ap_hook_insert_filter(insert_header_filters, NULL, NULL, APR_HOOK_LAST);
    ap_hook_insert_error_filter(insert_header_filters, NULL, NULL,
                                APR_HOOK_LAST);
}
