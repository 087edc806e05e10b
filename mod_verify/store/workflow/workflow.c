/* SPDX-License-Identifier: Apache-2.0 */
#include "store/workflow/workflow.h"

#include "core/id.h"

idv_error_t *idv_workflow_publish(idv_db_t *db,
                                  idv_workflow_publication_t *publication,
                                  apr_pool_t *pool)
{
    idv_time_t now = idv_time_now();
    json_t *compiled =
        idv_json_own(idv_workflow_json(publication->workflow), pool);
    int is_new = publication->is_new || !publication->workflow_id;
    idv_db_result_t *rows;

    if (!publication->workflow_id)
        publication->workflow_id = idv_id_new(IDV_ID_WORKFLOW, now, pool);
    publication->version_id = idv_id_new(IDV_ID_WORKFLOW_VERSION, now, pool);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_WORKFLOW_PUBLISH,
        IDV_DB_PARAMS(idv_db_text(publication->organization_id),
                      idv_db_text(publication->workflow_id),
                      idv_db_text(publication->version_id),
                      idv_db_text(publication->application_id),
                      idv_db_text(publication->workflow->name),
                      idv_db_json(publication->definition, pool),
                      idv_db_json(compiled, pool), idv_db_time(now),
                      idv_db_text(publication->publisher), idv_db_bool(is_new)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return NULL;
}

idv_error_t *idv_workflow_show(idv_db_t *db, const char *id, json_t **object,
                               apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_SHOW,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *object = json_pack(
        "{s:s, s:s, s:s, s:s?, s:s, s:s, s:O, s:O, s:I, s:I}", "id",
        idv_db_get_text(rows, 0, 1), "object", "workflow", "organization_id",
        idv_db_get_text(rows, 0, 0), "application_id",
        idv_db_get_text(rows, 0, 2), "name", idv_db_get_text(rows, 0, 3),
        "version_id", idv_db_get_text(rows, 0, 4), "definition",
        idv_db_get_json(rows, 0, 5, pool), "compiled",
        idv_db_get_json(rows, 0, 6, pool), "created",
        (json_int_t)idv_time_seconds(idv_db_get_int(rows, 0, 7)), "updated",
        (json_int_t)idv_time_seconds(idv_db_get_int(rows, 0, 8)));
    return NULL;
}

idv_error_t *idv_workflow_list(idv_db_t *db, const char *organization_id,
                               int live, json_t **array, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_LIST,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_bool(live)),
                         &rows, pool));
    *array = json_array();
    for (int row = 0; row < idv_db_rows(rows); row++)
        json_array_append_new(
            *array,
            json_pack(
                "{s:s, s:s, s:s, s:s?, s:s, s:s, s:I, s:I, s:o}", "id",
                idv_db_get_text(rows, row, 0), "object", "workflow",
                "organization_id", organization_id, "application_id",
                idv_db_get_text(rows, row, 1), "name",
                idv_db_get_text(rows, row, 2), "version_id",
                idv_db_get_text(rows, row, 3), "created",
                (json_int_t)idv_time_seconds(idv_db_get_int(rows, row, 4)),
                "updated",
                (json_int_t)idv_time_seconds(idv_db_get_int(rows, row, 5)),
                "retired_at",
                idv_json_integer_or_null(
                    idv_time_seconds(idv_db_get_int(rows, row, 6)))));
    return NULL;
}

