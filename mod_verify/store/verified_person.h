/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_VERIFIED_PERSON_H
#define IDV_STORE_VERIFIED_PERSON_H

/*
 * Verified persons: whom an e-mail address or a phone number names, and the
 * valid credentials that are known of them. Within one organization, whatever
 * the application of the key.
 *
 * Revoked and expired credentials are never found, nor are those of a session
 * that is held for review.
 *
 * Memory: everything lives in the given pool. Results are arrays of
 * const idv_reusable_t *, newest first.
 */
#include "core/crypto.h"
#include "domain/reuse.h"
#include "store/db.h"

/* Credentials of a person that are looked at, the newest. */
#define IDV_REUSABLE_MAX 100

/* The HMAC by which a normalized e-mail address or phone number (KIND "email",
 * "phone") is known; no data for NULL. */
idv_bytes_t idv_identifier_digest(const idv_keyring_t *keyring,
                                  const char *kind, const char *text,
                                  apr_pool_t *pool);

/* Who is looked for; digests of idv_identifier_digest(). When the two belong
 * to different persons, the e-mail address decides. */
typedef struct {
    const char *organization_id;
    idv_bytes_t email;
    idv_bytes_t phone;
} idv_person_query_t;

idv_error_t *idv_verified_person_find(idv_db_t *db,
                                      const idv_person_query_t *query,
                                      idv_time_t now,
                                      apr_array_header_t **credentials,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
