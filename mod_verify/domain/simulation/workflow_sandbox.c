/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/simulation/workflow_sandbox.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/request/parameters.h"
#include "domain/session/session_law.h"
#include "domain/session/session_view.h"
#include "domain/transition/session_step.h"
#include "domain/webhook/event.h"

/* Ids that never exist. */
#define NO_SESSION "vks_00000000000000000000000000"
#define NO_ORGANIZATION "org_00000000000000000000000000"
#define NO_WORKFLOW "wf_00000000000000000000000000"
#define NO_VERSION "wfv_00000000000000000000000000"
#define NO_EVENT "evt_%026d"

#define REVIEWER "sandbox"
#define ADULT 30 /* years, if an input gives no age */
#define AGE_MAX 150

typedef struct {
    const idv_sandbox_t *sandbox;
    const idv_session_t *session;
    idv_time_t now;
    int events; /* shown so far */
    json_t *steps;
    apr_pool_t *pool;
} run_t;

/* The members of an input. */
typedef struct {
    const char *input;
    const char *risk;
    const char *method;
    const char *result;
    const char *assurance;
    apr_int64_t age;
    int document_reused;
    apr_int64_t seconds;
} given_t;

/* The result of one input; some inputs are two of the state machine's. */
typedef struct {
    unsigned effects;
    json_t *events;
    idv_error_t *error;
} result_t;

/* --- what a scenario may say --- */

static const char *const inputs[] = {
    "open",   "consent", "cancel", "leave",    "flag", "checks",
    "method", "approve", "reject", "escalate", "wait", NULL};
static const char *const risks[] = {"low", "medium", "high", NULL};
static const char *const results[] = {
    "passed",     "failed", "undetermined",
    "unreadable", "technical_failure", NULL};
static const char *const assurances[] = {"decoded", "consistent", "signed",
                                         "signed_and_present", NULL};

static const idv_parameter_t parameters[] = {
    IDV_PARAMETER_OF(STRING, given_t, input, IDV_REQUIRED, inputs),
    IDV_PARAMETER_OF(STRING, given_t, risk, 0, risks),
    IDV_PARAMETER(STRING, given_t, method, 0, 1, 64),
    IDV_PARAMETER_OF(STRING, given_t, result, 0, results),
    IDV_PARAMETER_OF(STRING, given_t, assurance, 0, assurances),
    IDV_PARAMETER(INTEGER, given_t, age, 0, 0, AGE_MAX),
    IDV_PARAMETER(BOOLEAN, given_t, document_reused, 0, 0, 0),
    IDV_PARAMETER(INTEGER, given_t, seconds, 0, 1, IDV_SANDBOX_WAIT_MAX),
    {0},
};

static int index_of(const char *const *values, const char *value)
{
    for (int i = 0; value && values[i]; i++)
        if (strcmp(values[i], value) == 0)
            return i;
    return -1;
}

/* --- steps of the state machine --- */

static json_t *effects_json(unsigned effects)
{
    static const char *const names[IDV_EFFECT_COUNT] = {
#define X(name) [IDV_EFFECT_INDEX_##name] = #name,
        IDV_SESSION_EFFECTS(X)
#undef X
    };
    json_t *list = json_array();

    for (int i = 0; i < IDV_EFFECT_COUNT; i++) {
        char name[64];

        if (!(effects & 1u << i))
            continue;
        apr_cpystrn(name, names[i], sizeof(name));
        for (char *c = name; *c; c++)
            if (*c >= 'A' && *c <= 'Z')
                *c = (char)(*c - 'A' + 'a');
        json_array_append_new(list, json_string(name));
    }
    return list;
}

static void take(run_t *run, result_t *result,
                 const idv_session_change_t *change)
{
    run->session = change->session;
    result->effects |= change->effects;
    for (int i = 0; i < change->event_count; i++) {
        const idv_session_event_t *event = &change->events[i];
        const char *id = apr_psprintf(run->pool, NO_EVENT, ++run->events);

        json_array_append_new(
            result->events,
            json_pack("{s:s, s:s}", "type", idv_event_type_value(event->type),
                      "body",
                      idv_event_body(id, event->type, run->now, event->object,
                                     run->pool)));
    }
}

