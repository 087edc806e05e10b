/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of an MRZ, parted by line feeds, as OCR may hand them over. */
#include "fuzz/document_fuzz.h"

#include "methods/document/mrz.h"

#include <apr_strings.h>

#define LINES_MAX 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    char *rest = apr_pstrmemdup(pool, (const char *)data, size);
    const char *lines[LINES_MAX] = { "", "", "", "" };
    int count = 0;
    idv_mrz_text_t text, before;
    idv_document_t *document;

    while (rest && count < LINES_MAX) {
        lines[count++] = rest;
        rest = strchr(rest, '\n');
        if (rest)
            *rest++ = '\0';
    }
    if (!idv_mrz_text_from_lines(lines, count, &text, pool)) {
        promise(!idv_mrz_parse(&text, FUZZ_NOW, &document, pool));
        fuzz_document(document, pool);
        before = text;
        if (idv_mrz_repair(&text))
            promise(idv_mrz_wrong_check_digits(&text) == 0);
        else
            promise(memcmp(&before, &text, sizeof(text)) == 0);
        promise(text.repair_count <= IDV_MRZ_MAX_REPAIRS);
        promise(!idv_mrz_parse(&text, FUZZ_NOW, &document, pool));
        fuzz_document(document, pool);
    }
    apr_pool_destroy(pool);
    return 0;
}