idv_error_t *idv_workflow_retire(idv_db_t *db,
                                 const idv_workflow_retirement_t *retirement,
                                 idv_time_t *retired_at, apr_pool_t *pool)
{
    idv_time_t now = idv_time_now();
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_WORKFLOW_SET_RETIRED,
        IDV_DB_PARAMS(idv_db_text(retirement->scope.organization_id),
                      idv_db_text(retirement->id),
                      idv_db_text(retirement->scope.application_id),
                      retirement->is_retired ? idv_db_time(now) : idv_db_null(),
                      idv_db_time(now)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *retired_at = idv_db_get_int(rows, 0, 1);
    return NULL;
}

/* --- for operators --- */

static json_t *seconds(const idv_db_result_t *rows, int row, int column)
{
    return json_integer(
        (json_int_t)idv_time_seconds(idv_db_get_int(rows, row, column)));
}

static json_t *seconds_or_null(const idv_db_result_t *rows, int row, int column)
{
    idv_time_t time = idv_db_get_int(rows, row, column);

    return idv_json_integer_or_null(idv_time_seconds(time));
}

static json_t *text_or_null(const idv_db_result_t *rows, int row, int column)
{
    const char *text = idv_db_get_text(rows, row, column);

    return text ? json_string(text) : json_null();
}

static json_t *types_json(unsigned types)
{
    json_t *list = json_array();

    for (int i = 0; i < IDV_SESSION_TYPE_COUNT; i++)
        if (types & 1u << i)
            json_array_append_new(list, json_string(idv_session_type_value(
                                            (idv_session_type_t)i)));
    return list;
}

static json_t *jurisdictions_json(const idv_workflow_t *workflow)
{
    json_t *list = json_array();

    for (int i = 0; i < workflow->jurisdiction_count; i++)
        json_array_append_new(list, json_string(workflow->jurisdictions[i]));
    return list;
}

/* The workflow in a row of sql/fragments/workflow_columns.sql. */
static idv_error_t *workflow_in(const idv_db_result_t *rows, int row,
                                json_t **object, apr_pool_t *pool)
{
    idv_workflow_t *workflow;

    IDV_TRY(idv_workflow_load(idv_db_get_json(rows, row, 8, pool), &workflow,
                              pool));
    *object = idv_json_own(
        json_pack("{s:s, s:s, s:s, s:o, s:s, s:s, s:I, s:I, s:I, s:o, s:o, "
                  "s:s?, s:o, s:{s:b}, s:o, s:o, s:o}",
                  "id", idv_db_get_text(rows, row, 0), "object", "workflow",
                  "organization_id", idv_db_get_text(rows, row, 1),
                  "application_id", text_or_null(rows, row, 2), "name",
                  idv_db_get_text(rows, row, 3), "version_id",
                  idv_db_get_text(rows, row, 4), "version_number",
                  (json_int_t)idv_db_get_int(rows, row, 5), "drafts",
                  (json_int_t)idv_db_get_int(rows, row, 6), "scenarios",
                  (json_int_t)idv_db_get_int(rows, row, 7), "methods",
                  idv_method_list_json(&workflow->methods), "session_types",
                  types_json(workflow->session_types), "use_case",
                  idv_use_case_value(workflow->use_case), "jurisdictions",
                  jurisdictions_json(workflow), "trust_reuse", "accept",
                  workflow->accept_trust_reuse, "created",
                  seconds(rows, row, 9), "updated", seconds(rows, row, 10),
                  "retired_at", seconds_or_null(rows, row, 11)),
        pool);
    return NULL;
}

idv_error_t *idv_workflow_page(idv_db_t *db, const idv_page_query_t *query,
                               apr_array_header_t **items, int *has_more,
                               apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor, IDV_SQL_WORKFLOW_LIST_PAGE,
                             IDV_SQL_WORKFLOW_LIST_PAGE_NEWER),
        IDV_DB_PARAMS(idv_db_text(query->scope.organization_id),
                      idv_db_text(query->scope.application_id),
                      IDV_CURSOR_PARAMS(&query->cursor, IDV_ID_WORKFLOW, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *has_more = page.has_more;
    *items = apr_array_make(pool, page.count, sizeof(const char *));
    for (int i = 0; i < page.count; i++) {
        json_t *object;

        IDV_TRY(workflow_in(rows, idv_cursor_row(&page, i), &object, pool));
        APR_ARRAY_PUSH(*items, const char *) = idv_json_text(object, pool);
    }
    return NULL;
}

/* Adds to the object of a workflow what its acceptance of others' verifications
 * comes to. */
static idv_error_t *add_trust_reuse(idv_db_t *db, const idv_scope_t *scope,
                                    json_t *object, apr_pool_t *pool)
{
    json_t *reuse = json_object_get(object, "trust_reuse");
    json_t *applications = json_array();
    int enabled = 0;
    idv_db_result_t *rows;

    json_object_set_new(reuse, "applications", applications);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_WORKFLOW_TRUST_REUSE,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(json_string_value(
                          json_object_get(object, "application_id")))),
        &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        enabled |= idv_db_get_bool(rows, row, 2);
        json_array_append_new(
            applications,
            json_pack("{s:s, s:s, s:b}", "id", idv_db_get_text(rows, row, 0),
                      "name", idv_db_get_text(rows, row, 1), "enabled",
                      idv_db_get_bool(rows, row, 2)));
    }
    json_object_set_new(
        reuse, "effective",
        json_boolean(enabled
                     && json_is_true(json_object_get(reuse, "accept"))));
    return NULL;
}

