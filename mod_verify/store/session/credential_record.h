/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_CREDENTIAL_RECORD_H
#define IDV_STORE_SESSION_CREDENTIAL_RECORD_H

/*
 * Stored credentials and VP tokens: minted by a verified session, found for a
 * later one, shown to the operator, and revoked.
 *
 * A credential states what a session proved about a person; see
 * domain/session/credential.h. Its VP token is what the person keeps to skip a
 * later verification (domain/value/issued_secret.h); only its SHA-256 is
 * stored. A token is valid for IDV_VP_TOKEN_VALIDITY, and never longer than its
 * credential.
 *
 * Revoked and expired credentials are never found for a session, nor are those
 * of a session held for review.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool;
 * tokens are wiped with it. Failures: those of store/db/db.h; `no_matching_vp`
 * for a credential that a session can no longer use, `resource_missing` for one
 * that an operator names and that does not exist.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "domain/session/credential.h"
#include "domain/value/issued_secret.h"
#include "store/session/person.h"
#include "store/session/session_record.h"

#define IDV_VP_TOKEN_VALIDITY (90 * IDV_DAY)

/* --- minting --- */

typedef struct {
    const idv_session_record_t *record; /* of the session, with the identifiers
                                         * that may be bound to a person */
    const idv_credential_t *credential; /* the facts proved */
    const idv_keyring_t *keyring;
    idv_time_t now;
} idv_credential_minting_t;

/* Stores the credential with its token, in a transaction; concurrent minting
 * for the same person waits until its end. *ID is the credential's id,
 * *PERSON_ID the person's, or NULL without an identifier. */
idv_error_t *idv_credential_mint(idv_db_t *db,
                                 const idv_credential_minting_t *minting,
                                 const char **id, const char **person_id,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- lookup for a session --- */

/* Maximum credentials of a person that are considered, newest first. */
#define IDV_REUSABLE_MAX 100

/* The valid credentials of the person in QUERY: the newest IDV_REUSABLE_MAX at
 * NOW, newest first, an array of const idv_reusable_t *. Empty if the
 * organization does not know the person. */
idv_error_t *idv_credentials_of_person(idv_db_t *db,
                                       const idv_person_query_t *query,
                                       idv_time_t now,
                                       apr_array_header_t **credentials,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The credentials that a token or a hash belongs to. */
typedef struct {
    const char *organization_id;
    const char *text;
    idv_time_t now;
} idv_credential_query_t;

/* The valid credential of the VP token TOKEN, in an array like that of
 * idv_credentials_of_person(). Empty if the organization has no such token, or
 * if the token or its credential is not valid at NOW. */
idv_error_t *idv_credentials_of_token(idv_db_t *db,
                                      const idv_credential_query_t *query,
                                      apr_array_header_t **credentials,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The valid credential with the credential hash HASH, in an array like that of
 * idv_credentials_of_person(). Empty if the organization has none that is valid
 * at NOW. */
idv_error_t *idv_credentials_of_hash(idv_db_t *db,
                                     const idv_credential_query_t *query,
                                     apr_array_header_t **credentials,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Locks a credential, so that it remains valid until the end of the
 * transaction; `no_matching_vp` if it is no longer valid. */
idv_error_t *idv_credential_lock(idv_db_t *db, const char *organization_id,
                                 const char *credential_id, idv_time_t now,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The valid credential that a session minted, and its method; *ID is NULL if
 * there is none. */
idv_error_t *idv_credential_of_session(idv_db_t *db,
                                       const idv_session_t *session,
                                       const char **id, idv_method_t *method,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The valid token of the valid credential that a session minted; NULL if there
 * is none. */
idv_error_t *idv_vp_token_of_session(idv_db_t *db, const idv_keyring_t *keyring,
                                     const idv_session_t *session,
                                     const char **token,
                                     apr_pool_t *pool) IDV_CHECKED;

/* --- the operator's view --- */

/*
 * These functions have no scope: an operator sees every organization. Revoking
 * something that does not exist is `resource_missing`. Nothing here is secret
 * or personal: tokens are identified by their stored digests.
 */

/* Maximum credentials shown for a person or session, newest first. */
#define IDV_CREDENTIALS_SHOWN 1000

typedef struct {
    const char *organization_id;
    const char *id;
    const char *verified_person_id; /* NULL: identified only by its token */
    const char *session_id;         /* that minted it */
    const char *method;
    const char *strength;
    const char *assurance;
    const char *age_tier; /* NULL: none proved */
    idv_time_t verified_at;
    idv_time_t expires_at;
    idv_time_t revoked_at; /* 0: not revoked */
    int shared;            /* flag: shared with other organizations */
    json_t *tokens;        /* array: id, expires_at, revoked_at, created */
    json_t *passkeys;      /* array: id, last_used_at, cloned_at, created */
} idv_credential_record_t;

/* The credential with this id; `resource_missing` if there is none. */
idv_error_t *idv_credential_find(idv_db_t *db, const char *id,
                                 idv_credential_record_t **credential,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The newest IDV_CREDENTIALS_SHOWN credentials of a person in any state, newest
 * first, an array of idv_credential_record_t *. Empty if there are none, and
 * for an unknown person. */
idv_error_t *idv_credential_list_of_person(idv_db_t *db,
                                           const char *organization_id,
                                           const char *person_id,
                                           apr_array_header_t **credentials,
                                           apr_pool_t *pool) IDV_CHECKED;

/* The credentials minted by session SESSION_ID, in an array like that of
 * idv_credential_list_of_person(); empty for an unknown session. */
idv_error_t *idv_credential_list_minted(idv_db_t *db, const char *session_id,
                                        apr_array_header_t **credentials,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Revokes only the token with this id; its credential remains. */
idv_error_t *idv_vp_token_revoke(idv_db_t *db, const char *id, idv_time_t now,
                                 idv_credential_record_t **credential,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- rows, only for store/ --- */

/* The columns of sql/fragments/credential_columns.sql. */
#define IDV_CREDENTIAL_COLUMN_COUNT 11

/* Fills CREDENTIAL from a row that begins with these columns; its texts belong
 * to the result. */
idv_error_t *idv_credential_row_read(const idv_db_result_t *rows, int row,
                                     idv_reusable_t *credential,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
