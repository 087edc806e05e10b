/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/funnel: the results of the sessions of a
 * day, and of each of their methods (store/session/session_funnel.h).
 */
#include "api/http/response.h"
#include "core/json.h"
#include "store/session/session_funnel.h"

typedef struct {
    apr_int64_t created_gte;
} funnel_input_t;

static const idv_parameter_t funnel_parameters[] = {
    IDV_PARAMETER(INTEGER, funnel_input_t, created_gte, 0, 0,
                  IDV_LATEST_SECOND),
    {0},
};

typedef struct {
    const char *organization_id;
    idv_time_t from;
    json_t *funnel;
} look_t;

static idv_error_t *look(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;

    return idv_session_funnel(db, look->organization_id, look->from,
                              &look->funnel, pool);
}

idv_error_t *idv_session_funnel_api_retrieve(idv_request_t *request)
{
    /* The default is the current day in UTC. */
    funnel_input_t input = {
        .created_gte = (request->now - request->now % IDV_DAY) / IDV_SECOND};
    look_t work = {.organization_id = request->organization_id};

    IDV_TRY(idv_request_parameters(request, funnel_parameters, &input, NULL));
    work.from = input.created_gte * IDV_SECOND;
    IDV_TRY(idv_request_with_database(request, look, &work));
    idv_json_own(work.funnel, request->pool);
    json_object_set_new(work.funnel, "object", json_string("funnel"));
    return idv_respond_text(request, HTTP_OK,
                            idv_json_text(work.funnel, request->pool));
}
