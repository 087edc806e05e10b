/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow/workflow_paths.h"

#include <string.h>

#include <apr_strings.h>

/* Results for the paths from the start to a node (weakest) and from it to the
 * ends (the others). */
typedef struct {
    int is_reached;
    idv_path_evidence_t least; /* that a way to it has brought */
    int came_from;             /* node before it on that way */
    int came_by;               /* and its exit */
    double count, verifying;   /* ways from here */
    int length;                /* nodes of the longest from here, this one too */
    int longest_by;            /* exit of that one */
} ways_t;

typedef struct {
    const idv_workflow_paths_question_t *question;
    const idv_workflow_t *workflow;
    ways_t nodes[IDV_WORKFLOW_NODES_MAX];
    int order[IDV_WORKFLOW_NODES_MAX]; /* of leaving: successors first */
    int left;
    idv_path_step_t steps[IDV_WORKFLOW_NODES_MAX]; /* of the way being walked */
    apr_array_header_t *paths;
    apr_pool_t *pool;
} walk_t;

static int is_allowed(const walk_t *walk, idv_method_t method)
{
    const idv_compliance_t *law = walk->question->law;

    return !law || idv_compliance_allows(law, method);
}

/* Whether METHOD can bring what NODE demands. */
static int is_enough(const walk_t *walk, const idv_workflow_node_t *node,
                     idv_method_t method)
{
    return idv_method_kind(method) != IDV_METHOD_PRIMARY
        || idv_method_reach(method)
               >= idv_workflow_node_demand(node, walk->question->type);
}

static int can_use(const walk_t *walk, const idv_workflow_node_t *node,
                   idv_method_t method)
{
    return is_allowed(walk, method) && is_enough(walk, node, method);
}

/* Whether a node of methods can be passed: by any of them, or by all. */
static int can_pass(const walk_t *walk, const idv_workflow_node_t *node)
{
    int usable = 0;

    for (int i = 0; i < node->methods.count; i++)
        usable += can_use(walk, node, node->methods.items[i]);
    return node->mode == IDV_MODE_ALL_OF ? usable == node->methods.count
                                         : usable > 0;
}

static int leads_on(const walk_t *walk, const idv_workflow_node_t *node,
                    int exit)
{
    return node->next[exit] != IDV_WORKFLOW_NO_NODE
        && (exit != IDV_EXIT_PASSED || can_pass(walk, node));
}

/* --- evidence --- */

static int is_less(const idv_path_evidence_t *one,
                   const idv_path_evidence_t *other)
{
    return one->assurance != other->assurance
             ? one->assurance < other->assurance
             : one->strength < other->strength;
}

static idv_path_evidence_t evidence_of(const walk_t *walk,
                                       const idv_workflow_node_t *node,
                                       idv_method_t method)
{
    return (idv_path_evidence_t){
        .assurance = idv_method_kind(method) == IDV_METHOD_PRIMARY
                       ? idv_workflow_node_demand(node, walk->question->type)
                       : IDV_ASSURANCE_NONE,
        .strength = idv_method_strength(method),
        .method = method,
    };
}

/* The evidence guaranteed by passing NODE: the least of its methods if one
 * suffices, the best if all are required. */
static idv_path_evidence_t evidence_of_node(const walk_t *walk,
                                            const idv_workflow_node_t *node)
{
    idv_path_evidence_t found = {.method = IDV_METHOD_NONE};

    for (int i = 0; i < node->methods.count; i++) {
        idv_path_evidence_t one =
            evidence_of(walk, node, node->methods.items[i]);
        int is_wanted = node->mode == IDV_MODE_ALL_OF ? is_less(&found, &one)
                                                      : is_less(&one, &found);

        if (can_use(walk, node, one.method)
            && (found.method == IDV_METHOD_NONE || is_wanted))
            found = one;
    }
    return found;
}

/* The evidence of a way that had BEFORE and leaves NODE by EXIT. */
static idv_path_evidence_t evidence_after(const walk_t *walk,
                                          const idv_workflow_node_t *node,
                                          int exit, idv_path_evidence_t before)
{
    idv_path_evidence_t found;

    if (exit != IDV_EXIT_PASSED)
        return before;
    found = evidence_of_node(walk, node);
    return is_less(&before, &found) ? found : before;
}

/* --- along the graph --- */

