/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow/workflow_compile.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "core/utf8.h"
#include "domain/request/parameters.h"
#include "domain/value/jurisdiction.h"
#include "domain/workflow/workflow_nodes.h"

static void read_name(const idv_definition_place_t *at)
{
    const char *name = json_string_value(at->value);

    if (!name || !*name || idv_utf8_length(name) > IDV_WORKFLOW_NAME_MAX)
        idv_definition_fault(at, "name",
                             "Must be a string of 1 to %d characters.",
                             IDV_WORKFLOW_NAME_MAX);
    else
        at->compiler->workflow->name = apr_pstrdup(at->compiler->pool, name);
}

static void read_session_types(const idv_definition_place_t *at)
{
    unsigned types = 0;

    if (!json_is_array(at->value) || json_array_size(at->value) == 0) {
        idv_definition_fault(at, "no_session_types",
                             "Must be a non-empty array of session types.");
        return;
    }
    for (size_t i = 0; i < json_array_size(at->value); i++) {
        idv_definition_place_t here = idv_definition_element(at, i);
        idv_session_type_t type =
            idv_session_type_parse(json_string_value(here.value));

        if (type == IDV_SESSION_TYPE_NONE)
            idv_definition_fault(
                &here, "unknown_session_type",
                "Unknown session type. Use identity, age or student.");
        else if (types & 1u << type)
            idv_definition_fault(&here, "twice", "Is listed twice.");
        else
            types |= 1u << type;
    }
    at->compiler->workflow->session_types = types;
}

static void read_use_case(const idv_definition_place_t *at)
{
    at->compiler->workflow->use_case =
        idv_use_case_parse(json_string_value(at->value));
    if (at->compiler->workflow->use_case == IDV_USE_CASE_NONE)
        idv_definition_fault(at, "unknown_use_case", "Unknown use case.");
}

static void read_article(const idv_definition_place_t *at)
{
    at->compiler->workflow->article =
        idv_article_parse(json_string_value(at->value));
    if (at->compiler->workflow->article == IDV_ARTICLE_NONE)
        idv_definition_fault(at, "unknown_article", "Unknown article.");
}

static void check_article(const idv_definition_place_t *document)
{
    const idv_workflow_t *workflow = document->compiler->workflow;
    idv_definition_place_t at = idv_definition_member(document, "article");

    if (!idv_article_belongs(workflow->article, workflow->use_case))
        idv_definition_fault(&at, "other_article",
                             "Is not an article of the use case.");
}

static void read_channel(const idv_definition_place_t *at)
{
    const char *name = json_string_value(at->value);

    at->compiler->workflow->channel = idv_channel_parse(name);
    if (!name
        || strcmp(idv_channel_value(at->compiler->workflow->channel), name))
        idv_definition_fault(at, "unknown_channel",
                             "Pass in_person or remote.");
}

static void check_channel(const idv_definition_place_t *document)
{
    const idv_workflow_t *workflow = document->compiler->workflow;
    idv_definition_place_t at = idv_definition_member(document, "channel");

    if (!idv_channel_belongs(workflow->channel, workflow->use_case))
        idv_definition_fault(&at, "no_channels",
                             "This use case has no channels.");
}

static void read_tier(const idv_definition_place_t *at)
{
    at->compiler->workflow->required_age_tier =
        idv_tier_parse(json_string_value(at->value));
    if (at->compiler->workflow->required_age_tier == IDV_TIER_NONE)
        idv_definition_fault(
            at, "unknown_age_tier",
            "Unknown age tier. Use min_age_13, min_age_16, min_age_18 or "
            "min_age_21.");
}

