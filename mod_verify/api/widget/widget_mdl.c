/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/widget/sessions/:id/mdl: a session's page sends a request to the person's
 * wallet, over the browser's Digital Credentials API or by a link, and submits
 * the wallet's response, or the code with which the wallet returned.
 */
#include <string.h>

#include <apr_escape.h>
#include <apr_strings.h>

#include "api/http/client_signals.h"
#include "api/http/response.h"
#include "api/widget/page_site.h"
#include "api/widget/widget_visit.h"
#include "core/id.h"
#include "methods/mdl/wallet_request.h"
#include "store/method/mdl_request_record.h"
#include "store/trust/reader_identity.h"
#include "store/workflow/workflow.h"
#include "worker/watchdog/watchdog.h"

/* Time to find the wallet, unlock it and read the request. */
#define REQUEST_TIME (10 * IDV_MINUTE)
#define MAX_WAIT_SECONDS 10

/* The page makes a request whenever it shows the screen. Each one has its own
 * keys, which are generated and sealed. */
static const idv_visit_limit_t requests = {
    "mdl_request", 60, 15 * IDV_MINUTE,
    "This session has created too many requests to wallets."};

/* --- requests --- */

/* A request being created. */
typedef struct {
    idv_visit_t visit;
    int is_redirect;
    int replaces;  /* flag: void a response that led nobody back */
    int has_voided; /* flag: there was one, so wait for its end */
    const char *id;
    idv_time_t expires_at;
    const idv_reader_identity_t *identity; /* for OpenID4VP; NULL: none */
    const idv_reader_identity_t *other_identity; /* another one; NULL: none */
    const idv_reader_identity_t *iso_identity; /* for org-iso-mdoc */
    idv_json_writer_t answer;
} asking_t;

static const char *public_url(const asking_t *asking)
{
    return asking->visit.request->services->settings->public_url;
}

static idv_mdl_need_t need_of(const asking_t *asking)
{
    const idv_session_t *session = asking->visit.record->session;

    return (idv_mdl_need_t){
        .is_about_age = session->type == IDV_SESSION_TYPE_AGE,
        .required_age = session->required_age,
        .jurisdiction = session->jurisdiction.resolved,
        .wants_portrait =
            idv_method_list_has(&session->methods, IDV_METHOD_SELFIE_MATCH),
        .avoids_birth_date = asking->visit.workflow->avoids_birth_date,
    };
}

static const char *wallet_url(const asking_t *asking, const char *what,
                              apr_pool_t *pool)
{
    return apr_pstrcat(
        pool, public_url(asking), "/v1/wallet/", what, "/",
        idv_mdl_handle(asking->visit.scope.organization_id, asking->id, pool),
        NULL);
}

/* What the request of PROTOCOL is made of. It holds a private key. */
static idv_error_t *draft_of(const asking_t *asking, idv_mdl_protocol_t protocol,
                             idv_wallet_draft_t **out, apr_pool_t *pool)
{
    static const idv_mdl_channel_t channels[] = {
        [IDV_MDL_PROTOCOL_REDIRECT] = IDV_MDL_REDIRECT,
        [IDV_MDL_PROTOCOL_AGE_APP] = IDV_MDL_REDIRECT,
        [IDV_MDL_PROTOCOL_OPENID4VP] = IDV_MDL_DC_API,
        [IDV_MDL_PROTOCOL_OPENID4VP_UNSIGNED] = IDV_MDL_DC_API,
        [IDV_MDL_PROTOCOL_OPENID4VP_MULTISIGNED] = IDV_MDL_DC_API,
        [IDV_MDL_PROTOCOL_ISO_MDOC] = IDV_MDL_ISO_DC_API,
    };
    idv_wallet_draft_t *draft = *out = apr_pcalloc(pool, sizeof(*draft));
    idv_page_site_t site = {0};

    idv_wipe_with_pool(draft, sizeof(*draft), pool);
    draft->channel = channels[protocol];
    draft->key_id = "response";
    draft->need = need_of(asking);
    draft->is_age_app = protocol == IDV_MDL_PROTOCOL_AGE_APP;
    if (protocol != IDV_MDL_PROTOCOL_OPENID4VP_MULTISIGNED)
        draft->identity = asking->identity;
    idv_random_bytes(draft->nonce, sizeof(draft->nonce));
    idv_random_bytes(draft->key, sizeof(draft->key));
    if (idv_mdl_protocol_is_link(protocol))
        draft->response_uri = wallet_url(asking, "responses", pool);
    else
        IDV_TRY(idv_page_site(public_url(asking), &site, pool));
    draft->origin = site.origin;
    return NULL;
}

