/* SPDX-License-Identifier: Apache-2.0 */
#include "store/simulation/workflow_scenario.h"

#include <string.h>

#include <apr_strings.h>

json_t *idv_workflow_scenario_json(const idv_workflow_scenario_record_t *record,
                                   apr_pool_t *pool)
{
    return idv_json_own(
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:O, s:O, s:s, s:s, s:I, s:I}",
                  "id", record->id, "object", "workflow_scenario",
                  "workflow_id", record->workflow_id, "name", record->what.name,
                  "type", idv_session_type_value(record->what.type),
                  "jurisdiction", record->what.jurisdiction, "scenario",
                  record->what.scenario, "expected", record->what.expected,
                  "etag", idv_workflow_scenario_tag(record, pool),
                  "updated_by", record->updated_by, "created",
                  (json_int_t)idv_time_seconds(record->created), "updated",
                  (json_int_t)idv_time_seconds(record->updated)),
        pool);
}

static void read_scenario(const idv_db_result_t *rows, int row,
                          const char *organization_id,
                          idv_workflow_scenario_record_t *record,
                          apr_pool_t *pool)
{
    *record = (idv_workflow_scenario_record_t){
        .organization_id = organization_id,
        .id = idv_db_get_text(rows, row, 0),
        .workflow_id = idv_db_get_text(rows, row, 1),
        .what = {.name = idv_db_get_text(rows, row, 2),
                 .type = idv_session_type_parse(idv_db_get_text(rows, row, 3)),
                 .jurisdiction = idv_db_get_text(rows, row, 4),
                 .scenario = idv_db_get_json(rows, row, 5, pool),
                 .expected = idv_db_get_json(rows, row, 6, pool)},
        .updated_by = idv_db_get_text(rows, row, 7),
        .created = idv_db_get_int(rows, row, 8),
        .updated = idv_db_get_int(rows, row, 9),
    };
}

static idv_error_t *missing_unless(int found, apr_pool_t *pool)
{
    return found ? NULL : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

static idv_error_t *check_workflow(idv_db_t *db,
                                   const idv_workflow_scenario_record_t *record,
                                   apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_WORKFLOW, record->workflow_id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_DRAFT_WORKFLOW_EXISTS,
                         IDV_DB_PARAMS(idv_db_text(record->organization_id),
                                       idv_db_text(record->workflow_id)),
                         &rows, pool));
    return missing_unless(idv_db_rows(rows), pool);
}

#define IDS(record)                                                            \
    idv_db_text((record)->organization_id),                                    \
        idv_db_text((record)->workflow_id), idv_db_text((record)->id)

/* The parameters of both statements that write one. */
#define VALUES(record, time, pool)                                             \
    idv_db_text((record)->organization_id), idv_db_text((record)->id),         \
        idv_db_text((record)->workflow_id), idv_db_text((record)->what.name),  \
        idv_db_text(idv_session_type_value((record)->what.type)),              \
        idv_db_text((record)->what.jurisdiction),                              \
        idv_db_json((record)->what.scenario, pool),                            \
        idv_db_json((record)->what.expected, pool),                            \
        idv_db_text((record)->updated_by), idv_db_time(time)

idv_error_t *idv_workflow_scenario_create(
    idv_db_t *db, idv_workflow_scenario_record_t *record, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    record->id = idv_id_new(IDV_ID_WORKFLOW_SCENARIO, record->created, pool);
    record->updated = record->created;
    IDV_TRY(idv_db_execute(db, IDV_SQL_WORKFLOW_DRAFT_TAKE_TURNS,
                           IDV_DB_PARAMS(idv_db_text(record->organization_id)),
                           NULL, pool));
    IDV_TRY(check_workflow(db, record, pool));
    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_SCENARIO_CREATE,
                         IDV_DB_PARAMS(VALUES(record, record->created, pool),
                                       idv_db_int(IDV_WORKFLOW_SCENARIOS_MAX)),
                         &rows, pool));
    return idv_db_rows(rows)
             ? NULL
             : idv_error_new(IDV_E_SCENARIO_LIMIT_REACHED, pool);
}

