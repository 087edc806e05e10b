/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_CSCA_LIST_H
#define IDV_METHODS_PASSPORT_CSCA_LIST_H

/*
 * The country signing certificates (CSCA) that passports are checked against,
 * and the readers of the files in which they are handed on: master lists (ICAO
 * Doc 9303-12, 9; those of ICAO and of states such as Germany have one format)
 * and plain certificates, in DER or PEM.
 *
 * Every certificate of a list is trusted as it stands, self-signed or not: what
 * puts it there is the operator's decision, not a signature. Link certificates
 * are therefore as good as roots, and several certificates may have one name.
 *
 * Each certificate keeps the name of its source, a text of the caller's with
 * the version of the file ("german-master-list 2026-01-07"), so that a decision
 * can tell what it rests on. A certificate that comes again adds nothing.
 *
 * Memory: the list's pool, into which certificates are copied. Threads: a list
 * that is no longer added to may be read by several.
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

/* What a master list says of itself. */
typedef struct {
    int certificates;          /* in the list */
    int added;                 /* certificates that were not there before */
    idv_time_t signing_time;   /* 0: not stated */
    idv_bytes_t signer;        /* certificate, DER */
    idv_bytes_t signer_issuer; /* the CSCA that signed it, DER */
    int is_anchored;           /* that CSCA was trusted before; else it came
                                  with the file, and vouches for itself */
} idv_master_list_t;

/* How the search for the issuer of a document signer ended. */
typedef enum {
    IDV_CSCA_FOUND,
    IDV_CSCA_UNKNOWN,         /* no certificate of this issuer is there, or
                                 others that have its name */
    IDV_CSCA_SIGNATURE_WRONG, /* the key that is named did not sign this */
    IDV_CSCA_UNSUPPORTED      /* there is one, of an unknown algorithm */
} idv_csca_search_t;

idv_csca_list_t *idv_csca_list_create(apr_pool_t *pool);

/* Adds the certificate in DER; `parameter_invalid` when it is none, or may not
 * sign others, or SOURCE is no such name, or the list is full. ADDED (may be
 * NULL) is set to 0 when it was there before. */
idv_error_t *idv_csca_list_add(idv_csca_list_t *list, idv_bytes_t der,
                               const char *source, int *added) IDV_CHECKED;

/* Adds the certificates of a file: one certificate in DER, or any number in PEM
 * (RFC 7468). COUNT is how many are new. All or nothing is added. */
idv_error_t *idv_csca_list_read_certificates(idv_csca_list_t *list,
                                             idv_bytes_t file,
                                             const char *source,
                                             int *count) IDV_CHECKED;

/* Adds the certificates of a master list, all or nothing, after its signature
 * was checked: the signer must be one of master lists and have been valid when
 * it signed, or at NOW where the list does not say when, and its certificate
 * must be signed by a CSCA of the list LIST as it was before or, failing that,
 * by one that came with the file (`is_anchored` tells). Certificates that are
 * no authorities are passed over. Errors are `parameter_invalid` with a text
 * for the operator. */
idv_error_t *idv_csca_list_read_master_list(idv_csca_list_t *list,
                                            idv_bytes_t file,
                                            const char *source, idv_time_t now,
                                            idv_master_list_t *told)
    IDV_CHECKED;

/* --- from one process to another --- */

/* A certificate and its source, as idv_csca_list_add() takes them. */
typedef struct {
    idv_bytes_t der;
    const char *source;
} idv_csca_entry_t;

/* COUNT entries as one text of bytes; longer ones than a list may have are left
 * out. */
idv_bytes_t idv_csca_pack(const idv_csca_entry_t *entries, int count,
                          apr_pool_t *pool);

/* Non-zero when one of the packed certificates has the SHA-256 FINGERPRINT,
 * hexadecimal digits in lower case. */
int idv_csca_pack_has(idv_bytes_t packed, const char *fingerprint,
                      apr_pool_t *pool);

/* Adds to NAMESAKES, an array of idv_bytes_t, the packed certificate with this
 * FINGERPRINT and all others of its subject: who signs the lists of what the
 * first has certified, since an authority that renews its key signs one list for
 * all, with the newest (9303-12, 7.1.4). */
void idv_csca_pack_namesakes(idv_bytes_t packed, const char *fingerprint,
                             apr_array_header_t *namesakes, apr_pool_t *pool);

/* Adds what was packed. Certificates that idv_csca_list_add() refuses are passed
 * over, so that one of them does not take its passports from all others. Internal
 * error for bytes that were not packed here. */
idv_error_t *idv_csca_list_unpack(idv_csca_list_t *list,
                                  idv_bytes_t packed) IDV_CHECKED;

/* The CSCA that signed CERTIFICATE: of those with the name of its issuer, or
 * the key that it names, the one whose key made the signature; of several the
 * one that is valid at NOW. */
idv_csca_search_t idv_csca_list_find_issuer(const idv_csca_list_t *list,
                                            const idv_certificate_t *certificate,
                                            idv_time_t now,
                                            const idv_csca_t **issuer,
                                            apr_pool_t *pool);

#endif
