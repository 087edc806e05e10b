/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/verification_sessions: creating, retrieving, listing and cancelling.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/idempotency.h"
#include "api/page.h"
#include "api/response.h"
#include "api/session_change.h"
#include "api/session_reuse.h"
#include "core/id.h"
#include "domain/session_create.h"
#include "store/session_transition.h"
#include "store/vp_token.h"
#include "worker/watchdog.h"

static idv_scope_t scope_of(const idv_request_t *request)
{
    return (idv_scope_t){request->key->organization_id,
                         request->key->application_id};
}

static void wake(const idv_request_t *request, apr_int64_t deliveries)
{
    if (deliveries)
        request->services->wake(request->services, IDV_WORK_DELIVERIES);
}

static idv_error_t *respond_text(idv_request_t *request, int status,
                                 const char *body)
{
    return idv_respond_bytes(
        request, status, NULL,
        (idv_bytes_t){(const unsigned char *)body, strlen(body)});
}

/* --- creation --- */

typedef struct {
    idv_request_t *request;
    idv_session_create_caller_t caller;
    idv_session_create_params_t *params;
    idv_idempotency_t *idempotency;
    idv_stored_answer_t *replay;
    idv_session_reuse_search_t reuse;
    const char *body;
    apr_int64_t deliveries;
} creation_t;

static void locate(const idv_request_t *request,
                   idv_session_create_context_t *context)
{
    idv_location_t location = {0};

    request->services->locate(request, &location);
    context->geo_header = location.geo_header;
    context->ip_database = location.ip_database;
}

static idv_error_t *decide(creation_t *creation, idv_db_t *db,
                           idv_session_create_facts_t *facts,
                           idv_session_change_t **change, apr_pool_t *pool)
{
    const idv_request_t *request = creation->request;
    idv_scope_t scope = scope_of(request);
    idv_session_create_context_t context = {
        .session_id = idv_id_new(IDV_ID_SESSION, request->now, pool),
        .organization_id = scope.organization_id,
        .application_id = scope.application_id,
        .caller = &creation->caller,
        .billing_suspended = request->key->billing_suspended,
        .sandbox_quota = IDV_SANDBOX_QUOTA_DEFAULT,
        .compliance = idv_compliance_rules_look_up,
        .compliance_baton = (void *)request->services->compliance,
    };

    IDV_TRY(idv_session_create_facts(db, &scope, creation->params->workflow_id,
                                     request->now, facts, pool));
    context.workflow_id = facts->workflow_id;
    context.workflow_version_id = facts->workflow_version_id;
    context.workflow = facts->workflow;
    context.has_webhook_endpoint = facts->has_webhook_endpoint;
    context.used_this_month = facts->used_this_month;
    context.free_allotment = facts->free_allotment;
    context.credit_balance = facts->credit_balance;
    locate(request, &context);
    IDV_TRY(idv_session_reuse_find(&creation->reuse, db, &context, pool));
    return idv_session_create(creation->params, &context, request->now, change,
                              pool);
}

static idv_error_t *write_answer(creation_t *creation,
                                 const idv_session_t *session,
                                 const char *client_secret, apr_pool_t *pool)
{
    idv_session_view_t view = {0};

    idv_session_create_view(creation->params, session, client_secret, &view);
    return idv_json_dump(idv_json_own(idv_session_json(session, &view), pool),
                         &creation->body, NULL, pool);
}

