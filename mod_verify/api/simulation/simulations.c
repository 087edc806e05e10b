/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/simulations: replays past sessions of a
 * workflow with another workflow, law or risk policy, or runs a shadow of the
 * live workflow on sessions that end from now on. The routes order, show and
 * stop the jobs; the watchdog runs them (worker/simulation/replayer.h).
 */
#include <string.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "api/workflow/workflow_subject.h"
#include "domain/risk/risk_data.h"
#include "store/simulation/workflow_replay.h"
#include "store/workflow/workflow.h"
#include "worker/watchdog/watchdog.h"

#define DAYS_DEFAULT 30 /* of past sessions, by default */

static const char *replay_text(idv_db_t *db, const idv_workflow_replay_t *replay,
                               idv_error_t **error, apr_pool_t *pool)
{
    idv_replay_account_t account = {0};

    *error = idv_workflow_replay_account(db, replay->organization_id, &account,
                                         pool);
    return *error ? NULL
                  : idv_json_text(
                        idv_workflow_replay_json(replay, &account, pool),
                        pool);
}

/* --- ordering --- */

typedef struct {
    idv_subject_input_t subject;
    const char *workflow_id;
    const char *kind;
    apr_int64_t from, to; /* Unix seconds; 0: not given */
    const char *law;
    const json_t *risk;
} create_input_t;

static const char *const kinds[] = {"past", "shadow", NULL};
static const char *const laws[] = {"kept", "current", NULL};

static const idv_parameter_t create_parameters[] = {
    IDV_SUBJECT_PARAMETERS(create_input_t),
    IDV_PARAMETER(ID, create_input_t, workflow_id, IDV_REQUIRED,
                  IDV_ID_WORKFLOW, 0),
    IDV_PARAMETER_OF(STRING, create_input_t, kind, 0, kinds),
    IDV_PARAMETER(INTEGER, create_input_t, from, 0, 1, IDV_LATEST_SECOND),
    IDV_PARAMETER(INTEGER, create_input_t, to, 0, 1, IDV_LATEST_SECOND),
    IDV_PARAMETER_OF(STRING, create_input_t, law, 0, laws),
    IDV_PARAMETER(OBJECT, create_input_t, risk, 0, 0, IDV_SUBJECT_MEMBERS_MAX),
    {0},
};

typedef struct {
    const idv_request_t *request;
    idv_workflow_replay_t replay;
    const idv_workflow_t *workflow;
} creation_t;

static idv_error_t *create(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    creation_t *creation = baton;
    const idv_scope_t scope = idv_request_scope(creation->request);
    idv_workflow_replay_t replay = creation->replay;
    idv_error_t *error;
    json_t *workflow;

    IDV_TRY(idv_workflow_find(db, &scope, replay.workflow_id, &workflow, pool));
    IDV_TRY(idv_workflow_replay_create(db, &replay, creation->workflow, pool));
    *answer = replay_text(db, &replay, &error, pool);
    return error;
}

/* The period of a shadow, which starts now. */
static idv_error_t *read_future(const idv_request_t *request,
                                const create_input_t *input,
                                idv_workflow_replay_t *replay)
{
    replay->since = request->now;
    replay->until = input->to ? input->to * IDV_SECOND
                              : request->now
                                    + IDV_SHADOW_DAYS_DEFAULT * IDV_DAY;
    if (input->from)
        return idv_error_param(request->pool, "from",
                               "must be omitted: a shadow begins now.");
    if (replay->until <= replay->since
        || replay->until > replay->since + IDV_SHADOW_DAYS_MAX * IDV_DAY)
        return idv_error_param(request->pool, "to",
                               "must be within the next %d days.",
                               IDV_SHADOW_DAYS_MAX);
    return NULL;
}

static idv_error_t *read_past(const idv_request_t *request,
                              const create_input_t *input,
                              idv_workflow_replay_t *replay)
{
    replay->until = input->to ? input->to * IDV_SECOND : request->now;
    replay->since = input->from ? input->from * IDV_SECOND
                                : replay->until - DAYS_DEFAULT * IDV_DAY;
    if (replay->since >= replay->until)
        return idv_error_param(request->pool, "to",
                               "must be later than `from`.");
    return NULL;
}

/* The period of the sessions, and the policy. */
static idv_error_t *check(const idv_request_t *request,
                          const create_input_t *input,
                          idv_workflow_replay_t *replay)
{
    idv_risk_policy_t policy;
    idv_error_t *fault;

    IDV_TRY((replay->is_shadow ? read_future : read_past)(request, input,
                                                          replay));
    if (!input->risk)
        return NULL;
    fault = idv_risk_policy_load(input->risk, &policy, request->pool);
    return fault ? idv_error_param(request->pool, "risk",
                                   "must be a risk policy: %s.",
                                   idv_error_cause(fault))
                 : NULL;
}

