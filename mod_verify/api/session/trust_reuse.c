/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/trust_reuse: the settings of an application, the grants of an
 * organization, and revocation by persons through the link that they received.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/http/action_record.h"
#include "api/http/response.h"
#include "domain/request/parameters.h"
#include "domain/value/issued_secret.h"
#include "store/account/organization.h"
#include "store/session/trust_reuse_record.h"
#include "store/transaction/trust_reuse_grant.h"
#include "worker/watchdog/watchdog.h"

#define EXPECTED_LENGTH 100 /* of a person's revocation */

static void wake(const idv_request_t *request, apr_int64_t deliveries)
{
    if (deliveries)
        request->services->wake(request->services, IDV_WORK_DELIVERIES);
}

/* --- settings --- */

typedef struct {
    int enabled; /* -1: not given */
    int accept_liability;
    apr_int64_t max_age_days; /* 0: not given */
    int require_same_jurisdiction;
    idv_method_list_t accepted_methods;
} settings_input_t;

static const idv_parameter_t settings_parameters[] = {
    IDV_PARAMETER(BOOLEAN, settings_input_t, enabled, 0, 0, 0),
    IDV_PARAMETER(BOOLEAN, settings_input_t, accept_liability, 0, 0, 0),
    IDV_PARAMETER(INTEGER, settings_input_t, max_age_days, 0, 1,
                  IDV_MAX_AGE_DAYS),
    IDV_PARAMETER(BOOLEAN, settings_input_t, require_same_jurisdiction, 0, 0,
                  0),
    IDV_PARAMETER(METHODS, settings_input_t, accepted_methods, 0, 0,
                  IDV_METHOD_COUNT),
    {0},
};

typedef struct {
    const idv_request_t *request;
    idv_scope_t scope;
    settings_input_t input;
    idv_trust_reuse_settings_t settings;
} settings_work_t;

static idv_error_t *begin_settings(const idv_request_t *request,
                                   settings_work_t *work)
{
    memset(work, 0, sizeof(*work));
    work->request = request;
    work->scope = idv_request_scope(request);
    work->input.enabled = work->input.require_same_jurisdiction = -1;
    return work->scope.application_id
             ? NULL
             : idv_error_new(IDV_E_APPLICATION_CREDENTIAL_REQUIRED,
                             request->pool);
}

static idv_error_t *respond_settings(idv_request_t *request,
                                     const settings_work_t *work)
{
    return idv_respond_text(
        request, HTTP_OK,
        idv_trust_reuse_settings_text(
            &work->settings, work->scope.application_id, request->pool));
}

static idv_error_t *find_settings(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    settings_work_t *work = baton;

    return idv_trust_reuse_settings_find(db, &work->scope, &work->settings,
                                         pool);
}

idv_error_t *idv_trust_reuse_settings_api_retrieve(idv_request_t *request)
{
    settings_work_t work;

    IDV_TRY(begin_settings(request, &work));
    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find_settings, &work));
    return respond_settings(request, &work);
}

/* Accepted methods must be ones that leave a credential. */
static idv_error_t *check_value(void *baton, const char *name, apr_pool_t *pool)
{
    const settings_input_t *input = baton;
    const idv_method_list_t *methods = &input->accepted_methods;

    if (strcmp(name, "accepted_methods") != 0)
        return NULL;
    for (int i = 0; i < methods->count; i++)
        if (idv_method_kind(methods->items[i]) != IDV_METHOD_PRIMARY)
            return idv_error_param(pool, apr_psprintf(pool, "%s[%d]", name, i),
                                   "must be a primary method.");
    return NULL;
}

static idv_error_t *change_settings(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    settings_work_t *work = baton;
    const settings_input_t *input = &work->input;
    idv_trust_reuse_settings_t *settings = &work->settings;
    int switched_on;

    IDV_TRY(idv_trust_reuse_settings_lock(db, &work->scope, settings, pool));
    switched_on = input->enabled == 1 && !settings->enabled;
    if (switched_on && !input->accept_liability)
        return idv_error_param(
            pool, "accept_liability",
            "is required. Pass true to switch `enabled` on.");
    if (input->enabled >= 0)
        settings->enabled = input->enabled;
    if (input->max_age_days)
        settings->max_age_days = (int)input->max_age_days;
    if (input->require_same_jurisdiction >= 0)
        settings->require_same_jurisdiction = input->require_same_jurisdiction;
    if (json_object_get(work->request->parameters, "accepted_methods"))
        settings->accepted_methods = input->accepted_methods;
    settings->updated = work->request->now;
    IDV_TRY(idv_trust_reuse_settings_save(db, &work->scope, settings,
                                          switched_on, pool));
    return idv_record_action(
        db, work->request,
        &(idv_recorded_t){.object_id = work->scope.application_id,
                          .is_administrative = 1},
        pool);
}

idv_error_t *idv_trust_reuse_settings_api_update(idv_request_t *request)
{
    settings_work_t work;

    IDV_TRY(begin_settings(request, &work));
    IDV_TRY(idv_request_parameters(request, settings_parameters, &work.input,
                                   check_value));
    IDV_TRY(idv_request_transaction(request, change_settings, &work));
    return respond_settings(request, &work);
}

/* --- grants --- */

static idv_error_t *check_organization_key(const idv_request_t *request)
{
    return request->key->application_id
             ? idv_error_new(IDV_E_ORG_CREDENTIAL_REQUIRED, request->pool)
             : NULL;
}