/* Passes INPUT to the session; RESULT has the refusal, if any. */
static void give(run_t *run, result_t *result, idv_session_input_t input)
{
    const idv_sandbox_t *sandbox = run->sandbox;
    idv_session_change_t *change;

    if (idv_session_input_is_held_to_law(input.type))
        input.law = idv_session_law(sandbox->compliance_baton, run->session,
                                    sandbox->workflow, run->now, run->pool);
    result->error = idv_session_step(
        &(const idv_session_moment_t){.before = run->session,
                                      .workflow = sandbox->workflow,
                                      .now = run->now},
        &input, &change, run->pool);
    if (!result->error)
        take(run, result, change);
}

/* --- methods --- */

/* A substitute for the findings of a method. */
static json_t *summary(idv_method_t method, const given_t *given, int passed,
                       apr_pool_t *pool)
{
    return idv_json_own(
        json_pack("{s:s, s:f, s:b, s:I, s:b}", "method",
                  idv_method_value(method), "confidence", passed ? 0.9 : 0.1,
                  "age_verified", passed, "age_estimate",
                  (json_int_t)given->age, "identity_verified", passed),
        pool);
}

static idv_method_outcome_t outcome_of(const run_t *run, const given_t *given,
                                       idv_method_t method)
{
    static const idv_method_verdict_t verdicts[] = {
        IDV_METHOD_PASSED, IDV_METHOD_FAILED, IDV_METHOD_UNDETERMINED,
        IDV_METHOD_UNREADABLE};
    idv_method_verdict_t verdict = verdicts[index_of(results, given->result)];
    idv_method_outcome_t outcome = {.verdict = verdict, .facts.age = -1};

    if (verdict == IDV_METHOD_UNREADABLE) {
        outcome.hint = idv_session_hint(IDV_SESSION_HINT_TRY_AGAIN);
        return outcome;
    }
    outcome.assurance = given->assurance
                          ? idv_assurance_parse(given->assurance)
                          : idv_method_reach(method);
    outcome.verification_result =
        summary(method, given, verdict == IDV_METHOD_PASSED, run->pool);
    if (verdict != IDV_METHOD_FAILED)
        outcome.facts.age = (int)given->age;
    outcome.facts.younger_than = (int)given->age + 1;
    if (verdict != IDV_METHOD_PASSED)
        outcome.last_error = idv_session_error(IDV_SESSION_ERROR_DECLINED);
    if (verdict == IDV_METHOD_UNDETERMINED)
        outcome.doubts = 1u << (given->document_reused
                                    ? IDV_DOUBT_DOCUMENT_REUSED
                                    : IDV_DOUBT_UNDETERMINED);
    return outcome;
}

/* The submission of METHOD, with all images that it needs. */
static idv_session_input_t submission_of(const run_t *run, idv_method_t method)
{
    const idv_evidence_part_t *parts[IDV_METHOD_PARTS_MAX];
    idv_session_input_t input = {.type = IDV_INPUT_SUBMIT, .method = method};
    int count = idv_evidence_parts_of(method, parts);

    for (int i = 0; i < count; i++)
        if (parts[i]->source == IDV_EVIDENCE_IMAGE && parts[i]->is_needed)
            input.images[input.image_count++] = parts[i]->name;
    if (method == IDV_METHOD_SELF_ATTESTATION) {
        const idv_statement_t *statement =
            idv_statement_for(&run->sandbox->workflow->statements,
                              run->session->jurisdiction.resolved);

        input.statement = statement ? statement->name : NULL;
    }
    return input;
}

