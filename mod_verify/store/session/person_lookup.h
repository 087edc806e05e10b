/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_PERSON_LOOKUP_H
#define IDV_STORE_SESSION_PERSON_LOOKUP_H

/*
 * Who of an organization's users was verified: by e-mail address, phone number or
 * both, which have to be the same person's, and what the credentials have to be.
 * Of others' users it tells nothing. It changes nothing; that an operator has
 * looked for somebody is recorded by the caller, in the same transaction.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; `parameter_invalid`.
 */
#include "core/keyring.h"
#include "domain/request/parameters.h"
#include "domain/session/credential.h"
#include "store/db/db.h"

typedef struct {
    const char *email; /* one of the two is there */
    const char *phone;
    idv_method_list_t methods; /* any without one */
    idv_strength_t min_strength;
    int max_age; /* days; 0: any */
} idv_person_lookup_t;

/* What an idv_person_lookup_t is read by. */
extern const idv_parameter_t idv_person_lookup_parameters[];

/* `parameter_invalid` at `email` for a look-up by nothing. */
idv_error_t *idv_person_lookup_check(const idv_person_lookup_t *lookup,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Where it is looked. */
typedef struct {
    const char *organization_id;
    const idv_keyring_t *keyring;
    idv_time_t now;
} idv_person_lookup_place_t;

/* *ANSWER becomes a JSON object: {"object", "verified", "verified_person_id",
 * "credentials"}, the newest first. */
idv_error_t *idv_person_lookup(idv_db_t *db,
                               const idv_person_lookup_place_t *place,
                               const idv_person_lookup_t *lookup,
                               const char **answer,
                               apr_pool_t *pool) IDV_CHECKED;

#endif