static idv_error_t *read_grants(idv_db_t *db, idv_listing_t *listing,
                                apr_pool_t *pool)
{
    return idv_trust_reuse_grant_list(
        db,
        &(const idv_page_query_t){
            .scope = {.organization_id =
                          listing->request->key->organization_id},
            .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

static void write_grant(idv_json_writer_t *page, const void *element,
                        apr_pool_t *pool)
{
    idv_json_put_raw(page, NULL,
                     idv_trust_reuse_grant_text(
                         *(idv_trust_reuse_grant_t *const *)element, pool));
}

idv_error_t *idv_trust_reuse_grant_api_list(idv_request_t *request)
{
    static const idv_list_t grants = {IDV_ID_TRUST_REUSE_GRANT, read_grants,
                                      write_grant};

    IDV_TRY(check_organization_key(request));
    return idv_list_respond(request, &grants);
}

typedef struct {
    const idv_request_t *request;
    idv_trust_reuse_grant_t *grant;
    idv_grant_revoking_t revoking;
} grant_work_t;

static idv_error_t *revoke_grant(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    grant_work_t *work = baton;

    work->revoking = (idv_grant_revoking_t){
        .organization_id = work->request->key->organization_id,
        .id = idv_request_path(work->request, "id"),
        .reason = IDV_GRANT_TARGET_OPERATOR_REVOKED,
        .now = work->request->now,
    };
    IDV_TRY(idv_trust_reuse_revoke_grant(db, &work->revoking, pool));
    IDV_TRY(idv_trust_reuse_grant_find(db, work->revoking.organization_id,
                                       work->revoking.id, &work->grant, pool));
    return idv_record_action(db, work->request,
                             &(idv_recorded_t){.is_administrative = 1}, pool);
}

idv_error_t *idv_trust_reuse_grant_api_revoke(idv_request_t *request)
{
    grant_work_t work = {.request = request};

    IDV_TRY(check_organization_key(request));
    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_transaction(request, revoke_grant, &work));
    wake(request, work.revoking.deliveries);
    return idv_respond_text(
        request, HTTP_OK,
        idv_trust_reuse_grant_text(work.grant, request->pool));
}

/* --- the person's link: showing and revoking --- */

typedef struct {
    const idv_request_t *request;
    const char *organization_id; /* of the grant in the link */
    const char *grant_id;
    idv_trust_reuse_grant_t *grant;
    idv_organization_t *organization;
    int everywhere; /* ends the person's consent and all grants */
    idv_grant_revoking_t revoking;
} link_t;

/* The client secret of these routes comes from the link. */
static idv_error_t *read_link(const idv_request_t *request, link_t *link)
{
    memset(link, 0, sizeof(*link));
    link->request = request;
    return idv_trust_reuse_link_parse(
        request->services->keyring, request->client_secret,
        &link->organization_id, &link->grant_id, request->pool);
}

static idv_error_t *find_grant(idv_db_t *db, link_t *link, apr_pool_t *pool)
{
    return idv_trust_reuse_grant_find(db, link->organization_id, link->grant_id,
                                      &link->grant, pool);
}

static idv_error_t *find_linked(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    link_t *link = baton;

    IDV_TRY(find_grant(db, link, pool));
    return idv_organization_find(db, link->organization_id, &link->organization,
                                 pool);
}

idv_error_t *idv_trust_reuse_link_api_retrieve(idv_request_t *request)
{
    link_t link;

    IDV_TRY(read_link(request, &link));
    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find_linked, &link));
    return idv_respond_text(
        request, HTTP_OK,
        idv_trust_reuse_link_text(link.grant, link.organization->name,
                                  request->now, request->pool));
}

typedef struct {
    const char *scope;
} revocation_input_t;

static const char *const scopes[] = {"grant", "all", NULL};

static const idv_parameter_t revocation_parameters[] = {
    IDV_PARAMETER_OF(STRING, revocation_input_t, scope, IDV_REQUIRED, scopes),
    {0},
};

static idv_error_t *revoke_by_person(idv_db_t *db, void *baton,
                                     apr_pool_t *pool)
{
    link_t *link = baton;

    link->revoking = (idv_grant_revoking_t){
        .organization_id = link->organization_id,
        .id = link->grant_id,
        .reason = IDV_GRANT_USER_REVOKED,
        .now = link->request->now,
    };
    if (!link->everywhere)
        return idv_trust_reuse_revoke_grant(db, &link->revoking, pool);
    IDV_TRY(find_grant(db, link, pool));
    link->revoking.organization_id = link->grant->source_organization_id;
    link->revoking.id = link->grant->verified_person_id;
    link->revoking.reason = IDV_GRANT_USER_REVOKED_CONSENT;
    return idv_trust_reuse_revoke_everywhere(db, &link->revoking, pool);
}

idv_error_t *idv_trust_reuse_api_revoke_by_person(idv_request_t *request)
{
    revocation_input_t input = {0};
    idv_json_writer_t answer;
    link_t link;

    IDV_TRY(read_link(request, &link));
    IDV_TRY(
        idv_request_parameters(request, revocation_parameters, &input, NULL));
    link.everywhere = strcmp(input.scope, "all") == 0;
    IDV_TRY(idv_request_transaction(request, revoke_by_person, &link));
    wake(request, link.revoking.deliveries);
    idv_json_writer_init(&answer, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&answer, NULL);
    idv_json_put_text(&answer, "object", "trust_reuse_revocation");
    idv_json_put_text(&answer, "scope", input.scope);
    idv_json_put_integer(&answer, "grants_revoked", link.revoking.revoked);
    idv_json_close_object(&answer);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&answer, NULL));
}
