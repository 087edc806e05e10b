/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/me and /dashboard/v1/organizations: the operator, with roles
 * and organizations; …/applications: the applications of an organization.
 *
 * How to add a route for operators. Everything that a secret key can do is
 * already available, through the ROLE of its route (api/routes.def). A route
 * that only the dashboard has
 *
 * - is a line of routes.def with the credential OPERATOR and the role that it
 *   needs, or ANY if every operator who is logged in may use it;
 * - has a path below /dashboard/v1/organizations/:org if it concerns an
 *   organization. Then request->key is set as for a secret key, so
 *   idv_request_scope() and idv_write() work. request->organization_id is that
 *   organization, which exists and in which the operator has the role. On other
 *   paths below /dashboard neither is set;
 * - finds the caller in request->operator, which is never NULL there: `user` is
 *   the identity, `name` is for display, `role` and `rule` are the grant that
 *   applied;
 * - does not change anything with GET. Other methods are refused to pages of
 *   other sites before the handler runs. Viewing evidence is recorded, so it is
 *   a POST;
 * - records its action with idv_record_action() in the transaction of the
 *   change (api/http/action_record.h); idv_write() does so itself;
 * - is described in openapi.json with `x-operator-role`.
 */
#include <stdlib.h>
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "domain/account/billing.h"
#include "domain/account/brand.h"
#include "domain/value/identifier.h"
#include "store/account/organization.h"
#include "store/session/attempt_limit.h"
#include "store/session/second_review.h"

#define EXPECTED_LENGTH 1000
/* Characters of the search text. */
#define ORGANIZATION_SEARCH_MAX 100
#define BRAND_MEMBERS_MAX 20

/* --- the operator --- */

static const char advice[] =
    "You have no role on this server. To grant one, its administrator writes, "
    "for example, VerifyOperator reviewer * user ";

/* A rule for the administrator to write, for a user without a role. */
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

/* The roles that GRANTS give in the organization ID, each once. */
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

static apr_int64_t own_or_servers(apr_int64_t own, int servers)
{
    return own ? own : servers;
}

/* The rate limits of an organization's keys, its own or else those of
 * SETTINGS. */
static void write_rate_limit(idv_json_writer_t *object,
                             const idv_rate_limits_t *own,
                             const idv_settings_t *settings)
{
    idv_json_open_object(object, "rate_limit");
    idv_json_put_integer(
        object, "secret",
        own_or_servers(own->secret, settings->rate_limit_secret));
    idv_json_put_integer(
        object, "publishable",
        own_or_servers(own->publishable, settings->rate_limit_publishable));
    idv_json_close_object(object);
}

/* BRAND: as JSON; NULL leaves it out, as lists do. */
static void write_organization(idv_json_writer_t *object,
                               const idv_organization_t *organization,
                               const char *brand,
                               const apr_array_header_t *grants,
                               const idv_settings_t *settings)
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
    idv_json_open_object(object, "four_eyes");
    idv_json_put_boolean(object, "publish", organization->four_eyes.publish);
    idv_json_put_boolean(object, "reject", organization->four_eyes.reject);
    idv_json_put_boolean(object, "erase", organization->four_eyes.erase);
    idv_json_close_object(object);
    write_rate_limit(object, &organization->rate_limits, settings);
    write_roles(object, grants, organization->id);
    if (brand)
        idv_json_put_raw(object, "brand", brand);
    idv_json_put_seconds(object, "disabled_at", organization->disabled_at);
    idv_json_put_seconds(object, "created", organization->created);
    idv_json_put_seconds(object, "updated", organization->updated);
    idv_json_close_object(object);
}

static const char *brand_text(const idv_organization_brand_t *shown)
{
    return shown->brand ? shown->brand : "null";
}

typedef struct {
    const char *id;
    idv_organization_t *organization;
    idv_organization_brand_t shown;
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;

    IDV_TRY(idv_organization_brand(db, retrieval->id, &retrieval->shown, pool));
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
                       brand_text(&retrieval.shown),
                       request->services->operator_grants(request),
                       request->services->settings);
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

