/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_ROUTES_H
#define IDV_API_HTTP_ROUTES_H

/*
 * The table of routes (routes.def) and its lookup.
 *
 * A pattern is literal text and segments `:name`, each of which matches one
 * non-empty segment. Literal patterns win over patterns with parameters. The
 * path is the one that httpd has decoded; a trailing slash makes a different
 * path.
 *
 * Below /dashboard/v1/organizations/:org an operator finds the routes of that
 * organization's keys again. Paths that begin with /dashboard are for operators
 * only, whatever the route's CREDENTIAL says; no other paths are. A match says
 * which kind the path is.
 *
 * This file does not depend on requests. Memory: constant data; path parameters
 * live in the given pool. Threads: pure.
 */
#include "core/error.h"
#include "domain/account/key_scope.h"

struct idv_request_t;

typedef idv_error_t *idv_handler_t(struct idv_request_t *request);

/* Who may call a route; routes.def explains each value. */
typedef enum {
    IDV_CREDENTIAL_NONE,
    IDV_CREDENTIAL_ANY_ORIGIN,
    IDV_CREDENTIAL_SECRET,
    IDV_CREDENTIAL_PUBLISHABLE_OR_SECRET,
    IDV_CREDENTIAL_CLIENT_SECRET,
    IDV_CREDENTIAL_LINK,
    IDV_CREDENTIAL_UPLOAD_CLIENT_SECRET,
    IDV_CREDENTIAL_OPERATOR
} idv_route_credential_t;

typedef enum {
    IDV_BODY_NO,
    IDV_BODY_EMPTY,
    IDV_BODY_JSON,
    IDV_BODY_LONG_JSON,
    IDV_BODY_FORM,
    IDV_BODY_SHORT_FORM,
    IDV_BODY_IMAGE,
    IDV_BODY_CHIP,
    IDV_BODY_FRAMES
} idv_body_t;

/* Bytes of a small body, which has a short deadline (VerifySmallBodyTime). */
#define IDV_BODY_SMALL (64 * 1024)

/* Limits of a kind of body. */
typedef struct {
    apr_size_t limit;               /* bytes */
    const char *const *media_types; /* NULL-terminated; NULL: any */
} idv_body_rule_t;

typedef struct idv_route_t {
    const char *method;
    const char *pattern; /* also the route's name in idempotency and metrics */
    idv_route_credential_t credential;
    idv_role_t role; /* required of an operator */
    idv_body_t body;
    idv_handler_t *handler;
    idv_key_scope_t scope; /* required of a restricted secret key */
} idv_route_t;

/* The whole table. */
const idv_route_t *idv_routes(int *count);

/* The rule for BODY. */
const idv_body_rule_t *idv_body_rule(idv_body_t body);

/* The most parameters of a pattern. */
#define IDV_PATH_PARAMETERS 4

typedef struct {
    const idv_route_t *route;
    const char *parameters[IDV_PATH_PARAMETERS]; /* unused ones NULL */
    const char *allow; /* value for that header; NULL: unknown path */
    int for_operator;  /* flag: the path is below /dashboard */
    /* Owner of the path, for operators; NULL: it names none. */
    const char *organization_id, *application_id;
} idv_route_match_t;

/* Prefix of the paths of an operator's organization. */
#define IDV_OPERATOR_ORGANIZATIONS "/dashboard/v1/organizations/"

/* Non-zero if PATH is for operators. */
int idv_path_is_of_dashboard(const char *path);

/* The route of METHOD and PATH. HEAD finds the route of GET. An unknown path is
 * `resource_missing`; a known one with another method is `method_not_allowed`,
 * which also sets `allow`. */
idv_error_t *idv_route_find(const char *method, const char *path,
                            idv_route_match_t *match,
                            apr_pool_t *pool) IDV_CHECKED;

/* The index of the parameter NAME in ROUTE's pattern; -1: none. */
int idv_route_parameter(const idv_route_t *route, const char *name);

/* The index of ROUTE in the table. */
int idv_route_index(const idv_route_t *route);

#endif
