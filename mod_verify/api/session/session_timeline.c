/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/sessions/:id/timeline: the events of a
 * session (store/session/session_timeline.h); …/path: the nodes that it passed
 * in its workflow (domain/session/session_way.h), and its person.
 */
#include "api/http/response.h"
#include "domain/session/session_way.h"
#include "store/session/session_timeline.h"
#include "store/workflow/workflow.h"

#define CURSOR_MAX 64
#define LIMIT_DEFAULT 50

typedef struct {
    apr_int64_t limit;
    const char *cursor;
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PARAMETER(INTEGER, list_input_t, limit, 0, 1, IDV_PAGE_LIMIT_MAX),
    IDV_PARAMETER(STRING, list_input_t, cursor, 0, 1, CURSOR_MAX),
    {0},
};

typedef struct {
    idv_scope_t scope;
    const char *id;
    idv_timeline_filter_t filter;
    apr_array_header_t *entries;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;
    idv_session_record_t *record;

    IDV_TRY(
        idv_session_find(db, &listing->scope, listing->id, &record, pool));
    listing->filter.session = record->session;
    return idv_session_timeline(db, &listing->filter, &listing->entries,
                                &listing->has_more, pool);
}

idv_error_t *idv_session_timeline_api_list(idv_request_t *request)
{
    list_input_t input = {.limit = LIMIT_DEFAULT};
    listing_t listing = {.scope = idv_request_scope(request),
                         .id = idv_request_path(request, "id")};
    idv_json_writer_t page;

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    listing.filter.cursor = input.cursor;
    listing.filter.limit = (int)input.limit;
    IDV_TRY(idv_request_with_database(request, list, &listing));
    idv_page_open(request, listing.has_more, &page);
    for (int i = 0; i < listing.entries->nelts; i++) {
        const idv_timeline_entry_t *entry =
            &APR_ARRAY_IDX(listing.entries, i, idv_timeline_entry_t);

        idv_json_open_object(&page, NULL);
        idv_json_put_text(&page, "object", "timeline_entry");
        idv_json_put_text(&page, "kind", entry->kind);
        idv_json_put_seconds(&page, "at", entry->at);
        idv_json_put_raw(&page, "detail", entry->body);
        idv_json_put_text(&page, "cursor", entry->cursor);
        idv_json_close_object(&page);
    }
    return idv_page_close(request, &page);
}

/* --- the path --- */

typedef struct {
    idv_scope_t scope;
    const char *id;
    idv_session_record_t *record;
    idv_workflow_t *workflow;
} path_t;

static idv_error_t *find_path(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    path_t *path = baton;

    IDV_TRY(
        idv_session_find(db, &path->scope, path->id, &path->record, pool));
    return idv_workflow_of_session(db, path->record->session, &path->workflow,
                                   pool);
}

idv_error_t *idv_session_path_api_retrieve(idv_request_t *request)
{
    path_t path = {.scope = idv_request_scope(request),
                   .id = idv_request_path(request, "id")};
    const idv_session_t *session;
    json_t *way;

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find_path, &path));
    session = path.record->session;
    way = idv_session_way_json(session, path.workflow, request->pool);
    json_object_set_new(way, "object", json_string("session_path"));
    json_object_set_new(way, "session_id", json_string(session->id));
    json_object_set_new(way, "workflow_id", json_string(session->workflow_id));
    json_object_set_new(way, "workflow_version_id",
                        json_string(session->workflow_version_id));
    json_object_set_new(way, "verified_person_id",
                        path.record->verified_person_id
                            ? json_string(path.record->verified_person_id)
                            : json_null());
    return idv_respond_text(request, HTTP_OK,
                            idv_json_text(way, request->pool));
}
