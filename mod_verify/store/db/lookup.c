/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/lookup.h"

#include <apr_strings.h>

idv_error_t *idv_scope_find(idv_db_t *db, const idv_scope_lookup_t *lookup,
                            idv_db_result_t **row, apr_pool_t *pool)
{
    if (!idv_id_is(lookup->type, lookup->id))
        return idv_error_new(lookup->missing, pool);
    IDV_TRY(
        idv_db_query(db, lookup->statement,
                     IDV_DB_PARAMS(idv_db_text(lookup->scope.organization_id),
                                   idv_db_text(lookup->id),
                                   idv_db_text(lookup->scope.application_id)),
                     row, pool));
    return idv_db_rows(*row) ? NULL : idv_error_new(lookup->missing, pool);
}

idv_sql_t idv_cursor_statement(const idv_cursor_t *cursor, idv_sql_t older,
                             idv_sql_t newer)
{
    return cursor->ending_before ? newer : older;
}

int idv_cursor_is_default(const idv_cursor_t *cursor)
{
    return cursor->limit == IDV_CURSOR_LIMIT_DEFAULT && !cursor->ending_before;
}

idv_cursor_range_t idv_cursor_range(const idv_cursor_t *cursor,
                                    idv_id_type_t type, idv_time_t from,
                                    idv_time_t before, apr_pool_t *pool)
{
    idv_cursor_range_t range = {
        idv_id_bound(type, from, pool),
        idv_id_bound(type, before, pool)};

    if (cursor->starting_after && strcmp(cursor->starting_after, range.upper) < 0)
        range.upper = cursor->starting_after;
    if (cursor->ending_before && strcmp(cursor->ending_before, range.lower) >= 0)
        /* The first text behind the cursor. */
        range.lower = apr_pstrcat(pool, cursor->ending_before, " ", NULL);
    return range;
}

idv_db_param_t idv_cursor_lower(const idv_cursor_t *cursor, idv_id_type_t type,
                                apr_pool_t *pool)
{
    /* All ids of a type are as long as another, so that what begins with one
     * and is longer stands right behind it. */
    return idv_db_text(cursor->ending_before
                           ? apr_pstrcat(pool, cursor->ending_before, "!", NULL)
                           : idv_id_prefix(type));
}

idv_db_param_t idv_cursor_upper(const idv_cursor_t *cursor, idv_id_type_t type,
                                apr_pool_t *pool)
{
    return idv_db_text(cursor->starting_after
                           ? cursor->starting_after
                           : apr_pstrcat(pool, idv_id_prefix(type),
                                         IDV_ID_LAST, NULL));
}

idv_db_param_t idv_cursor_param(const idv_cursor_t *cursor)
{
    return idv_db_text(cursor->ending_before ? cursor->ending_before
                                             : cursor->starting_after);
}

idv_db_param_t idv_cursor_limit(const idv_cursor_t *cursor)
{
    return idv_db_int(cursor->limit + 1);
}

idv_cursor_page_t idv_cursor_page(const idv_db_result_t *rows,
                         const idv_cursor_t *cursor)
{
    int count = idv_db_rows(rows);
    idv_cursor_page_t page = {.rows = rows,
                       .count = count,
                       .oldest_first = cursor->ending_before != NULL};

    if (count > cursor->limit) {
        page.count = cursor->limit;
        page.has_more = 1;
    }
    return page;
}

int idv_cursor_row(const idv_cursor_page_t *page, int index)
{
    return page->oldest_first ? page->count - 1 - index : index;
}
