/* SPDX-License-Identifier: Apache-2.0 */
/* What an operator may import as trusted: master lists and certificates. */
#include "fuzz/fuzz.h"

#include "methods/passport/csca_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_bytes_t file = { data, size };
    idv_csca_list_t *list = idv_csca_list_create(pool);
    idv_master_list_t told;
    int count = 0;

    if (idv_csca_list_read_master_list(list, file, "fuzz", 1, &told))
        promise(list->items->nelts == 0);
    else
        promise(list->items->nelts == told.added && told.signer.length > 0);
    list = idv_csca_list_create(pool);
    if (idv_csca_list_read_certificates(list, file, "fuzz", &count))
        promise(list->items->nelts == 0);
    else
        promise(list->items->nelts == count);
    for (int i = 0; i < list->items->nelts; i++)
        promise(idv_certificate_may_sign_certificates(
            &APR_ARRAY_IDX(list->items, i, idv_csca_t).certificate));
    apr_pool_destroy(pool);
    return 0;
}
