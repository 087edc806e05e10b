/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_MDL_WALLET_H
#define IDV_T_UNIT_MDL_WALLET_H

/*
 * A wallet for tests: issues itself a mobile document, each detail of which a
 * test may change, answers with it, and encrypts the answer. Encryption is by
 * OpenSSL's own key derivations, not by the code that is tested.
 */
#include "unit/mdl_issuer.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>

#include "methods/mdl/cose.h"
#include "methods/mdl/mdl_findings.h"
#include "methods/mdl/mdl_request.h"

/* An element: what follows the name is the hexadecimal of its value. */
typedef struct {
    const char *element;
    const char *value;
} wallet_item_t;

/* What may be wrong with what the wallet makes. */
enum {
    WALLET_CHANGES_VALUE = 1,        /* after the digest was made */
    WALLET_LEAVES_OUT_DIGEST = 2,
    WALLET_SHORT_RANDOM = 4,
    WALLET_ELEMENT_TWICE = 8,
    WALLET_DIGEST_ID_TWICE = 16,
    WALLET_BREAKS_ISSUER_SIGNATURE = 32,
    WALLET_BREAKS_DEVICE_SIGNATURE = 64,
    WALLET_SIGNS_WITH_OTHER_KEY = 128,
    WALLET_HAS_NO_CERTIFICATE = 256,
    WALLET_HAS_BROKEN_CERTIFICATE = 512,
    WALLET_ALGORITHM_UNPROTECTED = 1024,
    WALLET_GIVES_DOCUMENT_TWICE = 2048,
    WALLET_GIVES_NOTHING = 4096,
    WALLET_HAS_DEVICE_ITEM = 8192,
    WALLET_SENDS_CHAIN = 16384,
    WALLET_BREAKS_DEVICE_KEY = 32768,
    WALLET_SIGNS_AND_MACS = 65536,
    WALLET_ATTACHES_PAYLOAD = 131072
};

typedef struct {
    unsigned faults;
    certificate_t authority, signer;
    const char *doc_type, *signed_doc_type, *name_space;
    const char *digest;       /* SHA-256 */
    const char *digest_name;  /* in the security object; NULL: the same */
    const char *signed_at, *valid_from, *valid_until;
    const char *status;       /* hexadecimal of its value; NULL: none */
    const char *authorizations; /* of the device's key; NULL: none */
    const char *device_curve;
    apr_int64_t issuer_algorithm, device_algorithm;
    const char *device_digest;
    int uses_mac;
    int status_code;          /* of the response */
    const char *version;
    const wallet_item_t *items;
    int item_count;
    apr_pool_t *pool;
    /* Made by wallet_issue(): */
    EVP_PKEY *signer_key, *authority_key, *device_key;
    X509 *authority_certificate, *signer_certificate;
    idv_bytes_t issuer_auth;
    idv_bytes_t tagged[16];
} wallet_t;

static const wallet_item_t age_items[] = { { "age_over_21", "f5" } };

__attribute__((unused)) static void wallet_init(wallet_t *wallet, apr_pool_t *pool)
{
    memset(wallet, 0, sizeof(*wallet));
    wallet->authority = good_authority;
    wallet->signer = good_signer;
    wallet->doc_type = wallet->signed_doc_type = IDV_MDL_DOC_TYPE;
    wallet->name_space = IDV_MDL_NAME_SPACE;
    wallet->digest = "SHA-256";
    wallet->signed_at = wallet->valid_from = "2026-05-20T00:00:00Z";
    wallet->valid_until = "2026-07-01T00:00:00Z";
    wallet->device_curve = "P-256";
    wallet->issuer_algorithm = wallet->device_algorithm = -7;
    wallet->device_digest = "SHA256";
    wallet->version = "1.0";
    wallet->items = age_items;
    wallet->item_count = 1;
    wallet->pool = pool;
}

/* --- COSE --- */

