/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_CODE_MEANING_H
#define IDV_CLI_CODE_MEANING_H

/*
 * What the codes in the record of a decision mean, in the words of the API's
 * description (api/openapi.json), out of which the table is made
 * (apxs/embed_meanings.pl).
 *
 * Memory: static. Threads: pure. Nothing fails.
 */
#include <stddef.h>
#include <string.h>

typedef enum {
    IDV_CODE_FAILURE, /* `last_error` */
    IDV_CODE_HINT,    /* why a picture or answer is asked for again */
    IDV_CODE_CHECK,
    IDV_CODE_REASON   /* for which a check does not pass */
} idv_code_kind_t;

typedef struct {
    idv_code_kind_t kind;
    const char *code, *meaning;
} idv_code_meaning_t;

/* Ends with a code of NULL. */
extern const idv_code_meaning_t idv_code_meanings[];

/* What CODE (may be NULL) means; NULL: it is none of that kind. */
static inline const char *idv_code_meaning(idv_code_kind_t kind,
                                           const char *code)
{
    for (const idv_code_meaning_t *m = idv_code_meanings; code && m->code; m++)
        if (m->kind == kind && strcmp(m->code, code) == 0)
            return m->meaning;
    return NULL;
}

#endif
