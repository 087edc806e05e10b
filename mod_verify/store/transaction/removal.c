/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/removal.h"

#include <string.h>

#include <apr_strings.h>

/* The kinds of objects to remove, and how. */
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
                       idv_time_t cutoff, const char *floor)
{
    *removal = (idv_removal_t){.kind = kind, .cutoff = cutoff};
    apr_cpystrn(removal->floor, *floor ? floor : kinds[kind].first,
                sizeof(removal->floor));
}

/* Before the first page of an organization, and after the last one. */
static int is_between(const idv_removal_t *removal)
{
    return !*removal->position;
}

/* Ids are compared as they are, moments as numbers. */
static int is_before(idv_removal_kind_t kind, const char *one,
                     const char *other)
{
    return kind == IDV_REMOVAL_SESSION ? strcmp(one, other) < 0
                                       : apr_atoi64(one) < apr_atoi64(other);
}

/* Something is left at POSITION, for which the next removal has to look. */
static void leave(idv_removal_t *removal, const char *position)
{
    if (!*removal->left || is_before(removal->kind, position, removal->left))
        apr_cpystrn(removal->left, position, sizeof(removal->left));
}

void idv_removal_skip(idv_removal_t *removal)
{
    removal->is_over = is_between(removal);
    leave(removal, removal->is_over ? removal->floor : removal->position);
    *removal->position = '\0';
}

/* The bound below which positions are old. */
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
                      idv_db_text(removal->floor),
                      idv_db_text(bound_of(removal, pool))),
        &rows, pool));
    if (idv_db_rows(rows) == 0) {
        removal->is_over = 1;
        leave(removal, bound_of(removal, pool));
        return NULL;
    }
    apr_cpystrn(removal->organization_id, idv_db_get_text(rows, 0, 0),
                sizeof(removal->organization_id));
    apr_cpystrn(removal->position, removal->floor, sizeof(removal->position));
    return NULL;
}

/* A page while it is taken. */
typedef struct {
    const idv_removal_t *removal;
    int limit;
    idv_db_result_t *rows;
} page_t;

static idv_error_t *take_page(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    page_t *page = baton;
    const idv_removal_t *removal = page->removal;
    const idv_db_param_t parameters[] = {
        idv_db_text(removal->organization_id), idv_db_text(removal->position),
        idv_db_text(bound_of(removal, pool)), idv_db_int(page->limit),
        idv_db_time(removal->cutoff)};

    IDV_TRY(idv_db_execute(db, IDV_SQL_CONNECTION_IMPATIENT, IDV_DB_NO_PARAMS,
                           NULL, pool));
    return idv_db_query(
        db, kinds[removal->kind].remove,
        (idv_db_params_t){parameters, kinds[removal->kind].parameters},
        &page->rows, pool);
}

/* Behind the page of ROWS; a short one was the organization's last, and so is one
 * of which all end at the same moment and stay. */
static void go_on(idv_removal_t *removal, const idv_db_result_t *rows,
                  int limit)
{
    const char *last = idv_db_get_text(rows, 0, 1);
    int is_last = idv_db_get_int(rows, 0, 2) < limit
               || (idv_db_get_int(rows, 0, 0) == 0
                   && strcmp(last, removal->position) == 0);

    apr_cpystrn(removal->position, is_last ? "" : last,
                sizeof(removal->position));
}

idv_error_t *idv_removal_advance(idv_db_t *db, idv_removal_t *removal,
                                 int limit, apr_int64_t *removed,
                                 apr_pool_t *pool)
{
    page_t page = {.removal = removal, .limit = limit};
    idv_error_t *error;

    *removed = 0;
    if (is_between(removal))
        IDV_TRY(enter_next(db, removal, pool));
    if (removal->is_over)
        return NULL;
    error = idv_db_transaction(db, take_page, &page, pool);
    if (error && idv_db_lock_timed_out(db)) {
        idv_removal_skip(removal);
        return NULL;
    }
    IDV_TRY(error);
    *removed = idv_db_get_int(page.rows, 0, 0);
    if (!idv_db_is_null(page.rows, 0, 3))
        leave(removal, idv_db_get_text(page.rows, 0, 3));
    go_on(removal, page.rows, limit);
    return NULL;
}
