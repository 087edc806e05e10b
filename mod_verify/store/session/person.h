/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_PERSON_H
#define IDV_STORE_SESSION_PERSON_H

/*
 * The identifiers that name verified persons. A person belongs to one
 * organization, whatever the application of the key; an e-mail address or a phone
 * number names at most one person of it.
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

/* Who is looked for, by digests of idv_identifier_digest(). When the two belong
 * to different persons, the e-mail address decides. */
typedef struct {
    const char *organization_id;
    idv_bytes_t email;
    idv_bytes_t phone;
} idv_person_query_t;

/* The one digest by which a person is counted and looked for across
 * organizations: the e-mail address's when there is one, else the phone
 * number's. */
idv_bytes_t idv_person_query_digest(const idv_person_query_t *query);

/* Compares whom QUERY names with the person PERSON_ID: sets FACTS->equal and
 * ->different to how many identifiers of QUERY are the person's and how many are
 * not, counting only kinds of which the person has one. PERSON_ID NULL stands
 * for a person without identifiers, with whom nothing can be compared: both are
 * 0, as they are for a query without any. */
idv_error_t *idv_person_compare(idv_db_t *db, const idv_person_query_t *query,
                                const char *person_id,
                                idv_same_person_facts_t *facts,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
