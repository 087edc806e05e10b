/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session_plan.h"

#include <string.h>

#include "core/json.h"

typedef enum { GONE, PRESENT, AHEAD } place_t;

static void put_step(idv_json_writer_t *writer,
                     const idv_method_list_t *methods, int is_done)
{
    idv_json_open_object(writer, NULL);
    idv_method_list_write(writer, "methods", methods);
    idv_json_put_boolean(writer, "done", is_done);
    idv_json_close_object(writer);
}

/* Those methods of NODE that the session may be proved by; non-zero when they are
 * enough for it. */
static int find_possible(const idv_session_t *session,
                         const idv_workflow_node_t *node,
                         idv_method_list_t *possible)
{
    *possible = (idv_method_list_t){0};
    for (int i = 0; i < node->methods.count; i++)
        if (idv_method_list_has(&session->methods, node->methods.items[i]))
            idv_method_list_add(possible, node->methods.items[i]);
    return node->mode == IDV_MODE_ALL_OF
             ? possible->count == node->methods.count
             : possible->count > 0;
}

/* Leaves of METHODS the one that was passed, if the results still have it. */
static void keep_passed(const idv_session_t *session,
                        idv_method_list_t *methods)
{
    json_t *results =
        session->results ? json_loads(session->results, 0, NULL) : NULL;
    const json_t *result;
    size_t i;

    json_array_foreach (results, i, result) {
        const char *name =
            json_string_value(json_object_get(result, "method"));
        const char *status =
            json_string_value(json_object_get(result, "status"));
        idv_method_t method = name ? idv_method_parse(name) : IDV_METHOD_NONE;

        if (method == IDV_METHOD_NONE || !status || strcmp(status, "passed")
            || !idv_method_list_has(methods, method))
            continue;
        *methods = (idv_method_list_t){0};
        idv_method_list_add(methods, method);
        break;
    }
    json_decref(results);
}

static void put_node(idv_json_writer_t *writer, const idv_session_t *session,
                     const idv_workflow_node_t *node, place_t place)
{
    idv_method_list_t possible;

    if (node->type != IDV_NODE_METHODS
        || !find_possible(session, node, &possible))
        return;
    if (node->mode == IDV_MODE_ANY_OF) {
        if (place == GONE)
            keep_passed(session, &possible);
        put_step(writer, &possible, place == GONE);
        return;
    }
    for (int i = 0; i < possible.count; i++) {
        idv_method_list_t one = {0};

        idv_method_list_add(&one, possible.items[i]);
        put_step(writer, &one,
                 place == GONE
                     || (place == PRESENT
                         && idv_method_list_has(&session->runner.passed,
                                                possible.items[i])));
    }
}

/* Where a session goes on from NODE when all goes well. */
static int onward(const idv_session_t *session,
                  const idv_workflow_node_t *node)
{
    static const idv_node_exit_t hoped[IDV_NODE_TYPE_COUNT] = {
        [IDV_NODE_CHECKS] = IDV_EXIT_LOW,
        [IDV_NODE_REVIEW] = IDV_EXIT_APPROVED,
        [IDV_NODE_METHODS] = IDV_EXIT_PASSED,
    };
    idv_method_list_t possible;

    if (node->type == IDV_NODE_OUTCOME)
        return IDV_WORKFLOW_NO_NODE;
    if (node->type == IDV_NODE_METHODS
        && !find_possible(session, node, &possible))
        return node->next[IDV_EXIT_EXHAUSTED];
    return node->next[hoped[node->type]];
}

/* The steps that were gone, up to the node that the session stands at. */
static void put_gone(idv_json_writer_t *writer, const idv_session_t *session,
                     const idv_workflow_t *workflow)
{
    json_t *way = session->runner.way
                    ? json_loads(session->runner.way, 0, NULL)
                    : NULL;

    for (size_t i = 0; i + 1 < json_array_size(way); i++) {
        const idv_workflow_node_t *node, *next;

        node = idv_workflow_node(
            workflow,
            json_string_value(json_array_get(json_array_get(way, i), 0)));
        next = idv_workflow_node(
            workflow,
            json_string_value(json_array_get(json_array_get(way, i + 1), 0)));
        if (node && next && node->type == IDV_NODE_METHODS
            && node->next[IDV_EXIT_PASSED] == (int)(next - workflow->nodes))
            put_node(writer, session, node, GONE);
    }
    json_decref(way);
}

void idv_session_plan_write(idv_json_writer_t *writer, const char *key,
                            const idv_session_t *session,
                            const idv_workflow_t *workflow)
{
    const idv_workflow_node_t *here =
        idv_workflow_node(workflow, session->runner.node);
    int index = here ? (int)(here - workflow->nodes) : workflow->start;
    place_t place = here ? PRESENT : AHEAD;

    idv_json_open_array(writer, key);
    if (session->require_email_otp) {
        idv_json_open_object(writer, NULL);
        idv_json_open_array(writer, "methods");
        idv_json_put_text(writer, NULL, "email_otp");
        idv_json_close_array(writer);
        idv_json_put_boolean(writer, "done", session->email_otp_proven != 0);
        idv_json_close_object(writer);
    }
    put_gone(writer, session, workflow);
    /* ends, as a compiled graph has no loops */
    for (; index != IDV_WORKFLOW_NO_NODE; place = AHEAD) {
        put_node(writer, session, &workflow->nodes[index], place);
        index = onward(session, &workflow->nodes[index]);
    }
    idv_json_close_array(writer);
}
