/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/audit: what was done to an organization.
 */
#include "api/response.h"
#include "store/operator_action.h"

typedef struct {
    idv_page_t page;
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t, IDV_ID_OPERATOR_ACTION),
    {0},
};

typedef struct {
    const char *organization_id;
    idv_cursor_t cursor;
    apr_array_header_t *actions;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_operator_action_list(db, listing->organization_id,
                                    &listing->cursor, &listing->actions,
                                    &listing->has_more, pool);
}

idv_error_t *idv_operator_action_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT};
    listing_t listing = {.organization_id = request->organization_id};

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    listing.cursor = idv_page_cursor(&input.page);
    IDV_TRY(idv_request_with_database(request, list, &listing));
    return idv_page_respond(request, listing.actions, listing.has_more);
}
