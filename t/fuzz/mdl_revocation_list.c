/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of revoked certificates and documents, which nobody has signed here. */
#include "fuzz/fuzz.h"

#include "methods/mdl/revocation_list.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    const idv_revocation_trust_t trust = {NULL, 0, 20000 * IDV_DAY};
    idv_bytes_t bytes = {data, size};
    idv_time_t end = idv_revocation_list_fresh_until(bytes, IDV_DAY, pool);
    X509_CRL *crl = read_crl(bytes, pool);
    unsigned char byte;
    idv_crl_t list;

    promise(end >= IDV_DAY + FRESH_MIN && end <= IDV_DAY + FRESH_MAX);
    promise(idv_crl_says(bytes, "4d", &trust, pool) == IDV_REVOCATION_UNKNOWN);
    promise(idv_status_list_says(bytes, "https://a", 1, &trust, pool)
            == IDV_REVOCATION_UNKNOWN);
    promise(idv_identifier_list_says(bytes, "https://a", bytes, &trust, pool)
            == IDV_REVOCATION_UNKNOWN);
    promise(idv_crl_fault(bytes, &trust, pool) != NULL);
    if (!idv_crl_read(bytes, &list, pool))
        promise(list.der.length > 0 && list.revoked >= 0);
    /* What stands behind the signatures. */
    if (crl && has_known_extensions(crl) && is_crl_current(crl, trust.now)
        && has_strong_digest(crl))
        promise(look_up(crl, "4d") != IDV_REVOCATION_UNKNOWN);
    promise(unpack_byte(bytes, IDV_REVOCATION_LIST_MAX, &byte) == 0);
    unpack_byte(bytes, 70000, &byte);
    apr_pool_destroy(pool);
    return 0;
}
