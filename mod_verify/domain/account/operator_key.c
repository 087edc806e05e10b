/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/account/operator_key.h"

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

/* Letters that Active Directory equates with others and Unicode does not
 * decompose: strokes, the dotless i, ligatures. Case is folded before. */
static const struct {
    ucs4_t letter;
    const char *letters;
} expansions[] = {
    {0x00e6, "ae"}, {0x00f0, "d"},  {0x00f8, "o"}, {0x00fe, "th"},
    {0x0111, "d"},  {0x0127, "h"},  {0x0131, "i"}, {0x0142, "l"},
    {0x0153, "oe"}, {0x0167, "t"},  {0x0180, "b"}, {0x01e5, "g"},
};
#define EXPANSION_MAX 2

/* The letters of Hiragana that Katakana has, too, which is as far behind it. */
#define KATAKANA_FIRST 0x30a1
#define KATAKANA_LAST 0x30f6
#define KATAKANA_BEHIND 0x60

/* Writes what POINT is taken for; returns how many points that are. */
static size_t expand(ucs4_t point, uint32_t *points)
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof(expansions) / sizeof(*expansions); i++) {
        if (expansions[i].letter != point)
            continue;
        while (expansions[i].letters[count]) {
            points[count] = (ucs4_t)expansions[i].letters[count];
            count++;
        }
        return count;
    }
    if (point >= KATAKANA_FIRST && point <= KATAKANA_LAST)
        point -= KATAKANA_BEHIND;
    *points = point;
    return 1;
}

/* Spaces and controls, accents and other non-spacing marks, invisible
 * characters, and two that RFC 4518 (2.2) drops although Unicode does not list
 * them with those: a Mongolian soft hyphen and the object replacement
 * character. */
static int is_dropped(ucs4_t point)
{
    return uc_is_general_category_withtable(
               point, UC_CATEGORY_MASK_Z | UC_CATEGORY_MASK_Cc
                          | UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Mn
                          | UC_CATEGORY_MASK_Me)
        || uc_is_property_default_ignorable_code_point(point)
        || point == 0x1806 || point == 0xfffc;
}

/* Puts POINTS, which libunistring has allocated, in the place of what TEXT has. */
static void replace(text_t *text, uint32_t *points, size_t count)
{
    if (!points)
        abort(); /* out of memory; the text is known to be valid */
    free(text->points);
    *text = (text_t){points, count};
}

static void simplify(text_t *text)
{
    uint32_t *points =
        malloc(sizeof(*points) * (EXPANSION_MAX * text->count + 1));
    size_t count = 0;

    for (size_t i = 0; points && i < text->count; i++)
        if (!is_dropped(text->points[i]))
            count += expand(text->points[i], points + count);
    replace(text, points, count);
}

/* The comparison form of Unicode's compatibility caseless match (3.13, D146),
 * simplified: marks are dropped after the decomposition, and letters expanded
 * after the case folding. */
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