idv_error_t *idv_workflow_find(idv_db_t *db, const idv_scope_t *scope,
                               const char *id, json_t **object,
                               apr_pool_t *pool)
{
    const idv_scope_lookup_t lookup = {.statement = IDV_SQL_WORKFLOW_FIND,
                                       .type = IDV_ID_WORKFLOW,
                                       .missing = IDV_E_RESOURCE_MISSING,
                                       .scope = *scope,
                                       .id = id};
    idv_db_result_t *rows;

    IDV_TRY(idv_scope_find(db, &lookup, &rows, pool));
    IDV_TRY(workflow_in(rows, 0, object, pool));
    return add_trust_reuse(db, scope, *object, pool);
}

/* The version in a row of sql/fragments/workflow_version_columns.sql. */
static json_t *version_in(const idv_db_result_t *rows, int row,
                          apr_pool_t *pool)
{
    return idv_json_own(
        json_pack("{s:s, s:s, s:s, s:I, s:b, s:o, s:o}", "id",
                  idv_db_get_text(rows, row, 0), "object", "workflow_version",
                  "workflow_id", idv_db_get_text(rows, row, 1), "number",
                  (json_int_t)idv_db_get_int(rows, row, 2), "is_live",
                  idv_db_get_bool(rows, row, 3), "published_by",
                  text_or_null(rows, row, 4), "created", seconds(rows, row, 5)),
        pool);
}

idv_error_t *idv_workflow_version_page(idv_db_t *db,
                                       const idv_page_query_t *query,
                                       apr_array_header_t **items,
                                       int *has_more, apr_pool_t *pool)
{
    const idv_scope_lookup_t lookup = {.statement = IDV_SQL_WORKFLOW_FIND,
                                       .type = IDV_ID_WORKFLOW,
                                       .missing = IDV_E_RESOURCE_MISSING,
                                       .scope = query->scope,
                                       .id = query->id};
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_scope_find(db, &lookup, &rows, pool));
    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor, IDV_SQL_WORKFLOW_LIST_VERSIONS,
                             IDV_SQL_WORKFLOW_LIST_VERSIONS_NEWER),
        IDV_DB_PARAMS(
            idv_db_text(query->scope.organization_id), idv_db_text(query->id),
            idv_db_text(query->scope.application_id),
            IDV_CURSOR_PARAMS(&query->cursor, IDV_ID_WORKFLOW_VERSION, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *has_more = page.has_more;
    *items = apr_array_make(pool, page.count, sizeof(const char *));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*items, const char *) = idv_json_text(
            version_in(rows, idv_cursor_row(&page, i), pool), pool);
    return NULL;
}

idv_error_t *idv_workflow_version_find(idv_db_t *db, const idv_scope_t *scope,
                                       const char *version_id, json_t **object,
                                       apr_pool_t *pool)
{
    const idv_scope_lookup_t lookup = {.statement = IDV_SQL_WORKFLOW_VERSION,
                                       .type = IDV_ID_WORKFLOW_VERSION,
                                       .missing = IDV_E_RESOURCE_MISSING,
                                       .scope = *scope,
                                       .id = version_id};
    idv_db_result_t *rows;

    IDV_TRY(idv_scope_find(db, &lookup, &rows, pool));
    *object = version_in(rows, 0, pool);
    json_object_set(*object, "definition", idv_db_get_json(rows, 0, 6, pool));
    json_object_set(*object, "compiled", idv_db_get_json(rows, 0, 7, pool));
    return NULL;
}

idv_error_t *idv_workflow_lock(idv_db_t *db, const char *organization_id,
                               const char *id, const char **version_id,
                               apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_WORKFLOW_LOCK,
        IDV_DB_PARAMS(idv_db_text(organization_id), idv_db_text(id)), &rows,
        pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *version_id = idv_db_get_text(rows, 0, 0);
    return NULL;
}

/* --- for sessions --- */

idv_error_t *idv_workflow_of_session(idv_db_t *db, const idv_session_t *session,
                                     idv_workflow_t **workflow,
                                     apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(
        idv_db_query(db, IDV_SQL_WORKFLOW_FIND_VERSION,
                     IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                   idv_db_text(session->workflow_version_id)),
                     &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_internal(pool, "%s: its workflow version is missing",
                                  session->id);
    return idv_workflow_load(idv_db_get_json(rows, 0, 0, pool), workflow, pool);
}
