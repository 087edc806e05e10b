/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/aamva_file.h"

#include <string.h>

#include <apr_strings.h>

/* Bytes before the file type in which "@", separators and a byte order mark
 * stand; the separators come in many forms. */
#define PREAMBLE_MAX 16

#define VERSION_MIN 1

#define DESIGNATOR_SIZE 10 /* type, offset, length */

typedef struct {
    const unsigned char *at;
    const unsigned char *end;
} cursor_t;

static apr_size_t rest(const cursor_t *cursor)
{
    return cursor->end - cursor->at;
}

static int is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static int is_upper(unsigned char c)
{
    return c >= 'A' && c <= 'Z';
}

static int starts_with(const cursor_t *cursor, const char *text)
{
    apr_size_t length = strlen(text);

    return rest(cursor) >= length && memcmp(cursor->at, text, length) == 0;
}

/* Moves behind the file type; zero when there is none. */
static int skip_preamble(cursor_t *cursor)
{
    static const char *const types[] = { "ANSI", "AAMVA" };
    int at_sign = 0;

    for (int i = 0; i < PREAMBLE_MAX && rest(cursor) > 0; i++) {
        for (size_t k = 0; k < sizeof(types) / sizeof(*types); k++)
            if (at_sign && starts_with(cursor, types[k])) {
                cursor->at += strlen(types[k]);
                while (rest(cursor) > 0 && *cursor->at == ' ')
                    cursor->at++;
                return 1;
            }
        at_sign |= *cursor->at == '@';
        cursor->at++;
    }
    return 0;
}

static int digits_at(const unsigned char *text, int count)
{
    for (int i = 0; i < count; i++)
        if (!is_digit(text[i]))
            return 0;
    return 1;
}

static int two_digits(const unsigned char *text)
{
    return (text[0] - '0') * 10 + text[1] - '0';
}

/* D.12.3: issuer, version, from version 2 on the jurisdiction's version, and
 * the number of entries. */
static int read_header(cursor_t *cursor, idv_aamva_file_t *file)
{
    int length;

    if (!skip_preamble(cursor) || rest(cursor) < 12
        || !digits_at(cursor->at, 8))
        return 0;
    memcpy(file->issuer, cursor->at, 6);
    file->issuer[6] = '\0';
    file->version = two_digits(cursor->at + 6);
    length = file->version == 1 ? 10 : 12;
    if (file->version < VERSION_MIN || !digits_at(cursor->at, length))
        return 0;
    cursor->at += length;
    return 1;
}

/* The type of a subfile of the document itself at the cursor, or NULL. */
static const char *subfile_type(const cursor_t *cursor)
{
    static const char *const types[] = { "DL", "ID", "EN" };

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (starts_with(cursor, types[i]))
            return types[i];
    return NULL;
}

/* An element's identifier: D and two capitals (D.12.5). */
static int is_element(const cursor_t *cursor)
{
    return rest(cursor) >= 3 && cursor->at[0] == 'D' && is_upper(cursor->at[1])
           && is_upper(cursor->at[2]);
}

static int is_line_end(unsigned char c, const idv_aamva_file_t *file)
{
    return c == '\n' || c == '\r' || c == (unsigned char)file->line_end;
}

/* Moves behind the next line end. */
static void skip_line(cursor_t *cursor, const idv_aamva_file_t *file)
{
    while (rest(cursor) > 0 && !is_line_end(*cursor->at, file))
        cursor->at++;
    if (rest(cursor) > 0)
        cursor->at++;
}

/* What parts the elements: a bar does where several stand behind bars and none
 * behind a line end. */
static char find_line_end(cursor_t cursor)
{
    enum { SEVERAL = 3 };
    int behind_bars = 0;

    for (; rest(&cursor) > 1; cursor.at++) {
        cursor_t next = { cursor.at + 1, cursor.end };

        if (!is_element(&next))
            continue;
        if (*cursor.at == '\n' || *cursor.at == '\r')
            return '\n';
        behind_bars += *cursor.at == '|';
    }
    return behind_bars >= SEVERAL ? '|' : '\n';
}

/* Steps over the designators, whose numbers may be anything, up to the first
 * data of the document; zero when they name no subfile of it. */
