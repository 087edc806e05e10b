/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_PERSON_LOOKUP_H
#define IDV_STORE_SESSION_PERSON_LOOKUP_H

/*
 * Looks up whether an organization has verified a user: by e-mail address,
 * phone number or both (which must belong to the same person), with
 * requirements on the credentials. Reveals nothing about other organizations'
 * users. Changes nothing; the caller records an operator's lookup in the same
 * transaction.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; `parameter_invalid`.
 */
#include "core/keyring.h"
#include "domain/request/parameters.h"
#include "domain/session/credential.h"
#include "store/db/db.h"

typedef struct {
    const char *email; /* at least one of the two is set */
    const char *phone;
    idv_method_list_t methods; /* empty: any */
    idv_strength_t min_strength;
    int max_age; /* days; 0: any */
} idv_person_lookup_t;

/* The parameters of an idv_person_lookup_t. */
extern const idv_parameter_t idv_person_lookup_parameters[];

/* `parameter_invalid` at `email` if neither address nor number is given. */
idv_error_t *idv_person_lookup_check(const idv_person_lookup_t *lookup,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Context of a lookup. */
typedef struct {
    const char *organization_id;
    const idv_keyring_t *keyring;
    idv_time_t now;
} idv_person_lookup_place_t;

/* Sets *ANSWER to a JSON object: {"object", "verified", "verified_person_id",
 * "credentials"}, newest first. */
idv_error_t *idv_person_lookup(idv_db_t *db,
                               const idv_person_lookup_place_t *place,
                               const idv_person_lookup_t *lookup,
                               const char **answer,
                               apr_pool_t *pool) IDV_CHECKED;

#endif
