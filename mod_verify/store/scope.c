/* SPDX-License-Identifier: Apache-2.0 */
#include "store/scope.h"

idv_error_t *idv_scope_find(idv_db_t *db, const idv_scope_lookup_t *lookup,
                            const idv_scope_t *scope, const char *id,
                            idv_db_result_t **row, apr_pool_t *pool)
{
    if (!idv_id_is(lookup->type, id))
        return idv_error_new(lookup->missing, pool);
    IDV_TRY(idv_db_query(db, lookup->statement,
                         IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                                       idv_db_text(id),
                                       idv_db_text(scope->application_id)),
                         row, pool));
    return idv_db_rows(*row) ? NULL : idv_error_new(lookup->missing, pool);
}
