/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/cross_origin.h"

#include <string.h>

#include "api/routes.h"

/* What a page may send, and what it may read besides what every page may. */
static const char request_headers[] =
    "Authorization, Content-Type, Idempotency-Key, X-Service-Session-Secret";
static const char response_headers[] =
    "Service-Deprecation, X-Request-Id, X-RateLimit-Limit, "
    "X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, "
    "Idempotent-Replayed";

/* Seconds that a preflight's answer is good for: as long as Chrome keeps one. */
static const char preflight_age[] = "7200";

/* Origins are compared as they are, as browsers write them in one way. */
static int is_listed(const char *origin, const apr_array_header_t *origins)
{
    for (int i = 0; i < origins->nelts; i++)
        if (strcmp(APR_ARRAY_IDX(origins, i, const char *), origin) == 0)
            return 1;
    return 0;
}

/* The route that METHOD would take, when pages may take it. */
static const idv_route_t *open_route(request_rec *r, const char *method)
{
    idv_route_match_t match;

    if (idv_route_find(method, r->uri, &match, r->pool)
        || match.route->credential != IDV_CREDENTIAL_PUBLISHABLE_OR_SECRET)
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

void idv_cross_origin_note(request_rec *r, const idv_settings_t *settings)
{
    const char *origin = apr_table_get(r->headers_in, "Origin");
    const char *wanted = NULL;
    const idv_route_t *route;

    if (settings->cors_origins->nelts == 0 || !r->uri)
        return;
    if (r->method_number == M_OPTIONS)
        wanted = apr_table_get(r->headers_in, "Access-Control-Request-Method");
    route = open_route(r, wanted ? wanted : r->method);
    if (!route)
        return;
    /* Also where the header is missing: a cache must not give that answer to
     * a page. */
    apr_table_mergen(r->err_headers_out, "Vary", "Origin");
    if (!origin || !is_listed(origin, settings->cors_origins))
        return;
    apr_table_set(r->err_headers_out, "Access-Control-Allow-Origin", origin);
    if (wanted)
        allow_preflight(r, route);
    else
        apr_table_setn(r->err_headers_out, "Access-Control-Expose-Headers",
                       response_headers);
}
