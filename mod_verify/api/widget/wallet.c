/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/wallet: where wallets fetch a session's request and respond to it
 * (OpenID4VP 1.0, 5.10 and 8.2). Wallets have no credential. They only know the
 * handle of the request (store/method/mdl_request_record.h), from a link.
 *
 * A request object can be fetched until the request is answered. It is signed
 * each time, with the nonce and key that the request has had from its start.
 * The response is stored, and read only in the watchdog's sandbox; the wallet
 * waits for the result. Only if the response proves to be an answer does it
 * change the session (store/method/mdl_request_record.h).
 */
#include <string.h>

#include <apr_strings.h>
#include <apr_time.h>

#include "api/http/response.h"
#include "api/widget/widget_visit.h"
#include "core/query_string.h"
#include "domain/value/issued_secret.h"
#include "methods/mdl/wallet_request.h"
#include "methods/mdl/wallet_response.h"
#include "store/method/mdl_request_record.h"
#include "store/session/attempt_limit.h"
#include "store/trust/reader_identity.h"
#include "store/workflow/workflow.h"
#include "worker/watchdog/watchdog.h"

#define MAX_WAIT_SECONDS 10 /* in total: for its turn and the result */
#define CODE_BYTES 16 /* random bytes of a response code */
#define BUSY_SECONDS 1

/* A wallet fetches once or twice, and each time the object is signed. This is
 * far more than needed, but limits anyone else who has seen the link. */
#define FETCHES_MAX 20
#define FETCH_WINDOW (15 * IDV_MINUTE)

/* Responses that are opened. Declining does not use up an attempt, so this
 * limits how often a person may change their mind, and how many responses
 * someone else who has seen the link may have opened. */
#define OFFERS_MAX 20
#define OFFER_WINDOW (15 * IDV_MINUTE)

/* A wallet's HTTP request about the request that it received. */
typedef struct {
    idv_request_t *request;
    const char *organization_id;
    const char *id;
    idv_mdl_protocol_t protocol; /* of the response; NONE: by a link */
    const char *wallet_nonce; /* NULL: none */
    const char *request_object;
    idv_bytes_t response;
    const char *code; /* brings the person back */
    apr_time_t wait_end; /* of the wait for a response */
    idv_mdl_request_record_t *record;
    int has_to_wait;    /* flag: another response is being opened */
    int is_unread;      /* flag: the response is not an answer */
    int is_gone;        /* flag: the request was removed, or is for others */
} wallet_visit_t;

static idv_error_t *missing(apr_pool_t *pool)
{
    return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

static idv_error_t *begin(idv_request_t *request, wallet_visit_t *visit)
{
    memset(visit, 0, sizeof(*visit));
    visit->request = request;
    visit->protocol = IDV_MDL_PROTOCOL_REDIRECT;
    return idv_mdl_handle_parse(idv_request_path(request, "id"),
                                &visit->organization_id, &visit->id,
                                request->pool);
}

/* Finds the request, which must have been made for a link and be open. */
static idv_error_t *find_open(idv_db_t *db, wallet_visit_t *visit,
                              apr_pool_t *pool)
{
    IDV_TRY(idv_mdl_request_find(db,
                                 &(const idv_mdl_request_query_t){
                                     .organization_id = visit->organization_id,
                                     .id = visit->id,
                                     .protocol = visit->protocol},
                                 &visit->record, pool));
    return !idv_mdl_protocol_is_link(visit->record->protocol)
                || visit->record->answered_at
                || visit->record->refused >= IDV_MDL_REFUSED_MAX
                || visit->record->expires_at <= visit->request->now
             ? missing(pool)
             : NULL;
}

static idv_scope_t scope_of(const wallet_visit_t *visit)
{
    return (idv_scope_t){visit->organization_id, NULL};
}

/* --- the request --- */

/* Every fetch of an existing request counts, in any form. */
static idv_error_t *count_fetch(idv_db_t *db, const wallet_visit_t *visit,
                                apr_pool_t *pool)
{
    const idv_request_t *request = visit->request;
    const idv_attempt_limit_t fetch = {
        .organization_id = visit->organization_id,
        .digest = idv_identifier_digest(request->services->keyring,
                                        "wallet_request", visit->id, pool),
        .window = FETCH_WINDOW,
        .limit = FETCHES_MAX,
        .refusal = "This request was fetched too often.",
    };

    return idv_attempt_admit(db, &fetch, request->now, pool);
}

static idv_error_t *count_offer(idv_db_t *db, const wallet_visit_t *visit,
                                apr_pool_t *pool)
{
    const idv_request_t *request = visit->request;
    const idv_attempt_limit_t offer = {
        .organization_id = visit->organization_id,
        .digest = idv_identifier_digest(request->services->keyring,
                                        "wallet_response", visit->id, pool),
        .window = OFFER_WINDOW,
        .limit = OFFERS_MAX,
        .refusal = "This request was answered too often.",
    };

    return idv_attempt_admit(db, &offer, request->now, pool);
}

/* The reader identity named in the link of ASKED. It may have changed
 * meanwhile, and then the request can no longer be signed. */
static idv_error_t *find_asker(idv_db_t *db, const wallet_visit_t *visit,
                               const idv_mdl_request_t *asked,
                               const idv_reader_identity_t **identity,
                               apr_pool_t *pool)
{
    static const idv_reader_kind_t kinds[] = {IDV_READER_HAIP, IDV_READER_EUDI};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        IDV_TRY(idv_reader_identity_find(
            db,
            &(const idv_reader_query_t){
                .keyring = visit->request->services->keyring,
                .organization_id = visit->organization_id,
                .kind = kinds[i]},
            identity, pool));
        if (*identity
            && strcmp(idv_reader_client_id(*identity, pool),
                      asked->parts.client_id)
                   == 0)
            return NULL;
    }
    return missing(pool);
}

