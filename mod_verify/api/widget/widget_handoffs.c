/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/widget/sessions/:id/handoff and /v1/widget/handoffs: a session moves to a
 * phone, and back. store/session/handoff.h describes links. This file creates
 * them, and lets the phone choose the number shown on the other screen.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/http/client_signals.h"
#include "api/http/response.h"
#include "api/widget/widget_visit.h"
#include "out/qr_code.h"
#include "store/account/organization.h"
#include "store/session/attempt_limit.h"
#include "store/session/handoff.h"

/* Links per session in a window: each is a write and a picture. */
#define OFFERS_MAX 20
#define OFFERS_WINDOW (15 * IDV_MINUTE)

#define PAIRING_MIN 10
#define PAIRING_MAX 99

#define PAGE "/verify/handoff#"

/* --- a link --- */

/* Chooses different random two-digit numbers, one of which is the pairing. */
static void choose_numbers(idv_handoff_link_t *link)
{
    const int span = PAIRING_MAX - PAIRING_MIN + 1;
    unsigned char random[2];

    for (int i = 0; i < IDV_HANDOFF_CHOICES;) {
        int is_new = 1;

        idv_random_bytes(random, sizeof(random));
        link->choices[i] = PAIRING_MIN + (random[0] << 8 | random[1]) % span;
        for (int j = 0; j < i; j++)
            is_new &= link->choices[j] != link->choices[i];
        i += is_new;
    }
    idv_random_bytes(random, 1);
    link->pairing = link->choices[random[0] % IDV_HANDOFF_CHOICES];
}

static idv_bytes_t digest_of(const char *secret, apr_pool_t *pool)
{
    unsigned char *digest = apr_palloc(pool, IDV_DIGEST_SIZE);

    idv_issued_secret_digest(secret, digest);
    return (idv_bytes_t){digest, IDV_DIGEST_SIZE};
}

/* The creation of a link. */
typedef struct {
    idv_visit_t visit;
    idv_handoff_link_t link;
    idv_organization_brand_t organization; /* named on both screens */
} offer_t;

static idv_error_t *write_link(idv_db_t *db, void *baton,
                               idv_session_record_t *after, apr_pool_t *pool)
{
    const offer_t *offer = baton;

    (void)after;
    return idv_handoff_offer(db, &offer->link, pool);
}

static idv_error_t *count_offer(idv_db_t *db, const idv_visit_t *visit,
                                apr_pool_t *pool)
{
    const idv_request_t *request = visit->request;
    const idv_attempt_limit_t attempt = {
        .organization_id = visit->scope.organization_id,
        .digest = idv_identifier_digest(request->services->keyring, "handoff",
                                        visit->session_id, pool),
        .window = OFFERS_WINDOW,
        .limit = OFFERS_MAX,
        .refusal = "This session has created too many links.",
    };

    return idv_attempt_admit(db, &attempt, request->now, pool);
}

static idv_error_t *make_offer(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    offer_t *offer = baton;
    idv_visit_t *visit = &offer->visit;

    IDV_TRY(idv_visit_authorize(db, visit, pool));
    IDV_TRY(count_offer(db, visit, pool));
    IDV_TRY(idv_organization_brand(db, visit->scope.organization_id,
                                   &offer->organization, pool));
    return idv_visit_session(db, visit, pool);
}

static const char *write_offer(const offer_t *offer, const char *url,
                               const char *svg, apr_pool_t *pool)
{
    idv_json_writer_t object;
    const char *text;

    idv_json_writer_init(&object, strlen(svg) + 1000, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "handoff");
    idv_json_put_text(&object, "url", url);
    idv_json_put_text(&object, "qr_svg", svg);
    idv_json_put_integer(&object, "pairing", offer->link.pairing);
    idv_json_put_text(&object, "organization",
                      offer->organization.shown_name);
    idv_json_put_seconds(&object, "expires_at", offer->link.expires_at);
    idv_json_close_object(&object);
    text = idv_json_writer_text(&object, NULL);
    idv_wipe_with_pool((char *)text, strlen(text), pool);
    return text;
}

