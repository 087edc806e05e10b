/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_PERSON_VIEW_H
#define IDV_STORE_SESSION_PERSON_VIEW_H

/*
 * An operator's view of a verified person: kinds of identifiers,
 * credentials and sessions, or the fact of an erasure.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an unknown person is `resource_missing`.
 */
#include <apr_tables.h>

#include "store/db/db.h"

/* A session that may be the person's. It is, if it minted a credential of the
 * person. A session that only names the same client reference id as such a
 * session is a hint: the customer chose the id, and nothing proves who took
 * part. That is all there is of a session that failed. */
typedef struct {
    const char *id;
    const char *status;
    const char *error_code;          /* NULL: none */
    const char *client_reference_id; /* NULL: none */
    const char *const *links; /* "credential", "reference", NULL-terminated */
    idv_time_t created;
    idv_time_t completed; /* 0: not completed */
} idv_person_session_t;

#define IDV_PERSON_SESSIONS_SHOWN 50

/* A person, or the remains of an erased one. */
typedef struct {
    const char *organization_id;
    idv_time_t created;              /* 0 when erased */
    idv_time_t erased_at;            /* 0: not erased */
    const char *const *identifiers;  /* known kinds, NULL-terminated */
    apr_array_header_t *credentials; /* idv_credential_record_t *, newest
                                      * first */
    apr_array_header_t *sessions;    /* idv_person_session_t, the newest
                                      * IDV_PERSON_SESSIONS_SHOWN */
} idv_person_record_t;

/* Fills PERSON with the data of PERSON_ID, of any organization;
 * `resource_missing` for an unknown id. */
idv_error_t *idv_person_show(idv_db_t *db, const char *person_id,
                             idv_person_record_t *person,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
