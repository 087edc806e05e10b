/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow_compile.h"

#include <stdarg.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "core/utf8.h"
#include "domain/jurisdiction.h"
#include "domain/parameters.h"

typedef struct {
    idv_workflow_t *workflow;
    idv_workflow_node_t *nodes;
    json_t *node_definitions; /* the object `nodes`; NULL: unusable */
    const char *start;
    idv_method_set_t runnable;
    apr_array_header_t *faults;
    apr_pool_t *pool;
} compiler_t;

/* One key of an object and what reads it. */
typedef struct {
    const char *key;
    int required;
    void (*read)(compiler_t *, json_t *value, const char *pointer,
                 idv_workflow_node_t *node);
} key_reader_t;

static void fault(compiler_t *compiler, const char *pointer, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

static void fault(compiler_t *compiler, const char *pointer, const char *format,
                  ...)
{
    idv_workflow_fault_t *entry;
    va_list arguments;

    if (compiler->faults->nelts >= IDV_WORKFLOW_FAULTS_MAX)
        return;
    entry = apr_array_push(compiler->faults);
    entry->pointer = pointer;
    va_start(arguments, format);
    entry->message = apr_pvsprintf(compiler->pool, format, arguments);
    va_end(arguments);
}

static const char *below(compiler_t *compiler, const char *pointer,
                         const char *key)
{
    return idv_json_pointer_member(pointer, key, compiler->pool);
}

static const char *element(compiler_t *compiler, const char *pointer,
                           size_t index)
{
    return idv_json_pointer_element(pointer, index, compiler->pool);
}

/* Reads OBJECT by READERS, which end with a NULL key. */
static void read_keys(compiler_t *compiler, json_t *object, const char *pointer,
                      const key_reader_t *readers, idv_workflow_node_t *node)
{
    const key_reader_t *reader;
    const char *key;
    json_t *value;

    json_object_foreach (object, key, value) {
        for (reader = readers; reader->key; reader++)
            if (!strcmp(reader->key, key))
                break;
        if (!reader->key)
            fault(compiler, below(compiler, pointer, key), "Unknown key.");
        else if (reader->read)
            reader->read(compiler, value, below(compiler, pointer, key), node);
    }
    for (reader = readers; reader->key; reader++)
        if (reader->required && !json_object_get(object, reader->key))
            fault(compiler, below(compiler, pointer, reader->key),
                  "Is missing.");
}

static int read_integer(compiler_t *compiler, json_t *value,
                        const char *pointer, int min, int max)
{
    json_int_t number = json_integer_value(value);

    if (json_is_integer(value) && number >= min && number <= max)
        return (int)number;
    fault(compiler, pointer, "Must be a whole number from %d to %d.", min, max);
    return min;
}

static int read_boolean(compiler_t *compiler, json_t *value,
                        const char *pointer)
{
    if (!json_is_boolean(value))
        fault(compiler, pointer, "Must be true or false.");
    return json_is_true(value);
}

/* --- the settings --- */

static void read_name(compiler_t *compiler, json_t *value, const char *pointer,
                      idv_workflow_node_t *node)
{
    const char *name = json_string_value(value);

    (void)node;
    if (!name || !*name || idv_utf8_length(name) > IDV_WORKFLOW_NAME_MAX)
        fault(compiler, pointer, "Must be a string of 1 to %d characters.",
              IDV_WORKFLOW_NAME_MAX);
    else
        compiler->workflow->name = apr_pstrdup(compiler->pool, name);
}

static void read_session_types(compiler_t *compiler, json_t *value,
                               const char *pointer, idv_workflow_node_t *node)
{
    unsigned types = 0;
    json_t *item;
    size_t i;

    (void)node;
    if (!json_is_array(value) || json_array_size(value) == 0) {
        fault(compiler, pointer, "Must be a non-empty array of session types.");
        return;
    }
    json_array_foreach (value, i, item) {
        idv_session_type_t type =
            idv_session_type_parse(json_string_value(item));

        if (type == IDV_SESSION_TYPE_NONE)
            fault(compiler, element(compiler, pointer, i),
                  "Unknown session type; there are identity, age and student.");
        else if (types & 1u << type)
            fault(compiler, element(compiler, pointer, i), "Is listed twice.");
        else
            types |= 1u << type;
    }
    compiler->workflow->session_types = types;
}

static void read_use_case(compiler_t *compiler, json_t *value,
                          const char *pointer, idv_workflow_node_t *node)
{
    (void)node;
    compiler->workflow->use_case = idv_use_case_parse(json_string_value(value));
    if (compiler->workflow->use_case == IDV_USE_CASE_NONE)
        fault(compiler, pointer, "Unknown use case.");
}

static void read_tier(compiler_t *compiler, json_t *value, const char *pointer,
                      idv_workflow_node_t *node)
{
    (void)node;
    compiler->workflow->required_age_tier =
        idv_tier_parse(json_string_value(value));
    if (compiler->workflow->required_age_tier == IDV_TIER_NONE)
        fault(compiler, pointer,
              "Unknown age tier; there are min_age_13, min_age_16, min_age_18 "
              "and min_age_21.");
}

static void read_jurisdictions(compiler_t *compiler, json_t *value,
                               const char *pointer, idv_workflow_node_t *node)
{
    size_t count = json_array_size(value);
    const char **places;
    int used = 0;

    (void)node;
    if (count < 1 || count > IDV_WORKFLOW_JURISDICTIONS_MAX) {
        fault(compiler, pointer,
              "Must be an array of 1 to %d jurisdictions; without it, any.",
              IDV_WORKFLOW_JURISDICTIONS_MAX);
        return;
    }
    places = apr_pcalloc(compiler->pool, count * sizeof(*places));
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(value, i));
        const char *place =
            text ? idv_jurisdiction_normalize(text, compiler->pool) : NULL;
        int twice = 0;

        for (int k = 0; place && k < used; k++)
            twice |= !strcmp(places[k], place);
        if (!place)
            fault(compiler, element(compiler, pointer, i),
                  "Must be an ISO 3166 country, optionally with a region.");
        else if (twice)
            fault(compiler, element(compiler, pointer, i), "Is listed twice.");
        else
            places[used++] = place;
    }
    compiler->workflow->jurisdictions = places;
    compiler->workflow->jurisdiction_count = used;
}