static idv_error_t *store(creation_t *creation, idv_db_t *db,
                          const idv_session_create_facts_t *facts,
                          const idv_session_change_t *change, apr_pool_t *pool)
{
    const idv_request_t *request = creation->request;
    const idv_session_t *session = change->session;
    const char *secret =
        idv_client_secret_new(session->id, session->organization_id, pool);
    const idv_reusable_t *reused = creation->reuse.found.chosen;
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_session_record_t record = {
        .session = session,
        .client_secret_digest = {digest, sizeof(digest)},
        .email_digest = creation->reuse.person.email,
        .phone_digest = creation->reuse.person.phone,
        .verified_person_id = reused ? reused->verified_person_id : NULL,
    };
    idv_session_creation_t row = {
        .record = &record,
        .change = change,
        .idempotency = creation->idempotency,
        .status = HTTP_CREATED,
        .workflow = facts->workflow,
        .keyring = request->services->keyring,
        .besides = idv_session_reuse_write,
        .baton = &creation->reuse,
    };
    idv_session_creation_result_t result = {0};

    idv_sha256(secret, strlen(secret), digest);
    creation->reuse.session = session;
    IDV_TRY(write_answer(creation, session, secret, pool));
    row.body = creation->body;
    IDV_TRY(idv_session_insert(db, &row, &result, pool));
    creation->deliveries = result.deliveries;
    if (result.stored)
        return NULL;
    return idv_idempotency_find(db, creation->idempotency, &creation->replay,
                                pool);
}

static idv_error_t *create(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    creation_t *creation = baton;
    idv_session_create_facts_t facts;
    idv_session_change_t *change;
    idv_error_t *error;

    if (creation->idempotency) {
        IDV_TRY(idv_idempotency_find(db, creation->idempotency,
                                     &creation->replay, pool));
        if (creation->replay)
            return NULL;
    }
    IDV_TRY(decide(creation, db, &facts, &change, pool));
    error = store(creation, db, &facts, change, pool);
    if (!idv_session_reuse_retry(&creation->reuse, error))
        return error;
    IDV_TRY(decide(creation, db, &facts, &change, pool));
    return store(creation, db, &facts, change, pool);
}

static idv_error_t *look_for_replay(idv_db_t *db, void *baton,
                                    apr_pool_t *pool)
{
    creation_t *creation = baton;

    return idv_idempotency_find(db, creation->idempotency, &creation->replay,
                                pool);
}

/* A token is good once, so what was answered before comes before it. */
static idv_error_t *check_captcha(creation_t *creation)
{
    idv_request_t *request = creation->request;

    if (!creation->caller.publishable_key)
        return NULL;
    if (creation->idempotency)
        IDV_TRY(idv_request_with_database(request, look_for_replay, creation));
    if (creation->replay)
        return NULL;
    return request->services->check_captcha(request,
                                            creation->params->captcha_token);
}

idv_error_t *idv_session_api_create(idv_request_t *request)
{
    const idv_api_key_t *key = request->key;
    creation_t creation = {
        .request = request,
        .caller = {.publishable_key = key->type == IDV_KEY_PUBLISHABLE,
                   .publishable_create_blocked =
                       key->publishable_create_blocked,
                   .sandbox = key->sandbox},
    };

    IDV_TRY(idv_session_create_parse(request->parameters, &creation.caller,
                                     &creation.params, request->pool));
    IDV_TRY(idv_idempotency_of_request(request, &creation.idempotency));
    IDV_TRY(check_captcha(&creation));
    idv_session_reuse_begin(request, creation.params, &creation.reuse);
    if (!creation.replay)
        IDV_TRY(idv_request_with_database(request, create, &creation));
    if (creation.replay)
        return idv_idempotency_replay(request, creation.replay);
    wake(request, creation.deliveries);
    if (creation.reuse.mail_queued)
        request->services->wake(request->services, IDV_WORK_MAIL);
    return respond_text(request, HTTP_CREATED, creation.body);
}

/* --- retrieval --- */

typedef struct {
    idv_scope_t scope;
    const char *id;
    idv_session_record_t *record;
    int with_credential;
    const char *credential_id; /* that the session minted; NULL: none valid */
    idv_method_t method;       /* of the credential */
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;

    IDV_TRY(idv_session_find(db, &retrieval->scope, retrieval->id,
                             &retrieval->record, pool));
    if (!retrieval->with_credential
        || retrieval->record->session->status != IDV_STATUS_VERIFIED)
        return NULL;
    return idv_credential_of_session(db, retrieval->record->session,
                                     &retrieval->credential_id,
                                     &retrieval->method, pool);
}

typedef struct {
    const json_t *expand;
} retrieve_input_t;

static const char *const expansions[] = {"results", "document", NULL};

static const idv_parameter_t retrieve_parameters[] = {
    IDV_PARAMETER_OF(STRINGS, retrieve_input_t, expand, 0, expansions),
    {0},
};

