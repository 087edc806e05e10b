/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow/workflow_check.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "domain/law/compliance_changes.h"

/* --- the graph --- */

/* How much of a verification a path has surely brought, ascending. */
typedef enum { NOTHING, TRIED, PROVED, UNVISITED } proof_t;

typedef enum { WHITE, GREY, BLACK } colour_t;

typedef struct {
    idv_workflow_t *workflow;
    apr_array_header_t *faults;
    apr_pool_t *pool;
    colour_t colours[IDV_WORKFLOW_NODES_MAX];
    int order[IDV_WORKFLOW_NODES_MAX]; /* of leaving: successors first */
    int left;
    proof_t proofs[IDV_WORKFLOW_NODES_MAX]; /* the least, on entering */
} graph_t;

/* Adds a fault of RULE at NODE, or at its EXIT; IDV_WORKFLOW_NO_NODE: of the
 * graph, IDV_EXIT_COUNT: of no exit. */
static void fault(graph_t *graph, int node, int exit, const char *rule,
                  const char *message)
{
    idv_workflow_fault_t *entry;
    const char *pointer = "/nodes";

    if (graph->faults->nelts >= IDV_WORKFLOW_FAULTS_MAX)
        return;
    if (node != IDV_WORKFLOW_NO_NODE)
        pointer = idv_json_pointer_member(
            pointer, graph->workflow->nodes[node].id, graph->pool);
    if (exit != IDV_EXIT_COUNT)
        pointer = apr_pstrcat(graph->pool, pointer, "/next/",
                              idv_node_exit_value(exit), NULL);
    entry = apr_array_push(graph->faults);
    *entry = (idv_workflow_fault_t){pointer, rule, message, {NULL}};
}

/* Depth first, at most IDV_WORKFLOW_NODES_MAX deep. */
static void visit(graph_t *graph, int index)
{
    const idv_workflow_node_t *node = &graph->workflow->nodes[index];

    graph->colours[index] = GREY;
    for (int i = 0; i < node->methods.count; i++)
        idv_method_list_add(&graph->workflow->methods, node->methods.items[i]);
    for (int exit = 0; exit < IDV_EXIT_COUNT; exit++) {
        int next = node->next[exit];

        if (next == IDV_WORKFLOW_NO_NODE)
            continue;
        if (graph->colours[next] == GREY)
            fault(graph, index, exit, "loop",
                  "Leads back to an earlier node. A workflow must not have "
                  "loops.");
        else if (graph->colours[next] == WHITE)
            visit(graph, next);
    }
    graph->colours[index] = BLACK;
    graph->order[graph->left++] = index;
}

/* The proof that is certain after EXIT of NODE, given PROOF before it. */
static proof_t proof_after(const idv_workflow_node_t *node, int exit,
                           proof_t proof)
{
    int primaries = 0;

    if (exit == IDV_EXIT_APPROVED)
        return proof == NOTHING ? NOTHING : PROVED;
    if (node->type != IDV_NODE_METHODS)
        return proof;
    for (int i = 0; i < node->methods.count; i++)
        primaries +=
            idv_method_kind(node->methods.items[i]) == IDV_METHOD_PRIMARY;
    if (primaries == 0 || proof == PROVED)
        return proof;
    if (exit == IDV_EXIT_PASSED
        && (node->mode == IDV_MODE_ALL_OF || primaries == node->methods.count))
        return PROVED;
    return TRIED;
}

/* Walks the nodes in topological order and keeps, for each, the least that a
 * path to it has brought. */
static void spread_proofs(graph_t *graph)
{
    for (int i = 0; i < graph->workflow->node_count; i++)
        graph->proofs[i] = UNVISITED;
    graph->proofs[graph->workflow->start] = NOTHING;
    for (int i = graph->left - 1; i >= 0; i--) {
        int index = graph->order[i];
        const idv_workflow_node_t *node = &graph->workflow->nodes[index];

        for (int exit = 0; exit < IDV_EXIT_COUNT; exit++) {
            int next = node->next[exit];
            proof_t proof;

            if (next == IDV_WORKFLOW_NO_NODE)
                continue;
            proof = proof_after(node, exit, graph->proofs[index]);
            if (proof < graph->proofs[next])
                graph->proofs[next] = proof;
        }
    }
}

static int has_method(const graph_t *graph, idv_method_kind_t kind)
{
    const idv_method_list_t *methods = &graph->workflow->methods;

    for (int i = 0; i < methods->count; i++)
        if (idv_method_kind(methods->items[i]) == kind)
            return 1;
    return 0;
}