/* Creates and stores the request for PROTOCOL. */
static idv_error_t *ask(idv_db_t *db, const asking_t *asking,
                        idv_mdl_protocol_t protocol, idv_mdl_request_t **asked,
                        apr_pool_t *pool)
{
    const idv_session_t *session = asking->visit.record->session;
    const idv_mdl_request_record_t record = {
        .organization_id = session->organization_id,
        .session_id = session->id,
        .id = asking->id,
        .protocol = protocol,
        .created = asking->visit.request->now,
        .expires_at = asking->expires_at,
    };
    idv_wallet_draft_t *draft;

    IDV_TRY(draft_of(asking, protocol, &draft, pool));
    IDV_TRY(idv_wallet_request_create(draft, asked, pool));
    return idv_mdl_request_keep(
        db,
        &(const idv_mdl_request_place_t){
            .keyring = asking->visit.request->services->keyring,
            .session = session},
        &record, *asked, pool);
}

static const char *escaped(const char *text, apr_pool_t *pool)
{
    return apr_pescape_urlencoded(pool, text);
}

/* The link that opens a wallet (OpenID4VP 1.0, 5.10; RFC 9101, 5.2.1). */
static idv_error_t *ask_wallet_by_link(idv_db_t *db, asking_t *asking,
                                       apr_pool_t *pool)
{
    const char *scheme =
        asking->visit.request->services->settings->wallet_scheme;
    idv_mdl_request_t *request;

    IDV_TRY(ask(db, asking, IDV_MDL_PROTOCOL_REDIRECT, &request, pool));
    idv_json_put_text(
        &asking->answer, "url",
        apr_pstrcat(pool, scheme, "://?client_id=",
                    escaped(request->parts.client_id, pool), "&request_uri=",
                    escaped(wallet_url(asking, "requests", pool), pool),
                    "&request_uri_method=post", NULL));
    return NULL;
}

/* The link that opens an app for EU age proofs, which does not authenticate the
 * sender of a request. */
static idv_error_t *ask_age_app(idv_db_t *db, asking_t *asking,
                                apr_pool_t *pool)
{
    idv_mdl_request_t *request;

    IDV_TRY(ask(db, asking, IDV_MDL_PROTOCOL_AGE_APP, &request, pool));
    idv_json_put_text(&asking->answer, "age_app_url",
                      idv_age_app_link(request, pool));
    return NULL;
}

static idv_error_t *ask_by_link(idv_db_t *db, asking_t *asking,
                                apr_pool_t *pool)
{
    idv_mdl_need_t need = need_of(asking);
    int has_age_app = idv_mdl_need_accepts_attestation(&need);

    if (!asking->identity && !has_age_app)
        return idv_error_new(IDV_E_READER_IDENTITY_MISSING, pool);
    if (asking->identity)
        IDV_TRY(ask_wallet_by_link(db, asking, pool));
    else
        idv_json_put_null(&asking->answer, "url");
    return has_age_app ? ask_age_app(db, asking, pool) : NULL;
}

/* An element of `digital.requests`. */
static void put_request(idv_json_writer_t *answer, idv_mdl_protocol_t protocol)
{
    idv_json_open_object(answer, NULL);
    idv_json_put_text(answer, "protocol", idv_mdl_protocol_value(protocol));
    idv_json_open_object(answer, "data");
}

static void end_request(idv_json_writer_t *answer)
{
    idv_json_close_object(answer);
    idv_json_close_object(answer);
}

/* Signed if the organization has an identity. Otherwise the request is made for
 * the origin of the page, as reported by the browser. There are wallets for
 * either form. */
