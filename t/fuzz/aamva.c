/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a PDF417 symbol. */
#include "fuzz/document_fuzz.h"

#include "methods/document/aamva.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_bytes_t payload = { data, size };
    idv_document_t *document;

    if (!idv_aamva_parse(payload, FUZZ_NOW, &document, pool))
        fuzz_document(document, pool);
    apr_pool_destroy(pool);
    return 0;
}
