/* SPDX-License-Identifier: Apache-2.0 */
/* The ceremonies of passkeys: the values of WebAuthn Level 3, section 16, and
 * what must be refused, signed by a key of the test. */
#include "unit/unit.h"

#include <apr_encode.h>
#include <openssl/evp.h>

#include "methods/mdl/cbor.h"
#include "methods/mdl/elliptic_key.h"
#include "methods/passkey/passkey_key.h"
#include "methods/passkey/webauthn.h"
#include "unit/mdl_fixture.h"

/* --- the values of the standard --- */

typedef struct {
    const char *name, *challenge, *client_data, *attestation, *next_challenge,
        *authenticator_data, *next_client_data, *signature;
} vector_t;

static const vector_t vectors[] = {
#define X(name, challenge, client_data, attestation, next_challenge,           \
          authenticator_data, next_client_data, signature)                     \
    {#name, challenge, client_data, attestation, next_challenge,               \
     authenticator_data, next_client_data, signature},
#include "unit/passkey_vectors.def"
#undef X
};

#define VECTORS ((int)(sizeof(vectors) / sizeof(*vectors)))

/* Which of them have an algorithm that is not offered. */
static int is_offered(const vector_t *vector)
{
    return !strstr(vector->name, "es384") && !strstr(vector->name, "ed448");
}

static idv_webauthn_site_t site_of(const char *challenge, const char *embedder,
                                   apr_pool_t *pool)
{
    apr_array_header_t *embedders =
        apr_array_make(pool, 1, sizeof(const char *));
    idv_webauthn_site_t site = {"example.org", "https://example.org", embedders,
                                from_hex(challenge, pool)};

    if (embedder)
        APR_ARRAY_PUSH(embedders, const char *) = embedder;
    return site;
}

static const char *const verified = "did not verify the person";

/* Accepted, or refused only because the authenticator did not verify a person,
 * as FLAGS say. */
static void assert_by_flags(const idv_error_t *error, unsigned flags,
                            const char *name)
{
    if (flags & 4 ? error != NULL : !error || !strstr(error->message, verified))
        fail_msg("%s: %s", name, error ? error->message : "was accepted");
}

static void the_values_of_the_standard(void **state)
{
    apr_pool_t *pool = *state;

    for (int i = 0; i < VECTORS; i++) {
        const vector_t *vector = &vectors[i];
        idv_webauthn_site_t site =
            site_of(vector->challenge, "https://example.com", pool);
        idv_webauthn_registration_t given = {
            from_hex(vector->client_data, pool),
            from_hex(vector->attestation, pool)};
        idv_webauthn_assertion_t next = {
            from_hex(vector->next_client_data, pool),
            from_hex(vector->authenticator_data, pool),
            from_hex(vector->signature, pool)};
        idv_webauthn_credential_t credential = {0};
        idv_error_t *error =
            idv_webauthn_register(&site, &given, &credential, pool);
        apr_uint32_t count;

        if (!is_offered(vector)) {
            assert_non_null(error);
            assert_non_null(strstr(error->message, "not of an offered kind"));
            continue;
        }
        assert_true(credential.id.length > 0);
        assert_by_flags(error, credential.id.data[-23], vector->name);
        site.challenge = from_hex(vector->next_challenge, pool);
        error = idv_webauthn_assert(&site, &next, credential.public_key, &count,
                                    pool);
        assert_by_flags(error, next.authenticator_data.data[32], vector->name);
        assert_int_equal(count, 0);
    }
}

/* --- an authenticator of the test --- */

#define AT 0x40
#define ED 0x80
#define UP_UV 0x05

typedef struct {
    apr_pool_t *pool;
    EVP_PKEY *key;
    idv_bytes_t public_key;
    idv_webauthn_site_t site;
} device_t;

