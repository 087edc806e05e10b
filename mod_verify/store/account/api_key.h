/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_ACCOUNT_API_KEY_H
#define IDV_STORE_ACCOUNT_API_KEY_H

/*
 * API keys in the database: identified by the SHA-256 of their text (form:
 * domain/value/issued_secret.h), with their organization's permissions.
 *
 * Use of a key is recorded at most once per IDV_API_KEY_USE_STEP; this shows
 * whether a key is in use, not how much.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool; the
 * text of a new key is wiped with it. Failures: those of store/db/db.h;
 * `api_key_invalid` for a key that does not authenticate; `resource_missing`
 * for an organization, application or key that an operator names and that does
 * not exist.
 */
#include <apr_tables.h>

#include "domain/account/key_scope.h"
#include "domain/value/issued_secret.h"
#include "store/db/lookup.h"

#define IDV_API_KEY_LABEL_MAX 100 /* characters */

/* Maximum age of a recorded use before the next one is recorded. */
#define IDV_API_KEY_USE_STEP IDV_HOUR

/* A key and its organization's permissions. */
typedef struct {
    const char *id;
    const char *organization_id;
    const char *application_id; /* NULL: organization-wide */
    idv_key_type_t type;
    const char *last_characters; /* four, for lists; NULL from _find */
    idv_time_t expires;          /* 0: never */
    idv_time_t revoked;          /* 0: not revoked */
    idv_time_t created;          /* 0 from _find */
    const char *label;           /* purpose; NULL: none, or from _find */
    idv_key_scopes_t scopes;     /* of a secret key; immutable */
    /* Precise to the hour, as recorded; 0: never. */
    idv_time_t last_used;
    int sandbox;
    int billing_suspended;
    int publishable_create_blocked;
    apr_int64_t rate_limit; /* requests a minute; 0: the server's limit */
} idv_api_key_t;

/* The valid key with this text. `api_key_invalid` for a malformed, unknown,
 * revoked or expired key, and for one whose prefix indicates another type. */
idv_error_t *idv_api_key_authenticate(idv_db_t *db, const char *text,
                                      idv_time_t now, idv_api_key_t **key,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Records the use of KEY, authenticated at NOW, unless a use was recorded
 * within IDV_API_KEY_USE_STEP. */
idv_error_t *idv_api_key_note_use(idv_db_t *db, const idv_api_key_t *key,
                                  idv_time_t now,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if both are equal descriptions of the same key. */
int idv_api_key_equal(const idv_api_key_t *one, const idv_api_key_t *other);

/* A guard that passes while the row with DIGEST is unchanged from KEY, neither
 * revoked nor modified; `api_key_invalid` otherwise. DIGEST and KEY must live
 * as long as the guard, which is in POOL. */
idv_db_guard_t *idv_api_key_guard(const idv_api_key_t *key,
                                  const unsigned char *digest,
                                  apr_pool_t *pool);

/* For statements that contain GUARD's condition and pass it with a row: the
 * parameters with which sql/fragments/session_guess.sql compares a key and its
 * organization. Only for secret keys. */
#define IDV_API_KEY_GUARD_PARAMS 8
void idv_api_key_guard_params(const idv_db_guard_t *guard,
                              idv_db_param_t *params);

typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: organization-wide */
    idv_key_type_t type;
    idv_time_t expires; /* 0: never */
    const char *label;  /* NULL: none */
    idv_key_scopes_t scopes; /* of a secret key */
    int by_admin; /* flag: the creator may grant any scope */
} idv_api_key_request_t;

/* Creates a key. *TEXT is its text, wiped with POOL and not retrievable later.
 * An expiry that is not in the future is refused (param expires_at). */
idv_error_t *idv_api_key_create(idv_db_t *db,
                                const idv_api_key_request_t *request,
                                idv_api_key_t **key, const char **text,
                                apr_pool_t *pool) IDV_CHECKED;

/* The keys of an organization in order of creation, an array of idv_api_key_t
 * *. */
idv_error_t *idv_api_key_list(idv_db_t *db, const char *organization_id,
                              apr_array_header_t **keys,
                              apr_pool_t *pool) IDV_CHECKED;

/* A page of keys, newest first. */
idv_error_t *idv_api_key_page(idv_db_t *db, const idv_page_query_t *query,
                              apr_array_header_t **keys, int *has_more,
                              apr_pool_t *pool) IDV_CHECKED;

/* Revokes the key ID of the organization (NULL: of any) from now on; an already
 * revoked key keeps its time of revocation. */
idv_error_t *idv_api_key_revoke(idv_db_t *db, const char *organization_id,
                                const char *id, idv_api_key_t **key,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