static void read_expiry(compiler_t *compiler, json_t *value,
                        const char *pointer, idv_workflow_node_t *node)
{
    (void)node;
    compiler->workflow->expires_after =
        IDV_SECOND
        * read_integer(compiler, value, pointer, IDV_WORKFLOW_EXPIRY_MIN,
                       IDV_WORKFLOW_EXPIRY_MAX);
}

static void read_email_otp(compiler_t *compiler, json_t *value,
                           const char *pointer, idv_workflow_node_t *node)
{
    (void)node;
    compiler->workflow->require_email_otp =
        read_boolean(compiler, value, pointer);
}

static void read_accept(compiler_t *compiler, json_t *value,
                        const char *pointer, idv_workflow_node_t *node)
{
    (void)node;
    compiler->workflow->accept_trust_reuse =
        read_boolean(compiler, value, pointer);
}

static void read_trust_reuse(compiler_t *compiler, json_t *value,
                             const char *pointer, idv_workflow_node_t *node)
{
    static const key_reader_t keys[] = {{"accept", 0, read_accept}, {0}};

    if (!json_is_object(value))
        fault(compiler, pointer, "Must be an object.");
    else
        read_keys(compiler, value, pointer, keys, node);
}

static void read_same_person(compiler_t *compiler, json_t *value,
                             const char *pointer, idv_workflow_node_t *node)
{
    const char *demand = json_string_value(value);

    (void)node;
    compiler->workflow->same_person_required =
        demand && !strcmp(demand, "required");
    if (!demand || (strcmp(demand, "required") && strcmp(demand, "noted")))
        fault(compiler, pointer, "Must be noted or required.");
}

static void read_vp_token(compiler_t *compiler, json_t *value,
                          const char *pointer, idv_workflow_node_t *node)
{
    static const key_reader_t keys[] = {{"same_person", 0, read_same_person},
                                        {0}};

    if (!json_is_object(value))
        fault(compiler, pointer, "Must be an object.");
    else
        read_keys(compiler, value, pointer, keys, node);
}

/* For whoever reads the definition, which is kept as it was given. */
static void read_description(compiler_t *compiler, json_t *value,
                             const char *pointer, idv_workflow_node_t *node)
{
    const char *text = json_string_value(value);

    (void)node;
    if (!text || idv_utf8_length(text) > IDV_WORKFLOW_DESCRIPTION_MAX)
        fault(compiler, pointer, "Must be a string of at most %d characters.",
              IDV_WORKFLOW_DESCRIPTION_MAX);
}

