/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow/workflow_nodes.h"

#include <string.h>

#include <apr_strings.h>

#include "core/utf8.h"

/* Why a node cannot contain METHOD, by rule and message; NULL: it can. */
static const char *method_fault(const idv_workflow_node_t *node,
                                idv_method_t method, const char **message)
{
    idv_method_kind_t kind;

    *message = "Unknown method.";
    if (method == IDV_METHOD_NONE)
        return "unknown_method";
    kind = idv_method_kind(method);
    *message = "This method is reserved and not implemented.";
    if (kind == IDV_METHOD_RESERVED)
        return "reserved_method";
    *message = "A passive check must be in a node of type checks.";
    if (node->type == IDV_NODE_METHODS && kind == IDV_METHOD_SUPPLEMENTARY)
        return "check_among_methods";
    *message = "A node of type checks can only have passive checks.";
    if (node->type == IDV_NODE_CHECKS && kind != IDV_METHOD_SUPPLEMENTARY)
        return "method_among_checks";
    *message = "Is listed twice.";
    return idv_method_list_has(&node->methods, method) ? "twice" : NULL;
}

static void read_methods(const idv_definition_place_t *at)
{
    if (!json_is_array(at->value) || json_array_size(at->value) == 0) {
        idv_definition_fault(at, "no_methods",
                             "Must be a non-empty array of methods.");
        return;
    }
    for (size_t i = 0; i < json_array_size(at->value); i++) {
        idv_definition_place_t here = idv_definition_element(at, i);
        idv_method_t method = idv_method_parse(json_string_value(here.value));
        const char *message;
        const char *rule = method_fault(at->node, method, &message);

        if (rule)
            idv_definition_fault(&here, rule, "%s", message);
        else
            idv_method_list_add(&at->node->methods, method);
    }
}

static void read_mode(const idv_definition_place_t *at)
{
    at->node->mode = idv_definition_either(at, "any_of", "all_of")
                       ? IDV_MODE_ALL_OF
                       : IDV_MODE_ANY_OF;
}

static void read_attempts(const idv_definition_place_t *at)
{
    at->node->max_attempts =
        idv_definition_integer(at, 1, IDV_WORKFLOW_ATTEMPTS_MAX);
}

static void read_unreadable(const idv_definition_place_t *at)
{
    at->node->max_unreadable =
        idv_definition_integer(at, 1, IDV_WORKFLOW_UNREADABLE_MAX);
}

static void read_assurance(const idv_definition_place_t *at)
{
    at->node->min_assurance = idv_assurance_parse(json_string_value(at->value));
    if (!at->node->min_assurance)
        idv_definition_fault(
            at, "unknown_assurance",
            "Must be decoded, consistent, signed or signed_and_present.");
}

static void read_genuine_chip(const idv_definition_place_t *at)
{
    at->node->require_genuine_chip = idv_definition_boolean(at);
}

static void read_unknown_revocation(const idv_definition_place_t *at)
{
    at->node->accept_unknown_revocation = idv_definition_boolean(at);
}

static void read_timeout(const idv_definition_place_t *at)
{
    double hours = json_number_value(at->value);

    if (hours * IDV_HOUR >= IDV_SECOND
        && hours <= IDV_WORKFLOW_REVIEW_HOURS_MAX)
        at->node->review_timeout = (idv_time_t)(hours * IDV_HOUR);
    else
        idv_definition_fault(
            at, "hours",
            "Must be a number of hours from one second to %d hours.",
            IDV_WORKFLOW_REVIEW_HOURS_MAX);
}

static void read_status(const idv_definition_place_t *at)
{
    at->node->verified = !idv_definition_either(at, "verified", "failed");
}

static void link_exit(const idv_definition_place_t *at, idv_node_exit_t exit)
{
    const idv_workflow_compiler_t *compiler = at->compiler;
    const idv_workflow_node_t *next =
        idv_workflow_node(compiler->workflow, json_string_value(at->value));

    if (next)
        at->node->next[exit] = (int)(next - compiler->nodes);
    else
        idv_definition_fault(at, "unknown_step", "Must be the name of a node.");
}