static void put_hex(idv_cbor_writer_t *writer, const char *hex)
{
    idv_cbor_put_encoded(writer, from_hex(hex, writer->pool));
}

static void put_embedded(idv_cbor_writer_t *writer, idv_bytes_t item)
{
    idv_cbor_put_tag(writer, IDV_CBOR_TAG_EMBEDDED);
    idv_cbor_put_bytes(writer, item);
}

/* The map of two pairs with ALGORITHM in it. */
static idv_bytes_t protected_header(apr_int64_t algorithm, apr_pool_t *pool)
{
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_map(&writer, 1);
    idv_cbor_put_integer(&writer, 1);
    idv_cbor_put_integer(&writer, algorithm);
    return idv_cbor_written(&writer);
}

static idv_bytes_t to_be_signed(const char *context, idv_bytes_t header,
                                idv_bytes_t payload, apr_pool_t *pool)
{
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_array(&writer, 4);
    idv_cbor_put_text(&writer, context);
    idv_cbor_put_bytes(&writer, header);
    idv_cbor_put_bytes(&writer, (idv_bytes_t){ NULL, 0 });
    idv_cbor_put_bytes(&writer, payload);
    return idv_cbor_written(&writer);
}

/* A signature as COSE writes it. */
static idv_bytes_t sign(EVP_PKEY *key, const char *digest, idv_bytes_t text,
                        apr_pool_t *pool)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char der[256], *raw = apr_pcalloc(pool, 256);
    const unsigned char *end = der;
    size_t length = sizeof(der), size = (size_t)(EVP_PKEY_get_bits(key) + 7) / 8;
    ECDSA_SIG *pair;

    assert_int_equal(EVP_DigestSignInit_ex(context, NULL, digest, NULL, NULL,
                                           key, NULL),
                     1);
    assert_int_equal(
        EVP_DigestSign(context, der, &length, text.data, text.length), 1);
    EVP_MD_CTX_free(context);
    if (!digest) {
        memcpy(raw, der, length);
        return (idv_bytes_t){ raw, length };
    }
    pair = d2i_ECDSA_SIG(NULL, &end, (long)length);
    BN_bn2binpad(ECDSA_SIG_get0_r(pair), raw, (int)size);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair), raw + size, (int)size);
    ECDSA_SIG_free(pair);
    return (idv_bytes_t){ raw, 2 * size };
}

static void put_device_key(idv_cbor_writer_t *writer, const wallet_t *wallet)
{
    idv_curve_t curve = idv_curve_of(wallet->device_key);
    static const apr_int64_t numbers[] = { 1, 2, 3, 4, 5, 6, 7, 256, 257, 258,
                                           259 };
    unsigned char point[IDV_POINT_MAX];
    size_t length = sizeof(point), size = idv_curve_size(curve);

    if (idv_curve_has_pairs(curve))
        EVP_PKEY_get_octet_string_param(wallet->device_key,
                                        OSSL_PKEY_PARAM_PUB_KEY, point, length,
                                        &length);
    else
        EVP_PKEY_get_raw_public_key(wallet->device_key, point, &length);
    if (wallet->faults & WALLET_BREAKS_DEVICE_KEY)
        point[length - 1] ^= 1;
    idv_cbor_put_map(writer, idv_curve_has_pairs(curve) ? 4 : 3);
    idv_cbor_put_integer(writer, 1);
    idv_cbor_put_integer(writer, idv_curve_has_pairs(curve) ? 2 : 1);
    idv_cbor_put_integer(writer, -1);
    idv_cbor_put_integer(writer, numbers[curve]);
    idv_cbor_put_integer(writer, -2);
    if (!idv_curve_has_pairs(curve)) {
        idv_cbor_put_bytes(writer, (idv_bytes_t){ point, length });
        return;
    }
    idv_cbor_put_bytes(writer, (idv_bytes_t){ point + 1, size });
    idv_cbor_put_integer(writer, -3);
    idv_cbor_put_bytes(writer, (idv_bytes_t){ point + 1 + size, size });
}

