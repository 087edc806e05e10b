/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_PERSON_H
#define IDV_STORE_SESSION_PERSON_H

/*
 * Identifiers of verified persons. A person belongs to one organization,
 * whatever the key's application; an e-mail address or a phone number
 * identifies at most one person in it.
 *
 * Identifiers are stored as HMACs under a key of the server, never as text.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h.
 */
#include "core/crypto.h"
#include "domain/session/session_risk.h"
#include "domain/value/identifier.h"
#include "store/db/db.h"

/* A person to find, by digests of idv_identifier_digest(). If the two belong to
 * different persons, the e-mail address decides. */
typedef struct {
    const char *organization_id;
    idv_bytes_t email;
    idv_bytes_t phone;
} idv_person_query_t;

/* The digest under which a person is counted and looked up across
 * organizations: that of the e-mail address, else that of the phone number. */
idv_bytes_t idv_person_query_digest(const idv_person_query_t *query);

/* Compares QUERY with the person PERSON_ID: sets FACTS->equal and ->different
 * to the number of identifiers that match and differ, only for kinds that the
 * person has. Both are 0 if PERSON_ID is NULL (a person without identifiers),
 * or if QUERY has no identifiers. */
idv_error_t *idv_person_compare(idv_db_t *db, const idv_person_query_t *query,
                                const char *person_id,
                                idv_same_person_facts_t *facts,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
