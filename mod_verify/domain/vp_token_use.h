/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VP_TOKEN_USE_H
#define IDV_DOMAIN_VP_TOKEN_USE_H

/*
 * What the use of a VP token says of who uses it. A token is a bearer: whoever
 * has it can show it, and it says nothing of that person but that somebody was
 * verified. What can be compared are the e-mail address and the phone number
 * that the session names with those of the token's person.
 *
 * Memory: results live in the given pool. Threads: pure.
 */
#include "core/clock.h"
#include "core/error.h"

typedef enum {
    IDV_SAME_PERSON_UNKNOWN, /* nothing to compare, or a claim that fits */
    IDV_SAME_PERSON_YES,
    IDV_SAME_PERSON_NO
} idv_same_person_t;

/* Identifiers of the session whose kind the token's person has, too. */
typedef struct {
    int equal;     /* that are the person's */
    int different; /* that are not */
    int claimed;   /* flag: a browser named them, which proves nothing */
} idv_same_person_facts_t;

/* One that differs decides. */
idv_same_person_t idv_same_person(const idv_same_person_facts_t *facts);

/* RESULTS (JSON array or NULL) with what was seen of a token used at NOW: the
 * check `vp_token_same_person` says YES or NO, and is not there when UNKNOWN.
 * As many as a session keeps, the newest. */
const char *idv_vp_token_results(const char *results, idv_same_person_t same,
                                 idv_time_t now, apr_pool_t *pool);

#endif
