/* SPDX-License-Identifier: Apache-2.0 */
/* What wallets encrypt: vectors of the standards open, and nothing altered. */
#include "unit/mdl_fixture.h"

#include "methods/mdl/response_encryption.h"

static idv_bytes_t from_base64url(const char *text, apr_pool_t *pool)
{
    idv_bytes_t bytes;

    assert_null(idv_base64url_decode(text, strlen(text), &bytes, pool));
    return bytes;
}

static EVP_PKEY *private_key(idv_bytes_t scalar, apr_pool_t *pool)
{
    EVP_PKEY *key;

    assert_null(idv_p256_private_key(scalar, &key, pool));
    return key;
}

static void base64url_is_strict(void **state)
{
    static const char *const wrong[] = { "A",    "AA=",   "AA==", "AB",  "AAB",
                                         "AA\n", "A+AA",  "A/AA", " AAA",
                                         "AAAA=" };
    idv_bytes_t bytes = from_base64url("-_8AEBE", *state);

    assert_int_equal(bytes.length, 5);
    assert_memory_equal(bytes.data, "\xfb\xff\x00\x10\x11", 5);
    assert_int_equal(from_base64url("", *state).length, 0);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        if (!idv_base64url_decode(wrong[i], strlen(wrong[i]), &bytes, *state))
            fail_msg("%s was decoded", wrong[i]);
}

static void private_scalars_are_in_range(void **state)
{
    /* The order of P-256, FIPS 186-4, D.1.2.3. */
    static const char order[] =
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    static const char below[] =
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550";
    static const char above[] =
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552";
    unsigned char zero[33] = { 0 };
    EVP_PKEY *key;

    assert_non_null(
        idv_p256_private_key((idv_bytes_t){ zero, 32 }, &key, *state));
    assert_non_null(
        idv_p256_private_key((idv_bytes_t){ zero, 33 }, &key, *state));
    assert_non_null(
        idv_p256_private_key(from_hex(order, *state), &key, *state));
    assert_null(idv_p256_private_key(from_hex(below, *state), &key, *state));
    assert_non_null(
        idv_p256_private_key(from_hex(above, *state), &key, *state));
}

static void points_off_the_curve_are_refused(void **state)
{
    static const char good[] =
        "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
    idv_bytes_t point = from_hex(good, *state);
    unsigned char *bytes = (unsigned char *)point.data;
    EVP_PKEY *key;

    assert_null(idv_elliptic_public_key(IDV_CURVE_P256, point, &key, *state));
    assert_int_equal(idv_curve_of(key), IDV_CURVE_P256);
    bytes[64] ^= 1;
    assert_non_null(
        idv_elliptic_public_key(IDV_CURVE_P256, point, &key, *state));
    bytes[64] ^= 1;
    bytes[0] = 7; /* hybrid: y is odd, too */
    assert_non_null(
        idv_elliptic_public_key(IDV_CURVE_P256, point, &key, *state));
    bytes[0] = 3;
    assert_null(idv_elliptic_public_key(
        IDV_CURVE_P256, (idv_bytes_t){ bytes, 33 }, &key, *state));
    assert_non_null(idv_elliptic_public_key(
        IDV_CURVE_P256, (idv_bytes_t){ (unsigned char *)"\0", 1 }, &key,
        *state));
}

/* RFC 9180, A.3.1. */
static const char hpke_private[] =
    "f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2";
static const char hpke_encapsulated[] =
    "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7"
    "b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4";
static const char hpke_sealed[] =
    "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac23"
    "2e3ab2523f39513434";

static void hpke_opens_the_vector_of_the_standard(void **state)
{
    EVP_PKEY *key = private_key(from_hex(hpke_private, *state), *state);
    idv_hpke_message_t message = { from_hex(hpke_encapsulated, *state),
                                   BYTES("Ode on a Grecian Urn"),
                                   BYTES("Count-0"),
                                   from_hex(hpke_sealed, *state) };
    idv_bytes_t plain;

    assert_null(idv_hpke_open(&message, key, &plain, *state));
    assert_string_equal((const char *)plain.data,
                        "Beauty is truth, truth beauty");
}

static void hpke_opens_nothing_altered(void **state)
{
    EVP_PKEY *key = private_key(from_hex(hpke_private, *state), *state);
    idv_hpke_message_t good = { from_hex(hpke_encapsulated, *state),
                                BYTES("Ode on a Grecian Urn"),
                                BYTES("Count-0"),
                                from_hex(hpke_sealed, *state) };
    idv_hpke_message_t message = good;
    unsigned char *sealed = (unsigned char *)good.sealed.data;
    unsigned char other[32] = { 1 };
    idv_bytes_t plain;

    for (apr_size_t i = 0; i < good.sealed.length; i++) {
        sealed[i] ^= 0x10;
        assert_non_null(idv_hpke_open(&message, key, &plain, *state));
        sealed[i] ^= 0x10;
    }
    message.information = BYTES("Ode on a Grecian urn");
    assert_non_null(idv_hpke_open(&message, key, &plain, *state));
    message = good;
    message.associated = BYTES("Count-1");
    assert_non_null(idv_hpke_open(&message, key, &plain, *state));
    message = good;
    message.sealed.length = 15;
    assert_non_null(idv_hpke_open(&message, key, &plain, *state));
    message = good;
    message.encapsulated.length--;
    assert_non_null(idv_hpke_open(&message, key, &plain, *state));
    assert_non_null(idv_hpke_open(
        &good, private_key((idv_bytes_t){ other, 32 }, *state), &plain,
        *state));
    assert_null(idv_hpke_open(&good, key, &plain, *state));
}

