/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_CREDENTIAL_RECORD_H
#define IDV_STORE_SESSION_CREDENTIAL_RECORD_H

/*
 * Credentials and VP tokens as they are kept: minted by a verified session,
 * found for a later one, shown to the operator and revoked.
 *
 * A credential says what a session proved of a person; see domain/session/credential.h.
 * Its VP token is what the person keeps to skip a later verification
 * (domain/value/issued_secret.h); the store knows the SHA-256 of it alone. A token is
 * valid for IDV_VP_TOKEN_VALIDITY, and never longer than its credential.
 *
 * Revoked and expired credentials are never found for a session, nor are those
 * of a session that is held for review.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool; tokens
 * are wiped with it. Failures: those of store/db/db.h; a credential that a session
 * may rest on no longer is `no_matching_vp`, one that an operator names and that
 * does not exist `resource_missing`.
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
    const idv_credential_t *credential; /* what it proved */
    const idv_keyring_t *keyring;
    idv_time_t now;
} idv_credential_minting_t;

/* Writes the credential with its token, inside of a transaction; whoever mints
 * for the same person waits until its end. *ID is the credential's, *PERSON_ID
 * the person's, or NULL without an identifier. */
idv_error_t *idv_credential_mint(idv_db_t *db,
                                 const idv_credential_minting_t *minting,
                                 const char **id, const char **person_id,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- finding, for a session --- */

/* Credentials of a person that are looked at, the newest. */
#define IDV_REUSABLE_MAX 100

/* The valid credentials of the person whom QUERY names: the newest
 * IDV_REUSABLE_MAX at NOW, newest first, as an array of const idv_reusable_t *.
 * Empty when the organization knows no such person. */
idv_error_t *idv_credentials_of_person(idv_db_t *db,
                                       const idv_person_query_t *query,
                                       idv_time_t now,
                                       apr_array_header_t **credentials,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The valid credential of the VP token with the text TOKEN, in an array like
 * that of idv_credentials_of_person(). Empty when the organization has no such
 * token, or the token or its credential is not valid at NOW. */
idv_error_t *idv_credentials_of_token(idv_db_t *db, const char *organization_id,
                                      const char *token, idv_time_t now,
                                      apr_array_header_t **credentials,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The valid credential that the credential hash HASH names, in an array like
 * that of idv_credentials_of_person(). Empty when the organization has none that
 * is valid at NOW. */
idv_error_t *idv_credentials_of_hash(idv_db_t *db, const char *organization_id,
                                     const char *hash, idv_time_t now,
                                     apr_array_header_t **credentials,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Locks a credential, so that it stays valid until the end of the transaction;
 * `no_matching_vp` when it is valid no longer. */
idv_error_t *idv_credential_lock(idv_db_t *db, const char *organization_id,
                                 const char *credential_id, idv_time_t now,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The valid credential that a session minted, and its method; *ID is NULL when
 * there is none. */
idv_error_t *idv_credential_of_session(idv_db_t *db,
                                       const idv_session_t *session,
                                       const char **id, idv_method_t *method,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The valid token of the valid credential that a session minted; NULL when
 * there is none. */
idv_error_t *idv_vp_token_of_session(idv_db_t *db, const idv_keyring_t *keyring,
                                     const idv_session_t *session,
                                     const char **token,
                                     apr_pool_t *pool) IDV_CHECKED;

/* --- the operator's view --- */

/*
 * No scope bounds these functions: an operator sees every organization. To
 * revoke what does not exist is `resource_missing`. Nothing here is secret or
 * personal: a token is named by the digest by which the store knows it.
 */

/* Credentials of a person or a session that are shown, the newest. */
#define IDV_CREDENTIALS_SHOWN 1000

typedef struct {
    const char *organization_id;
    const char *id;
    const char *verified_person_id; /* NULL: known by its token alone */
    const char *session_id;         /* that minted it */
    const char *method;
    const char *strength;
    const char *assurance;
    const char *age_tier; /* NULL: none was proved */
    idv_time_t verified_at;
    idv_time_t expires_at;
    idv_time_t revoked_at; /* 0: not revoked */
    int shared;            /* with other organizations */
    json_t *tokens;        /* array: id, expires_at, revoked_at, created */
} idv_credential_record_t;

/* The credential with this id; `resource_missing` if there is none. */
idv_error_t *idv_credential_find(idv_db_t *db, const char *id,
                                 idv_credential_record_t **credential,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The newest IDV_CREDENTIALS_SHOWN credentials of a person, whatever their
 * state, newest first, as an array of idv_credential_record_t *. Empty when
 * there is none, and for a person who does not exist. */
idv_error_t *idv_credential_list_of_person(idv_db_t *db,
                                           const char *organization_id,
                                           const char *person_id,
                                           apr_array_header_t **credentials,
                                           apr_pool_t *pool) IDV_CHECKED;

/* The credentials that the session SESSION_ID minted, in an array like that of
 * idv_credential_list_of_person(); empty for a session that does not exist. */
idv_error_t *idv_credential_list_minted(idv_db_t *db, const char *session_id,
                                        apr_array_header_t **credentials,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Revokes the token with this id alone; its credential stays. */
idv_error_t *idv_vp_token_revoke(idv_db_t *db, const char *id, idv_time_t now,
                                 idv_credential_record_t **credential,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- rows, inside of store/ --- */

/* The columns of sql/fragments/credential_columns.sql. */
#define IDV_CREDENTIAL_COLUMN_COUNT 11

/* Fills CREDENTIAL from a row that begins with these columns; its texts are the
 * result's. */
idv_error_t *idv_credential_row_read(const idv_db_result_t *rows, int row,
                                     idv_reusable_t *credential,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
