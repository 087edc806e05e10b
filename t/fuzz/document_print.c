/* SPDX-License-Identifier: Apache-2.0 */
/* What recognition may make of any print: words of any bytes, of which the first
 * says how sure it is and whether a line begins. */
#include "fuzz/document_fuzz.h"

static const idv_document_t documents[] = {
    {.kind = IDV_DOCUMENT_PASSPORT,
     .source = IDV_DOCUMENT_SOURCE_MRZ_TD3,
     .surname = "MUELLER GROSS",
     .given_names = "ERIKA MARIA",
     .number = "C01X00T47",
     .date_of_birth = {1964, 8, 12},
     .date_of_expiry = {2027, 2, 28}},
    {.kind = IDV_DOCUMENT_DRIVER_LICENSE,
     .source = IDV_DOCUMENT_SOURCE_PDF417_AAMVA,
     .surname = "O'\xc3\x96STERGAARD",
     .number = "123456789",
     .date_of_birth = {2007, 0, 0},
     .date_of_issue = {2024, 6, 6}},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_print_words_t *words = apr_pcalloc(pool, sizeof(*words));
    const idv_date_t today = {2026, 11, 23};
    int line = 1;

    for (size_t at = 0; at < size && words->count < IDV_PRINT_WORDS_MAX;) {
        idv_print_word_t *word = &words->at[words->count++];
        size_t length = 0;

        line += data[at] & 1;
        word->line = line;
        word->confidence = (data[at++] >> 1) / 127.0;
        while (at < size && data[at] > ' ' && length < IDV_PRINT_WORD_MAX - 1)
            word->text[length++] = (char)data[at++];
        at += at < size && data[at] == ' ';
    }
    for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++) {
        idv_print_comparison_t found;

        idv_print_compare(&documents[i], words, today, &found);
        for (int field = 0; field < IDV_PRINT_FIELD_COUNT; field++) {
            const idv_print_span_t *against = &found.against[field];

            if (found.verdicts.of[field] != IDV_PRINT_CONTRADICTED)
                continue;
            if (field == IDV_PRINT_HOLDER) { /* of all words, so of none */
                promise(against->count == 0);
                continue;
            }
            promise(against->count > 0 && against->first >= 0
                    && against->first + against->count <= words->count);
            for (int k = 0; k < against->count; k++)
                promise(words->at[against->first + k].confidence >= 0.8);
        }
    }
    apr_pool_destroy(pool);
    return 0;
}