static idv_error_t *ask_openid4vp(idv_db_t *db, asking_t *asking,
                                  apr_pool_t *pool)
{
    idv_mdl_protocol_t protocol = asking->identity
                                    ? IDV_MDL_PROTOCOL_OPENID4VP
                                    : IDV_MDL_PROTOCOL_OPENID4VP_UNSIGNED;
    idv_mdl_request_t *request;
    const char *text;

    IDV_TRY(ask(db, asking, protocol, &request, pool));
    put_request(&asking->answer, protocol);
    if (asking->identity) {
        IDV_TRY(idv_wallet_request_object(request, asking->identity, NULL,
                                          &text, pool));
        idv_json_put_text(&asking->answer, "request", text);
    } else {
        IDV_TRY(idv_wallet_request_unsigned(request, &asking->answer));
    }
    end_request(&asking->answer);
    return NULL;
}

/* Under both identities, for wallets that trust the authority of either. */
static idv_error_t *ask_multisigned(idv_db_t *db, asking_t *asking,
                                    apr_pool_t *pool)
{
    const idv_reader_identity_t *const identities[] = {
        asking->identity, asking->other_identity, NULL};
    idv_mdl_request_t *request;

    IDV_TRY(ask(db, asking, IDV_MDL_PROTOCOL_OPENID4VP_MULTISIGNED, &request,
                pool));
    put_request(&asking->answer, IDV_MDL_PROTOCOL_OPENID4VP_MULTISIGNED);
    IDV_TRY(idv_wallet_request_multisigned(request, identities,
                                           &asking->answer));
    end_request(&asking->answer);
    return NULL;
}

/* All protocols in one call: the wallet picks the first one it supports. One
 * that does not know several signatures gets the preferred identity. */
static idv_error_t *ask_browser(idv_db_t *db, asking_t *asking,
                                apr_pool_t *pool)
{
    idv_json_writer_t *answer = &asking->answer;
    idv_mdl_request_t *request;
    const char *text;

    idv_json_open_array(answer, "requests");
    if (asking->other_identity)
        IDV_TRY(ask_multisigned(db, asking, pool));
    IDV_TRY(ask_openid4vp(db, asking, pool));
    IDV_TRY(ask(db, asking, IDV_MDL_PROTOCOL_ISO_MDOC, &request, pool));
    IDV_TRY(
        idv_wallet_device_request(request, asking->iso_identity, &text, pool));
    put_request(answer, IDV_MDL_PROTOCOL_ISO_MDOC);
    idv_json_put_text(answer, "deviceRequest", text);
    idv_json_put_text(answer, "encryptionInfo", request->parts.encryption_info);
    end_request(answer);
    idv_json_close_array(answer);
    return NULL;
}

/* The organization's identity of KIND, or NULL. */
static idv_error_t *find_identity(idv_db_t *db, const asking_t *asking,
                                  idv_reader_kind_t kind,
                                  const idv_reader_identity_t **identity,
                                  apr_pool_t *pool)
{
    const idv_visit_t *visit = &asking->visit;

    return idv_reader_identity_find(
        db,
        &(const idv_reader_query_t){
            .keyring = visit->request->services->keyring,
            .organization_id = visit->scope.organization_id,
            .kind = kind},
        identity, pool);
}

/* EU wallets prefer a certificate of the EU, and Apple's, which only support
 * org-iso-mdoc, one of Apple's. */
static idv_error_t *find_identities(idv_db_t *db, asking_t *asking,
                                    apr_pool_t *pool)
{
    int is_european = idv_mdl_is_european(
        asking->visit.record->session->jurisdiction.resolved);

    IDV_TRY(find_identity(db, asking,
                          is_european ? IDV_READER_EUDI : IDV_READER_HAIP,
                          &asking->identity, pool));
    IDV_TRY(find_identity(db, asking,
                          is_european ? IDV_READER_HAIP : IDV_READER_EUDI,
                          &asking->other_identity, pool));
    if (!asking->identity) {
        asking->identity = asking->other_identity;
        asking->other_identity = NULL;
    }
    if (!asking->is_redirect)
        IDV_TRY(find_identity(db, asking, IDV_READER_APPLE,
                              &asking->iso_identity, pool));
    if (!asking->iso_identity)
        asking->iso_identity = asking->identity;
    return NULL;
}

