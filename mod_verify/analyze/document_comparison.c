/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document_comparison.h"

#include <string.h>

#include <apr_lib.h>

/* The next letter at or after *TEXT in upper case, 0 at the end. */
static int next_letter(const char **text)
{
    while (**text) {
        int c = apr_toupper(*(*text)++);

        if (c >= 'A' && c <= 'Z')
            return c;
    }
    return 0;
}

/* Non-zero when one name begins with the other. */
static int same_beginning(const char *a, const char *b)
{
    for (;;) {
        int x = next_letter(&a), y = next_letter(&b);

        if (!x || !y)
            return 1;
        if (x != y)
            return 0;
    }
}

static int dates_differ(idv_date_t a, idv_date_t b)
{
    return idv_date_is_complete(a) && idv_date_is_complete(b) &&
           idv_date_compare(a, b) != 0;
}

idv_document_comparison_t idv_document_compare(const idv_document_t *a,
                                               const idv_document_t *b)
{
    if (!idv_date_is_complete(a->date_of_birth) ||
        !idv_date_is_complete(b->date_of_birth))
        return IDV_DOCUMENT_NOT_COMPARED;
    if (dates_differ(a->date_of_birth, b->date_of_birth) ||
        dates_differ(a->date_of_expiry, b->date_of_expiry))
        return IDV_DOCUMENT_DIFFERS;
    if (a->surname && b->surname && !same_beginning(a->surname, b->surname))
        return IDV_DOCUMENT_DIFFERS;
    if (a->source == b->source && a->number && b->number &&
        strcmp(a->number, b->number) != 0)
        return IDV_DOCUMENT_DIFFERS;
    return IDV_DOCUMENT_MATCHES;
}
