/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SCOPE_H
#define IDV_STORE_SCOPE_H

/*
 * Whose objects a statement may see. What lies outside of a scope is missing
 * for whoever asks, exactly as what never existed.
 */
#include "core/id.h"
#include "store/db.h"

typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: all of the organization's */
} idv_scope_t;

/* How an object is looked up by its id. */
typedef struct {
    idv_sql_t statement; /* $1 organization, $2 id, $3 application or NULL */
    idv_id_type_t type;
    idv_error_code_t missing; /* the error without a row */
} idv_scope_lookup_t;

/* The one row, number 0, of the object ID in SCOPE, inside of store/. What is
 * not shaped like an id costs no query. */
idv_error_t *idv_scope_find(idv_db_t *db, const idv_scope_lookup_t *lookup,
                            const idv_scope_t *scope, const char *id,
                            idv_db_result_t **row,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
