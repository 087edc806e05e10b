/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_MIGRATION_H
#define IDV_STORE_MIGRATION_H

/*
 * The schema's versions. sql/migrations holds NNNN_name.sql; each is applied
 * once, in order, in a transaction of its own together with its row in
 * schema_migration. An advisory lock, which the connection holds from then on,
 * makes several runs at once take turns.
 *
 * While a migration waits for a table, everybody else who wants the table waits
 * behind it. So it waits for a few seconds only, and fails then with nothing
 * changed.
 */
#include <apr_tables.h>

#include "store/db.h"

/* Applies what is pending in DIRECTORY. The file names that were applied now
 * go to *APPLIED (array of const char *), the version reached to *VERSION. */
idv_error_t *idv_migration_apply(idv_db_t *db, const char *directory,
                                 apr_array_header_t **applied, int *version,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The version of the connected database; 0 for an empty one. */
idv_error_t *idv_migration_version(idv_db_t *db, int *version,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The version that this build works with, or a later one. */
int idv_migration_needed(void);

#endif
