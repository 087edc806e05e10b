/* SPDX-License-Identifier: Apache-2.0 */
#include "store/removal.h"

#include <apr_strings.h>

/* What is removed of a kind, and how. */
static const struct {
    const char *first;  /* the position before all */
    idv_sql_t find;     /* the next organization that has old ones */
    idv_sql_t remove;   /* a page of them */
    int parameters;     /* that REMOVE takes of those in take_page() */
} kinds[IDV_REMOVAL_COUNT] = {
    [IDV_REMOVAL_SESSION] = {"vks_",
                             IDV_SQL_RETENTION_FIND_ORGANIZATION_OF_SESSIONS,
                             IDV_SQL_RETENTION_REMOVE_SESSIONS, 5},
    [IDV_REMOVAL_CREDENTIAL] =
        {"0", IDV_SQL_RETENTION_FIND_ORGANIZATION_OF_CREDENTIALS,
         IDV_SQL_RETENTION_REMOVE_CREDENTIALS, 4},
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

/* What the positions of old ones stand before. */
static const char *bound_of(const idv_removal_t *removal, apr_pool_t *pool)
{
    return removal->kind == IDV_REMOVAL_SESSION
             ? idv_id_bound(IDV_ID_SESSION, removal->cutoff, pool)
             : apr_psprintf(pool, "%" APR_INT64_T_FMT, removal->cutoff);
}

static idv_error_t *enter_next(idv_db_t *db, idv_removal_t *removal,
                               apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, kinds[removal->kind].find,
        IDV_DB_PARAMS(idv_db_text(removal->organization_id),
                      idv_db_text(bound_of(removal, pool))),
        &rows, pool));
    if (idv_db_rows(rows) == 0) {
        removal->is_over = 1;
        return NULL;
    }
    apr_cpystrn(removal->organization_id, idv_db_get_text(rows, 0, 0),
                sizeof(removal->organization_id));
    apr_cpystrn(removal->position, kinds[removal->kind].first,
                sizeof(removal->position));
    return NULL;
}

static idv_error_t *take_page(idv_db_t *db, const idv_removal_t *removal,
                              int limit, idv_db_result_t **rows,
                              apr_pool_t *pool)
{
    const idv_db_param_t parameters[] = {
        idv_db_text(removal->organization_id), idv_db_text(removal->position),
        idv_db_text(bound_of(removal, pool)), idv_db_int(limit),
        idv_db_time(removal->cutoff)};

    return idv_db_query(db, kinds[removal->kind].remove, parameters,
                        kinds[removal->kind].parameters, rows, pool);
}

idv_error_t *idv_removal_advance(idv_db_t *db, idv_removal_t *removal,
                                 int limit, apr_int64_t *removed,
                                 apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *removed = 0;
    if (is_between(removal))
        IDV_TRY(enter_next(db, removal, pool));
    if (removal->is_over)
        return NULL;
    IDV_TRY(take_page(db, removal, limit, &rows, pool));
    *removed = idv_db_get_int(rows, 0, 0);
    if (idv_db_get_int(rows, 0, 2) < limit)
        idv_removal_skip(removal);
    else
        apr_cpystrn(removal->position, idv_db_get_text(rows, 0, 1),
                    sizeof(removal->position));
    return NULL;
}
