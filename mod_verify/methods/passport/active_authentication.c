/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/active_authentication.h"

#include <string.h>

#include <apr_strings.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/rsa.h>

#include "methods/passport/tlv.h"

/* --- RSA --- */

/* SIGNATURE raised to the public exponent, into OPENED, which is as long as the
 * modulus. */
static int raise_signature(EVP_PKEY *key, idv_bytes_t signature,
                           unsigned char *opened, size_t size)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    size_t length = size;
    int raised = context && EVP_PKEY_verify_recover_init(context) > 0
              && EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) > 0
              && EVP_PKEY_verify_recover(context, opened, &length,
                                         signature.data, signature.length)
                     > 0
              && length == size;

    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return raised;
}

/* Replaces OPENED with the modulus minus OPENED. Signers use the lesser of the
 * two; the last four bits, which are always 1100, tell which one it is (ISO/IEC
 * 9796-2, annex A.4). */
static int subtract_from_modulus(const EVP_PKEY *key, unsigned char *opened,
                                 size_t size)
{
    BIGNUM *modulus = NULL, *number = BN_bin2bn(opened, (int)size, NULL);
    int done = number
            && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) == 1
            && BN_sub(number, modulus, number) == 1
            && BN_bn2binpad(number, opened, (int)size) == (int)size;

    BN_free(modulus);
    BN_free(number);
    return done;
}

/* The hash function named by the trailer of LENGTH opened bytes (ISO/IEC
 * 10118-3), and the length of the trailer; NULL: not supported. */
static const EVP_MD *digest_of_trailer(const unsigned char *opened,
                                       size_t length, size_t *trailer)
{
    *trailer = 1;
    if (opened[length - 1] == 0xbc)
        return EVP_sha1();
    *trailer = 2;
    if (opened[length - 1] != 0xcc)
        return NULL;
    switch (opened[length - 2]) {
    case 0x33:
        return EVP_sha1();
    case 0x34:
        return EVP_sha256();
    case 0x35:
        return EVP_sha512();
    case 0x36:
        return EVP_sha384();
    case 0x38:
        return EVP_sha224();
    default:
        return NULL;
    }
}

/* The opened signature consists of 6A, the recoverable part, the hash of that
 * part and CHALLENGE, and the trailer. */
static idv_challenge_result_t check_opened(const unsigned char *opened,
                                           size_t size, idv_bytes_t challenge,
                                           apr_pool_t *scratch)
{
    unsigned char hash[EVP_MAX_MD_SIZE], *message;
    size_t trailer, hash_length, part;
    const EVP_MD *digest = digest_of_trailer(opened, size, &trailer);

    if (opened[0] != 0x6a)
        return IDV_CHALLENGE_NOT_SIGNED;
    if (!digest)
        return opened[size - 1] == 0xcc ? IDV_CHALLENGE_UNSUPPORTED
                                        : IDV_CHALLENGE_NOT_SIGNED;
    hash_length = (size_t)EVP_MD_get_size(digest);
    if (size <= 1 + hash_length + trailer)
        return IDV_CHALLENGE_NOT_SIGNED;
    part = size - 1 - hash_length - trailer;
    message = apr_palloc(scratch, part + challenge.length);
    memcpy(message, opened + 1, part);
    memcpy(message + part, challenge.data, challenge.length);
    idv_hash(digest, (idv_bytes_t){message, part + challenge.length}, hash);
    return memcmp(hash, opened + 1 + part, hash_length) == 0
             ? IDV_CHALLENGE_SIGNED
             : IDV_CHALLENGE_NOT_SIGNED;
}

static idv_challenge_result_t verify_rsa(EVP_PKEY *key, idv_bytes_t challenge,
                                         idv_bytes_t signature,
                                         apr_pool_t *scratch)
{
    size_t size = (size_t)EVP_PKEY_get_size(key);
    unsigned char *opened = apr_palloc(scratch, size);

    if (signature.length != size
        || !raise_signature(key, signature, opened, size))
        return IDV_CHALLENGE_NOT_SIGNED;
    if ((opened[size - 1] & 0x0f) != 0x0c
        && !subtract_from_modulus(key, opened, size))
        return IDV_CHALLENGE_NOT_SIGNED;
    return check_opened(opened, size, challenge, scratch);
}

/* --- ECDSA --- */

#define DIGESTS 5 /* that chips without an algorithm in DG14 use */
#define PLAIN_MAX (2 * 66)       /* for a curve of 521 bits */
#define DER_MAX (PLAIN_MAX + 10) /* a SEQUENCE of two INTEGERs */

/* The hash function of an identifier: ecdsa-plain-SHA* of BSI TR-03111, or
 * ecdsa-with-SHA* of X9.62, which some issuers use for the same format. */
