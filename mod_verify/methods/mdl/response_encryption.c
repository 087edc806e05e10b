/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/response_encryption.h"

#include <string.h>

#include <apr_strings.h>
#include <openssl/err.h>

#include "core/json.h"

#define GCM_NONCE_SIZE 12
#define GCM_TAG_SIZE 16
#define AES_KEY_MAX 32
#define HKDF_BLOCKS_MAX 255

static idv_error_t *fault(const char *text, apr_pool_t *pool)
{
    return idv_error_param(pool, NULL, "The encrypted response: %s.", text);
}

/* --- base64url --- */

static int digit_of(char character)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789-_";
    const char *place = character ? strchr(digits, character) : NULL;

    return place ? (int)(place - digits) : -1;
}

idv_error_t *idv_base64url_decode(const char *text, apr_size_t length,
                                  idv_bytes_t *bytes, apr_pool_t *pool)
{
    int digits[256];
    unsigned char *out = apr_palloc(pool, length / 4 * 3 + 4), *to = out;
    unsigned rest = 0;
    int bits = 0;

    for (int i = 0; i < 256; i++)
        digits[i] = digit_of((char)i);
    for (apr_size_t i = 0; i < length; i++) {
        int digit = digits[(unsigned char)text[i]];

        if (digit < 0)
            return fault("a character is not in base64url", pool);
        rest = (rest << 6 | (unsigned)digit) & 0xffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            *to++ = (unsigned char)(rest >> bits);
        }
    }
    if (length % 4 == 1 || (rest & ((1u << bits) - 1)))
        return fault("base64url has a wrong end", pool);
    *to = '\0';
    *bytes = (idv_bytes_t){ out, (apr_size_t)(to - out) };
    return NULL;
}

/* --- AES-GCM --- */

typedef struct {
    const unsigned char *key;
    apr_size_t key_length; /* 16 or 32 */
    const unsigned char *nonce;
    idv_bytes_t associated;
} gcm_t;

static int decrypt(EVP_CIPHER_CTX *cipher, const gcm_t *gcm, idv_bytes_t text,
                   const unsigned char *tag, unsigned char *out)
{
    const EVP_CIPHER *algorithm =
        gcm->key_length == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
    int length = 0;

    return cipher
           && EVP_DecryptInit_ex(cipher, algorithm, NULL, gcm->key, gcm->nonce)
                  == 1
           && (!gcm->associated.length
               || EVP_DecryptUpdate(cipher, NULL, &length, gcm->associated.data,
                                    (int)gcm->associated.length)
                      == 1)
           && EVP_DecryptUpdate(cipher, out, &length, text.data,
                                (int)text.length)
                  == 1
           && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG, GCM_TAG_SIZE,
                                  (void *)tag)
                  == 1
           && EVP_DecryptFinal_ex(cipher, out + length, &length) == 1;
}

static idv_error_t *open_gcm(const gcm_t *gcm, idv_bytes_t text,
                             const unsigned char *tag, idv_bytes_t *plain,
                             apr_pool_t *pool)
{
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    unsigned char *out = apr_pcalloc(pool, text.length + 1);
    int is_open;

    idv_wipe_with_pool(out, text.length, pool);
    is_open = decrypt(cipher, gcm, text, tag, out);
    EVP_CIPHER_CTX_free(cipher);
    ERR_clear_error();
    if (!is_open)
        return fault("it cannot be decrypted", pool);
    out[text.length] = '\0';
    *plain = (idv_bytes_t){ out, text.length };
    return NULL;
}

/* --- JWE --- */

enum { JWE_HEADER, JWE_KEY, JWE_NONCE, JWE_TEXT, JWE_TAG, JWE_PARTS };