/* --- issuing --- */

static idv_bytes_t item_bytes(const wallet_t *wallet, int index,
                              const char *value)
{
    static const unsigned char random[32] = { 0x5a };
    idv_cbor_writer_t inner, outer;
    int id = wallet->faults & WALLET_DIGEST_ID_TWICE ? 0 : index;
    idv_bytes_t bytes = { random,
                          wallet->faults & WALLET_SHORT_RANDOM ? 15 : 16 };

    idv_cbor_writer_init(&inner, wallet->pool);
    idv_cbor_put_map(&inner, 4);
    idv_cbor_put_text(&inner, "digestID");
    idv_cbor_put_integer(&inner, id);
    idv_cbor_put_text(&inner, "random");
    idv_cbor_put_bytes(&inner, bytes);
    idv_cbor_put_text(&inner, "elementIdentifier");
    idv_cbor_put_text(&inner, wallet->items[index].element);
    idv_cbor_put_text(&inner, "elementValue");
    put_hex(&inner, value);
    idv_cbor_writer_init(&outer, wallet->pool);
    put_embedded(&outer, idv_cbor_written(&inner));
    return idv_cbor_written(&outer);
}

static void put_digests(idv_cbor_writer_t *writer, wallet_t *wallet)
{
    const char *name = strcmp(wallet->digest, "SHA-256") == 0   ? "SHA256"
                       : strcmp(wallet->digest, "SHA-384") == 0 ? "SHA384"
                                                                : "SHA512";
    int is_less = (wallet->faults & WALLET_LEAVES_OUT_DIGEST) != 0;

    idv_cbor_put_map(writer, 1);
    idv_cbor_put_text(writer, wallet->name_space);
    idv_cbor_put_map(writer, wallet->item_count - is_less);
    for (int i = 0; i < wallet->item_count; i++) {
        unsigned char digest[EVP_MAX_MD_SIZE];
        unsigned length;

        wallet->tagged[i] = item_bytes(wallet, i, wallet->items[i].value);
        EVP_Digest(wallet->tagged[i].data, wallet->tagged[i].length, digest,
                   &length, EVP_get_digestbyname(name), NULL);
        if (i < wallet->item_count - is_less) {
            idv_cbor_put_integer(writer, i);
            idv_cbor_put_bytes(writer, (idv_bytes_t){ digest, length });
        }
    }
}

static void put_time(idv_cbor_writer_t *writer, const char *name,
                     const char *time)
{
    idv_cbor_put_text(writer, name);
    idv_cbor_put_tag(writer, IDV_CBOR_TAG_DATE_TIME);
    idv_cbor_put_text(writer, time);
}

static idv_bytes_t security_object(wallet_t *wallet)
{
    idv_cbor_writer_t writer, outer;

    idv_cbor_writer_init(&writer, wallet->pool);
    idv_cbor_put_map(&writer, wallet->status ? 7 : 6);
    idv_cbor_put_text(&writer, "version");
    idv_cbor_put_text(&writer, "1.0");
    idv_cbor_put_text(&writer, "digestAlgorithm");
    idv_cbor_put_text(&writer, wallet->digest_name ? wallet->digest_name
                                                   : wallet->digest);
    idv_cbor_put_text(&writer, "valueDigests");
    put_digests(&writer, wallet);
    idv_cbor_put_text(&writer, "deviceKeyInfo");
    idv_cbor_put_map(&writer, wallet->authorizations ? 2 : 1);
    idv_cbor_put_text(&writer, "deviceKey");
    put_device_key(&writer, wallet);
    if (wallet->authorizations) {
        idv_cbor_put_text(&writer, "keyAuthorizations");
        put_hex(&writer, wallet->authorizations);
    }
    idv_cbor_put_text(&writer, "docType");
    idv_cbor_put_text(&writer, wallet->signed_doc_type);
    idv_cbor_put_text(&writer, "validityInfo");
    idv_cbor_put_map(&writer, 3);
    put_time(&writer, "signed", wallet->signed_at);
    put_time(&writer, "validFrom", wallet->valid_from);
    put_time(&writer, "validUntil", wallet->valid_until);
    if (wallet->status) {
        idv_cbor_put_text(&writer, "status");
        put_hex(&writer, wallet->status);
    }
    idv_cbor_writer_init(&outer, wallet->pool);
    put_embedded(&outer, idv_cbor_written(&writer));
    return idv_cbor_written(&outer);
}

