/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/audit: what was done to an organization.
 */
#include "api/response.h"
#include "store/operator_action.h"

#define TEXT_MAX 255 /* of an actor, an action or a subject */

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

/* Each of the three is an index of its own. */
static idv_error_t *check_filters(const list_input_t *input, apr_pool_t *pool)
{
    if (input->action && input->actor)
        return idv_error_param(pool, "action", "Not together with actor.");
    if (input->subject && (input->actor || input->action))
        return idv_error_param(pool, "subject",
                               "Not together with actor or action.");
    return NULL;
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
    IDV_TRY(check_filters(&input, request->pool));
    listing.filter = (idv_operator_action_filter_t){
        .organization_id = request->organization_id,
        .cursor = idv_page_cursor(&input.page),
        .actor = input.actor,
        .action = input.action,
        .subject = input.subject,
        .created_from = input.created_gte * IDV_SECOND,
        .created_before = input.created_lt * IDV_SECOND,
    };
    IDV_TRY(idv_request_with_database(request, list, &listing));
    return idv_page_respond(request, listing.actions, listing.has_more);
}