/* The five parts, still encoded. */
static idv_error_t *split(idv_bytes_t compact, idv_bytes_t *parts,
                          apr_pool_t *pool)
{
    const unsigned char *at = compact.data, *end = at + compact.length;

    for (int i = 0; i < JWE_PARTS; i++) {
        const unsigned char *dot = memchr(at, '.', (apr_size_t)(end - at));

        if (!dot != (i == JWE_PARTS - 1))
            return fault("it does not have five parts", pool);
        parts[i] = (idv_bytes_t){ at, (apr_size_t)((dot ? dot : end) - at) };
        at = dot ? dot + 1 : end;
    }
    return NULL;
}

static idv_error_t *decode(idv_bytes_t encoded, idv_bytes_t *bytes,
                           apr_pool_t *pool)
{
    return idv_base64url_decode((const char *)encoded.data, encoded.length,
                                bytes, pool);
}

static idv_error_t *read_header(idv_bytes_t encoded, json_t **header,
                                apr_pool_t *pool)
{
    idv_bytes_t text;

    if (encoded.length > IDV_JWE_HEADER_MAX)
        return fault("its header is too long", pool);
    IDV_TRY(decode(encoded, &text, pool));
    return idv_json_parse((const char *)text.data, text.length, header, pool);
}

static int member_is(const json_t *object, const char *key, const char *value)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text && strcmp(text, value) == 0;
}

/* Bytes of the content key; 0 if the header names an unknown algorithm. */
static apr_size_t key_length_of(const json_t *header, const char *key_id)
{
    if (!member_is(header, "alg", "ECDH-ES") || json_object_get(header, "crit")
        || json_object_get(header, "zip"))
        return 0;
    if (json_object_get(header, "kid") && key_id
        && !member_is(header, "kid", key_id))
        return 0;
    return member_is(header, "enc", "A128GCM")   ? 16
           : member_is(header, "enc", "A256GCM") ? 32
                                                 : 0;
}

/* The wallet's ephemeral key for this message (RFC 7518, 4.6.1.1). */
static idv_error_t *read_ephemeral_key(const json_t *header, EVP_PKEY **key,
                                       apr_pool_t *pool)
{
    const json_t *jwk = json_object_get(header, "epk");
    const char *x = json_string_value(json_object_get(jwk, "x"));
    const char *y = json_string_value(json_object_get(jwk, "y"));
    unsigned char point[IDV_P256_POINT_SIZE] = { 4 };
    idv_bytes_t first, second;

    if (!member_is(jwk, "kty", "EC") || !member_is(jwk, "crv", "P-256") || !x
        || !y || json_object_get(jwk, "d"))
        return fault("its key is not a P-256 key", pool);
    IDV_TRY(idv_base64url_decode(x, strlen(x), &first, pool));
    IDV_TRY(idv_base64url_decode(y, strlen(y), &second, pool));
    if (first.length != 32 || second.length != 32)
        return fault("its key is not a P-256 key", pool);
    memcpy(point + 1, first.data, 32);
    memcpy(point + 33, second.data, 32);
    return idv_elliptic_public_key(
        IDV_CURVE_P256, (idv_bytes_t){ point, sizeof(point) }, key, pool);
}

/* The information about a party in the header; empty if there is none. */
static idv_error_t *read_party(const json_t *header, const char *key,
                               idv_bytes_t *party, const char **text,
                               apr_pool_t *pool)
{
    const json_t *value = json_object_get(header, key);

    *party = (idv_bytes_t){ (const unsigned char *)"", 0 };
    *text = NULL;
    if (!value)
        return NULL;
    if (!json_is_string(value))
        return fault("a party in its header is not a text", pool);
    IDV_TRY(idv_base64url_decode(json_string_value(value),
                                 json_string_length(value), party, pool));
    /* It is hashed as bytes, but appears in transcripts as text. */
    if (!memchr(party->data, '\0', party->length))
        *text = (const char *)party->data;
    return NULL;
}

static void digest_number(EVP_MD_CTX *digest, apr_size_t number)
{
    unsigned char bytes[4];

    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> (8 * (3 - i)));
    EVP_DigestUpdate(digest, bytes, sizeof(bytes));
}

static void digest_field(EVP_MD_CTX *digest, idv_bytes_t field)
{
    digest_number(digest, field.length);
    EVP_DigestUpdate(digest, field.data, field.length);
}

