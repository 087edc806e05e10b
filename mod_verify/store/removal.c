/* SPDX-License-Identifier: Apache-2.0 */
#include "store/removal.h"

#include <apr_strings.h>

/* What is removed of a kind, and how. */
static const struct {
    idv_id_type_t type; /* of the ids by which pages go */
    idv_sql_t find;     /* the next organization that has old ones */
    idv_sql_t remove;   /* a page of them */
} kinds[IDV_REMOVAL_COUNT] = {
    [IDV_REMOVAL_SESSION] = {IDV_ID_SESSION,
                             IDV_SQL_RETENTION_FIND_ORGANIZATION_OF_SESSIONS,
                             IDV_SQL_RETENTION_REMOVE_SESSIONS},
};

void idv_removal_begin(idv_removal_t *removal, idv_removal_kind_t kind,
                       idv_time_t cutoff)
{
    *removal = (idv_removal_t){.kind = kind, .cutoff = cutoff};
}

/* Before the first page of an organization, and after the last one. */
static int is_between(const idv_removal_t *removal)
{
    return !*removal->position;
}

void idv_removal_skip(idv_removal_t *removal)
{
    *removal->position = '\0';
}

static idv_error_t *enter_next(idv_db_t *db, idv_removal_t *removal,
                               const char *bound, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, kinds[removal->kind].find,
                         IDV_DB_PARAMS(idv_db_text(removal->organization_id),
                                       idv_db_text(bound)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0) {
        removal->is_over = 1;
        return NULL;
    }
    apr_cpystrn(removal->organization_id, idv_db_get_text(rows, 0, 0),
                sizeof(removal->organization_id));
    apr_cpystrn(removal->position, idv_id_prefix(kinds[removal->kind].type),
                sizeof(removal->position));
    return NULL;
}

idv_error_t *idv_removal_advance(idv_db_t *db, idv_removal_t *removal,
                                 int limit, apr_int64_t *removed,
                                 apr_pool_t *pool)
{
    const char *bound =
        idv_id_bound(kinds[removal->kind].type, removal->cutoff, pool);
    idv_db_result_t *rows;

    *removed = 0;
    if (is_between(removal))
        IDV_TRY(enter_next(db, removal, bound, pool));
    if (removal->is_over)
        return NULL;
    IDV_TRY(idv_db_query(db, kinds[removal->kind].remove,
                         IDV_DB_PARAMS(idv_db_text(removal->organization_id),
                                       idv_db_text(removal->position),
                                       idv_db_text(bound),
                                       idv_db_time(removal->cutoff),
                                       idv_db_int(limit)),
                         &rows, pool));
    *removed = idv_db_get_int(rows, 0, 0);
    if (idv_db_get_int(rows, 0, 2) < limit)
        idv_removal_skip(removal);
    else
        apr_cpystrn(removal->position, idv_db_get_text(rows, 0, 1),
                    sizeof(removal->position));
    return NULL;
}
