/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "core/web_token.h"

/* RFC 7515, A.3.1: a key and a token that others have signed with it. */
static const char rfc_key[] =
    "{\"kty\":\"EC\",\"crv\":\"P-256\","
    "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
    "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}";
static const char rfc_token[] =
    "eyJhbGciOiJFUzI1NiJ9."
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
    "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSA"
    "pmWQxfKTUJqPP3-Kg6NU1Q";

static json_t *json_of(const char *text, apr_pool_t *pool)
{
    json_t *value = idv_json_load(text, pool);

    assert_non_null(value);
    return value;
}

static idv_web_key_t key_of(const char *jwk, apr_pool_t *pool)
{
    idv_web_key_t key;

    assert_null(idv_web_key_parse(json_of(jwk, pool), &key, pool));
    return key;
}

static void checks_the_token_of_the_standard(void **state)
{
    apr_pool_t *pool = *state;
    idv_web_key_t key = key_of(rfc_key, pool);
    idv_web_token_t token;

    assert_null(idv_web_token_parse(rfc_token, &token, pool));
    assert_int_equal(token.algorithm, IDV_WEB_ES256);
    assert_string_equal(
        json_string_value(json_object_get(token.claims, "iss")), "joe");
    assert_true(idv_web_token_is_by(&token, &key, pool));
    token.signed_text.length--;
    assert_false(idv_web_token_is_by(&token, &key, pool));
}

static idv_web_key_t new_key(idv_web_algorithm_t algorithm, apr_pool_t *pool)
{
    idv_web_key_t key;
    idv_bytes_t pem;

    assert_null(idv_web_key_create(algorithm, &pem, pool));
    assert_null(idv_web_key_read(pem, &key, pool));
    assert_int_equal(key.algorithm, algorithm);
    return key;
}

/* The public part of KEY as others read it. */
static idv_web_key_t published(const idv_web_key_t *key, apr_pool_t *pool)
{
    const char *text;

    assert_null(idv_web_key_text(key, &text, pool));
    assert_null(strstr(text, "\"d\""));
    return key_of(text, pool);
}

static void signs_what_the_published_key_checks(void **state)
{
    apr_pool_t *pool = *state;

    for (int i = 0; i < IDV_WEB_ALGORITHM_COUNT; i++) {
        idv_web_key_t key = new_key(i, pool), other = new_key(i, pool);
        idv_web_key_t public_key = published(&key, pool);
        idv_web_token_t token;
        const char *text;

        assert_string_equal(public_key.id, key.id);
        assert_int_equal(strlen(key.id), 43);
        assert_null(idv_web_token_sign(&key, "{\"a\":1}", &text, pool));
        assert_null(idv_web_token_parse(text, &token, pool));
        assert_string_equal(token.key_id, key.id);
        assert_true(idv_web_token_is_by(&token, &public_key, pool));
        other = published(&other, pool);
        assert_false(idv_web_token_is_by(&token, &other, pool));
    }
}

static void the_algorithm_is_that_of_the_key(void **state)
{
    apr_pool_t *pool = *state;
    idv_web_key_t rsa = new_key(IDV_WEB_RS256, pool);
    idv_web_key_t ec = new_key(IDV_WEB_ES256, pool);
    idv_web_token_t token;
    const char *text;

    assert_null(idv_web_token_sign(&rsa, "{}", &text, pool));
    assert_null(idv_web_token_parse(text, &token, pool));
    assert_false(idv_web_token_is_by(&token, &ec, pool));
    token.algorithm = IDV_WEB_ES256;
    assert_false(idv_web_token_is_by(&token, &rsa, pool));
    assert_false(idv_web_token_is_by(&token, &ec, pool));
}

static const char *encoded(const char *text, apr_pool_t *pool)
{
    return idv_base64url(
        (idv_bytes_t){(const unsigned char *)text, strlen(text)}, pool);
}