/* The inputs of the key derivation in addition to the secret. */
typedef struct {
    const char *algorithm; /* "enc" */
    idv_bytes_t party_u, party_v;
    apr_size_t key_length;
} agreement_t;

/* Concat KDF (NIST SP 800-56A, 5.8.1; RFC 7518, 4.6.2); one round is enough for
 * both key lengths. */
static idv_error_t *derive_content_key(idv_bytes_t secret,
                                       const agreement_t *agreement,
                                       unsigned char *key, apr_pool_t *pool)
{
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    idv_bytes_t algorithm = { (const unsigned char *)agreement->algorithm,
                              strlen(agreement->algorithm) };
    int is_derived = digest && EVP_DigestInit_ex(digest, EVP_sha256(), NULL);

    if (is_derived) {
        digest_number(digest, 1);
        EVP_DigestUpdate(digest, secret.data, secret.length);
        digest_field(digest, algorithm);
        digest_field(digest, agreement->party_u);
        digest_field(digest, agreement->party_v);
        digest_number(digest, 8 * agreement->key_length);
        is_derived = EVP_DigestFinal_ex(digest, key, NULL) == 1;
    }
    EVP_MD_CTX_free(digest);
    return is_derived ? NULL : idv_error_internal(pool, "key derivation failed");
}

static idv_error_t *open_parts(const idv_bytes_t *parts, const gcm_t *gcm,
                               idv_bytes_t *plain, apr_pool_t *pool)
{
    idv_bytes_t nonce, text, tag;
    gcm_t complete = *gcm;

    IDV_TRY(decode(parts[JWE_NONCE], &nonce, pool));
    IDV_TRY(decode(parts[JWE_TEXT], &text, pool));
    IDV_TRY(decode(parts[JWE_TAG], &tag, pool));
    if (nonce.length != GCM_NONCE_SIZE || tag.length != GCM_TAG_SIZE
        || parts[JWE_KEY].length)
        return fault("a part has a wrong length", pool);
    complete.nonce = nonce.data;
    complete.associated = parts[JWE_HEADER]; /* still encoded */
    return open_gcm(&complete, text, tag.data, plain, pool);
}

idv_error_t *idv_jwe_open(idv_bytes_t compact, EVP_PKEY *key,
                          const char *key_id, idv_jwe_t *jwe, apr_pool_t *pool)
{
    unsigned char *content_key = apr_pcalloc(pool, AES_KEY_MAX);
    idv_bytes_t parts[JWE_PARTS], secret;
    agreement_t agreement;
    EVP_PKEY *ephemeral;
    json_t *header;

    idv_wipe_with_pool(content_key, AES_KEY_MAX, pool);
    if (compact.length > IDV_WALLET_RESPONSE_MAX)
        return fault("it is too long", pool);
    IDV_TRY(split(compact, parts, pool));
    IDV_TRY(read_header(parts[JWE_HEADER], &header, pool));
    agreement.key_length = key_length_of(header, key_id);
    if (!agreement.key_length)
        return fault("its header requires something that is not "
                     "supported", pool);
    agreement.algorithm = json_string_value(json_object_get(header, "enc"));
    IDV_TRY(read_party(header, "apu", &agreement.party_u, &jwe->party_u, pool));
    IDV_TRY(read_party(header, "apv", &agreement.party_v, &jwe->party_v, pool));
    IDV_TRY(read_ephemeral_key(header, &ephemeral, pool));
    IDV_TRY(idv_elliptic_agree(key, ephemeral, &secret, pool));
    IDV_TRY(derive_content_key(secret, &agreement, content_key, pool));
    return open_parts(
        parts,
        &(gcm_t){ .key = content_key, .key_length = agreement.key_length },
        &jwe->plain, pool);
}

/* --- HKDF, RFC 5869 --- */

