/* SPDX-License-Identifier: Apache-2.0 */
#include "store/account/organization.h"

#include <string.h>

#include "core/id.h"
#include "domain/account/billing.h"
#include "domain/value/shown_name.h"

static idv_organization_t *organization_in(const idv_db_result_t *rows, int row,
                                           apr_pool_t *pool)
{
    idv_organization_t *organization = apr_pcalloc(pool, sizeof(*organization));

    organization->id = idv_db_get_text(rows, row, 0);
    organization->name = idv_db_get_text(rows, row, 1);
    organization->sandbox = idv_db_get_bool(rows, row, 2);
    organization->billing_status = idv_db_get_text(rows, row, 3);
    organization->free_allotment = idv_db_get_int(rows, row, 4);
    organization->credit_balance = idv_db_get_int(rows, row, 5);
    organization->publishable_session_create = idv_db_get_text(rows, row, 6);
    organization->created = idv_db_get_int(rows, row, 7);
    organization->updated = idv_db_get_int(rows, row, 8);
    organization->four_eyes.publish = idv_db_get_bool(rows, row, 9);
    organization->four_eyes.reject = idv_db_get_bool(rows, row, 10);
    organization->disabled_at =
        idv_db_is_null(rows, row, 11) ? 0 : idv_db_get_int(rows, row, 11);
    organization->four_eyes.erase = idv_db_get_bool(rows, row, 12);
    organization->rate_limits.secret = idv_db_get_int(rows, row, 13);
    organization->rate_limits.publishable = idv_db_get_int(rows, row, 14);
    return organization;
}

static idv_error_t *read_organization(const idv_db_result_t *rows,
                                      idv_organization_t **out,
                                      apr_pool_t *pool)
{
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *out = organization_in(rows, 0, pool);
    return NULL;
}

idv_error_t *idv_organization_create(idv_db_t *db, const char *name,
                                     int sandbox, idv_organization_t **out,
                                     apr_pool_t *pool)
{
    idv_time_t now = idv_time_now();
    idv_db_result_t *rows;

    IDV_TRY(idv_shown_name_check("name", name, IDV_ORGANIZATION_NAME_MAX,
                                 pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_ORGANIZATION_CREATE,
        IDV_DB_PARAMS(idv_db_text(idv_id_new(IDV_ID_ORGANIZATION, now, pool)),
                      idv_db_text(name), idv_db_bool(sandbox),
                      idv_db_int(IDV_FREE_ALLOTMENT_DEFAULT), idv_db_time(now)),
        &rows, pool));
    return read_organization(rows, out, pool);
}

idv_error_t *idv_organization_find(idv_db_t *db, const char *id,
                                   idv_organization_t **out, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_ORGANIZATION_FIND,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    return read_organization(rows, out, pool);
}

idv_error_t *idv_organization_disable(idv_db_t *db, const char *id,
                                      int is_disabled, idv_organization_t **out,
                                      apr_pool_t *pool)
{
    idv_time_t now = idv_time_now();
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_ORGANIZATION_SET_DISABLED,
        IDV_DB_PARAMS(idv_db_text(id), idv_db_time(is_disabled ? now : 0),
                      idv_db_int(now)),
        &rows, pool));
    return read_organization(rows, out, pool);
}

idv_error_t *idv_organization_list(idv_db_t *db, const char *after, int limit,
                                   apr_array_header_t **organizations,
                                   apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_ORGANIZATION_LIST,
                         IDV_DB_PARAMS(idv_db_text(after), idv_db_int(limit)),
                         &rows, pool));
    *organizations = apr_array_make(pool, limit, sizeof(idv_organization_t *));
    for (int row = 0; row < idv_db_rows(rows); row++)
        APR_ARRAY_PUSH(*organizations, idv_organization_t *) =
            organization_in(rows, row, pool);
    return NULL;
}

