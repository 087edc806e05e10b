/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/operator_key.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>
#include <unicase.h>
#include <uninorm.h>
#include <unistr.h>
#include <unictype.h>

#include "core/crypto.h"

/* A second round folds what the normal form of the first has brought up: the
 * degree sign and the capital of U+2103. A third would change nothing. */
#define ROUNDS 2

/* Code points, not ended by any. */
typedef struct {
    uint32_t *points;
    size_t count;
} text_t;

/* --- ASCII, which most logins are --- */

static int is_ascii(const char *text)
{
    while (*text && !(*text & 0x80))
        text++;
    return !*text;
}

static const char *ascii_key(const char *user, apr_pool_t *pool)
{
    char *key = apr_palloc(pool, strlen(user) + 1), *end = key;

    for (; *user; user++)
        if (*user > ' ' && *user != 0x7f)
            *end++ = (char)(*user + (*user >= 'A' && *user <= 'Z' ? 32 : 0));
    *end = '\0';
    return key;
}

/* --- all else --- */

/* The blocks of combining marks that any letter may have: accents. Vowels that
 * other scripts write as marks are in the blocks of these. */
static const struct {
    ucs4_t first, last;
} accents[] = {
    {0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
    {0x20d0, 0x20ff}, {0xfe20, 0xfe2f},
};

static int is_accent(ucs4_t point)
{
    for (size_t i = 0; i < sizeof(accents) / sizeof(*accents); i++)
        if (point >= accents[i].first && point <= accents[i].last)
            return 1;
    return 0;
}

/* Letters with a stroke, and the i without its dot, which Unicode does not take
 * apart and Active Directory takes for the letters below them. */
static const struct {
    ucs4_t letter, base;
} strokes[] = {
    {0x00f8, 'o'}, {0x0111, 'd'}, {0x0127, 'h'}, {0x0131, 'i'},
    {0x0142, 'l'}, {0x0167, 't'}, {0x0180, 'b'}, {0x01e5, 'g'},
};

static ucs4_t without_stroke(ucs4_t point)
{
    for (size_t i = 0; i < sizeof(strokes) / sizeof(*strokes); i++)
        if (point == strokes[i].letter)
            return strokes[i].base;
    return point;
}

/* Blanks and controls, accents, what nobody sees, and two that RFC 4518 (2.2)
 * drops and Unicode does not list with those: a soft hyphen of Mongolian, and what
 * stands in the place of an object. */
static int is_dropped(ucs4_t point)
{
    if (is_accent(point))
        return 1;
    return uc_is_general_category_withtable(
               point, UC_CATEGORY_MASK_Z | UC_CATEGORY_MASK_Cc
                          | UC_CATEGORY_MASK_Cf)
        || uc_is_property_default_ignorable_code_point(point)
        || point == 0x1806 || point == 0xfffc;
}

static void simplify(text_t *text)
{
    size_t kept = 0;

    for (size_t i = 0; i < text->count; i++)
        if (!is_dropped(text->points[i]))
            text->points[kept++] = without_stroke(text->points[i]);
    text->count = kept;
}

/* Puts POINTS, which libunistring has allocated, in the place of what TEXT has. */
static void replace(text_t *text, uint32_t *points, size_t count)
{
    if (!points)
        abort(); /* there is no memory left, as the text is known to be valid */
    free(text->points);
    *text = (text_t){points, count};
}

/* What the compatibility caseless match of the Unicode standard compares (3.13,
 * D146), simplified before each of its steps: case comes before strokes, accents
 * behind the form that takes letters apart. */
static void prepare(text_t *text)
{
    size_t count;
    uint32_t *points;

    for (int round = 0; round < ROUNDS; round++) {
        simplify(text);
        points = u32_normalize(UNINORM_NFD, text->points, text->count, NULL,
                               &count);
        replace(text, points, count);
        simplify(text);
        points = u32_casefold(text->points, text->count, NULL, UNINORM_NFKC,
                              NULL, &count);
        replace(text, points, count);
    }
    simplify(text);
}

/* For a text that is valid. */
static const char *unicode_key(const char *user, apr_pool_t *pool)
{
    text_t text = {0};
    size_t length;
    uint32_t *points =
        u8_to_u32((const uint8_t *)user, strlen(user), NULL, &length);
    uint8_t *bytes;
    const char *key;

    replace(&text, points, length);
    prepare(&text);
    bytes = u32_to_u8(text.points, text.count, NULL, &length);
    if (!bytes)
        abort();
    key = apr_pstrmemdup(pool, (const char *)bytes, length);
    free(bytes);
    free(text.points);
    return key;
}

const char *idv_operator_key(const char *user, apr_pool_t *pool)
{
    size_t length = strlen(user);

    if (is_ascii(user))
        return ascii_key(user, pool);
    return u8_check((const uint8_t *)user, length)
             ? apr_pstrcat(pool, " ",
                           idv_hex((const unsigned char *)user, length, pool),
                           NULL)
             : unicode_key(user, pool);
}

int idv_operator_can_be_same(const char *first, const char *second,
                             apr_pool_t *pool)
{
    return strcmp(idv_operator_key(first, pool),
                  idv_operator_key(second, pool))
        == 0;
}

int idv_operator_can_be_among(const char *user, const char *const *names,
                              apr_pool_t *pool)
{
    for (; names && *names; names++)
        if (idv_operator_can_be_same(user, *names, pool))
            return 1;
    return 0;
}
