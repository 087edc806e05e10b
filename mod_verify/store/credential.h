/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_CREDENTIAL_H
#define IDV_STORE_CREDENTIAL_H

/*
 * Credentials and VP tokens as an operator sees and revokes them, of whichever
 * organization. Nothing here is secret or personal: a token is named by the
 * digest by which the store knows it.
 *
 * Memory: everything lives in the given pool.
 */
#include <apr_tables.h>

#include "core/json.h"
#include "store/db.h"

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

/* A person, or what is left of an erased one. */
typedef struct {
    const char *organization_id;
    idv_time_t created;   /* 0 when erased */
    idv_time_t erased_at; /* 0: not erased */
    const char *const *identifiers; /* kinds that are known; ends with NULL */
    apr_array_header_t *credentials; /* idv_credential_record_t *, newest
                                      * first */
} idv_person_record_t;

/* All of these: `resource_missing` for an id of nothing. */

/* Fills PERSON with what is known of the person PERSON_ID. */
idv_error_t *idv_person_show(idv_db_t *db, const char *person_id,
                             idv_person_record_t *person,
                             apr_pool_t *pool) IDV_CHECKED;

/* What a session minted, as an array of idv_credential_record_t *; no error
 * when that is nothing. */
idv_error_t *idv_credential_list_minted(idv_db_t *db, const char *session_id,
                                        apr_array_header_t **credentials,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Revokes a credential and its tokens at NOW: nothing rests on it any longer.
 * In the same transaction the grants of trust reuse that were derived from it
 * end with SOURCE_CREDENTIAL_REVOKED and are announced; their number goes to
 * *GRANTS. A second time there is nothing left to do. */
idv_error_t *idv_credential_revoke(idv_db_t *db, const char *id, idv_time_t now,
                                   idv_credential_record_t **credential,
                                   int *grants, apr_pool_t *pool) IDV_CHECKED;

/* Revokes the token with this id alone; its credential stays. */
idv_error_t *idv_vp_token_revoke(idv_db_t *db, const char *id, idv_time_t now,
                                 idv_credential_record_t **credential,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