static idv_error_t *make_request_object(idv_db_t *db, void *baton,
                                        apr_pool_t *pool)
{
    wallet_visit_t *visit = baton;
    const idv_request_t *request = visit->request;
    const idv_keyring_t *keyring = request->services->keyring;
    const idv_scope_t scope = scope_of(visit);
    const idv_reader_identity_t *identity;
    idv_session_record_t *session;
    idv_mdl_request_t *asked;

    IDV_TRY(find_open(db, visit, pool));
    IDV_TRY(idv_session_find(db, &scope, visit->record->session_id, &session,
                             pool));
    if (idv_session_is_over(session->session, request->now))
        return missing(pool);
    IDV_TRY(count_fetch(db, visit, pool));
    IDV_TRY(idv_mdl_request_unseal(
        db,
        &(const idv_mdl_request_place_t){.keyring = keyring,
                                         .session = session->session,
                                         .now = request->now},
        visit->record, &asked, pool));
    IDV_TRY(find_asker(db, visit, asked, &identity, pool));
    return idv_wallet_request_object(asked, identity, visit->wallet_nonce,
                                     &visit->request_object, pool);
}

static idv_error_t *respond_with_request(wallet_visit_t *visit)
{
    const char *text;

    IDV_TRY(
        idv_request_with_database(visit->request, make_request_object, visit));
    text = visit->request_object;
    idv_respond_bytes(visit->request, HTTP_OK,
                      "application/oauth-authz-req+jwt",
                      (idv_bytes_t){(const unsigned char *)text, strlen(text)});
    return NULL;
}

idv_error_t *idv_wallet_request_retrieve(idv_request_t *request)
{
    wallet_visit_t visit;

    IDV_TRY(begin(request, &visit));
    IDV_TRY(idv_request_no_parameters(request));
    return respond_with_request(&visit);
}

/* Other metadata of a wallet is ignored: all wallets get the same request. */
idv_error_t *idv_wallet_request_post(idv_request_t *request)
{
    wallet_visit_t visit;
    json_t *form;

    IDV_TRY(begin(request, &visit));
    IDV_TRY(idv_form_parse(request->body, &form, request->pool));
    visit.wallet_nonce =
        json_string_value(json_object_get(form, "wallet_nonce"));
    if (visit.wallet_nonce && strlen(visit.wallet_nonce) > IDV_WALLET_NONCE_MAX)
        return idv_error_param(request->pool, "wallet_nonce",
                               "must have at most %d characters.",
                               IDV_WALLET_NONCE_MAX);
    return respond_with_request(&visit);
}

/* --- the answer --- */

/* Whether the session, which this locks, still waits for a wallet. */
static idv_error_t *lock_asked(idv_db_t *db, const wallet_visit_t *visit,
                               const idv_session_t **session, apr_pool_t *pool)
{
    const idv_scope_t scope = scope_of(visit);
    idv_session_record_t *record;
    idv_workflow_t *workflow;

    IDV_TRY(idv_session_lock(db, &scope, visit->record->session_id, &record,
                             pool));
    IDV_TRY(idv_workflow_of_session(db, record->session, &workflow, pool));
    *session = record->session;
    return idv_session_check_asked(record->session, workflow, IDV_METHOD_MDL,
                                   visit->request->now, pool);
}