static void visit(walk_t *walk, int index)
{
    const idv_workflow_node_t *node = &walk->workflow->nodes[index];
    ways_t *ways = &walk->nodes[index];

    ways->is_reached = 1;
    ways->length = 1;
    ways->longest_by = IDV_EXIT_COUNT;
    ways->came_from = IDV_WORKFLOW_NO_NODE;
    if (node->type == IDV_NODE_OUTCOME) {
        ways->count = 1;
        ways->verifying = node->verified;
    }
    for (int exit = 0; exit < IDV_EXIT_COUNT; exit++) {
        const ways_t *next;

        if (!leads_on(walk, node, exit))
            continue;
        if (!walk->nodes[node->next[exit]].is_reached)
            visit(walk, node->next[exit]);
        next = &walk->nodes[node->next[exit]];
        ways->count += next->count;
        ways->verifying += next->verifying;
        if (next->length >= ways->length) {
            ways->length = next->length + 1;
            ways->longest_by = exit;
        }
    }
    walk->order[walk->left++] = index;
}

/* The least evidence with which each node is reached, in topological order: a
 * way is as good as the best that it brings, so the least of two ways to a node
 * stays the least of them behind it. */
static void spread_evidence(walk_t *walk)
{
    const idv_workflow_t *workflow = walk->workflow;

    walk->nodes[workflow->start].least.method = IDV_METHOD_NONE;
    for (int i = walk->left - 1; i >= 0; i--) {
        int index = walk->order[i];
        const idv_workflow_node_t *node = &workflow->nodes[index];

        for (int exit = 0; exit < IDV_EXIT_COUNT; exit++) {
            idv_path_evidence_t found;
            ways_t *next;

            if (!leads_on(walk, node, exit))
                continue;
            next = &walk->nodes[node->next[exit]];
            found = evidence_after(walk, node, exit, walk->nodes[index].least);
            if (next->came_from != IDV_WORKFLOW_NO_NODE
                && !is_less(&found, &next->least))
                continue;
            next->least = found;
            next->came_from = index;
            next->came_by = exit;
        }
    }
}

/* --- ways --- */

static idv_workflow_path_t make_path(const walk_t *walk,
                                     const idv_path_step_t *steps, int count)
{
    idv_path_evidence_t evidence = {.method = IDV_METHOD_NONE};

    for (int i = 0; i < count; i++)
        evidence =
            evidence_after(walk, steps[i].node, steps[i].exit, evidence);
    return (idv_workflow_path_t){
        .verified = steps[count - 1].node->verified,
        .step_count = count,
        .steps = apr_pmemdup(walk->pool, steps,
                             (apr_size_t)count * sizeof(*steps)),
        .evidence = evidence,
    };
}

/* Lists the paths that continue from the node INDEX at depth DEPTH. */
static void list_ways(walk_t *walk, int index, int depth)
{
    const idv_workflow_node_t *node = &walk->workflow->nodes[index];

    if (walk->paths->nelts >= IDV_WORKFLOW_PATHS_MAX)
        return;
    walk->steps[depth] = (idv_path_step_t){node, IDV_EXIT_COUNT};
    if (node->type == IDV_NODE_OUTCOME)
        APR_ARRAY_PUSH(walk->paths, idv_workflow_path_t) =
            make_path(walk, walk->steps, depth + 1);
    for (int exit = 0; exit < IDV_EXIT_COUNT; exit++) {
        if (!leads_on(walk, node, exit))
            continue;
        walk->steps[depth].exit = exit;
        list_ways(walk, node->next[exit], depth + 1);
    }
}

static const idv_workflow_path_t *keep(const walk_t *walk,
                                       const idv_path_step_t *steps, int count)
{
    idv_workflow_path_t path = make_path(walk, steps, count);

    return apr_pmemdup(walk->pool, &path, sizeof(path));
}

static const idv_workflow_path_t *longest_way(const walk_t *walk)
{
    idv_path_step_t steps[IDV_WORKFLOW_NODES_MAX];
    int index = walk->workflow->start, count = 0;

    for (;;) {
        const idv_workflow_node_t *node = &walk->workflow->nodes[index];
        int exit = walk->nodes[index].longest_by;

        steps[count++] = (idv_path_step_t){node, exit};
        if (exit == IDV_EXIT_COUNT)
            return keep(walk, steps, count);
        index = node->next[exit];
    }
}

/* The way back from INDEX, an outcome, by the least evidence. */
static const idv_workflow_path_t *weakest_way_to(const walk_t *walk, int index)
{
    idv_path_step_t steps[IDV_WORKFLOW_NODES_MAX];
    int first = IDV_WORKFLOW_NODES_MAX, exit = IDV_EXIT_COUNT;

    while (index != IDV_WORKFLOW_NO_NODE) {
        steps[--first] =
            (idv_path_step_t){&walk->workflow->nodes[index], exit};
        exit = walk->nodes[index].came_by;
        index = walk->nodes[index].came_from;
    }
    return keep(walk, steps + first, IDV_WORKFLOW_NODES_MAX - first);
}

