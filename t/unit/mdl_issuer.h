/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_MDL_ISSUER_H
#define IDV_T_UNIT_MDL_ISSUER_H

/*
 * An issuing authority for tests: certificates by annex B of ISO/IEC 18013-5,
 * each detail of which a test may change.
 */
#include "unit/mdl_fixture.h"

#include <openssl/evp.h>
#include <openssl/x509v3.h>

#include "methods/mdl/issuer_certificate.h"

#define ISSUER_DAY ((long)24 * 60 * 60)

/* 2026-06-01T12:00:00Z, in milliseconds. */
#define ISSUER_NOW ((idv_time_t)1780315200 * IDV_SECOND)

typedef struct {
    const char *country;
    const char *state;     /* NULL: none */
    const char *name;
    const char *key_usage; /* NULL: no such extension */
    const char *purposes;  /* extended key usage */
    const char *basic;     /* basic constraints */
    const char *crl;       /* distribution points */
    const char *extra;     /* critical extension of an unknown kind, hex */
    int version;           /* as encoded: 2 is version 3 */
    long serial;
    long begin, end;       /* days from ISSUER_NOW */
    const char *curve;
    const char *digest;
    int has_no_authority_key;
} certificate_t;

static const certificate_t good_authority = {
    .country = "US",
    .name = "Test IACA",
    .key_usage = "critical,keyCertSign,cRLSign",
    .basic = "critical,CA:TRUE,pathlen:0",
    .crl = "URI:http://crl.example.com/iaca.crl",
    .version = 2,
    .serial = 1,
    .begin = -900,
    .end = 900,
    .curve = "P-256",
    .digest = "SHA256",
};

static const certificate_t good_signer = {
    .country = "US",
    .name = "Test document signer",
    .key_usage = "critical,digitalSignature",
    .purposes = "critical,1.0.18013.5.1.2",
    .crl = "URI:http://crl.example.com/ds.crl",
    .version = 2,
    .serial = 77,
    .begin = -100,
    .end = 300,
    .curve = "P-256",
    .digest = "SHA256",
};

static apr_status_t issuer_free_key(void *key)
{
    EVP_PKEY_free(key);
    return APR_SUCCESS;
}

static apr_status_t issuer_free_certificate(void *certificate)
{
    X509_free(certificate);
    return APR_SUCCESS;
}

/* A new key on a curve: P-256, ED25519 and so on. */
__attribute__((unused)) static EVP_PKEY *new_key(const char *curve,
                                                 apr_pool_t *pool)
{
    EVP_PKEY *key = strncmp(curve, "ED", 2) == 0 || curve[0] == 'X'
                        ? EVP_PKEY_Q_keygen(NULL, NULL, curve)
                        : EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);

    assert_non_null(key);
    apr_pool_cleanup_register(pool, key, issuer_free_key,
                              apr_pool_cleanup_null);
    return key;
}

static void add_extension(X509 *certificate, X509 *issuer, int kind,
                          const char *value)
{
    X509_EXTENSION *extension;
    X509V3_CTX context;

    if (!value)
        return;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509V3_set_ctx_nodb(&context);
    extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    assert_non_null(extension);
    assert_int_equal(X509_add_ext(certificate, extension, -1), 1);
    X509_EXTENSION_free(extension);
}

static void add_unknown_extension(X509 *certificate, const char *hex,
                                  apr_pool_t *pool)
{
    idv_bytes_t bytes = from_hex(hex, pool);
    ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
    ASN1_OBJECT *kind = OBJ_txt2obj("1.3.6.1.4.1.55555.1", 1);
    X509_EXTENSION *extension;

    ASN1_OCTET_STRING_set(value, bytes.data, (int)bytes.length);
    extension = X509_EXTENSION_create_by_OBJ(NULL, kind, 1, value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    ASN1_OBJECT_free(kind);
    ASN1_OCTET_STRING_free(value);
}

static void add_name(X509_NAME *name, const char *field, const char *text)
{
    if (text)
        assert_int_equal(X509_NAME_add_entry_by_txt(
                             name, field, MBSTRING_UTF8,
                             (const unsigned char *)text, -1, -1, 0),
                         1);
}

/* The certificate of KEY after WISH, signed by ISSUER (NULL: itself) with its
 * key. */
__attribute__((unused)) static X509 *certify(const certificate_t *wish,
                                             EVP_PKEY *key, X509 *issuer,
                                             EVP_PKEY *issuer_key,
                                             apr_pool_t *pool)
{
    X509 *certificate = X509_new();
    X509_NAME *name = X509_get_subject_name(certificate);
    time_t now = (time_t)(ISSUER_NOW / IDV_SECOND);

    apr_pool_cleanup_register(pool, certificate, issuer_free_certificate,
                              apr_pool_cleanup_null);
    X509_set_version(certificate, wish->version);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), wish->serial);
    add_name(name, "C", wish->country);
    add_name(name, "ST", wish->state);
    add_name(name, "CN", wish->name);
    X509_set_issuer_name(certificate, issuer ? X509_get_subject_name(issuer)
                                             : name);
    X509_time_adj_ex(X509_getm_notBefore(certificate), (int)wish->begin, 0,
                     &now);
    X509_time_adj_ex(X509_getm_notAfter(certificate), (int)wish->end, 0, &now);
    X509_set_pubkey(certificate, key);
    if (wish->version == 2) {
        add_extension(certificate, certificate, NID_subject_key_identifier,
                      "hash");
        if (issuer && !wish->has_no_authority_key)
            add_extension(certificate, issuer, NID_authority_key_identifier,
                          "keyid:always");
        add_extension(certificate, issuer, NID_key_usage, wish->key_usage);
        add_extension(certificate, issuer, NID_ext_key_usage, wish->purposes);
        add_extension(certificate, issuer, NID_basic_constraints, wish->basic);
        add_extension(certificate, issuer, NID_crl_distribution_points,
                      wish->crl);
        if (wish->extra)
            add_unknown_extension(certificate, wish->extra, pool);
    }
    assert_true(X509_sign(certificate, issuer_key,
                          wish->digest ? EVP_get_digestbyname(wish->digest)
                                       : NULL)
                > 0);
    return certificate;
}

__attribute__((unused)) static idv_bytes_t certificate_bytes(X509 *certificate,
                                                             apr_pool_t *pool)
{
    unsigned char *bytes = NULL;
    int length = i2d_X509(certificate, &bytes);
    idv_bytes_t der = { apr_pmemdup(pool, bytes, (apr_size_t)length),
                        (apr_size_t)length };

    assert_true(length > 0);
    OPENSSL_free(bytes);
    return der;
}

#endif
