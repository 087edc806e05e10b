/* SPDX-License-Identifier: Apache-2.0 */
/* The content of a VICAL, as if its signature were right; and times in it. */
#include "fuzz/fuzz.h"

#include "methods/trust/vical.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    idv_trust_content_t *content =
        idv_trust_content_create(IDV_TRUST_VICAL, pool);
    const idv_cbor_t *map;

    if (!idv_cbor_read((idv_bytes_t){data, size}, &budget, &map, pool)
        && !read_map(map, content, pool)) {
        promise(content->certificates->nelts > 0 && content->issued > 0);
        for (int i = 0; i < content->certificates->nelts; i++) {
            const idv_trust_certificate_t *item = &APR_ARRAY_IDX(
                content->certificates, i, idv_trust_certificate_t);

            promise(!item->is_signer && item->doc_type_count > 0
                    && item->doc_type_count <= IDV_TRUST_DOC_TYPES_MAX
                    && !item->doc_types[item->doc_type_count]);
        }
    }
    apr_pool_destroy(pool);
    return 0;
}