idv_error_t *idv_organization_page(idv_db_t *db,
                                   const idv_organization_filter_t *filter,
                                   apr_array_header_t **organizations,
                                   int *has_more, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query_planned(
        db,
        idv_cursor_statement(cursor, IDV_SQL_ORGANIZATION_LIST_VISIBLE,
                             IDV_SQL_ORGANIZATION_LIST_VISIBLE_NEWER),
        IDV_DB_PARAMS(filter->visible ? idv_db_text_list(filter->visible, pool)
                                      : idv_db_text(NULL),
                      idv_db_text(filter->search),
                      IDV_CURSOR_PARAMS(cursor, IDV_ID_ORGANIZATION, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, cursor);
    *has_more = page.has_more;
    *organizations =
        apr_array_make(pool, page.count, sizeof(idv_organization_t *));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*organizations, idv_organization_t *) =
            organization_in(rows, idv_cursor_row(&page, i), pool);
    return NULL;
}

idv_error_t *idv_organization_standing(idv_db_t *db, const idv_scope_t *scope,
                                       idv_organization_standing_t *standing,
                                       apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_ORGANIZATION_STANDING,
                         IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                                       idv_db_text(scope->application_id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    standing->sandbox = idv_db_get_bool(rows, 0, 0);
    standing->billing_suspended =
        strcmp(idv_db_get_text(rows, 0, 1), "suspended") == 0;
    standing->disabled = idv_db_get_bool(rows, 0, 2);
    return NULL;
}

idv_error_t *idv_organization_four_eyes(idv_db_t *db, const char *id,
                                        idv_four_eyes_t *switches,
                                        apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_ORGANIZATION_FOUR_EYES,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    switches->publish = idv_db_get_bool(rows, 0, 0);
    switches->reject = idv_db_get_bool(rows, 0, 1);
    switches->erase = idv_db_get_bool(rows, 0, 2);
    return NULL;
}

static idv_db_param_t switch_param(int state)
{
    return state < 0 ? idv_db_null() : idv_db_bool(state);
}

idv_error_t *idv_organization_set_four_eyes(idv_db_t *db, const char *id,
                                            idv_four_eyes_t *switches,
                                            apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_ORGANIZATION_SET_FOUR_EYES,
        IDV_DB_PARAMS(idv_db_text(id),
                      switch_param(switches->publish),
                      switch_param(switches->reject),
                      switch_param(switches->erase),
                      idv_db_time(idv_time_now())),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    switches->publish = idv_db_get_bool(rows, 0, 0);
    switches->reject = idv_db_get_bool(rows, 0, 1);
    switches->erase = idv_db_get_bool(rows, 0, 2);
    return NULL;
}

static const char *const trust_policies[] = {"passed", "undetermined"};

idv_error_t *idv_organization_trust_policy(idv_db_t *db, const char *id,
                                           int *is_doubt, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_ORGANIZATION_TRUST_POLICY,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *is_doubt = strcmp(idv_db_get_text(rows, 0, 0), trust_policies[1]) == 0;
    return NULL;
}

idv_error_t *idv_organization_set_trust_policy(idv_db_t *db, const char *id,
                                               int is_doubt, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_ORGANIZATION_SET_TRUST_POLICY,
        IDV_DB_PARAMS(idv_db_text(id), idv_db_text(trust_policies[!!is_doubt]),
                      idv_db_time(idv_time_now())),
        &rows, pool));
    return idv_db_rows(rows) == 0 ? idv_error_new(IDV_E_RESOURCE_MISSING, pool)
                                  : NULL;
}

idv_error_t *idv_organization_update(idv_db_t *db, const char *id,
                                     const idv_organization_update_t *update,
                                     idv_organization_t **out, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (update->name)
        IDV_TRY(idv_shown_name_check("name", update->name,
                                     IDV_ORGANIZATION_NAME_MAX, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_ORGANIZATION_UPDATE,
        IDV_DB_PARAMS(idv_db_text(id), idv_db_text(update->name),
                      idv_db_text(update->billing_status),
                      update->free_allotment < 0
                          ? idv_db_null()
                          : idv_db_int(update->free_allotment),
                      idv_db_text(update->publishable_session_create),
                      idv_db_time(idv_time_now())),
        &rows, pool));
    return read_organization(rows, out, pool);
}

static idv_db_param_t limit_param(apr_int64_t limit)
{
    return limit > 0 ? idv_db_int(limit) : idv_db_null();
}