static void read_next(const idv_definition_place_t *at)
{
    const char *key;
    json_t *target;

    if (!json_is_object(at->value)) {
        idv_definition_fault(at, "object", "Must be an object.");
        return;
    }
    json_object_foreach (at->value, key, target) {
        idv_definition_place_t here = idv_definition_member(at, key);
        int exit = 0;

        while (exit < IDV_EXIT_COUNT
               && (idv_node_exit_owner(exit) != at->node->type
                   || strcmp(idv_node_exit_value(exit), key)))
            exit++;
        if (exit == IDV_EXIT_COUNT)
            idv_definition_fault(
                &here, "unknown_exit",
                "A node of this type does not have this exit.");
        else
            link_exit(&here, exit);
    }
    for (int exit = 0; exit < IDV_EXIT_COUNT; exit++) {
        idv_definition_place_t here =
            idv_definition_member(at, idv_node_exit_value(exit));

        if (idv_node_exit_owner(exit) == at->node->type && !here.value)
            idv_definition_fault(&here, "open_exit",
                                 "Is required: every exit needs a next node.");
    }
}

static const idv_definition_key_t checks_keys[] = {
    {"type", 1, NULL},
    {"checks", 1, read_methods},
    {"next", 1, read_next},
    {0},
};

static const idv_definition_key_t review_keys[] = {
    {"type", 1, NULL},
    {"timeout_hours", 0, read_timeout},
    {"next", 1, read_next},
    {0},
};

static const idv_definition_key_t methods_keys[] = {
    {"type", 1, NULL},
    {"mode", 0, read_mode},
    {"methods", 1, read_methods},
    {"max_attempts", 0, read_attempts},
    {"max_unreadable", 0, read_unreadable},
    {"min_assurance", 0, read_assurance},
    {"require_genuine_chip", 0, read_genuine_chip},
    {"accept_unknown_revocation", 0, read_unknown_revocation},
    {"next", 1, read_next},
    {0},
};

static const idv_definition_key_t outcome_keys[] = {
    {"type", 1, NULL},
    {"status", 1, read_status},
    {0},
};

static const idv_definition_key_t *const node_keys[IDV_NODE_TYPE_COUNT] = {
    [IDV_NODE_CHECKS] = checks_keys,
    [IDV_NODE_REVIEW] = review_keys,
    [IDV_NODE_METHODS] = methods_keys,
    [IDV_NODE_OUTCOME] = outcome_keys,
};

/* Whether a match has to be passed at NODE, which makes signed evidence of
 * somebody who is there. */
static int needs_match(const idv_workflow_node_t *node)
{
    return idv_method_list_has(&node->methods, IDV_METHOD_SELFIE_MATCH)
        && (node->mode == IDV_MODE_ALL_OF || node->methods.count == 1);
}

/* Nobody is sent to a method that cannot pass: of a node with alternatives each
 * primary method has to reach the assurance that the node demands, of a node
 * that needs all its methods one of them. Without any, a node may demand that
 * a match be one with a signed portrait. */
static void check_reach(const idv_definition_place_t *at)
{
    idv_definition_place_t here = idv_definition_member(at, "min_assurance");
    const idv_workflow_node_t *node = at->node;
    idv_assurance_t reached = IDV_ASSURANCE_NONE;
    idv_method_t decisive = IDV_METHOD_NONE;
    int primaries = 0;

    if (!node->min_assurance)
        return;
    for (int i = 0; i < node->methods.count; i++) {
        idv_method_t method = node->methods.items[i];
        idv_assurance_t reach = idv_method_reach(method);

        if (idv_method_kind(method) != IDV_METHOD_PRIMARY)
            continue;
        if (reach == IDV_ASSURANCE_SIGNED && needs_match(node))
            reach = IDV_ASSURANCE_SIGNED_AND_PRESENT;
        if (primaries++ == 0
            || (node->mode == IDV_MODE_ALL_OF ? reach > reached
                                              : reach < reached)) {
            reached = reach;
            decisive = method;
        }
    }
    if (node->methods.count > 0 && primaries == 0
        && !(needs_match(node)
             && node->min_assurance == IDV_ASSURANCE_SIGNED_AND_PRESENT))
        idv_definition_fault(
            &here, "assurance_without_primary",
            "Is only for nodes with a primary method. Nodes that "
            "require selfie_match can also have signed_and_present.");
    else if (primaries > 0 && reached < node->min_assurance)
        idv_definition_fault(&here, "assurance_beyond_reach",
                             "Cannot be reached: %s gives at most %s.",
                             idv_method_value(decisive),
                             idv_assurance_value(reached));
}