/* Faults of the session are reported before anything is opened. */
static idv_error_t *offer(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    wallet_visit_t *visit = baton;
    idv_mdl_answer_t answer = {
        .bytes = visit->response,
        .return_code = visit->code,
        .now = visit->request->now,
    };
    const idv_session_t *session;

    IDV_TRY(lock_asked(db, visit, &session, pool));
    IDV_TRY(find_open(db, visit, pool));
    visit->has_to_wait = visit->record->is_opening;
    if (visit->has_to_wait)
        return NULL;
    answer.record = visit->record;
    IDV_TRY(count_offer(db, visit, pool));
    return idv_mdl_request_offer(db, visit->request->services->keyring, session,
                                 &answer, pool);
}

static idv_error_t *try_to_offer(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    IDV_TRY(find_open(db, baton, pool));
    return idv_db_transaction(db, offer, baton, pool);
}

/* Stops the wait if the request has been removed. */
static idv_error_t *find_again(idv_db_t *db, const wallet_visit_t *visit,
                               idv_mdl_request_record_t **record,
                               apr_pool_t *pool)
{
    idv_error_t *error =
        idv_mdl_request_find(db,
                             &(const idv_mdl_request_query_t){
                                 .organization_id = visit->organization_id,
                                 .id = visit->id,
                                 .protocol = visit->protocol},
                             record, pool);

    if (!error || error->code != IDV_E_RESOURCE_MISSING)
        return error;
    *record = NULL;
    return NULL;
}

static idv_error_t *look_at_turn(idv_db_t *db, void *baton, int *done,
                                 apr_pool_t *pool)
{
    idv_mdl_request_record_t *record;

    IDV_TRY(find_again(db, baton, &record, pool));
    *done = !record || !record->is_opening;
    return NULL;
}

/* The code identifies the offered response. */
static idv_error_t *look_at_verdict(idv_db_t *db, void *baton, int *done,
                                    apr_pool_t *pool)
{
    wallet_visit_t *visit = baton;
    idv_mdl_request_record_t *record;

    IDV_TRY(find_again(db, visit, &record, pool));
    if (record && idv_mdl_request_is_of(record, visit->code, pool)) {
        visit->record->verdict = record->verdict;
        visit->record->reason = record->reason;
    } else if (record && !record->answered_at)
        visit->is_unread = 1;
    else
        visit->is_gone = 1;
    *done = visit->is_gone || visit->is_unread
         || visit->record->verdict != IDV_MDL_VERDICT_NONE;
    return NULL;
}

/* Waits for LOOK within the wallet's time limit. Zero if it did not wait,
 * because the time is up or too many requests are waiting. */
static int wait_for(wallet_visit_t *visit, idv_visit_look_t *look)
{
    apr_time_t left = visit->wait_end - apr_time_now();
    const idv_visit_wait_t wait = {
        .place = IDV_PLACE_EXCHANGE,
        .organization_id = visit->organization_id,
        .session_id = visit->record->session_id,
        .look = look,
        .baton = visit,
        .seconds = left > 0 ? (int)apr_time_sec(left) : 0,
    };

    return idv_visit_wait(visit->request, &wait);
}

static idv_error_t *too_many(apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, pool);

    error->message = "Another response to this request is being processed. Try "
                     "again.";
    error->retry_after = BUSY_SECONDS;
    return error;
}

/* One response is opened at a time. Earlier ones were refused, which can happen
 * only a limited number of times, or have answered the request. */
static idv_error_t *offer_in_turn(wallet_visit_t *visit)
{
    idv_request_t *request = visit->request;

    for (int turn = 0; turn <= IDV_MDL_REFUSED_MAX; turn++) {
        IDV_TRY(idv_request_with_database(request, try_to_offer, visit));
        if (!visit->has_to_wait)
            return NULL;
        if (!wait_for(visit, look_at_turn))
            break;
    }
    return too_many(request->pool);
}

/* Why the offered response had no effect: the session no longer waited for it,
 * or it is not an answer. */
