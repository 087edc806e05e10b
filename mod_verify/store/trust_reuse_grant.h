/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_REUSE_GRANT_H
#define IDV_STORE_TRUST_REUSE_GRANT_H

/*
 * Grants of trust reuse. Each change of one writes its event, for the
 * application that accepted it, in the same transaction; all of these belong
 * inside of a transaction. *DELIVERIES is added to.
 *
 * A creation holds the shared credential until it ends, and every revocation
 * ends the sharing before it looks for grants: so none slips through between.
 *
 * Memory: everything lives in the given pool.
 */
#include "store/trust_reuse.h"

/* What is granted, and to whom. */
typedef struct {
    const idv_session_t *session; /* that CHOSEN satisfies */
    const idv_shared_credential_t *chosen;
    idv_bytes_t digest; /* idv_person_query_digest() */
    idv_time_t now;
} idv_trust_reuse_granting_t;

/* Writes the grant; `no_matching_vp` when the credential was revoked or
 * unshared meanwhile. While the application holds a valid grant of it, there is
 * no second: then *GRANT is that one. */
idv_error_t *idv_trust_reuse_grant(idv_db_t *db,
                                   const idv_trust_reuse_granting_t *granting,
                                   const idv_trust_reuse_grant_t **grant,
                                   apr_int64_t *deliveries,
                                   apr_pool_t *pool) IDV_CHECKED;

/* A page of an organization's grants, newest first, as an array of
 * idv_trust_reuse_grant_t *. */
idv_error_t *idv_trust_reuse_grant_list(idv_db_t *db,
                                        const char *organization_id,
                                        const idv_cursor_t *cursor,
                                        apr_array_header_t **grants,
                                        int *has_more,
                                        apr_pool_t *pool) IDV_CHECKED;

/* `resource_missing` when the organization has no such grant. */
idv_error_t *idv_trust_reuse_grant_find(idv_db_t *db,
                                        const char *organization_id,
                                        const char *id,
                                        idv_trust_reuse_grant_t **grant,
                                        apr_pool_t *pool) IDV_CHECKED;

/* What is revoked, why and when. */
typedef struct {
    const char *organization_id;
    const char *id; /* of a grant, a credential, a session or a person */
    idv_grant_revocation_t reason;
    idv_time_t now;
    apr_int64_t deliveries; /* out: events' deliveries queued */
    int revoked;            /* out: grants */
} idv_grant_revoking_t;

/* One grant of the accepting organization; nothing when it is revoked. */
idv_error_t *idv_trust_reuse_revoke_grant(idv_db_t *db,
                                          idv_grant_revoking_t *revoking,
                                          apr_pool_t *pool) IDV_CHECKED;

/* All grants of one credential, of what a session minted, of what a person of
 * the source has, and of everything that is shared under that person's
 * identifiers by whomever; none of it is shared any more. With
 * USER_REVOKED_CONSENT every operator that held a grant is told so besides,
 * once. */
idv_error_t *idv_trust_reuse_revoke_credential(idv_db_t *db,
                                               idv_grant_revoking_t *revoking,
                                               apr_pool_t *pool) IDV_CHECKED;
idv_error_t *idv_trust_reuse_revoke_session(idv_db_t *db,
                                            idv_grant_revoking_t *revoking,
                                            apr_pool_t *pool) IDV_CHECKED;
idv_error_t *idv_trust_reuse_revoke_person(idv_db_t *db,
                                           idv_grant_revoking_t *revoking,
                                           apr_pool_t *pool) IDV_CHECKED;
idv_error_t *idv_trust_reuse_revoke_everywhere(idv_db_t *db,
                                               idv_grant_revoking_t *revoking,
                                               apr_pool_t *pool) IDV_CHECKED;

#endif
