/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_OIDC_CLIENT_RECORD_H
#define IDV_STORE_OIDC_CLIENT_RECORD_H

/*
 * The clients of the OpenID Connect provider (domain/oidc/client.h).
 *
 * The first client of the service also creates the keys that sign ID tokens
 * (store/oidc/signing_key.h).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an unknown client is `resource_missing`, an
 * unknown or retired workflow `parameter_invalid` at `workflow_id`.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "domain/oidc/client.h"
#include "store/db/lookup.h"

/* Creates CLIENT, which was checked; sets its id and times. */
idv_error_t *idv_oidc_client_create(idv_db_t *db, const idv_keyring_t *keyring,
                                    idv_oidc_client_t *client,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The client ID of any organization; NULL in *CLIENT: none. */
idv_error_t *idv_oidc_client_find(idv_db_t *db, const char *id,
                                  idv_oidc_client_t **client,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The client ID of the organization. */
idv_error_t *idv_oidc_client_get(idv_db_t *db, const char *organization_id,
                                 const char *id, idv_oidc_client_t **client,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Like get, but locks the client until the transaction of DB ends. Whoever
 * changes a client takes it by this: save writes all members, so a change that
 * was based on an older state would bring back a secret that has been replaced
 * since. */
idv_error_t *idv_oidc_client_lock(idv_db_t *db, const char *organization_id,
                                  const char *id, idv_oidc_client_t **client,
                                  apr_pool_t *pool) IDV_CHECKED;

/* A page of the organization's clients, newest first, an array of
 * idv_oidc_client_t *. */
idv_error_t *idv_oidc_client_page(idv_db_t *db, const idv_page_query_t *query,
                                  apr_array_header_t **clients, int *has_more,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Writes CLIENT, a locked one with changed members, which were checked. */
idv_error_t *idv_oidc_client_save(idv_db_t *db, idv_oidc_client_t *client,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Deletes the client and ends its logins. */
idv_error_t *idv_oidc_client_delete(idv_db_t *db, const char *organization_id,
                                    const char *id,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