static const EVP_MD *digest_of_algorithm(idv_bytes_t algorithm)
{
    static const struct {
        const char *object;
        size_t length;
        const EVP_MD *(*digest)(void);
    } known[] = {
        {"\x04\x00\x7f\x00\x07\x01\x01\x04\x01\x01", 10, EVP_sha1},
        {"\x04\x00\x7f\x00\x07\x01\x01\x04\x01\x02", 10, EVP_sha224},
        {"\x04\x00\x7f\x00\x07\x01\x01\x04\x01\x03", 10, EVP_sha256},
        {"\x04\x00\x7f\x00\x07\x01\x01\x04\x01\x04", 10, EVP_sha384},
        {"\x04\x00\x7f\x00\x07\x01\x01\x04\x01\x05", 10, EVP_sha512},
        {"\x2a\x86\x48\xce\x3d\x04\x01", 7, EVP_sha1},
        {"\x2a\x86\x48\xce\x3d\x04\x03\x01", 8, EVP_sha224},
        {"\x2a\x86\x48\xce\x3d\x04\x03\x02", 8, EVP_sha256},
        {"\x2a\x86\x48\xce\x3d\x04\x03\x03", 8, EVP_sha384},
        {"\x2a\x86\x48\xce\x3d\x04\x03\x04", 8, EVP_sha512},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (known[i].length == algorithm.length
            && memcmp(known[i].object, algorithm.data, algorithm.length) == 0)
            return known[i].digest();
    return NULL;
}

/* Converts r and s, the halves of PLAIN, to the DER that OpenSSL reads; length
 * 0 without memory. */
static idv_bytes_t der_of_plain(idv_bytes_t plain, apr_pool_t *scratch)
{
    int half = (int)(plain.length / 2), length = 0;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(plain.data, half, NULL);
    BIGNUM *s = BN_bin2bn(plain.data + half, half, NULL);
    unsigned char *der = NULL;
    idv_bytes_t signature = {plain.data, 0};

    if (pair && r && s && ECDSA_SIG_set0(pair, r, s) == 1) {
        r = s = NULL; /* now owned by the pair */
        length = i2d_ECDSA_SIG(pair, &der);
    }
    if (length > 0)
        signature = (idv_bytes_t){apr_pmemdup(scratch, der, (apr_size_t)length),
                                  (apr_size_t)length};
    OPENSSL_free(der);
    ECDSA_SIG_free(pair);
    BN_free(r);
    BN_free(s);
    return signature;
}

/* Non-zero if SIGNATURE, in DER, is KEY's over CHALLENGE with one of the
 * digests. */
static int is_signed_with_any(EVP_PKEY *key, const EVP_MD *const *digests,
                              int count, idv_bytes_t challenge,
                              idv_bytes_t signature)
{
    for (int i = 0; i < count; i++) {
        idv_signature_scheme_t scheme = {digests[i], NULL, 0};

        if (idv_signature_is_right(key, &scheme, challenge, signature))
            return 1;
    }
    return 0;
}

static idv_challenge_result_t verify_ecdsa(EVP_PKEY *key, idv_bytes_t algorithm,
                                           idv_bytes_t challenge,
                                           idv_bytes_t signature,
                                           apr_pool_t *scratch)
{
    const EVP_MD *digests[DIGESTS] = {EVP_sha256(), EVP_sha1(), EVP_sha224(),
                                      EVP_sha384(), EVP_sha512()};
    int count = DIGESTS;

    if (algorithm.length > 0) {
        digests[0] = digest_of_algorithm(algorithm);
        count = 1;
        if (!digests[0])
            return IDV_CHALLENGE_UNSUPPORTED;
    }
    if (signature.length <= PLAIN_MAX && signature.length % 2 == 0
        && is_signed_with_any(key, digests, count, challenge,
                              der_of_plain(signature, scratch)))
        return IDV_CHALLENGE_SIGNED;
    if (signature.length <= DER_MAX
        && is_signed_with_any(key, digests, count, challenge, signature))
        return IDV_CHALLENGE_SIGNED_IN_DER;
    return IDV_CHALLENGE_NOT_SIGNED;
}

idv_challenge_result_t idv_challenge_verify(idv_bytes_t public_key,
                                            idv_bytes_t algorithm,
                                            idv_bytes_t challenge,
                                            idv_bytes_t signature,
                                            apr_pool_t *scratch)
{
    EVP_PKEY *key;

    if (idv_public_key_read(public_key, &key, scratch))
        return IDV_CHALLENGE_UNSUPPORTED;
    if (EVP_PKEY_is_a(key, "RSA"))
        return verify_rsa(key, challenge, signature, scratch);
    if (EVP_PKEY_is_a(key, "EC"))
        return verify_ecdsa(key, algorithm, challenge, signature, scratch);
    return IDV_CHALLENGE_UNSUPPORTED;
}
