/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_ERASURE_H
#define IDV_STORE_TRANSACTION_ERASURE_H

/*
 * Erasure of a person on request.
 *
 * A person is erased in one transaction. Identifiers, credentials, VP tokens,
 * evidence and its sealing keys are destroyed; trust reuse grants end with
 * ERASURE_REQUEST. Personal content of the person's sessions and their events
 * is cleared: identifiers, metadata, client_reference_id, URLs, messages, the
 * location of the address, results. Stored responses that show these sessions
 * are deleted with their idempotency keys. What remains are the states and
 * times of the sessions, and one record of the erasure.
 *
 * If the organization requires two people (idv_four_eyes_t), the first operator
 * only requests it; another one who repeats the request within
 * IDV_ERASURE_REQUEST_TIME erases. Until then it can be withdrawn.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, `resource_missing` for a person who never
 * existed, and `four_eyes_required`.
 */
#include <apr_tables.h>

#include "core/json.h"
#include "store/db/lookup.h"

#define IDV_ERASURE_REQUEST_TIME (7 * IDV_DAY)

typedef struct {
    const char *person_id;
    const char *operator; /* the requester: a login, or the system user */
    idv_time_t at;
    const char *within; /* required organization of the person; NULL: any */
    const char *organization_id; /* output, as is what follows */
    json_t *erased; /* object: the number of each; NULL: only requested */
} idv_person_erasure_t;

/* Erases the person of ERASURE, or requests it. Idempotent: erasing again is
 * not an error. `resource_missing` for a person who never existed;
 * `four_eyes_required` for an operator who has already requested it. */
idv_error_t *idv_person_erase(idv_db_t *db, idv_person_erasure_t *erasure,
                              apr_pool_t *pool) IDV_CHECKED;

/* An erasure waiting for a second operator. */
typedef struct {
    const char *person_id;
    const char *requested_by;
    idv_time_t created;
    idv_time_t expires_at;
} idv_erasure_request_t;

/* A query for erasure requests. */
typedef struct {
    const char *organization_id;
    idv_time_t now;
    idv_cursor_t cursor; /* by person id */
} idv_erasure_query_t;

/* The request for the person of ERASURE in its organization that is valid at
 * its time; *REQUEST is NULL if there is none. */
idv_error_t *idv_erasure_request_find(idv_db_t *db,
                                      const idv_person_erasure_t *erasure,
                                      idv_erasure_request_t **request,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Withdraws the request for the person of ERASURE, by any operator;
 * `resource_missing` if none is valid at its time. */
idv_error_t *idv_erasure_request_withdraw(idv_db_t *db,
                                          idv_person_erasure_t *erasure,
                                          apr_pool_t *pool) IDV_CHECKED;

/* A page of the organization's requests waiting at NOW, ordered by person id,
 * newest person first, an array of idv_erasure_request_t. */
idv_error_t *idv_erasure_request_page(idv_db_t *db,
                                      const idv_erasure_query_t *query,
                                      apr_array_header_t **requests,
                                      int *has_more,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