/* A submission and its outcome. A declaration is decided by the submission. */
static idv_error_t *run_method(run_t *run, const given_t *given,
                               result_t *result)
{
    idv_method_t method = idv_method_parse(given->method);
    idv_method_outcome_t outcome;
    idv_session_input_t input;

    if (method == IDV_METHOD_NONE)
        return idv_error_param(run->pool, "method",
                               "must be a verification method.");
    if (!given->result)
        return idv_error_param(run->pool, "result",
                               "is required for this input.");
    give(run, result, submission_of(run, method));
    if (result->error || run->session->status != IDV_STATUS_PROCESSING
        || run->session->current_method != method)
        return NULL;
    input = (idv_session_input_t){
        .type = IDV_INPUT_ANALYSIS_FAILED,
        .submission = run->session->runner.submission,
    };
    if (strcmp(given->result, "technical_failure") != 0) {
        outcome = outcome_of(run, given, method);
        input.type = IDV_INPUT_OUTCOME;
        input.outcome = &outcome;
    }
    give(run, result, input);
    return NULL;
}

/* --- other inputs --- */

static idv_error_t *run_checks(run_t *run, const given_t *given,
                               result_t *result)
{
    static const idv_risk_level_t levels[] = {IDV_RISK_LOW, IDV_RISK_MEDIUM,
                                              IDV_RISK_HIGH};

    if (!given->risk)
        return idv_error_param(run->pool, "risk",
                               "is required for this input.");
    give(run, result,
         (idv_session_input_t){.type = IDV_INPUT_CHECKS_RESULT,
                               .checks_node = run->session->runner.node,
                               .risk = levels[index_of(risks, given->risk)]});
    return NULL;
}

/* Both timers look; the one whose time has not come changes nothing. */
static idv_error_t *run_wait(run_t *run, const given_t *given, result_t *result)
{
    if (!given->seconds)
        return idv_error_param(run->pool, "seconds",
                               "is required for this input.");
    run->now += given->seconds * IDV_SECOND;
    give(run, result, (idv_session_input_t){.type = IDV_INPUT_REVIEW_TIMEOUT});
    if (!result->error)
        give(run, result, (idv_session_input_t){.type = IDV_INPUT_EXPIRE});
    return NULL;
}

static const struct {
    const char *name;
    idv_session_input_type_t type;
} plain_inputs[] = {
    {"open", IDV_INPUT_OPEN},
    {"consent", IDV_INPUT_CONSENT},
    {"cancel", IDV_INPUT_CANCEL},
    {"leave", IDV_INPUT_LEAVE},
    {"flag", IDV_INPUT_FLAG},
    {"approve", IDV_INPUT_REVIEW_APPROVE},
    {"reject", IDV_INPUT_REVIEW_REJECT},
    {"escalate", IDV_INPUT_REVIEW_ESCALATE},
};

static idv_error_t *run_input(run_t *run, const given_t *given,
                              result_t *result)
{
    if (strcmp(given->input, "checks") == 0)
        return run_checks(run, given, result);
    if (strcmp(given->input, "method") == 0)
        return run_method(run, given, result);
    if (strcmp(given->input, "wait") == 0)
        return run_wait(run, given, result);
    for (size_t i = 0; i < sizeof(plain_inputs) / sizeof(*plain_inputs); i++)
        if (strcmp(plain_inputs[i].name, given->input) == 0)
            give(run, result,
                 (idv_session_input_t){.type = plain_inputs[i].type,
                                       .consent = 1,
                                       .decided_by = REVIEWER});
    return NULL;
}

/* --- the run --- */

static json_t *error_json(const idv_error_t *error, apr_pool_t *pool)
{
    return error ? json_pack("{s:s, s:s?, s:s}", "code",
                             idv_error_info(error->code)->code, "param",
                             error->param, "message",
                             idv_error_sentence(error, NULL, pool))
                 : json_null();
}