/* Refuses settings for chips in a node that requests none. */
static void check_chip_keys(const idv_definition_place_t *at)
{
    static const char *const keys[] = {"require_genuine_chip",
                                       "accept_unknown_revocation"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        idv_definition_place_t here = idv_definition_member(at, keys[i]);

        if (here.value && at->node->type == IDV_NODE_METHODS
            && !idv_method_list_has(&at->node->methods,
                                    IDV_METHOD_NFC_PASSPORT))
            idv_definition_fault(&here, "chip_only",
                                 "Is only for nodes with nfc_passport.");
    }
}

static void compile_node(const idv_definition_place_t *at)
{
    idv_definition_place_t at_type = idv_definition_member(at, "type");
    const char *type = json_string_value(at_type.value);
    int kind = 0;

    if (!json_is_object(at->value)) {
        idv_definition_fault(at, "object", "Must be an object.");
        return;
    }
    while (type && kind < IDV_NODE_TYPE_COUNT
           && strcmp(idv_node_type_value(kind), type))
        kind++;
    if (!type || kind == IDV_NODE_TYPE_COUNT) {
        idv_definition_fault(&at_type, "unknown_step_type",
                             "Must be checks, review, methods or outcome.");
        return;
    }
    at->node->type = kind;
    at->node->max_attempts = IDV_WORKFLOW_ATTEMPTS_DEFAULT;
    at->node->max_unreadable = IDV_WORKFLOW_UNREADABLE_DEFAULT;
    at->node->review_timeout = IDV_HOUR * IDV_WORKFLOW_REVIEW_HOURS_DEFAULT;
    idv_definition_read_keys(at, node_keys[kind]);
    check_reach(at);
    check_chip_keys(at);
}

/* Gives every node its name, by which the exits of others are linked. */
static void name_nodes(const idv_definition_place_t *at)
{
    idv_workflow_compiler_t *compiler = at->compiler;
    json_t *definition;
    const char *id;
    int index = 0;

    compiler->nodes = apr_pcalloc(
        compiler->pool, json_object_size(at->value) * sizeof(*compiler->nodes));
    json_object_foreach (at->value, id, definition) {
        idv_workflow_node_t *node = &compiler->nodes[index++];

        node->id = apr_pstrdup(compiler->pool, id);
        for (int exit = 0; exit < IDV_EXIT_COUNT; exit++)
            node->next[exit] = IDV_WORKFLOW_NO_NODE;
        if (!*id || idv_utf8_length(id) > IDV_WORKFLOW_NODE_ID_MAX)
            idv_definition_fault(
                at, "step_name",
                "The name of a node must have 1 to %d characters.",
                IDV_WORKFLOW_NODE_ID_MAX);
    }
    compiler->workflow->nodes = compiler->nodes;
    compiler->workflow->node_count = index;
}

void idv_workflow_compile_nodes(const idv_definition_place_t *document)
{
    idv_definition_place_t at = idv_definition_member(document, "nodes");
    idv_workflow_compiler_t *compiler = at.compiler;
    const idv_workflow_node_t *start;
    json_t *definition;
    const char *id;
    int index = 0;

    name_nodes(&at);
    json_object_foreach (at.value, id, definition) {
        idv_definition_place_t here = idv_definition_member(&at, id);

        here.node = &compiler->nodes[index++];
        compile_node(&here);
    }
    start = idv_workflow_node(compiler->workflow, compiler->start);
    if (start) {
        compiler->workflow->start = (int)(start - compiler->nodes);
    } else if (compiler->start) {
        idv_definition_place_t here = idv_definition_member(document, "start");

        idv_definition_fault(&here, "unknown_step",
                             "Must be the name of a node.");
    }
}
