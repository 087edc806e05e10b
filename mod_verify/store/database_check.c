/* SPDX-License-Identifier: Apache-2.0 */
#include "store/database_check.h"

#include <apr_strings.h>

#include "store/migration.h"

static idv_error_t *compare_key(idv_db_t *db, const idv_db_param_t *fingerprint,
                                int *is_known, int *is_same, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_MASTER_KEY_COMPARE, fingerprint, 1, &rows,
                         pool));
    *is_known = idv_db_rows(rows) != 0;
    *is_same = *is_known && idv_db_get_bool(rows, 0, 0);
    return NULL;
}

static idv_error_t *check_key(idv_db_t *db, const idv_keyring_t *keys,
                              const char **fault, apr_pool_t *pool)
{
    const idv_db_param_t fingerprint =
        idv_db_bytes(idv_keyring_fingerprint(keys));
    int is_known, is_same;

    IDV_TRY(compare_key(db, &fingerprint, &is_known, &is_same, pool));
    if (!is_known) {
        IDV_TRY(idv_db_execute(db, IDV_SQL_MASTER_KEY_REMEMBER, &fingerprint, 1,
                               NULL, pool));
        IDV_TRY(compare_key(db, &fingerprint, &is_known, &is_same, pool));
    }
    if (!is_same)
        *fault = "the master key is not the one that this database has been "
                 "used with: see VerifyMasterKeyFile";
    return NULL;
}

idv_error_t *idv_database_check(idv_db_t *db, const idv_keyring_t *keys,
                                const char **fault, apr_pool_t *pool)
{
    int version, needed = idv_migration_needed();

    *fault = NULL;
    IDV_TRY(idv_migration_version(db, &version, pool));
    if (version < needed) {
        *fault = apr_psprintf(pool,
                              "the database schema has version %d, this needs "
                              "%d: run verifyctl migrate",
                              version, needed);
        return NULL;
    }
    return keys ? check_key(db, keys, fault, pool) : NULL;
}
