/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_PERSON_ERASURE_H
#define IDV_STORE_PERSON_ERASURE_H

/*
 * Erasing a verified person, in one transaction.
 *
 * Destroyed are the identifiers, credentials, VP tokens, evidence and the keys
 * that seal it; grants of trust reuse end with ERASURE_REQUEST. What the
 * person's sessions and their events say of the person is emptied: identifiers,
 * metadata, client_reference_id, URLs, messages, the place of the address,
 * results. Answers that show these sessions are replayed no more. What remains
 * are the sessions' states and times, and one record of the erasure.
 *
 * Memory: everything lives in the given pool.
 */
#include "core/crypto.h"
#include "core/json.h"
#include "store/db.h"

typedef struct {
    const char *organization_id;
    json_t *erased; /* object: how much of each */
    idv_time_t at;
} idv_person_erasure_t;

/* Erases PERSON_ID, of whichever organization. A second time there is nothing
 * left to erase, and that is no error; a person that never was is
 * `resource_missing`. */
idv_error_t *idv_person_erase(idv_db_t *db, const char *person_id,
                              idv_time_t now, idv_person_erasure_t *erasure,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
