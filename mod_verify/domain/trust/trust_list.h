/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRUST_TRUST_LIST_H
#define IDV_DOMAIN_TRUST_TRUST_LIST_H

/*
 * Trust lists: imported lists of certificates whose signatures are trusted.
 * Each list has a history of versions, at most one of them current.
 *
 * A list has one kind and belongs to one organization or to all. Evidence of an
 * organization is checked against the union of the current versions of its own
 * lists and of those for all. Importing a list again creates a new version;
 * older versions are kept, so that one can be restored and each decision
 * explained.
 *
 * A list of the kind SANDBOX_SIGNER pins document signers as they are, also with
 * certificates that no authority may issue. It belongs to a sandbox organization;
 * for any other organization it cannot be imported and does not apply.
 *
 * A certificate in a list is trusted as it is: the operator put it there, or a
 * publisher whose signature was verified at import
 * (methods/trust/trust_file.h).
 *
 * Memory: the given pool. Threads: pure. Failures: none.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/crypto.h"

/* Maximum bytes of an imported file, and certificates of a list. */
#define IDV_TRUST_FILE_MAX (16 * 1024 * 1024)
#define IDV_TRUST_CERTIFICATES_MAX 8192
/* Maximum characters of a list's name, and document types of a certificate. */
#define IDV_TRUST_NAME_MAX 200
#define IDV_TRUST_DOC_TYPES_MAX 16

/* The purpose of a list. */
typedef enum {
    IDV_TRUST_FOR_WALLETS,  /* issuers of mobile documents */
    IDV_TRUST_FOR_PASSPORTS /* country signing authorities */
} idv_trust_purpose_t;

/* Kind, value, purpose. */
#define IDV_TRUST_KINDS(X)                                                     \
    X(IACA, "iaca", WALLETS)   /* certificates of issuing authorities */       \
    X(VICAL, "vical", WALLETS) /* ISO/IEC 18013-5, annex C */                  \
    X(ETSI, "etsi", WALLETS)   /* TS 119 612 (XML), TS 119 602 (JSON) */       \
    X(SANDBOX_SIGNER, "sandbox-signer", WALLETS) /* certificates of signers */ \
    X(CSCA, "csca", PASSPORTS) /* certificates */                              \
    X(CSCA_MASTER_LIST, "csca-master-list", PASSPORTS) /* 9303-12, 9 */

typedef enum {
#define X(name, value, purpose) IDV_TRUST_##name,
    IDV_TRUST_KINDS(X)
#undef X
        IDV_TRUST_KIND_COUNT
} idv_trust_kind_t;

/* "iaca"; the parser returns -1 for unknown text. */
const char *idv_trust_kind_value(idv_trust_kind_t kind);
int idv_trust_kind_parse(const char *value);
/* Non-zero if files of this kind are plain certificates, which nobody signed. */
int idv_trust_kind_is_plain(idv_trust_kind_t kind);
idv_trust_purpose_t idv_trust_kind_purpose(idv_trust_kind_t kind);

/* --- contents --- */

/* A certificate of a list. */
typedef struct {
    idv_bytes_t certificate; /* DER */
    int is_signer;           /* signs documents directly, not certificates */
    const char *const *doc_types; /* document types that it may sign,
                                   * NULL-terminated; NULL: not stated */
    int doc_type_count;           /* 0: all */
} idv_trust_certificate_t;

/* The content of a file with a verified signature. */
typedef struct {
    idv_trust_kind_t kind;
    const char *name;     /* the publisher's name in the file; NULL: none */
    apr_int64_t sequence; /* rises with each edition; 0: none */
    idv_time_t issued;    /* 0: not stated; so for the next */
    idv_time_t next_update;
    const char *signer; /* SHA-256 of the certificate that signed the file,
                         * hexadecimal; NULL: not signed */
    int passed_over;    /* number of unusable entries skipped */
    apr_array_header_t *certificates; /* idv_trust_certificate_t, without
                                       * duplicates */
} idv_trust_content_t;

/* --- differences --- */

typedef enum {
    IDV_TRUST_ADDED,
    IDV_TRUST_REMOVED,
    IDV_TRUST_CHANGED /* for different documents than before */
} idv_trust_change_kind_t;

typedef struct {
    idv_trust_change_kind_t kind;
    const idv_trust_certificate_t *certificate; /* the new one; for REMOVED the
                                                 * old one */
} idv_trust_change_t;

typedef struct {
    apr_array_header_t *changes; /* idv_trust_change_t in the order of the new
                                  * list, then the removed ones */
    int kept;                    /* number of unchanged certificates */
} idv_trust_difference_t;

/* "added", "removed", "changed". */
const char *idv_trust_change_value(idv_trust_change_kind_t kind);

/* Compares the certificates AFTER with those BEFORE, arrays of
 * idv_trust_certificate_t into which the result points. */
void idv_trust_compare(const apr_array_header_t *before,
                       const apr_array_header_t *after,
                       idv_trust_difference_t *difference, apr_pool_t *pool);

/* Non-zero if a file with SEQUENCE and ISSUED (0: not stated) is an older
 * edition than one with the LAST values. */
int idv_trust_is_older(apr_int64_t sequence, idv_time_t issued,
                       apr_int64_t last_sequence, idv_time_t last_issued);

/* --- anchors --- */

/* The version of a list, as decisions name it. */
typedef struct {
    const char *list_id;    /* tls_ */
    const char *version_id; /* tlv_ */
    idv_trust_kind_t kind;
    const char *name;
    apr_int64_t sequence; /* 0: none; so for the next two */
    idv_time_t issued;
    idv_time_t next_update; /* date of the next edition announced by the
                             * publisher; the list stays in use after it */
    idv_time_t imported;
} idv_trust_version_t;

typedef struct {
    idv_trust_certificate_t trusted;
    const idv_trust_version_t *version; /* that contains it */
} idv_trust_anchor_entry_t;

/* The certificates against which an organization's evidence is checked. A
 * certificate in several lists has an entry for each. */
typedef struct {
    const idv_trust_version_t *versions;
    int version_count;
    const idv_trust_anchor_entry_t *entries; /* in the order of VERSIONS */
    int entry_count;
} idv_trust_anchors_t;

/* The source of trust as named by a check: kind, name, version and, if present,
 * the edition's number ("vical AAMVA tlv_… #41"), at most IDV_TRUST_SOURCE_MAX
 * bytes of printable UTF-8. */
#define IDV_TRUST_SOURCE_MAX 256
const char *idv_trust_source(const idv_trust_version_t *version,
                             apr_pool_t *pool);

#endif
