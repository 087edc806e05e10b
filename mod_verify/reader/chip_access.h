/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_READER_CHIP_ACCESS_H
#define IDV_READER_CHIP_ACCESS_H

/*
 * Access to a passport's chip (ICAO Doc 9303-11, 4): PACE with generic mapping
 * over elliptic curves and AES where the chip offers it, else basic access
 * control. Afterwards the link uses a secure channel and the passport
 * application is selected.
 *
 * The password is printed on the document: data of the machine-readable zone,
 * or (PACE only) the card access number. PACE with other mappings, or over DH
 * or 3DES, is not supported; such a chip is tried with basic access control.
 *
 * Memory: the given pool; secrets are wiped before a function returns. Threads:
 * one. Failures: internal errors with a text for the operator.
 */
#include "reader/chip_link.h"

typedef struct {
    const char *number; /* of the document, as in the zone, without fillers */
    const char *birth;  /* YYMMDD */
    const char *expiry;
    const char *access_number; /* six digits; NULL: the zone is known */
} idv_chip_password_t;

/* The password from the text of a machine-readable zone: two rows of 44 or 36
 * characters or three of 30, with or without line ends. */
idv_error_t *idv_chip_password_of_zone(const char *zone,
                                       idv_chip_password_t *password,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Gains access. *HOW is "pace" or "bac". */
idv_error_t *idv_chip_access(idv_chip_link_t *link,
                             const idv_chip_password_t *password,
                             const char **how, apr_pool_t *pool) IDV_CHECKED;

#endif
