/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_PERSON_H
#define IDV_STORE_PERSON_H

/*
 * Verified persons: the identifiers that name them, and what an operator sees
 * of one. A person belongs to one organization, whatever the application of the
 * key; an e-mail address or a phone number names one person of it at most.
 *
 * Identifiers are kept as HMACs under a key of the server, never as text.
 *
 * Threads: as in store/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db.h; the person who is to be shown and does not
 * exist is `resource_missing`.
 */
#include <apr_tables.h>

#include "core/crypto.h"
#include "domain/session/session_risk.h"
#include "domain/value/identifier.h"
#include "store/db.h"

/* --- identifiers --- */

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

/* --- the operator's view --- */

/* A person, or what is left of an erased one. */
typedef struct {
    const char *organization_id;
    idv_time_t created;   /* 0 when erased */
    idv_time_t erased_at; /* 0: not erased */
    const char *const *identifiers; /* kinds that are known; ends with NULL */
    apr_array_header_t *credentials; /* idv_credential_record_t *, newest
                                      * first */
} idv_person_record_t;

/* Fills PERSON with what is known of the person PERSON_ID, of whichever
 * organization; `resource_missing` for an id of nobody. */
idv_error_t *idv_person_show(idv_db_t *db, const char *person_id,
                             idv_person_record_t *person,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
