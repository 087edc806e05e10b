/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_SCHEMA_H
#define IDV_STORE_DB_SCHEMA_H

/*
 * The schema's versions, how a database comes to the newest one, and whether a
 * database is one that this build and this node may work with.
 *
 * sql/migrations holds NNNN_name.sql; each is applied once, in order, in a
 * transaction of its own together with its row in schema_migration. An advisory
 * lock makes several runs at once take turns. A second connection holds the
 * lock in an open transaction. Session state is not used: a pooler may run each
 * transaction on another backend.
 *
 * While a migration waits for a table, everybody else who wants the table waits
 * behind it. So it waits for a few seconds only, and fails then with nothing
 * changed.
 *
 * A large table is written to while it gets an index only if that is built
 * concurrently, which no transaction can hold. A migration whose first line is
 * "-- @concurrently INDEX" is one such statement, CREATE INDEX CONCURRENTLY IF
 * NOT EXISTS, and nothing else. It keeps nobody waiting, but waits itself,
 * without end, for transactions that were there before. Cut off half way, it
 * leaves an index that nobody uses; the next run drops that first. If only the
 * client was cut off, the next run waits until the server has built the index.
 * Cut off before it was written down, it finds the index whole and writes it
 * down.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; a migration that cannot be read or applied is
 * internal, with its file in the detail; a database that this build may not
 * work with is no error but a fault to be told.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "store/db/db.h"

typedef struct {
    idv_db_t *db;          /* runs the migrations */
    idv_db_t *turn;        /* holds the turn; another connection */
    const char *directory; /* of the migrations */
} idv_migration_t;

/* Applies what is pending. The file names that were applied now go to *APPLIED
 * (array of const char *), the version reached to *VERSION. Errors name the
 * file; migrations before it stay applied. A database that idv_database_check()
 * refuses for its encoding or settings is an internal error. */
idv_error_t *idv_migration_apply(const idv_migration_t *run,
                                 apr_array_header_t **applied, int *version,
                                 apr_pool_t *pool) IDV_CHECKED;

/* What is to be done before this build may work with the database, for the log;
 * NULL in *FAULT: nothing. The database has to be encoded as UTF8, the settings
 * that a pooler may have dropped have to be right, the schema new enough, and
 * the master key the one that the database has been used with, in each of its
 * versions: with another key nothing sealed opens, nobody is recognized, and
 * nobody else can read what is written meanwhile (store/db/master_key.h). KEYS may
 * be NULL for who needs no key. */
idv_error_t *idv_database_check(idv_db_t *db, const idv_keyring_t *keys,
                                const char **fault,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