static void check_outcomes(graph_t *graph)
{
    int verifying = 0;

    spread_proofs(graph);
    for (int i = 0; i < graph->workflow->node_count; i++) {
        const idv_workflow_node_t *node = &graph->workflow->nodes[i];

        if (node->type != IDV_NODE_OUTCOME || !node->verified)
            continue;
        verifying++;
        if (graph->proofs[i] >= PROVED)
            continue;
        if (!has_method(graph, IDV_METHOD_PRIMARY)
            && idv_method_list_has(&graph->workflow->methods,
                                   IDV_METHOD_SELF_ATTESTATION))
            fault(graph, i, IDV_EXIT_COUNT, "only_declared",
                  "self_attestation must not be the only path to verified.");
        else
            fault(graph, i, IDV_EXIT_COUNT, "unproved",
                  "Can be reached without a primary method.");
    }
    if (!verifying)
        fault(graph, IDV_WORKFLOW_NO_NODE, IDV_EXIT_COUNT, "nobody_passes",
              "No path leads to an outcome with status verified.");
}

static void check_review(graph_t *graph, int index)
{
    const idv_workflow_node_t *nodes = graph->workflow->nodes;
    const int *next = nodes[index].next;
    const idv_workflow_node_t *approved = &nodes[next[IDV_EXIT_APPROVED]];
    const idv_workflow_node_t *rejected = &nodes[next[IDV_EXIT_REJECTED]];

    if (approved->type == IDV_NODE_OUTCOME && !approved->verified)
        fault(graph, index, IDV_EXIT_APPROVED, "approved_fails",
              "An approved review must not lead to failed.");
    if (rejected->type != IDV_NODE_OUTCOME || rejected->verified)
        fault(graph, index, IDV_EXIT_REJECTED, "rejected_passes",
              "A rejected review must lead to an outcome with status failed.");
}

void idv_workflow_check_graph(idv_workflow_t *workflow,
                              apr_array_header_t *faults, apr_pool_t *pool)
{
    graph_t graph = {.workflow = workflow, .faults = faults, .pool = pool};

    memset(&workflow->methods, 0, sizeof(workflow->methods));
    visit(&graph, workflow->start);
    for (int i = 0; i < workflow->node_count; i++) {
        if (graph.colours[i] == WHITE)
            fault(&graph, i, IDV_EXIT_COUNT, "unreachable",
                  "Cannot be reached from the start.");
        if (workflow->nodes[i].type == IDV_NODE_REVIEW)
            check_review(&graph, i);
    }
    if (faults->nelts == 0)
        check_outcomes(&graph);
}

/* --- warnings --- */

#define SHORT_EXPIRY (300 * IDV_SECOND) /* few persons are done sooner */

static idv_workflow_fault_t *warn(apr_array_header_t *warnings,
                                  const char *pointer, const char *rule,
                                  const char *message)
{
    idv_workflow_fault_t *warning = apr_array_push(warnings);

    *warning = (idv_workflow_fault_t){pointer, rule, message, {NULL}};
    return warning;
}

static void look_at_settings(const idv_workflow_t *workflow,
                             apr_array_header_t *warnings)
{
    if (idv_workflow_allows_type(workflow, IDV_SESSION_TYPE_AGE)
        && workflow->use_case == IDV_USE_CASE_NONE
        && workflow->required_age_tier == IDV_TIER_NONE)
        warn(warnings, "/required_age_tier", "no_age",
             "Neither required_age_tier nor use_case is set. Sessions of type "
             "age require no age, so everybody passes.");
    if (workflow->expires_after < SHORT_EXPIRY)
        warn(warnings, "/expires_after_seconds", "short_expiry",
             "Few people finish within five minutes.");
    if (workflow->on_doubt[IDV_DOUBT_DOCUMENT_REUSED] == IDV_ON_DOUBT_NOTED)
        warn(warnings, "/on_document_reused", "reuse_passes",
             "A person who shows a document that another person has used "
             "passes. Only the results mention it.");
}

/* Non-zero when the checks of NODE decide nothing. */
static int is_indifferent(const idv_workflow_node_t *node)
{
    return node->type == IDV_NODE_CHECKS
        && node->next[IDV_EXIT_LOW] == node->next[IDV_EXIT_MEDIUM]
        && node->next[IDV_EXIT_LOW] == node->next[IDV_EXIT_HIGH];
}