typedef struct {
    apr_int64_t app; /* index into VerifyPassportApp; -1: the page */
} offer_input_t;

static const idv_parameter_t offer_parameters[] = {
    IDV_PARAMETER(INTEGER, offer_input_t, app, 0, 0, 254),
    {0},
};

/* The URL of TOKEN: the page on another device, or an app, which gets the
 * service's address. Browsers never send the part after #. */
static idv_error_t *address_of(const idv_request_t *request, apr_int64_t app,
                               const char *token, char **url)
{
    const idv_settings_t *settings = request->services->settings;
    const apr_array_header_t *apps = settings->passport_app;

    if (app >= apps->nelts)
        return idv_error_param(
            request->pool, "app",
            "must be the index of a link in `passport_apps`.");
    *url = app < 0 ? apr_pstrcat(request->pool, settings->public_url, PAGE,
                                 token, NULL)
                   : apr_pstrcat(request->pool,
                                 APR_ARRAY_IDX(apps, app, const char *),
                                 "#handoff=", token, "&service=",
                                 settings->public_url, NULL);
    idv_wipe_with_pool(*url, strlen(*url), request->pool);
    return NULL;
}

idv_error_t *idv_widget_handoff_offer(idv_request_t *request)
{
    const idv_session_input_t input = {.type = IDV_INPUT_HANDOFF_OFFER};
    offer_input_t body = {.app = -1};
    offer_t offer = {0};
    idv_visit_t *visit = &offer.visit;
    const char *token, *svg;
    char *url;

    IDV_TRY(idv_visit_begin(request, visit));
    IDV_TRY(idv_request_parameters(request, offer_parameters, &body, NULL));
    token =
        idv_handoff_token_new(visit->scope.organization_id, request->pool);
    IDV_TRY(address_of(request, body.app, token, &url));
    IDV_TRY(idv_qr_code_svg(url, &svg, request->pool));
    idv_wipe_with_pool((char *)svg, strlen(svg), request->pool);
    offer.link = (idv_handoff_link_t){
        .organization_id = visit->scope.organization_id,
        .session_id = visit->session_id,
        .token_digest = digest_of(token, request->pool),
        .expires_at = request->now + IDV_HANDOFF_TIME,
    };
    choose_numbers(&offer.link);
    visit->input = &input;
    visit->condition = write_link;
    visit->baton = &offer;
    IDV_TRY(idv_request_with_database(request, make_offer, &offer));
    return idv_respond_text(request, HTTP_OK,
                            write_offer(&offer, url, svg, request->pool));
}

idv_error_t *idv_widget_handoff_return(idv_request_t *request)
{
    const idv_session_input_t input = {.type = IDV_INPUT_HANDOFF_RETURN};
    idv_visit_t visit;

    IDV_TRY(idv_visit_begin(request, &visit));
    IDV_TRY(idv_request_no_parameters(request));
    visit.input = &input;
    return idv_visit_and_respond(&visit);
}

/* --- the phone --- */

typedef struct {
    const char *token;
    apr_int64_t pairing; /* 0: not given */
} redemption_input_t;

static const idv_parameter_t redemption_parameters[] = {
    IDV_PARAMETER(STRING, redemption_input_t, token, IDV_REQUIRED, 1,
                  IDV_TOKEN_TEXT_MAX),
    IDV_PARAMETER(INTEGER, redemption_input_t, pairing, 0, PAIRING_MIN,
                  PAIRING_MAX),
    {0},
};

/* The use of a link by a phone. */
typedef struct {
    idv_visit_t visit;
    idv_bytes_t token_digest;
    int pairing; /* 0: it opened the link */
    int is_wrong;
    idv_handoff_link_t link;
    idv_session_input_t input;
    idv_organization_brand_t organization;
} redemption_t;

static idv_error_t *check_link(idv_db_t *db, void *baton,
                               idv_session_record_t *after, apr_pool_t *pool)
{
    const redemption_t *redemption = baton;

    (void)after;
    return idv_handoff_check(db, &redemption->link, redemption->visit.request->now,
                             pool);
}

