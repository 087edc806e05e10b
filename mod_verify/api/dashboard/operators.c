/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/me and /dashboard/v1/organizations: who the operator is, what
 * he may do, and where.
 *
 * How to add a route for operators. Everything that a secret key can do is there
 * already, by the ROLE of its route (api/routes.def). A route of the dashboard's
 * own
 *
 * - is a line of routes.def with the credential OPERATOR and the role that it
 *   needs; ANY for what everybody sees who has logged in;
 * - has a path below /dashboard/v1/organizations/:org where it is about an
 *   organization. Then request->key is set as for a secret key, so
 *   idv_request_scope() and idv_write() work, and request->organization_id is
 *   that organization, which exists and in which the operator has the role.
 *   Other paths below /dashboard have neither;
 * - finds who calls in request->operator, which is never NULL there: `user` is
 *   the identity, `name` is for showing, `role` and `rule` say what let him in;
 * - changes nothing with GET. What changes something is refused to pages of
 *   other sites before its handler runs. Looking at evidence is recorded, so it
 *   is a POST, too;
 * - records what it does by idv_record_action() in the transaction of the change
 *   (api/action_record.h); idv_write() has done so already;
 * - is described in openapi.json with `x-operator-role`.
 */
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "api/response.h"
#include "store/organization.h"

#define EXPECTED_LENGTH 1000
/* Characters of what is searched for. */
#define ORGANIZATION_SEARCH_MAX 100

/* --- who one is --- */

static const char advice[] =
    "You have no role here. An administrator of this server grants one by "
    "writing, for example, VerifyOperator reviewer * user ";

/* What an administrator has to write, for somebody without a role. */
static const char *advice_for(const idv_operator_t *operator, apr_pool_t *pool)
{
    return apr_pstrcat(pool, advice, ap_escape_quotes(pool, operator->user),
                       NULL);
}

static void write_grants(idv_json_writer_t *object,
                         const apr_array_header_t *grants)
{
    idv_json_open_array(object, "roles");
    for (int i = 0; i < grants->nelts; i++) {
        const idv_operator_grant_t *grant =
            &APR_ARRAY_IDX(grants, i, idv_operator_grant_t);

        idv_json_open_object(object, NULL);
        idv_json_put_text(object, "organization", grant->organization_id);
        idv_json_put_text(object, "role", idv_role_name(grant->role));
        idv_json_close_object(object);
    }
    idv_json_close_array(object);
}

idv_error_t *idv_operator_api_me(idv_request_t *request)
{
    const idv_operator_t *operator = request->operator;
    apr_array_header_t *grants;
    idv_json_writer_t object;

    IDV_TRY(idv_request_no_parameters(request));
    grants = request->services->operator_grants(request);
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "operator");
    idv_json_put_text(&object, "user", operator->user);
    idv_json_put_text(&object, "name", operator->name);
    idv_json_put_text(&object, "authentication", operator->authentication);
    write_grants(&object, grants);
    idv_json_put_text(&object, "logout_url",
                      request->services->settings->dashboard_logout);
    idv_json_put_text(&object, "advice",
                      grants->nelts ? NULL
                                    : advice_for(operator, request->pool));
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}

/* --- organizations --- */

/* The roles that GRANTS gives in the organization ID, each once. */
static void write_roles(idv_json_writer_t *object,
                        const apr_array_header_t *grants, const char *id)
{
    unsigned held = 0;

    for (int i = 0; i < grants->nelts; i++) {
        const idv_operator_grant_t *grant =
            &APR_ARRAY_IDX(grants, i, idv_operator_grant_t);

        if (strcmp(grant->organization_id, IDV_OPERATOR_EVERYWHERE) == 0
            || strcmp(grant->organization_id, id) == 0)
            held |= 1u << grant->role;
    }
    idv_json_open_array(object, "roles");
    for (int role = 0; role < IDV_ROLE_COUNT; role++)
        if (held & (1u << role))
            idv_json_put_text(object, NULL, idv_role_name((idv_role_t)role));
    idv_json_close_array(object);
}

static void write_organization(idv_json_writer_t *object,
                               const idv_organization_t *organization,
                               const apr_array_header_t *grants)
{
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "id", organization->id);
    idv_json_put_text(object, "object", "organization");
    idv_json_put_text(object, "name", organization->name);
    idv_json_put_boolean(object, "sandbox", organization->sandbox);
    idv_json_put_text(object, "billing_status", organization->billing_status);
    idv_json_put_integer(object, "free_allotment",
                         organization->free_allotment);
    idv_json_put_integer(object, "credit_balance",
                         organization->credit_balance);
    idv_json_put_text(object, "publishable_session_create",
                      organization->publishable_session_create);
    write_roles(object, grants, organization->id);
    idv_json_put_seconds(object, "created", organization->created);
    idv_json_put_seconds(object, "updated", organization->updated);
    idv_json_close_object(object);
}

typedef struct {
    const char *id;
    idv_organization_t *organization;
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;

    return idv_organization_find(db, retrieval->id, &retrieval->organization,
                                 pool);
}

idv_error_t *idv_operator_organization_api_retrieve(idv_request_t *request)
{
    retrieval_t retrieval = {.id = request->organization_id};
    idv_json_writer_t object;

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    write_organization(&object, retrieval.organization,
                       request->services->operator_grants(request));
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}

typedef struct {
    idv_page_t page;
    const char *search;
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t, IDV_ID_ORGANIZATION),
    IDV_PARAMETER(STRING, list_input_t, search, 0, 1,
                  ORGANIZATION_SEARCH_MAX),
    {0},
};

typedef struct {
    idv_organization_filter_t filter;
    apr_array_header_t *organizations;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_organization_page(db, &listing->filter, &listing->organizations,
                                 &listing->has_more, pool);
}

/* The ids of the organizations in which GRANTS gives a role, to a NULL; NULL:
 * there is a role in all. */
static const char *const *visible_ids(const apr_array_header_t *grants,
                                      apr_pool_t *pool)
{
    const char **ids =
        apr_pcalloc(pool, sizeof(*ids) * ((apr_size_t)grants->nelts + 1));

    for (int i = 0; i < grants->nelts; i++) {
        ids[i] =
            APR_ARRAY_IDX(grants, i, idv_operator_grant_t).organization_id;
        if (strcmp(ids[i], IDV_OPERATOR_EVERYWHERE) == 0)
            return NULL;
    }
    return ids;
}

idv_error_t *idv_operator_organization_api_list(idv_request_t *request)
{
    apr_array_header_t *grants = request->services->operator_grants(request);
    list_input_t input = {.page = IDV_PAGE_DEFAULT};
    listing_t listing = {0};
    idv_json_writer_t page;

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    listing.filter = (idv_organization_filter_t){
        .visible = visible_ids(grants, request->pool),
        .search = input.search,
        .cursor = idv_page_cursor(&input.page),
    };
    IDV_TRY(idv_request_with_database(request, list, &listing));
    idv_page_open(request, listing.has_more, &page);
    for (int i = 0; i < listing.organizations->nelts; i++)
        write_organization(
            &page,
            APR_ARRAY_IDX(listing.organizations, i, idv_organization_t *),
            grants);
    return idv_page_close(request, &page);
}
