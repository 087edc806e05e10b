/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_CERTIFICATE_H
#define IDV_METHODS_PASSPORT_CERTIFICATE_H

/*
 * Certificates of the issuers of passports: country signing authorities (CSCA),
 * their link certificates, document signers and signers of master lists (ICAO
 * Doc 9303-12, 7.1), in X.509.
 *
 * They are parsed here and not by OpenSSL's X509, which decodes the key of
 * every certificate: a list has hundreds, of which one is needed. A chain is
 * always two certificates long, so one call checks it, without
 * X509_verify_cert(), which refuses the explicit curve parameters that 9303-12
 * demands (public_key.h says which are accepted).
 *
 * Memory: byte strings point into the given certificate. Threads: pure.
 */
#include "core/clock.h"
#include "methods/passport/public_key.h"

/* Bytes of the longest certificate. */
#define IDV_CERTIFICATE_MAX 16384
/* Document types stored from a document signer's list. */
#define IDV_CERTIFICATE_DOCUMENT_TYPES_MAX 32

/* Bits of the key usage (RFC 5280, 4.2.1.3), in its first byte. */
#define IDV_KEY_USAGE_DIGITAL_SIGNATURE 0x80
#define IDV_KEY_USAGE_CERTIFICATE_SIGN 0x04

typedef struct {
    idv_bytes_t der;        /* all of it */
    idv_bytes_t serial;     /* content bytes */
    idv_bytes_t issuer;     /* Name, DER */
    idv_bytes_t subject;    /* Name, DER */
    idv_bytes_t public_key; /* SubjectPublicKeyInfo, DER */
    char country[3];        /* of the subject, upper case; "": none */
    idv_time_t not_before;
    idv_time_t not_after;
    idv_time_t key_used_from;  /* private key usage period; 0: not stated */
    idv_time_t key_used_until;
    idv_bytes_t key_id;           /* length 0: not stated, as below */
    idv_bytes_t authority_key_id;
    idv_bytes_t crl_points; /* cRLDistributionPoints, DER */
    int has_key_usage;
    int key_usage;
    int has_basic_constraints;
    int is_authority;
    int has_unknown_critical; /* flag: an unknown critical extension */
    int signs_master_lists;   /* extended key usage 2.23.136.1.1.3 */
    char document_types[IDV_CERTIFICATE_DOCUMENT_TYPES_MAX][3];
    int document_type_count; /* 9303-12, 7.1.1.6; 0: not stated */
    idv_bytes_t tbs;         /* the signed part */
    idv_bytes_t algorithm;   /* AlgorithmIdentifier, DER */
    idv_bytes_t signature;
} idv_certificate_t;

/* The result of checking a certificate's signature. */
typedef enum {
    IDV_CERTIFICATE_SIGNED,
    IDV_CERTIFICATE_NOT_SIGNED,
    IDV_CERTIFICATE_UNSUPPORTED /* unknown key or algorithm */
} idv_certificate_result_t;

/* The time of a UTCTime (IS_GENERALIZED zero) or GeneralizedTime, content bytes
 * in the form of RFC 5280, 4.1.2.5, from 1950 on; 0 for anything else. */
idv_time_t idv_certificate_time(idv_bytes_t text, int is_generalized);

/* Parses a certificate in DER. `parameter_invalid` without a parameter if it is
 * not one, or too long. */
idv_error_t *idv_certificate_read(idv_bytes_t der,
                                  idv_certificate_t *certificate,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if two names in DER are the same by RFC 5280, 7.1: letters in either
 * case, and strings of either type. */
int idv_certificate_names_match(idv_bytes_t a, idv_bytes_t b);

/* Checks that CERTIFICATE was signed with the key of ISSUER. */
idv_certificate_result_t
idv_certificate_verify(const idv_certificate_t *certificate,
                       const idv_certificate_t *issuer, apr_pool_t *pool);

/* Non-zero if CERTIFICATE may have signed others: its key usage says so, or,
 * for roots without one, nothing says otherwise. Basic constraints do not
 * override a key usage: there is a genuine link certificate that is not an
 * authority by them. */
int idv_certificate_may_sign_certificates(const idv_certificate_t *certificate);

#endif
