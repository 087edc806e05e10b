/* SPDX-License-Identifier: Apache-2.0 */
#include "api/routes.h"

#include <string.h>

#include <apr_strings.h>

#include "methods/face/liveness_challenge.h"
#include "methods/passport/chip_dump.h"

#define IDV_ROUTE(method, pattern, credential, body, handler)                  \
    idv_error_t *handler(struct idv_request_t *request);
#include "api/routes.def"
#undef IDV_ROUTE

static const idv_route_t routes[] = {
#define IDV_ROUTE(method, pattern, credential, body, handler)                  \
    {#method, pattern, IDV_CREDENTIAL_##credential, IDV_BODY_##body, handler},
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
    [IDV_BODY_JSON] = {IDV_BODY_SMALL, json_types},
    [IDV_BODY_LONG_JSON] = {512 * 1024, json_types},
    [IDV_BODY_FORM] = {512 * 1024, form_types},
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

/* Non-zero when PATH fits; the parameters go to PARAMETERS. */
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

/* Adds what the routes of one kind of pattern say about PATH. */
static void look(const char *method, const char *path, int literal,
                 idv_route_match_t *match, apr_pool_t *pool)
{
    const char *parameters[IDV_PATH_PARAMETERS] = {NULL};

    for (int i = 0; i < ROUTE_COUNT; i++) {
        if ((strchr(routes[i].pattern, ':') == NULL) != literal
            || !fits(routes[i].pattern, path, parameters, pool))
            continue;
        match->allow = add_method(match->allow, routes[i].method, pool);
        if (!match->route && strcmp(routes[i].method, method) == 0) {
            match->route = &routes[i];
            memcpy(match->parameters, parameters, sizeof(parameters));
        }
    }
}

idv_error_t *idv_route_find(const char *method, const char *path,
                            idv_route_match_t *match, apr_pool_t *pool)
{
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    memset(match, 0, sizeof(*match));
    look(method, path, 1, match, pool);
    if (!match->allow)
        look(method, path, 0, match, pool);
    if (!match->allow)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    match->allow = apr_pstrcat(pool, match->allow, ", OPTIONS", NULL);
    return match->route ? NULL : idv_error_new(IDV_E_METHOD_NOT_ALLOWED, pool);
}
