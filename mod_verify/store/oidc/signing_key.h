/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_OIDC_SIGNING_KEY_H
#define IDV_STORE_OIDC_SIGNING_KEY_H

/*
 * The keys of the service that sign ID tokens, one of each algorithm, sealed by
 * the server's key for secrets.
 *
 * A new key is published for some time before it signs, because clients cache
 * the published keys. The key that it replaces signs until then and stays
 * published for IDV_OIDC_KEY_OVERLAP. Afterwards it is deleted. A key that
 * leaked is replaced at once: tokens of the old one are refused as soon as
 * clients fetch the keys again. The watchdog renews keys that are older than
 * IDV_OIDC_KEY_LIFE, with a longer lead, since nothing is urgent.
 *
 * Threads: as in store/db/db.h; one process at a time changes keys. Memory:
 * everything lives in the given pool; private keys are wiped with it. Failures:
 * those of store/db/db.h; a key that does not open is internal.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/keyring.h"
#include "core/web_token.h"
#include "store/db/db.h"

#define IDV_OIDC_KEY_OVERLAP IDV_HOUR
#define IDV_OIDC_KEY_LIFE (90 * IDV_DAY)
#define IDV_OIDC_KEY_LEAD IDV_DAY /* of a renewed key */

typedef struct {
    const char *id;
    idv_web_algorithm_t algorithm;
    const char *public_key; /* JWK, JSON text */
    idv_bytes_t sealed_key;
    idv_time_t created, signs_from;
    idv_time_t ends; /* 0: not replaced */
} idv_oidc_key_t;

/* All published keys, those that sign last first, an array of
 * idv_oidc_key_t. */
idv_error_t *idv_oidc_key_list(idv_db_t *db, idv_time_t now,
                               apr_array_header_t **keys,
                               apr_pool_t *pool) IDV_CHECKED;

/* A key that signs now, of an algorithm. */
typedef struct {
    idv_web_algorithm_t algorithm;
    idv_time_t now;
} idv_oidc_key_wish_t;

/* The key that signs with ALGORITHM at NOW. */
idv_error_t *idv_oidc_key_open(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_oidc_key_wish_t *wish,
                               idv_web_key_t *key,
                               apr_pool_t *pool) IDV_CHECKED;

/* Creates the key of each algorithm that has none. In a transaction. */
idv_error_t *idv_oidc_keys_ensure(idv_db_t *db, const idv_keyring_t *keyring,
                                  idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const idv_keyring_t *keyring;
    idv_web_algorithm_t algorithm;
    idv_time_t lead; /* until the new key signs; 0: at once, and the old key is
                      * no longer published */
    idv_time_t now;
} idv_oidc_rotation_t;

/* Replaces the key of an algorithm, or creates the first. In a transaction. */
idv_error_t *idv_oidc_key_rotate(idv_db_t *db,
                                 const idv_oidc_rotation_t *rotation,
                                 apr_pool_t *pool) IDV_CHECKED;

/* A renewal of all keys that are old. */
typedef struct {
    const idv_keyring_t *keyring;
    idv_time_t now;
    int count; /* output: how many were renewed, and their algorithms */
    idv_web_algorithm_t algorithms[IDV_WEB_ALGORITHM_COUNT];
} idv_oidc_renewal_t;

/* Deletes the keys that have ended, and replaces those that are old, in a
 * transaction of its own. An algorithm without a key gets none. */
idv_error_t *idv_oidc_keys_renew(idv_db_t *db, idv_oidc_renewal_t *renewal,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