static const idv_workflow_path_t *weakest_way(const walk_t *walk)
{
    const idv_workflow_t *workflow = walk->workflow;
    int least = IDV_WORKFLOW_NO_NODE;

    for (int i = 0; i < workflow->node_count; i++)
        if (workflow->nodes[i].type == IDV_NODE_OUTCOME
            && workflow->nodes[i].verified && walk->nodes[i].is_reached
            && (least == IDV_WORKFLOW_NO_NODE
                || is_less(&walk->nodes[i].least, &walk->nodes[least].least)))
            least = i;
    return least == IDV_WORKFLOW_NO_NODE ? NULL : weakest_way_to(walk, least);
}

static apr_array_header_t *dead_ends(const walk_t *walk)
{
    apr_array_header_t *found =
        apr_array_make(walk->pool, 4, sizeof(const idv_workflow_node_t *));

    for (int i = 0; i < walk->workflow->node_count; i++) {
        const idv_workflow_node_t *node = &walk->workflow->nodes[i];

        if (node->type == IDV_NODE_METHODS && walk->nodes[i].is_reached
            && !can_pass(walk, node))
            APR_ARRAY_PUSH(found, const idv_workflow_node_t *) = node;
    }
    return found;
}

void idv_workflow_paths(const idv_workflow_paths_question_t *question,
                        idv_workflow_paths_t *paths, apr_pool_t *pool)
{
    walk_t *walk = apr_pcalloc(pool, sizeof(*walk));
    int start = question->workflow->start;

    walk->question = question;
    walk->workflow = question->workflow;
    walk->pool = pool;
    walk->paths = apr_array_make(pool, 16, sizeof(idv_workflow_path_t));
    visit(walk, start);
    spread_evidence(walk);
    list_ways(walk, start, 0);
    *paths = (idv_workflow_paths_t){
        .count = walk->nodes[start].count,
        .verifying = walk->nodes[start].verifying,
        .paths = (const idv_workflow_path_t *)walk->paths->elts,
        .path_count = walk->paths->nelts,
        .weakest = weakest_way(walk),
        .longest = longest_way(walk),
        .dead_ends = dead_ends(walk),
    };
}

/* --- JSON --- */

/* Up to here doubles count exactly. */
#define COUNT_MAX 9007199254740992.0

static json_t *count_json(double count)
{
    return json_integer((json_int_t)(count < COUNT_MAX ? count : COUNT_MAX));
}

static json_t *evidence_json(const idv_path_evidence_t *evidence)
{
    return json_pack("{s:s?, s:s?, s:s?}", "assurance",
                     idv_assurance_value(evidence->assurance), "method",
                     idv_method_value(evidence->method), "strength",
                     idv_strength_value(evidence->strength));
}

static json_t *path_json(const idv_workflow_path_t *path)
{
    json_t *steps = json_array();

    if (!path) {
        json_decref(steps);
        return json_null();
    }
    for (int i = 0; i < path->step_count; i++)
        json_array_append_new(
            steps,
            json_pack("{s:s, s:s, s:s?}", "node", path->steps[i].node->id,
                      "type", idv_node_type_value(path->steps[i].node->type),
                      "exit",
                      path->steps[i].exit == IDV_EXIT_COUNT
                          ? NULL
                          : idv_node_exit_value(
                                (idv_node_exit_t)path->steps[i].exit)));
    return json_pack("{s:s, s:o, s:o}", "status",
                     path->verified ? "verified" : "failed", "evidence",
                     evidence_json(&path->evidence), "steps", steps);
}

json_t *idv_workflow_paths_json(const idv_workflow_paths_question_t *question,
                                const idv_workflow_paths_t *paths)
{
    json_t *list = json_array(), *ends = json_array();

    for (int i = 0; i < paths->path_count; i++)
        json_array_append_new(list, path_json(&paths->paths[i]));
    for (int i = 0; i < paths->dead_ends->nelts; i++)
        json_array_append_new(
            ends, json_string(APR_ARRAY_IDX(paths->dead_ends, i,
                                            const idv_workflow_node_t *)
                                  ->id));
    return json_pack(
        "{s:s, s:s?, s:s?, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "object",
        "workflow_paths", "type", idv_session_type_value(question->type),
        "jurisdiction", question->jurisdiction, "prohibited",
        question->law && question->law->prohibited, "count",
        count_json(paths->count), "verifying", count_json(paths->verifying),
        "weakest", path_json(paths->weakest), "longest",
        path_json(paths->longest), "dead_ends", ends, "paths", list,
        "truncated", paths->count > paths->path_count);
}
