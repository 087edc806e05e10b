/* SPDX-License-Identifier: Apache-2.0 */
/* The response of a browser to a passkey ceremony. The first byte chooses the
 * part: an attestation object, authenticator data, client data, or a key. */
#include "fuzz/fuzz.h"

#include "methods/passkey/passkey_key.h"
#include "methods/passkey/webauthn.h"

static const unsigned char challenge[IDV_WEBAUTHN_CHALLENGE_SIZE];

#define CHALLENGE "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define CLIENT_DATA(type)                                                      \
    "{\"type\":\"" type "\",\"challenge\":\"" CHALLENGE "\","                  \
    "\"origin\":\"https://example.org\"}"

static idv_bytes_t bytes_of(const char *text)
{
    return (idv_bytes_t){(const unsigned char *)text, strlen(text)};
}

static int is_within(idv_bytes_t part, idv_bytes_t whole)
{
    return part.length > 0 && part.length <= whole.length;
}

static void try_registration(const idv_webauthn_site_t *site,
                             idv_bytes_t client_data, idv_bytes_t attestation,
                             apr_pool_t *pool)
{
    const idv_webauthn_registration_t given = {client_data, attestation};
    idv_webauthn_credential_t credential = {0};

    if (idv_webauthn_register(site, &given, &credential, pool))
        return;
    promise(is_within(credential.id, attestation));
    promise(credential.id.length <= IDV_WEBAUTHN_CREDENTIAL_ID_MAX);
    promise(is_within(credential.public_key, attestation));
    promise(credential.public_key.length <= IDV_PASSKEY_KEY_MAX);
}

/* A P-256 point; nobody knows its private key. */
static const unsigned char key[] =
    "\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"
    "\x60\xfe\xd4\xba\x25\x5a\x9d\x31\xc9\x61\xeb\x74\xc6\x35\x6d\x68"
    "\xc0\x49\xb8\x92\x3b\x61\xfa\x6c\xe6\x69\x62\x2e\x60\xf2\x9f\xb6"
    "\x22\x58\x20"
    "\x79\x03\xfe\x10\x08\xb8\xbc\x99\xa4\x1a\xe9\xe9\x56\x28\xbc\x64"
    "\xf2\xf1\xb2\x0c\x2d\x7e\x9f\x51\x77\xa3\xc2\x94\xd4\x46\x22\x99";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    apr_array_header_t *embedders =
        apr_array_make(pool, 1, sizeof(const char *));
    const idv_webauthn_site_t site = {
        "example.org", "https://example.org", embedders,
        {challenge, sizeof(challenge)}};
    idv_bytes_t bytes = {size ? data + 1 : data, size ? size - 1 : 0}, encoded;
    idv_webauthn_assertion_t assertion = {
        bytes_of(CLIENT_DATA("webauthn.get")), bytes, bytes_of("\x30\x06")};
    idv_passkey_key_t found;
    apr_uint32_t count;

    APR_ARRAY_PUSH(embedders, const char *) = "https://*.shop.example";
    switch (size ? data[0] % 4 : 4) {
    case 0:
        try_registration(&site, bytes_of(CLIENT_DATA("webauthn.create")), bytes,
                         pool);
        break;
    case 2:
        try_registration(&site, bytes, bytes_of("\xa0"), pool);
        assertion.client_data = bytes;
        assertion.authenticator_data = bytes_of("x");
        /* fall through */
    case 1:
        promise(idv_webauthn_assert(&site, &assertion,
                                    (idv_bytes_t){key, sizeof(key) - 1}, &count,
                                    pool));
        break;
    case 3:
        if (!idv_passkey_key_read(&bytes, &encoded, &found, pool))
            promise(found.key && encoded.length <= IDV_PASSKEY_KEY_MAX);
        break;
    default:
        break;
    }
    apr_pool_destroy(pool);
    return 0;
}
