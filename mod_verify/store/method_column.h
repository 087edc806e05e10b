/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_COLUMN_H
#define IDV_STORE_METHOD_COLUMN_H

/*
 * Lists of methods as columns of type text[], inside of store/.
 *
 * Memory: in the given pool. Threads: as in store/db.h.
 */
#include "domain/method.h"
#include "store/db.h"

/* LIST as a parameter. */
idv_db_param_t idv_method_list_param(const idv_method_list_t *list,
                                     apr_pool_t *pool);

/* The list in a column; empty for SQL NULL. A value that is no method is an
 * internal error: a newer version has written it. */
idv_error_t *idv_method_list_get(const idv_db_result_t *rows, int row,
                                 int column, idv_method_list_t *list,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
