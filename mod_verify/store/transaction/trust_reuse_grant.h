/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_TRUST_REUSE_GRANT_H
#define IDV_STORE_TRANSACTION_TRUST_REUSE_GRANT_H

/*
 * Trust reuse grants: an application accepts a credential minted by another
 * organization's session. store/session/trust_reuse_record.h finds shared
 * credentials.
 *
 * A grant locks the shared credential until its transaction ends, and every
 * revocation ends the sharing before it looks for grants, so no grant escapes a
 * concurrent revocation. Each change of a grant writes an event for the
 * accepting application in the same transaction.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; `no_matching_vp` for a credential that was
 * revoked or unshared in the meantime, `resource_missing` for a grant that the
 * organization does not have.
 */
#include "domain/session/trust_reuse.h"
#include "store/db/lookup.h"

/* --- grants --- */

/* The grant to make. */
typedef struct {
    const idv_session_t *session; /* satisfied by CHOSEN */
    const idv_shared_credential_t *chosen;
    idv_bytes_t digest; /* idv_person_query_digest() */
    idv_time_t now;
} idv_trust_reuse_granting_t;

/* Writes the grant, in a transaction, and adds its event's deliveries to
 * *DELIVERIES; `no_matching_vp` if the credential was revoked or unshared
 * meanwhile. If the application already has a valid grant of the credential,
 * *GRANT is that one and no second is made. */
idv_error_t *idv_trust_reuse_grant(idv_db_t *db,
                                   const idv_trust_reuse_granting_t *granting,
                                   const idv_trust_reuse_grant_t **grant,
                                   apr_int64_t *deliveries,
                                   apr_pool_t *pool) IDV_CHECKED;

/* A page of an organization's grants, newest first, an array of
 * idv_trust_reuse_grant_t *. */
idv_error_t *idv_trust_reuse_grant_list(idv_db_t *db,
                                        const idv_page_query_t *query,
                                        apr_array_header_t **grants,
                                        int *has_more,
                                        apr_pool_t *pool) IDV_CHECKED;

/* `resource_missing` if the organization has no such grant. */
idv_error_t *idv_trust_reuse_grant_find(idv_db_t *db,
                                        const char *organization_id,
                                        const char *id,
                                        idv_trust_reuse_grant_t **grant,
                                        apr_pool_t *pool) IDV_CHECKED;

/* --- revocations --- */

/* All of these require a transaction. */

/* A revocation: its object, reason and time. */
typedef struct {
    const char *organization_id;
    const char *id; /* of a grant, a credential, a session or a person */
    idv_grant_revocation_t reason;
    idv_time_t now;
    apr_int64_t deliveries; /* output: number of deliveries queued */
    int revoked;            /* output: number of grants */
} idv_grant_revoking_t;

/* One grant of the accepting organization; no effect if it is already
 * revoked. */
idv_error_t *idv_trust_reuse_revoke_grant(idv_db_t *db,
                                          idv_grant_revoking_t *revoking,
                                          apr_pool_t *pool) IDV_CHECKED;

/* All grants of: one credential; a session's credentials; the credentials of a
 * person of the source; everything shared under that person's identifiers by
 * any organization. The sharing ends, too. With USER_REVOKED_CONSENT every
 * application that had a grant also gets one event about that. */
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
