/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_ACCOUNT_API_KEY_H
#define IDV_STORE_ACCOUNT_API_KEY_H

/*
 * API keys as they are kept: by the SHA-256 of their text, whose form stands in
 * domain/value/issued_secret.h, and with what their organization allows.
 *
 * Uses. Whoever lets a key in notes it once in IDV_API_KEY_USE_STEP; that says
 * whether a key is in use at all, not how much.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool; the
 * text of a new key is wiped with it. Failures: those of store/db/db.h, and
 * `api_key_invalid` for whoever presents a key that does not hold; an
 * organization, an application or a key that an operator names and that does
 * not exist is `resource_missing`.
 */
#include <apr_tables.h>

#include "domain/account/key_scope.h"
#include "domain/value/issued_secret.h"
#include "store/db/lookup.h"

#define IDV_API_KEY_LABEL_MAX 100 /* characters */

/* How old the note of a key's use may become before the next one. */
#define IDV_API_KEY_USE_STEP IDV_HOUR

/* A key, and what its organization allows. */
typedef struct {
    const char *id;
    const char *organization_id;
    const char *application_id; /* NULL: organization-wide */
    idv_key_type_t type;
    const char *last_characters; /* four, for lists; NULL from _find */
    idv_time_t expires;          /* 0: never */
    idv_time_t revoked;          /* 0: not */
    idv_time_t created;          /* 0 from _find */
    const char *label;           /* what it is for; NULL: nothing, or from _find */
    idv_key_scopes_t scopes;     /* of a secret key; they never change */
    /* To the hour, as it was noted; 0: never. */
    idv_time_t last_used;
    int sandbox;
    int billing_suspended;
    int publishable_create_blocked;
    apr_int64_t rate_limit; /* its requests a minute; 0: the server's */
} idv_api_key_t;

/* The valid key with this text. A malformed, unknown, revoked or expired one,
 * or one whose prefix names another type, is `api_key_invalid`. */
idv_error_t *idv_api_key_authenticate(idv_db_t *db, const char *text,
                                      idv_time_t now, idv_api_key_t **key,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Notes that KEY, which was let in at NOW, is in use, unless it was noted within
 * IDV_API_KEY_USE_STEP. */
idv_error_t *idv_api_key_note_use(idv_db_t *db, const idv_api_key_t *key,
                                  idv_time_t now,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when both say the same of the same key. */
int idv_api_key_equal(const idv_api_key_t *one, const idv_api_key_t *other);

/* A guard that passes as long as the row with DIGEST still is what KEY says,
 * neither revoked nor changed in anything else; `api_key_invalid` otherwise.
 * DIGEST and KEY have to live as long as the guard, which is in POOL. */
idv_db_guard_t *idv_api_key_guard(const idv_api_key_t *key,
                                  const unsigned char *digest,
                                  apr_pool_t *pool);

/* For statements that have GUARD's condition in themselves, and that pass it
 * with a row: the parameters that sql/fragments/session_guess.sql
 * compares a key and its organization with. Of secret keys alone. */
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
    int by_admin; /* flag: whoever creates it may give it everything */
} idv_api_key_request_t;

/* Makes a key; its text goes to *TEXT, is wiped with POOL and cannot be had
 * again. An end that is not in the future is refused (param expires_at). */
idv_error_t *idv_api_key_create(idv_db_t *db,
                                const idv_api_key_request_t *request,
                                idv_api_key_t **key, const char **text,
                                apr_pool_t *pool) IDV_CHECKED;

/* The keys of an organization in order of creation, as an array of
 * idv_api_key_t *. */
idv_error_t *idv_api_key_list(idv_db_t *db, const char *organization_id,
                              apr_array_header_t **keys,
                              apr_pool_t *pool) IDV_CHECKED;

/* A page of them, newest first. */
idv_error_t *idv_api_key_page(idv_db_t *db, const char *organization_id,
                              const idv_cursor_t *cursor,
                              apr_array_header_t **keys, int *has_more,
                              apr_pool_t *pool) IDV_CHECKED;

/* Revokes the key ID of the organization, or of any when ORGANIZATION_ID is
 * NULL, from now on; a key that was revoked before keeps its time. */
idv_error_t *idv_api_key_revoke(idv_db_t *db, const char *organization_id,
                                const char *id, idv_api_key_t **key,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
