/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/standing.h"

typedef struct {
    const idv_scope_t *scope;
    idv_organization_standing_t *found;
} look_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const look_t *look = baton;

    return idv_organization_standing(db, look->scope, look->found, pool);
}

idv_error_t *idv_request_standing(idv_request_t *request,
                                  const idv_scope_t *scope,
                                  idv_organization_standing_t *found)
{
    look_t look = {scope, found};

    return idv_request_with_database(request, find, &look);
}