/* If a response to a link did not lead this browser back, it may come from
 * someone else who has seen the link, and keeps the person waiting. It is
 * voided and examined again immediately. If it had been refused by then, that
 * still counts. */
static idv_error_t *void_answer(idv_db_t *db, asking_t *asking, apr_pool_t *pool)
{
    const idv_session_t *session = asking->visit.record->session;
    idv_mdl_request_record_t *record;
    idv_error_t *error;

    if (session->status != IDV_STATUS_PROCESSING
        || session->current_method != IDV_METHOD_MDL)
        return NULL;
    error = idv_mdl_request_of_submission(
        db, session, session->runner.submission, &record, pool);
    if (error)
        return error->code == IDV_E_RESOURCE_MISSING ? NULL : error;
    if (!idv_mdl_protocol_is_link(record->protocol) || record->returned_at
        || !record->return_digest.length)
        return NULL;
    asking->has_voided = 1;
    asking->visit.queued.analyses = 1;
    return idv_mdl_request_leave(db, session, asking->visit.request->now, pool);
}

static idv_error_t *ask_wallet(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    asking_t *asking = baton;
    idv_visit_t *visit = &asking->visit;
    const idv_session_t *session = visit->record->session;
    idv_workflow_t *workflow;

    asking->has_voided = 0;
    if (asking->replaces)
        IDV_TRY(void_answer(db, asking, pool));
    if (asking->has_voided)
        return NULL;
    IDV_TRY(idv_workflow_of_session(db, session, &workflow, pool));
    visit->workflow = workflow;
    IDV_TRY(idv_session_check_asked(session, workflow, IDV_METHOD_MDL,
                                    visit->request->now, pool));
    IDV_TRY(idv_visit_count(db, visit, &requests, pool));
    IDV_TRY(find_identities(db, asking, pool));
    asking->expires_at = visit->request->now + REQUEST_TIME;
    if (asking->expires_at > session->expires_at)
        asking->expires_at = session->expires_at;
    idv_json_writer_init(&asking->answer, 8192, pool);
    idv_json_open_object(&asking->answer, NULL);
    idv_json_put_text(&asking->answer, "object", "mdl_request");
    idv_json_put_text(&asking->answer, "id", asking->id);
    idv_json_put_seconds(&asking->answer, "expires_at", asking->expires_at);
    IDV_TRY(asking->is_redirect ? ask_by_link(db, asking, pool)
                                : ask_browser(db, asking, pool));
    idv_json_close_object(&asking->answer);
    return NULL;
}

static idv_error_t *look_at_end(idv_db_t *db, void *baton, int *done,
                                apr_pool_t *pool)
{
    const idv_visit_t *visit = baton;
    idv_session_record_t *record;

    IDV_TRY(
        idv_session_find(db, &visit->scope, visit->session_id, &record, pool));
    *done = record->session->status != IDV_STATUS_PROCESSING;
    return NULL;
}

/* Makes the request after the voided response has ended. */
static idv_error_t *ask_after_end(asking_t *asking)
{
    idv_visit_t *visit = &asking->visit;
    const idv_visit_wait_t wait = {
        .place = IDV_PLACE_EXCHANGE,
        .organization_id = visit->scope.organization_id,
        .session_id = visit->session_id,
        .look = look_at_end,
        .baton = visit,
        .seconds = MAX_WAIT_SECONDS,
    };

    idv_visit_wake(visit);
    (void)idv_visit_wait(visit->request, &wait);
    asking->replaces = 0;
    return idv_visit_write(visit, ask_wallet, asking);
}

typedef struct {
    const char *channel;
    int replace;
} request_input_t;

static const char *const channels[] = {"dc_api", "redirect", NULL};

static const idv_parameter_t request_parameters[] = {
    IDV_PARAMETER_OF(STRING, request_input_t, channel, IDV_REQUIRED, channels),
    IDV_PARAMETER(BOOLEAN, request_input_t, replace, 0, 0, 0),
    {0},
};