static int asks_for(const json_t *expand, const char *name)
{
    size_t index;
    json_t *value;

    json_array_foreach (expand, index, value)
        if (strcmp(json_string_value(value), name) == 0)
            return 1;
    return 0;
}

/* A publishable key sees the one session whose secret comes with it, and no
 * evidence. */
static idv_error_t *check_publishable(const idv_request_t *request,
                                      const idv_session_record_t *record)
{
    const char *secret = apr_table_get(request->r->headers_in,
                                       "X-Service-Session-Secret");

    if (!secret || !idv_client_secret_matches(record, secret, request->now))
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, request->pool);
    return NULL;
}

idv_error_t *idv_session_api_retrieve(idv_request_t *request)
{
    retrieval_t retrieval = {.scope = scope_of(request),
                             .id = idv_request_path(request, "id")};
    int publishable = request->key->type == IDV_KEY_PUBLISHABLE;
    retrieve_input_t input = {0};
    idv_session_view_t view = {0};

    IDV_TRY(idv_parameters_read(request, retrieve_parameters, &input));
    if (publishable && input.expand)
        return idv_error_new(IDV_E_PUBLISHABLE_KEY_SCOPE, request->pool);
    view.expand_results = asks_for(input.expand, "results");
    retrieval.with_credential = view.expand_results;
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    if (publishable)
        IDV_TRY(check_publishable(request, retrieval.record));
    if (retrieval.credential_id) {
        view.credential_method = retrieval.method;
        view.credential_hash =
            idv_credential_hash(request->services->keyring,
                                retrieval.credential_id, request->pool);
    }
    view.expand_document = asks_for(input.expand, "document");
    return idv_respond_json(request, HTTP_OK,
                            idv_session_json(retrieval.record->session, &view));
}

/* --- lists --- */

typedef struct {
    idv_page_t page;
    const char *status;
    const char *client_reference_id;
    const char *search;
    const char *risk_tier;
} list_input_t;

static const char *const statuses[] = {
#define X(name, value, open) value,
    IDV_SESSION_STATUSES(X)
#undef X
    NULL,
};

static const char *const risk_tiers[] = {"clear", "review", "block", "bot",
                                         NULL};

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t),
    IDV_PARAMETER_OF(STRING, list_input_t, status, 0, statuses),
    IDV_PARAMETER(STRING, list_input_t, client_reference_id, 0, 1, 255),
    IDV_PARAMETER(STRING, list_input_t, search, 0, 1, 255),
    IDV_PARAMETER_OF(STRING, list_input_t, risk_tier, 0, risk_tiers),
    {0},
};

typedef struct {
    idv_scope_t scope;
    idv_session_filter_t filter;
    apr_array_header_t *records;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_session_list(db, &listing->scope, &listing->filter,
                            &listing->records, &listing->has_more, pool);
}

idv_error_t *idv_session_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT};
    listing_t listing = {.scope = scope_of(request)};
    json_t *data;

    IDV_TRY(idv_parameters_read(request, list_parameters, &input));
    IDV_TRY(idv_page_check(&input.page, IDV_ID_SESSION, request->pool));
    listing.filter = (idv_session_filter_t){
        .cursor = idv_page_cursor(&input.page),
        .status = input.status,
        .client_reference_id = input.client_reference_id,
        .risk_tier = input.risk_tier,
        .search = input.search,
    };
    IDV_TRY(idv_request_with_database(request, list, &listing));
    data = json_array();
    for (int i = 0; i < listing.records->nelts; i++)
        json_array_append_new(
            data, idv_session_json(APR_ARRAY_IDX(listing.records, i,
                                                 idv_session_record_t *)
                                       ->session,
                                   NULL));
    return idv_page_respond(request, data, listing.has_more);
}

/* --- cancelling --- */

idv_error_t *idv_session_api_cancel(idv_request_t *request)
{
    idv_session_input_t input = {.type = IDV_INPUT_CANCEL};

    IDV_TRY(idv_parameters_none(request));
    return idv_session_api_change(request, &input);
}
