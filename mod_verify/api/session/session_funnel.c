/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/funnel: the results of the sessions since a
 * time: in all, per interval, per jurisdiction, document, browser and method
 * (store/session/session_funnel.h).
 */
#include "api/http/response.h"
#include "core/json.h"
#include "store/session/session_funnel.h"

#define INTERVAL_MIN 3600     /* an hour */
#define INTERVAL_MAX 31622400 /* 366 days */

typedef struct {
    apr_int64_t created_gte;
    apr_int64_t interval;
} funnel_input_t;

static const idv_parameter_t funnel_parameters[] = {
    IDV_PARAMETER(INTEGER, funnel_input_t, created_gte, 0, 0,
                  IDV_LATEST_SECOND),
    IDV_PARAMETER(INTEGER, funnel_input_t, interval, 0, INTERVAL_MIN,
                  INTERVAL_MAX),
    {0},
};

typedef struct {
    idv_funnel_query_t query;
    json_t *funnel;
} look_t;

static idv_error_t *look(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;

    return idv_session_funnel(db, &look->query, &look->funnel, pool);
}

idv_error_t *idv_session_funnel_api_retrieve(idv_request_t *request)
{
    /* The default is the current day in UTC. */
    funnel_input_t input = {
        .created_gte = (request->now - request->now % IDV_DAY) / IDV_SECOND};
    look_t work = {.query = {.organization_id = request->organization_id,
                             .now = request->now}};

    IDV_TRY(idv_request_parameters(request, funnel_parameters, &input, NULL));
    work.query.from = input.created_gte * IDV_SECOND;
    work.query.interval = input.interval * IDV_SECOND;
    if (idv_funnel_intervals(&work.query) > IDV_FUNNEL_INTERVALS_MAX)
        return idv_error_param(
            request->pool, "interval",
            "allows at most 100 intervals. Make it longer, or begin later.");
    IDV_TRY(idv_request_with_database(request, look, &work));
    idv_json_own(work.funnel, request->pool);
    json_object_set_new(work.funnel, "object", json_string("funnel"));
    return idv_respond_text(request, HTTP_OK,
                            idv_json_text(work.funnel, request->pool));
}
