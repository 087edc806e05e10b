/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/simulation/workflow_scenario.h"

#include <string.h>

#include <apr_strings.h>

/* A session announces a few events for each input at most. */
#define EVENTS_MAX (IDV_SANDBOX_STEPS_MAX * IDV_SESSION_EVENTS_MAX)
#define CODE_MAX 64

const idv_parameter_t idv_scenario_parameters[] = {
    IDV_PARAMETER(STRING, idv_workflow_scenario_t, name, IDV_REQUIRED, 1,
                  IDV_SCENARIO_NAME_MAX),
    IDV_PARAMETER(SESSION_TYPE, idv_workflow_scenario_t, type, IDV_REQUIRED, 1,
                  16),
    IDV_PARAMETER(JURISDICTION, idv_workflow_scenario_t, jurisdiction,
                  IDV_NULLABLE, 1, 255),
    IDV_PARAMETER(OBJECTS, idv_workflow_scenario_t, scenario, IDV_REQUIRED, 0,
                  IDV_SANDBOX_STEPS_MAX),
    IDV_PARAMETER(OBJECT, idv_workflow_scenario_t, expected, IDV_REQUIRED, 0,
                  IDV_SCENARIO_EXPECTED_MAX),
    {0},
};

/* --- what is expected --- */

static idv_error_t *wrong(const char *member, const char *message,
                          apr_pool_t *pool)
{
    return idv_error_param(pool, apr_pstrcat(pool, "expected.", member, NULL),
                           "%s", message);
}

static int is_status(const json_t *value)
{
    const char *text = json_string_value(value);

    return text && idv_session_status_parse(text) != IDV_STATUS_NONE;
}

/* A name that the service or the workflow gives, or null. */
static int is_name(const json_t *value)
{
    return json_is_null(value)
        || (json_is_string(value) && json_string_length(value) > 0
            && json_string_length(value) <= (size_t)4 * CODE_MAX);
}

static int are_events(const json_t *value)
{
    const json_t *type;
    size_t i;

    if (!json_is_array(value) || json_array_size(value) > EVENTS_MAX)
        return 0;
    json_array_foreach (value, i, type) {
        const char *text = json_string_value(type);
        int known = 0;

        for (const char *const *known_type = idv_event_type_values;
             text && *known_type; known_type++)
            known |= strcmp(*known_type, text) == 0;
        if (!known)
            return 0;
    }
    return 1;
}

static const struct {
    const char *name;
    int (*is_valid)(const json_t *value);
    const char *rule;
} members[] = {
    {"status", is_status, "must be a session status."},
    {"node", is_name, "must be the name of a node, or null."},
    {"last_error", is_name, "must be a code, or null."},
    {"events", are_events, "must be an array of event types."},
};

#define MEMBER_COUNT (sizeof(members) / sizeof(*members))

idv_error_t *idv_scenario_expectation_check(const json_t *expected,
                                            apr_pool_t *pool)
{
    const char *name;
    const json_t *value;

    json_object_foreach ((json_t *)expected, name, value) {
        size_t i = 0;

        while (i < MEMBER_COUNT && strcmp(members[i].name, name) != 0)
            i++;
        if (i == MEMBER_COUNT)
            return wrong(name, "is unknown. Check its name, or omit it.", pool);
        if (!members[i].is_valid(value))
            return wrong(name, members[i].rule, pool);
    }
    return json_object_get(expected, "status")
             ? NULL
             : wrong("status", "is required. Pass a session status.", pool);
}

/* --- results --- */

/* The result of the steps of ANSWER. New reference. */
static json_t *actual_of(const json_t *answer)
{
    const json_t *steps = json_object_get(answer, "steps"), *step, *event;
    const json_t *last = json_array_get(steps, json_array_size(steps) - 1);
    json_t *types = json_array();
    size_t i, j;

    json_array_foreach (steps, i, step)
        json_array_foreach (json_object_get(step, "events"), j, event)
            json_array_append(types, json_object_get(event, "type"));
    return json_pack("{s:O, s:O, s:O, s:o}", "status",
                     json_object_get(last, "status"), "node",
                     json_object_get(last, "node"), "last_error",
                     json_object_get(last, "last_error"), "events", types);
}

void idv_scenario_run(const idv_sandbox_t *sandbox,
                      const idv_workflow_scenario_t *scenario,
                      idv_scenario_outcome_t *outcome, apr_pool_t *pool)
{
    idv_sandbox_t subject = *sandbox;
    json_t *answer, *value;
    const char *name;

    subject.type = scenario->type;
    subject.jurisdiction = scenario->jurisdiction;
    *outcome = (idv_scenario_outcome_t){.differences =
                                            idv_json_own(json_array(), pool)};
    outcome->error =
        idv_sandbox_run(&subject, scenario->scenario, &answer, pool);
    if (!outcome->error) {
        idv_json_own(answer, pool);
        outcome->actual = idv_json_own(actual_of(answer), pool);
    }
    json_object_foreach ((json_t *)scenario->expected, name, value)
        if (!json_equal(value, json_object_get(outcome->actual, name)))
            json_array_append_new(outcome->differences, json_string(name));
}

json_t *idv_scenario_accept(const json_t *expected,
                            const idv_scenario_outcome_t *outcome)
{
    json_t *accepted = json_object();
    const char *name;
    const json_t *value;

    json_object_foreach ((json_t *)expected, name, value) {
        json_t *actual = json_object_get(outcome->actual, name);

        json_object_set(accepted, name, actual ? actual : (json_t *)value);
    }
    return accepted;
}
