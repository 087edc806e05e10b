/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/audit: the audit record of an organization,
 * as a list and as a file.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/http/response.h"
#include "api/http/sending.h"
#include "store/account/operator_action.h"

#define TEXT_MAX 255 /* of an actor, action or subject */

typedef struct {
    idv_page_t page;
    const char *actor, *action, *subject;
    apr_int64_t created_gte, created_lt;
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t, IDV_ID_OPERATOR_ACTION),
    IDV_PARAMETER(STRING, list_input_t, actor, 0, 1, TEXT_MAX),
    IDV_PARAMETER(STRING, list_input_t, action, 0, 1, TEXT_MAX),
    IDV_PARAMETER(STRING, list_input_t, subject, 0, 1, TEXT_MAX),
    IDV_PARAMETER(INTEGER, list_input_t, created_gte, 0, 0, IDV_LATEST_SECOND),
    IDV_PARAMETER(INTEGER, list_input_t, created_lt, 0, 0, IDV_LATEST_SECOND),
    {0},
};

/* The parameters of the file, which has no pages. */
static const idv_parameter_t export_parameters[] = {
    IDV_PARAMETER(STRING, list_input_t, actor, 0, 1, TEXT_MAX),
    IDV_PARAMETER(STRING, list_input_t, action, 0, 1, TEXT_MAX),
    IDV_PARAMETER(STRING, list_input_t, subject, 0, 1, TEXT_MAX),
    IDV_PARAMETER(INTEGER, list_input_t, created_gte, 0, 0, IDV_LATEST_SECOND),
    IDV_PARAMETER(INTEGER, list_input_t, created_lt, 0, 0, IDV_LATEST_SECOND),
    {0},
};

static idv_operator_action_filter_t filter_of(const idv_request_t *request,
                                              const list_input_t *input)
{
    return (idv_operator_action_filter_t){
        .organization_id = request->organization_id,
        .cursor = idv_page_cursor(&input->page),
        .actor = input->actor,
        .action = input->action,
        .subject = input->subject,
        .created_from = input->created_gte * IDV_SECOND,
        .created_before = input->created_lt * IDV_SECOND,
    };
}

typedef struct {
    idv_operator_action_filter_t filter;
    apr_array_header_t *actions;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_operator_action_list(db, &listing->filter, &listing->actions,
                                    &listing->has_more, pool);
}

idv_error_t *idv_operator_action_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT,
                          .created_lt = IDV_LATEST_SECOND};
    listing_t listing = {0};

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    listing.filter = filter_of(request, &input);
    IDV_TRY(idv_operator_action_filter_check(&listing.filter, request->pool));
    IDV_TRY(idv_request_with_database(request, list, &listing));
    return idv_page_respond(request, listing.actions, listing.has_more);
}

/* --- as a file --- */

typedef struct {
    idv_operator_export_t export;
    apr_array_header_t *lines; /* const char *, of a single piece */
    apr_pool_t *pool;          /* of that piece */
} export_t;

static idv_error_t *add_line(void *baton, const idv_operator_entry_t *entry,
                             apr_pool_t *pool)
{
    export_t *export = baton;

    APR_ARRAY_PUSH(export->lines, const char *) =
        apr_pstrcat(pool, idv_operator_entry_line(entry, pool), "\n", NULL);
    return NULL;
}

/* Each piece has memory of its own; the request's pool would grow with the
 * record. */
static idv_error_t *read_lines(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    export_t *export = baton;

    (void)pool;
    return idv_operator_action_export(db, &export->export, add_line, export,
                                      export->pool);
}

/* No connection is held while the client reads. */
static idv_error_t *write_lines(idv_request_t *request, void *baton,
                                idv_bytes_t *piece, apr_pool_t *pool)
{
    export_t *export = baton;
    const char *text;

    if (export->export.is_whole)
        return NULL;
    export->pool = pool;
    export->lines = apr_array_make(pool, 512, sizeof(const char *));
    IDV_TRY(idv_request_with_database(request, read_lines, export));
    text = apr_array_pstrcat(pool, export->lines, 0);
    *piece = (idv_bytes_t){(const unsigned char *)text, strlen(text)};
    return NULL;
}

idv_error_t *idv_operator_action_api_export(idv_request_t *request)
{
    list_input_t input = {.created_lt = IDV_LATEST_SECOND};
    export_t *export = apr_pcalloc(request->pool, sizeof(*export));

    IDV_TRY(idv_request_parameters(request, export_parameters, &input, NULL));
    export->export.filter = filter_of(request, &input);
    IDV_TRY(idv_operator_action_filter_check(&export->export.filter,
                                             request->pool));
    export->export.is_of_all = !input.actor && !input.action && !input.subject
                            && !input.created_gte
                            && input.created_lt == IDV_LATEST_SECOND;
    IDV_TRY(idv_sending_reserve(request));
    IDV_TRY(idv_respond_pieces(request, "application/x-ndjson", write_lines,
                               export));
    idv_respond_header(request, "Content-Disposition",
                       apr_pstrcat(request->pool, "attachment; filename=\"audit-",
                                   request->organization_id, ".jsonl\"",
                                   NULL));
    return NULL;
}