idv_error_t *idv_simulation_api_create(idv_request_t *request)
{
    create_input_t input = {0};
    creation_t creation = {.request = request};
    const idv_write_t write = {.status = HTTP_CREATED,
                               .work = create,
                               .baton = &creation,
                               .wake = IDV_WORK_REPLAYS};
    idv_workflow_t *workflow;
    idv_subject_t subject;

    IDV_TRY(idv_request_parameters(request, create_parameters, &input, NULL));
    creation.replay = (idv_workflow_replay_t){
        .organization_id = request->organization_id,
        .workflow_id = input.workflow_id,
        .version_id = input.subject.version_id,
        .draft_id = input.subject.draft_id,
        .is_shadow = input.kind && strcmp(input.kind, kinds[1]) == 0,
        .is_current_law = input.law && strcmp(input.law, laws[1]) == 0,
        .risk = (json_t *)input.risk,
        .created_by = request->operator->user,
        .created = request->now,
    };
    IDV_TRY(check(request, &input, &creation.replay));
    IDV_TRY(idv_subject_find(request, &input.subject, &subject));
    IDV_TRY(idv_subject_compile(request, &subject, &workflow));
    creation.workflow = workflow;
    return idv_write(request, &write);
}

/* --- showing --- */

typedef struct {
    idv_page_t page;
    const char *workflow_id;
    const char *kind;
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t, IDV_ID_WORKFLOW_REPLAY),
    IDV_PARAMETER(ID, list_input_t, workflow_id, 0, IDV_ID_WORKFLOW, 0),
    IDV_PARAMETER_OF(STRING, list_input_t, kind, 0, kinds),
    {0},
};

typedef struct {
    const idv_request_t *request;
    idv_workflow_replay_filter_t filter; /* of jobs */
    idv_cursor_t cursor;                 /* of sessions */
    idv_replay_result_t result;
    apr_array_header_t *items; /* texts */
    int has_more;
    const char *text;
} look_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;
    idv_replay_account_t account;
    apr_array_header_t *replays;

    IDV_TRY(idv_workflow_replay_page(db, &look->filter, &replays,
                                     &look->has_more, pool));
    IDV_TRY(idv_workflow_replay_account(db, look->filter.organization_id,
                                        &account, pool));
    look->items = apr_array_make(pool, replays->nelts, sizeof(const char *));
    for (int i = 0; i < replays->nelts; i++)
        APR_ARRAY_PUSH(look->items, const char *) = idv_json_text(
            idv_workflow_replay_json(
                &APR_ARRAY_IDX(replays, i, idv_workflow_replay_t), &account,
                pool),
            pool);
    return NULL;
}

idv_error_t *idv_simulation_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT};
    look_t look = {.request = request};

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    look.filter = (idv_workflow_replay_filter_t){
        .organization_id = request->organization_id,
        .workflow_id = input.workflow_id,
        .kind = input.kind,
        .cursor = idv_page_cursor(&input.page),
    };
    IDV_TRY(idv_request_with_database(request, list, &look));
    return idv_page_respond(request, look.items, look.has_more);
}

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;
    idv_workflow_replay_t *replay;
    idv_error_t *error;

    IDV_TRY(idv_workflow_replay_find(db, look->request->organization_id,
                                     idv_request_path(look->request, "id"),
                                     &replay, pool));
    look->text = replay_text(db, replay, &error, pool);
    return error;
}

idv_error_t *idv_simulation_api_retrieve(idv_request_t *request)
{
    look_t look = {.request = request};

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &look));
    return idv_respond_text(request, HTTP_OK, look.text);
}

typedef struct {
    idv_page_t page;
    const char *result;
} sessions_input_t;

static const char *const listed[] = {"changed", "undetermined", NULL};

static const idv_parameter_t sessions_parameters[] = {
    IDV_PAGE_PARAMETERS(sessions_input_t, IDV_ID_SESSION),
    IDV_PARAMETER_OF(STRING, sessions_input_t, result, 0, listed),
    {0},
};

static idv_error_t *list_sessions(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;
    idv_workflow_replay_t *replay;

    IDV_TRY(idv_workflow_replay_find(db, look->request->organization_id,
                                     idv_request_path(look->request, "id"),
                                     &replay, pool));
    return idv_workflow_replay_sessions(
        db,
        &(const idv_replay_sessions_query_t){
            .replay = replay, .result = look->result, .cursor = look->cursor},
        &look->items, &look->has_more, pool);
}

idv_error_t *idv_simulation_api_sessions(idv_request_t *request)
{
    sessions_input_t input = {.page = IDV_PAGE_DEFAULT};
    look_t look = {.request = request, .result = IDV_REPLAY_IS_CHANGED};

    IDV_TRY(idv_request_parameters(request, sessions_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    if (input.result && strcmp(input.result, listed[1]) == 0)
        look.result = IDV_REPLAY_IS_UNDETERMINED;
    look.cursor = idv_page_cursor(&input.page);
    IDV_TRY(idv_request_with_database(request, list_sessions, &look));
    return idv_page_respond(request, look.items, look.has_more);
}

/* --- stopping --- */

static idv_error_t *stop(idv_db_t *db, void *baton, const char **answer,
                         apr_pool_t *pool)
{
    const idv_request_t *request = baton;
    const char *id = idv_request_path(request, "id");
    idv_workflow_replay_t *replay;
    idv_error_t *error;

    IDV_TRY(idv_workflow_replay_stop(db, request->organization_id, id,
                                     request->now, pool));
    IDV_TRY(idv_workflow_replay_find(db, request->organization_id, id, &replay,
                                     pool));
    *answer = replay_text(db, replay, &error, pool);
    return error;
}

idv_error_t *idv_simulation_api_stop(idv_request_t *request)
{
    const idv_write_t write = {
        .status = HTTP_OK, .work = stop, .baton = request};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}
