/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_WEBHOOK_ENDPOINT_H
#define IDV_STORE_WEBHOOK_WEBHOOK_ENDPOINT_H

/*
 * Webhook endpoints as their owner creates, changes and removes them; the
 * watchdog keeps the counts of failures (store/webhook/webhook_delivery.h).
 *
 * A key sees the endpoints of its scope; what is outside of it does not exist
 * (`resource_missing`). The signing secret is kept sealed and shown once.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, `resource_missing`, and `parameter_invalid` for
 * an endpoint more than IDV_WEBHOOK_ENDPOINTS_MAX.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "store/db/lookup.h"

/* Endpoints of one organization. */
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
    /* Kept by the watchdog. */
    int consecutive_failures;   /* attempts since the last 2xx */
    idv_time_t failing_since;   /* the first of them; 0: it does not fail */
    idv_time_t next_attempt_at; /* the next repetition; 0: none waits */
} idv_webhook_endpoint_t;

/* How long a secret that is replaced can go on signing beside the new one. */
#define IDV_WEBHOOK_OVERLAP_MAX IDV_DAY

/* Seals a signing secret for the row of its endpoint. */
idv_error_t *idv_webhook_secret_seal(const idv_keyring_t *keyring,
                                     const char *endpoint_id,
                                     const char *secret, idv_bytes_t *sealed,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Stores a new endpoint; `parameter_invalid` when the organization has
 * IDV_WEBHOOK_ENDPOINTS_MAX already. Needs a transaction: creations of one
 * organization wait for each other until its end. */
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

/* Whose an endpoint is, for verifyctl. */
idv_error_t *idv_webhook_endpoint_find_organization(
    idv_db_t *db, const char *id, const char **organization_id,
    apr_pool_t *pool) IDV_CHECKED;

/* Like idv_webhook_endpoint_find, with the row locked until the transaction
 * ends. */
idv_error_t *idv_webhook_endpoint_lock(idv_db_t *db, const idv_scope_t *scope,
                                       const char *id,
                                       idv_webhook_endpoint_t **endpoint,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Points ENDPOINT at URL. Another URL is another receiver, whose failures are
 * counted from none. */
void idv_webhook_endpoint_set_url(idv_webhook_endpoint_t *endpoint,
                                  const char *url);

/* Writes ENDPOINT, which was locked before, back; not its secret. */
idv_error_t *idv_webhook_endpoint_save(idv_db_t *db,
                                       const char *organization_id,
                                       const idv_webhook_endpoint_t *endpoint,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The secret of an endpoint, opened; wiped with POOL. */
idv_error_t *idv_webhook_secret_find(idv_db_t *db,
                                     const idv_keyring_t *keyring,
                                     const idv_scope_t *scope, const char *id,
                                     idv_bytes_t *secret,
                                     apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const char *id;     /* of the endpoint */
    const char *secret; /* the new one */
    idv_time_t now;
    /* How long the present secret signs beside the new one, where a header can
     * hold both (out/webhook_signature.h), up to IDV_WEBHOOK_OVERLAP_MAX; 0: not
     * at all. */
    idv_time_t overlap;
    idv_webhook_endpoint_t *endpoint; /* found, as it is afterwards */
} idv_webhook_secret_rotation_t;

/* Replaces the secret of an endpoint in SCOPE, inside of a transaction. A secret
 * that signed besides until now does so no more, whatever its time. */
idv_error_t *idv_webhook_secret_rotate(idv_db_t *db,
                                       const idv_keyring_t *keyring,
                                       const idv_scope_t *scope,
                                       idv_webhook_secret_rotation_t *rotation,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Removes the endpoint at NOW, inside of a transaction; its pending deliveries
 * fail and its recoveries are cancelled. Of more than ten thousand deliveries
 * the rest fails when the watchdog comes to them; none is sent. */
idv_error_t *idv_webhook_endpoint_remove(idv_db_t *db, const idv_scope_t *scope,
                                         const char *id, idv_time_t now,
                                         apr_pool_t *pool) IDV_CHECKED;

/* A page, newest first, as an array of idv_webhook_endpoint_t *. */
idv_error_t *idv_webhook_endpoint_list(idv_db_t *db, const idv_scope_t *scope,
                                       const idv_cursor_t *cursor,
                                       apr_array_header_t **endpoints,
                                       int *has_more,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
