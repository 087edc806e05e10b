/* SPDX-License-Identifier: Apache-2.0 */
#include "store/webhook/event.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"

void idv_event_write(const idv_event_draft_t *draft, idv_event_text_t *text,
                     apr_pool_t *pool)
{
    text->id = idv_id_new(IDV_ID_EVENT, draft->created, pool);
    text->body = idv_event_body(text->id, draft->type, draft->created,
                                draft->object, pool);
}

idv_error_t *idv_event_insert(idv_db_t *db, const idv_event_draft_t *draft,
                              apr_int64_t *deliveries, apr_pool_t *pool)
{
    idv_event_text_t text;
    apr_int64_t queued;

    idv_event_write(draft, &text, pool);
    IDV_TRY(idv_db_execute(
        db, IDV_SQL_EVENT_INSERT,
        IDV_DB_PARAMS(idv_db_text(draft->organization_id), idv_db_text(text.id),
                      idv_db_text(draft->application_id),
                      idv_db_text(idv_event_type_value(draft->type)),
                      idv_db_text(draft->object_id), idv_db_text(text.body),
                      idv_db_time(draft->created), idv_db_trace_param(idv_db_trace(db))),
        &queued, pool));
    *deliveries += queued;
    return NULL;
}

idv_error_t *idv_event_insert_test(idv_db_t *db, const idv_event_test_t *test,
                                   idv_event_text_t *text,
                                   const char **delivery_id, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    idv_event_write(test->draft, text, pool);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_EVENT_INSERT_TEST,
        IDV_DB_PARAMS(
            idv_db_text(test->draft->organization_id), idv_db_text(text->id),
            idv_db_text(test->draft->application_id),
            idv_db_text(idv_event_type_value(test->draft->type)),
            idv_db_text(test->draft->object_id), idv_db_text(text->body),
            idv_db_time(test->draft->created), idv_db_text(test->endpoint_id),
            idv_db_trace_param(idv_db_trace(db))),
        &rows, pool));
    *delivery_id = idv_db_get_text(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_event_find(idv_db_t *db, const idv_scope_t *scope,
                            const char *id, const char **event,
                            apr_pool_t *pool)
{
    const idv_scope_lookup_t lookup = {.statement = IDV_SQL_EVENT_FIND,
                                       .type = IDV_ID_EVENT,
                                       .missing = IDV_E_RESOURCE_MISSING,
                                       .scope = *scope,
                                       .id = id};
    idv_db_result_t *row;

    IDV_TRY(idv_scope_find(db, &lookup, &row, pool));
    *event = idv_db_get_text(row, 0, 0);
    return NULL;
}

static idv_error_t *query_page(idv_db_t *db, const idv_scope_t *scope,
                               const idv_event_filter_t *filter,
                               idv_db_result_t **rows, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    idv_cursor_range_t range =
        idv_cursor_range(cursor, IDV_ID_EVENT, filter->created_from,
                         filter->created_before, pool);
    idv_db_param_t organization = idv_db_text(scope->organization_id);
    idv_db_param_t limit = idv_cursor_limit(cursor);

    if (scope->application_id && !filter->object_id)
        return idv_db_query(
            db,
            idv_cursor_statement(cursor, IDV_SQL_EVENT_LIST_OF_APPLICATION,
                                 IDV_SQL_EVENT_LIST_OF_APPLICATION_NEWER),
            IDV_DB_PARAMS(organization, idv_db_text(range.lower),
                          idv_db_text(range.upper), limit,
                          idv_db_text(scope->application_id),
                          filter->type
                              ? idv_db_texts(&filter->type, 1, pool)
                              : idv_db_texts(idv_event_type_values,
                                             IDV_EVENT_TYPE_COUNT, pool)),
            rows, pool);
    return idv_db_query_planned(
        db,
        idv_cursor_statement(cursor, IDV_SQL_EVENT_LIST,
                             IDV_SQL_EVENT_LIST_NEWER),
        IDV_DB_PARAMS(organization, idv_db_text(range.lower),
                      idv_db_text(range.upper), limit,
                      idv_db_text(filter->type), idv_db_text(filter->object_id),
                      idv_db_text(scope->application_id)),
        rows, pool);
}

idv_error_t *idv_event_list(idv_db_t *db, const idv_event_query_t *query,
                            apr_array_header_t **events, int *has_more,
                            apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(query_page(db, &query->scope, &query->filter, &rows, pool));
    page = idv_cursor_page(rows, &query->filter.cursor);
    *has_more = page.has_more;
    *events = apr_array_make(pool, page.count, sizeof(const char *));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*events, const char *) =
            idv_db_get_text(rows, idv_cursor_row(&page, i), 1);
    return NULL;
}
