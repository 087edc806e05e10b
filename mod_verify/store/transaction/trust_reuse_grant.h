/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_TRUST_REUSE_GRANT_H
#define IDV_STORE_TRANSACTION_TRUST_REUSE_GRANT_H

/*
 * Grants of trust reuse: an application accepts a credential that another
 * organization's session minted. store/session/trust_reuse_record.h finds what is shared.
 *
 * A granting locks the shared credential until its transaction ends, and every
 * revocation ends the sharing before it looks for grants: so no grant slips
 * through between. Each change of a grant writes its event, for the application
 * that accepted the credential, in the same transaction.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; a credential that is revoked or unshared by the
 * time of its granting is `no_matching_vp`, a grant that the organization does
 * not have `resource_missing`.
 */
#include "domain/session/trust_reuse.h"
#include "store/db/lookup.h"

/* --- grants --- */

/* What is granted, and to whom. */
typedef struct {
    const idv_session_t *session; /* that CHOSEN satisfies */
    const idv_shared_credential_t *chosen;
    idv_bytes_t digest; /* idv_person_query_digest() */
    idv_time_t now;
} idv_trust_reuse_granting_t;

/* Writes the grant, inside of a transaction, and adds the deliveries of its
 * event to *DELIVERIES; `no_matching_vp` when the credential was
 * revoked or unshared meanwhile. While the application has a valid grant of the
 * credential, there is no second: then *GRANT is the one it has. */
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

/* --- revocations --- */

/* All of these belong inside of a transaction. */

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
 * USER_REVOKED_CONSENT every application that had a grant is told so as well,
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
