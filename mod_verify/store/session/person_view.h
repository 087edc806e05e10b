/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_PERSON_VIEW_H
#define IDV_STORE_SESSION_PERSON_VIEW_H

/*
 * An operator's view of a verified person: kinds of identifiers and
 * credentials, or the fact of an erasure.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an unknown person is `resource_missing`.
 */
#include <apr_tables.h>

#include "store/db/db.h"

/* A person, or the remains of an erased one. */
typedef struct {
    const char *organization_id;
    idv_time_t created;              /* 0 when erased */
    idv_time_t erased_at;            /* 0: not erased */
    const char *const *identifiers;  /* known kinds, NULL-terminated */
    apr_array_header_t *credentials; /* idv_credential_record_t *, newest
                                      * first */
} idv_person_record_t;

/* Fills PERSON with the data of PERSON_ID, of any organization;
 * `resource_missing` for an unknown id. */
idv_error_t *idv_person_show(idv_db_t *db, const char *person_id,
                             idv_person_record_t *person,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
