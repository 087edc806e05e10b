/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_QUERY_H
#define IDV_METHODS_MDL_MDL_QUERY_H

/*
 * What a session asks a wallet for: no more than what it decides by.
 *
 * - An age session asks for one statement, age_over_NN of the age that is
 *   required. Documents need not have that of every age, not even of 18 and 21,
 *   which are usual (ISO/IEC 18013-5, 7.2.5): that of 18 or of 21, where it is
 *   higher, is an alternative, and the date of birth the last one, unless the
 *   workflow does without. The wallet gives the first of these that it has, and
 *   nothing else. A request of annex C knows no alternatives, but a wallet
 *   answers it by a statement from which the other follows.
 * - The EU's proof of age, which says age_over_18 and nothing else, is an
 *   alternative to the whole document where that suffices and the session's law
 *   is that of a country of the EU or the EEA. It is never one for an identity.
 * - Any other session asks for names, date of birth, number and issuer.
 * - A portrait is asked for only where a face is to be compared with it.
 *
 * Nothing is ever asked for in order to be kept.
 *
 * Memory: the given pool. Threads: pure. Nothing fails.
 */
#include "methods/mdl/mdl_request.h"

typedef struct {
    int is_about_age;         /* an age session, else who somebody is */
    int required_age;         /* completed years; 0: none */
    const char *jurisdiction; /* DE, US-MD; NULL: unknown */
    int wants_portrait;
    int avoids_birth_date; /* flag: the date of birth is no alternative */
} idv_mdl_need_t;

/* The age that an age session asks about where none is required. */
#define IDV_MDL_AGE_DEFAULT 18

/* Non-zero when the law of JURISDICTION (NULL: unknown) is that of a country of the
 * EU or the EEA. */
int idv_mdl_is_european(const char *jurisdiction);

/* Non-zero when the EU's proof of age will do for NEED. */
int idv_mdl_need_accepts_attestation(const idv_mdl_need_t *need);

/* Fills the queries of REQUEST, which has its channel, by NEED; that of the proof
 * of age, where there is one, is the last. */
void idv_mdl_query(const idv_mdl_need_t *need, idv_mdl_request_t *request,
                   apr_pool_t *pool);

/* Non-zero when the elements of QUERY are alternatives, of which the first that
 * there is will do; else all of them are asked for. */
int idv_mdl_query_has_alternatives(const idv_mdl_query_t *query);

#endif