static idv_error_t *take_link(idv_db_t *db, void *baton,
                              idv_session_record_t *after, apr_pool_t *pool)
{
    redemption_t *redemption = baton;
    idv_visit_t *visit = &redemption->visit;
    int phone = after->session->runner.handoff.phones;

    visit->client_secret = idv_client_secret_new(
        visit->session_id, visit->scope.organization_id, visit->request->pool);
    visit->device = (idv_device_t){IDV_DEVICE_PHONE, phone};
    return idv_handoff_take(
        db, &redemption->link,
        &(const idv_handoff_taking_t){.phone = phone,
                                      .secret_digest =
                                          digest_of(visit->client_secret, pool),
                                      .now = visit->request->now},
        pool);
}

static void choose_input(redemption_t *redemption)
{
    idv_visit_t *visit = &redemption->visit;

    visit->condition = check_link;
    if (!redemption->pairing) {
        redemption->input.type = IDV_INPUT_HANDOFF_SCAN;
    } else if (redemption->pairing != redemption->link.pairing) {
        redemption->input.type = IDV_INPUT_HANDOFF_DECLINE;
        redemption->is_wrong = 1;
    } else {
        redemption->input.type = IDV_INPUT_HANDOFF_TAKE;
        visit->condition = take_link;
    }
    visit->input = &redemption->input;
    visit->baton = redemption;
}

static idv_error_t *redeem(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    redemption_t *redemption = baton;
    idv_visit_t *visit = &redemption->visit;

    IDV_TRY(
        idv_handoff_find(db,
                         &(const idv_handoff_query_t){
                             .organization_id = visit->scope.organization_id,
                             .token_digest = redemption->token_digest,
                             .now = visit->request->now},
                         &redemption->link, pool));
    visit->session_id = redemption->link.session_id;
    choose_input(redemption);
    IDV_TRY(idv_organization_brand(db, visit->scope.organization_id,
                                   &redemption->organization, pool));
    IDV_TRY(idv_visit_apply(db, visit, pool));
    return idv_visit_look(db, visit, pool);
}

/* The screen of the phone before it has any data of the session. */
static const char *write_scan(const redemption_t *redemption, apr_pool_t *pool)
{
    const idv_handoff_link_t *link = &redemption->link;
    const idv_organization_brand_t *organization = &redemption->organization;
    idv_json_writer_t object;

    idv_json_writer_init(&object, 500, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "handoff");
    idv_json_put_text(&object, "organization", organization->shown_name);
    idv_json_put_raw(&object, "brand",
                     organization->brand ? organization->brand : "null");
    idv_json_open_array(&object, "choices");
    for (int i = 0; i < IDV_HANDOFF_CHOICES; i++)
        idv_json_put_integer(&object, NULL, link->choices[i]);
    idv_json_close_array(&object);
    idv_json_put_seconds(&object, "expires_at", link->expires_at);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

/* A wrong number voids the link. That must be committed, so the error is
 * returned afterwards. */
idv_error_t *idv_widget_handoff_redeem(idv_request_t *request)
{
    redemption_t redemption = {.visit = {.request = request}};
    redemption_input_t body = {0};

    IDV_TRY(
        idv_request_parameters(request, redemption_parameters, &body, NULL));
    IDV_TRY(idv_handoff_token_parse(
        body.token, &redemption.visit.scope.organization_id, request->pool));
    redemption.token_digest = digest_of(body.token, request->pool);
    redemption.pairing = (int)body.pairing;
    IDV_TRY(idv_request_with_database(request, redeem, &redemption));
    idv_visit_wake(&redemption.visit);
    if (redemption.is_wrong)
        return idv_error_new(IDV_E_HANDOFF_PAIRING_WRONG, request->pool);
    if (!redemption.pairing)
        return idv_respond_text(request, HTTP_OK,
                                write_scan(&redemption, request->pool));
    return idv_visit_respond(&redemption.visit);
}
