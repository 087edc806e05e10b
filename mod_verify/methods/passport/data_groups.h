/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_DATA_GROUPS_H
#define IDV_METHODS_PASSPORT_DATA_GROUPS_H

/*
 * Parsers of the files of a passport's chip (ICAO Doc 9303-10, 4.6 and 4.7):
 * the list of data groups (EF.COM), the machine-readable zone (DG1), further
 * details of the person (DG11), what the chip can prove (DG14) and its key for
 * active authentication (DG15). The portrait (DG2) is parsed by portrait.h, the
 * security object (EF.SOD) by passive_authentication.h.
 *
 * No file is trustworthy until its hash was found in the signed security
 * object; the parsers here only interpret the bytes. A file that violates the
 * standard gives `parameter_invalid` with the name of the file as its parameter
 * and never a value.
 *
 * Memory: byte strings point into the file, texts are in the result pool.
 * Threads: pure.
 */
#include "core/crypto.h"
#include "domain/value/civil_date.h"
#include "methods/document/mrz.h"

/* A set of data groups: the bit 1 << N of data group N, 1 to 16. */
typedef apr_uint32_t idv_data_groups_t;

/* EF.COM (9303-10, 4.6.1). Not signed: it only announces. */
idv_error_t *idv_ef_com_read(idv_bytes_t file, idv_data_groups_t *groups,
                             apr_pool_t *result) IDV_CHECKED;

/* DG1 (9303-10, 4.7.1): the rows of the zone, in the shape of TD1, TD2 or TD3,
 * with the characters A to Z, 0 to 9 and <. idv_mrz_parse() interprets them. */
idv_error_t *idv_dg1_read(idv_bytes_t file, idv_mrz_text_t *zone,
                          apr_pool_t *result) IDV_CHECKED;

/* DG11 (9303-10, 4.7.11). */
typedef struct {
    const char *name;            /* UTF-8, primary identifier first, with the
                                    fillers of the file (<); NULL: none */
    const char *personal_number; /* UTF-8; NULL: none */
    idv_date_t date_of_birth;    /* complete, or year 0: none */
} idv_personal_details_t;

/* Texts longer than 256 bytes, or not UTF-8 without control characters, are
 * left out, as are invalid dates; both occur in genuine chips. */
idv_error_t *idv_dg11_read(idv_bytes_t file, idv_personal_details_t *details,
                           apr_pool_t *result) IDV_CHECKED;

/* --- DG14 (9303-11, 9.2) --- */

/* The chip's key agreement. */
typedef enum {
    IDV_KEY_AGREEMENT_DH = 1, /* the numbers of the object identifiers */
    IDV_KEY_AGREEMENT_ECDH = 2
} idv_key_agreement_t;

/* The cipher of the protected messages. */
typedef enum {
    IDV_CHIP_CIPHER_3DES = 1, /* the numbers of the object identifiers */
    IDV_CHIP_CIPHER_AES_128 = 2,
    IDV_CHIP_CIPHER_AES_192 = 3,
    IDV_CHIP_CIPHER_AES_256 = 4
} idv_chip_cipher_t;

/* A method of chip authentication: a key and its parameters. */
typedef struct {
    idv_key_agreement_t agreement;
    idv_chip_cipher_t cipher;
    idv_bytes_t protocol;   /* the identifier's content bytes */
    idv_bytes_t public_key; /* SubjectPublicKeyInfo, DER */
    idv_bytes_t key_id;     /* big-endian number; length 0: none */
} idv_chip_key_t;

#define IDV_CHIP_KEYS_MAX 8

typedef struct {
    idv_chip_key_t keys[IDV_CHIP_KEYS_MAX]; /* the strongest cipher first */
    int key_count;
    idv_bytes_t signature_algorithm; /* of active authentication with ECDSA,
                                        identifier; length 0: not named */
} idv_security_infos_t;

/* A key without information about its use counts as one for 3DES (9303-11);
 * information about a missing key is left out, and anything else in DG14 is
 * ignored. */
idv_error_t *idv_dg14_read(idv_bytes_t file, idv_security_infos_t *infos,
                           apr_pool_t *result) IDV_CHECKED;

/* DG15 (9303-10, 4.7.15): the SubjectPublicKeyInfo. */
idv_error_t *idv_dg15_read(idv_bytes_t file, idv_bytes_t *public_key,
                           apr_pool_t *result) IDV_CHECKED;

#endif