idv_error_t *idv_widget_mdl_request(idv_request_t *request)
{
    request_input_t body = {0};
    asking_t asking = {0};

    IDV_TRY(idv_visit_begin(request, &asking.visit));
    IDV_TRY(idv_request_parameters(request, request_parameters, &body, NULL));
    asking.is_redirect = strcmp(body.channel, "redirect") == 0;
    asking.id = idv_id_new(IDV_ID_MDL_REQUEST, request->now, request->pool);
    asking.replaces = body.replace;
    IDV_TRY(idv_visit_write(&asking.visit, ask_wallet, &asking));
    if (asking.has_voided)
        IDV_TRY(ask_after_end(&asking));
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&asking.answer, NULL));
}

/* --- responses --- */

typedef struct {
    const char *request_id;
    const char *protocol; /* with data: from the Digital Credentials API */
    const json_t *data;
    const char *response_code; /* otherwise: the wallet returned with it */
} response_input_t;

static const char *const protocols[] = {
    "openid4vp-v1-signed", "openid4vp-v1-unsigned", "openid4vp-v1-multisigned",
    "org-iso-mdoc", NULL};

#define RESPONSE_CODE_MAX 128

static const idv_parameter_t response_parameters[] = {
    IDV_PARAMETER(ID, response_input_t, request_id, IDV_REQUIRED,
                  IDV_ID_MDL_REQUEST, 0),
    IDV_PARAMETER_OF(STRING, response_input_t, protocol, 0, protocols),
    IDV_PARAMETER(OBJECT, response_input_t, data, 0, 0, 16),
    IDV_PARAMETER(STRING, response_input_t, response_code, 0, 1,
                  RESPONSE_CODE_MAX),
    {0},
};

/* A response being submitted. */
typedef struct {
    idv_visit_t visit;
    const response_input_t *body;
    idv_bytes_t response; /* of the wallet */
} handing_in_t;

/* The condition of the submission: the response is to an open request of this
 * session, made by the device that submits it. */
static idv_error_t *take_answer(idv_db_t *db, void *baton,
                                idv_session_record_t *after, apr_pool_t *pool)
{
    const handing_in_t *handed = baton;
    const idv_request_t *request = handed->visit.request;
    idv_mdl_request_record_t *record;
    idv_mdl_answer_t answer = {.bytes = handed->response, .now = request->now};

    if (idv_session_has_moved(handed->visit.record->session, after->session))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_mdl_request_find(
        db,
        &(const idv_mdl_request_query_t){
            .organization_id = handed->visit.scope.organization_id,
            .id = handed->body->request_id,
            .protocol = idv_mdl_protocol_parse(handed->body->protocol)},
        &record, pool));
    answer.record = record;
    return idv_mdl_request_answer(db, request->services->keyring,
                                  after->session, &answer, pool);
}

/* The wallet has returned with a code. */
static idv_error_t *take_return(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    handing_in_t *handed = baton;
    idv_visit_t *visit = &handed->visit;

    IDV_TRY(idv_mdl_request_return(
        db, visit->record->session,
        &(const idv_mdl_return_t){.id = handed->body->request_id,
                                  .code = handed->body->response_code,
                                  .now = visit->request->now},
        pool));
    visit->queued.analyses = 1;
    return NULL;
}

/* Whether a wallet's response to a link is still being opened, in which case
 * its submission is still to come. */
static idv_error_t *look_at_opening(idv_db_t *db, const handing_in_t *handed,
                                    int *is_opening, apr_pool_t *pool)
{
    idv_mdl_request_record_t *record;

    for (int i = 0; i < IDV_MDL_PROTOCOL_COUNT; i++) {
        idv_error_t *error;

        if (!idv_mdl_protocol_is_link(i))
            continue;
        error = idv_mdl_request_find(
            db,
            &(const idv_mdl_request_query_t){
                .organization_id = handed->visit.scope.organization_id,
                .id = handed->body->request_id,
                .protocol = i},
            &record, pool);
        if (error && error->code != IDV_E_RESOURCE_MISSING)
            return error;
        *is_opening |= !error && record->is_opening;
    }
    return NULL;
}

