/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRUST_TRUST_LIST_H
#define IDV_DOMAIN_TRUST_TRUST_LIST_H

/*
 * Whom signed evidence is believed: lists of certificates that an operator has
 * imported, each with a history of versions of which at most one is current.
 *
 * A list is of one kind and belongs to one organization or to all. What evidence
 * of an organization is checked against is the sum of the current versions of
 * its own lists and of those for all. Importing a list again makes a new version;
 * older ones stay, so that one can be brought back and each decision explained.
 *
 * A certificate in a list is trusted as it stands: putting it there was the
 * decision of the operator, or of the publisher whose signature was checked when
 * the file was imported (methods/trust/trust_file.h).
 *
 * Memory: the pool given. Threads: pure. Failures: none.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/crypto.h"

/* Bytes of a file that is imported, and certificates of a list. */
#define IDV_TRUST_FILE_MAX (16 * 1024 * 1024)
#define IDV_TRUST_CERTIFICATES_MAX 8192
/* Characters of the name of a list, and of document types of a certificate. */
#define IDV_TRUST_NAME_MAX 200
#define IDV_TRUST_DOC_TYPES_MAX 16

/* What a list is good for. */
typedef enum {
    IDV_TRUST_FOR_WALLETS,  /* issuers of mobile documents */
    IDV_TRUST_FOR_PASSPORTS /* country signing authorities */
} idv_trust_purpose_t;

/* Kind, value, what it is good for. */
#define IDV_TRUST_KINDS(X)                                                     \
    X(IACA, "iaca", WALLETS)   /* certificates of issuing authorities */       \
    X(VICAL, "vical", WALLETS) /* ISO/IEC 18013-5, annex C */                  \
    X(ETSI, "etsi", WALLETS)   /* TS 119 612 (XML), TS 119 602 (JSON) */       \
    X(CSCA, "csca", PASSPORTS) /* certificates */                              \
    X(CSCA_MASTER_LIST, "csca-master-list", PASSPORTS) /* 9303-12, 9 */

typedef enum {
#define X(name, value, purpose) IDV_TRUST_##name,
    IDV_TRUST_KINDS(X)
#undef X
        IDV_TRUST_KIND_COUNT
} idv_trust_kind_t;

/* "iaca"; the reverse gives -1 for another text. */
const char *idv_trust_kind_value(idv_trust_kind_t kind);
int idv_trust_kind_parse(const char *value);
idv_trust_purpose_t idv_trust_kind_purpose(idv_trust_kind_t kind);

/* --- contents --- */

/* A certificate of a list. */
typedef struct {
    idv_bytes_t certificate; /* DER */
    int is_signer;           /* of documents itself, and of no certificates */
    const char *const *doc_types; /* that it may sign, NULL-terminated; NULL
                                     when the list does not say */
    int doc_type_count;           /* 0: all */
} idv_trust_certificate_t;

/* What a file says, after its signature was checked. */
typedef struct {
    idv_trust_kind_t kind;
    const char *name;     /* that the publisher gives itself; NULL: none */
    apr_int64_t sequence; /* that rises with each edition; 0: none */
    idv_time_t issued;    /* 0: not stated, as the next */
    idv_time_t next_update;
    const char *signer;   /* SHA-256 of the certificate whose key has signed
                             the file, hexadecimal; NULL: it is not signed */
    int passed_over;      /* entries that are good for nothing here */
    apr_array_header_t *certificates; /* of idv_trust_certificate_t, each once */
} idv_trust_content_t;

/* --- what changes --- */

typedef enum {
    IDV_TRUST_ADDED,
    IDV_TRUST_REMOVED,
    IDV_TRUST_CHANGED /* for other documents than before */
} idv_trust_change_kind_t;

typedef struct {
    idv_trust_change_kind_t kind;
    const idv_trust_certificate_t *certificate; /* as it is now; of REMOVED as
                                                   it was */
} idv_trust_change_t;

typedef struct {
    apr_array_header_t *changes; /* of idv_trust_change_t: as in the new list,
                                    then what was removed */
    int kept;                    /* certificates that stay as they are */
} idv_trust_difference_t;

/* "added", "removed", "changed". */
const char *idv_trust_change_value(idv_trust_change_kind_t kind);

/* How the certificates AFTER differ from those BEFORE, arrays of
 * idv_trust_certificate_t into which the result points. */
void idv_trust_compare(const apr_array_header_t *before,
                       const apr_array_header_t *after,
                       idv_trust_difference_t *difference, apr_pool_t *pool);

/* Non-zero when a file with SEQUENCE and ISSUED (0: not stated) is an older
 * edition than one with the LAST ones. */
int idv_trust_is_older(apr_int64_t sequence, idv_time_t issued,
                       apr_int64_t last_sequence, idv_time_t last_issued);

/* --- anchors --- */

/* A version of a list, as a decision names it. */
typedef struct {
    const char *list_id;    /* tls_ */
    const char *version_id; /* tlv_ */
    idv_trust_kind_t kind;
    const char *name;
    apr_int64_t sequence;   /* 0: none, as the next two */
    idv_time_t issued;
    idv_time_t next_update; /* when the publisher promised another edition: a
                               list stays in use after it */
    idv_time_t imported;
} idv_trust_version_t;

typedef struct {
    idv_trust_certificate_t trusted;
    const idv_trust_version_t *version; /* in which it stands */
} idv_trust_anchor_entry_t;

/* What evidence of an organization is checked against. A certificate that
 * several lists hold stands in each of them. */
typedef struct {
    const idv_trust_version_t *versions;
    int version_count;
    const idv_trust_anchor_entry_t *entries; /* in the order of VERSIONS */
    int entry_count;
} idv_trust_anchors_t;

/* What a check says its trust comes from: kind, name, version and, if there is
 * one, number of the edition ("vical AAMVA tlv_… #41"), at most
 * IDV_TRUST_SOURCE_MAX bytes of printable UTF-8. */
#define IDV_TRUST_SOURCE_MAX 256
const char *idv_trust_source(const idv_trust_version_t *version,
                             apr_pool_t *pool);

#endif
