/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_PASSPORT_AUTHENTICATE_H
#define IDV_T_UNIT_PASSPORT_AUTHENTICATE_H

/*
 * Passive authentication of dumps that the tests make, and what its checks have
 * to say.
 */
#include "unit/passport_chip.h"

#include "methods/passport/passive_authentication.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define R(name) IDV_PASSPORT_REASON_##name
#define C(name) IDV_PASSPORT_CHECK_##name

static idv_passive_authentication_t told;

/* The checks on DUMP; what they rest on is in `told`. */
static inline idv_passport_checks_t
authenticate(apr_pool_t *pool, const idv_chip_dump_t *dump,
             const idv_csca_list_t *list)
{
    idv_passport_checks_t checks = { .is_made = { 0 } };
    idv_csca_trust_t trust = { list, CHIP_NOW };

    idv_passive_authenticate(dump, &trust, &checks, &told, pool);
    return checks;
}

/* Every check that was made passed, and all that had to be were. */
static inline void assert_passed(const idv_passport_checks_t *checks)
{
    for (int i = 0; i < IDV_PASSPORT_CHECK_COUNT; i++)
        if (checks->is_made[i] && checks->reasons[i] != R(NONE))
            fail_msg("%s: %s", idv_passport_check_code(i),
                     idv_passport_reason_code(checks->reasons[i]));
    assert_int_equal(idv_passport_checks_state(checks, C(CERTIFICATE_CHAIN)),
                     IDV_PASSPORT_PASSED);
    assert_int_equal(idv_passport_checks_state(checks, C(DATA_GROUP_HASHES)),
                     IDV_PASSPORT_PASSED);
}

/* REASON stands at its check, and no other check has one. */
static inline void assert_only(const idv_passport_checks_t *checks,
                        idv_passport_reason_t reason)
{
    for (int i = 0; i < IDV_PASSPORT_CHECK_COUNT; i++) {
        idv_passport_reason_t expected =
            i == (int)idv_passport_reason_check(reason) ? reason : R(NONE);

        if (checks->is_made[i] ? checks->reasons[i] != expected
                               : expected != R(NONE))
            fail_msg("%s: %s where %s is expected", idv_passport_check_code(i),
                     checks->is_made[i] && checks->reasons[i] != R(NONE)
                         ? idv_passport_reason_code(checks->reasons[i])
                         : "nothing",
                     idv_passport_reason_code(reason));
    }
}

static inline idv_chip_dump_t plain_dump(apr_pool_t *pool)
{
    idv_chip_dump_t dump = { .files = { [IDV_CHIP_DG1] =
                                            chip_dg1(pool, CHIP_ZONE),
                                        [IDV_CHIP_DG2] = chip_dg2(pool) } };

    return dump;
}

#endif