/* RFC 5869, A.1 and A.3. */
static void hkdf_gives_the_vectors_of_the_standard(void **state)
{
    unsigned char out[42];

    assert_null(idv_hkdf_sha256(
        from_hex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", *state),
        (idv_bytes_t){ NULL, 0 }, "", out, sizeof(out), *state));
    assert_string_equal(
        idv_hex(out, sizeof(out), *state),
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
        "9d201395faa4b61a96c8");
}

static const char *const jwe_name = "oid4vp-1.0-specification/response_a128gcm.jwe";
static const char *const jwk_name = "oid4vp-1.0-specification/enc_private.jwk.json";

/* OpenID4VP 1.0, 8.3. */
static void jwe_opens_the_vector_of_the_specification(void **state)
{
    idv_bytes_t compact = vector(jwe_name, *state);
    json_t *jwk = vector_json(jwk_name, *state), *payload;
    EVP_PKEY *key =
        private_key(from_base64url(json_text(jwk, "d"), *state), *state);
    idv_jwe_t jwe;

    while (compact.length && compact.data[compact.length - 1] == '\n')
        compact.length--;
    assert_null(
        idv_jwe_open(compact, key, json_text(jwk, "kid"), &jwe, *state));
    assert_null(idv_json_parse((const char *)jwe.plain.data, jwe.plain.length,
                               &payload, *state));
    assert_non_null(json_object_get(payload, "vp_token"));
    assert_non_null(idv_jwe_open(compact, key, "another", &jwe, *state));
    for (apr_size_t i = 0; i < compact.length; i++) {
        unsigned char *at = (unsigned char *)compact.data + i, old = *at;

        *at = old == 'A' ? 'B' : 'A';
        if (!idv_jwe_open(compact, key, NULL, &jwe, *state))
            fail_msg("opens with another character at %d", (int)i);
        *at = old;
    }
}

/* The whole header is bound by the tag: what it may not ask for is refused
 * before any key is used. */
static void jwe_headers_ask_for_one_algorithm(void **state)
{
    static const char *const headers[] = {
        "{\"alg\":\"ECDH-ES\",\"enc\":\"A128CBC-HS256\",%s}",
        "{\"alg\":\"dir\",\"enc\":\"A128GCM\",%s}",
        "{\"alg\":\"ECDH-ES+A128KW\",\"enc\":\"A128GCM\",%s}",
        "{\"alg\":\"ECDH-ES\",\"enc\":\"A128GCM\",\"zip\":\"DEF\",%s}",
        "{\"alg\":\"ECDH-ES\",\"enc\":\"A128GCM\",\"crit\":[\"exp\"],%s}",
        "{\"alg\":\"ECDH-ES\",\"enc\":\"A128GCM\",\"kid\":\"2\",%s}",
        "{\"alg\":\"ECDH-ES\",%s}",
        "{\"enc\":\"A128GCM\",%s}",
    };
    EVP_PKEY *key = private_key(from_hex(hpke_private, *state), *state);
    const char *epk = "\"epk\":{\"kty\":\"EC\",\"crv\":\"P-256\","
                      "\"x\":\"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY\","
                      "\"y\":\"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU\"}";
    idv_jwe_t jwe;

    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
        const char *header =
            apr_pstrcat(*state, apr_pstrmemdup(*state, headers[i],
                                               strlen(headers[i]) - 3),
                        epk, "}", NULL);
        const char *compact = apr_pstrcat(
            *state,
            apr_pencode_base64_binary(
                *state, (const unsigned char *)header, strlen(header),
                APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL),
            "..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA", NULL);
        idv_error_t *error = idv_jwe_open(
            (idv_bytes_t){ (const unsigned char *)compact, strlen(compact) },
            key, "1", &jwe, *state);

        assert_non_null(error);
        assert_non_null(strstr(error->message, "not supported"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(base64url_is_strict),
        pooled_test(private_scalars_are_in_range),
        pooled_test(points_off_the_curve_are_refused),
        pooled_test(hpke_opens_the_vector_of_the_standard),
        pooled_test(hpke_opens_nothing_altered),
        pooled_test(hkdf_gives_the_vectors_of_the_standard),
        pooled_test(jwe_opens_the_vector_of_the_specification),
        pooled_test(jwe_headers_ask_for_one_algorithm),
    };

    return unit_run("mdl_response_encryption", tests);
}
