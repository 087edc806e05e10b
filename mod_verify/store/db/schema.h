/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_SCHEMA_H
#define IDV_STORE_DB_SCHEMA_H

/*
 * The schema's versions, migration to the newest, and the check whether this
 * build and node can use a database.
 *
 * sql/migrations contains NNNN_name.sql; each is applied once, in order, in its
 * own transaction together with its row in schema_migration. An advisory lock
 * serializes concurrent runs. A second connection holds it in an open
 * transaction; session state is not used, because a pooler can run each
 * transaction on another backend.
 *
 * While a migration waits for a table lock, everybody else who needs the table
 * waits behind it. So it waits only a few seconds, then fails with nothing
 * changed.
 *
 * To index a large table without blocking writes, the index must be built
 * concurrently, which is impossible in a transaction. A migration whose first
 * line is "-- @concurrently INDEX" consists of exactly one CREATE INDEX
 * CONCURRENTLY IF NOT EXISTS. It blocks nobody, but waits without limit for
 * earlier transactions.
 * - If it is interrupted, it leaves an invalid index, which the next run drops
 *   first.
 * - If only the client was interrupted, the next run waits until the server has
 *   built the index.
 * - If it is interrupted before it was recorded, the next run finds the
 *   complete index and records it.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; a migration that cannot be read or applied
 * is internal, with its file in the detail; a database that this build cannot
 * use is not an error but a fault to report.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "store/db/db.h"

typedef struct {
    idv_db_t *db;          /* runs the migrations */
    idv_db_t *turn;        /* holds the lock; another connection */
    const char *directory; /* of the migrations */
} idv_migration_t;

/* Applies pending migrations. *APPLIED lists the file names applied now (array
 * of const char *), *VERSION is the version reached. Errors name the file;
 * migrations before it remain applied. A database that idv_database_check()
 * refuses for its encoding or settings is an internal error. */
idv_error_t *idv_migration_apply(const idv_migration_t *run,
                                 apr_array_header_t **applied, int *version,
                                 apr_pool_t *pool) IDV_CHECKED;

/* What must be done before this build can use the database, for the log; NULL
 * in *FAULT: nothing. Requirements: the encoding is UTF8; the settings that a
 * pooler may drop are correct; the schema is new enough; and the master key is,
 * in each of its versions, the one used with the database so far. With another
 * key no seal opens, nobody is recognized, and nobody else can read newly
 * written data (store/db/master_key.h). KEYS may be NULL if no key is
 * needed. */
idv_error_t *idv_database_check(idv_db_t *db, const idv_keyring_t *keys,
                                const char **fault,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
