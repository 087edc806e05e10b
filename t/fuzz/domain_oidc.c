/* SPDX-License-Identifier: Apache-2.0 */
/* What others send to the OpenID Connect provider: an authorization request as a
 * query, and an assertion of a client. */
#include "fuzz/fuzz.h"

#include "core/query_string.h"
#include "domain/oidc/assertion.h"
#include "domain/oidc/authorization.h"

#define NOW ((idv_time_t)1800000000000)

static const char jwk[] =
    "[{\"kty\":\"EC\",\"crv\":\"P-256\","
    "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
    "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}]";

/* What is accepted is within its limits, and what leads back has one line. */
static void check_request(const char *text, apr_pool_t *pool)
{
    idv_oidc_authorization_t read;
    idv_oidc_return_t back = {"https://shop.example/x", "https://verify", NULL};
    const char *url;
    json_t *parameters;

    if (idv_query_string_parse(text, &parameters, pool))
        return;
    idv_oidc_authorization_read(parameters, &read);
    back.state = read.state;
    url = read.error.code ? idv_oidc_return_error(&back, &read.error, pool)
                          : idv_oidc_return_code(&back, "code", pool);
    for (const char *c = url; *c; c++)
        promise(*c > ' ' && *c < 0x7f && *c != '#' && *c != '"');
    promise(strncmp(url, "https://shop.example/x?", 23) == 0);
    if (read.error.code)
        return;
    promise(strlen(read.challenge) == 43);
    promise(!read.nonce || strlen(read.nonce) <= IDV_OIDC_NONCE_MAX);
    promise(!(read.is_silent && read.is_fresh));
    promise(read.scopes < 1u << IDV_OIDC_SCOPE_COUNT);
}

/* Nobody signs without the key. */
static void check_assertion(const char *text, apr_pool_t *pool)
{
    static const char *const audiences[] = {"https://verify", NULL};
    const idv_oidc_client_t client = {.id = "oic_1",
                                      .keys = idv_json_load(jwk, pool)};
    const idv_oidc_assertion_place_t place = {&client, audiences, NOW};
    idv_web_token_t token;
    const char *jti;

    if (idv_web_token_parse(text, &token, pool))
        return;
    promise(strlen(text) <= IDV_WEB_TOKEN_MAX);
    idv_oidc_assertion_client(&token);
    promise(idv_oidc_assertion_check(&token, &place, &jti, pool) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    const char *text = apr_pstrmemdup(pool, (const char *)data, size);
    idv_web_key_t key;
    json_t *keys;

    check_request(text, pool);
    check_assertion(text, pool);
    if (!idv_json_parse(text, strlen(text), &keys, pool)
        && !idv_web_key_parse(keys, &key, pool))
        promise(key.key != NULL);
    idv_oidc_verifier_fits(text, text, pool);
    apr_pool_destroy(pool);
    return 0;
}