static void hkdf_extract(idv_bytes_t salt, idv_bytes_t secret,
                         unsigned char *key)
{
    static const unsigned char zeros[IDV_DIGEST_SIZE];
    idv_bytes_t good_salt = salt.length ? salt
                                        : (idv_bytes_t){ zeros, sizeof(zeros) };

    idv_hmac_sha256(good_salt, secret.data, secret.length, key);
}

static void hkdf_expand(const unsigned char *key, idv_bytes_t information,
                        unsigned char *out, apr_size_t length, apr_pool_t *pool)
{
    apr_size_t room = IDV_DIGEST_SIZE + information.length + 1;
    unsigned char *text = apr_pcalloc(pool, room);
    unsigned char block[IDV_DIGEST_SIZE];
    apr_size_t previous = 0;
    unsigned char counter = 1;

    idv_wipe_with_pool(text, room, pool);
    while (length) {
        apr_size_t part = length < sizeof(block) ? length : sizeof(block);

        memcpy(text + previous, information.data, information.length);
        text[previous + information.length] = counter++;
        idv_hmac_sha256((idv_bytes_t){ key, IDV_DIGEST_SIZE }, text,
                        previous + information.length + 1, block);
        memcpy(out, block, part);
        memcpy(text, block, sizeof(block));
        previous = sizeof(block);
        out += part;
        length -= part;
    }
    OPENSSL_cleanse(block, sizeof(block));
}

idv_error_t *idv_hkdf_sha256(idv_bytes_t secret, idv_bytes_t salt,
                             const char *information, unsigned char *out,
                             apr_size_t length, apr_pool_t *pool)
{
    unsigned char key[IDV_DIGEST_SIZE];

    if (length > HKDF_BLOCKS_MAX * IDV_DIGEST_SIZE)
        return idv_error_internal(pool, "HKDF cannot return that many bytes");
    hkdf_extract(salt, secret, key);
    hkdf_expand(key,
                (idv_bytes_t){ (const unsigned char *)information,
                               strlen(information) },
                out, length, pool);
    OPENSSL_cleanse(key, sizeof(key));
    return NULL;
}

/* --- HPKE, RFC 9180 --- */

/* suite_id of section 4.1 (KEM P-256) and of section 5.1 (the whole suite). */
static const idv_bytes_t kem_suite = {
    (const unsigned char *)"KEM\x00\x10", 5
};
static const idv_bytes_t hpke_suite = {
    (const unsigned char *)"HPKE\x00\x10\x00\x01\x00\x01", 10
};

static idv_bytes_t text_bytes(const char *text)
{
    return (idv_bytes_t){ (const unsigned char *)text, strlen(text) };
}

static idv_bytes_t join(const idv_bytes_t *parts, int count, apr_pool_t *pool)
{
    apr_size_t length = 0;
    unsigned char *bytes, *to;

    for (int i = 0; i < count; i++)
        length += parts[i].length;
    to = bytes = apr_pcalloc(pool, length + 1);
    idv_wipe_with_pool(bytes, length, pool);
    for (int i = 0; i < count; i++) {
        if (parts[i].length)
            memcpy(to, parts[i].data, parts[i].length);
        to += parts[i].length;
    }
    return (idv_bytes_t){ bytes, length };
}

/* LabeledExtract, section 4. */
static void labeled_extract(idv_bytes_t suite, idv_bytes_t salt,
                            const char *label, idv_bytes_t secret,
                            unsigned char *key, apr_pool_t *pool)
{
    idv_bytes_t parts[] = { text_bytes("HPKE-v1"), suite, text_bytes(label),
                            secret };

    hkdf_extract(salt, join(parts, 4, pool), key);
}

typedef struct {
    idv_bytes_t suite;
    const unsigned char *key; /* IDV_DIGEST_SIZE bytes */
    apr_pool_t *pool;
} expansion_t;

/* LabeledExpand, section 4. */
static void labeled_expand(const expansion_t *expansion, const char *label,
                           idv_bytes_t information, unsigned char *out,
                           apr_size_t length)
{
    unsigned char count[2] = { (unsigned char)(length >> 8),
                               (unsigned char)length };
    idv_bytes_t parts[] = { { count, 2 },
                            text_bytes("HPKE-v1"),
                            expansion->suite,
                            text_bytes(label),
                            information };

    hkdf_expand(expansion->key, join(parts, 5, expansion->pool), out, length,
                expansion->pool);
}