static EVP_PKEY *make_key(apr_pool_t *pool)
{
    return idv_key_own(EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"), pool);
}

static void make_device(device_t *device, apr_pool_t *pool)
{
    unsigned char point[IDV_P256_POINT_SIZE];
    idv_cbor_writer_t writer;

    device->pool = pool;
    device->key = make_key(pool);
    device->site = site_of("000102030405060708090a0b0c0d0e0f", NULL, pool);
    assert_null(idv_p256_point(device->key, point, pool));
    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_map(&writer, 5);
    idv_cbor_put_integer(&writer, 1);
    idv_cbor_put_integer(&writer, 2);
    idv_cbor_put_integer(&writer, 3);
    idv_cbor_put_integer(&writer, -7);
    idv_cbor_put_integer(&writer, -1);
    idv_cbor_put_integer(&writer, 1);
    idv_cbor_put_integer(&writer, -2);
    idv_cbor_put_bytes(&writer, (idv_bytes_t){point + 1, 32});
    idv_cbor_put_integer(&writer, -3);
    idv_cbor_put_bytes(&writer, (idv_bytes_t){point + 33, 32});
    device->public_key = idv_cbor_written(&writer);
}

static idv_bytes_t text_bytes(const char *text)
{
    return (idv_bytes_t){(const unsigned char *)text, strlen(text)};
}

/* Client data of TYPE with MORE members. */
static idv_bytes_t client_data(const device_t *device, const char *type,
                               const char *more)
{
    return text_bytes(apr_psprintf(
        device->pool,
        "{\"type\":\"webauthn.%s\",\"challenge\":\"%s\","
        "\"origin\":\"https://example.org\"%s}",
        type,
        apr_pencode_base64_binary(device->pool, device->site.challenge.data,
                                  (apr_ssize_t)device->site.challenge.length,
                                  APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL),
        more));
}

static idv_bytes_t authenticator_data(const device_t *device, unsigned flags,
                                      idv_bytes_t rest)
{
    unsigned char *data = apr_palloc(device->pool, 37 + rest.length);

    idv_sha256("example.org", 11, data);
    data[32] = (unsigned char)flags;
    memcpy(data + 33, "\x00\x00\x01\x02", 4);
    if (rest.length)
        memcpy(data + 37, rest.data, rest.length);
    return (idv_bytes_t){data, 37 + rest.length};
}

static idv_error_t *use(const device_t *device, idv_bytes_t data,
                        idv_bytes_t client, apr_uint32_t *count)
{
    unsigned char *text = apr_palloc(device->pool, data.length + 32);
    unsigned char signature[128];
    size_t length = sizeof(signature);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    idv_webauthn_assertion_t given = {client, data, {0}};

    memcpy(text, data.data, data.length);
    idv_sha256(client.data, client.length, text + data.length);
    assert_int_equal(EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL,
                                           device->key, NULL),
                     1);
    assert_int_equal(EVP_DigestSign(context, signature, &length, text,
                                    data.length + 32),
                     1);
    EVP_MD_CTX_free(context);
    given.signature = (idv_bytes_t){signature, length};
    return idv_webauthn_assert(&device->site, &given, device->public_key, count,
                               device->pool);
}

static void assert_refused(const idv_error_t *error, const char *reason)
{
    assert_non_null(error);
    assert_int_equal(error->code, IDV_E_PASSKEY_INVALID);
    if (!strstr(error->message, reason))
        fail_msg("\"%s\" instead of \"%s\"", error->message, reason);
}

static void client_data_must_be_of_the_ceremony(void **state)
{
    static const struct {
        const char *embedder, *type, *more, *reason;
    } rows[] = {
        {NULL, "get", "", NULL},
        {NULL, "get", ",\"crossOrigin\":false,\"new\":{\"a\":[1]}", NULL},
        {NULL, "create", "", "another ceremony"},
        {NULL, "get", ",\"type\":\"webauthn.get\"", "not a JSON object"},
        {NULL, "get", ",\"crossOrigin\":1", "not a boolean"},
        {NULL, "get", ",\"crossOrigin\":true", "no other site"},
        {"https://shop.example", "get", ",\"crossOrigin\":true", NULL},
        {"https://shop.example", "get",
         ",\"crossOrigin\":true,\"topOrigin\":\"https://shop.example\"", NULL},
        {"https://shop.example", "get",
         ",\"crossOrigin\":true,\"topOrigin\":\"https://evil.example\"",
         "may not embed"},
        {"https://shop.example", "get", ",\"crossOrigin\":true,\"topOrigin\":1",
         "may not embed"},
        {"https://shop.example", "get",
         ",\"topOrigin\":\"https://shop.example\"", "needs `crossOrigin`"},
    };
    device_t device;
    apr_uint32_t count;

    make_device(&device, *state);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        idv_error_t *error;

        device.site.embedders =
            site_of("00", rows[i].embedder, *state).embedders;
        error = use(&device, authenticator_data(&device, UP_UV, (idv_bytes_t){0}),
                    client_data(&device, rows[i].type, rows[i].more), &count);
        if (rows[i].reason)
            assert_refused(error, rows[i].reason);
        else
            assert_null(error);
    }
}

