/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_TRUST_PUBLISHER_H
#define IDV_T_UNIT_TRUST_PUBLISHER_H

/*
 * A publisher of trust lists for tests: a root, a signer below it, and what the
 * operator knows of them.
 */
#include "unit/mdl_issuer.h"

#include <openssl/bn.h>
#include <openssl/ecdsa.h>

#include "methods/trust/list_content.h"

typedef struct {
    EVP_PKEY *root_key, *key;
    X509 *root_certificate, *certificate;
    idv_bytes_t root, signer;      /* their certificates, DER */
    apr_array_header_t *knows_root; /* lists of given certificates */
    apr_array_header_t *knows_signer;
    apr_array_header_t *knows_nobody;
} publisher_t;

__attribute__((unused)) static apr_array_header_t *
given(const idv_bytes_t *certificate, apr_pool_t *pool)
{
    apr_array_header_t *list = apr_array_make(pool, 1, sizeof(idv_bytes_t));

    if (certificate)
        APR_ARRAY_PUSH(list, idv_bytes_t) = *certificate;
    return list;
}

/* A publisher whose signer is as WISH says. */
__attribute__((unused)) static publisher_t
new_publisher(const certificate_t *wish, apr_pool_t *pool)
{
    publisher_t made = {.root_key = new_key("P-256", pool),
                        .key = new_key(wish->curve, pool)};

    made.root_certificate =
        certify(&good_authority, made.root_key, NULL, made.root_key, pool);
    made.certificate = certify(wish, made.key, made.root_certificate,
                               made.root_key, pool);
    made.root = certificate_bytes(made.root_certificate, pool);
    made.signer = certificate_bytes(made.certificate, pool);
    made.knows_root = given(&made.root, pool);
    made.knows_signer = given(&made.signer, pool);
    made.knows_nobody = given(NULL, pool);
    return made;
}

/* A new certificate of an authority that the list is to hold. */
__attribute__((unused)) static idv_bytes_t new_authority(apr_pool_t *pool)
{
    EVP_PKEY *key = new_key("P-256", pool);

    return certificate_bytes(certify(&good_authority, key, NULL, key, pool),
                             pool);
}

/* A new certificate of a document signer. */
__attribute__((unused)) static idv_bytes_t new_signer(apr_pool_t *pool)
{
    EVP_PKEY *key = new_key("P-256", pool);

    return certificate_bytes(certify(&good_signer, key, NULL, key, pool), pool);
}

/* r and s of ECDSA with SHA-256 over TEXT, 32 bytes each. */
__attribute__((unused)) static idv_bytes_t sign_raw(EVP_PKEY *key,
                                                    idv_bytes_t text,
                                                    apr_pool_t *pool)
{
    unsigned char der[160], *raw = apr_palloc(pool, 64);
    const unsigned char *at = der;
    size_t length = sizeof(der);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    ECDSA_SIG *pair;

    assert_int_equal(
        EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key), 1);
    assert_int_equal(
        EVP_DigestSign(context, der, &length, text.data, text.length), 1);
    EVP_MD_CTX_free(context);
    pair = d2i_ECDSA_SIG(NULL, &at, (long)length);
    assert_non_null(pair);
    assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_r(pair), raw, 32), 32);
    assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_s(pair), raw + 32, 32), 32);
    ECDSA_SIG_free(pair);
    return (idv_bytes_t){raw, 64};
}

#define refuses(result, text)                                                  \
    do {                                                                       \
        idv_error_t *refused_ = (result);                                      \
        assert_non_null(refused_);                                             \
        assert_int_equal(refused_->code, IDV_E_PARAMETER_INVALID);             \
        if (!strstr(refused_->message, (text)))                                \
            fail_msg("\"%s\" does not say \"%s\"", refused_->message, (text)); \
    } while (0)

#define accepts(result)                                                        \
    do {                                                                       \
        idv_error_t *refused_ = (result);                                      \
        if (refused_)                                                          \
            fail_msg("refused: %s", idv_error_cause(refused_));                \
    } while (0)

#endif
