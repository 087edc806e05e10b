/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_ISSUER_CERTIFICATE_H
#define IDV_METHODS_MDL_ISSUER_CERTIFICATE_H

/*
 * Who signed a mobile document: the document signer's certificate against the
 * trust anchors, ISO/IEC 18013-5, 9.3.3 and annex B.
 *
 * - An anchor is the certificate of an issuing authority (IACA), or one of a
 *   document signer that a list names itself, which is then good for exactly
 *   that certificate. An anchor may be limited to document types, as those of a
 *   VICAL are.
 * - A chain has two certificates. Others that came with the document are never
 *   looked at, so that no stranger's certificate becomes a link of it.
 * - The anchor of a signer has its issuer's name, its authority key identifier
 *   as subject key identifier, and verifies its signature. Several anchors may
 *   have one name (link certificates, renewed keys): the first that satisfies
 *   everything counts.
 * - The profile of annex B is checked here, since OpenSSL knows no purpose for
 *   it: version 3, serial number, term of at most 457 days, critical extended
 *   key usage 1.0.18013.5.1.2, key usage digitalSignature alone, no CA, country
 *   (and region, where both have one) of the issuing authority; of that: CA,
 *   path length 0, keyCertSign and cRLSign. Points from which revocation lists
 *   can be had are read out; that there is none is no fault, since trust lists
 *   hold such certificates.
 * - What of that widens nobody's trust is no fault but a deviation, as issuers in
 *   use have it: the certificate is what its authority made it, is for signing
 *   documents and cannot certify others. A missing purpose, key usage or flag of
 *   the authority stays a fault, and so does a serial number by which nothing can
 *   be revoked.
 * - A signer that is an anchor itself is judged by that alone: whoever trusts it
 *   has seen it.
 * - Names by which an issuer can be reached (issuer alternative name) are not
 *   looked at.
 * - Signatures of less than 112 bits of security (SHA-1) and explicit curve
 *   parameters are refused.
 * - Revocation is not looked up: what is known of it is given to the decision.
 *
 * Memory: the pool. Threads: pure. Failures: `parameter_invalid` for what is no
 * certificate at all; all else is in the result.
 */
#include <openssl/evp.h>

#include "methods/trust/x509_certificate.h"

/* A certificate in which somebody trusts. */
typedef struct {
    idv_bytes_t certificate;      /* DER */
    int is_signer;                /* a document signer's own */
    const char *const *doc_types; /* that it may sign */
    int doc_type_count;           /* 0: all */
    /* Where it stands: list and its version, up to 640 bytes of text; a decision
     * can be explained by it. */
    const char *list;
} idv_trust_anchor_t;

/* What is wrong with the profile: name, code. */
#define IDV_PROFILE_FAULTS(X)                                                  \
    X(ENCODING, "encoding")                                                    \
    X(VERSION, "version")                                                      \
    X(SERIAL_NUMBER, "serial_number")                                          \
    X(COUNTRY, "country")                                                      \
    X(CRITICAL_EXTENSION, "critical_extension")                                \
    X(IS_AUTHORITY, "is_authority")                                            \
    X(KEY_USAGE, "key_usage")                                                  \
    X(EXTENDED_KEY_USAGE, "extended_key_usage")                                \
    X(AUTHORITY_KEY, "authority_key")                                          \
    X(AUTHORITY_PROFILE, "authority_profile")                                  \
    X(AUTHORITY_COUNTRY, "authority_country")                                  \
    X(AUTHORITY_REGION, "authority_region")

typedef enum {
    IDV_PROFILE_GOOD,
#define X(name, code) IDV_PROFILE_##name,
    IDV_PROFILE_FAULTS(X)
#undef X
        IDV_PROFILE_COUNT
} idv_profile_fault_t;

/* Deviations from table B.3, and from B.1 for the authority, that widen nobody's
 * trust; by their names in the reasons of mdl_findings.h. */
#define IDV_PROFILE_DEVIATIONS(X)                                              \
    X(ISSUER_PURPOSE_NOT_CRITICAL)                                             \
    X(ISSUER_PURPOSE_BROAD)         /* it is for something else, too */        \
    X(ISSUER_KEY_USAGE_NOT_CRITICAL)                                           \
    X(ISSUER_KEY_USAGE_BROAD)       /* ... but not for certificates */         \
    X(ISSUER_TERM_LONG)                                                        \
    X(AUTHORITY_PATH_OPEN)          /* no path length, or not 0 */             \
    X(AUTHORITY_KEY_USAGE_NARROW)   /* not for revocation lists */

typedef enum {
    IDV_PROFILE_CONFORMING,
#define X(name) IDV_DEVIATION_##name,
    IDV_PROFILE_DEVIATIONS(X)
#undef X
} idv_profile_deviation_t;

/* What was found of a signer. */
typedef struct {
    EVP_PKEY *key;
    idv_profile_fault_t profile;
    idv_profile_deviation_t deviation; /* the first */
    const idv_trust_anchor_t *anchor; /* that it is trusted by; NULL: none */
    int is_current;    /* it and its anchor are valid now; 0 without anchor */
    const char *country;    /* alpha-2 of its subject; NULL: none */
    const char *region;     /* ISO 3166-2 without the country; NULL: none */
    const char *serial;     /* hexadecimal */
    const char *fingerprint; /* SHA-256 of the certificate, hexadecimal */
    const char *anchor_fingerprint; /* of the anchor; NULL: none */
    idv_time_t not_before, not_after;
    int crl_address_count;
    const char *crl_addresses[IDV_CRL_ADDRESSES_MAX]; /* http or https */
} idv_signer_t;

/* The code; NULL for GOOD. The reverse gives -1 for text that is none. */
const char *idv_profile_fault_code(idv_profile_fault_t fault);
int idv_profile_fault_find(const char *code);

/* What a document is checked with. */
typedef struct {
    const idv_trust_anchor_t *anchors;
    int anchor_count;
    idv_time_t now;
} idv_trust_t;

/* Looks at CERTIFICATE, DER, as the signer of a document of DOC_TYPE. */
idv_error_t *idv_signer_examine(idv_bytes_t certificate, const char *doc_type,
                                const idv_trust_t *trust,
                                idv_signer_t **signer,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
