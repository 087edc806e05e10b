/* SPDX-License-Identifier: Apache-2.0 */
/* Under which names one person could log in. */
#include "unit/unit.h"

#include "domain/account/operator_key.h"

#define SAME(first, second) {first, second, 1}
#define DIFFERENT(first, second) {first, second, 0}

static const struct {
    const char *first, *second;
    int is_same;
} pairs[] = {
    SAME("anna", "anna"),
    SAME("anna", "Anna"),
    SAME("anna", " an na\t"),
    SAME("an\x7fna\x01", "anna"),
    SAME("", " "),
    DIFFERENT("anna", "anne"),
    DIFFERENT("anna", "annab"),
    DIFFERENT("anna", ""),
    DIFFERENT("@", "`"), /* neighbours of letters are none */
    DIFFERENT("[", "{"),
    /* Case, of more than ASCII. */
    SAME("rév", "RÉV"),
    SAME("straße", "STRASSE"),
    SAME("ΣΊΣΥΦΟΣ", "σίσυφος"),
    SAME("ИВАН", "иван"),
    SAME("ǆ", "ǅ"),
    SAME("ⅷ", "Ⅷ"),
    DIFFERENT("rév", "riv"),
    DIFFERENT("иван", "ivan"), /* which look alike, and are not the same */
    /* Accents and strokes. */
    SAME("rév", "rev"),
    SAME("RÉV", "rev"),
    SAME("björn", "b\xcc\xa8\xcc\x81j\xe1\xaa\xb2orn"),
    SAME("ååå", "aaa"),
    SAME("ǿ", "O"),
    SAME("Łódź", "lodz"),
    SAME("İ", "i"),
    SAME("ı", "I"),
    SAME("kjær", "KJAER"),
    SAME("bjœrn", "bjoern"),
    SAME("ÞOR", "thor"),
    DIFFERENT("æ", "a"),
    DIFFERENT("björn", "bjoern"),
    SAME("\xd7\xa8\xd6\xb5\xd7\x91", "רב"), /* points */
    SAME("कु", "के"), /* vowels, which are marks */
    SAME("ひろ", "ヒロ"),
    SAME("ヒロ", "ﾋﾛ"), /* half as wide */
    DIFFERENT("ひろ", "ひる"),
    /* Blanks. */
    SAME("rév", "rév\xc2\xa0"),         /* no-break */
    SAME("rév", "r\xe2\x80\x89év"),     /* thin */
    SAME("rév", "\xe3\x80\x80rév"),     /* ideographic */
    SAME("rév", "rév\xe2\x80\xa8"),     /* line separator */
    SAME("rév", "r\xc2\x85év"),         /* next line */
    /* What nobody sees. */
    SAME("rév", "r\xe2\x80\x8bév"),     /* zero width space */
    SAME("rév", "r\xc2\xadév"),         /* soft hyphen */
    SAME("rév", "\xef\xbb\xbfrév"),     /* byte order mark */
    SAME("rév", "r\xe2\x80\x8d\xc3\xa9v"),  /* zero width joiner */
    SAME("rév", "\xe2\x80\xae" "rév"),  /* right-to-left override */
    SAME("rév", "rév\xef\xb8\x8f"),     /* variation selector */
    SAME("rév", "rév\xf3\xa0\x84\x80"), /* one of another plane */
    SAME("rév", "r\xcd\x8f" "év"),      /* grapheme joiner */
    SAME("rév", "rév\xf3\xa0\x81\xb6"), /* a tag */
    SAME("rév", "r\xe1\xa0\x86év"),     /* Mongolian soft hyphen */
    SAME("rév", "r\xef\xbf\xbc" "év"),  /* object replacement */
    SAME("rév", "r\xe3\x85\xa4év"),     /* Hangul filler */
    SAME("rév", "r\xef\xbe\xa0év"),     /* the same, half as wide */
    SAME("\xe2\x80\x8b", "\xc2\xad"),   /* of nothing else */
    SAME("\xe2\x80\x8b", ""),
    /* Compositions, with what would keep marks apart. */
    SAME("rév", "re\xcc\x81v"),
    SAME("rév", "RE\xcc\x81V"),
    SAME("rév", "re\xe2\x80\x8b\xcc\x81v"),
    SAME("\xe1\xbb\x87", "e\xcc\xa3\xcc\x82"),
    SAME("\xe1\xbb\x87", "e\xcc\x82\xcc\xa3"), /* in either order */
    SAME("각", "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8"),
    SAME("Å", "\xe2\x84\xab"), /* the sign of the unit */
    /* Compatibility. */
    SAME("rev", "ｒｅｖ"),
    SAME("rev", "ＲＥＶ"),
    SAME("rév", "Ｒｅ\xcc\x81Ｖ"),
    SAME("fin", "ﬁn"),
    SAME("x2", "x²"),
    SAME("°c", "℃"), /* folded after it was taken apart */
    SAME("rev", "𝐑𝐞𝐯"),
    /* What is no UTF-8 is nobody else. */
    SAME("r\xe9v", "r\xe9v"),
    DIFFERENT("r\xe9v", "R\xe9V"),
    DIFFERENT("r\xe9v", "r\xe8v"),
    DIFFERENT("r\xe9v", "rv"),
    DIFFERENT("r\xe9v", "rév"),
    DIFFERENT("\xff", "\xfe"),
    DIFFERENT("\xff", ""),
    DIFFERENT("\xff", "ff"),
    DIFFERENT("\xed\xa0\x80", "\xed\xa0\x81"), /* surrogates */
    DIFFERENT("\xc0\xa0", " "),                /* longer than it need be */
    DIFFERENT("r\xc3", "r"),                   /* not ended */
};

