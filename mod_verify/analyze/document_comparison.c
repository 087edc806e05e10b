/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document_comparison.h"

#include <string.h>

#include <apr_lib.h>

/* Any letter outside of ASCII, which a zone writes as one to three letters. */
#define FOREIGN 1
#define TRANSLITERATION_MAX 3
/* Of these so many are tried out; a name with more is compared up to there. */
#define FOREIGN_MAX 6

/* The next letter at or after *TEXT in upper case, FOREIGN, or 0 at the end. */
static int next_letter(const char **text)
{
    while (**text) {
        unsigned char byte = (unsigned char)*(*text)++;
        int c = apr_toupper(byte);

        if (c >= 'A' && c <= 'Z')
            return c;
        if (byte >= 0xc0) /* the first byte of a character in UTF-8 */
            return FOREIGN;
    }
    return 0;
}

static int same_beginning(const char *a, const char *b, int tries);

/* Non-zero when A, which stands behind a foreign letter, goes on like B behind
 * some transliteration of it. */
static int same_behind_foreign(const char *a, const char *b, int tries)
{
    if (tries == 0)
        return 1;
    for (int i = 0; i < TRANSLITERATION_MAX; i++) {
        if (!next_letter(&b) || same_beginning(a, b, tries - 1))
            return 1;
    }
    return 0;
}

/* Non-zero when one name begins with the other. */
static int same_beginning(const char *a, const char *b, int tries)
{
    for (;;) {
        const char *a_before = a, *b_before = b;
        int x = next_letter(&a), y = next_letter(&b);

        if (!x || !y)
            return 1;
        if (x == y)
            continue;
        if (x == FOREIGN)
            return same_behind_foreign(a, b_before, tries);
        if (y == FOREIGN)
            return same_behind_foreign(b, a_before, tries);
        return 0;
    }
}

static int dates_differ(idv_date_t a, idv_date_t b)
{
    return idv_date_is_complete(a) && idv_date_is_complete(b)
        && idv_date_compare(a, b) != 0;
}

idv_document_comparison_t idv_document_compare(const idv_document_t *a,
                                               const idv_document_t *b)
{
    if (!idv_date_is_complete(a->date_of_birth)
        || !idv_date_is_complete(b->date_of_birth))
        return IDV_DOCUMENT_NOT_COMPARED;
    if (dates_differ(a->date_of_birth, b->date_of_birth)
        || dates_differ(a->date_of_expiry, b->date_of_expiry))
        return IDV_DOCUMENT_DIFFERS;
    if (a->surname && b->surname
        && !same_beginning(a->surname, b->surname, FOREIGN_MAX))
        return IDV_DOCUMENT_DIFFERS;
    if (a->source == b->source && a->number && b->number
        && strcmp(a->number, b->number) != 0)
        return IDV_DOCUMENT_DIFFERS;
    return IDV_DOCUMENT_MATCHES;
}

static int same_names(const char *a, const char *b)
{
    return a && b && same_beginning(a, b, FOREIGN_MAX);
}

static int same_days(idv_date_t a, idv_date_t b)
{
    return idv_date_is_complete(a) && idv_date_is_complete(b)
        && idv_date_compare(a, b) == 0;
}

int idv_document_confirms(const idv_document_t *a, const idv_document_t *b)
{
    return idv_document_compare(a, b) == IDV_DOCUMENT_MATCHES
        && idv_document_sources_are_independent(a->source, b->source)
        && a->issuing_country && b->issuing_country
        && strcmp(a->issuing_country, b->issuing_country) == 0
        && same_days(a->date_of_birth, b->date_of_birth)
        && same_days(a->date_of_expiry, b->date_of_expiry)
        && same_names(a->surname, b->surname)
        && same_names(a->given_names, b->given_names)
        && (!a->sex || !b->sex || a->sex == b->sex);
}
