/* SPDX-License-Identifier: Apache-2.0 */
/* CBOR of a wallet: no item leaves the bytes that it was read from, and each
 * reads again by itself. */
#include "fuzz/fuzz.h"
#include "methods/mdl/cbor.h"

static void check_item(const idv_cbor_t *item, idv_bytes_t outer, int depth,
                       apr_pool_t *pool)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *child = item->first;
    int children = item->type == IDV_CBOR_MAP ? 2 * item->count : item->count;

    promise(depth <= IDV_CBOR_MAX_DEPTH);
    promise(item->encoded.length > 0 && item->encoded.data >= outer.data
            && item->encoded.data + item->encoded.length
                   <= outer.data + outer.length);
    if (item->type == IDV_CBOR_TEXT)
        promise(strlen(idv_cbor_text(item)) == item->content.length);
    if (item->type == IDV_CBOR_MAP && item->count)
        promise(idv_cbor_is(child, IDV_CBOR_TEXT)
                    ? idv_cbor_member(item, idv_cbor_text(child)) != NULL
                    : child->number > APR_INT64_MAX
                          || idv_cbor_member_number(
                                 item, child->type == IDV_CBOR_UNSIGNED
                                           ? (apr_int64_t)child->number
                                           : -1 - (apr_int64_t)child->number)
                                 != NULL);
    for (int i = 0; i < children; i++, child = child->next)
        check_item(child, item->encoded, depth + 1, pool);
    promise(!child);
    if (!idv_cbor_open(item, &budget, &child, pool))
        promise(item->number == IDV_CBOR_TAG_EMBEDDED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_bytes_t bytes = { data, size };
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *item;

    if (!idv_cbor_read(bytes, &budget, &item, pool)) {
        promise(item->encoded.length == size);
        check_item(item, bytes, 0, pool);
    }
    apr_pool_destroy(pool);
    return 0;
}