static void put_certificates(idv_cbor_writer_t *writer, const wallet_t *wallet)
{
    idv_bytes_t der =
        certificate_bytes(wallet->signer_certificate, wallet->pool);

    if (wallet->faults & WALLET_HAS_BROKEN_CERTIFICATE)
        der.length -= 1;
    if (wallet->faults & WALLET_SENDS_CHAIN) {
        idv_cbor_put_array(writer, 2);
        idv_cbor_put_bytes(writer, der);
        der = certificate_bytes(wallet->authority_certificate, wallet->pool);
    }
    idv_cbor_put_bytes(writer, der);
}

static void wallet_sign_object(wallet_t *wallet, idv_bytes_t object)
{
    int is_open = (wallet->faults & WALLET_ALGORITHM_UNPROTECTED) != 0;
    int has_chain = !(wallet->faults & WALLET_HAS_NO_CERTIFICATE);
    idv_bytes_t header = is_open ? (idv_bytes_t){ NULL, 0 }
                                 : protected_header(wallet->issuer_algorithm,
                                                    wallet->pool);
    idv_bytes_t signature =
        sign(wallet->signer_key, wallet->signer.digest,
             to_be_signed("Signature1", header, object, wallet->pool),
             wallet->pool);
    idv_cbor_writer_t writer;

    if (wallet->faults & WALLET_BREAKS_ISSUER_SIGNATURE)
        ((unsigned char *)signature.data)[20] ^= 1;
    idv_cbor_writer_init(&writer, wallet->pool);
    idv_cbor_put_array(&writer, 4);
    idv_cbor_put_bytes(&writer, header);
    idv_cbor_put_map(&writer, is_open + has_chain);
    if (is_open) {
        idv_cbor_put_integer(&writer, 1);
        idv_cbor_put_integer(&writer, wallet->issuer_algorithm);
    }
    if (has_chain) {
        idv_cbor_put_integer(&writer, 33);
        put_certificates(&writer, wallet);
    }
    idv_cbor_put_bytes(&writer, object);
    idv_cbor_put_bytes(&writer, signature);
    wallet->issuer_auth = idv_cbor_written(&writer);
}

__attribute__((unused)) static void wallet_issue(wallet_t *wallet)
{
    apr_pool_t *pool = wallet->pool;

    wallet->authority_key = new_key(wallet->authority.curve, pool);
    wallet->signer_key = new_key(wallet->signer.curve, pool);
    wallet->device_key = new_key(wallet->device_curve, pool);
    wallet->authority_certificate =
        certify(&wallet->authority, wallet->authority_key, NULL,
                wallet->authority_key, pool);
    wallet->signer_certificate =
        certify(&wallet->signer, wallet->signer_key,
                wallet->authority_certificate, wallet->authority_key, pool);
    wallet_sign_object(wallet, security_object(wallet));
    if (wallet->faults & WALLET_CHANGES_VALUE)
        wallet->tagged[0] = item_bytes(wallet, 0, "f4");
}

/* --- answering --- */

static idv_bytes_t device_spaces(const wallet_t *wallet)
{
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, wallet->pool);
    if (wallet->faults & WALLET_HAS_DEVICE_ITEM)
        put_embedded(&writer, BYTES("\xa1\x61n\xa1\x61" "e\xf5"));
    else
        put_embedded(&writer, BYTES("\xa0"));
    return idv_cbor_written(&writer);
}