/* Decap, section 4.1. */
static idv_error_t *decapsulate(idv_bytes_t encapsulated, EVP_PKEY *key,
                                unsigned char *shared_secret, apr_pool_t *pool)
{
    unsigned char own[IDV_P256_POINT_SIZE], prk[IDV_DIGEST_SIZE];
    expansion_t expansion = { kem_suite, prk, pool };
    idv_bytes_t none = { (const unsigned char *)"", 0 }, secret;
    EVP_PKEY *other;

    if (encapsulated.length != IDV_P256_POINT_SIZE)
        return fault("its key is not a P-256 key", pool);
    IDV_TRY(
        idv_elliptic_public_key(IDV_CURVE_P256, encapsulated, &other, pool));
    IDV_TRY(idv_elliptic_agree(key, other, &secret, pool));
    IDV_TRY(idv_p256_point(key, own, pool));
    labeled_extract(kem_suite, none, "eae_prk", secret, prk, pool);
    labeled_expand(
        &expansion, "shared_secret",
        join((idv_bytes_t[]){ encapsulated, { own, sizeof(own) } }, 2, pool),
        shared_secret, IDV_DIGEST_SIZE);
    OPENSSL_cleanse(prk, sizeof(prk));
    return NULL;
}

/* KeySchedule, section 5.1, mode base: key and nonce of the first message. */
static void schedule_keys(const unsigned char *shared_secret,
                          idv_bytes_t information, unsigned char *key,
                          unsigned char *nonce, apr_pool_t *pool)
{
    static const unsigned char mode_base[] = { 0 };
    unsigned char id_hash[IDV_DIGEST_SIZE], information_hash[IDV_DIGEST_SIZE];
    unsigned char secret[IDV_DIGEST_SIZE];
    expansion_t expansion = { hpke_suite, secret, pool };
    idv_bytes_t none = { (const unsigned char *)"", 0 }, context;

    labeled_extract(hpke_suite, none, "psk_id_hash", none, id_hash, pool);
    labeled_extract(hpke_suite, none, "info_hash", information,
                    information_hash, pool);
    context = join((idv_bytes_t[]){ { mode_base, 1 },
                                    { id_hash, sizeof(id_hash) },
                                    { information_hash,
                                      sizeof(information_hash) } },
                   3, pool);
    labeled_extract(hpke_suite,
                    (idv_bytes_t){ shared_secret, IDV_DIGEST_SIZE }, "secret",
                    none, secret, pool);
    labeled_expand(&expansion, "key", context, key, 16);
    labeled_expand(&expansion, "base_nonce", context, nonce, GCM_NONCE_SIZE);
    OPENSSL_cleanse(secret, sizeof(secret));
}

idv_error_t *idv_hpke_open(const idv_hpke_message_t *message, EVP_PKEY *key,
                           idv_bytes_t *plain, apr_pool_t *pool)
{
    unsigned char *keys = apr_pcalloc(pool, IDV_DIGEST_SIZE + 16);
    unsigned char nonce[GCM_NONCE_SIZE];
    idv_bytes_t text = message->sealed;
    gcm_t gcm = { keys + IDV_DIGEST_SIZE, 16, nonce, message->associated };

    idv_wipe_with_pool(keys, IDV_DIGEST_SIZE + 16, pool);
    if (text.length < GCM_TAG_SIZE || text.length > IDV_WALLET_RESPONSE_MAX)
        return fault("it is too short or too long", pool);
    text.length -= GCM_TAG_SIZE;
    IDV_TRY(decapsulate(message->encapsulated, key, keys, pool));
    schedule_keys(keys, message->information, keys + IDV_DIGEST_SIZE, nonce,
                  pool);
    return open_gcm(&gcm, text, text.data + text.length, plain, pool);
}