static void read_jurisdictions(const idv_definition_place_t *at)
{
    size_t count = json_array_size(at->value);
    const char **places;
    int used = 0;

    if (count < 1 || count > IDV_WORKFLOW_JURISDICTIONS_MAX) {
        idv_definition_fault(
            at,
            "jurisdictions",
            "Must be an array of 1 to %d jurisdictions. Omit it for all "
            "jurisdictions.",
            IDV_WORKFLOW_JURISDICTIONS_MAX);
        return;
    }
    places = apr_pcalloc(at->compiler->pool, count * sizeof(*places));
    for (size_t i = 0; i < count; i++) {
        idv_definition_place_t here = idv_definition_element(at, i);
        const char *text = json_string_value(here.value);
        const char *place =
            text ? idv_jurisdiction_normalize(text, at->compiler->pool) : NULL;
        int twice = 0;

        for (int k = 0; place && k < used; k++)
            twice |= !strcmp(places[k], place);
        if (!place)
            idv_definition_fault(
                &here,
                "unknown_jurisdiction",
                "Must be an ISO 3166 country, optionally with a region.");
        else if (twice)
            idv_definition_fault(&here, "twice", "Is listed twice.");
        else
            places[used++] = place;
    }
    at->compiler->workflow->jurisdictions = places;
    at->compiler->workflow->jurisdiction_count = used;
}

static void read_expiry(const idv_definition_place_t *at)
{
    at->compiler->workflow->expires_after =
        IDV_SECOND
        * idv_definition_integer(at, IDV_WORKFLOW_EXPIRY_MIN,
                                 IDV_WORKFLOW_EXPIRY_MAX);
}

static void read_email_otp(const idv_definition_place_t *at)
{
    at->compiler->workflow->require_email_otp = idv_definition_boolean(at);
}

static void read_ask_birth_date(const idv_definition_place_t *at)
{
    at->compiler->workflow->avoids_birth_date = !idv_definition_boolean(at);
}

static void read_accept(const idv_definition_place_t *at)
{
    at->compiler->workflow->accept_trust_reuse = idv_definition_boolean(at);
}

static void read_trust_reuse(const idv_definition_place_t *at)
{
    static const idv_definition_key_t keys[] = {{"accept", 0, read_accept},
                                                {0}};

    idv_definition_read_object(at, keys);
}

static void read_same_person(const idv_definition_place_t *at)
{
    at->compiler->workflow->same_person_required =
        idv_definition_either(at, "noted", "required");
}

static void read_vp_token(const idv_definition_place_t *at)
{
    static const idv_definition_key_t keys[] = {
        {"same_person", 0, read_same_person}, {0}};

    idv_definition_read_object(at, keys);
}

/* The description is for readers of the definition, which is stored
 * unchanged. */
static void read_description(const idv_definition_place_t *at)
{
    const char *text = json_string_value(at->value);

    if (!text || idv_utf8_length(text) > IDV_WORKFLOW_DESCRIPTION_MAX)
        idv_definition_fault(at, "too_long",
                             "Must be a string of at most %d characters.",
                             IDV_WORKFLOW_DESCRIPTION_MAX);
}

/* Reads the action for DOUBT, which has to be MILDEST or a stricter one. */
static void read_action(const idv_definition_place_t *at,
                        idv_method_doubt_t doubt, idv_doubt_action_t mildest)
{
    const char *text = json_string_value(at->value);

    for (int i = mildest; text && i < IDV_DOUBT_ACTION_COUNT; i++)
        if (!strcmp(idv_doubt_action_value(i), text)) {
            at->compiler->workflow->on_doubt[doubt] = i;
            return;
        }
    idv_definition_fault(at, "doubt_action",
                         "Must be %sreview, requires_input or failed.",
                         mildest == IDV_ON_DOUBT_NOTED ? "noted, " : "");
}

static void read_on_undetermined(const idv_definition_place_t *at)
{
    read_action(at, IDV_DOUBT_UNDETERMINED, IDV_ON_DOUBT_REVIEW);
}

static void read_on_unreadable(const idv_definition_place_t *at)
{
    read_action(at, IDV_DOUBT_UNREADABLE, IDV_ON_DOUBT_REVIEW);
}

/* Nobody is a forger by how an issuer writes, so that nothing harder follows. */
static void read_on_nonconforming(const idv_definition_place_t *at)
{
    const char *text = json_string_value(at->value);
    int is_pass = text && strcmp(text, "pass") == 0;

    if (!is_pass && (!text || strcmp(text, "review") != 0))
        idv_definition_fault(at, "pass_or_review", "Must be pass or review.");
    else if (is_pass)
        at->compiler->workflow->on_doubt[IDV_DOUBT_NONCONFORMING] =
            IDV_ON_DOUBT_NOTED;
}

