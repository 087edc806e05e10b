/* SPDX-License-Identifier: Apache-2.0 */
#include "store/workflow.h"

#include "core/id.h"

idv_error_t *idv_workflow_publish(idv_db_t *db,
                                  idv_workflow_publication_t *publication,
                                  apr_pool_t *pool)
{
    idv_time_t now = idv_time_now();
    json_t *compiled =
        idv_json_own(idv_workflow_json(publication->workflow), pool);
    int is_new = publication->workflow_id == NULL;
    idv_db_result_t *rows;

    if (is_new)
        publication->workflow_id = idv_id_new(IDV_ID_WORKFLOW, now, pool);
    publication->version_id = idv_id_new(IDV_ID_WORKFLOW_VERSION, now, pool);
    IDV_TRY(
        idv_db_query(db, IDV_SQL_WORKFLOW_PUBLISH,
                     IDV_DB_PARAMS(idv_db_text(publication->organization_id),
                                   idv_db_text(publication->workflow_id),
                                   idv_db_text(publication->version_id),
                                   idv_db_text(publication->application_id),
                                   idv_db_text(publication->workflow->name),
                                   idv_db_json(publication->definition, pool),
                                   idv_db_json(compiled, pool),
                                   idv_db_time(now), idv_db_bool(is_new)),
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
                               json_t **array, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_LIST,
                         IDV_DB_PARAMS(idv_db_text(organization_id)), &rows,
                         pool));
    *array = json_array();
    for (int row = 0; row < idv_db_rows(rows); row++)
        json_array_append_new(
            *array,
            json_pack(
                "{s:s, s:s, s:s, s:s?, s:s, s:s, s:I, s:I}", "id",
                idv_db_get_text(rows, row, 0), "object", "workflow",
                "organization_id", organization_id, "application_id",
                idv_db_get_text(rows, row, 1), "name",
                idv_db_get_text(rows, row, 2), "version_id",
                idv_db_get_text(rows, row, 3), "created",
                (json_int_t)idv_time_seconds(idv_db_get_int(rows, row, 4)),
                "updated",
                (json_int_t)idv_time_seconds(idv_db_get_int(rows, row, 5))));
    return NULL;
}

idv_error_t *idv_workflow_of_session(idv_db_t *db, const idv_session_t *session,
                                     idv_workflow_t **workflow,
                                     apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_WORKFLOW_FIND_VERSION,
        IDV_DB_PARAMS(idv_db_text(session->organization_id),
                      idv_db_text(session->workflow_version_id)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_internal(pool, "%s: its workflow version is missing",
                                  session->id);
    return idv_workflow_load(idv_db_get_json(rows, 0, 0, pool), workflow, pool);
}
