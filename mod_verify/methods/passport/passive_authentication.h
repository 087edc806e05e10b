/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PASSIVE_AUTHENTICATION_H
#define IDV_METHODS_PASSPORT_PASSIVE_AUTHENTICATION_H

/*
 * Passive authentication (ICAO Doc 9303-11, 5.1): checks that the files of the
 * chip are those that their issuer signed.
 *
 * The checks, in this order (passport_checks.h):
 * - EF.SOD is SignedData around an LDS security object of version 0 or 1
 *   (9303-10, 4.6.2). The content decides: another content type, or a version
 *   of SignedData other than 3, is a deviation.
 * - Its signature is that of the document signer whose certificate is inside.
 *   If there are several signers, the first with a right signature and a
 *   certificate signed by a CSCA of the list is used.
 * - That certificate is suitable: not an authority, digital signatures allowed,
 *   no unknown critical extension.
 * - It is signed by a CSCA of the caller's list.
 * - The LDS security object contains the hash of every data group that was
 *   sent, over the whole file.
 * - EF.COM, if sent, announces the data groups that the security object lists.
 *
 * The time is only used to choose between certificates of one key. The decision
 * (passport_decision.h), which gets their dates, checks validity and
 * revocation.
 *
 * It proves the data, not the chip: a copy passes.
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
    idv_data_groups_t matched;    /* sent, with the listed hash */
    int has_signer;               /* flag: `signer` is set */
    idv_certificate_t signer;
    const idv_csca_t *csca; /* that signed the signer; NULL: none */
} idv_passive_authentication_t;

/* The trusted CSCAs, and the time. */
typedef struct {
    const idv_csca_list_t *list;
    idv_time_t now;
} idv_csca_trust_t;

/* Checks DUMP, which must have an EF.SOD, and sets RESULT to the basis of the
 * checks. */
void idv_passive_authenticate(const idv_chip_dump_t *dump,
                              const idv_csca_trust_t *trust,
                              idv_passport_checks_t *checks,
                              idv_passive_authentication_t *result,
                              apr_pool_t *pool);

#endif
