/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as a workflow definition. What compiles must load again as it was,
 * and carry a session that is walked by the rest of the input to its end
 * without leaving the graph.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>

#include "core/json_writer.h"
#include "domain/session/session_columns.h"
#include "domain/session/session_view.h"
#include "domain/transition/session_step.h"
#include "domain/workflow/workflow_compile.h"

static void require(int condition)
{
    if (!condition)
        abort();
}

static idv_session_input_t next_input(uint8_t byte, const idv_session_t *before,
                                      const idv_workflow_t *workflow,
                                      idv_method_outcome_t *outcome)
{
    idv_session_input_t input = {
        .type = byte % IDV_INPUT_COUNT,
        .consent = 1,
        .submission = before->runner.submission,
        .outcome = outcome,
        .checks_node = before->runner.node,
        .risk = byte / IDV_INPUT_COUNT % 3,
        .decided_by = "reviewer",
        .path = IDV_PATH_VP_TOKEN,
    };
    idv_method_list_t choices;

    memset(outcome, 0, sizeof(*outcome));
    outcome->verdict = byte / IDV_INPUT_COUNT % 3;
    idv_session_choices(before, workflow, &choices);
    input.method = choices.count
                     ? choices.items[byte / IDV_INPUT_COUNT % choices.count]
                     : IDV_METHOD_NONE;
    if (input.method == IDV_METHOD_DOCUMENT_CAPTURE) {
        input.images[0] = "front";
        input.image_count = 1;
    }
    return input;
}

static void walk(const idv_workflow_t *workflow, const uint8_t *data,
                 size_t size, apr_pool_t *pool)
{
    idv_session_t first = {.id = "vks_1",
                           .workflow_version_id = "wfv_1",
                           .expires_at = workflow->expires_after,
                           .current_method = IDV_METHOD_NONE,
                           .methods = workflow->methods,
                           .consent_required = 1};
    const idv_session_t *session = &first;
    idv_session_change_t *change;
    idv_method_outcome_t outcome;
    idv_session_t loaded;
    const char *text;

    for (size_t i = 0; i < size && i < 256; i++) {
        idv_session_input_t input =
            next_input(data[i], session, workflow, &outcome);

        if (idv_session_step(
                &(const idv_session_moment_t){.before = session,
                                              .workflow = workflow,
                                              .now = (idv_time_t)i},
                &input, &change, pool))
            continue;
        require(change->changed || change->event_count == 0);
        require(change->event_count <= IDV_SESSION_EVENTS_MAX);
        session = change->session;
        text = idv_session_widget_text(session, workflow, NULL, pool);
        require(idv_json_own(json_loads(text, 0, NULL), pool) != NULL);
        text = idv_session_runner_text(session, pool);
        require(!idv_session_runner_load(text, &loaded, pool));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int ready;
    idv_workflow_t *workflow, *loaded;
    apr_array_header_t *faults;
    const char *before, *after;
    apr_pool_t *pool;
    json_t *json;

    if (!ready++)
        require(apr_initialize() == APR_SUCCESS);
    require(apr_pool_create(&pool, NULL) == APR_SUCCESS);
    if (!idv_json_parse((const char *)data, size, &json, pool)) {
        idv_workflow_compile(json, &workflow, &faults, pool);
        require((workflow == NULL) == (faults->nelts > 0));
        if (workflow) {
            require(idv_workflow_warnings(workflow, pool)->nelts
                    <= IDV_WORKFLOW_NODES_MAX + 3);
            json = idv_json_own(idv_workflow_json(workflow), pool);
            require((before = idv_json_text(json, pool)) != NULL);
            require(!idv_workflow_load(json, &loaded, pool));
            json = idv_json_own(idv_workflow_json(loaded), pool);
            require((after = idv_json_text(json, pool)) != NULL);
            require(!strcmp(before, after));
            walk(loaded, data, size, pool);
        } else if (!idv_workflow_load(json, &loaded, pool)) {
            /* a stored form that somebody made up must still be safe */
            json_decref(idv_workflow_json(loaded));
        }
    }
    apr_pool_destroy(pool);
    return 0;
}