/* One of the actions from MILDEST on. */
static void read_action(compiler_t *compiler, json_t *value,
                        const char *pointer, idv_method_doubt_t doubt,
                        idv_doubt_action_t mildest)
{
    const char *text = json_string_value(value);

    for (int i = mildest; text && i < IDV_DOUBT_ACTION_COUNT; i++)
        if (!strcmp(idv_doubt_action_value(i), text)) {
            compiler->workflow->on_doubt[doubt] = i;
            return;
        }
    fault(compiler, pointer, "Must be %sreview, requires_input or failed.",
          mildest == IDV_ON_DOUBT_NOTED ? "noted, " : "");
}

static void read_on_undetermined(compiler_t *compiler, json_t *value,
                                 const char *pointer, idv_workflow_node_t *node)
{
    (void)node;
    read_action(compiler, value, pointer, IDV_DOUBT_UNDETERMINED,
                IDV_ON_DOUBT_REVIEW);
}

static void read_on_reused(compiler_t *compiler, json_t *value,
                           const char *pointer, idv_workflow_node_t *node)
{
    (void)node;
    read_action(compiler, value, pointer, IDV_DOUBT_DOCUMENT_REUSED,
                IDV_ON_DOUBT_NOTED);
}

static void read_start(compiler_t *compiler, json_t *value, const char *pointer,
                       idv_workflow_node_t *node)
{
    (void)node;
    compiler->start = json_string_value(value);
    if (!compiler->start)
        fault(compiler, pointer, "Must be the name of a node.");
}

static void note_nodes(compiler_t *compiler, json_t *value, const char *pointer,
                       idv_workflow_node_t *node)
{
    size_t count = json_object_size(value);

    (void)node;
    if (!json_is_object(value) || count < 1 || count > IDV_WORKFLOW_NODES_MAX)
        fault(compiler, pointer, "Must be an object of 1 to %d nodes.",
              IDV_WORKFLOW_NODES_MAX);
    else
        compiler->node_definitions = value;
}

static const key_reader_t setting_keys[] = {
    {"name", 1, read_name},
    {"description", 0, read_description},
    {"session_types", 0, read_session_types},
    {"use_case", 0, read_use_case},
    {"required_age_tier", 0, read_tier},
    {"jurisdictions", 0, read_jurisdictions},
    {"expires_after_seconds", 0, read_expiry},
    {"require_email_otp", 0, read_email_otp},
    {"trust_reuse", 0, read_trust_reuse},
    {"vp_token", 0, read_vp_token},
    {"on_undetermined", 0, read_on_undetermined},
    {"on_document_reused", 0, read_on_reused},
    {"start", 1, read_start},
    {"nodes", 1, note_nodes},
    {0},
};

/* --- the nodes --- */

/* Why METHOD cannot stand in a node of this type; NULL: it can. */
static const char *method_fault(compiler_t *compiler, idv_method_t method,
                                idv_node_type_t type)
{
    idv_method_kind_t kind;

    if (method == IDV_METHOD_NONE)
        return "Unknown method.";
    kind = idv_method_kind(method);
    if (kind == IDV_METHOD_RESERVED)
        return "This method is reserved and not implemented.";
    if (type == IDV_NODE_METHODS && kind == IDV_METHOD_SUPPLEMENTARY)
        return "Passive checks stand in nodes of type checks.";
    if (type == IDV_NODE_CHECKS && kind != IDV_METHOD_SUPPLEMENTARY)
        return "Only passive checks stand in nodes of type checks.";
    if (!(compiler->runnable & IDV_METHOD_BIT(method)))
        return "This method is not implemented yet.";
    return NULL;
}

static void read_methods(compiler_t *compiler, json_t *value,
                         const char *pointer, idv_workflow_node_t *node)
{
    json_t *item;
    size_t i;

    if (!json_is_array(value) || json_array_size(value) == 0) {
        fault(compiler, pointer, "Must be a non-empty array of methods.");
        return;
    }
    json_array_foreach (value, i, item) {
        idv_method_t method = idv_method_parse(json_string_value(item));
        const char *message = method_fault(compiler, method, node->type);

        if (!message && idv_method_list_has(&node->methods, method))
            message = "Is listed twice.";
        if (message)
            fault(compiler, element(compiler, pointer, i), "%s", message);
        else
            idv_method_list_add(&node->methods, method);
    }
}

static void read_mode(compiler_t *compiler, json_t *value, const char *pointer,
                      idv_workflow_node_t *node)
{
    const char *mode = json_string_value(value);

    if (mode && !strcmp(mode, "all_of"))
        node->mode = IDV_MODE_ALL_OF;
    else if (!mode || strcmp(mode, "any_of"))
        fault(compiler, pointer, "Must be any_of or all_of.");
}

