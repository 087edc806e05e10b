/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_ISSUER_CERTIFICATE_H
#define IDV_METHODS_MDL_ISSUER_CERTIFICATE_H

/*
 * Checks the document signer's certificate of a mobile document against the
 * trust anchors, ISO/IEC 18013-5, 9.3.3 and annex B.
 *
 * - An anchor is the certificate of an issuing authority (IACA), or that of a
 *   document signer that a list names itself, which is then valid for exactly
 *   that certificate. An anchor may be limited to document types, as those of a
 *   VICAL are.
 * - A chain has two certificates. Others that came with the document are
 *   ignored, so that no untrusted certificate becomes a link of it.
 * - The anchor of a signer has its issuer's name, its authority key identifier
 *   as subject key identifier, and verifies its signature. Several anchors may
 *   have one name (link certificates, renewed keys): the first that satisfies
 *   all conditions is used.
 * - The profile of annex B is checked here, since OpenSSL knows no purpose for
 *   it: version 3, serial number, term of at most 457 days, critical extended
 *   key usage 1.0.18013.5.1.2, key usage digitalSignature alone, no CA, country
 *   (and region, where both have one) of the issuing authority; of that: CA,
 *   path length 0, keyCertSign and cRLSign. CRL distribution points are
 *   extracted; a certificate without any is accepted, since trust lists hold
 *   such certificates.
 * - Violations that extend no trust count as deviations, not as faults, because
 *   real issuers have them: the certificate is as its authority made it, is for
 *   signing documents and cannot certify others. A missing purpose, key usage
 *   or flag of the authority remains a fault, and so does a serial number that
 *   cannot be revoked.
 * - A signer that is an anchor itself is accepted as such, because the
 *   organization chose to trust exactly this certificate.
 * - A signer that is pinned for a sandbox may also be self-signed, an authority, or
 *   for another purpose. These faults are noted. It certifies nobody else, and if it
 *   is self-signed, nobody can revoke it: its CRL distribution points are ignored.
 * - The issuer alternative name is not checked.
 * - Signatures of less than 112 bits of security (SHA-1) and explicit curve
 *   parameters are refused.
 * - Revocation is not checked here: the decision receives its status.
 *
 * Memory: the pool. Threads: pure. Failures: `parameter_invalid` for input that
 * is not a certificate; everything else is in the result.
 */
#include <openssl/evp.h>

#include "methods/trust/x509_certificate.h"

/* A trusted certificate. */
typedef struct {
    idv_bytes_t certificate;      /* DER */
    int is_signer;                /* flag: a document signer's own */
    int is_pinned;                /* flag: a signer's that is pinned for a
                                   * sandbox, whatever it is for */
    const char *const *doc_types; /* document types that it may sign */
    int doc_type_count;           /* 0: all */
    /* Its origin: the list and its version, up to 640 bytes of text, to explain
     * a decision. */
    const char *list;
} idv_trust_anchor_t;

/* Faults of the profile: name, code. */
#define IDV_PROFILE_FAULTS(X)                                                  \
    X(ENCODING, "encoding")                                                    \
    X(VERSION, "version")                                                      \
    X(SERIAL_NUMBER, "serial_number")                                          \
    X(COUNTRY, "country")                                                      \
    X(CRITICAL_EXTENSION, "critical_extension")                                \
    X(IS_AUTHORITY, "is_authority")                                            \
    X(KEY_USAGE, "key_usage")                                                  \
    X(EXTENDED_KEY_USAGE, "extended_key_usage")                                \
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

/* Deviations from table B.3, and from B.1 for the authority, that extend no
 * trust; by their names in the reasons of mdl_findings.h. */
#define IDV_PROFILE_DEVIATIONS(X)                                              \
    X(ISSUER_PURPOSE_NOT_CRITICAL)                                             \
    X(ISSUER_PURPOSE_BROAD)         /* also for other purposes */        \
    X(ISSUER_KEY_USAGE_NOT_CRITICAL)                                           \
    X(ISSUER_KEY_USAGE_BROAD)       /* ... but not for certificates */         \
    X(ISSUER_TERM_LONG)                                                        \
    X(ISSUER_AUTHORITY_KEY_MISSING) /* it names its authority by name only */  \
    X(ISSUER_PLACE_UNUSUAL)         /* country in small letters, or a region   \
                                       that the authority writes otherwise */  \
    X(AUTHORITY_PATH_OPEN)          /* no path length, or not 0 */             \
    X(AUTHORITY_KEY_USAGE_NARROW)   /* not for revocation lists */

typedef enum {
    IDV_PROFILE_CONFORMING,
#define X(name) IDV_DEVIATION_##name,
    IDV_PROFILE_DEVIATIONS(X)
#undef X
} idv_profile_deviation_t;

/* Faults that are notes if the signer is pinned for a sandbox; by their names in
 * the reasons of mdl_findings.h. */
#define IDV_PIN_NOTES(X)                                                       \
    X(ISSUER_SELF_SIGNED)                                                      \
    X(ISSUER_IS_AUTHORITY)                                                     \
    X(ISSUER_KEY_USAGE_WRONG)                                                  \
    X(ISSUER_PURPOSE_MISSING)

typedef enum {
#define X(name) IDV_PIN_##name,
    IDV_PIN_NOTES(X)
#undef X
        IDV_PIN_NOTE_COUNT
} idv_pin_note_t;

/* The result for a signer. */
typedef struct {
    EVP_PKEY *key;
    idv_profile_fault_t profile;
    idv_profile_deviation_t deviation; /* the first one */
    unsigned pin_notes; /* 1 << idv_pin_note_t: of a pinned signer; 0: none */
    const idv_trust_anchor_t *anchor; /* its trust anchor; NULL: none */
    int is_current;    /* flag: it and its anchor are valid now; 0 without
                        * anchor */
    const char *country;    /* alpha-2 of its subject; NULL: none */
    const char *region;     /* ISO 3166-2 without the country; NULL: none */
    const char *serial;     /* hexadecimal */
    const char *fingerprint; /* SHA-256 of the certificate, hexadecimal */
    const char *anchor_fingerprint; /* of the anchor; NULL: none */
    idv_time_t not_before, not_after;
    int crl_address_count;
    const char *crl_addresses[IDV_CRL_ADDRESSES_MAX]; /* http or https */
} idv_signer_t;

/* The code; NULL for GOOD. The reverse gives -1 for unknown text. */
const char *idv_profile_fault_code(idv_profile_fault_t fault);
int idv_profile_fault_find(const char *code);

/* The trust settings for checking a document. */
typedef struct {
    const idv_trust_anchor_t *anchors;
    int anchor_count;
    idv_time_t now;
} idv_trust_t;

/* Checks CERTIFICATE, DER, as the signer of a document of DOC_TYPE. */
idv_error_t *idv_signer_examine(idv_bytes_t certificate, const char *doc_type,
                                const idv_trust_t *trust,
                                idv_signer_t **signer,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
