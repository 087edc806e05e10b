/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of images may agree on: rows of any characters that a
 * machine-readable zone has, in the shape of a layout or of a licence's. */
#include "fuzz/document_fuzz.h"

#include "methods/document/mrz.h"
#include "methods/document/mrz_licence.h"

#include <apr_strings.h>

/* The next line of *REST, parted by line feeds; "" behind the last. */
static const char *next_line(char **rest)
{
    char *line = *rest;

    *rest += strcspn(*rest, "\n");
    if (**rest)
        *(*rest)++ = '\0';
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    char *rest = apr_pstrmemdup(pool, (const char *)data, size);
    const char *lines[IDV_MRZ_MAX_ROWS];
    idv_mrz_text_t text = {0};
    idv_document_t *document;
    int count;

    for (int i = 0; i < IDV_MRZ_MAX_ROWS; i++)
        lines[i] = next_line(&rest);
    for (int rows = 1; rows <= IDV_MRZ_MAX_ROWS; rows++)
        promise(!idv_mrz_licence_is(rows, lines[0], (int)strlen(lines[0]))
                || strlen(lines[0]) >= IDV_MRZ_LICENCE_BEGINNING);
    count = *lines[2] ? 3 : 2;
    text.layout = idv_mrz_layout_find(count, (int)strlen(lines[0]), *lines[0]);
    if (text.layout)
        text.layout = idv_mrz_layout_for(text.layout, lines[0]);
    for (int row = 0; text.layout && row < count; row++) {
        int columns = idv_mrz_layout_columns(text.layout);

        memset(text.rows[row], '<', columns);
        for (int i = 0; i < columns && lines[row][i]; i++)
            if (idv_mrz_charset_has(IDV_MRZ_ALPHANUMERIC, lines[row][i]))
                text.rows[row][i] = lines[row][i];
    }
    if (text.layout) {
        promise(!idv_mrz_parse(&text, FUZZ_NOW, &document, pool));
        fuzz_document(document, pool);
    }
    apr_pool_destroy(pool);
    return 0;
}