static void read_attempts(compiler_t *compiler, json_t *value,
                          const char *pointer, idv_workflow_node_t *node)
{
    node->max_attempts =
        read_integer(compiler, value, pointer, 1, IDV_WORKFLOW_ATTEMPTS_MAX);
}

static void read_assurance(compiler_t *compiler, json_t *value,
                           const char *pointer, idv_workflow_node_t *node)
{
    node->min_assurance = idv_assurance_parse(json_string_value(value));
    if (!node->min_assurance)
        fault(compiler, pointer,
              "Must be decoded, consistent, signed or signed_and_present.");
}

static void read_timeout(compiler_t *compiler, json_t *value,
                         const char *pointer, idv_workflow_node_t *node)
{
    double hours = json_number_value(value);

    if (hours * IDV_HOUR >= IDV_SECOND
        && hours <= IDV_WORKFLOW_REVIEW_HOURS_MAX)
        node->review_timeout = (idv_time_t)(hours * IDV_HOUR);
    else
        fault(compiler, pointer,
              "Must be a number of hours, a second at least and %d at most.",
              IDV_WORKFLOW_REVIEW_HOURS_MAX);
}

static void read_status(compiler_t *compiler, json_t *value,
                        const char *pointer, idv_workflow_node_t *node)
{
    const char *status = json_string_value(value);

    node->verified = status && !strcmp(status, "verified");
    if (!status || (!node->verified && strcmp(status, "failed")))
        fault(compiler, pointer, "Must be verified or failed.");
}

static void link_exit(compiler_t *compiler, json_t *target, const char *pointer,
                      idv_workflow_node_t *node, idv_node_exit_t exit)
{
    const char *id = json_string_value(target);
    const idv_workflow_node_t *next = idv_workflow_node(compiler->workflow, id);

    if (next)
        node->next[exit] = (int)(next - compiler->nodes);
    else
        fault(compiler, pointer, "Must be the name of a node.");
}

static void read_next(compiler_t *compiler, json_t *value, const char *pointer,
                      idv_workflow_node_t *node)
{
    const char *key;
    json_t *target;

    if (!json_is_object(value)) {
        fault(compiler, pointer, "Must be an object.");
        return;
    }
    json_object_foreach (value, key, target) {
        int exit = 0;

        while (exit < IDV_EXIT_COUNT
               && (idv_node_exit_owner(exit) != node->type
                   || strcmp(idv_node_exit_value(exit), key)))
            exit++;
        if (exit == IDV_EXIT_COUNT)
            fault(compiler, below(compiler, pointer, key),
                  "A node of this type has no such exit.");
        else
            link_exit(compiler, target, below(compiler, pointer, key), node,
                      exit);
    }
    for (int exit = 0; exit < IDV_EXIT_COUNT; exit++)
        if (idv_node_exit_owner(exit) == node->type
            && !json_object_get(value, idv_node_exit_value(exit)))
            fault(compiler, below(compiler, pointer, idv_node_exit_value(exit)),
                  "Is missing: every exit needs a next node.");
}

static const key_reader_t checks_keys[] = {
    {"type", 1, NULL},
    {"checks", 1, read_methods},
    {"next", 1, read_next},
    {0},
};

static const key_reader_t review_keys[] = {
    {"type", 1, NULL},
    {"timeout_hours", 0, read_timeout},
    {"next", 1, read_next},
    {0},
};

static const key_reader_t methods_keys[] = {
    {"type", 1, NULL},
    {"mode", 0, read_mode},
    {"methods", 1, read_methods},
    {"max_attempts", 0, read_attempts},
    {"min_assurance", 0, read_assurance},
    {"next", 1, read_next},
    {0},
};

static const key_reader_t outcome_keys[] = {
    {"type", 1, NULL},
    {"status", 1, read_status},
    {0},
};

static const key_reader_t *const node_keys[IDV_NODE_TYPE_COUNT] = {
    [IDV_NODE_CHECKS] = checks_keys,
    [IDV_NODE_REVIEW] = review_keys,
    [IDV_NODE_METHODS] = methods_keys,
    [IDV_NODE_OUTCOME] = outcome_keys,
};

/* Nobody is sent to a method that cannot pass: of a node with alternatives each
 * primary method has to reach the assurance that the node demands, of a node
 * that needs all its methods one of them. */
