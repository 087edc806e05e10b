/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/routes.h"

#include <string.h>

#include <apr_strings.h>

#include "methods/face/liveness_challenge.h"
#include "methods/passport/chip_dump.h"

#define IDV_ROUTE(method, pattern, credential, role, body, handler, scope)     \
    idv_error_t *handler(struct idv_request_t *request);
#include "api/routes.def"
#undef IDV_ROUTE

static const idv_route_t routes[] = {
#define IDV_ROUTE(method, pattern, credential, role, body, handler, scope)     \
    {#method, pattern, IDV_CREDENTIAL_##credential, IDV_ROLE_##role,           \
     IDV_BODY_##body, handler, IDV_KEY_SCOPE_##scope},
#include "api/routes.def"
#undef IDV_ROUTE
};

#define ROUTE_COUNT ((int)(sizeof(routes) / sizeof(*routes)))

static const char *const json_types[] = {"application/json", NULL};
static const char *const form_types[] = {"application/x-www-form-urlencoded",
                                         NULL};
static const char *const image_types[] = {"image/jpeg", "image/png",
                                          "image/webp", NULL};

static const idv_body_rule_t body_rules[] = {
    [IDV_BODY_NO] = {0, NULL},
    [IDV_BODY_EMPTY] = {64, NULL},
    [IDV_BODY_JSON] = {IDV_BODY_SMALL, json_types},
    [IDV_BODY_LONG_JSON] = {512 * 1024, json_types},
    [IDV_BODY_FORM] = {512 * 1024, form_types},
    [IDV_BODY_SHORT_FORM] = {IDV_BODY_SMALL, form_types},
    [IDV_BODY_FRAMES] = {IDV_LIVENESS_BODY_MAX, json_types},
    [IDV_BODY_IMAGE] = {20 * 1024 * 1024, image_types},
    [IDV_BODY_CHIP] = {IDV_CHIP_DUMP_MAX, json_types},
};

const idv_route_t *idv_routes(int *count)
{
    *count = ROUTE_COUNT;
    return routes;
}

const idv_body_rule_t *idv_body_rule(idv_body_t body)
{
    return &body_rules[body];
}

int idv_route_index(const idv_route_t *route)
{
    return (int)(route - routes);
}

int idv_route_parameter(const idv_route_t *route, const char *name)
{
    size_t length = strlen(name);
    int index = 0;

    for (const char *c = strchr(route->pattern, ':'); c; index++) {
        c++;
        if (strncmp(c, name, length) == 0
            && (c[length] == '/' || c[length] == '\0'))
            return index;
        c = strchr(c, ':');
    }
    return -1;
}

/* Non-zero if PATH matches; sets PARAMETERS. */
static int fits(const char *pattern, const char *path, const char **parameters,
                apr_pool_t *pool)
{
    int count = 0;

    while (*pattern) {
        size_t length;

        if (*pattern != ':') {
            if (*pattern++ != *path++)
                return 0;
            continue;
        }
        length = strcspn(path, "/");
        if (length == 0)
            return 0;
        parameters[count++] = apr_pstrmemdup(pool, path, length);
        path += length;
        pattern += strcspn(pattern, "/");
    }
    return *path == '\0';
}

static const char *add_method(const char *allow, const char *method,
                              apr_pool_t *pool)
{
    const char *names = strcmp(method, "GET") == 0 ? "GET, HEAD" : method;

    return allow ? apr_pstrcat(pool, allow, ", ", names, NULL) : names;
}

/* Whether ROUTE can belong to this kind of path. Operator routes and all others
 * are separate, except that key routes also exist within an operator's
 * ORGANIZATION. */
typedef int idv_route_filter_t(const idv_route_t *route);

static int is_plain(const idv_route_t *route)
{
    return route->credential != IDV_CREDENTIAL_OPERATOR;
}

static int is_of_dashboard(const idv_route_t *route)
{
    return route->credential == IDV_CREDENTIAL_OPERATOR;
}

static int is_shared(const idv_route_t *route)
{
    return (route->credential == IDV_CREDENTIAL_SECRET
            || route->credential == IDV_CREDENTIAL_PUBLISHABLE_OR_SECRET)
        && route->role != IDV_ROLE_NONE;
}

/* A path to look up, and the routes to search. */
typedef struct {
    const char *method;
    const char *path;
    idv_route_filter_t *filter;
} search_t;

/* Adds to MATCH the route for the path among patterns of one kind, or the
 * methods that they allow. */
static void look(const search_t *search, int literal, idv_route_match_t *match,
                 apr_pool_t *pool)
{
    const char *parameters[IDV_PATH_PARAMETERS] = {NULL};

    for (int i = 0; i < ROUTE_COUNT; i++) {
        if (!search->filter(&routes[i])
            || !fits(routes[i].pattern, search->path, parameters, pool)
            || (strchr(routes[i].pattern, ':') == NULL) != literal)
            continue;
        match->allow = add_method(match->allow, routes[i].method, pool);
        if (!match->route && strcmp(routes[i].method, search->method) == 0) {
            match->route = &routes[i];
            memcpy(match->parameters, parameters, sizeof(parameters));
        }
    }
}

static void look_at_both(const search_t *search, idv_route_match_t *match,
                         apr_pool_t *pool)
{
    look(search, 1, match, pool);
    if (!match->allow)
        look(search, 0, match, pool);
}

/* --- operators --- */

#define ROOT "/dashboard"
#define APPLICATIONS "applications/"

int idv_path_is_of_dashboard(const char *path)
{
    return strncmp(path, ROOT, strlen(ROOT)) == 0
        && (path[strlen(ROOT)] == '/' || path[strlen(ROOT)] == '\0');
}

/* Removes the first segment from *REST and returns it; NULL if it is empty. */
static const char *take_segment(const char **rest, apr_pool_t *pool)
{
    size_t length = strcspn(*rest, "/");
    const char *segment = *rest;

    if (length == 0)
        return NULL;
    *rest += length;
    return apr_pstrmemdup(pool, segment, length);
}

/* Searches the key routes for the rest of the path after the organization and
 * an optional application. */
static void look_among_shared(const char *method, const char *rest,
                              idv_route_match_t *match, apr_pool_t *pool)
{
    search_t search = {method, NULL, is_shared};

    if (strncmp(rest, "/" APPLICATIONS, strlen("/" APPLICATIONS)) == 0) {
        rest += strlen("/" APPLICATIONS);
        match->application_id = take_segment(&rest, pool);
        if (!match->application_id)
            return;
    }
    if (*rest != '/')
        return;
    search.path = apr_pstrcat(pool, "/v1", rest, NULL);
    look_at_both(&search, match, pool);
}

static void look_for_operator(const char *method, const char *path,
                              idv_route_match_t *match, apr_pool_t *pool)
{
    const search_t search = {method, path, is_of_dashboard};
    const char *rest = path + strlen(IDV_OPERATOR_ORGANIZATIONS);

    match->for_operator = 1;
    look_at_both(&search, match, pool);
    if (strncmp(path, IDV_OPERATOR_ORGANIZATIONS,
                strlen(IDV_OPERATOR_ORGANIZATIONS)) != 0)
        return;
    match->organization_id = take_segment(&rest, pool);
    if (match->organization_id && !match->route)
        look_among_shared(method, rest, match, pool);
}

idv_error_t *idv_route_find(const char *method, const char *path,
                            idv_route_match_t *match, apr_pool_t *pool)
{
    search_t search = {method, path, is_plain};

    if (strcmp(method, "HEAD") == 0)
        search.method = "GET";
    memset(match, 0, sizeof(*match));
    if (idv_path_is_of_dashboard(path))
        look_for_operator(search.method, path, match, pool);
    else
        look_at_both(&search, match, pool);
    if (!match->allow)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    match->allow = apr_pstrcat(pool, match->allow, ", OPTIONS", NULL);
    return match->route ? NULL : idv_error_new(IDV_E_METHOD_NOT_ALLOWED, pool);
}
