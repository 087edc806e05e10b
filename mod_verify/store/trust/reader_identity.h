/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_READER_IDENTITY_H
#define IDV_STORE_TRUST_READER_IDENTITY_H

/*
 * Reader identities (domain/trust/reader_identity.h): created with a key and no
 * certificates, in use once certificates are installed, retired when another
 * one replaces them. The key of a retired identity is destroyed.
 *
 * Keys are sealed by the server's key for secrets and bound to the id of their
 * identity.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool;
 * private keys are wiped with it. Failures: those of store/db/db.h; an unknown
 * id is `resource_missing`; a key that does not open is internal.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "methods/mdl/reader_key.h"
#include "store/db/db.h"

/* A stored identity. */
typedef struct {
    const char *id;     /* rdr_ */
    const char *status; /* pending, active, retired */
    const char *key_type;
    idv_time_t created, updated;
    /* `organization_id` is NULL for the server's; `private_key` is set only
     * where a function says so. */
    idv_reader_identity_t identity;
} idv_reader_record_t;

/* The identity of an organization, and the keys that sealed its own. */
typedef struct {
    const idv_keyring_t *keyring;
    const char *organization_id;
    idv_reader_kind_t kind;
} idv_reader_query_t;

/* The identity of KIND that an organization uses: its own, else the server's,
 * with its private key; NULL if there is none. Includes one with expired
 * certificates; see `not_after`. */
idv_error_t *idv_reader_identity_find(idv_db_t *db,
                                      const idv_reader_query_t *query,
                                      const idv_reader_identity_t **identity,
                                      apr_pool_t *pool) IDV_CHECKED;

/* A new identity, and the keys that seal its own. */
typedef struct {
    const idv_keyring_t *keyring;
    const idv_reader_identity_t *identity;
    idv_reader_key_type_t type;
} idv_reader_draft_t;

/* Creates an identity of IDENTITY's kind and owner with its private key;
 * `parameter_invalid` (`org`) for an unknown organization. */
idv_error_t *idv_reader_identity_create(idv_db_t *db,
                                        const idv_reader_draft_t *draft,
                                        idv_reader_record_t **record,
                                        apr_pool_t *pool) IDV_CHECKED;

/* The identity ID; with its private key if KEYRING is not NULL and there is
 * one. */
idv_error_t *idv_reader_identity_get(idv_db_t *db,
                                     const idv_keyring_t *keyring,
                                     const char *id,
                                     idv_reader_record_t **record,
                                     apr_pool_t *pool) IDV_CHECKED;

/* All identities that an organization can use, or (NULL) all there are, an
 * array of idv_reader_record_t without private keys. */
idv_error_t *idv_reader_identity_list(idv_db_t *db, const char *organization_id,
                                      apr_array_header_t **records,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Puts RECORD into use with the chain, registration and metadata (without
 * either: unchanged) and expiry in its identity; retires the previous one. */
idv_error_t *idv_reader_identity_install(idv_db_t *db,
                                         idv_reader_record_t *record,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Retires RECORD, which is not retired yet. */
idv_error_t *idv_reader_identity_retire(idv_db_t *db,
                                        const idv_reader_record_t *record,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
