/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/widget/sessions/:id/passkeys: a person saves a verification as a passkey
 * on a device, and redeems its VP token later with this passkey.
 *
 * Each ceremony has two requests: the first returns the options for the
 * browser's call, the second takes what the browser returned. The passkey only
 * leads to the token. Everything else, from validity to billing, is as if the
 * person had presented the token (store/transaction/vp_token_redemption.h).
 */
#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "api/http/response.h"
#include "api/widget/page_site.h"
#include "api/widget/widget_visit.h"
#include "domain/request/parameters.h"
#include "domain/value/issued_secret.h"
#include "methods/passkey/passkey_key.h"
#include "store/session/credential_record.h"
#include "store/session/passkey.h"

static const idv_visit_limit_t limits[] = {
    [IDV_PASSKEY_REGISTRATION] = {"passkey_registration", 20, 15 * IDV_MINUTE,
                                  "Too many passkeys were begun in this "
                                  "session."},
    [IDV_PASSKEY_ASSERTION] = {"passkey_assertion", 20, 15 * IDV_MINUTE,
                               "Too many passkeys were tried in this "
                               "session."},
};

/* --- base64url --- */

static const char *encode(idv_bytes_t bytes, apr_pool_t *pool)
{
    return apr_pencode_base64_binary(pool, bytes.data,
                                     (apr_ssize_t)bytes.length,
                                     APR_ENCODE_URL | APR_ENCODE_NOPADDING,
                                     NULL);
}

/* Only the alphabet of RFC 4648, 5, without padding. */
static idv_error_t *decode(const char *name, const char *text,
                           idv_bytes_t *bytes, apr_pool_t *pool)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "abcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = strlen(text);

    if (strspn(text, alphabet) != length || length % 4 == 1)
        return idv_error_param(pool, name,
                               "must be base64url without padding.");
    bytes->data = apr_pdecode_base64_binary(pool, text, (apr_ssize_t)length,
                                            APR_ENCODE_NONE, &bytes->length);
    return bytes->data ? NULL
                       : idv_error_param(pool, name,
                                         "must be base64url without padding.");
}

/* Characters of the largest parts of methods/passkey/webauthn.h, which checks
 * their bytes. */
#define CLIENT_DATA_MAX 10924
#define ATTESTATION_MAX 43692
#define CREDENTIAL_MAX 1368
#define AUTHENTICATOR_DATA_MAX 5464
#define SIGNATURE_MAX 1368
#define USER_HANDLE_MAX 44

/* --- the relying party --- */

static idv_error_t *find_site(const idv_visit_t *visit,
                              const idv_passkey_challenge_t *challenge,
                              idv_webauthn_site_t *site, apr_pool_t *pool)
{
    const idv_settings_t *settings = visit->request->services->settings;
    idv_page_site_t page;

    IDV_TRY(idv_page_site(settings->public_url, &page, pool));
    site->id = page.host;
    site->origin = page.origin;
    site->embedders = settings->widget_frame_ancestors;
    site->challenge = challenge->challenge;
    return NULL;
}

/* --- beginning a ceremony --- */

typedef struct {
    idv_visit_t visit;
    idv_passkey_challenge_t challenge;
    idv_json_writer_t answer;
} beginning_t;

static void put_algorithms(idv_json_writer_t *answer)
{
    static const int algorithms[] = {
#define X(name, number) number,
        IDV_PASSKEY_ALGORITHMS(X)
#undef X
    };

    idv_json_open_array(answer, "pubKeyCredParams");
    for (size_t i = 0; i < sizeof(algorithms) / sizeof(*algorithms); i++) {
        idv_json_open_object(answer, NULL);
        idv_json_put_text(answer, "type", "public-key");
        idv_json_put_integer(answer, "alg", algorithms[i]);
        idv_json_close_object(answer);
    }
    idv_json_close_array(answer);
}

/* The name of the organization, under which the device lists the passkey. It
 * shows nothing about the person. */
