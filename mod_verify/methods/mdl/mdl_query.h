/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_QUERY_H
#define IDV_METHODS_MDL_MDL_QUERY_H

/*
 * The data that a session requests from a wallet: only what its decision needs.
 *
 * - An age session requests one statement, age_over_NN of the required age.
 *   Documents need not have it for every age, not even for the usual 18 and 21
 *   (ISO/IEC 18013-5, 7.2.5). So age_over_18 or age_over_21, if higher, is an
 *   alternative, and the date of birth is the last one, unless the workflow
 *   excludes it. The wallet returns the first of these that it has, and nothing
 *   else. A request of annex C has no alternatives, but a wallet answers it
 *   with a statement that implies the requested one.
 * - The EU's proof of age, which contains only age_over_18, is an alternative
 *   to the whole document if that suffices and the session's law is that of a
 *   country of the EU or the EEA; never for an identity.
 * - Any other session requests names, date of birth, number and issuer.
 * - A portrait is requested only if a face is to be compared with it.
 *
 * Nothing is requested in order to be stored.
 *
 * Memory: the given pool. Threads: pure. Nothing fails.
 */
#include "methods/mdl/mdl_request.h"

typedef struct {
    int is_about_age;         /* flag: an age session; else an identity
                               * session */
    int required_age;         /* completed years; 0: none */
    const char *jurisdiction; /* DE, US-MD; NULL: unknown */
    int wants_portrait;
    int avoids_birth_date; /* flag: the date of birth is not an alternative */
} idv_mdl_need_t;

/* The age of an age session without a required age. */
#define IDV_MDL_AGE_DEFAULT 18

/* Non-zero if the law of JURISDICTION (NULL: unknown) is that of a country of
 * the EU or the EEA. */
int idv_mdl_is_european(const char *jurisdiction);

/* Non-zero if the EU's proof of age suffices for NEED. */
int idv_mdl_need_accepts_attestation(const idv_mdl_need_t *need);

/* Fills the queries of REQUEST, whose channel is set, according to NEED; the
 * query for the proof of age, if any, is the last. */
void idv_mdl_query(const idv_mdl_need_t *need, idv_mdl_request_t *request,
                   apr_pool_t *pool);

/* Non-zero if the elements of QUERY are alternatives, of which the first
 * available one suffices; else all are requested. */
int idv_mdl_query_has_alternatives(const idv_mdl_query_t *query);

#endif
