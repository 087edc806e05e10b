/* SPDX-License-Identifier: Apache-2.0 */
#include "store/trust/revocation_list.h"

#include <string.h>

#include <apr_strings.h>

static idv_db_param_t digest_param(const char *address, apr_pool_t *pool)
{
    unsigned char *digest = apr_palloc(pool, IDV_DIGEST_SIZE);

    idv_sha256(address, strlen(address), digest);
    return idv_db_bytes((idv_bytes_t){digest, IDV_DIGEST_SIZE});
}

idv_error_t *idv_revocation_copy_find(idv_db_t *db, const char *address,
                                      idv_revocation_copy_t *copy,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *copy = (idv_revocation_copy_t){0};
    IDV_TRY(idv_db_query(db, IDV_SQL_REVOCATION_LIST_FIND,
                         IDV_DB_PARAMS(digest_param(address, pool)), &rows,
                         pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    copy->body = idv_db_get_bytes(rows, 0, 0, pool);
    copy->fetched = idv_db_get_int(rows, 0, 1);
    copy->tried = idv_db_get_int(rows, 0, 2);
    copy->error = idv_db_get_text(rows, 0, 3);
    return NULL;
}

idv_error_t *idv_revocation_copy_store(idv_db_t *db,
                                       const idv_revocation_fetched_t *fetched,
                                       apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_REVOCATION_LIST_STORE,
        IDV_DB_PARAMS(
            digest_param(fetched->address, pool), idv_db_text(fetched->address),
            fetched->body.length ? idv_db_bytes(fetched->body) : idv_db_null(),
            idv_db_text(fetched->body.length ? NULL : fetched->error),
            idv_db_time(fetched->now)),
        NULL, pool);
}

static idv_revocation_import_t import_of(const idv_db_result_t *rows, int row)
{
    return (idv_revocation_import_t){
        .authority = idv_db_get_text(rows, row, 0),
        .issuer = idv_db_get_text(rows, row, 1),
        .ends = idv_db_get_int(rows, row, 2),
        .imported = idv_db_get_int(rows, row, 3),
    };
}

idv_error_t *idv_revocation_imports_find(idv_db_t *db, int limit,
                                         apr_array_header_t **imports,
                                         apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_REVOCATION_LIST_FIND_IMPORTED,
                         IDV_DB_PARAMS(idv_db_int(limit)), &rows, pool));
    *imports = apr_array_make(pool, 8, sizeof(idv_revocation_import_t));
    for (int row = 0; row < idv_db_rows(rows); row++)
        APR_ARRAY_PUSH(*imports, idv_revocation_import_t) =
            import_of(rows, row);
    return NULL;
}

idv_error_t *idv_revocation_import_remove(idv_db_t *db, const char *fingerprint,
                                          idv_revocation_import_t **removed,
                                          apr_pool_t *pool)
{
    const char *address =
        apr_pstrcat(pool, IDV_REVOCATION_IMPORTED, fingerprint, NULL);
    idv_db_result_t *rows;

    *removed = NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_REVOCATION_LIST_REMOVE,
                         IDV_DB_PARAMS(digest_param(address, pool)), &rows,
                         pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    *removed = apr_palloc(pool, sizeof(**removed));
    **removed = import_of(rows, 0);
    return NULL;
}