static void look_at_node(const idv_workflow_t *workflow,
                         const idv_workflow_node_t *node,
                         apr_array_header_t *warnings, apr_pool_t *pool)
{
    const char *pointer = idv_json_pointer_member("/nodes", node->id, pool);

    if (is_indifferent(node))
        warn(warnings, apr_pstrcat(pool, pointer, "/next", NULL), "no_effect",
             "All risk levels lead to the same node, so these checks have no "
             "effect.");
    if (node->min_assurance == IDV_ASSURANCE_DECODED
        && (idv_workflow_allows_type(workflow, IDV_SESSION_TYPE_IDENTITY)
            || idv_workflow_allows_type(workflow, IDV_SESSION_TYPE_STUDENT)))
        warn(
            warnings, apr_pstrcat(pool, pointer, "/min_assurance", NULL),
            "more_required",
            "Sessions of type identity and student still require consistent "
            "evidence, because anybody can forge a single unsigned code.");
}

apr_array_header_t *idv_workflow_warnings(const idv_workflow_t *workflow,
                                          apr_pool_t *pool)
{
    apr_array_header_t *warnings =
        apr_array_make(pool, 4, sizeof(idv_workflow_fault_t));

    look_at_settings(workflow, warnings);
    for (int i = 0; i < workflow->node_count; i++)
        look_at_node(workflow, &workflow->nodes[i], warnings, pool);
    return warnings;
}

void idv_workflow_warn_without_mail(const idv_workflow_t *workflow,
                                    apr_array_header_t *warnings)
{
    if (workflow->require_email_otp)
        warn(warnings, "/require_email_otp", "no_mail",
             "The server sends no e-mail (VerifySMTP), so nobody can prove an "
             "address.");
}

#define NAMED_MAX 12 /* jurisdictions that a warning names */

static int is_known(const idv_workflow_t *workflow,
                    const idv_compliance_rules_t *rules,
                    const char *jurisdiction, idv_time_t now, apr_pool_t *pool)
{
    const idv_compliance_question_t question =
        idv_workflow_question(workflow, jurisdiction, now);
    idv_compliance_t law = {0};

    idv_compliance_rules_look_up(rules, &question, &law, pool);
    return law.known;
}

void idv_workflow_warn_of_law(const idv_workflow_t *workflow,
                              const idv_compliance_rules_t *rules,
                              idv_time_t now, apr_array_header_t *warnings)
{
    apr_pool_t *pool = warnings->pool;
    const char *const *places = workflow->jurisdictions;
    int count = workflow->jurisdiction_count, unknown = 0;
    const char *named = "";
    idv_workflow_fault_t *warning;

    if (!rules || workflow->use_case == IDV_USE_CASE_NONE)
        return;
    if (!count) {
        const apr_array_header_t *all =
            idv_compliance_rules_jurisdictions(rules, pool);

        places = (const char *const *)all->elts;
        count = all->nelts;
    }
    for (int i = 0; i < count; i++)
        if (!is_known(workflow, rules, places[i], now, pool)
            && unknown++ < NAMED_MAX)
            named = apr_pstrcat(pool, named, *named ? ", " : "", places[i],
                                NULL);
    if (!unknown)
        return;
    if (unknown > NAMED_MAX)
        named = apr_pstrcat(pool, named, ", …", NULL);
    warning = warn(
        warnings, "/use_case", "law_unknown",
        apr_psprintf(pool,
                     "It is not known whether this is lawful, or from which "
                     "age, in %d jurisdictions: %s. VerifyComplianceUnknown "
                     "decides what happens to their sessions.",
                     unknown, named));
    warning->values[0] = apr_itoa(pool, unknown);
    warning->values[1] = named;
}

static json_t *fault_json(const idv_workflow_fault_t *fault)
{
    json_t *values = json_array();

    for (int i = 0; i < IDV_WORKFLOW_FAULT_VALUES_MAX && fault->values[i]; i++)
        json_array_append_new(values, json_string(fault->values[i]));
    return json_pack("{s:s, s:s, s:s, s:o}", "pointer", fault->pointer, "rule",
                     fault->rule, "message", fault->message, "values", values);
}

json_t *idv_workflow_faults_json(const apr_array_header_t *faults)
{
    json_t *array = json_array();

    for (int i = 0; i < faults->nelts; i++)
        json_array_append_new(
            array, fault_json(&APR_ARRAY_IDX(faults, i, idv_workflow_fault_t)));
    return array;
}
