/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "domain/oidc/assertion.h"
#include "domain/oidc/authorization.h"
#include "domain/oidc/client.h"
#include "domain/oidc/id_token.h"

#define NOW ((idv_time_t)1800000000000)

/* --- authorization requests --- */

/* RFC 7636, appendix B. */
#define VERIFIER "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
#define CHALLENGE "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

static void knows_the_verifier_of_a_challenge(void **state)
{
    apr_pool_t *pool = *state;

    assert_true(idv_oidc_verifier_fits(VERIFIER, CHALLENGE, pool));
    assert_false(idv_oidc_verifier_fits(CHALLENGE, CHALLENGE, pool));
    assert_false(idv_oidc_verifier_fits("", CHALLENGE, pool));
    assert_false(idv_oidc_verifier_fits(VERIFIER, "", pool));
    assert_false(idv_oidc_verifier_fits(VERIFIER " ", CHALLENGE, pool));
}

static idv_oidc_authorization_t read_request(const char *name,
                                             const char *value,
                                             apr_pool_t *pool)
{
    json_t *parameters = idv_json_own(
        json_pack("{s:s, s:s, s:s, s:s, s:s}", "response_type", "code",
                  "scope", "openid age", "code_challenge", CHALLENGE,
                  "code_challenge_method", "S256", "state", "x"),
        pool);
    idv_oidc_authorization_t read;

    if (name)
        json_object_set_new(parameters, name, json_string(value));
    idv_oidc_authorization_read(parameters, &read);
    return read;
}

static void reads_requests(void **state)
{
    apr_pool_t *pool = *state;
    idv_oidc_authorization_t read = read_request(NULL, NULL, pool);

    assert_int_equal(read.error.code, IDV_OIDC_NO_ERROR);
    assert_int_equal(read.scopes, IDV_OIDC_SCOPE_BIT(AGE));
    assert_string_equal(read.state, "x");
    assert_int_equal(read.max_age, -1);
    read = read_request("scope", "identity  openid", pool);
    assert_int_equal(read.scopes, IDV_OIDC_SCOPE_BIT(IDENTITY));
    assert_true(read_request("prompt", "none", pool).is_silent);
    assert_true(read_request("prompt", "login consent", pool).is_fresh);
    assert_int_equal(read_request("max_age", "0", pool).max_age, 0);
}

static void refuses_requests(void **state)
{
    static const struct {
        const char *name, *value;
        idv_oidc_error_code_t error;
    } cases[] = {
        {"response_type", "", IDV_OIDC_INVALID_REQUEST},
        {"response_type", "token", IDV_OIDC_UNSUPPORTED_RESPONSE_TYPE},
        {"scope", "openidage", IDV_OIDC_INVALID_SCOPE},
        {"scope", "", IDV_OIDC_INVALID_SCOPE},
        {"code_challenge", "", IDV_OIDC_INVALID_REQUEST},
        {"code_challenge_method", "s256", IDV_OIDC_INVALID_REQUEST},
        {"prompt", "none none", IDV_OIDC_INVALID_REQUEST},
        {"max_age", "1s", IDV_OIDC_INVALID_REQUEST},
        {"request", "x", IDV_OIDC_REQUEST_NOT_SUPPORTED},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_oidc_authorization_t read =
            read_request(cases[i].name, cases[i].value, pool);

        assert_int_equal(read.error.code, cases[i].error);
        assert_string_equal(read.state, "x");
        assert_non_null(read.error.reason);
    }
}

static void leads_back(void **state)
{
    apr_pool_t *pool = *state;
    const idv_oidc_error_t error = {IDV_OIDC_ACCESS_DENIED, "No."};
    idv_oidc_return_t back = {"https://a.example/b?c=d",
                              "https://verify.example", "x&y=\r\n#"};

    assert_string_equal(idv_oidc_return_code(&back, "code", pool),
                        "https://a.example/b?c=d&code=code&state=x%26y%3d%0d"
                        "%0a%23&iss=https%3a%2f%2fverify.example");
    back = (idv_oidc_return_t){"https://a.example/b", "https://v", NULL};
    assert_string_equal(idv_oidc_return_error(&back, &error, pool),
                        "https://a.example/b?error=access_denied"
                        "&error_description=No.&iss=https%3a%2f%2fv");
}

/* --- clients --- */

static const char *fault_of(const idv_oidc_client_t *client, apr_pool_t *pool)
{
    idv_error_t *error = idv_oidc_client_check(client, pool);

    return error ? error->param : NULL;
}

static void checks_clients(void **state)
{
    static const char *const wrong[] = {
        "http://a.example/", "https://a.example/#b", "a.example", "app:/x",
        "https://u:p@a.example/", "https://a.example/\r\n", ""};
    const char *uris[] = {"https://a.example/b", NULL};
    apr_pool_t *pool = *state;
    idv_oidc_client_t client = {.name = "Shop", .redirect_uris = uris};

    assert_null(fault_of(&client, pool));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        uris[0] = wrong[i];
        assert_string_equal(fault_of(&client, pool), "redirect_uris[0]");
    }
    uris[0] = NULL;
    assert_string_equal(fault_of(&client, pool), "redirect_uris");
    uris[0] = "http://127.0.0.1:8000/b";
    assert_null(fault_of(&client, pool));
    client.authentication = IDV_OIDC_BY_KEY;
    assert_string_equal(fault_of(&client, pool), "jwks");
    client.authentication = IDV_OIDC_BY_NONE;
    client.keys = idv_json_own(json_array(), pool);
    assert_string_equal(fault_of(&client, pool), "jwks");
    client.keys = NULL;
    client.name = "";
    assert_string_equal(fault_of(&client, pool), "name");
}