idv_error_t *idv_organization_set_rate_limits(idv_db_t *db, const char *id,
                                              const idv_rate_limits_t *limits,
                                              idv_organization_t **out,
                                              apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_ORGANIZATION_SET_RATE_LIMITS,
        IDV_DB_PARAMS(idv_db_text(id), idv_db_bool(limits->secret >= 0),
                      limit_param(limits->secret),
                      idv_db_bool(limits->publishable >= 0),
                      limit_param(limits->publishable),
                      idv_db_time(idv_time_now())),
        &rows, pool));
    return read_organization(rows, out, pool);
}

static idv_error_t *read_brand(const idv_db_result_t *rows,
                               idv_organization_brand_t *out, apr_pool_t *pool)
{
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    out->name = idv_db_get_text(rows, 0, 0);
    out->brand = idv_db_get_text(rows, 0, 1);
    out->shown_name = idv_db_get_text(rows, 0, 2);
    return NULL;
}

idv_error_t *idv_organization_lock_setup(idv_db_t *db, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    return idv_db_query(db, IDV_SQL_ORGANIZATION_LOCK_SETUP, IDV_DB_NO_PARAMS,
                        &rows, pool);
}

idv_error_t *idv_organization_brand(idv_db_t *db, const char *id,
                                    idv_organization_brand_t *out,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_ORGANIZATION_BRAND,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    IDV_TRY(read_brand(rows, out, pool));
    out->has_passkeys = idv_db_get_bool(rows, 0, 3);
    return NULL;
}

idv_error_t *idv_organization_set_brand(idv_db_t *db, const char *id,
                                        const char *brand,
                                        idv_organization_brand_t *out,
                                        apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_ORGANIZATION_SET_BRAND,
                         IDV_DB_PARAMS(idv_db_text(id), idv_db_text(brand),
                                       idv_db_time(idv_time_now())),
                         &rows, pool));
    return read_brand(rows, out, pool);
}

idv_error_t *idv_application_create(idv_db_t *db,
                                    const idv_application_draft_t *draft,
                                    const char **id, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_shown_name_check("name", draft->name, IDV_ORGANIZATION_NAME_MAX,
                                 pool));
    *id = idv_id_new(IDV_ID_APPLICATION, draft->now, pool);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_APPLICATION_CREATE,
        IDV_DB_PARAMS(idv_db_text(draft->organization_id), idv_db_text(*id),
                      idv_db_text(draft->name), idv_db_time(draft->now)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return NULL;
}

static idv_application_t application_in(const idv_db_result_t *rows, int row)
{
    return (idv_application_t){
        .id = idv_db_get_text(rows, row, 0),
        .name = idv_db_get_text(rows, row, 1),
        .created = idv_db_get_int(rows, row, 2),
        .retired_at = idv_db_get_int(rows, row, 3),
    };
}

idv_error_t *idv_application_retire(idv_db_t *db, const idv_scope_t *scope,
                                    int is_retired,
                                    idv_application_t *application,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_APPLICATION_SET_RETIRED,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(scope->application_id),
                      is_retired ? idv_db_time(idv_time_now())
                                 : idv_db_null()),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *application = application_in(rows, 0);
    return NULL;
}

idv_error_t *idv_application_list(idv_db_t *db, const char *organization_id,
                                  apr_array_header_t **applications,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_APPLICATION_LIST,
                         IDV_DB_PARAMS(idv_db_text(organization_id)), &rows,
                         pool));
    *applications = apr_array_make(pool, 8, sizeof(idv_application_t));
    for (int row = 0; row < idv_db_rows(rows); row++)
        APR_ARRAY_PUSH(*applications, idv_application_t) =
            application_in(rows, row);
    return NULL;
}

idv_error_t *idv_application_page(idv_db_t *db, const idv_page_query_t *query,
                                  apr_array_header_t **applications,
                                  int *has_more, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor, IDV_SQL_APPLICATION_LIST_PAGE,
                             IDV_SQL_APPLICATION_LIST_PAGE_NEWER),
        IDV_DB_PARAMS(
            idv_db_text(query->scope.organization_id),
            IDV_CURSOR_PARAMS(&query->cursor, IDV_ID_APPLICATION, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *has_more = page.has_more;
    *applications = apr_array_make(pool, page.count, sizeof(idv_application_t));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*applications, idv_application_t) =
            application_in(rows, idv_cursor_row(&page, i));
    return NULL;
}