static idv_bytes_t device_covered(const wallet_t *wallet,
                                  idv_bytes_t transcript)
{
    idv_cbor_writer_t writer, outer;

    idv_cbor_writer_init(&writer, wallet->pool);
    idv_cbor_put_array(&writer, 4);
    idv_cbor_put_text(&writer, "DeviceAuthentication");
    idv_cbor_put_encoded(&writer, transcript);
    idv_cbor_put_text(&writer, wallet->doc_type);
    idv_cbor_put_encoded(&writer, device_spaces(wallet));
    idv_cbor_writer_init(&outer, wallet->pool);
    put_embedded(&outer, idv_cbor_written(&writer));
    return idv_cbor_written(&outer);
}

static void derive(EVP_PKEY *own, EVP_PKEY *other, unsigned char *secret,
                   size_t *length)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);

    assert_int_equal(EVP_PKEY_derive_init(context), 1);
    assert_int_equal(EVP_PKEY_derive_set_peer(context, other), 1);
    assert_int_equal(EVP_PKEY_derive(context, secret, length), 1);
    EVP_PKEY_CTX_free(context);
}

/* By OpenSSL: HKDF or SSKDF (Concat KDF). */
static void kdf(const char *name, OSSL_PARAM *parameters, unsigned char *out,
                size_t length)
{
    EVP_KDF *algorithm = EVP_KDF_fetch(NULL, name, NULL);
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(algorithm);

    assert_int_equal(EVP_KDF_derive(context, out, length, parameters), 1);
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(algorithm);
}

static idv_bytes_t device_mac(const wallet_t *wallet, EVP_PKEY *reader,
                              idv_bytes_t transcript, idv_bytes_t text)
{
    unsigned char secret[128], salt[32], key[32];
    unsigned char *tag = apr_palloc(wallet->pool, 32);
    size_t length = sizeof(secret);
    idv_cbor_writer_t session;
    unsigned tag_length = 32;

    idv_cbor_writer_init(&session, wallet->pool);
    put_embedded(&session, transcript);
    idv_sha256(session.data, session.length, salt);
    derive(wallet->device_key, reader, secret, &length);
    kdf("HKDF",
        (OSSL_PARAM[]){
            OSSL_PARAM_construct_utf8_string("digest", "SHA256", 0),
            OSSL_PARAM_construct_octet_string("key", secret, length),
            OSSL_PARAM_construct_octet_string("salt", salt, sizeof(salt)),
            OSSL_PARAM_construct_octet_string("info", "EMacKey", 7),
            OSSL_PARAM_construct_end() },
        key, sizeof(key));
    HMAC(EVP_sha256(), key, 32, text.data, text.length, tag, &tag_length);
    return (idv_bytes_t){ tag, 32 };
}

static void put_device_auth(idv_cbor_writer_t *writer, const wallet_t *wallet,
                            EVP_PKEY *reader, idv_bytes_t transcript)
{
    apr_int64_t algorithm = wallet->uses_mac ? 5 : wallet->device_algorithm;
    int is_double = (wallet->faults & WALLET_SIGNS_AND_MACS) != 0;
    idv_bytes_t header = protected_header(algorithm, wallet->pool), proof;
    idv_bytes_t text = to_be_signed(
        wallet->uses_mac ? "MAC0" : "Signature1", header,
        device_covered(wallet, transcript), wallet->pool);
    EVP_PKEY *key = wallet->faults & WALLET_SIGNS_WITH_OTHER_KEY
                        ? new_key(wallet->device_curve, wallet->pool)
                        : wallet->device_key;

    proof = wallet->uses_mac
                ? device_mac(wallet, reader, transcript, text)
                : sign(key, wallet->device_digest, text, wallet->pool);
    if (wallet->faults & WALLET_BREAKS_DEVICE_SIGNATURE)
        ((unsigned char *)proof.data)[10] ^= 1;
    idv_cbor_put_map(writer, is_double ? 2 : 1);
    for (int i = 0; i <= is_double; i++) {
        idv_cbor_put_text(writer, wallet->uses_mac || i ? "deviceMac"
                                                        : "deviceSignature");
        idv_cbor_put_array(writer, 4);
        idv_cbor_put_bytes(writer, header);
        idv_cbor_put_map(writer, 0);
        if (wallet->faults & WALLET_ATTACHES_PAYLOAD)
            idv_cbor_put_bytes(writer, device_covered(wallet, transcript));
        else
            idv_cbor_put_simple(writer, IDV_CBOR_NULL);
        idv_cbor_put_bytes(writer, proof);
    }
}