idv_error_t *idv_operator_organization_api_list(idv_request_t *request)
{
    apr_array_header_t *grants = request->services->operator_grants(request);
    list_input_t input = {.page = IDV_PAGE_DEFAULT};
    listing_t listing = {0};
    idv_json_writer_t page;

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    listing.filter = (idv_organization_filter_t){
        .visible = idv_operator_organizations(grants, request->pool),
        .search = input.search,
        .cursor = idv_page_cursor(&input.page),
    };
    IDV_TRY(idv_request_with_database(request, list, &listing));
    idv_page_open(request, listing.has_more, &page);
    for (int i = 0; i < listing.organizations->nelts; i++)
        write_organization(
            &page,
            APR_ARRAY_IDX(listing.organizations, i, idv_organization_t *), NULL,
            grants, request->services->settings);
    return idv_page_close(request, &page);
}

/* --- sign-ins --- */

#define SIGN_INS_PER_HOUR 60

/* Nobody can fill the audit log with records of having come. */
static idv_error_t *admit_sign_in(idv_db_t *db, const idv_request_t *request,
                                  apr_pool_t *pool)
{
    const idv_attempt_limit_t limit = {
        .organization_id = request->organization_id,
        .digest = idv_identifier_digest(request->services->keyring, "sign_in",
                                        request->operator->user, pool),
        .window = IDV_HOUR,
        .limit = SIGN_INS_PER_HOUR,
        .refusal = "Too many sign-ins were recorded. Try again later.",
    };

    return idv_attempt_admit(db, &limit, request->now, pool);
}

/* The roles that the operator has in the organization, with their rules. */
static void write_held(idv_json_writer_t *object, const idv_request_t *request)
{
    const apr_array_header_t *grants =
        request->services->operator_grants(request);

    idv_json_open_array(object, "roles");
    for (int i = 0; i < grants->nelts; i++) {
        const idv_operator_grant_t *grant =
            &APR_ARRAY_IDX(grants, i, idv_operator_grant_t);

        if (!idv_operator_grant_allows(grant, grant->role,
                                       request->organization_id))
            continue;
        idv_json_open_object(object, NULL);
        idv_json_put_text(object, "role", idv_role_name(grant->role));
        idv_json_put_text(object, "rule", grant->rule);
        idv_json_close_object(object);
    }
    idv_json_close_array(object);
}

/* Nothing else changes but the audit log, which idv_write() appends to. */
static idv_error_t *answer_sign_in(idv_db_t *db, void *baton,
                                   const char **answer, apr_pool_t *pool)
{
    const idv_request_t *request = baton;
    const idv_operator_t *operator = request->operator;
    idv_json_writer_t object;

    IDV_TRY(admit_sign_in(db, request, pool));
    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "sign_in");
    idv_json_put_text(&object, "user", operator->user);
    idv_json_put_text(&object, "role", idv_role_name(operator->role));
    idv_json_put_text(&object, "rule", operator->rule);
    write_held(&object, request);
    idv_json_close_object(&object);
    *answer = idv_json_writer_text(&object, NULL);
    return NULL;
}

