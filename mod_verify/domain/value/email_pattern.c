/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/email_pattern.h"

#include <string.h>

#include <apr_lib.h>

/* Shorter ones are abbreviations as often. */
#define SHORTEST 8
/* So many changes between letters and digits: x7f9k2m4; a name, a year and a
 * number have three. */
#define CHANGES 4
/* So many consonants in a row; "Angstschwelle" has seven, but few names more
 * than five. */
#define CONSONANTS 7
/* Of so many letters and more, one in SPARSE at least is a vowel. */
#define LETTERS 10
#define SPARSE 8

/* Statistics of a local part. */
typedef struct {
    int characters; /* letters and digits */
    int changes;    /* between letters and digits */
    int consonants; /* the longest run of them */
    int is_sparse;  /* flag: it has a word of few vowels */
} shape_t;

static int is_vowel(char c)
{
    return strchr("aeiouy", c) != NULL;
}

/* Whether the letters at WORD, to where they end, are many with few vowels. */
static int is_sparse(const char *word)
{
    int letters = 0, vowels = 0;

    for (; apr_isalpha(word[letters]); letters++)
        vowels += is_vowel(word[letters]);
    return letters >= LETTERS && vowels * SPARSE < letters;
}

static shape_t look_at(const char *local, size_t length)
{
    shape_t shape = {0};
    int run = 0, before = 0, kept = 0; /* kinds: 'a' and '0' */

    for (size_t i = 0; i < length; i++) {
        char c = local[i];
        int kind = apr_isdigit(c) ? '0' : apr_isalpha(c) ? 'a' : 0;

        run = kind == 'a' && !is_vowel(c) ? run + 1 : 0;
        if (run > shape.consonants)
            shape.consonants = run;
        if (kind == 'a' && before != 'a')
            shape.is_sparse |= is_sparse(local + i);
        before = kind;
        if (!kind)
            continue;
        shape.characters++;
        shape.changes += kept && kept != kind;
        kept = kind;
    }
    return shape;
}

int idv_email_is_tagged(const char *email)
{
    size_t local = strcspn(email, "@");

    return strcspn(email, "+") < local;
}

int idv_email_is_random(const char *email)
{
    shape_t shape = look_at(email, strcspn(email, "+@"));

    if (shape.characters < SHORTEST)
        return 0;
    return shape.changes >= CHANGES || shape.consonants >= CONSONANTS
        || shape.is_sparse;
}
