/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_MASTER_KEY_H
#define IDV_STORE_DB_MASTER_KEY_H

/*
 * Which version of the master key seals, what each has sealed, and how the
 * values come from one version to the next.
 *
 * The database says which version seals: the newest that it knows. Each process
 * asks every few seconds (idv_master_key_check()), so a change of version needs
 * no restart; what a process seals by the former version until it has asked is
 * sealed anew like everything else. A process whose file lacks a version that
 * is in use serves nobody: it could not open what others seal.
 *
 * Values are sealed anew in batches, each of one transaction, and only where a
 * value is still the one that was read. So it may run while the service does,
 * may be ended at any moment, and goes on when it is begun again: what is done
 * already is not looked at twice.
 *
 * A version is dropped by constraints of the tables that refuse its seals. They
 * are made and checked in one transaction: either no value of it is left and
 * none can come any more, or nothing has changed.
 *
 * Threads: as in store/db/db.h. Memory: results live in the given pool. Failures:
 * those of store/db/db.h; a version that cannot be changed as asked is
 * `parameter_invalid`.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/keyring.h"
#include "store/db/db.h"

/* Where values stand that the master key seals: X(NAME, value, table, column,
 * sealing). The text that binds a value to its place is the name, a colon, and
 * the value's id there. */
#define IDV_SEALED_PLACES(X)                                                   \
    X(DATA_KEY, data_key, session_data_key, wrapped_key, DATA_KEY)             \
    X(MAIL_KEY, mail_key, outgoing_mail, wrapped_key, DATA_KEY)                \
    X(WEBHOOK_SECRET, webhook_secret, webhook_endpoint, sealed_secret, SECRET) \
    X(FORMER_SECRET, former_webhook_secret, webhook_overlap, sealed_secret,    \
      SECRET)                                                                  \
    X(READER_KEY, reader_key, reader_identity, sealed_key, SECRET)             \
    X(RESPONSE, idempotency, idempotency_record, sealed_response, RESPONSE)

typedef enum {
#define X(name, value, table, column, sealing) IDV_SEALED_##name,
    IDV_SEALED_PLACES(X)
#undef X
        IDV_SEALED_COUNT
} idv_sealed_t;

/* For idv_keyring_seal() and idv_keyring_open(): the value ID of the place. */
idv_seal_place_t idv_sealed_place(idv_sealed_t place, const char *id,
                                  apr_pool_t *pool);

/* The name of the place, as operators read it. */
const char *idv_sealed_name(idv_sealed_t place);

/* What is to be done before a process with KEYS may work with the database, or
 * NULL in *FAULT; without a fault KEYS seals by the version that the database
 * says. A database that has not been used yet takes the newest version. */
idv_error_t *idv_master_key_check(idv_db_t *db, const idv_keyring_t *keys,
                                  const char **fault,
                                  apr_pool_t *pool) IDV_CHECKED;

/* A version that has sealed something. */
typedef struct {
    int version;
    idv_time_t since;
    idv_time_t dropped_at;                /* 0: not dropped */
    apr_int64_t sealed[IDV_SEALED_COUNT]; /* values it seals now */
} idv_master_key_t;

/* All versions of the database, ascending (array of idv_master_key_t), with
 * what they seal, which reads every sealed value. */
idv_error_t *idv_master_key_list(idv_db_t *db, apr_array_header_t **versions,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Whether VERSION, or a later one, seals already. */
idv_error_t *idv_master_key_seals(idv_db_t *db,
                                  const idv_key_version_t *version, int *seals,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The newest version of KEYS seals from now on. */
idv_error_t *idv_master_key_advance(idv_db_t *db, const idv_keyring_t *keys,
                                    apr_pool_t *pool) IDV_CHECKED;

/* What sealing anew has come to. */
typedef struct {
    apr_int64_t sealed[IDV_SEALED_COUNT];
    apr_array_header_t *unreadable; /* of const char *: place and id of values
                                     * that do not open; the first hundred */
} idv_rewrap_t;

/* Seals by the newest version of KEYS what others have sealed, BATCH values at
 * a time, until there are none but those that do not open. */
idv_error_t *idv_master_key_rewrap(idv_db_t *db, const idv_keyring_t *keys,
                                   int batch, idv_rewrap_t *done,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Has the database refuse seals of VERSION, the oldest that is not dropped.
 * `parameter_invalid` while a value has one, with nothing changed; what others
 * are just sealing by it is waited for, up to five seconds for each table, and
 * counts. */
idv_error_t *idv_master_key_drop(idv_db_t *db, int version,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
