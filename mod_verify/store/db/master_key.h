/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_MASTER_KEY_H
#define IDV_STORE_DB_MASTER_KEY_H

/*
 * Versions of the master key: which one seals, what each has sealed, and the
 * re-encryption from one to the next.
 *
 * The sealing version is in the database: the newest one that it knows. Each
 * process asks every few seconds (idv_master_key_check()), so a change of
 * version needs no restart; values that a process still seals with the former
 * version are resealed like all others. A process whose file lacks a version in
 * use serves no requests, because it could not open what others seal.
 *
 * Values are resealed in batches of one transaction each, and only if a value
 * is unchanged since it was read. So resealing can run while the service does,
 * can be interrupted at any time, and continues where it stopped without
 * checking finished values again.
 *
 * A version is dropped by table constraints that refuse its seals. They are
 * created and checked in one transaction: either no value of the version is
 * left and none can appear, or nothing has changed.
 *
 * Threads: as in store/db/db.h. Memory: results live in the given pool.
 * Failures: those of store/db/db.h; `parameter_invalid` if a version cannot be
 * changed as requested.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/keyring.h"
#include "store/db/db.h"

/* Columns sealed by the master key: X(NAME, value, table, column, sealing). A
 * value is bound to its place by the text of name, colon, and the value's id
 * there. */
#define IDV_SEALED_PLACES(X)                                                   \
    X(DATA_KEY, data_key, session_data_key, wrapped_key, DATA_KEY)             \
    X(MAIL_KEY, mail_key, outgoing_mail, wrapped_key, DATA_KEY)                \
    X(WEBHOOK_SECRET, webhook_secret, webhook_endpoint, sealed_secret, SECRET) \
    X(FORMER_SECRET, former_webhook_secret, webhook_overlap, sealed_secret,    \
      SECRET)                                                                  \
    X(READER_KEY, reader_key, reader_identity, sealed_key, SECRET)             \
    X(OIDC_KEY, oidc_key, oidc_key, sealed_key, SECRET)                        \
    X(RESPONSE, idempotency, idempotency_record, sealed_response, RESPONSE)

typedef enum {
#define X(name, value, table, column, sealing) IDV_SEALED_##name,
    IDV_SEALED_PLACES(X)
#undef X
        IDV_SEALED_COUNT
} idv_sealed_t;

/* For idv_keyring_seal() and idv_keyring_open(): the value ID in PLACE. */
idv_seal_place_t idv_sealed_place(idv_sealed_t place, const char *id,
                                  apr_pool_t *pool);

/* The name of the place for operators. */
const char *idv_sealed_name(idv_sealed_t place);

/* What must be done before a process with KEYS can use the database, or NULL in
 * *FAULT. Without a fault KEYS seals with the database's version. A database
 * that was never used takes the newest version. */
idv_error_t *idv_master_key_check(idv_db_t *db, const idv_keyring_t *keys,
                                  const char **fault,
                                  apr_pool_t *pool) IDV_CHECKED;

/* A version that was used for sealing. */
typedef struct {
    int version;
    idv_time_t since;
    idv_time_t dropped_at;                /* 0: not dropped */
    apr_int64_t sealed[IDV_SEALED_COUNT]; /* number of values it seals now */
} idv_master_key_t;

/* All versions in the database, ascending (array of idv_master_key_t), with the
 * number of values that each seals, which reads every sealed value. */
idv_error_t *idv_master_key_list(idv_db_t *db, apr_array_header_t **versions,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Whether VERSION or a later one already seals. */
idv_error_t *idv_master_key_seals(idv_db_t *db,
                                  const idv_key_version_t *version, int *seals,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Makes the newest version of KEYS the sealing version. */
idv_error_t *idv_master_key_advance(idv_db_t *db, const idv_keyring_t *keys,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Progress of resealing. */
typedef struct {
    apr_int64_t sealed[IDV_SEALED_COUNT];
    apr_array_header_t *unreadable; /* const char *: place and id of values that
                                     * do not open; the first hundred */
} idv_rewrap_t;

/* Reseals with the newest version of KEYS all values sealed by others, BATCH at
 * a time, except those that do not open. */
idv_error_t *idv_master_key_rewrap(idv_db_t *db, const idv_keyring_t *keys,
                                   int batch, idv_rewrap_t *done,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Makes the database refuse seals of VERSION, the oldest that is not dropped.
 * `parameter_invalid` if a value still has one; nothing is changed then. Waits
 * for concurrent writers, up to five seconds for each table, and includes their
 * values. */
idv_error_t *idv_master_key_drop(idv_db_t *db, int version,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