static void put_document(idv_cbor_writer_t *writer, const wallet_t *wallet,
                         EVP_PKEY *reader, idv_bytes_t transcript)
{
    int is_twice = (wallet->faults & WALLET_ELEMENT_TWICE) != 0;

    idv_cbor_put_map(writer, 3);
    idv_cbor_put_text(writer, "docType");
    idv_cbor_put_text(writer, wallet->doc_type);
    idv_cbor_put_text(writer, "issuerSigned");
    idv_cbor_put_map(writer, 2);
    idv_cbor_put_text(writer, "nameSpaces");
    idv_cbor_put_map(writer, 1);
    idv_cbor_put_text(writer, wallet->name_space);
    idv_cbor_put_array(writer, wallet->item_count + is_twice);
    for (int i = 0; i < wallet->item_count; i++)
        idv_cbor_put_encoded(writer, wallet->tagged[i]);
    if (is_twice)
        idv_cbor_put_encoded(writer, wallet->tagged[0]);
    idv_cbor_put_text(writer, "issuerAuth");
    idv_cbor_put_encoded(writer, wallet->issuer_auth);
    idv_cbor_put_text(writer, "deviceSigned");
    idv_cbor_put_map(writer, 2);
    idv_cbor_put_text(writer, "nameSpaces");
    idv_cbor_put_encoded(writer, device_spaces(wallet));
    idv_cbor_put_text(writer, "deviceAuth");
    put_device_auth(writer, wallet, reader, transcript);
}

/* The DeviceResponse in the session of TRANSCRIPT, to READER (for a MAC). */
__attribute__((unused)) static idv_bytes_t
wallet_answer(const wallet_t *wallet, EVP_PKEY *reader, idv_bytes_t transcript)
{
    int count = wallet->faults & WALLET_GIVES_NOTHING          ? 0
                : wallet->faults & WALLET_GIVES_DOCUMENT_TWICE ? 2
                                                               : 1;
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, wallet->pool);
    idv_cbor_put_map(&writer, count ? 3 : 2);
    idv_cbor_put_text(&writer, "version");
    idv_cbor_put_text(&writer, wallet->version);
    if (count) {
        idv_cbor_put_text(&writer, "documents");
        idv_cbor_put_array(&writer, count);
        for (int i = 0; i < count; i++)
            put_document(&writer, wallet, reader, transcript);
    }
    idv_cbor_put_text(&writer, "status");
    idv_cbor_put_integer(&writer, wallet->status_code);
    return idv_cbor_written(&writer);
}

/* --- encrypting --- */

static const char *base64url(idv_bytes_t bytes, apr_pool_t *pool)
{
    return bytes.length ? apr_pencode_base64_binary(
                              pool, bytes.data, (apr_ssize_t)bytes.length,
                              APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL)
                        : "";
}

/* AES-GCM: the ciphertext with the tag behind it. */
static idv_bytes_t seal(const char *cipher, const unsigned char *key,
                        const unsigned char *nonce, idv_bytes_t associated,
                        idv_bytes_t plain, apr_pool_t *pool)
{
    EVP_CIPHER *algorithm = EVP_CIPHER_fetch(NULL, cipher, NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    unsigned char *out = apr_palloc(pool, plain.length + 16);
    int length;

    EVP_EncryptInit_ex2(context, algorithm, key, nonce, NULL);
    EVP_EncryptUpdate(context, NULL, &length, associated.data,
                      (int)associated.length);
    EVP_EncryptUpdate(context, out, &length, plain.data, (int)plain.length);
    EVP_EncryptFinal_ex(context, out + length, &length);
    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16,
                        out + plain.length);
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(algorithm);
    return (idv_bytes_t){ out, plain.length + 16 };
}

