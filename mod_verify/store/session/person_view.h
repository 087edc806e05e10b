/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_PERSON_VIEW_H
#define IDV_STORE_SESSION_PERSON_VIEW_H

/*
 * What an operator sees of a verified person: kinds of identifiers and
 * credentials, or that the person was erased.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; a person who does not exist is
 * `resource_missing`.
 */
#include <apr_tables.h>

#include "store/db/db.h"

/* A person, or what is left of an erased one. */
typedef struct {
    const char *organization_id;
    idv_time_t created;              /* 0 when erased */
    idv_time_t erased_at;            /* 0: not erased */
    const char *const *identifiers;  /* kinds that are known; ends with NULL */
    apr_array_header_t *credentials; /* idv_credential_record_t *, newest
                                      * first */
} idv_person_record_t;

/* Fills PERSON with what is known of the person PERSON_ID, of whichever
 * organization; `resource_missing` for an id of nobody. */
idv_error_t *idv_person_show(idv_db_t *db, const char *person_id,
                             idv_person_record_t *person,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