static void put_registration(const beginning_t *beginning,
                             idv_json_writer_t *answer, const char *rp_id,
                             apr_pool_t *pool)
{
    const char *name = beginning->visit.organization.shown_name;

    idv_json_open_object(answer, "rp");
    idv_json_put_text(answer, "id", rp_id);
    idv_json_put_text(answer, "name", name);
    idv_json_close_object(answer);
    idv_json_open_object(answer, "user");
    idv_json_put_text(answer, "id",
                      encode(beginning->challenge.user_handle, pool));
    idv_json_put_text(answer, "name", name);
    idv_json_put_text(answer, "displayName", name);
    idv_json_close_object(answer);
    put_algorithms(answer);
    idv_json_open_object(answer, "authenticatorSelection");
    idv_json_put_text(answer, "residentKey", "required");
    idv_json_put_boolean(answer, "requireResidentKey", 1);
    idv_json_put_text(answer, "userVerification", "required");
    idv_json_close_object(answer);
    idv_json_put_text(answer, "attestation", "none");
}

/* WebAuthn Level 3, 5.1.8 and 5.1.9: the options in JSON. */
static void write_options(beginning_t *beginning, const char *rp_id,
                          apr_pool_t *pool)
{
    const idv_passkey_challenge_t *challenge = &beginning->challenge;
    idv_json_writer_t *answer = &beginning->answer;

    idv_json_writer_init(answer, 1024, pool);
    idv_json_open_object(answer, NULL);
    idv_json_put_text(answer, "object", "passkey_options");
    idv_json_put_seconds(answer, "expires_at", challenge->expires_at);
    idv_json_open_object(answer, "public_key");
    idv_json_put_text(answer, "challenge", encode(challenge->challenge, pool));
    idv_json_put_integer(answer, "timeout",
                         IDV_PASSKEY_CHALLENGE_TIME);
    if (challenge->ceremony == IDV_PASSKEY_REGISTRATION) {
        put_registration(beginning, answer, rp_id, pool);
    } else {
        idv_json_put_text(answer, "rpId", rp_id);
        idv_json_put_text(answer, "userVerification", "required");
    }
    idv_json_close_object(answer);
    idv_json_close_object(answer);
}

/* Whether the ceremony can lead to anything; the second request decides. */
static idv_error_t *check_state(const beginning_t *beginning, apr_pool_t *pool)
{
    int is_registration =
        beginning->challenge.ceremony == IDV_PASSKEY_REGISTRATION;
    const char *offer = idv_visit_passkey(&beginning->visit);

    if (is_registration)
        return offer && strcmp(offer, "save") == 0
                 ? NULL
                 : idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    if (idv_session_requires_email_otp(beginning->visit.record->session))
        return idv_error_new(IDV_E_OTP_NOT_PROVEN, pool);
    return offer && strcmp(offer, "use") == 0
             ? NULL
             : idv_error_new(IDV_E_SESSION_NOT_REDEEMABLE, pool);
}

static idv_error_t *begin(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    beginning_t *beginning = baton;
    idv_visit_t *visit = &beginning->visit;
    idv_webauthn_site_t site;

    visit->workflow = NULL;
    IDV_TRY(idv_visit_look(db, visit, pool));
    IDV_TRY(check_state(beginning, pool));
    IDV_TRY(idv_visit_count(db, visit, &limits[beginning->challenge.ceremony],
                            pool));
    IDV_TRY(idv_passkey_challenge_issue(db, visit->record->session,
                                        visit->request->now,
                                        &beginning->challenge, pool));
    IDV_TRY(find_site(visit, &beginning->challenge, &site, pool));
    write_options(beginning, site.id, pool);
    return NULL;
}

static idv_error_t *respond_options(idv_request_t *request,
                                    idv_passkey_ceremony_t ceremony)
{
    beginning_t beginning = {.challenge.ceremony = ceremony};

    IDV_TRY(idv_visit_begin(request, &beginning.visit));
    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_visit_write(&beginning.visit, begin, &beginning));
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&beginning.answer, NULL));
}

idv_error_t *idv_widget_passkey_registration(idv_request_t *request)
{
    return respond_options(request, IDV_PASSKEY_REGISTRATION);
}

idv_error_t *idv_widget_passkey_assertion(idv_request_t *request)
{
    return respond_options(request, IDV_PASSKEY_ASSERTION);
}

/* --- saving --- */

typedef struct {
    const char *client_data;
    const char *attestation_object;
} registration_input_t;