/* The moments of changes differ, as each is later than the one before. */
const char *
idv_workflow_scenario_tag(const idv_workflow_scenario_record_t *record,
                          apr_pool_t *pool)
{
    return apr_psprintf(pool, "\"%" APR_INT64_T_FMT "\"", record->updated);
}

/* TAG as it was sent, or on a command line without its quotes. */
static int is_seen(const idv_workflow_scenario_record_t *record,
                   const char *tag, apr_pool_t *pool)
{
    const char *now = idv_workflow_scenario_tag(record, pool);

    return strcmp(tag, now) == 0
        || strcmp(apr_pstrcat(pool, "\"", tag, "\"", NULL), now) == 0;
}

static idv_error_t *lock(idv_db_t *db,
                         const idv_workflow_scenario_record_t *wanted,
                         idv_workflow_scenario_record_t **record,
                         apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_SCENARIO_LOCK,
                         IDV_DB_PARAMS(IDS(wanted)), &rows, pool));
    IDV_TRY(missing_unless(idv_db_rows(rows), pool));
    return idv_workflow_scenario_find(db, wanted, record, pool);
}

idv_error_t *idv_workflow_scenario_save(idv_db_t *db,
                                        idv_workflow_scenario_record_t *record,
                                        const char *tag, apr_pool_t *pool)
{
    idv_workflow_scenario_record_t *kept;
    idv_db_result_t *rows;
    idv_error_t *error;

    IDV_TRY(lock(db, record, &kept, pool));
    if (!tag || strcmp(tag, "*") == 0)
        return idv_error_new(IDV_E_IF_MATCH_REQUIRED, pool);
    if (!is_seen(kept, tag, pool)) {
        error = idv_error_new(IDV_E_PRECONDITION_FAILED, pool);
        error->message = "The scenario has changed since you retrieved it. "
                         "Retrieve it again.";
        return error;
    }
    if (record->updated <= kept->updated)
        record->updated = kept->updated + 1;
    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_SCENARIO_SAVE,
                         IDV_DB_PARAMS(VALUES(record, record->updated, pool)),
                         &rows, pool));
    return missing_unless(idv_db_rows(rows), pool);
}

idv_error_t *idv_workflow_scenario_find(
    idv_db_t *db, const idv_workflow_scenario_record_t *wanted,
    idv_workflow_scenario_record_t **record, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_SCENARIO_FIND,
                         IDV_DB_PARAMS(IDS(wanted)), &rows, pool));
    IDV_TRY(missing_unless(idv_db_rows(rows), pool));
    *record = apr_palloc(pool, sizeof(**record));
    read_scenario(rows, 0, wanted->organization_id, *record, pool);
    return NULL;
}

idv_error_t *
idv_workflow_scenario_remove(idv_db_t *db,
                             const idv_workflow_scenario_record_t *wanted,
                             apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_SCENARIO_REMOVE,
                         IDV_DB_PARAMS(IDS(wanted)), &rows, pool));
    return missing_unless(idv_db_rows(rows), pool);
}

idv_error_t *idv_workflow_scenario_page(
    idv_db_t *db, const idv_workflow_scenario_query_t *query,
    apr_array_header_t **records, int *has_more, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(check_workflow(db, query->wanted, pool));
    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor, IDV_SQL_WORKFLOW_SCENARIO_LIST,
                             IDV_SQL_WORKFLOW_SCENARIO_LIST_NEWER),
        IDV_DB_PARAMS(
            idv_db_text(query->wanted->organization_id),
            idv_db_text(query->wanted->workflow_id),
            IDV_CURSOR_PARAMS(&query->cursor, IDV_ID_WORKFLOW_SCENARIO, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *has_more = page.has_more;
    *records = apr_array_make(pool, page.count,
                              sizeof(idv_workflow_scenario_record_t));
    for (int i = 0; i < page.count; i++)
        read_scenario(rows, idv_cursor_row(&page, i),
                      query->wanted->organization_id, apr_array_push(*records),
                      pool);
    return NULL;
}