static idv_error_t *look_at_status(idv_db_t *db, void *baton, int *done,
                                   apr_pool_t *pool)
{
    const handing_in_t *handed = baton;
    const idv_visit_t *visit = &handed->visit;
    idv_session_record_t *record;
    int is_opening = 0;

    IDV_TRY(
        idv_session_find(db, &visit->scope, visit->session_id, &record, pool));
    if (handed->body->response_code)
        IDV_TRY(look_at_opening(db, handed, &is_opening, pool));
    *done = record->session->status != IDV_STATUS_PROCESSING && !is_opening;
    return NULL;
}

/* Waits a while for the result of the submission, and answers with the view. */
static idv_error_t *wait_and_respond(handing_in_t *handed)
{
    idv_visit_t *visit = &handed->visit;
    const idv_visit_wait_t wait = {
        .place = IDV_PLACE_EXCHANGE,
        .organization_id = visit->scope.organization_id,
        .session_id = visit->session_id,
        .look = look_at_status,
        .baton = handed,
        .seconds = MAX_WAIT_SECONDS,
    };

    idv_visit_wake(visit);
    (void)idv_visit_wait(visit->request, &wait);
    visit->input = NULL;
    visit->workflow = NULL;
    IDV_TRY(
        idv_request_with_database(visit->request, idv_visit_session, visit));
    return idv_visit_respond(visit);
}

/* An error that the wallet reports instead of a response (OpenID4VP 1.0, A.3.1
 * and 8.5); its code is enough. */
static void take_error(const json_t *error, idv_bytes_t *response,
                       apr_pool_t *pool)
{
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, 128, pool);
    idv_json_open_object(&writer, NULL);
    idv_json_put_text(&writer, "error", json_string_value(error));
    idv_json_close_object(&writer);
    response->data = (const unsigned char *)idv_json_writer_text(
        &writer, &response->length);
}

/* Requires either a response or a code. */
static idv_error_t *check_response(const response_input_t *body,
                                   idv_bytes_t *response, apr_pool_t *pool)
{
    const json_t *text;

    if (body->response_code)
        return body->protocol || body->data
                 ? idv_error_param(pool, "response_code",
                                   "excludes `protocol` and `data`. Omit them.")
                 : NULL;
    if (!body->protocol)
        return idv_error_param(pool, "protocol",
                               "is required. Pass the `protocol` that the "
                               "browser returned, or `response_code`.");
    text = json_object_get(body->data, "error");
    if (json_is_string(text) && !json_object_get(body->data, "response")) {
        take_error(text, response, pool);
        return NULL;
    }
    text = json_object_get(body->data, "response");
    if (!json_is_string(text) || json_string_length(text) == 0)
        return idv_error_param(pool, "data.response",
                               "must be the wallet's response as a string.");
    response->data = (const unsigned char *)json_string_value(text);
    response->length = json_string_length(text);
    return NULL;
}

idv_error_t *idv_widget_mdl_response(idv_request_t *request)
{
    response_input_t body = {0};
    handing_in_t handed = {.body = &body};
    idv_session_input_t input = {
        .type = IDV_INPUT_SUBMIT,
        .method = IDV_METHOD_MDL,
    };
    idv_session_signals_t signals;
    idv_visit_t *visit = &handed.visit;

    IDV_TRY(idv_visit_begin(request, visit));
    IDV_TRY(idv_request_parameters(request, response_parameters, &body, NULL));
    IDV_TRY(check_response(&body, &handed.response, request->pool));
    if (body.response_code) {
        visit->gives_evidence = 1;
        IDV_TRY(idv_visit_write(visit, take_return, &handed));
        return wait_and_respond(&handed);
    }
    idv_person_signals(request, NULL, &signals);
    input.signals = &signals;
    visit->input = &input;
    visit->condition = take_answer;
    visit->baton = &handed;
    IDV_TRY(idv_request_with_database(request, idv_visit_session, visit));
    return wait_and_respond(&handed);
}