/* otherinfo of RFC 7518, 4.6.2. */
static idv_bytes_t other_info(const char *algorithm, const char *apu,
                              const char *apv, int bits, apr_pool_t *pool)
{
    const char *fields[] = { algorithm, apu, apv };
    unsigned char *info = apr_pcalloc(pool, 1024), *to = info;

    for (int i = 0; i < 3; i++) {
        size_t length = strlen(fields[i]);

        to[3] = (unsigned char)length;
        memcpy(to + 4, fields[i], length);
        to += 4 + length;
    }
    to[2] = (unsigned char)(bits >> 8);
    to[3] = (unsigned char)bits;
    return (idv_bytes_t){ info, (apr_size_t)(to + 4 - info) };
}

/* PLAIN as a compact JWE for READER. ENC is A128GCM or A256GCM. */
__attribute__((unused)) static idv_bytes_t
wallet_jwe(EVP_PKEY *reader, const char *enc, const char *apu,
           const char *plain, apr_pool_t *pool)
{
    EVP_PKEY *own = new_key("P-256", pool);
    unsigned char point[65], secret[32], key[32], nonce[12] = { 7 };
    size_t length = sizeof(point), bits = enc[1] == '1' ? 128 : 256;
    idv_bytes_t info = other_info(enc, apu, "nonce", (int)bits, pool), sealed;
    const char *header, *compact;

    EVP_PKEY_get_octet_string_param(own, OSSL_PKEY_PARAM_PUB_KEY, point, length,
                                    &length);
    header = apr_psprintf(
        pool,
        "{\"alg\":\"ECDH-ES\",\"enc\":\"%s\",\"kid\":\"1\",\"apu\":\"%s\","
        "\"apv\":\"%s\",\"epk\":{\"kty\":\"EC\",\"crv\":\"P-256\","
        "\"x\":\"%s\",\"y\":\"%s\"}}",
        enc, base64url((idv_bytes_t){ (const unsigned char *)apu, strlen(apu) },
                       pool),
        base64url(BYTES("nonce"), pool),
        base64url((idv_bytes_t){ point + 1, 32 }, pool),
        base64url((idv_bytes_t){ point + 33, 32 }, pool));
    header = base64url(
        (idv_bytes_t){ (const unsigned char *)header, strlen(header) }, pool);
    length = sizeof(secret);
    derive(own, reader, secret, &length);
    kdf("SSKDF",
        (OSSL_PARAM[]){
            OSSL_PARAM_construct_utf8_string("digest", "SHA256", 0),
            OSSL_PARAM_construct_octet_string("key", secret, length),
            OSSL_PARAM_construct_octet_string("info", (void *)info.data,
                                              info.length),
            OSSL_PARAM_construct_end() },
        key, bits / 8);
    sealed = seal(bits == 128 ? "AES-128-GCM" : "AES-256-GCM", key, nonce,
                  (idv_bytes_t){ (const unsigned char *)header,
                                 strlen(header) },
                  (idv_bytes_t){ (const unsigned char *)plain, strlen(plain) },
                  pool);
    compact = apr_pstrcat(
        pool, header, "..", base64url((idv_bytes_t){ nonce, 12 }, pool), ".",
        base64url((idv_bytes_t){ sealed.data, sealed.length - 16 }, pool), ".",
        base64url((idv_bytes_t){ sealed.data + sealed.length - 16, 16 }, pool),
        NULL);
    return (idv_bytes_t){ (const unsigned char *)compact, strlen(compact) };
}

#endif