static const idv_parameter_t registration_parameters[] = {
    IDV_PARAMETER(STRING, registration_input_t, client_data, IDV_REQUIRED, 1,
                  CLIENT_DATA_MAX),
    IDV_PARAMETER(STRING, registration_input_t, attestation_object,
                  IDV_REQUIRED, 1, ATTESTATION_MAX),
    {0},
};

typedef struct {
    idv_visit_t visit;
    idv_webauthn_registration_t given;
    idv_passkey_challenge_t challenge;
    idv_webauthn_credential_t credential;
} saving_t;

/* The credential must still be valid, and stays so until the end of the
 * transaction. */
static idv_error_t *save(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    saving_t *saving = baton;
    idv_visit_t *visit = &saving->visit;
    idv_passkey_draft_t draft = {
        .organization_id = visit->scope.organization_id,
        .user_handle = saving->challenge.user_handle,
        .credential = &saving->credential,
        .now = visit->request->now,
    };
    idv_session_record_t *record;
    idv_method_t method;

    IDV_TRY(idv_session_lock(db, &visit->scope, visit->session_id, &record,
                             pool));
    IDV_TRY(idv_credential_of_session(db, record->session,
                                      &draft.credential_id, &method, pool));
    if (!draft.credential_id
        || record->session->status != IDV_STATUS_VERIFIED)
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    IDV_TRY(idv_visit_check_saver(db, visit, record->session, pool));
    IDV_TRY(idv_credential_lock(db, draft.organization_id, draft.credential_id,
                                draft.now, pool));
    return idv_passkey_create(db, &draft, pool);
}

static idv_error_t *finish_registration(idv_db_t *db, void *baton,
                                        apr_pool_t *pool)
{
    saving_t *saving = baton;
    idv_visit_t *visit = &saving->visit;
    idv_webauthn_site_t site;

    IDV_TRY(idv_visit_authorize(db, visit, pool));
    IDV_TRY(idv_session_check_device(visit->record->session, &visit->device,
                                     pool));
    IDV_TRY(idv_passkey_challenge_take(db, visit->record->session,
                                       visit->request->now, &saving->challenge,
                                       pool));
    IDV_TRY(find_site(visit, &saving->challenge, &site, pool));
    IDV_TRY(idv_webauthn_register(&site, &saving->given, &saving->credential,
                                  pool));
    return idv_db_transaction(db, save, saving, pool);
}

idv_error_t *idv_widget_passkey_registration_finish(idv_request_t *request)
{
    registration_input_t body = {0};
    saving_t saving = {.challenge.ceremony = IDV_PASSKEY_REGISTRATION};
    idv_json_writer_t answer;

    IDV_TRY(idv_visit_begin(request, &saving.visit));
    IDV_TRY(
        idv_request_parameters(request, registration_parameters, &body, NULL));
    IDV_TRY(decode("client_data", body.client_data, &saving.given.client_data,
                   request->pool));
    IDV_TRY(decode("attestation_object", body.attestation_object,
                   &saving.given.attestation, request->pool));
    IDV_TRY(idv_request_with_database(request, finish_registration, &saving));
    idv_json_writer_init(&answer, 128, request->pool);
    idv_json_open_object(&answer, NULL);
    idv_json_put_text(&answer, "object", "passkey");
    idv_json_put_seconds(&answer, "created", request->now);
    idv_json_close_object(&answer);
    return idv_respond_text(request, HTTP_CREATED,
                            idv_json_writer_text(&answer, NULL));
}

/* --- using --- */

typedef struct {
    const char *credential, *client_data, *authenticator_data, *signature,
        *user_handle;
} assertion_input_t;

static const idv_parameter_t assertion_parameters[] = {
    IDV_PARAMETER(STRING, assertion_input_t, credential, IDV_REQUIRED, 1,
                  CREDENTIAL_MAX),
    IDV_PARAMETER(STRING, assertion_input_t, client_data, IDV_REQUIRED, 1,
                  CLIENT_DATA_MAX),
    IDV_PARAMETER(STRING, assertion_input_t, authenticator_data, IDV_REQUIRED,
                  1, AUTHENTICATOR_DATA_MAX),
    IDV_PARAMETER(STRING, assertion_input_t, signature, IDV_REQUIRED, 1,
                  SIGNATURE_MAX),
    IDV_PARAMETER(STRING, assertion_input_t, user_handle, IDV_REQUIRED, 1,
                  USER_HANDLE_MAX),
    {0},
};