static void other_challenges_and_origins_are_refused(void **state)
{
    device_t device;
    idv_bytes_t data, client;
    apr_uint32_t count;

    make_device(&device, *state);
    data = authenticator_data(&device, UP_UV, (idv_bytes_t){0});
    client = client_data(&device, "get", "");
    assert_null(use(&device, data, client, &count));
    assert_int_equal(count, 0x102);
    device.site.challenge = text_bytes("another");
    assert_refused(use(&device, data, client, &count), "challenge");
    make_device(&device, *state);
    device.site.origin = "https://example.org:8443";
    assert_refused(use(&device, data, client, &count), "origin");
    make_device(&device, *state);
    device.site.id = "org";
    assert_refused(use(&device, data, client, &count), "relying party");
    make_device(&device, *state);
    device.key = make_key(*state);
    assert_refused(use(&device, data, client, &count), "signature");
}

static void authenticator_data_must_be_whole(void **state)
{
    static const unsigned char map[] = {0xa1, 0x61, 'x', 0xf5}, text[] = {0x60},
                               map_and_more[] = {0xa0, 0x00};
    static const struct {
        unsigned flags;
        idv_bytes_t rest;
        const char *reason;
    } rows[] = {
        {0x05, {0}, NULL},
        {0x1d, {0}, NULL},
        {0x85, {map, sizeof(map)}, NULL},
        {0x04, {0}, "not present"},
        {0x01, {0}, "verify the person"},
        {0x15, {0}, "backup flags"},
        {0x45, {0}, "no credential"},
        {0x05, {map, sizeof(map)}, "surplus"},
        {0x85, {0}, "not readable"},
        {0x85, {map, 3}, "not readable"},
        {0x85, {map_and_more, 2}, "not readable"},
        {0x85, {text, 1}, "not a map"},
    };
    device_t device;
    apr_uint32_t count;

    make_device(&device, *state);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        idv_error_t *error =
            use(&device,
                authenticator_data(&device, rows[i].flags, rows[i].rest),
                client_data(&device, "get", ""), &count);

        if (rows[i].reason)
            assert_refused(error, rows[i].reason);
        else
            assert_null(error);
    }
    for (apr_size_t length = 0; length < 37; length++) {
        idv_bytes_t data =
            authenticator_data(&device, UP_UV, (idv_bytes_t){0});

        data.length = length;
        assert_refused(
            use(&device, data, client_data(&device, "get", ""), &count),
            "length");
    }
}

/* --- registration --- */

static idv_error_t *save_key(const device_t *device, idv_bytes_t public_key,
                             apr_size_t id_length, const char *format)
{
    unsigned char head[18] = {0};
    idv_bytes_t data;
    unsigned char *rest = apr_pcalloc(device->pool, 18 + id_length + 2048);
    idv_cbor_writer_t writer;
    idv_webauthn_registration_t given = {client_data(device, "create", ""),
                                         {0}};
    idv_webauthn_credential_t credential;

    head[16] = (unsigned char)(id_length >> 8);
    head[17] = (unsigned char)id_length;
    memcpy(rest, head, 18);
    memcpy(rest + 18 + id_length, public_key.data, public_key.length);
    data = authenticator_data(
        device, AT | UP_UV,
        (idv_bytes_t){rest, 18 + id_length + public_key.length});
    idv_cbor_writer_init(&writer, device->pool);
    idv_cbor_put_map(&writer, 3);
    idv_cbor_put_text(&writer, "fmt");
    idv_cbor_put_text(&writer, format);
    idv_cbor_put_text(&writer, "attStmt");
    idv_cbor_put_map(&writer, 1);
    idv_cbor_put_text(&writer, "alg");
    idv_cbor_put_integer(&writer, -7);
    idv_cbor_put_text(&writer, "authData");
    idv_cbor_put_bytes(&writer, data);
    given.attestation = idv_cbor_written(&writer);
    return idv_webauthn_register(&device->site, &given, &credential,
                                 device->pool);
}