static idv_error_t *explain_unread(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const idv_session_t *session;

    IDV_TRY(lock_asked(db, baton, &session, pool));
    return idv_error_new(IDV_E_WALLET_RESPONSE_UNREADABLE, pool);
}

/* The request was removed: its session has ended, has received another answer,
 * or has moved to another device. */
static idv_error_t *explain_gone(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const wallet_visit_t *visit = baton;
    const idv_scope_t scope = scope_of(visit);
    idv_session_record_t *record;

    IDV_TRY(idv_session_find(db, &scope, visit->record->session_id, &record,
                             pool));
    return idv_session_is_over(record->session, visit->request->now)
             ? idv_error_new(IDV_E_WALLET_RESPONSE_REFUSED, pool)
             : missing(pool);
}

/* Answers with the session's page; FRAGMENT tells the page the result. */
static idv_error_t *respond_with_page(const wallet_visit_t *visit,
                                      const char *fragment)
{
    apr_pool_t *pool = visit->request->pool;
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, 256, pool);
    idv_json_open_object(&writer, NULL);
    idv_json_put_text(
        &writer, "redirect_uri",
        apr_pstrcat(pool, visit->request->services->settings->public_url,
                    "/verify/", visit->record->session_id, "#", fragment,
                    NULL));
    idv_json_close_object(&writer);
    return idv_respond_text(visit->request, HTTP_OK,
                            idv_json_writer_text(&writer, NULL));
}

static idv_error_t *find_record(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    return find_open(db, baton, pool);
}

/* The person has declined or, if DECLINED is zero, the wallet has nothing that
 * fits. The request stays open, and the person returns without a code. */
static idv_error_t *respond_to_decline(const wallet_visit_t *visit,
                                       int declined)
{
    return respond_with_page(visit,
                             apr_pstrcat(visit->request->pool, "wallet=",
                                         visit->id, declined ? "" : "!", NULL));
}

/* CODE is that of an unencrypted error. */
static idv_error_t *take_error(wallet_visit_t *visit, const char *code)
{
    visit->protocol = IDV_MDL_PROTOCOL_NONE;
    IDV_TRY(idv_request_with_database(visit->request, find_record, visit));
    return respond_to_decline(
        visit, code && strcmp(code, IDV_WALLET_ERROR_DECLINED) == 0);
}

static idv_error_t *take_response(wallet_visit_t *visit)
{
    idv_request_t *request = visit->request;
    const idv_services_t *services = request->services;

    visit->code = idv_random_token(CODE_BYTES, request->pool);
    visit->wait_end = apr_time_now() + apr_time_from_sec(MAX_WAIT_SECONDS);
    IDV_TRY(offer_in_turn(visit));
    services->wake(services, IDV_WORK_ANALYSES);
    (void)wait_for(visit, look_at_verdict);
    if (visit->is_gone)
        return idv_request_with_database(request, explain_gone, visit);
    if (visit->is_unread)
        return idv_request_with_database(request, explain_unread, visit);
    if (visit->record->verdict == IDV_MDL_VERDICT_DECLINED)
        return respond_to_decline(
            visit, idv_mdl_reason_find(visit->record->reason)
                       == IDV_MDL_REASON_WALLET_DECLINED);
    if (visit->record->verdict == IDV_MDL_VERDICT_REFUSED)
        return idv_error_new(IDV_E_WALLET_RESPONSE_REFUSED, request->pool);
    return respond_with_page(visit,
                             apr_pstrcat(request->pool, "wallet=", visit->id,
                                         ".", visit->code, NULL));
}

idv_error_t *idv_wallet_response_post(idv_request_t *request)
{
    wallet_visit_t visit;
    const char *response;
    json_t *form;

    IDV_TRY(begin(request, &visit));
    IDV_TRY(idv_form_parse(request->body, &form, request->pool));
    response = json_string_value(json_object_get(form, "response"));
    /* Only apps for age proofs respond unencrypted. */
    if (!response && json_object_get(form, "vp_token")) {
        visit.protocol = IDV_MDL_PROTOCOL_AGE_APP;
        response = json_string_value(json_object_get(form, "vp_token"));
    }
    if (!response && json_object_get(form, "error"))
        return take_error(
            &visit, json_string_value(json_object_get(form, "error")));
    if (!response || !*response)
        return idv_error_param(request->pool, "response",
                               "is required. Pass the encrypted response.");
    visit.response =
        (idv_bytes_t){(const unsigned char *)response, strlen(response)};
    return take_response(&visit);
}