static int skip_designators(cursor_t *cursor, idv_aamva_file_t *file)
{
    while (rest(cursor) >= 2) {
        const char *type = subfile_type(cursor);
        cursor_t data = { cursor->at + 2, cursor->end };
        int is_designator = rest(cursor) >= DESIGNATOR_SIZE
                            && is_upper(cursor->at[0])
                            && is_upper(cursor->at[1])
                            && digits_at(cursor->at + 2, 8);

        if (type && file->subfile[0] == '\0')
            memcpy(file->subfile, type, 3);
        if (is_designator)
            cursor->at += DESIGNATOR_SIZE;
        else if (is_element(cursor) || (type && is_element(&data)))
            break;
        else if (*cursor->at == 'Z')
            skip_line(cursor, file);
        else
            cursor->at++;
    }
    return file->subfile[0] != '\0' && rest(cursor) > 0;
}

/* Non-zero when BYTES are UTF-8, as far as its structure goes. */
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

/* The value as UTF-8; what is not is taken as ISO 8859-1 (D.12.2). */
static const char *element_value(const unsigned char *bytes, apr_size_t length,
                                 apr_pool_t *pool)
{
    char *value = apr_palloc(pool, 2 * length + 1), *out = value;
    int utf8;

    while (length > 0 && is_padding(bytes[length - 1]))
        length--;
    while (length > 0 && is_padding(bytes[0])) {
        bytes++;
        length--;
    }
    utf8 = is_utf8(bytes, length);
    for (apr_size_t i = 0; i < length; i++) {
        unsigned char c = bytes[i];

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

static int add_element(idv_aamva_file_t *file, const unsigned char *line,
                       apr_size_t length, apr_pool_t *pool)
{
    const char *value = element_value(line + 3, length - 3, pool);
    idv_aamva_element_t *element;
    char id[4] = { (char)line[0], (char)line[1], (char)line[2], '\0' };

    element = (idv_aamva_element_t *)idv_aamva_find(file, id);
    if (element) {
        element->is_ambiguous |= strcmp(element->value, value) != 0;
        return 1;
    }
    if (file->elements->nelts == IDV_AAMVA_MAX_ELEMENTS)
        return 0;
    element = apr_array_push(file->elements);
    memcpy(element->id, id, sizeof(id));
    element->value = value;
    element->is_ambiguous = 0;
    return 1;
}

/* One element a line; zero when there are too many. */
static int read_elements(cursor_t *cursor, idv_aamva_file_t *file,
                         apr_pool_t *pool)
{
    while (rest(cursor) > 0) {
        cursor_t line = *cursor;

        skip_line(cursor, file);
        line.end = cursor->at;
        if (rest(&line) > 0 && is_line_end(line.end[-1], file))
            line.end--;
        /* The type stands before the first element of a subfile. */
        if (subfile_type(&line)) {
            cursor_t data = { line.at + 2, line.end };

            if (is_element(&data))
                line = data;
        }
        if (is_element(&line)
            && !add_element(file, line.at, rest(&line), pool))
            return 0;
    }
    return 1;
}

idv_error_t *idv_aamva_file_read(idv_bytes_t payload, idv_aamva_file_t **out,
                                 apr_pool_t *result)
{
    idv_aamva_file_t *file = apr_pcalloc(result, sizeof(*file));
    cursor_t cursor = { payload.data, payload.data + payload.length };

    file->elements =
        apr_array_make(result, 32, sizeof(idv_aamva_element_t));
    if (payload.length > IDV_AAMVA_MAX_PAYLOAD)
        return idv_error_param(result, NULL, "The barcode is too large.");
    if (!read_header(&cursor, file))
        return idv_error_param(result, NULL, "Not an AAMVA barcode.");
    file->line_end = find_line_end(cursor);
    if (!skip_designators(&cursor, file))
        return idv_error_param(result, NULL,
                               "The barcode is of no licence or ID card.");
    if (!read_elements(&cursor, file, result))
        return idv_error_param(result, NULL,
                               "The barcode has too many data elements.");
    *out = file;
    return NULL;
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
    static const char *const nothing[] = { "", "NONE", "UNAVL", "UNAVAIL" };
    const idv_aamva_element_t *element = idv_aamva_find(file, id);

    for (size_t i = 0; element && i < sizeof(nothing) / sizeof(*nothing); i++)
        if (strcmp(element->value, nothing[i]) == 0)
            return NULL;
    return element ? element->value : NULL;
}
