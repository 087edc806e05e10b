/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/oidc/id_token.h"

#include <string.h>

#include <apr_strings.h>

#include "core/web_token.h"
#include "domain/session/session_results.h"
#include "domain/value/url.h"

#define EXPECTED_LENGTH 1500

static const int ages[] = {
#define X(age) age,
    IDV_OIDC_AGES(X)
#undef X
};

static const struct {
    idv_method_t method;
    const char *check;
} checks[] = {
#define X(name, check) {IDV_METHOD_##name, check},
    IDV_OIDC_CHECKS(X)
#undef X
};

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

/* --- the subject --- */

const char *idv_oidc_subject(const idv_keyring_t *keyring,
                             const idv_oidc_subject_t *about, apr_pool_t *pool)
{
    const char *text =
        about->person_id
            ? apr_pstrcat(pool, "oidc person\n", about->organization_id, "\n",
                          idv_url_host(about->redirect_uri, pool), "\n",
                          about->person_id, NULL)
            : apr_pstrcat(pool, "oidc login\n", about->client_id, "\n",
                          about->login_id, NULL);
    const idv_bytes_t key = {keyring->secret, IDV_KEY_SIZE};
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_hmac_sha256(key, text, strlen(text), digest);
    return idv_base64url((idv_bytes_t){digest, sizeof(digest)}, pool);
}

/* --- claims --- */

static void put_age(idv_json_writer_t *claims, int age)
{
    idv_json_put_boolean(claims,
                         apr_psprintf(claims->pool, "age_over_%d", age), 1);
}

static void put_ages(idv_json_writer_t *claims, int proved)
{
    int is_listed = 0;

    for (int i = 0; i < COUNT(ages); i++) {
        if (ages[i] > proved)
            break;
        put_age(claims, ages[i]);
        is_listed = ages[i] == proved;
    }
    if (proved > 0 && !is_listed)
        put_age(claims, proved);
}

static void put_evidence(idv_json_writer_t *claims,
                         const idv_session_t *session)
{
    int count = 0;

    for (int i = 0; i < COUNT(checks); i++) {
        if (!idv_method_list_has(&session->runner.verified, checks[i].method))
            continue;
        if (count++ == 0) {
            idv_json_open_array(claims, "evidence");
            idv_json_open_object(claims, NULL);
            idv_json_put_text(claims, "type", "document");
            idv_json_open_array(claims, "check_details");
        }
        idv_json_open_object(claims, NULL);
        idv_json_put_text(claims, "check_method", checks[i].check);
        idv_json_close_object(claims);
    }
    if (count == 0)
        return;
    idv_json_close_array(claims);
    idv_json_close_object(claims);
    idv_json_close_array(claims);
}

static const char *assurance_of(const idv_session_t *session, apr_pool_t *pool)
{
    const idv_session_result_t *best =
        idv_session_results_best(session->results, pool);

    return idv_assurance_value(best ? best->assurance
                                    : session->runner.facts.assurance);
}

static void put_verified(idv_json_writer_t *claims,
                         const idv_oidc_id_token_t *token)
{
    const idv_session_t *session = token->session;
    const char *assurance = assurance_of(session, claims->pool);

    idv_json_open_object(claims, "verified_claims");
    idv_json_open_object(claims, "verification");
    idv_json_put_text(claims, "trust_framework", IDV_OIDC_TRUST_FRAMEWORK);
    if (assurance)
        idv_json_put_text(claims, "assurance_level", assurance);
    idv_json_put_text(claims, "time",
                      idv_time_iso8601(session->completed_at, claims->pool));
    idv_json_put_text(claims, "verification_process", session->id);
    put_evidence(claims, session);
    idv_json_close_object(claims);
    idv_json_open_object(claims, "claims");
    idv_json_put_boolean(claims, "identity_verified", 1);
    put_ages(claims, token->age);
    idv_json_close_object(claims);
    idv_json_close_object(claims);
}

/* The time of the verification would show a client which of its logins are of
 * one person, so with `age` it is the time of this login. */
static idv_time_t authenticated_at(const idv_oidc_id_token_t *token)
{
    return token->scopes & IDV_OIDC_SCOPE_BIT(IDENTITY)
             ? token->session->completed_at
             : token->now;
}

const char *idv_oidc_id_token_claims(const idv_oidc_id_token_t *token,
                                     apr_pool_t *pool)
{
    idv_json_writer_t claims;

    idv_json_writer_init(&claims, EXPECTED_LENGTH, pool);
    idv_json_open_object(&claims, NULL);
    idv_json_put_text(&claims, "iss", token->issuer);
    idv_json_put_text(&claims, "sub", token->subject);
    idv_json_put_text(&claims, "aud", token->client_id);
    idv_json_put_seconds(&claims, "exp", token->now + IDV_OIDC_TOKEN_VALIDITY);
    idv_json_put_seconds(&claims, "iat", token->now);
    idv_json_put_seconds(&claims, "auth_time", authenticated_at(token));
    if (token->nonce)
        idv_json_put_text(&claims, "nonce", token->nonce);
    if (token->scopes & IDV_OIDC_SCOPE_BIT(AGE))
        put_ages(&claims, token->age);
    if (token->scopes & IDV_OIDC_SCOPE_BIT(IDENTITY))
        put_verified(&claims, token);
    idv_json_close_object(&claims);
    return idv_json_writer_text(&claims, NULL);
}
