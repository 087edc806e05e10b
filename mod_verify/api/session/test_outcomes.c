/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/verification_sessions/:id/test_outcome: gives a sandbox session an
 * outcome chosen by the customer's server (methods/test_value.h), with the
 * events of a real one.
 */
#include "api/http/response.h"
#include "api/http/write.h"
#include "domain/request/parameters.h"
#include "domain/session/session_view.h"
#include "methods/test_value.h"
#include "store/transaction/session_transition.h"
#include "store/workflow/workflow.h"
#include "worker/watchdog/watchdog.h"

#define DECIDED_BY "test_outcome"
#define TEST_VALUE_MAX 64
#define STEPS_MAX 20 /* more than the attempts of a node */

typedef struct {
    const char *value;
    const char *method;
    int final;
} input_t;

static const idv_parameter_t parameters[] = {
    IDV_PARAMETER(STRING, input_t, value, IDV_REQUIRED, 1, TEST_VALUE_MAX),
    IDV_PARAMETER(STRING, input_t, method, 0, 1, TEST_VALUE_MAX),
    IDV_PARAMETER(BOOLEAN, input_t, final, 0, 0, 0),
    {0},
};

typedef struct {
    idv_request_t *request;
    input_t input;
    idv_method_t method; /* NONE: the first one offered */
    idv_session_record_t *record; /* in its current state */
    const idv_workflow_t *workflow;
} work_t;

static idv_error_t *apply(idv_db_t *db, work_t *work,
                          const idv_session_input_t *input, apr_pool_t *pool)
{
    const idv_services_t *services = work->request->services;
    const idv_session_transition_t transition = {
        .scope = idv_request_scope(work->request),
        .session_id = work->record->session->id,
        .input = input,
        .now = work->request->now,
        .keyring = services->keyring,
        .risk_policy = &services->risk->policy,
        .compliance = services->compliance,
    };
    idv_session_transition_result_t result;

    IDV_TRY(idv_session_transition(db, &transition, &result, pool));
    work->record = result.record;
    work->workflow = result.workflow;
    return NULL;
}

/* Opens the session before its first method, like a person's first request. */
static idv_error_t *open_session(idv_db_t *db, work_t *work, apr_pool_t *pool)
{
    const idv_session_input_t input = {.type = IDV_INPUT_OPEN};

    return apply(db, work, &input, pool);
}

static idv_error_t *take_value(idv_db_t *db, work_t *work, apr_pool_t *pool)
{
    idv_session_input_t input = {.decided_by = DECIDED_BY};
    idv_method_list_t choices;

    idv_session_choices(work->record->session, work->workflow, &choices);
    IDV_TRY(idv_test_value_input(work->input.value, work->method,
                                 work->record->session, &choices, &input,
                                 pool));
    return apply(db, work, &input, pool);
}

/* Whether the session is back at the same node, so that `final` continues. */
static int asks_again(const work_t *work, const char *node)
{
    const idv_session_t *session = work->record->session;

    return session->status == IDV_STATUS_REQUIRES_INPUT && session->runner.node
        && strcmp(session->runner.node, node) == 0 && !session->runner.hint;
}

static idv_error_t *set_outcome(idv_db_t *db, void *baton, const char **answer,
                                apr_pool_t *pool)
{
    work_t *work = baton;
    const idv_scope_t scope = idv_request_scope(work->request);
    const char *node;

    IDV_TRY(idv_session_lock(db, &scope, idv_request_path(work->request, "id"),
                             &work->record, pool));
    if (work->record->session->livemode)
        return idv_error_param(pool, "value",
                               "is only available in a sandbox organization.");
    /* If the session is already open, this only loads its workflow. */
    IDV_TRY(open_session(db, work, pool));
    node = work->record->session->runner.node;
    IDV_TRY(take_value(db, work, pool));
    for (int i = 0;
         i < STEPS_MAX && work->input.final && node && asks_again(work, node);
         i++)
        IDV_TRY(take_value(db, work, pool));
    *answer = idv_session_text(work->record->session, NULL, pool);
    return NULL;
}

idv_error_t *idv_test_outcome_api_set(idv_request_t *request)
{
    work_t work = {.request = request, .method = IDV_METHOD_NONE};
    idv_write_t write = {.status = HTTP_OK,
                         .work = set_outcome,
                         .baton = &work,
                         .wake = IDV_WORK_DELIVERIES};

    IDV_TRY(idv_request_parameters(request, parameters, &work.input, NULL));
    if (!request->key->sandbox)
        return idv_error_param(request->pool, "value",
                               "is only available in a sandbox organization.");
    if (work.input.method) {
        work.method = idv_method_parse(work.input.method);
        if (work.method == IDV_METHOD_NONE)
            return idv_error_param(request->pool, "method",
                                   "must be a verification method.");
    }
    return idv_write(request, &write);
}
