/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_WEBHOOK_ENDPOINT_H
#define IDV_STORE_WEBHOOK_WEBHOOK_ENDPOINT_H

/*
 * Webhook endpoints, as created, changed and deleted by their owner; the
 * watchdog maintains the failure counts (store/webhook/webhook_delivery.h).
 *
 * A key sees the endpoints in its scope; anything outside does not exist
 * (`resource_missing`). The signing secret is stored sealed and shown once.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, `resource_missing`, and `parameter_invalid`
 * for an endpoint beyond IDV_WEBHOOK_ENDPOINTS_MAX.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "store/db/lookup.h"

/* Maximum endpoints of an organization. */
#define IDV_WEBHOOK_ENDPOINTS_MAX 50

typedef struct {
    const char *id;
    const char *application_id; /* NULL: organization-wide */
    const char *name;           /* NULL: none */
    const char *url;
    const char *const *enabled_events; /* NULL-terminated */
    const char *status;                /* enabled, disabled */
    const char *description;           /* NULL: none */
    json_t *metadata;                  /* object */
    idv_time_t created;
    idv_time_t updated;
    /* Maintained by the watchdog. */
    int consecutive_failures;   /* attempts since the last 2xx */
    idv_time_t failing_since;   /* time of the first; 0: not failing */
    idv_time_t next_attempt_at; /* the next retry; 0: none waits */
} idv_webhook_endpoint_t;

/* Maximum time during which a replaced secret also signs. */
#define IDV_WEBHOOK_OVERLAP_MAX IDV_DAY

/* Seals a signing secret for the row of its endpoint. */
idv_error_t *idv_webhook_secret_seal(const idv_keyring_t *keyring,
                                     const char *endpoint_id,
                                     const char *secret, idv_bytes_t *sealed,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Stores a new endpoint; `parameter_invalid` if the organization already has
 * IDV_WEBHOOK_ENDPOINTS_MAX. Requires a transaction: concurrent creations of an
 * organization wait for its end. */
idv_error_t *idv_webhook_endpoint_insert(idv_db_t *db,
                                         const char *organization_id,
                                         const idv_webhook_endpoint_t *endpoint,
                                         idv_bytes_t sealed_secret,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The endpoint with this id in SCOPE. */
idv_error_t *idv_webhook_endpoint_find(idv_db_t *db, const idv_scope_t *scope,
                                       const char *id,
                                       idv_webhook_endpoint_t **endpoint,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The organization of an endpoint, for verifyctl. */
idv_error_t *idv_webhook_endpoint_find_organization(
    idv_db_t *db, const char *id, const char **organization_id,
    apr_pool_t *pool) IDV_CHECKED;

/* Like idv_webhook_endpoint_find, with the row locked until the end of the
 * transaction. */
idv_error_t *idv_webhook_endpoint_lock(idv_db_t *db, const idv_scope_t *scope,
                                       const char *id,
                                       idv_webhook_endpoint_t **endpoint,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Sets the URL of ENDPOINT. A different URL is a different receiver, so its
 * failure count restarts at zero. */
void idv_webhook_endpoint_set_url(idv_webhook_endpoint_t *endpoint,
                                  const char *url);

/* Saves ENDPOINT, which must be locked, except its secret. */
idv_error_t *idv_webhook_endpoint_save(idv_db_t *db,
                                       const char *organization_id,
                                       const idv_webhook_endpoint_t *endpoint,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The endpoint of a secret, and the keys that sealed it. */
typedef struct {
    const idv_keyring_t *keyring;
    idv_scope_t scope;
    const char *id;
} idv_webhook_secret_query_t;

/* The decrypted secret of an endpoint; wiped with POOL. */
idv_error_t *idv_webhook_secret_find(idv_db_t *db,
                                     const idv_webhook_secret_query_t *query,
                                     idv_bytes_t *secret,
                                     apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const char *id;     /* of the endpoint */
    const char *secret; /* the new one */
    idv_time_t now;
    /* How long the current secret also signs in headers that can contain
     * several signatures (out/webhook_signature.h), up to
     * IDV_WEBHOOK_OVERLAP_MAX; 0: not at all. */
    idv_time_t overlap;
    idv_webhook_endpoint_t *endpoint; /* output: the endpoint afterwards */
} idv_webhook_secret_rotation_t;

/* Replaces the secret of an endpoint in SCOPE, in a transaction. A secret from
 * an earlier overlap stops signing, even before its time is over. */
idv_error_t *idv_webhook_secret_rotate(idv_db_t *db,
                                       const idv_keyring_t *keyring,
                                       const idv_scope_t *scope,
                                       idv_webhook_secret_rotation_t *rotation,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Deletes the endpoint at NOW, in a transaction; its pending deliveries fail
 * and its recoveries are cancelled. Beyond ten thousand deliveries, the rest
 * fails when the watchdog reaches them; none is sent. */
idv_error_t *idv_webhook_endpoint_remove(idv_db_t *db, const idv_scope_t *scope,
                                         const char *id, idv_time_t now,
                                         apr_pool_t *pool) IDV_CHECKED;

/* A page, newest first, an array of idv_webhook_endpoint_t *. */
idv_error_t *idv_webhook_endpoint_list(idv_db_t *db,
                                       const idv_page_query_t *query,
                                       apr_array_header_t **endpoints,
                                       int *has_more,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
