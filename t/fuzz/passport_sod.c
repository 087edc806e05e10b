/* SPDX-License-Identifier: Apache-2.0 */
/* A security object, its certificates and its signature. Without a CSCA no
 * security object proves anything. */
#include "fuzz/fuzz.h"

#include "methods/passport/passive_authentication.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char dg1[] = "\x61\x03\x5f\x1f\x00";
    apr_pool_t *pool = fuzz_pool();
    idv_chip_dump_t dump = { .files = { [IDV_CHIP_DG1] = { dg1, 5 } } };
    idv_passport_checks_t checks = { .is_made = { 0 } };
    idv_csca_trust_t trust = { idv_csca_list_create(pool), 1 };
    idv_passive_authentication_t told;

    if (size > 0 && size <= 65536) {
        dump.files[IDV_CHIP_SOD] = (idv_bytes_t){ data, size };
        idv_passive_authenticate(&dump, &trust, &checks, &told, pool);
        promise(checks.is_made[IDV_PASSPORT_CHECK_SECURITY_OBJECT]);
        promise(!told.csca);
        promise((told.matched & ~told.listed) == 0);
        idv_passport_checks_pass(&checks, IDV_PASSPORT_CHECK_ISSUING_STATE);
        promise(!idv_passport_checks_prove_data(&checks));
    }
    apr_pool_destroy(pool);
    return 0;
}