static void knows_a_secret(void **state)
{
    apr_pool_t *pool = *state;
    idv_oidc_client_t client = {0};
    const char *secret;

    assert_false(idv_oidc_client_secret_is(&client, "", NOW));
    secret = idv_oidc_client_renew_secret(&client, 0, pool);
    assert_true(idv_oidc_client_secret_is(&client, secret, NOW));
    assert_false(idv_oidc_client_secret_is(&client, "svc_oidc_", NOW));
    assert_true(strlen(secret) > 50);
}

static void knows_a_former_secret(void **state)
{
    apr_pool_t *pool = *state;
    idv_oidc_client_t client = {0};
    const char *first = idv_oidc_client_renew_secret(&client, 0, pool);
    const char *second =
        idv_oidc_client_renew_secret(&client, NOW + IDV_HOUR, pool);

    assert_true(idv_oidc_client_secret_is(&client, second, NOW));
    assert_true(idv_oidc_client_secret_is(&client, first, NOW));
    assert_false(idv_oidc_client_secret_is(&client, first, NOW + IDV_HOUR));
    assert_true(idv_oidc_client_secret_is(&client, second, NOW + IDV_HOUR));
    idv_oidc_client_renew_secret(&client, NOW + IDV_HOUR, pool);
    assert_false(idv_oidc_client_secret_is(&client, first, NOW));
    assert_true(idv_oidc_client_secret_is(&client, second, NOW));
    idv_oidc_client_renew_secret(&client, 0, pool);
    assert_false(idv_oidc_client_secret_is(&client, second, NOW));
}

/* --- the subject --- */

static void a_subject_is_pairwise(void **state)
{
    apr_pool_t *pool = *state;
    const idv_keyring_t keyring = {.secret = {1}};
    idv_oidc_subject_t about = {"oic_1", "https://a.example/x", "org_1",
                                "oil_1", "vp_1"};
    const char *first = idv_oidc_subject(&keyring, &about, pool);

    assert_null(strstr(first, "vp_1"));
    about.login_id = "oil_2";
    about.client_id = "oic_2";
    about.redirect_uri = "https://a.example:444/y";
    assert_string_equal(idv_oidc_subject(&keyring, &about, pool), first);
    about.redirect_uri = "https://b.example/x";
    assert_string_not_equal(idv_oidc_subject(&keyring, &about, pool), first);
    about.person_id = NULL;
    first = idv_oidc_subject(&keyring, &about, pool);
    about.login_id = "oil_3";
    assert_string_not_equal(idv_oidc_subject(&keyring, &about, pool), first);
}

static json_t *claims_of(unsigned scopes, int age, apr_pool_t *pool)
{
    const idv_session_t session = {.id = "vks_1", .completed_at = NOW};
    const idv_oidc_id_token_t token = {
        .issuer = "https://v", .client_id = "oic_1", .subject = "s",
        .now = NOW, .scopes = scopes, .age = age, .session = &session};
    json_t *claims =
        idv_json_load(idv_oidc_id_token_claims(&token, pool), pool);

    assert_non_null(claims);
    return claims;
}

static int has(const json_t *claims, const char *name)
{
    return json_is_true(json_object_get(claims, name));
}

static void releases_what_was_proved(void **state)
{
    apr_pool_t *pool = *state;
    json_t *claims = claims_of(IDV_OIDC_SCOPE_BIT(AGE), 18, pool);

    assert_true(has(claims, "age_over_13") && has(claims, "age_over_16")
                && has(claims, "age_over_18"));
    assert_null(json_object_get(claims, "age_over_21"));
    assert_null(json_object_get(claims, "verified_claims"));
    claims = claims_of(IDV_OIDC_SCOPE_BIT(AGE), 19, pool);
    assert_true(has(claims, "age_over_19") && has(claims, "age_over_18"));
    claims = claims_of(IDV_OIDC_SCOPE_BIT(AGE), 12, pool);
    assert_true(has(claims, "age_over_12") && !has(claims, "age_over_13"));
    claims = claims_of(IDV_OIDC_SCOPE_BIT(AGE), 0, pool);
    assert_null(json_object_get(claims, "age_over_0"));
    assert_null(json_object_get(claims, "age_over_13"));
    claims = claims_of(0, 21, pool);
    assert_null(json_object_get(claims, "age_over_18"));
    claims = claims_of(IDV_OIDC_SCOPE_BIT(IDENTITY), 21, pool);
    assert_null(json_object_get(claims, "age_over_18"));
    claims = json_object_get(claims, "verified_claims");
    assert_true(has(json_object_get(claims, "claims"), "identity_verified"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(knows_the_verifier_of_a_challenge),
        pooled_test(reads_requests),
        pooled_test(refuses_requests),
        pooled_test(leads_back),
        pooled_test(checks_clients),
        pooled_test(knows_a_secret),
        pooled_test(knows_a_former_secret),
        pooled_test(a_subject_is_pairwise),
        pooled_test(releases_what_was_proved),
    };

    return unit_run("domain/oidc", tests);
}
