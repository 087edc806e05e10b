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
#include "domain/credential.h"
#include "domain/session_risk.h"
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

/* The credentials of the person whom QUERY names, at most IDV_REUSABLE_MAX. */
idv_error_t *idv_verified_person_find(idv_db_t *db,
                                      const idv_person_query_t *query,
                                      idv_time_t now,
                                      apr_array_header_t **credentials,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The credential of a VP token, and that of a credential hash; an empty array
 * when there is none. */
idv_error_t *idv_verified_person_of_token(idv_db_t *db,
                                          const char *organization_id,
                                          const char *token, idv_time_t now,
                                          apr_array_header_t **credentials,
                                          apr_pool_t *pool) IDV_CHECKED;
idv_error_t *idv_verified_person_of_hash(idv_db_t *db,
                                         const char *organization_id,
                                         const char *hash, idv_time_t now,
                                         apr_array_header_t **credentials,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Compares whom QUERY names with the person PERSON_ID: fills what FACTS counts.
 * NULL is a person without identifiers, with whom nothing can be compared. */
idv_error_t *idv_verified_person_compare(idv_db_t *db,
                                         const idv_person_query_t *query,
                                         const char *person_id,
                                         idv_same_person_facts_t *facts,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The `credential_hash` of a credential: 64 hexadecimal digits, an HMAC of its
 * id, so that it can be shown whenever its session's results are. It names a
 * credential to its organization and is no secret of the person. */
const char *idv_credential_hash(const idv_keyring_t *keyring,
                                const char *credential_id, apr_pool_t *pool);

/* What may be tried at most LIMIT times in a WINDOW. */
typedef struct {
    const char *organization_id;
    idv_bytes_t digest; /* names who tries it */
    idv_time_t window;
    int limit;
} idv_reuse_attempt_t;

/* Counts an attempt, exactly under concurrency. *ATTEMPTS counts this one; when
 * there have been too many it is not kept, and *RETRY_AFTER is the seconds
 * until the next may be made. */
idv_error_t *idv_reuse_attempt_count(idv_db_t *db,
                                     const idv_reuse_attempt_t *attempt,
                                     idv_time_t now, int *attempts,
                                     int *retry_after,
                                     apr_pool_t *pool) IDV_CHECKED;

/* One more attempt of accept_existing for whom QUERY names: by the e-mail
 * address when there is one. */
#define IDV_ACCEPT_EXISTING_WINDOW (15 * IDV_MINUTE)
idv_error_t *idv_accept_existing_count(idv_db_t *db,
                                       const idv_person_query_t *query,
                                       idv_time_t now, int *attempts,
                                       int *retry_after,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Holds a credential valid until the end of the transaction; `no_matching_vp`
 * when it is valid no longer. */
idv_error_t *idv_credential_hold(idv_db_t *db, const char *organization_id,
                                 const char *credential_id, idv_time_t now,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
