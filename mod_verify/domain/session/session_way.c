/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_way.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"

/* The entries of WAY; POOL's. */
static json_t *entries_of(const char *way, apr_pool_t *pool)
{
    json_t *steps = way ? json_loads(way, 0, NULL) : NULL;

    if (!json_is_array(steps)) {
        json_decref(steps);
        steps = json_array();
    }
    return idv_json_own(steps, pool);
}

const char *idv_session_way_add(const char *way, const char *id,
                                idv_time_t now, apr_pool_t *pool)
{
    json_t *steps = entries_of(way, pool);

    json_array_append_new(
        steps, json_pack("[s, I]", id, (json_int_t)idv_time_seconds(now)));
    return idv_json_text(steps, pool);
}

const char *idv_session_way_pass(const char *way,
                                 const idv_method_list_t *methods,
                                 apr_pool_t *pool)
{
    json_t *steps = entries_of(way, pool);
    json_t *last = json_array_get(steps, json_array_size(steps) - 1);

    for (int i = 0; last && i < methods->count; i++)
        json_array_append_new(
            last, json_string(idv_method_value(methods->items[i])));
    return idv_json_text(steps, pool);
}

idv_method_list_t idv_session_way_passed(const json_t *entry)
{
    idv_method_list_t methods = {0};

    for (size_t i = 2; i < json_array_size(entry); i++) {
        const char *name = json_string_value(json_array_get(entry, i));
        idv_method_t method = name ? idv_method_parse(name) : IDV_METHOD_NONE;

        if (method != IDV_METHOD_NONE)
            idv_method_list_add(&methods, method);
    }
    return methods;
}

/* The exits of NODE that lead to the node INDEX. */
static json_t *exits_to(const idv_workflow_t *workflow,
                        const idv_workflow_node_t *node, int index)
{
    json_t *exits = json_array();

    for (int exit = 0; exit < IDV_EXIT_COUNT; exit++)
        if (node->type == idv_node_exit_owner((idv_node_exit_t)exit)
            && index >= 0 && index < workflow->node_count
            && node->next[exit] == index)
            json_array_append_new(
                exits,
                json_string(idv_node_exit_value((idv_node_exit_t)exit)));
    return exits;
}

/* The recorded path; without a record, the current node. */
static json_t *recorded(const idv_session_t *session, apr_pool_t *pool)
{
    const idv_session_runner_t *runner = &session->runner;
    json_t *steps = entries_of(runner->way, pool);

    if (!json_array_size(steps) && runner->node)
        json_array_append_new(steps, json_pack("[s, n]", runner->node));
    return steps;
}

int idv_session_way_has(const idv_session_t *session,
                        const idv_workflow_t *workflow, idv_node_type_t type,
                        apr_pool_t *pool)
{
    const json_t *steps = recorded(session, pool), *step;
    size_t i;

    json_array_foreach (steps, i, step) {
        const idv_workflow_node_t *node = idv_workflow_node(
            workflow, json_string_value(json_array_get(step, 0)));

        if (node && node->type == type)
            return 1;
    }
    return 0;
}

json_t *idv_session_way_json(const idv_session_t *session,
                             const idv_workflow_t *workflow, apr_pool_t *pool)
{
    const json_t *steps = recorded(session, pool), *step;
    json_t *nodes = json_array(), *last = NULL;
    const idv_workflow_node_t *before = NULL;
    int is_whole = 1;
    size_t i;

    json_array_foreach (steps, i, step) {
        const idv_workflow_node_t *node = idv_workflow_node(
            workflow, json_string_value(json_array_get(step, 0)));
        int index = node ? (int)(node - workflow->nodes) : IDV_WORKFLOW_NO_NODE;

        if (!node) {
            is_whole = 0;
            continue;
        }
        if (before) {
            json_t *exits = exits_to(workflow, before, index);

            is_whole &= json_array_size(exits) > 0;
            json_object_set_new(last, "exits", exits);
        } else {
            is_whole &= index == workflow->start;
        }
        last = json_pack("{s:s, s:s, s:O, s:[]}", "node", node->id, "type",
                         idv_node_type_value(node->type), "entered_at",
                         json_array_get(step, 1), "exits");
        is_whole &= json_is_integer(json_array_get(step, 1));
        json_array_append_new(nodes, last);
        before = node;
    }
    /* A node of an earlier release continues without recording it. */
    if (session->runner.node
        && (!before || strcmp(before->id, session->runner.node) != 0))
        is_whole = 0;
    return idv_json_own(json_pack("{s:o, s:b}", "nodes", nodes, "is_whole",
                                  is_whole),
                        pool);
}
