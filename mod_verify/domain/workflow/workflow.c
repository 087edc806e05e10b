/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow/workflow.h"

#include <string.h>

#include <apr_strings.h>

#include "core/word_list.h"
#include "domain/value/jurisdiction.h"

/* Rises when the compiled form gains what may not be passed over. Form 2 has
 * the demands on evidence and the actions on doubts; in form 1 they are the
 * defaults. */
#define COMPILED_FORMAT 2

static const char *const node_types[IDV_NODE_TYPE_COUNT] = {
#define X(name, value) [IDV_NODE_##name] = value,
    IDV_NODE_TYPES(X)
#undef X
};

static const char *const exits[IDV_EXIT_COUNT] = {
#define X(name, value, node) [IDV_EXIT_##name] = value,
    IDV_NODE_EXITS(X)
#undef X
};

static const idv_node_type_t exit_owners[IDV_EXIT_COUNT] = {
#define X(name, value, node) [IDV_EXIT_##name] = IDV_NODE_##node,
    IDV_NODE_EXITS(X)
#undef X
};

static const struct {
    const char *setting;
    idv_doubt_action_t by_default;
} doubts[IDV_DOUBT_COUNT] = {
#define X(name, setting, reason)                                               \
    [IDV_DOUBT_##name] = {setting, IDV_ON_DOUBT_REVIEW},
    IDV_METHOD_DOUBTS(X)
#undef X
};

static const char *const actions[IDV_DOUBT_ACTION_COUNT] = {
#define X(name, value) [IDV_ON_DOUBT_##name] = value,
    IDV_DOUBT_ACTIONS(X)
#undef X
};

const char *idv_node_type_value(idv_node_type_t type)
{
    return node_types[type];
}

const char *idv_node_exit_value(idv_node_exit_t exit)
{
    return exits[exit];
}

const char *idv_doubt_action_value(idv_doubt_action_t action)
{
    return actions[action];
}

idv_node_type_t idv_node_exit_owner(idv_node_exit_t exit)
{
    return exit_owners[exit];
}

const idv_workflow_node_t *idv_workflow_node(const idv_workflow_t *workflow,
                                             const char *id)
{
    for (int i = 0; id && i < workflow->node_count; i++)
        if (!strcmp(workflow->nodes[i].id, id))
            return &workflow->nodes[i];
    return NULL;
}

int idv_workflow_allows_type(const idv_workflow_t *workflow,
                             idv_session_type_t type)
{
    return type != IDV_SESSION_TYPE_NONE
        && (workflow->session_types & 1u << type) != 0;
}

int idv_workflow_targets(const idv_workflow_t *workflow,
                         const char *jurisdiction)
{
    for (int i = 0; i < workflow->jurisdiction_count; i++)
        if (idv_jurisdiction_covers(workflow->jurisdictions[i], jurisdiction))
            return 1;
    return workflow->jurisdiction_count == 0;
}

idv_assurance_t idv_session_type_demand(idv_session_type_t type)
{
    return type == IDV_SESSION_TYPE_AGE ? IDV_ASSURANCE_DECODED
                                        : IDV_ASSURANCE_CONSISTENT;
}

static int has_primary(const idv_workflow_node_t *node)
{
    for (int i = 0; i < node->methods.count; i++)
        if (idv_method_kind(node->methods.items[i]) == IDV_METHOD_PRIMARY)
            return 1;
    return 0;
}

idv_assurance_t idv_workflow_node_demand(const idv_workflow_node_t *node,
                                         idv_session_type_t type)
{
    idv_assurance_t least = idv_session_type_demand(type);

    if (node->type != IDV_NODE_METHODS)
        return IDV_ASSURANCE_NONE;
    return has_primary(node) && node->min_assurance < least
             ? least
             : node->min_assurance;
}

idv_assurance_t idv_workflow_demand(const idv_workflow_t *workflow,
                                    idv_session_type_t type)
{
    idv_assurance_t highest = IDV_ASSURANCE_NONE;

    for (int i = 0; i < workflow->node_count; i++) {
        idv_assurance_t one =
            idv_workflow_node_demand(&workflow->nodes[i], type);

        if (one > highest)
            highest = one;
    }
    return highest;
}

idv_compliance_question_t
idv_workflow_question(const idv_workflow_t *workflow, const char *jurisdiction,
                      idv_time_t now)
{
    return (idv_compliance_question_t){
        .jurisdiction = jurisdiction,
        .use_case = workflow->use_case,
        .article = workflow->article,
        .channel = workflow->channel,
        .day = idv_jurisdiction_date(jurisdiction, now),
    };
}

idv_doubt_action_t idv_workflow_on_doubts(const idv_workflow_t *workflow,
                                          unsigned doubts)
{
    idv_doubt_action_t hardest = IDV_ON_DOUBT_NOTED;

    for (int i = 0; i < IDV_DOUBT_COUNT; i++)
        if ((doubts & 1u << i) && workflow->on_doubt[i] > hardest)
            hardest = workflow->on_doubt[i];
    return hardest;
}

static json_t *node_json(const idv_workflow_node_t *node)
{
    json_t *next = json_object();

    for (int i = 0; i < IDV_EXIT_COUNT; i++)
        if (node->next[i] != IDV_WORKFLOW_NO_NODE)
            json_object_set_new(next, exits[i], json_integer(node->next[i]));
    return json_pack("{s:s, s:s, s:o, s:s, s:i, s:I, s:b, s:o, s:s?, s:b, s:b,"
                     " s:i}",
                     "id",
                     node->id,
                     "type", node_types[node->type], "methods",
                     idv_method_list_json(&node->methods), "mode",
                     node->mode == IDV_MODE_ALL_OF ? "all_of" : "any_of",
                     "max_attempts", node->max_attempts, "review_timeout",
                     (json_int_t)node->review_timeout, "verified",
                     node->verified, "next", next, "min_assurance",
                     idv_assurance_value(node->min_assurance),
                     "require_genuine_chip", node->require_genuine_chip,
                     "accept_unknown_revocation",
                     node->accept_unknown_revocation, "max_unreadable",
                     node->max_unreadable);
}

static json_t *doubts_json(const idv_workflow_t *workflow)
{
    json_t *object = json_object();

    for (int i = 0; i < IDV_DOUBT_COUNT; i++)
        json_object_set_new(object, doubts[i].setting,
                            json_string(actions[workflow->on_doubt[i]]));
    return object;
}

int idv_workflow_may_review(const idv_workflow_t *workflow)
{
    int leaves_doubt = 0;

    for (int i = 0; i < workflow->node_count; i++)
        if (workflow->nodes[i].type == IDV_NODE_REVIEW)
            return 1;
    for (int i = 0; i < workflow->methods.count; i++)
        leaves_doubt |= workflow->methods.items[i] == IDV_METHOD_MDL
                     || workflow->methods.items[i] == IDV_METHOD_NFC_PASSPORT;
    for (int i = 0; leaves_doubt && i < IDV_DOUBT_COUNT; i++)
        if (workflow->on_doubt[i] == IDV_ON_DOUBT_REVIEW)
            return 1;
    return 0;
}

json_t *idv_workflow_json(const idv_workflow_t *workflow)
{
    json_t *statements = workflow->statements.count
                           ? idv_statements_json(&workflow->statements)
                           : NULL;
    json_t *nodes = json_array(), *types = json_array(), *places = json_array();

    for (int i = 0; i < workflow->node_count; i++)
        json_array_append_new(nodes, node_json(&workflow->nodes[i]));
    for (int i = 0; i < IDV_SESSION_TYPE_COUNT; i++)
        if (idv_workflow_allows_type(workflow, i))
            json_array_append_new(
                types, json_string(idv_session_type_value(i)));
    for (int i = 0; i < workflow->jurisdiction_count; i++)
        json_array_append_new(places, json_string(workflow->jurisdictions[i]));
    return json_pack(
        "{s:i, s:s, s:o, s:s?, s:s?, s:s?, s:o, s:I, s:b, s:b, s:b, s:o, s:i,"
        " s:o, s:o, s:o*, s:s*, s:b}",
        "format", COMPILED_FORMAT, "name", workflow->name, "session_types",
        types, "use_case", idv_use_case_value(workflow->use_case), "article",
        idv_article_value(workflow->article),
        "required_age_tier", idv_tier_value(workflow->required_age_tier),
        "jurisdictions", places, "expires_after_seconds",
        (json_int_t)idv_time_seconds(workflow->expires_after),
        "require_email_otp", workflow->require_email_otp, "accept_trust_reuse",
        workflow->accept_trust_reuse, "same_person_required",
        workflow->same_person_required, "methods",
        idv_method_list_json(&workflow->methods), "start", workflow->start,
        "nodes", nodes, "on_doubt", doubts_json(workflow), "statements",
        statements, "channel",
        workflow->channel == IDV_CHANNEL_IN_PERSON
            ? NULL
            : idv_channel_value(workflow->channel),
        "avoids_birth_date", workflow->avoids_birth_date);
}

static idv_error_t *bad_form(apr_pool_t *pool)
{
    return idv_error_internal(pool, "a compiled workflow is not well-formed");
}

static int index_of(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

static idv_error_t *load_next(json_t *next, int node_count,
                              idv_workflow_node_t *node, apr_pool_t *pool)
{
    const char *key;
    json_t *target;

    for (int i = 0; i < IDV_EXIT_COUNT; i++)
        node->next[i] = IDV_WORKFLOW_NO_NODE;
    json_object_foreach (next, key, target) {
        int exit = index_of(exits, IDV_EXIT_COUNT, key);
        json_int_t index = json_integer_value(target);

        if (exit < 0 || !json_is_integer(target) || index < 0
            || index >= node_count)
            return bad_form(pool);
        node->next[exit] = (int)index;
    }
    return NULL;
}

static idv_error_t *load_node(json_t *json, int node_count,
                              idv_workflow_node_t *node, apr_pool_t *pool)
{
    const char *id, *type, *mode;
    json_t *methods, *next, *assurance = NULL;
    json_int_t timeout;
    int type_index;

    node->max_unreadable = IDV_WORKFLOW_UNREADABLE_DEFAULT;
    if (json_unpack(json,
                    "{s:s, s:s, s:o, s:s, s:i, s:I, s:b, s:o, s?o, s?b, s?b,"
                    " s?i}",
                    "id", &id,
                    "type", &type, "methods", &methods, "mode", &mode,
                    "max_attempts", &node->max_attempts, "review_timeout",
                    &timeout, "verified", &node->verified, "next", &next,
                    "min_assurance", &assurance, "require_genuine_chip",
                    &node->require_genuine_chip, "accept_unknown_revocation",
                    &node->accept_unknown_revocation, "max_unreadable",
                    &node->max_unreadable)
        != 0)
        return bad_form(pool);
    type_index = index_of(node_types, IDV_NODE_TYPE_COUNT, type);
    if (type_index < 0 || !json_is_object(next))
        return bad_form(pool);
    node->id = apr_pstrdup(pool, id);
    node->type = type_index;
    node->mode = strcmp(mode, "all_of") ? IDV_MODE_ANY_OF : IDV_MODE_ALL_OF;
    node->review_timeout = timeout;
    node->min_assurance = idv_assurance_parse(json_string_value(assurance));
    if (json_is_string(assurance) && !node->min_assurance)
        return bad_form(pool);
    IDV_TRY(idv_method_list_load(methods, &node->methods, pool));
    return load_next(next, node_count, node, pool);
}

static idv_error_t *load_nodes(const json_t *array, idv_workflow_t *workflow,
                               apr_pool_t *pool)
{
    size_t count = json_array_size(array);
    idv_workflow_node_t *nodes;

    if (count < 1 || count > IDV_WORKFLOW_NODES_MAX)
        return bad_form(pool);
    nodes = apr_pcalloc(pool, count * sizeof(*nodes));
    for (size_t i = 0; i < count; i++)
        IDV_TRY(
            load_node(json_array_get(array, i), (int)count, &nodes[i], pool));
    workflow->nodes = nodes;
    workflow->node_count = (int)count;
    if (workflow->start < 0 || workflow->start >= workflow->node_count)
        return bad_form(pool);
    return NULL;
}

static idv_error_t *load_lists(const json_t *types, const json_t *places,
                               idv_workflow_t *workflow, apr_pool_t *pool)
{
    const char **jurisdictions =
        apr_pcalloc(pool, (json_array_size(places) + 1) * sizeof(char *));
    const json_t *item;
    size_t i;

    json_array_foreach (types, i, item) {
        idv_session_type_t type =
            idv_session_type_parse(json_string_value(item));

        if (type == IDV_SESSION_TYPE_NONE)
            return bad_form(pool);
        workflow->session_types |= 1u << type;
    }
    json_array_foreach (places, i, item) {
        if (!json_is_string(item) || json_string_length(item) < 2)
            return bad_form(pool);
        jurisdictions[i] = apr_pstrdup(pool, json_string_value(item));
    }
    workflow->jurisdictions = jurisdictions;
    workflow->jurisdiction_count = (int)json_array_size(places);
    return NULL;
}

/* DOUBTS is NULL in form 1. */
static idv_error_t *load_doubts(const json_t *object, idv_workflow_t *workflow,
                                apr_pool_t *pool)
{
    for (int i = 0; i < IDV_DOUBT_COUNT; i++) {
        const json_t *value = json_object_get(object, doubts[i].setting);
        int action = doubts[i].by_default;

        if (value)
            action = json_is_string(value)
                       ? index_of(actions, IDV_DOUBT_ACTION_COUNT,
                                  json_string_value(value))
                       : -1;
        if (action < 0)
            return bad_form(pool);
        workflow->on_doubt[i] = action;
    }
    return NULL;
}

idv_error_t *idv_workflow_load(const json_t *compiled,
                               idv_workflow_t **workflow, apr_pool_t *pool)
{
    idv_workflow_t *loaded = apr_pcalloc(pool, sizeof(*loaded));
    json_t *types, *places, *methods, *nodes, *use_case, *tier, *doubt = NULL;
    json_t *article = NULL, *statements = NULL, *channel = NULL;
    const char *name, *pointer;
    json_int_t expires;
    int format;

    *workflow = NULL;
    if (json_unpack(
            (json_t *)compiled,
            "{s:i, s:s, s:o, s:o, s?o, s:o, s:o, s:I, s:b, s:b, s?b, s:o, s:i,"
            " s:o, s?o, s?o, s?o, s?b}",
            "format", &format, "name", &name, "session_types", &types,
            "use_case", &use_case, "article", &article, "required_age_tier",
            &tier, "jurisdictions", &places, "expires_after_seconds", &expires, "require_email_otp",
            &loaded->require_email_otp, "accept_trust_reuse",
            &loaded->accept_trust_reuse, "same_person_required",
            &loaded->same_person_required, "methods", &methods, "start",
            &loaded->start, "nodes", &nodes, "on_doubt", &doubt,
            "statements", &statements, "channel", &channel,
            "avoids_birth_date", &loaded->avoids_birth_date)
            != 0
        || format < 1 || format > COMPILED_FORMAT)
        return bad_form(pool);
    if (statements
        && idv_statements_read(statements, &loaded->statements, &pointer, pool))
        return bad_form(pool);
    IDV_TRY(load_doubts(doubt, loaded, pool));
    loaded->name = apr_pstrdup(pool, name);
    loaded->use_case = idv_use_case_parse(json_string_value(use_case));
    loaded->article = idv_article_parse(json_string_value(article));
    loaded->channel = idv_channel_parse(json_string_value(channel));
    loaded->required_age_tier = idv_tier_parse(json_string_value(tier));
    loaded->expires_after = expires * IDV_SECOND;
    IDV_TRY(load_lists(types, places, loaded, pool));
    IDV_TRY(idv_method_list_load(methods, &loaded->methods, pool));
    IDV_TRY(load_nodes(nodes, loaded, pool));
    *workflow = loaded;
    return NULL;
}
