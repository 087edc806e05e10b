/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/aamva_file.h"

#include <string.h>

#include "methods/document/aamva_tracks.h"

/* The most bytes before the file type. They contain "@", separators, which have
 * many forms, and a byte order mark. */
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

/* Moves past the file type; zero if there is none. */
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

/* The header of eight digits that North Carolina printed in version 1. It has
 * the issuer without its first digit, which all issuers of 2000 shared, and
 * three digits, the last two of which are the version. The number of entries is
 * omitted. */
static int read_short_header(cursor_t *cursor, idv_aamva_file_t *file)
{
    enum { SHORT = 8 };
    const unsigned char *at = cursor->at;
    int version = two_digits(at + SHORT - 2);

    if (version != 1 || !is_upper(at[SHORT]) || !is_upper(at[SHORT + 1]))
        return 0;
    file->issuer[0] = '6';
    memcpy(file->issuer + 1, at, 5);
    file->issuer[6] = '\0';
    file->version = version;
    cursor->at += SHORT;
    return 1;
}

/* D.12.3: issuer, version, the jurisdiction's version (from version 2 on), and
 * the number of entries. */
static int read_header(cursor_t *cursor, idv_aamva_file_t *file)
{
    int length;

    if (!skip_preamble(cursor) || rest(cursor) < 12
        || !digits_at(cursor->at, 8))
        return 0;
    if (read_short_header(cursor, file))
        return 1;
    memcpy(file->issuer, cursor->at, 6);
    file->issuer[6] = '\0';
    file->version = two_digits(cursor->at + 6);
    length = file->version == 1 ? 10 : 12;
    if (file->version < VERSION_MIN || !digits_at(cursor->at, length))
        return 0;
    cursor->at += length;
    return 1;
}

/* The type of a subfile at the cursor that belongs to the document itself, or
 * NULL. */
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

/* Non-zero for an element of the standard that may follow a blank. If blanks
 * separate the elements, a word of a value must not be mistaken for one. */
static int is_known_element(const cursor_t *cursor)
{
    static const char *const ids[] = {
#define ELEMENT(id, since, american, licence, group) id,
#include "methods/document/aamva_elements.def"
#undef ELEMENT
        "DAZ", "DCE", "DCK", "DDA", "DDB", "DDC",
        "DDD", "DDH", "DDI", "DDJ", "DDK", "DDL"};

    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        if (starts_with(cursor, ids[i]))
            return 1;
    return 0;
}

/* Non-zero if a line ends at CURSOR. A blank ends a line only before an
 * element. */
static int is_line_end(const cursor_t *cursor, const idv_aamva_file_t *file)
{
    const cursor_t next = {cursor->at + 1, cursor->end};
    unsigned char c = *cursor->at;

    if (c == '\n' || c == '\r')
        return 1;
    return c == (unsigned char)file->line_end
        && (c != ' ' || is_known_element(&next));
}

/* Moves past the next line end. */
static void skip_line(cursor_t *cursor, const idv_aamva_file_t *file)
{
    while (rest(cursor) > 0 && !is_line_end(cursor, file))
        cursor->at++;
    if (rest(cursor) > 0)
        cursor->at++;
}

/* The separator of the elements. It is a bar or a blank if several elements
 * follow one and no element follows a line end. */
static char find_line_end(cursor_t cursor)
{
    enum { SEVERAL = 3 };
    int behind_bars = 0, behind_blanks = 0;

    for (; rest(&cursor) > 1; cursor.at++) {
        cursor_t next = { cursor.at + 1, cursor.end };

        if (!is_element(&next))
            continue;
        if (*cursor.at == '\n' || *cursor.at == '\r')
            return '\n';
        behind_bars += *cursor.at == '|';
        behind_blanks += *cursor.at == ' ' && is_known_element(&next);
    }
    if (behind_bars >= SEVERAL)
        return '|';
    return behind_blanks >= SEVERAL ? ' ' : '\n';
}

/* Skips the designators, whose numbers may be anything, up to the first data of
 * the document; zero if they name no subfile of it. */
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

/* Reads one element per line; zero if there are too many. */
static int read_elements(cursor_t *cursor, idv_aamva_file_t *file,
                         apr_pool_t *pool)
{
    while (rest(cursor) > 0) {
        cursor_t line = *cursor;

        while (rest(cursor) > 0 && !is_line_end(cursor, file))
            cursor->at++;
        line.end = cursor->at;
        if (rest(cursor) > 0)
            cursor->at++;
        /* The type precedes the first element of a subfile. */
        if (subfile_type(&line)) {
            cursor_t data = { line.at + 2, line.end };

            if (is_element(&data))
                line = data;
        }
        if (is_element(&line)) {
            const char id[4] = {(char)line.at[0], (char)line.at[1],
                                (char)line.at[2]};
            const idv_bytes_t value = {line.at + 3, rest(&line) - 3};

            if (!idv_aamva_add(file, id, value, pool))
                return 0;
        }
    }
    return 1;
}

/* The National Standard of 2000 has two addresses: the mailing address (DAG to
 * DAK) and the residence (DAL to DAP). If a card has only the latter, that one
 * is used. */
static void take_residence(idv_aamva_file_t *file)
{
    static const struct {
        const char *residence, *mail;
    } pairs[] = {
        {"DAL", "DAG"}, {"DAN", "DAI"}, {"DAO", "DAJ"}, {"DAP", "DAK"}};

    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        idv_aamva_element_t *element =
            (idv_aamva_element_t *)idv_aamva_find(file, pairs[i].residence);

        if (element && !idv_aamva_find(file, pairs[i].mail))
            memcpy(element->id, pairs[i].mail, sizeof(element->id));
    }
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
    if (idv_aamva_tracks_read(payload, file, result)) {
        *out = file;
        return NULL;
    }
    if (!read_header(&cursor, file))
        return idv_error_param(result, NULL, "Not an AAMVA barcode.");
    file->line_end = find_line_end(cursor);
    if (!skip_designators(&cursor, file))
        return idv_error_param(result, NULL,
                               "The barcode is not from a licence or ID card.");
    if (!read_elements(&cursor, file, result))
        return idv_error_param(result, NULL,
                               "The barcode has too many data elements.");
    if (file->version == 1)
        take_residence(file);
    *out = file;
    return NULL;
}
