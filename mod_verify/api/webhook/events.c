/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/events: retrieving and listing events.
 */
#include "api/http/response.h"
#include "core/id.h"
#include "domain/webhook/event.h"
#include "store/webhook/event.h"

#define OBJECT_ID_MAX 64

typedef struct {
    idv_scope_t scope;
    const char *id;
    const char *event;
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;

    return idv_event_find(db, &retrieval->scope, retrieval->id,
                          &retrieval->event, pool);
}

idv_error_t *idv_event_api_retrieve(idv_request_t *request)
{
    retrieval_t retrieval = {.scope = idv_request_scope(request),
                             .id = idv_request_path(request, "id")};

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    return idv_respond_text(request, HTTP_OK, retrieval.event);
}

typedef struct {
    idv_page_t page;
    const char *type;
    apr_int64_t created_gte, created_lt;
    const char *object_id;
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t, IDV_ID_EVENT),
    IDV_PARAMETER_OF(STRING, list_input_t, type, 0, idv_event_type_values),
    IDV_PARAMETER(INTEGER, list_input_t, created_gte, 0, 0, IDV_LATEST_SECOND),
    IDV_PARAMETER(INTEGER, list_input_t, created_lt, 0, 0, IDV_LATEST_SECOND),
    IDV_PARAMETER(STRING, list_input_t, object_id, 0, 1, OBJECT_ID_MAX),
    {0},
};

typedef struct {
    idv_scope_t scope;
    idv_event_filter_t filter;
    apr_array_header_t *events;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_event_list(db,
                          &(const idv_event_query_t){.scope = listing->scope,
                                                     .filter = listing->filter},
                          &listing->events, &listing->has_more, pool);
}

idv_error_t *idv_event_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT,
                          .created_lt = IDV_LATEST_SECOND};
    listing_t listing = {.scope = idv_request_scope(request)};

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    listing.filter = (idv_event_filter_t){
        .cursor = idv_page_cursor(&input.page),
        .type = input.type,
        .object_id = input.object_id,
        .created_from = input.created_gte * IDV_SECOND,
        .created_before = input.created_lt * IDV_SECOND,
    };
    IDV_TRY(idv_request_with_database(request, list, &listing));
    return idv_page_respond(request, listing.events, listing.has_more);
}