/* Appends the session's state after an input named NAME. */
static void show(run_t *run, const char *name, const result_t *result)
{
    const idv_session_t *session = run->session;
    idv_method_list_t choices;

    idv_session_choices(session, run->sandbox->workflow, &choices);
    json_array_append_new(
        run->steps,
        json_pack("{s:s, s:I, s:s, s:s?, s:s?, s:o, s:s?, s:o, s:o, s:o}",
                  "input", name, "at", (json_int_t)idv_time_seconds(run->now),
                  "status", idv_session_status_value(session->status), "node",
                  session->runner.node, "current_method",
                  idv_method_value(session->current_method), "methods",
                  idv_method_list_json(&choices), "last_error",
                  session->last_error.code, "effects",
                  effects_json(result->effects), "events", result->events,
                  "error", error_json(result->error, run->pool)));
}

static const char *or_else(const char *id, const char *none)
{
    return id ? id : none;
}

static idv_error_t *create(run_t *run)
{
    const idv_sandbox_t *sandbox = run->sandbox;
    static const idv_session_create_caller_t caller = {.sandbox = 1};
    const idv_session_create_params_t params = {
        .type = sandbox->type,
        .workflow_id = or_else(sandbox->workflow_id, NO_WORKFLOW),
        .jurisdiction = sandbox->jurisdiction,
    };
    const idv_session_create_context_t context = {
        .session_id = NO_SESSION,
        .organization_id = or_else(sandbox->organization_id, NO_ORGANIZATION),
        .caller = &caller,
        .workflow_id = params.workflow_id,
        .workflow_version_id =
            or_else(sandbox->workflow_version_id, NO_VERSION),
        .workflow = sandbox->workflow,
        .standing.has_webhook_endpoint = 1,
        .compliance = sandbox->compliance,
        .compliance_baton = sandbox->compliance_baton,
    };
    result_t result = {.events = json_array()};
    idv_session_change_t *change;
    idv_error_t *error =
        idv_session_create(&params, &context, run->now, &change, run->pool);

    if (error) {
        json_decref(result.events);
        return error;
    }
    take(run, &result, change);
    show(run, "create", &result);
    return NULL;
}

static idv_error_t *run_step(run_t *run, const json_t *step)
{
    const idv_parameters_t values = {.values = (json_t *)step};
    given_t given = {.age = run->session->required_age > 0
                              ? run->session->required_age
                              : ADULT};
    result_t result = {0};
    idv_error_t *error;

    if (!json_is_object(step))
        return idv_error_param(run->pool, "", "Must be an object.");
    IDV_TRY(idv_parameters_read(&values, parameters, &given, NULL, run->pool));
    result.events = json_array();
    error = run_input(run, &given, &result);
    if (error) {
        json_decref(result.events);
        return error;
    }
    show(run, given.input, &result);
    return NULL;
}

/* The error of the step INDEX, with the place of that before its parameter. */
static idv_error_t *place(idv_error_t *error, size_t index, apr_pool_t *pool)
{
    int has_member = error->param && *error->param;

    if (error->code == IDV_E_PARAMETER_INVALID)
        error->param =
            apr_psprintf(pool, "scenario[%d]%s%s", (int)index,
                         has_member ? "." : "", has_member ? error->param : "");
    return error;
}

idv_error_t *idv_sandbox_run(const idv_sandbox_t *sandbox,
                             const json_t *scenario, json_t **answer,
                             apr_pool_t *pool)
{
    run_t run = {.sandbox = sandbox, .now = sandbox->now, .pool = pool};
    const json_t *step;
    size_t i;

    if (!json_is_array(scenario)
        || json_array_size(scenario) > IDV_SANDBOX_STEPS_MAX)
        return idv_error_param(pool, "scenario",
                               "must be an array of at most %d inputs.",
                               IDV_SANDBOX_STEPS_MAX);
    run.steps = idv_json_own(json_array(), pool);
    IDV_TRY(create(&run));
    json_array_foreach (scenario, i, step) {
        idv_error_t *error = run_step(&run, step);

        if (error)
            return place(error, i, pool);
    }
    *answer = json_pack("{s:s, s:O}", "object", "workflow_simulation", "steps",
                        run.steps);
    return NULL;
}
