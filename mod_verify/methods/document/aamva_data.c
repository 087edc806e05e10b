/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/aamva_data.h"

#include <string.h>

#include <apr_cstr.h>
#include <apr_strings.h>

/* Non-zero if BYTES have the structure of UTF-8. */
static int is_utf8(const unsigned char *bytes, apr_size_t length)
{
    for (apr_size_t i = 0; i < length;) {
        int more = bytes[i] < 0x80                         ? 0
                   : bytes[i] >= 0xc2 && bytes[i] <= 0xdf ? 1
                   : bytes[i] >= 0xe1 && bytes[i] <= 0xec ? 2
                                                          : -1;

        if (more < 0 || i + more >= length)
            return 0;
        for (int k = 1; k <= more; k++)
            if ((bytes[i + k] & 0xc0) != 0x80)
                return 0;
        i += more + 1;
    }
    return 1;
}

static int is_padding(unsigned char c)
{
    return c <= ' ' || c == ',';
}

/* The letters of code page 437 from 0x80 to 0xa5, where ISO 8859-1 has control
 * characters and signs; 0 where code page 437 also has a sign. Puerto Rico and
 * others print them so. */
static const unsigned char page_437[] = {
    0xc7, 0xfc, 0xe9, 0xe2, 0xe4, 0xe0, 0xe5, 0xe7, 0xea, 0xeb,
    0xe8, 0xef, 0xee, 0xec, 0xc4, 0xc5, 0xc9, 0xe6, 0xc6, 0xf4,
    0xf6, 0xf2, 0xfb, 0xf9, 0xff, 0xd6, 0xdc, 0,    0,    0,
    0,    0,    0xe1, 0xed, 0xf3, 0xfa, 0xf1, 0xd1};

/* Non-zero if BYTES, which are not UTF-8, are in code page 437: one byte is a
 * letter of it, and none is a letter of ISO 8859-1. */
static int is_page_437(const unsigned char *bytes, apr_size_t length)
{
    int found = 0;

    for (apr_size_t i = 0; i < length; i++) {
        if (bytes[i] >= 0xc0)
            return 0;
        found |= bytes[i] >= 0x80 && bytes[i] < 0x80 + sizeof(page_437);
    }
    return found;
}

/* The value as UTF-8; if it is not, it is converted from code page 437 or ISO
 * 8859-1 (D.12.2). */
static const char *element_value(const unsigned char *bytes, apr_size_t length,
                                 apr_pool_t *pool)
{
    char *value = apr_palloc(pool, 2 * length + 1), *out = value;
    int utf8, is_437;

    while (length > 0 && is_padding(bytes[length - 1]))
        length--;
    while (length > 0 && is_padding(bytes[0])) {
        bytes++;
        length--;
    }
    utf8 = is_utf8(bytes, length);
    is_437 = !utf8 && is_page_437(bytes, length);
    for (apr_size_t i = 0; i < length; i++) {
        unsigned char c = bytes[i];

        if (is_437 && c >= 0x80 && c < 0x80 + sizeof(page_437)) {
            c = page_437[c - 0x80];
            c = c ? c : ' ';
        }
        if (c < ' ' || c == 0x7f || (!utf8 && c >= 0x80 && c < 0xa0))
            continue;
        if (utf8 || c < 0x80) {
            *out++ = (char)c;
        } else {
            *out++ = (char)(0xc0 | c >> 6);
            *out++ = (char)(0x80 | (c & 0x3f));
        }
    }
    *out = '\0';
    return value;
}

int idv_aamva_add(idv_aamva_file_t *file, const char id[4], idv_bytes_t bytes,
                  apr_pool_t *pool)
{
    const char *value = element_value(bytes.data, bytes.length, pool);
    idv_aamva_element_t *element;

    element = (idv_aamva_element_t *)idv_aamva_find(file, id);
    if (element) {
        element->is_ambiguous |= strcmp(element->value, value) != 0;
        return 1;
    }
    if (file->elements->nelts == IDV_AAMVA_MAX_ELEMENTS)
        return 0;
    element = apr_array_push(file->elements);
    memcpy(element->id, id, sizeof(element->id));
    element->value = value;
    element->is_ambiguous = 0;
    return 1;
}

const idv_aamva_element_t *idv_aamva_find(const idv_aamva_file_t *file,
                                          const char *id)
{
    for (int i = 0; i < file->elements->nelts; i++) {
        const idv_aamva_element_t *element =
            &APR_ARRAY_IDX(file->elements, i, idv_aamva_element_t);

        if (strcmp(element->id, id) == 0)
            return element;
    }
    return NULL;
}

const char *idv_aamva_value(const idv_aamva_file_t *file, const char *id)
{
    static const char *const nothing[] = {"", "NONE", "UNAVL", "UNAVAIL"};
    const idv_aamva_element_t *element = idv_aamva_find(file, id);

    for (size_t i = 0; element && i < sizeof(nothing) / sizeof(*nothing); i++)
        if (apr_cstr_casecmp(element->value, nothing[i]) == 0)
            return NULL;
    return element ? element->value : NULL;
}