static void check_reach(compiler_t *compiler, const char *pointer,
                        const idv_workflow_node_t *node)
{
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
        if (primaries++ == 0
            || (node->mode == IDV_MODE_ALL_OF ? reach > reached
                                              : reach < reached)) {
            reached = reach;
            decisive = method;
        }
    }
    pointer = below(compiler, pointer, "min_assurance");
    if (node->methods.count > 0 && primaries == 0)
        fault(compiler, pointer, "Is for nodes with a primary method.");
    else if (primaries > 0 && reached < node->min_assurance)
        fault(compiler, pointer,
              "Cannot be reached: %s brings %s at most.",
              idv_method_value(decisive), idv_assurance_value(reached));
}

static void compile_node(compiler_t *compiler, json_t *definition,
                         const char *pointer, idv_workflow_node_t *node)
{
    const char *type = json_string_value(json_object_get(definition, "type"));
    int kind = 0;

    if (!json_is_object(definition)) {
        fault(compiler, pointer, "Must be an object.");
        return;
    }
    while (type && kind < IDV_NODE_TYPE_COUNT
           && strcmp(idv_node_type_value(kind), type))
        kind++;
    if (!type || kind == IDV_NODE_TYPE_COUNT) {
        fault(compiler, below(compiler, pointer, "type"),
              "Must be checks, review, methods or outcome.");
        return;
    }
    node->type = kind;
    node->max_attempts = IDV_WORKFLOW_ATTEMPTS_DEFAULT;
    node->review_timeout = IDV_HOUR * IDV_WORKFLOW_REVIEW_HOURS_DEFAULT;
    read_keys(compiler, definition, pointer, node_keys[kind], node);
    check_reach(compiler, pointer, node);
}

static void compile_nodes(compiler_t *compiler)
{
    idv_workflow_t *workflow = compiler->workflow;
    json_t *definitions = compiler->node_definitions, *definition;
    const idv_workflow_node_t *start;
    const char *id;
    int index = 0;

    compiler->nodes =
        apr_pcalloc(compiler->pool,
                    json_object_size(definitions) * sizeof(*compiler->nodes));
    json_object_foreach (definitions, id, definition) {
        idv_workflow_node_t *node = &compiler->nodes[index++];

        node->id = apr_pstrdup(compiler->pool, id);
        for (int exit = 0; exit < IDV_EXIT_COUNT; exit++)
            node->next[exit] = IDV_WORKFLOW_NO_NODE;
        if (!*id || idv_utf8_length(id) > IDV_WORKFLOW_NODE_ID_MAX)
            fault(compiler, "/nodes",
                  "Names of nodes must have 1 to %d characters.",
                  IDV_WORKFLOW_NODE_ID_MAX);
    }
    workflow->nodes = compiler->nodes;
    workflow->node_count = index;
    index = 0;
    json_object_foreach (definitions, id, definition)
        compile_node(compiler, definition, below(compiler, "/nodes", id),
                     &compiler->nodes[index++]);
    start = idv_workflow_node(workflow, compiler->start);
    if (start)
        workflow->start = (int)(start - compiler->nodes);
    else if (compiler->start)
        fault(compiler, "/start", "Must be the name of a node.");
}

void idv_workflow_compile(const json_t *definition, idv_method_set_t runnable,
                          idv_workflow_t **workflow,
                          apr_array_header_t **faults, apr_pool_t *pool)
{
    compiler_t compiler = {
        .workflow = apr_pcalloc(pool, sizeof(idv_workflow_t)),
        .runnable = runnable,
        .faults = apr_array_make(pool, 4, sizeof(idv_workflow_fault_t)),
        .pool = pool,
    };

    *workflow = NULL;
    *faults = compiler.faults;
    compiler.workflow->session_types = (1u << IDV_SESSION_TYPE_COUNT) - 1;
    compiler.workflow->expires_after = IDV_SECOND * IDV_WORKFLOW_EXPIRY_DEFAULT;
    for (int i = 0; i < IDV_DOUBT_COUNT; i++)
        compiler.workflow->on_doubt[i] = IDV_ON_DOUBT_REVIEW;
    if (!json_is_object(definition)) {
        fault(&compiler, "", "Must be an object.");
        return;
    }
    read_keys(&compiler, (json_t *)definition, "", setting_keys, NULL);
    if (compiler.node_definitions)
        compile_nodes(&compiler);
    if (compiler.faults->nelts == 0)
        idv_workflow_check_graph(compiler.workflow, compiler.faults, pool);
    if (compiler.faults->nelts == 0)
        *workflow = compiler.workflow;
}
