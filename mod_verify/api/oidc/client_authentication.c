/* SPDX-License-Identifier: Apache-2.0 */
#include "api/oidc/client_authentication.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <httpd.h>

#include "domain/oidc/assertion.h"
#include "store/oidc/client_record.h"
#include "store/session/attempt_limit.h"

#define TOKEN_PATH "/v1/oidc/token"
#define BASIC "Basic "
#define BASIC_MAX 1024 /* characters of the header */

/* The way in which a request authenticates. */
typedef struct {
    idv_oidc_authentication_t way;
    const char *client_id;
    const char *secret;
    idv_web_token_t assertion;
} claim_t;

typedef struct {
    idv_request_t *request;
    claim_t claim;
    idv_oidc_client_t *client;
    const char *fault;
} check_t;

static const char *text_of(const json_t *form, const char *name)
{
    return json_string_value(json_object_get(form, name));
}

/* --- what the request claims; each returns the fault, or NULL --- */

static const char *read_basic(const char *header, claim_t *claim,
                              apr_pool_t *pool)
{
    static const char fault[] = "The Authorization header must be Basic with "
                                "the client_id and the secret.";
    char *text, *colon;

    claim->way = IDV_OIDC_BY_SECRET;
    if (strncasecmp(header, BASIC, strlen(BASIC)) != 0
        || strlen(header) > BASIC_MAX)
        return fault;
    text = (char *)apr_pdecode_base64(pool, header + strlen(BASIC),
                                      APR_ENCODE_STRING, APR_ENCODE_NONE, NULL);
    colon = text ? strchr(text, ':') : NULL;
    if (!colon)
        return fault;
    idv_wipe_with_pool(text, strlen(text), pool);
    *colon = '\0';
    /* Both are encoded like a form (RFC 6749, 2.3.1). */
    if (ap_unescape_urlencoded(text) != OK
        || ap_unescape_urlencoded(colon + 1) != OK)
        return fault;
    claim->client_id = text;
    claim->secret = colon + 1;
    return NULL;
}

static const char *read_assertion(const json_t *form, claim_t *claim,
                                  apr_pool_t *pool)
{
    const char *type = text_of(form, "client_assertion_type");
    const char *text = text_of(form, "client_assertion");

    claim->way = IDV_OIDC_BY_KEY;
    if (!type || strcmp(type, IDV_OIDC_ASSERTION_TYPE) != 0)
        return "client_assertion_type must be " IDV_OIDC_ASSERTION_TYPE ".";
    if (!text || idv_web_token_parse(text, &claim->assertion, pool))
        return "client_assertion must be signed with ES256 or RS256.";
    claim->client_id = idv_oidc_assertion_client(&claim->assertion);
    return claim->client_id ? NULL
                            : "iss and sub must both be the client_id.";
}

static const char *read_claim(const idv_request_t *request, const json_t *form,
                              claim_t *claim)
{
    const char *header = apr_table_get(request->r->headers_in, "Authorization");
    const char *named = text_of(form, "client_id");
    int has_assertion = json_object_get(form, "client_assertion") != NULL
                     || json_object_get(form, "client_assertion_type") != NULL;
    const char *fault = NULL;

    if (json_object_get(form, "client_secret"))
        return "Send the secret in the Authorization header.";
    if (header && has_assertion)
        return "Authenticate in one way only.";
    if (header)
        fault = read_basic(header, claim, request->pool);
    else if (has_assertion)
        fault = read_assertion(form, claim, request->pool);
    else
        *claim = (claim_t){.way = IDV_OIDC_BY_NONE, .client_id = named};
    if (fault)
        return fault;
    if (!claim->client_id)
        return "client_id is required.";
    return named && strcmp(named, claim->client_id) != 0
             ? "client_id must be the client that authenticates."
             : NULL;
}

/* --- checks --- */

/* An assertion is accepted once. */
static idv_error_t *spend(idv_db_t *db, check_t *check, const char *jti,
                          apr_pool_t *pool)
{
    const idv_request_t *request = check->request;
    const idv_attempt_limit_t once = {
        .organization_id = check->client->organization_id,
        .digest = idv_identifier_digest(
            request->services->keyring, "oidc_assertion",
            apr_pstrcat(pool, check->client->id, " ", jti, NULL), pool),
        .window = IDV_OIDC_ASSERTION_MAX + 2 * IDV_OIDC_CLOCK_SKEW,
        .limit = 1,
        .refusal = "",
    };
    idv_error_t *error = idv_attempt_admit(db, &once, request->now, pool);

    if (!error || error->code != IDV_E_RATE_LIMIT_EXCEEDED)
        return error;
    check->fault = "The assertion was used before.";
    return NULL;
}

static idv_error_t *check_assertion(idv_db_t *db, check_t *check,
                                    apr_pool_t *pool)
{
    const char *issuer = check->request->services->settings->public_url;
    const char *const audiences[] = {
        issuer, apr_pstrcat(pool, issuer, TOKEN_PATH, NULL), NULL};
    const idv_oidc_assertion_place_t place = {check->client, audiences,
                                              check->request->now};
    const char *jti;
    idv_error_t *error = idv_oidc_assertion_check(&check->claim.assertion,
                                                  &place, &jti, pool);

    if (error) {
        check->fault = error->message;
        return NULL;
    }
    return spend(db, check, jti, pool);
}

static idv_error_t *check_claim(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    check_t *check = baton;
    const claim_t *claim = &check->claim;

    IDV_TRY(idv_oidc_client_find(db, claim->client_id, &check->client, pool));
    if (!check->client || check->client->authentication != claim->way)
        check->fault = "The client is unknown, or authenticates in another "
                       "way.";
    else if (claim->way == IDV_OIDC_BY_SECRET
             && !idv_oidc_client_secret_is(check->client, claim->secret,
                                           check->request->now))
        check->fault = "The client secret is wrong.";
    else if (claim->way == IDV_OIDC_BY_KEY)
        return check_assertion(db, check, pool);
    return NULL;
}

idv_error_t *idv_oidc_authenticate(idv_request_t *request, const json_t *form,
                                   idv_oidc_client_t **client,
                                   idv_oidc_error_t *fault)
{
    check_t check = {.request = request};

    check.fault = read_claim(request, form, &check.claim);
    if (!check.fault)
        IDV_TRY(idv_request_with_database(request, check_claim, &check));
    *client = check.client;
    *fault = (idv_oidc_error_t){check.fault ? IDV_OIDC_INVALID_CLIENT
                                            : IDV_OIDC_NO_ERROR,
                                check.fault};
    return NULL;
}
