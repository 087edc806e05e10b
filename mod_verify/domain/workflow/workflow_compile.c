/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow/workflow_compile.h"

#include <stdarg.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "core/utf8.h"
#include "domain/request/parameters.h"
#include "domain/value/jurisdiction.h"

typedef struct {
    idv_workflow_t *workflow;
    idv_workflow_node_t *nodes;
    int has_nodes; /* flag: the object `nodes` can be read */
    const char *start;
    apr_array_header_t *faults;
    apr_pool_t *pool;
} compiler_t;

/* A value of the definition, and where it stands. */
typedef struct {
    compiler_t *compiler;
    json_t *value;
    const char *pointer;       /* RFC 6901 */
    idv_workflow_node_t *node; /* that it is of; NULL: it is a setting */
} place_t;

/* One key of an object and what reads its value; NULL: it was read before. */
typedef struct {
    const char *key;
    int required;
    void (*read)(const place_t *at);
} key_reader_t;

static void fault(const place_t *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fault(const place_t *at, const char *format, ...)
{
    apr_array_header_t *faults = at->compiler->faults;
    idv_workflow_fault_t *entry;
    va_list arguments;

    if (faults->nelts >= IDV_WORKFLOW_FAULTS_MAX)
        return;
    entry = apr_array_push(faults);
    entry->pointer = at->pointer;
    va_start(arguments, format);
    entry->message = apr_pvsprintf(at->compiler->pool, format, arguments);
    va_end(arguments);
}

/* The place of the member KEY of the object at AT, also when there is none. */
static place_t member(const place_t *at, const char *key)
{
    return (place_t){
        at->compiler, json_object_get(at->value, key),
        idv_json_pointer_member(at->pointer, key, at->compiler->pool),
        at->node};
}

/* The place of the element INDEX of the array at AT. */
static place_t element(const place_t *at, size_t index)
{
    return (place_t){
        at->compiler, json_array_get(at->value, index),
        idv_json_pointer_element(at->pointer, index, at->compiler->pool),
        at->node};
}

static const key_reader_t *reader_of(const key_reader_t *readers,
                                     const char *key)
{
    while (readers->key && strcmp(readers->key, key))
        readers++;
    return readers;
}

/* Reads the object at AT by READERS, which end with a NULL key. */
static void read_keys(const place_t *at, const key_reader_t *readers)
{
    const char *key;
    json_t *value;

    json_object_foreach (at->value, key, value) {
        const key_reader_t *reader = reader_of(readers, key);
        place_t here = member(at, key);

        if (!reader->key)
            fault(&here, "Unknown key.");
        else if (reader->read)
            reader->read(&here);
    }
    for (; readers->key; readers++) {
        place_t here = member(at, readers->key);

        if (readers->required && !here.value)
            fault(&here, "Is missing.");
    }
}

/* The same for a value that may be no object. */
static void read_object(const place_t *at, const key_reader_t *readers)
{
    if (json_is_object(at->value))
        read_keys(at, readers);
    else
        fault(at, "Must be an object.");
}

static int read_integer(const place_t *at, int min, int max)
{
    json_int_t number = json_integer_value(at->value);

    if (json_is_integer(at->value) && number >= min && number <= max)
        return (int)number;
    fault(at, "Must be a whole number from %d to %d.", min, max);
    return min;
}

static int read_boolean(const place_t *at)
{
    if (!json_is_boolean(at->value))
        fault(at, "Must be true or false.");
    return json_is_true(at->value);
}

/* Zero for the text ONE, which a faulty value counts as, non-zero for OTHER. */
static int read_either(const place_t *at, const char *one, const char *other)
{
    const char *text = json_string_value(at->value);

    if (text && !strcmp(text, other))
        return 1;
    if (!text || strcmp(text, one))
        fault(at, "Must be %s or %s.", one, other);
    return 0;
}

/* --- the settings --- */

static void read_name(const place_t *at)
{
    const char *name = json_string_value(at->value);

    if (!name || !*name || idv_utf8_length(name) > IDV_WORKFLOW_NAME_MAX)
        fault(at, "Must be a string of 1 to %d characters.",
              IDV_WORKFLOW_NAME_MAX);
    else
        at->compiler->workflow->name = apr_pstrdup(at->compiler->pool, name);
}

static void read_session_types(const place_t *at)
{
    unsigned types = 0;

    if (!json_is_array(at->value) || json_array_size(at->value) == 0) {
        fault(at, "Must be a non-empty array of session types.");
        return;
    }
    for (size_t i = 0; i < json_array_size(at->value); i++) {
        place_t here = element(at, i);
        idv_session_type_t type =
            idv_session_type_parse(json_string_value(here.value));

        if (type == IDV_SESSION_TYPE_NONE)
            fault(&here,
                  "Unknown session type. Use identity, age or student.");
        else if (types & 1u << type)
            fault(&here, "Is listed twice.");
        else
            types |= 1u << type;
    }
    at->compiler->workflow->session_types = types;
}

static void read_use_case(const place_t *at)
{
    at->compiler->workflow->use_case =
        idv_use_case_parse(json_string_value(at->value));
    if (at->compiler->workflow->use_case == IDV_USE_CASE_NONE)
        fault(at, "Unknown use case.");
}

static void read_article(const place_t *at)
{
    at->compiler->workflow->article =
        idv_article_parse(json_string_value(at->value));
    if (at->compiler->workflow->article == IDV_ARTICLE_NONE)
        fault(at, "Unknown article.");
}

static void check_article(const place_t *document)
{
    const idv_workflow_t *workflow = document->compiler->workflow;
    place_t at = member(document, "article");

    if (!idv_article_belongs(workflow->article, workflow->use_case))
        fault(&at, "Is not an article of the use case.");
}

static void read_channel(const place_t *at)
{
    const char *name = json_string_value(at->value);

    at->compiler->workflow->channel = idv_channel_parse(name);
    if (!name
        || strcmp(idv_channel_value(at->compiler->workflow->channel), name))
        fault(at, "Pass in_person or remote.");
}

static void check_channel(const place_t *document)
{
    const idv_workflow_t *workflow = document->compiler->workflow;
    place_t at = member(document, "channel");

    if (!idv_channel_belongs(workflow->channel, workflow->use_case))
        fault(&at, "This use case has no channels.");
}

static void read_tier(const place_t *at)
{
    at->compiler->workflow->required_age_tier =
        idv_tier_parse(json_string_value(at->value));
    if (at->compiler->workflow->required_age_tier == IDV_TIER_NONE)
        fault(at,
              "Unknown age tier. Use min_age_13, min_age_16, min_age_18 or "
              "min_age_21.");
}

static void read_jurisdictions(const place_t *at)
{
    size_t count = json_array_size(at->value);
    const char **places;
    int used = 0;

    if (count < 1 || count > IDV_WORKFLOW_JURISDICTIONS_MAX) {
        fault(at, "Must be an array of 1 to %d jurisdictions. Omit it for all "
                  "jurisdictions.",
              IDV_WORKFLOW_JURISDICTIONS_MAX);
        return;
    }
    places = apr_pcalloc(at->compiler->pool, count * sizeof(*places));
    for (size_t i = 0; i < count; i++) {
        place_t here = element(at, i);
        const char *text = json_string_value(here.value);
        const char *place =
            text ? idv_jurisdiction_normalize(text, at->compiler->pool) : NULL;
        int twice = 0;

        for (int k = 0; place && k < used; k++)
            twice |= !strcmp(places[k], place);
        if (!place)
            fault(&here,
                  "Must be an ISO 3166 country, optionally with a region.");
        else if (twice)
            fault(&here, "Is listed twice.");
        else
            places[used++] = place;
    }
    at->compiler->workflow->jurisdictions = places;
    at->compiler->workflow->jurisdiction_count = used;
}

static void read_expiry(const place_t *at)
{
    at->compiler->workflow->expires_after =
        IDV_SECOND
        * read_integer(at, IDV_WORKFLOW_EXPIRY_MIN, IDV_WORKFLOW_EXPIRY_MAX);
}

static void read_email_otp(const place_t *at)
{
    at->compiler->workflow->require_email_otp = read_boolean(at);
}

static void read_ask_birth_date(const place_t *at)
{
    at->compiler->workflow->avoids_birth_date = !read_boolean(at);
}

static void read_accept(const place_t *at)
{
    at->compiler->workflow->accept_trust_reuse = read_boolean(at);
}

static void read_trust_reuse(const place_t *at)
{
    static const key_reader_t keys[] = {{"accept", 0, read_accept}, {0}};

    read_object(at, keys);
}

static void read_same_person(const place_t *at)
{
    at->compiler->workflow->same_person_required =
        read_either(at, "noted", "required");
}

static void read_vp_token(const place_t *at)
{
    static const key_reader_t keys[] = {{"same_person", 0, read_same_person},
                                        {0}};

    read_object(at, keys);
}

/* The description is for readers of the definition, which is stored
 * unchanged. */
static void read_description(const place_t *at)
{
    const char *text = json_string_value(at->value);

    if (!text || idv_utf8_length(text) > IDV_WORKFLOW_DESCRIPTION_MAX)
        fault(at, "Must be a string of at most %d characters.",
              IDV_WORKFLOW_DESCRIPTION_MAX);
}

/* Reads the action for DOUBT, which has to be MILDEST or a stricter one. */
static void read_action(const place_t *at, idv_method_doubt_t doubt,
                        idv_doubt_action_t mildest)
{
    const char *text = json_string_value(at->value);

    for (int i = mildest; text && i < IDV_DOUBT_ACTION_COUNT; i++)
        if (!strcmp(idv_doubt_action_value(i), text)) {
            at->compiler->workflow->on_doubt[doubt] = i;
            return;
        }
    fault(at, "Must be %sreview, requires_input or failed.",
          mildest == IDV_ON_DOUBT_NOTED ? "noted, " : "");
}

static void read_on_undetermined(const place_t *at)
{
    read_action(at, IDV_DOUBT_UNDETERMINED, IDV_ON_DOUBT_REVIEW);
}

static void read_on_unreadable(const place_t *at)
{
    read_action(at, IDV_DOUBT_UNREADABLE, IDV_ON_DOUBT_REVIEW);
}

/* Nobody is a forger by how an issuer writes, so that nothing harder follows. */
static void read_on_nonconforming(const place_t *at)
{
    const char *text = json_string_value(at->value);
    int is_pass = text && strcmp(text, "pass") == 0;

    if (!is_pass && (!text || strcmp(text, "review") != 0))
        fault(at, "Must be pass or review.");
    else if (is_pass)
        at->compiler->workflow->on_doubt[IDV_DOUBT_NONCONFORMING] =
            IDV_ON_DOUBT_NOTED;
}

static void read_on_reused(const place_t *at)
{
    read_action(at, IDV_DOUBT_DOCUMENT_REUSED, IDV_ON_DOUBT_NOTED);
}

static void read_statements(const place_t *at)
{
    place_t here = *at;
    const char *pointer;
    const char *message =
        idv_statements_read(at->value, &at->compiler->workflow->statements,
                            &pointer, at->compiler->pool);

    here.pointer = apr_pstrcat(at->compiler->pool, at->pointer, pointer, NULL);
    if (message)
        fault(&here, "%s", message);
}

/* Wherever the workflow runs, there is something to declare. */
static void check_statements(const place_t *document)
{
    const idv_workflow_t *workflow = document->compiler->workflow;
    place_t at = member(document, "statements");

    if (!idv_method_list_has(&workflow->methods, IDV_METHOD_SELF_ATTESTATION))
        return;
    for (int i = 0; i < workflow->jurisdiction_count; i++)
        if (!idv_statement_for(&workflow->statements,
                               workflow->jurisdictions[i]))
            fault(&at, "No statement is for %s.", workflow->jurisdictions[i]);
    if (!workflow->jurisdiction_count
        && !idv_statement_for(&workflow->statements, NULL))
        fault(&at, "The workflow is for all jurisdictions, so one statement "
                   "must be, too.");
}

static void read_start(const place_t *at)
{
    at->compiler->start = json_string_value(at->value);
    if (!at->compiler->start)
        fault(at, "Must be the name of a node.");
}

static void note_nodes(const place_t *at)
{
    size_t count = json_object_size(at->value);

    if (!json_is_object(at->value) || count < 1
        || count > IDV_WORKFLOW_NODES_MAX)
        fault(at, "Must be an object of 1 to %d nodes.",
              IDV_WORKFLOW_NODES_MAX);
    else
        at->compiler->has_nodes = 1;
}

static const key_reader_t setting_keys[] = {
    {"name", 1, read_name},
    {"description", 0, read_description},
    {"session_types", 0, read_session_types},
    {"use_case", 0, read_use_case},
    {"article", 0, read_article},
    {"channel", 0, read_channel},
    {"required_age_tier", 0, read_tier},
    {"jurisdictions", 0, read_jurisdictions},
    {"expires_after_seconds", 0, read_expiry},
    {"require_email_otp", 0, read_email_otp},
    {"ask_birth_date", 0, read_ask_birth_date},
    {"trust_reuse", 0, read_trust_reuse},
    {"vp_token", 0, read_vp_token},
    {"on_undetermined", 0, read_on_undetermined},
    {"on_unreadable", 0, read_on_unreadable},
    {"on_document_reused", 0, read_on_reused},
    {"on_nonconforming", 0, read_on_nonconforming},
    {"statements", 0, read_statements},
    {"start", 1, read_start},
    {"nodes", 1, note_nodes},
    {0},
};

/* --- the nodes --- */

/* Why a node of this type cannot contain METHOD; NULL: it can. */
static const char *method_fault(idv_method_t method, idv_node_type_t type)
{
    idv_method_kind_t kind;

    if (method == IDV_METHOD_NONE)
        return "Unknown method.";
    kind = idv_method_kind(method);
    if (kind == IDV_METHOD_RESERVED)
        return "This method is reserved and not implemented.";
    if (type == IDV_NODE_METHODS && kind == IDV_METHOD_SUPPLEMENTARY)
        return "A passive check must be in a node of type checks.";
    if (type == IDV_NODE_CHECKS && kind != IDV_METHOD_SUPPLEMENTARY)
        return "A node of type checks can only have passive checks.";
    return NULL;
}

static void read_methods(const place_t *at)
{
    if (!json_is_array(at->value) || json_array_size(at->value) == 0) {
        fault(at, "Must be a non-empty array of methods.");
        return;
    }
    for (size_t i = 0; i < json_array_size(at->value); i++) {
        place_t here = element(at, i);
        idv_method_t method = idv_method_parse(json_string_value(here.value));
        const char *message = method_fault(method, at->node->type);

        if (!message && idv_method_list_has(&at->node->methods, method))
            message = "Is listed twice.";
        if (message)
            fault(&here, "%s", message);
        else
            idv_method_list_add(&at->node->methods, method);
    }
}

static void read_mode(const place_t *at)
{
    at->node->mode =
        read_either(at, "any_of", "all_of") ? IDV_MODE_ALL_OF : IDV_MODE_ANY_OF;
}

static void read_attempts(const place_t *at)
{
    at->node->max_attempts = read_integer(at, 1, IDV_WORKFLOW_ATTEMPTS_MAX);
}

static void read_unreadable(const place_t *at)
{
    at->node->max_unreadable = read_integer(at, 1, IDV_WORKFLOW_UNREADABLE_MAX);
}

static void read_assurance(const place_t *at)
{
    at->node->min_assurance = idv_assurance_parse(json_string_value(at->value));
    if (!at->node->min_assurance)
        fault(at, "Must be decoded, consistent, signed or signed_and_present.");
}

static void read_genuine_chip(const place_t *at)
{
    at->node->require_genuine_chip = read_boolean(at);
}

static void read_unknown_revocation(const place_t *at)
{
    at->node->accept_unknown_revocation = read_boolean(at);
}

static void read_timeout(const place_t *at)
{
    double hours = json_number_value(at->value);

    if (hours * IDV_HOUR >= IDV_SECOND
        && hours <= IDV_WORKFLOW_REVIEW_HOURS_MAX)
        at->node->review_timeout = (idv_time_t)(hours * IDV_HOUR);
    else
        fault(at,
              "Must be a number of hours from one second to %d hours.",
              IDV_WORKFLOW_REVIEW_HOURS_MAX);
}

static void read_status(const place_t *at)
{
    at->node->verified = !read_either(at, "verified", "failed");
}

static void link_exit(const place_t *at, idv_node_exit_t exit)
{
    const compiler_t *compiler = at->compiler;
    const idv_workflow_node_t *next =
        idv_workflow_node(compiler->workflow, json_string_value(at->value));

    if (next)
        at->node->next[exit] = (int)(next - compiler->nodes);
    else
        fault(at, "Must be the name of a node.");
}

static void read_next(const place_t *at)
{
    const char *key;
    json_t *target;

    if (!json_is_object(at->value)) {
        fault(at, "Must be an object.");
        return;
    }
    json_object_foreach (at->value, key, target) {
        place_t here = member(at, key);
        int exit = 0;

        while (exit < IDV_EXIT_COUNT
               && (idv_node_exit_owner(exit) != at->node->type
                   || strcmp(idv_node_exit_value(exit), key)))
            exit++;
        if (exit == IDV_EXIT_COUNT)
            fault(&here, "A node of this type does not have this exit.");
        else
            link_exit(&here, exit);
    }
    for (int exit = 0; exit < IDV_EXIT_COUNT; exit++) {
        place_t here = member(at, idv_node_exit_value(exit));

        if (idv_node_exit_owner(exit) == at->node->type && !here.value)
            fault(&here, "Is required: every exit needs a next node.");
    }
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
    {"max_unreadable", 0, read_unreadable},
    {"min_assurance", 0, read_assurance},
    {"require_genuine_chip", 0, read_genuine_chip},
    {"accept_unknown_revocation", 0, read_unknown_revocation},
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
static void check_reach(const place_t *at)
{
    place_t here = member(at, "min_assurance");
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
        fault(&here, "Is only for nodes with a primary method. Nodes that "
                     "require selfie_match can also have signed_and_present.");
    else if (primaries > 0 && reached < node->min_assurance)
        fault(&here, "Cannot be reached: %s gives at most %s.",
              idv_method_value(decisive), idv_assurance_value(reached));
}

/* Refuses settings for chips in a node that requests none. */
static void check_chip_keys(const place_t *at)
{
    static const char *const keys[] = {"require_genuine_chip",
                                       "accept_unknown_revocation"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        place_t here = member(at, keys[i]);

        if (here.value && at->node->type == IDV_NODE_METHODS
            && !idv_method_list_has(&at->node->methods,
                                    IDV_METHOD_NFC_PASSPORT))
            fault(&here, "Is only for nodes with nfc_passport.");
    }
}

static void compile_node(const place_t *at)
{
    place_t at_type = member(at, "type");
    const char *type = json_string_value(at_type.value);
    int kind = 0;

    if (!json_is_object(at->value)) {
        fault(at, "Must be an object.");
        return;
    }
    while (type && kind < IDV_NODE_TYPE_COUNT
           && strcmp(idv_node_type_value(kind), type))
        kind++;
    if (!type || kind == IDV_NODE_TYPE_COUNT) {
        fault(&at_type, "Must be checks, review, methods or outcome.");
        return;
    }
    at->node->type = kind;
    at->node->max_attempts = IDV_WORKFLOW_ATTEMPTS_DEFAULT;
    at->node->max_unreadable = IDV_WORKFLOW_UNREADABLE_DEFAULT;
    at->node->review_timeout = IDV_HOUR * IDV_WORKFLOW_REVIEW_HOURS_DEFAULT;
    read_keys(at, node_keys[kind]);
    check_reach(at);
    check_chip_keys(at);
}

/* Gives every node its name, by which the exits of others are linked. */
static void name_nodes(const place_t *at)
{
    compiler_t *compiler = at->compiler;
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
            fault(at, "The name of a node must have 1 to %d characters.",
                  IDV_WORKFLOW_NODE_ID_MAX);
    }
    compiler->workflow->nodes = compiler->nodes;
    compiler->workflow->node_count = index;
}

static void compile_nodes(const place_t *document)
{
    place_t at = member(document, "nodes");
    compiler_t *compiler = at.compiler;
    const idv_workflow_node_t *start;
    json_t *definition;
    const char *id;
    int index = 0;

    name_nodes(&at);
    json_object_foreach (at.value, id, definition) {
        place_t here = member(&at, id);

        here.node = &compiler->nodes[index++];
        compile_node(&here);
    }
    start = idv_workflow_node(compiler->workflow, compiler->start);
    if (start) {
        compiler->workflow->start = (int)(start - compiler->nodes);
    } else if (compiler->start) {
        place_t here = member(document, "start");

        fault(&here, "Must be the name of a node.");
    }
}

void idv_workflow_compile(const json_t *definition, idv_workflow_t **workflow,
                          apr_array_header_t **faults, apr_pool_t *pool)
{
    compiler_t compiler = {
        .workflow = apr_pcalloc(pool, sizeof(idv_workflow_t)),
        .faults = apr_array_make(pool, 4, sizeof(idv_workflow_fault_t)),
        .pool = pool,
    };
    const place_t document = {&compiler, (json_t *)definition, "", NULL};

    *workflow = NULL;
    *faults = compiler.faults;
    compiler.workflow->session_types = (1u << IDV_SESSION_TYPE_COUNT) - 1;
    compiler.workflow->expires_after = IDV_SECOND * IDV_WORKFLOW_EXPIRY_DEFAULT;
    for (int i = 0; i < IDV_DOUBT_COUNT; i++)
        compiler.workflow->on_doubt[i] = IDV_ON_DOUBT_REVIEW;
    if (!json_is_object(definition)) {
        fault(&document, "Must be an object.");
        return;
    }
    read_keys(&document, setting_keys);
    check_article(&document);
    check_channel(&document);
    if (compiler.has_nodes)
        compile_nodes(&document);
    if (compiler.faults->nelts == 0)
        idv_workflow_check_graph(compiler.workflow, compiler.faults, pool);
    if (compiler.faults->nelts == 0)
        check_statements(&document);
    if (compiler.faults->nelts == 0)
        *workflow = compiler.workflow;
}