static void refuses_other_tokens(void **state)
{
    static const char *const headers[] = {
        "{\"alg\":\"none\"}", "{\"alg\":\"HS256\"}", "{\"alg\":\"PS256\"}",
        "{\"alg\":\"ES384\"}", "{\"alg\":1}", "{}", "[]", "{\"alg\":\"es256\"}",
        "{\"alg\":\"ES256\",\"crit\":[\"exp\"]}",
        "{\"alg\":\"ES256\",\"b64\":false}",
        "{\"alg\":\"ES256\",\"jwk\":{}}", "{\"alg\":\"ES256\",\"x5u\":\"\"}",
        "{\"alg\":\"ES256\",\"jku\":\"\"}", "{\"alg\":\"ES256\",\"x5c\":[]}",
        "{\"alg\":\"ES256\",\"kid\":1}",
        "{\"alg\":\"none\",\"alg\":\"ES256\"}"};
    static const char *const texts[] = {"", ".", "..", "a.b", "a.b.c.d",
                                        "e30.e30.", ".e30.AAAA"};
    apr_pool_t *pool = *state;
    idv_web_token_t token;
    char *text;

    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
        text = apr_pstrcat(pool, encoded(headers[i], pool), ".",
                           encoded("{}", pool), ".AAAA", NULL);
        assert_non_null(idv_web_token_parse(text, &token, pool));
    }
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert_non_null(idv_web_token_parse(texts[i], &token, pool));
    /* Base64url has one form: no padding, no bits after the last byte. */
    text = apr_pstrcat(pool, rfc_token, "=", NULL);
    assert_non_null(idv_web_token_parse(text, &token, pool));
    text = apr_pstrdup(pool, rfc_token);
    text[strlen(text) - 1] = 'R';
    assert_non_null(idv_web_token_parse(text, &token, pool));
    text = apr_palloc(pool, IDV_WEB_TOKEN_MAX + 2);
    memset(text, 'a', IDV_WEB_TOKEN_MAX + 1);
    text[IDV_WEB_TOKEN_MAX + 1] = '\0';
    assert_non_null(idv_web_token_parse(text, &token, pool));
}

static void refuses_other_keys(void **state)
{
    static const char *const keys[] = {
        "{}", "{\"kty\":\"oct\",\"k\":\"AAAA\"}", "{\"kty\":\"RSA\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-384\",\"x\":\"AAAA\",\"y\":\"AAAA\"}",
        /* not a point of the curve */
        ("{\"kty\":\"EC\",\"crv\":\"P-256\","
         "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
         "\"y\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\"}"),
        /* 512 bits */
        ("{\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"wJ0bZ4m3oWm8mJ2m4bqkq0y6c0"
         "7m3bQn0nq3m8pG6m0v0XqX3c8mI4k2b8v1c4m0y3mJ5n6p7q8r9s0t1u2v3w\"}")};
    apr_pool_t *pool = *state;
    json_t *jwk = json_of(rfc_key, pool);
    idv_web_key_t key;

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        assert_non_null(
            idv_web_key_parse(json_of(keys[i], pool), &key, pool));
    json_object_set_new(jwk, "alg", json_string("RS256"));
    assert_non_null(idv_web_key_parse(jwk, &key, pool));
    json_object_set_new(jwk, "alg", json_string("ES256"));
    assert_null(idv_web_key_parse(jwk, &key, pool));
    json_object_set_new(jwk, "use", json_string("enc"));
    assert_non_null(idv_web_key_parse(jwk, &key, pool));
    json_object_set_new(jwk, "use", json_string("sig"));
    json_object_set_new(jwk, "d", json_string("AAAA"));
    assert_non_null(idv_web_key_parse(jwk, &key, pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(checks_the_token_of_the_standard),
        pooled_test(signs_what_the_published_key_checks),
        pooled_test(the_algorithm_is_that_of_the_key),
        pooled_test(refuses_other_tokens),
        pooled_test(refuses_other_keys),
    };

    return unit_run("core/web_token", tests);
}
