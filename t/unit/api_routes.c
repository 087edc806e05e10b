/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "api/http/routes.h"

/* The table's handlers, which this test never calls. */
#define IDV_ROUTE(method, pattern, credential, role, body, handler, scope)     \
    idv_error_t *handler(struct idv_request_t *request);                       \
    idv_error_t *handler(struct idv_request_t *request)                        \
    {                                                                          \
        (void)request;                                                         \
        return NULL;                                                           \
    }
#include "api/routes.def"
#undef IDV_ROUTE

#include "api/http/routes.c"

static void finds_every_route_by_its_own_pattern(void **state)
{
    int count;
    const idv_route_t *table = idv_routes(&count);

    for (int i = 0; i < count; i++) {
        idv_route_match_t match;

        assert_null(idv_route_find(table[i].method, table[i].pattern, &match,
                                   *state));
        assert_ptr_equal(match.route, &table[i]);
        assert_int_equal(idv_route_index(match.route), i);
        assert_true((table[i].body == IDV_BODY_NO)
                    == (strcmp(table[i].method, "GET") == 0));
        assert_true((table[i].body == IDV_BODY_EMPTY)
                    == (strcmp(table[i].method, "DELETE") == 0));
    }
}

static void reads_parameters(void **state)
{
    idv_route_match_t match;

    assert_null(idv_route_find("PUT", "/v1/widget/sessions/vks_1/images/front",
                               &match, *state));
    assert_string_equal(match.parameters[0], "vks_1");
    assert_string_equal(match.parameters[1], "front");
    assert_int_equal(idv_route_parameter(match.route, "id"), 0);
    assert_int_equal(idv_route_parameter(match.route, "side"), 1);
    assert_int_equal(idv_route_parameter(match.route, "si"), -1);
    assert_null(idv_route_find("HEAD", "/v1/health/live", &match, *state));
    assert_string_equal(match.route->method, "GET");
}

static void tells_unknown_paths_from_unknown_methods(void **state)
{
    static const char *const unknown[] = {
        "", "/", "/v1", "/v1/health/live/", "/v1/health/liv",
        "/v1/verification_sessions/", "/v1/verification_sessions//cancel",
        "/v1/verification_sessions/a/b", "/V1/health/live",
    };
    idv_route_match_t match;
    char path[400];
    idv_error_t *error;

    for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
        error = idv_route_find("GET", unknown[i], &match, *state);
        assert_non_null(error);
        assert_int_equal(error->code, IDV_E_RESOURCE_MISSING);
        assert_null(match.allow);
    }
    memset(path, 'a', sizeof(path) - 1);
    memcpy(path, "/v1/webhook_endpoints/", 22);
    path[sizeof(path) - 1] = '\0';
    assert_null(idv_route_find("GET", path, &match, *state));
    assert_int_equal(strlen(match.parameters[0]), sizeof(path) - 1 - 22);
    error = idv_route_find("PATCH", "/v1/verification_sessions", &match,
                           *state);
    assert_int_equal(error->code, IDV_E_METHOD_NOT_ALLOWED);
    assert_string_equal(match.allow, "POST, GET, HEAD, OPTIONS");
}

static void gives_operators_the_routes_of_keys(void **state)
{
    static const char *const unknown[] = {
        "/dashboardx/v1/me", "/dashboard/v1/organizations/",
        "/dashboard/v1/organizations//events",
        "/dashboard/v1/organizations/o/v1/events",
        "/dashboard/v1/organizations/o/applications/",
        "/dashboard/v1/organizations/o/applications//events",
        "/dashboard/v1/organizations/o/applications/a/applications/b/events",
        "/dashboard/v1/organizations/o/health/live",
        "/dashboard/v1/organizations/o/widget/sessions/vks_1",
        "/dashboard/v1/events", "/v1/organizations/o", "/v1/me",
    };
    idv_route_match_t match, key;

    assert_null(idv_route_find("GET", "/v1/events/evt_1", &key, *state));
    assert_false(key.for_operator);
    assert_null(idv_route_find("GET",
                               "/dashboard/v1/organizations/o/events/evt_1",
                               &match, *state));
    assert_ptr_equal(match.route, key.route);
    assert_true(match.for_operator);
    assert_string_equal(match.organization_id, "o");
    assert_null(match.application_id);
    assert_string_equal(match.parameters[0], "evt_1");
    assert_null(idv_route_find(
        "GET", "/dashboard/v1/organizations/o/applications/a/events", &match,
        *state));
    assert_string_equal(match.application_id, "a");
    for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
        assert_non_null(idv_route_find("GET", unknown[i], &match, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(finds_every_route_by_its_own_pattern),
        pooled_test(reads_parameters),
        pooled_test(tells_unknown_paths_from_unknown_methods),
        pooled_test(gives_operators_the_routes_of_keys),
    };

    return unit_run("api/routes", tests);
}
