/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_CSCA_LIST_H
#define IDV_METHODS_PASSPORT_CSCA_LIST_H

/*
 * The country signing certificates (CSCA) that passports are checked against,
 * and the readers of their files: master lists (ICAO Doc 9303-12, 9; those of
 * ICAO and of states such as Germany have one format) and plain certificates,
 * in DER or PEM.
 *
 * Every certificate of a list is trusted as such, self-signed or not, because
 * the operator put it there. So link certificates are equivalent to roots, and
 * several certificates may have one name.
 *
 * Each certificate keeps the name of its source, a text of the caller with the
 * version of the file ("german-master-list 2026-01-07"), so that a decision can
 * name its basis. Duplicates are ignored.
 *
 * Memory: the list's pool, into which certificates are copied. Threads: several
 * threads may read a list that no longer grows.
 */
#include <apr_tables.h>

#include "methods/passport/certificate.h"

/* Bytes of the longest file, and certificates of the longest list. */
#define IDV_CSCA_FILE_MAX (16 * 1024 * 1024)
#define IDV_CSCA_LIST_MAX 8192
/* Bytes of the longest name of a source, which is printable. */
#define IDV_CSCA_SOURCE_MAX 256

typedef struct {
    idv_certificate_t certificate;
    const char *source;
} idv_csca_t;

typedef struct {
    apr_array_header_t *items; /* of idv_csca_t */
    apr_pool_t *pool;
} idv_csca_list_t;

/* Information about a master list. */
typedef struct {
    int certificates;          /* in the list */
    int added;                 /* certificates that were new */
    idv_time_t signing_time;   /* 0: not stated */
    idv_bytes_t signer;        /* certificate, DER */
    idv_bytes_t signer_issuer; /* the CSCA that signed it, DER */
    int is_anchored;           /* flag: that CSCA was trusted before; else it
                                  came with the file and vouches for itself */
} idv_master_list_t;

/* The result of searching for the issuer of a document signer. */
typedef enum {
    IDV_CSCA_FOUND,
    IDV_CSCA_UNKNOWN,         /* no certificate of this issuer, or others with
                                 its name */
    IDV_CSCA_SIGNATURE_WRONG, /* the named key did not sign this */
    IDV_CSCA_UNSUPPORTED      /* found, but with an unknown algorithm */
} idv_csca_search_t;

idv_csca_list_t *idv_csca_list_create(apr_pool_t *pool);

/* Adds the certificate in DER; `parameter_invalid` if it is not a certificate
 * or may not sign others, SOURCE is not a valid name, or the list is full.
 * ADDED (may be NULL) is set to 0 if it was there before. */
idv_error_t *idv_csca_list_add(idv_csca_list_t *list, idv_bytes_t der,
                               const char *source, int *added) IDV_CHECKED;

/* Adds the certificates of a file: one in DER, or any number in PEM (RFC 7468).
 * COUNT is the number of new ones. All or nothing is added. */
idv_error_t *idv_csca_list_read_certificates(idv_csca_list_t *list,
                                             idv_bytes_t file,
                                             const char *source,
                                             int *count) IDV_CHECKED;

/* Adds the certificates of a master list, all or nothing, after checking its
 * signature. The signer must be one for master lists and valid at the signing
 * time, or at NOW if the list does not state one. Its certificate must be
 * signed by a CSCA that was in LIST before or, failing that, by one that came
 * with the file (see `is_anchored`). Certificates that are not authorities are
 * ignored. Errors are `parameter_invalid` with a text for the operator. */
idv_error_t *idv_csca_list_read_master_list(idv_csca_list_t *list,
                                            idv_bytes_t file,
                                            const char *source, idv_time_t now,
                                            idv_master_list_t *told)
    IDV_CHECKED;

/* --- transfer between processes --- */

/* A certificate and its source, as for idv_csca_list_add(). */
typedef struct {
    idv_bytes_t der;
    const char *source;
} idv_csca_entry_t;

/* Packs COUNT entries into one byte string; entries longer than a list allows
 * are left out. */
idv_bytes_t idv_csca_pack(const idv_csca_entry_t *entries, int count,
                          apr_pool_t *pool);

/* Non-zero if one of the packed certificates has the SHA-256 FINGERPRINT,
 * hexadecimal digits in lower case. */
int idv_csca_pack_has(idv_bytes_t packed, const char *fingerprint,
                      apr_pool_t *pool);

/* Adds the packed certificate with this FINGERPRINT and all others of its
 * subject to NAMESAKES, an array of idv_bytes_t: an authority that renews its
 * key signs one CRL for all its certificates with the newest key (9303-12,
 * 7.1.4). */
void idv_csca_pack_namesakes(idv_bytes_t packed, const char *fingerprint,
                             apr_array_header_t *namesakes, apr_pool_t *pool);

/* Adds packed certificates. Those that idv_csca_list_add() refuses are ignored,
 * so that one bad certificate does not disable all others. Internal error for
 * bytes that were not packed here. */
idv_error_t *idv_csca_list_unpack(idv_csca_list_t *list,
                                  idv_bytes_t packed) IDV_CHECKED;

/* The CSCA that signed CERTIFICATE: among those with the name of its issuer, or
 * the key that it names, the one whose key made the signature; if several, the
 * one that is valid at NOW. */
idv_csca_search_t idv_csca_list_find_issuer(const idv_csca_list_t *list,
                                            const idv_certificate_t *certificate,
                                            idv_time_t now,
                                            const idv_csca_t **issuer,
                                            apr_pool_t *pool);

#endif
