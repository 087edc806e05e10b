/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_DB_RESULT_H
#define IDV_STORE_DB_DB_RESULT_H

/*
 * The definition of idv_db_result_t, only for db.c, which fills results, and
 * db_value.c, which reads them.
 *
 * Threads: a result belongs to one thread. Memory: its creation pool. Failures:
 * none; types only.
 */
#include <libpq-fe.h>

struct idv_db_result_t {
    PGresult *result; /* cleared with the result's pool */
};

#endif
