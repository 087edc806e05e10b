/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SESSION_CODE_MEANING_H
#define IDV_CLI_SESSION_CODE_MEANING_H

/*
 * Explanations of the codes in the record of a decision. The table is made from
 * the API description (api/openapi.json) by apxs/embed_meanings.pl.
 *
 * Memory: static. Threads: pure. Nothing fails.
 */
#include <stddef.h>
#include <string.h>

typedef enum {
    IDV_CODE_FAILURE, /* `last_error` */
    IDV_CODE_HINT,    /* why a picture or answer is requested again */
    IDV_CODE_CHECK,
    IDV_CODE_REASON   /* why a check does not pass */
} idv_code_kind_t;

typedef struct {
    idv_code_kind_t kind;
    const char *code, *meaning;
} idv_code_meaning_t;

/* Ends with a code of NULL. */
extern const idv_code_meaning_t idv_code_meanings[];

/* The meaning of CODE (may be NULL); NULL: no such code of that kind. */
static inline const char *idv_code_meaning(idv_code_kind_t kind,
                                           const char *code)
{
    for (const idv_code_meaning_t *m = idv_code_meanings; code && m->code; m++)
        if (m->kind == kind && strcmp(m->code, code) == 0)
            return m->meaning;
    return NULL;
}

#endif