static void read_on_reused(const idv_definition_place_t *at)
{
    read_action(at, IDV_DOUBT_DOCUMENT_REUSED, IDV_ON_DOUBT_NOTED);
}

static void read_statements(const idv_definition_place_t *at)
{
    idv_definition_place_t here = *at;
    const char *pointer;
    const idv_statement_fault_t *fault =
        idv_statements_read(at->value, &at->compiler->workflow->statements,
                            &pointer, at->compiler->pool);

    here.pointer = apr_pstrcat(at->compiler->pool, at->pointer, pointer, NULL);
    if (fault)
        idv_definition_fault(&here, fault->rule, "%s", fault->message);
}

/* Wherever the workflow runs, there is something to declare. */
static void check_statements(const idv_definition_place_t *document)
{
    const idv_workflow_t *workflow = document->compiler->workflow;
    idv_definition_place_t at = idv_definition_member(document, "statements");

    if (!idv_method_list_has(&workflow->methods, IDV_METHOD_SELF_ATTESTATION))
        return;
    for (int i = 0; i < workflow->jurisdiction_count; i++)
        if (!idv_statement_for(&workflow->statements,
                               workflow->jurisdictions[i]))
            idv_definition_fault(&at, "statement_missing",
                                 "No statement is for %s.",
                                 workflow->jurisdictions[i]);
    if (!workflow->jurisdiction_count
        && !idv_statement_for(&workflow->statements, NULL))
        idv_definition_fault(
            &at, "statement_for_all_missing",
            "The workflow is for all jurisdictions. Add a statement for all "
            "jurisdictions.");
}

static void read_start(const idv_definition_place_t *at)
{
    at->compiler->start = json_string_value(at->value);
    if (!at->compiler->start)
        idv_definition_fault(at, "unknown_step", "Must be the name of a node.");
}

static void note_nodes(const idv_definition_place_t *at)
{
    size_t count = json_object_size(at->value);

    if (!json_is_object(at->value) || count < 1
        || count > IDV_WORKFLOW_NODES_MAX)
        idv_definition_fault(at, "step_count",
                             "Must be an object of 1 to %d nodes.",
                             IDV_WORKFLOW_NODES_MAX);
    else
        at->compiler->has_nodes = 1;
}

static const idv_definition_key_t setting_keys[] = {
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

void idv_workflow_compile(const json_t *definition, idv_workflow_t **workflow,
                          apr_array_header_t **faults, apr_pool_t *pool)
{
    idv_workflow_compiler_t compiler = {
        .workflow = apr_pcalloc(pool, sizeof(idv_workflow_t)),
        .faults = apr_array_make(pool, 4, sizeof(idv_workflow_fault_t)),
        .pool = pool,
    };
    const idv_definition_place_t document = {&compiler, (json_t *)definition,
                                             "", NULL};

    *workflow = NULL;
    *faults = compiler.faults;
    compiler.workflow->session_types = (1u << IDV_SESSION_TYPE_COUNT) - 1;
    compiler.workflow->expires_after = IDV_SECOND * IDV_WORKFLOW_EXPIRY_DEFAULT;
    for (int i = 0; i < IDV_DOUBT_COUNT; i++)
        compiler.workflow->on_doubt[i] = IDV_ON_DOUBT_REVIEW;
    if (!json_is_object(definition)) {
        idv_definition_fault(&document, "object", "Must be an object.");
        return;
    }
    idv_definition_read_keys(&document, setting_keys);
    check_article(&document);
    check_channel(&document);
    if (compiler.has_nodes)
        idv_workflow_compile_nodes(&document);
    if (compiler.faults->nelts == 0)
        idv_workflow_check_graph(compiler.workflow, compiler.faults, pool);
    if (compiler.faults->nelts == 0)
        check_statements(&document);
    if (compiler.faults->nelts == 0)
        *workflow = compiler.workflow;
}