static void credentials_have_bounds(void **state)
{
    device_t device;

    make_device(&device, *state);
    assert_null(save_key(&device, device.public_key, 16, "packed"));
    assert_null(save_key(&device, device.public_key, 1023, "packed"));
    assert_refused(save_key(&device, device.public_key, 0, "packed"), "ID");
    assert_refused(save_key(&device, device.public_key, 1024, "packed"), "ID");
    assert_refused(save_key(&device, device.public_key, 16, "none"),
                   "has a statement");
}

static idv_bytes_t rsa_key(apr_size_t modulus, const char *exponent,
                           apr_pool_t *pool)
{
    unsigned char *n = apr_palloc(pool, modulus);
    idv_cbor_writer_t writer;

    memset(n, 0xff, modulus);
    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_map(&writer, 4);
    idv_cbor_put_integer(&writer, 1);
    idv_cbor_put_integer(&writer, 3);
    idv_cbor_put_integer(&writer, 3);
    idv_cbor_put_integer(&writer, -257);
    idv_cbor_put_integer(&writer, -1);
    idv_cbor_put_bytes(&writer, (idv_bytes_t){n, modulus});
    idv_cbor_put_integer(&writer, -2);
    idv_cbor_put_bytes(&writer, from_hex(exponent, pool));
    return idv_cbor_written(&writer);
}

static void keys_are_of_the_offered_kinds(void **state)
{
    static const char *const bad[] = {
        "a0", "a10102", "80", "a2010103270000",
        /* ES256 with y as a sign, on P-384, without y; EdDSA on Ed448 */
        "a501020326200121582060fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce6"
        "69622e60f29fb622f5",
        "a5010203262002215820"
        "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        "225820"
        "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
        "a40102032620012158206"
        "0fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
    };
    device_t device;

    make_device(&device, *state);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_refused(
            save_key(&device, from_hex(bad[i], *state), 16, "packed"),
            "not of an offered kind");
    assert_null(save_key(&device, rsa_key(256, "010001", *state), 16, "packed"));
    assert_null(save_key(&device, rsa_key(512, "03", *state), 16, "packed"));
    for (int i = 0; i < 5; i++) {
        static const struct {
            apr_size_t modulus;
            const char *exponent;
        } rows[] = {{255, "010001"}, {513, "010001"}, {256, "01"},
                    {256, "010000"}, {256, "0100000001"}};

        assert_refused(save_key(&device,
                                rsa_key(rows[i].modulus, rows[i].exponent,
                                        *state),
                                16, "packed"),
                       "not of an offered kind");
    }
}

static void shortened_objects_are_refused(void **state)
{
    idv_webauthn_site_t site = site_of(vectors[0].challenge, NULL, *state);
    idv_webauthn_registration_t given = {
        from_hex(vectors[0].client_data, *state), {0}};
    idv_bytes_t whole = from_hex(vectors[0].attestation, *state);
    idv_webauthn_credential_t credential;

    for (apr_size_t length = 0; length < whole.length; length++) {
        idv_error_t *error;

        given.attestation = (idv_bytes_t){whole.data, length};
        error = idv_webauthn_register(&site, &given, &credential, *state);
        assert_refused(error, "not readable");
    }
    given.client_data.length = IDV_WEBAUTHN_CLIENT_DATA_MAX + 1;
    assert_refused(idv_webauthn_register(&site, &given, &credential, *state),
                   "client data is too long");
}

static void relying_parties_have_names(void **state)
{
    (void)state;
    assert_true(idv_webauthn_is_rp_id("localhost"));
    assert_true(idv_webauthn_is_rp_id("1.verify.example"));
    assert_false(idv_webauthn_is_rp_id("127.0.0.1"));
    assert_false(idv_webauthn_is_rp_id("::1"));
    assert_false(idv_webauthn_is_rp_id(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(the_values_of_the_standard),
        pooled_test(client_data_must_be_of_the_ceremony),
        pooled_test(other_challenges_and_origins_are_refused),
        pooled_test(authenticator_data_must_be_whole),
        pooled_test(credentials_have_bounds),
        pooled_test(keys_are_of_the_offered_kinds),
        pooled_test(shortened_objects_are_refused),
        pooled_test(relying_parties_have_names),
    };

    return unit_run("passkey_webauthn", tests);
}