static void knows_one_person(void **state)
{
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            const char *one = swapped ? pairs[i].second : pairs[i].first;
            const char *other = swapped ? pairs[i].first : pairs[i].second;

            if (idv_operator_can_be_same(one, other, *state)
                != pairs[i].is_same)
                fail_msg("\"%s\" and \"%s\"", one, other);
        }
}

static void looks_among_others(void **state)
{
    const char *const names[] = {"bert", "re\xcc\x81v", NULL};
    const char *const none[] = {NULL};

    assert_true(idv_operator_can_be_among("RÉV", names, *state));
    assert_true(idv_operator_can_be_among("Bert", names, *state));
    assert_false(idv_operator_can_be_among("anna", names, *state));
    assert_false(idv_operator_can_be_among("anna", none, *state));
    assert_false(idv_operator_can_be_among("anna", NULL, *state));
}

/* --- each character --- */

static const char *text_of(unsigned point, apr_pool_t *pool)
{
    return point < 0x800
             ? apr_psprintf(pool, "a%c%c", 0xc0 | point >> 6,
                            0x80 | (point & 63))
         : point < 0x10000
             ? apr_psprintf(pool, "a%c%c%c", 0xe0 | point >> 12,
                            0x80 | (point >> 6 & 63), 0x80 | (point & 63))
             : apr_psprintf(pool, "a%c%c%c%c", 0xf0 | point >> 18,
                            0x80 | (point >> 12 & 63),
                            0x80 | (point >> 6 & 63), 0x80 | (point & 63));
}

/* A key is its own key, so that no spelling of it is left that differs. */
static void leaves_nothing_to_fold(void **state)
{
    apr_pool_t *pool;

    apr_pool_create(&pool, *state);
    for (unsigned point = 0x80; point < 0xe1000; point++) {
        const char *key;

        if (point >= 0xd800 && point < 0xe000)
            continue;
        if (point == 0x33500) /* nothing is assigned up to the tags */
            point = 0xe0000;
        key = idv_operator_key(text_of(point, pool), pool);
        if (strcmp(key, idv_operator_key(key, pool)) != 0)
            fail_msg("U+%04X has the key \"%s\"", point, key);
        if (point % 1024 == 0)
            apr_pool_clear(pool);
    }
}

/* Of any bytes a key is made, and never the empty one of what is not empty. */
static void takes_any_bytes(void **state)
{
    apr_pool_t *pool;

    apr_pool_create(&pool, *state);
    for (int first = 0x80; first < 0x100; first++)
        for (int second = 1; second < 0x100; second++) {
            const char text[] = {(char)first, (char)second, 'z', '\0'};

            if (strlen(idv_operator_key(text, pool)) < 1)
                fail_msg("%02x %02x", (unsigned)first, (unsigned)second);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(knows_one_person),
        pooled_test(looks_among_others),
        pooled_test(leaves_nothing_to_fold),
        pooled_test(takes_any_bytes),
    };

    return unit_run("domain/operator_key", tests);
}
