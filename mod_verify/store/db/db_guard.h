/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_DB_GUARD_H
#define IDV_STORE_DB_DB_GUARD_H

/*
 * The guard of a connection: a lookup that decides whether the statements after
 * it take effect. store/db/db.h installs and runs it.
 *
 * Memory: a guard lives as long as its connection is used. Threads: those of
 * its connection. Failures: none; types only.
 */
#include "sql_statements.h"
#include "store/db/db_value.h"

/* A lookup that must succeed before any other statement on the connection takes
 * effect. CHECK examines its rows. If CHECK returns an error, the first
 * statement after the guard fails with it, changes nothing, and returns no
 * rows. */
typedef struct {
    idv_sql_t statement; /* a SELECT */
    idv_db_params_t params;
    idv_error_t *(*check)(void *baton, const idv_db_result_t *rows,
                          apr_pool_t *pool);
    void *baton;
    int passed; /* CHECK succeeded; the lookup is not repeated */
} idv_db_guard_t;

#endif
