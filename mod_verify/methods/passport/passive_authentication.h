/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PASSIVE_AUTHENTICATION_H
#define IDV_METHODS_PASSPORT_PASSIVE_AUTHENTICATION_H

/*
 * Passive authentication (ICAO Doc 9303-11, 5.1): the files of the chip are what
 * their issuer signed.
 *
 * In this order, each a check of its own (passport_checks.h):
 * - EF.SOD is SignedData around an LDS security object of version 0 or 1
 *   (9303-10, 4.6.2). What says so is the content: another type of content, or
 *   another version of SignedData than 3, is a deviation.
 * - Its signature is that of the document signer whose certificate is inside. Of
 *   several signers the first counts whose signature is right and whose
 *   certificate is signed by a CSCA of the list.
 * - That certificate is for it: no authority, digital signatures allowed, no
 *   critical extension that is not known.
 * - It is signed by a CSCA of the list that the caller gives.
 * - The hash of every data group that was sent stands in the LDS security
 *   object, over the whole file.
 * - EF.COM, where it was sent, announces what the security object lists.
 *
 * Nothing here asks for the time but to choose between certificates of one key:
 * whether the certificates are valid, and whether they were revoked, is for the
 * decision (passport_decision.h), which is given their dates.
 *
 * It proves the data and not the chip: a copy passes.
 *
 * Memory: byte strings point into the dump and the list. Threads: pure.
 */
#include "methods/passport/chip_dump.h"
#include "methods/passport/csca_list.h"
#include "methods/passport/data_groups.h"
#include "methods/passport/passport_checks.h"

typedef struct {
    int lds_version;              /* 0 or 1 */
    idv_data_groups_t listed;     /* in the security object */
    idv_data_groups_t matched;    /* sent, with the hash that is listed */
    int has_signer;               /* then the next is filled */
    idv_certificate_t signer;
    const idv_csca_t *csca; /* that signed the signer; NULL: none */
} idv_passive_authentication_t;

/* Who is trusted, and when. */
typedef struct {
    const idv_csca_list_t *list;
    idv_time_t now;
} idv_csca_trust_t;

/* Makes the checks on DUMP, which must have an EF.SOD, and says in RESULT what
 * they rest on. */
void idv_passive_authenticate(const idv_chip_dump_t *dump,
                              const idv_csca_trust_t *trust,
                              idv_passport_checks_t *checks,
                              idv_passive_authentication_t *result,
                              apr_pool_t *pool);

#endif