typedef struct {
    idv_visit_t visit;
    idv_webauthn_assertion_t given;
    idv_bytes_t credential_id;
    idv_bytes_t user_handle;
    idv_passkey_challenge_t challenge;
} using_t;

/* What the operator reads in the log; the passkey is named as verifyctl names
 * it. */
static idv_error_t *refuse_clone(const idv_passkey_t *passkey,
                                 apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_PASSKEY_INVALID, pool);

    error->message = "The passkey was not accepted: its signature counter went "
                     "back, so it may have been copied.";
    error->detail = apr_pstrcat(
        pool, "the signature counter of passkey ",
        idv_hex(passkey->digest.data, passkey->digest.length, pool), " of ",
        passkey->organization_id,
        " went back; it is refused from now on", NULL);
    return error;
}

/* The passkey of the assertion, after all checks. */
static idv_error_t *check_assertion(idv_db_t *db, using_t *use,
                                    idv_passkey_t *passkey, apr_pool_t *pool)
{
    const idv_visit_t *visit = &use->visit;
    idv_time_t now = visit->request->now;
    idv_webauthn_site_t site;
    apr_uint32_t sign_count;
    int is_cloned;

    IDV_TRY(idv_passkey_challenge_take(db, visit->record->session, now,
                                       &use->challenge, pool));
    IDV_TRY(idv_passkey_find(db, visit->scope.organization_id,
                             use->credential_id, passkey, pool));
    if (use->user_handle.length != passkey->user_handle.length
        || memcmp(use->user_handle.data, passkey->user_handle.data,
                  use->user_handle.length)
               != 0)
        return idv_error_new(IDV_E_PASSKEY_INVALID, pool);
    IDV_TRY(find_site(visit, &use->challenge, &site, pool));
    IDV_TRY(idv_webauthn_assert(&site, &use->given, passkey->public_key,
                                &sign_count, pool));
    IDV_TRY(idv_passkey_use(
        db, passkey,
        &(const idv_passkey_use_t){.sign_count = sign_count, .now = now},
        &is_cloned, pool));
    return is_cloned ? refuse_clone(passkey, pool) : NULL;
}

static idv_error_t *finish_assertion(idv_db_t *db, void *baton,
                                     apr_pool_t *pool)
{
    using_t *use = baton;
    idv_visit_t *visit = &use->visit;
    idv_passkey_t passkey;

    IDV_TRY(idv_visit_authorize(db, visit, pool));
    IDV_TRY(idv_session_check_device(visit->record->session, &visit->device,
                                     pool));
    IDV_TRY(check_assertion(db, use, &passkey, pool));
    visit->redeemed = idv_vp_token_text(visit->request->services->keyring,
                                        passkey.credential_id,
                                        visit->request->pool);
    return idv_visit_session(db, visit, pool);
}

static idv_error_t *decode_assertion(const assertion_input_t *body,
                                     using_t *use, apr_pool_t *pool)
{
    IDV_TRY(decode("credential", body->credential, &use->credential_id,
                   pool));
    IDV_TRY(decode("client_data", body->client_data, &use->given.client_data,
                   pool));
    IDV_TRY(decode("authenticator_data", body->authenticator_data,
                   &use->given.authenticator_data, pool));
    IDV_TRY(decode("signature", body->signature, &use->given.signature, pool));
    return decode("user_handle", body->user_handle, &use->user_handle, pool);
}

idv_error_t *idv_widget_passkey_assertion_finish(idv_request_t *request)
{
    assertion_input_t body = {0};
    using_t use = {.challenge.ceremony = IDV_PASSKEY_ASSERTION};

    IDV_TRY(idv_visit_begin(request, &use.visit));
    IDV_TRY(idv_request_parameters(request, assertion_parameters, &body, NULL));
    IDV_TRY(decode_assertion(&body, &use, request->pool));
    IDV_TRY(idv_request_with_database(request, finish_assertion, &use));
    idv_visit_wake(&use.visit);
    return idv_visit_respond(&use.visit);
}
