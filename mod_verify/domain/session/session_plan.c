/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_plan.h"

#include "core/json.h"
#include "domain/session/session_way.h"

typedef enum { PRESENT, AHEAD } place_t;

static void put_step(idv_json_writer_t *writer,
                     const idv_method_list_t *methods, int is_done)
{
    idv_json_open_object(writer, NULL);
    idv_method_list_write(writer, "methods", methods);
    idv_json_put_boolean(writer, "done", is_done);
    idv_json_close_object(writer);
}

/* The steps of a node: each a choice of methods of which one is enough. */
typedef struct {
    int count;
    idv_method_list_t items[IDV_METHOD_COUNT];
} steps_t;

/* The steps of NODE by the methods that the session may be proved by; none when
 * those are not enough for it. */
static steps_t steps_of(const idv_session_t *session,
                        const idv_workflow_node_t *node)
{
    static const steps_t none;
    steps_t steps = {0};

    if (node->type != IDV_NODE_METHODS)
        return none;
    for (int i = 0; i < node->methods.count; i++) {
        idv_method_t method = node->methods.items[i];

        if (!idv_method_list_has(&session->methods, method)) {
            if (node->mode == IDV_MODE_ALL_OF)
                return none;
            continue;
        }
        if (node->mode == IDV_MODE_ALL_OF || !steps.count)
            steps.count++;
        idv_method_list_add(&steps.items[steps.count - 1], method);
    }
    return steps;
}

/* NODE is ahead of the session, or its current node. */
static void put_node(idv_json_writer_t *writer, const idv_session_t *session,
                     const idv_workflow_node_t *node, place_t place)
{
    steps_t steps = steps_of(session, node);

    for (int i = 0; i < steps.count; i++)
        put_step(writer, &steps.items[i],
                 place == PRESENT && node->mode == IDV_MODE_ALL_OF
                     && idv_method_list_has(&session->runner.passed,
                                            steps.items[i].items[0]));
}

/* NODE was left for the node NEXT, and LEFT is its entry of the way. It is put if
 * it was passed, and of a choice what was. */
static void put_gone_node(idv_json_writer_t *writer,
                          const idv_session_t *session,
                          const idv_workflow_node_t *node, int next,
                          const json_t *left)
{
    idv_method_list_t passed = idv_session_way_passed(left);
    steps_t steps = steps_of(session, node);
    int is_passed = passed.count > 0
                 || (node->next[IDV_EXIT_PASSED] == next
                     && node->next[IDV_EXIT_EXHAUSTED] != next);

    for (int i = 0; i < steps.count && is_passed; i++)
        put_step(writer,
                 node->mode == IDV_MODE_ANY_OF && passed.count
                     ? &passed
                     : &steps.items[i],
                 1);
}

/* Where a session continues from NODE if all goes well. */
static int onward(const idv_session_t *session,
                  const idv_workflow_node_t *node)
{
    static const idv_node_exit_t hoped[IDV_NODE_TYPE_COUNT] = {
        [IDV_NODE_CHECKS] = IDV_EXIT_LOW,
        [IDV_NODE_REVIEW] = IDV_EXIT_APPROVED,
        [IDV_NODE_METHODS] = IDV_EXIT_PASSED,
    };
    if (node->type == IDV_NODE_OUTCOME)
        return IDV_WORKFLOW_NO_NODE;
    if (node->type == IDV_NODE_METHODS && !steps_of(session, node).count)
        return node->next[IDV_EXIT_EXHAUSTED];
    return node->next[hoped[node->type]];
}

/* The completed steps, up to the session's current node. */
static void put_gone(idv_json_writer_t *writer, const idv_session_t *session,
                     const idv_workflow_t *workflow)
{
    json_t *way = session->runner.way
                    ? json_loads(session->runner.way, 0, NULL)
                    : NULL;

    for (size_t i = 0; i + 1 < json_array_size(way); i++) {
        const json_t *left = json_array_get(way, i);
        const json_t *entered = json_array_get(way, i + 1);
        const idv_workflow_node_t *node, *next;

        node = idv_workflow_node(workflow,
                                 json_string_value(json_array_get(left, 0)));
        next = idv_workflow_node(workflow,
                                 json_string_value(json_array_get(entered, 0)));
        if (node && next && node->type == IDV_NODE_METHODS)
            put_gone_node(writer, session, node,
                          (int)(next - workflow->nodes), left);
    }
    json_decref(way);
}

void idv_session_plan_write(idv_json_writer_t *writer, const char *key,
                            const idv_session_t *session,
                            const idv_workflow_t *workflow, int with_proof)
{
    const idv_workflow_node_t *here =
        idv_workflow_node(workflow, session->runner.node);
    int index = here ? (int)(here - workflow->nodes) : workflow->start;
    place_t place = here ? PRESENT : AHEAD;

    idv_json_open_array(writer, key);
    if (with_proof) {
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