idv_error_t *idv_operator_api_sign_in(idv_request_t *request)
{
    const idv_write_t write = {.status = HTTP_OK,
                               .work = answer_sign_in,
                               .baton = request,
                               .told = "roles"};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

/* --- settings --- */

/* NULL and negative numbers leave a setting unchanged. */
typedef struct {
    const char *name;
    const char *billing_status;
    apr_int64_t free_allotment;
    const char *publishable_session_create;
    int four_eyes_publish;
    int four_eyes_reject;
    int four_eyes_erase;
    apr_int64_t second_review_percent;
    const json_t *brand; /* the members to change */
} settings_input_t;

static const char *const billing_statuses[] = {"active", "suspended", NULL};
static const char *const creations[] = {"allowed", "blocked", NULL};

static const idv_parameter_t settings_parameters[] = {
    IDV_PARAMETER(STRING, settings_input_t, name, 0, 1,
                  IDV_ORGANIZATION_NAME_MAX),
    IDV_PARAMETER_OF(STRING, settings_input_t, billing_status, 0,
                     billing_statuses),
    IDV_PARAMETER(INTEGER, settings_input_t, free_allotment, 0, 0,
                  IDV_FREE_ALLOTMENT_MAX),
    IDV_PARAMETER_OF(STRING, settings_input_t, publishable_session_create, 0,
                     creations),
    IDV_PARAMETER(BOOLEAN, settings_input_t, four_eyes_publish, 0, 0, 0),
    IDV_PARAMETER(BOOLEAN, settings_input_t, four_eyes_reject, 0, 0, 0),
    IDV_PARAMETER(BOOLEAN, settings_input_t, four_eyes_erase, 0, 0, 0),
    IDV_PARAMETER(INTEGER, settings_input_t, second_review_percent, 0, 0, 100),
    IDV_PARAMETER(OBJECT, settings_input_t, brand, 0, 0, BRAND_MEMBERS_MAX),
    {0},
};

typedef struct {
    const idv_request_t *request;
    settings_input_t input;
} settings_work_t;

static int runs_service(const idv_request_t *request)
{
    return idv_operator_grants_allow(
        request->services->operator_grants(request), IDV_ROLE_SERVICE,
        request->organization_id);
}

/* Service-only settings in INPUT must equal those of ORGANIZATION; they are
 * never written. PERCENT is the current share of second reviews. */
static idv_error_t *keep_of_service(const idv_organization_t *organization,
                                    int percent, settings_input_t *input,
                                    apr_pool_t *pool)
{
    const idv_four_eyes_t *switches = &organization->four_eyes;
    idv_error_t *error;

    if ((input->billing_status
         && strcmp(input->billing_status, organization->billing_status) != 0)
        || (input->free_allotment >= 0
            && input->free_allotment != organization->free_allotment)
        || (input->four_eyes_publish == 0 && switches->publish)
        || (input->four_eyes_reject == 0 && switches->reject)
        || (input->four_eyes_erase == 0 && switches->erase)
        || (input->second_review_percent >= 0
            && input->second_review_percent < percent)) {
        error = idv_error_new(IDV_E_OPERATOR_ROLE_REQUIRED, pool);
        error->message = "You need the role admin of all organizations to "
                         "change billing or the free allotment, to turn off "
                         "two-person control, or to reduce second reviews.";
        return error;
    }
    input->billing_status = NULL;
    input->free_allotment = -1;
    if (input->four_eyes_publish == 0)
        input->four_eyes_publish = -1;
    if (input->four_eyes_reject == 0)
        input->four_eyes_reject = -1;
    if (input->four_eyes_erase == 0)
        input->four_eyes_erase = -1;
    return NULL;
}

static const char *compact(const json_t *value, apr_pool_t *pool)
{
    char *text = json_dumps(value, JSON_COMPACT);
    const char *copy = apr_pstrdup(pool, text);

    free(text);
    return copy;
}

static idv_error_t *check_brand(const json_t *brand, apr_pool_t *pool)
{
    idv_error_t *error = idv_brand_check(brand, pool);

    if (error)
        error->param = error->param
            ? apr_pstrcat(pool, "brand.", error->param, NULL) : "brand";
    return error;
}

/* Changes the members of the organization's brand that CHANGES has (null removes
 * one), and returns the brand in *SHOWN. CHANGES is checked too, because a brand
 * does not show which of its members were to be removed. */
static idv_error_t *change_brand(idv_db_t *db, const char *id,
                                 const json_t *changes,
                                 idv_organization_brand_t *shown,
                                 apr_pool_t *pool)
{
    json_t *brand = NULL, *value;
    const char *name;

    IDV_TRY(idv_organization_brand(db, id, shown, pool));
    if (!changes)
        return NULL;
    IDV_TRY(check_brand(changes, pool));
    if (shown->brand)
        brand = idv_json_load(shown->brand, pool);
    if (!brand)
        brand = idv_json_own(json_object(), pool);
    json_object_foreach((json_t *)changes, name, value)
        if (json_is_null(value))
            json_object_del(brand, name);
        else
            json_object_set(brand, name, value);
    IDV_TRY(check_brand(brand, pool));
    return idv_organization_set_brand(
        db, id, json_object_size(brand) ? compact(brand, pool) : NULL,
        shown, pool);
}

static idv_error_t *change_settings(idv_db_t *db, void *baton,
                                    const char **answer, apr_pool_t *pool)
{
    const settings_work_t *work = baton;
    const idv_services_t *services = work->request->services;
    const char *id = work->request->organization_id;
    settings_input_t input = work->input;
    idv_organization_update_t update;
    idv_four_eyes_t switches;
    idv_organization_brand_t shown;
    int percent = -1;
    idv_organization_t *organization;
    idv_json_writer_t object;

    if (!runs_service(work->request)) {
        IDV_TRY(idv_organization_find(db, id, &organization, pool));
        IDV_TRY(idv_second_review_percent(db, id, &percent, pool));
        IDV_TRY(keep_of_service(organization, percent, &input, pool));
    }
    update = (idv_organization_update_t){
        .name = input.name,
        .billing_status = input.billing_status,
        .free_allotment = input.free_allotment,
        .publishable_session_create = input.publishable_session_create,
    };
    switches = (idv_four_eyes_t){input.four_eyes_publish,
                                 input.four_eyes_reject,
                                 input.four_eyes_erase};
    percent = (int)input.second_review_percent;
    IDV_TRY(idv_second_review_percent(db, id, &percent, pool));
    IDV_TRY(idv_organization_set_four_eyes(db, id, &switches, pool));
    IDV_TRY(idv_organization_update(db, id, &update, &organization, pool));
    IDV_TRY(change_brand(db, id, input.brand, &shown, pool));
    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    write_organization(&object, organization, brand_text(&shown),
                       services->operator_grants(work->request),
                       services->settings);
    *answer = idv_json_writer_text(&object, NULL);
    return NULL;
}

idv_error_t *idv_operator_organization_api_update(idv_request_t *request)
{
    settings_work_t work = {.request = request,
                            .input = {.free_allotment = -1,
                                      .four_eyes_publish = -1,
                                      .four_eyes_reject = -1,
                                      .four_eyes_erase = -1,
                                      .second_review_percent = -1}};
    const idv_write_t write = {
        .status = HTTP_OK, .work = change_settings, .baton = &work};

    IDV_TRY(idv_request_parameters(request, settings_parameters, &work.input,
                                   NULL));
    return idv_write(request, &write);
}

/* --- applications --- */

static idv_error_t *read_applications(idv_db_t *db, idv_listing_t *listing,
                                      apr_pool_t *pool)
{
    return idv_application_page(
        db,
        &(const idv_page_query_t){
            .scope = {.organization_id = listing->request->organization_id},
            .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

static void write_application(idv_json_writer_t *page, const void *element,
                              apr_pool_t *pool)
{
    const idv_application_t *application = element;

    (void)pool;
    idv_json_open_object(page, NULL);
    idv_json_put_text(page, "id", application->id);
    idv_json_put_text(page, "object", "application");
    idv_json_put_text(page, "name", application->name);
    idv_json_put_seconds(page, "created", application->created);
    idv_json_close_object(page);
}

idv_error_t *idv_operator_application_api_list(idv_request_t *request)
{
    static const idv_list_t applications = {
        IDV_ID_APPLICATION, read_applications, write_application};

    return idv_list_respond(request, &applications);
}

typedef struct {
    const char *name;
} application_input_t;

static const idv_parameter_t application_parameters[] = {
    IDV_PARAMETER(STRING, application_input_t, name, IDV_REQUIRED, 1,
                  IDV_ORGANIZATION_NAME_MAX),
    {0},
};

typedef struct {
    const idv_request_t *request;
    application_input_t input;
} application_work_t;

static idv_error_t *create_application(idv_db_t *db, void *baton,
                                       const char **answer, apr_pool_t *pool)
{
    const application_work_t *work = baton;
    idv_application_t application = {.name = work->input.name,
                                     .created = work->request->now};
    idv_json_writer_t object;

    IDV_TRY(idv_application_create(
        db,
        &(const idv_application_draft_t){
            .organization_id = work->request->organization_id,
            .name = application.name,
            .now = application.created},
        &application.id, pool));
    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    write_application(&object, &application, pool);
    *answer = idv_json_writer_text(&object, NULL);
    return NULL;
}

idv_error_t *idv_operator_application_api_create(idv_request_t *request)
{
    application_work_t work = {.request = request};
    const idv_write_t write = {
        .status = HTTP_CREATED, .work = create_application, .baton = &work};

    IDV_TRY(idv_request_parameters(request, application_parameters,
                                   &work.input, NULL));
    return idv_write(request, &write);
}
