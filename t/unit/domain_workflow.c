/* SPDX-License-Identifier: Apache-2.0 */
/* The workflow compiler: every fault with its pointer, and what it makes of a
 * sound definition. */
#include "unit/unit.h"

#include <apr_strings.h>

#include "domain/workflow/workflow.h"
#include "domain/workflow/workflow_compile.h"

/* operator.md's example. */
static const char example[] =
    "{\"name\":\"Alcohol delivery\",\"session_types\":[\"age\",\"identity\"],"
    "\"use_case\":\"alcohol_delivery\",\"jurisdictions\":[\"US\",\"GB\",\"de\"],"
    "\"expires_after_seconds\":86400,\"require_email_otp\":false,"
    "\"trust_reuse\":{\"accept\":false},\"start\":\"screen\",\"nodes\":{"
    "\"screen\":{\"type\":\"checks\",\"checks\":[\"ip_analysis\","
    "\"device_risk\"],\"next\":{\"low\":\"id\",\"medium\":\"hold\","
    "\"high\":\"denied\"}},"
    "\"hold\":{\"type\":\"review\",\"timeout_hours\":72,\"next\":{"
    "\"approved\":\"id\",\"rejected\":\"denied\"}},"
    "\"id\":{\"type\":\"methods\",\"mode\":\"any_of\",\"methods\":[\"mdl\","
    "\"document_capture\"],\"max_attempts\":3,\"next\":{\"passed\":\"face\","
    "\"exhausted\":\"denied\"}},"
    "\"face\":{\"type\":\"methods\",\"mode\":\"all_of\",\"methods\":["
    "\"selfie_liveness\",\"selfie_match\"],\"max_attempts\":3,\"next\":{"
    "\"passed\":\"granted\",\"exhausted\":\"denied\"}},"
    "\"granted\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"denied\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

/* The smallest sound definition, without its closing brace for settings, with
 * %s for the nodes. */
#define ID_NODE                                                                \
    "\"id\":{\"type\":\"methods\",\"methods\":[\"document_capture\"],"         \
    "\"next\":{\"passed\":\"yes\",\"exhausted\":\"no\"}}"
#define YES_NODE "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"}"
#define NO_NODE "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}"
#define DEFINITION(settings, start, nodes)                                     \
    "{\"name\":\"N\"" settings ",\"start\":\"" start "\",\"nodes\":{" nodes "}}"
#define WITH_SETTING(setting)                                                  \
    DEFINITION("," setting, "id", ID_NODE "," YES_NODE "," NO_NODE)
#define METHODS_NODE(name, body, passed, exhausted)                            \
    "\"" name "\":{\"type\":\"methods\"," body ",\"next\":{\"passed\":\""      \
    passed "\",\"exhausted\":\"" exhausted "\"}}"
#define REVIEW_NODE(name, extra, approved, rejected)                           \
    "\"" name "\":{\"type\":\"review\"" extra ",\"next\":{\"approved\":\""     \
    approved "\",\"rejected\":\"" rejected "\"}}"
#define CHECKS_NODE(name, checks, low, medium, high)                           \
    "\"" name "\":{\"type\":\"checks\",\"checks\":[" checks "],\"next\":{"     \
    "\"low\":\"" low "\",\"medium\":\"" medium "\",\"high\":\"" high "\"}}"

static json_t *parse(const char *text, apr_pool_t *pool)
{
    json_error_t where;
    json_t *json = json_loads(text, JSON_DECODE_ANY, &where);

    if (!json)
        fail_msg("%s: %s", text, where.text);
    return idv_json_own(json, pool);
}

static apr_array_header_t *compile(const char *text, idv_workflow_t **workflow,
                                   apr_pool_t *pool)
{
    apr_array_header_t *faults;

    idv_workflow_compile(parse(text, pool), workflow, &faults, pool);
    assert_int_equal(*workflow == NULL, faults->nelts > 0);
    return faults;
}

static void expect_fault(const char *text, const char *pointer,
                         const char *message, apr_pool_t *pool)
{
    idv_workflow_t *workflow;
    apr_array_header_t *faults = compile(text, &workflow, pool);

    for (int i = 0; i < faults->nelts; i++) {
        const idv_workflow_fault_t *fault =
            &APR_ARRAY_IDX(faults, i, idv_workflow_fault_t);

        if (!strcmp(fault->pointer, pointer)
            && strstr(fault->message, message))
            return;
    }
    for (int i = 0; i < faults->nelts; i++)
        print_error("  %s: %s\n",
                    APR_ARRAY_IDX(faults, i, idv_workflow_fault_t).pointer,
                    APR_ARRAY_IDX(faults, i, idv_workflow_fault_t).message);
    fail_msg("no fault at \"%s\" with \"%s\" in %s", pointer, message, text);
}

static void compiles_the_example(void **state)
{
    static const idv_method_t order[] = {
        IDV_METHOD_IP_ANALYSIS,     IDV_METHOD_DEVICE_RISK,
        IDV_METHOD_MDL,             IDV_METHOD_DOCUMENT_CAPTURE,
        IDV_METHOD_SELFIE_LIVENESS, IDV_METHOD_SELFIE_MATCH,
    };
    apr_pool_t *pool = *state;
    const idv_workflow_node_t *node;
    idv_workflow_t *workflow;

    assert_int_equal(compile(example, &workflow, pool)->nelts, 0);
    assert_string_equal(workflow->name, "Alcohol delivery");
    assert_int_equal(workflow->expires_after, IDV_DAY);
    assert_int_equal(workflow->use_case, IDV_USE_CASE_ALCOHOL_DELIVERY);
    assert_int_equal(workflow->methods.count, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(workflow->methods.items[i], order[i]);
    assert_true(idv_workflow_allows_type(workflow, IDV_SESSION_TYPE_AGE));
    assert_false(idv_workflow_allows_type(workflow, IDV_SESSION_TYPE_STUDENT));
    assert_true(idv_workflow_targets(workflow, "US-CA"));
    assert_true(idv_workflow_targets(workflow, "DE"));
    assert_false(idv_workflow_targets(workflow, "FR"));
    assert_int_equal(idv_method_list_strongest(&workflow->methods),
                     IDV_METHOD_MDL);
    node = idv_workflow_node(workflow, "face");
    assert_int_equal(node->mode, IDV_MODE_ALL_OF);
    assert_string_equal(workflow->nodes[node->next[IDV_EXIT_PASSED]].id,
                        "granted");
    node = idv_workflow_node(workflow, "hold");
    assert_int_equal(node->review_timeout, 72 * IDV_HOUR);
    assert_string_equal(workflow->nodes[workflow->start].id, "screen");
}

static void applies_defaults(void **state)
{
    apr_pool_t *pool = *state;
    idv_workflow_t *workflow;

    assert_int_equal(compile(DEFINITION("", "id",
                                        ID_NODE "," YES_NODE "," NO_NODE),
                             &workflow, pool)
                         ->nelts,
                     0);
    assert_int_equal(workflow->expires_after, IDV_DAY);
    assert_int_equal(idv_workflow_node(workflow, "id")->max_attempts, 3);
    assert_int_equal(workflow->jurisdiction_count, 0);
    assert_true(idv_workflow_targets(workflow, "FR"));
    assert_false(workflow->require_email_otp);
    assert_false(workflow->accept_trust_reuse);
    assert_false(workflow->same_person_required);
    for (int i = 0; i < IDV_SESSION_TYPE_COUNT; i++)
        assert_true(idv_workflow_allows_type(workflow, i));
}

/* What the interface names and no version runs. */
static void refuses_reserved_methods(void **state)
{
    int count = 0;

    for (int method = 0; method < IDV_METHOD_COUNT; method++) {
        if (idv_method_kind(method) != IDV_METHOD_RESERVED)
            continue;
        count++;
        expect_fault(
            apr_psprintf(*state,
                         DEFINITION("", "id",
                                    METHODS_NODE("id", "\"methods\":[\"%s\"]",
                                                 "yes", "no") ","
                                    YES_NODE "," NO_NODE),
                         idv_method_value(method)),
            "/nodes/id/methods/0",
            "This method is reserved and not implemented.", *state);
    }
    assert_int_equal(count, 8);
}

static void finds_every_fault(void **state)
{
    static const struct {
        const char *text;
        const char *pointer;
        const char *message;
    } cases[] = {
        {"[]", "", "object"},
        {"null", "", "object"},
        {"{}", "/name", "missing"},
        {"{}", "/start", "missing"},
        {"{}", "/nodes", "missing"},
        {WITH_SETTING("\"colour\":1"), "/colour", "Unknown"},
        {WITH_SETTING("\"a/b~c\":1"), "/a~1b~0c", "Unknown"},
        {"{\"name\":\"\"}", "/name", "1 to 100"},
        {"{\"name\":7}", "/name", "1 to 100"},
        {"{\"start\":7}", "/start", "name of a node"},
        {"{\"nodes\":[]}", "/nodes", "1 to 64"},
        {"{\"nodes\":{}}", "/nodes", "1 to 64"},
        {WITH_SETTING("\"session_types\":[]"), "/session_types", "non-empty"},
        {WITH_SETTING("\"session_types\":[\"x\"]"), "/session_types/0",
         "Unknown"},
        {WITH_SETTING("\"session_types\":[\"age\",\"age\"]"),
         "/session_types/1", "twice"},
        {WITH_SETTING("\"use_case\":\"x\""), "/use_case", "Unknown"},
        {WITH_SETTING("\"use_case\":null"), "/use_case", "Unknown"},
        {WITH_SETTING("\"article\":\"absinthe\""), "/article", "Unknown"},
        {WITH_SETTING("\"article\":\"vape\""), "/article", "not an article of"},
        {WITH_SETTING("\"channel\":\"mail\""), "/channel", "in_person"},
        {WITH_SETTING("\"channel\":\"remote\""), "/channel", "no channels"},
        {WITH_SETTING("\"required_age_tier\":\"min_age_19\""),
         "/required_age_tier", "Unknown"},
        {WITH_SETTING("\"jurisdictions\":[]"), "/jurisdictions", "1 to 500"},
        {WITH_SETTING("\"jurisdictions\":\"US\""), "/jurisdictions",
         "1 to 500"},
        {WITH_SETTING("\"jurisdictions\":[\"US\",\"XX\"]"), "/jurisdictions/1",
         "ISO 3166"},
        {WITH_SETTING("\"jurisdictions\":[\"US\",\"us\"]"), "/jurisdictions/1",
         "twice"},
        {WITH_SETTING("\"expires_after_seconds\":0"),
         "/expires_after_seconds", "1 to 2592000"},
        {WITH_SETTING("\"expires_after_seconds\":2592001"),
         "/expires_after_seconds", "1 to 2592000"},
        {WITH_SETTING("\"expires_after_seconds\":60.5"),
         "/expires_after_seconds", "whole"},
        {WITH_SETTING("\"require_email_otp\":1"), "/require_email_otp",
         "true or false"},
        {WITH_SETTING("\"vp_token\":\"required\""), "/vp_token", "object"},
        {WITH_SETTING("\"vp_token\":{\"same_person\":true}"),
         "/vp_token/same_person", "noted or required"},
        {WITH_SETTING("\"vp_token\":{\"same_person\":\"demanded\"}"),
         "/vp_token/same_person", "noted or required"},
        {WITH_SETTING("\"vp_token\":{\"x\":1}"), "/vp_token/x", "Unknown"},
        {WITH_SETTING("\"trust_reuse\":true"), "/trust_reuse", "object"},
        {WITH_SETTING("\"trust_reuse\":{\"accept\":1}"), "/trust_reuse/accept",
         "true or false"},
        {WITH_SETTING("\"trust_reuse\":{\"x\":1}"), "/trust_reuse/x",
         "Unknown"},
        {DEFINITION("", "nowhere", ID_NODE "," YES_NODE "," NO_NODE), "/start",
         "name of a node"},
        {DEFINITION("", "id", "\"id\":3"), "/nodes/id", "object"},
        {DEFINITION("", "id", "\"id\":{}"), "/nodes/id/type", "Must be checks"},
        {DEFINITION("", "id", "\"id\":{\"type\":\"wish\"}"), "/nodes/id/type",
         "Must be checks"},
        {DEFINITION("", "id", "\"\":" "{\"type\":\"outcome\"}"), "/nodes",
         "1 to 64 characters"},
        {DEFINITION("", "id", "\"id\":{\"type\":\"outcome\"}"),
         "/nodes/id/status", "missing"},
        {DEFINITION("", "id",
                    "\"id\":{\"type\":\"outcome\",\"status\":\"maybe\"}"),
         "/nodes/id/status", "verified or failed"},
        {DEFINITION("", "id",
                    "\"id\":{\"type\":\"outcome\",\"status\":\"failed\","
                    "\"next\":{}}"),
         "/nodes/id/next", "Unknown"},
        {DEFINITION("", "id", "\"id\":{\"type\":\"methods\"}"),
         "/nodes/id/methods", "missing"},
        {DEFINITION("", "id", "\"id\":{\"type\":\"methods\"}"),
         "/nodes/id/next", "missing"},
        {DEFINITION("", "id", METHODS_NODE("id", "\"methods\":[]", "a", "b")),
         "/nodes/id/methods", "non-empty"},
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"telepathy\"]", "a",
                                 "b")),
         "/nodes/id/methods/0", "Unknown method"},
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"eudi_pid\"]", "a", "b")),
         "/nodes/id/methods/0", "reserved"},
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"mdl\",\"mdl\"]", "a",
                                 "b")),
         "/nodes/id/methods/1", "twice"},
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"ip_analysis\"]", "a",
                                 "b")),
         "/nodes/id/methods/0", "type checks"},
        {DEFINITION("", "id", CHECKS_NODE("id", "\"mdl\"", "a", "b", "c")),
         "/nodes/id/checks/0", "passive"},
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"mdl\"],\"mode\":\"x\"",
                                 "a", "b")),
         "/nodes/id/mode", "any_of or all_of"},
        {DEFINITION("", "id",
                    METHODS_NODE("id",
                                 "\"methods\":[\"mdl\"],\"max_attempts\":0",
                                 "a", "b")),
         "/nodes/id/max_attempts", "1 to 20"},
        {DEFINITION("", "id",
                    METHODS_NODE("id",
                                 "\"methods\":[\"mdl\"],\"max_attempts\":21",
                                 "a", "b")),
         "/nodes/id/max_attempts", "1 to 20"},
        {DEFINITION("", "id", METHODS_NODE("id", "\"methods\":[\"mdl\"]", "a",
                                           "b")),
         "/nodes/id/next/passed", "name of a node"},
        {DEFINITION("", "id",
                    "\"id\":{\"type\":\"review\",\"next\":{\"passed\":\"id\"}}"),
         "/nodes/id/next/passed", "not have this exit"},
        {DEFINITION("", "id",
                    "\"id\":{\"type\":\"review\",\"next\":{}}"),
         "/nodes/id/next/approved", "required"},
        {DEFINITION("", "id", "\"id\":{\"type\":\"review\",\"next\":3}"),
         "/nodes/id/next", "object"},
        {DEFINITION("", "id",
                    REVIEW_NODE("id", ",\"timeout_hours\":169", "id", "id")),
         "/nodes/id/timeout_hours", "to 168 hours"},
        {DEFINITION("", "id",
                    REVIEW_NODE("id", ",\"timeout_hours\":0", "id", "id")),
         "/nodes/id/timeout_hours", "to 168 hours"},
        {DEFINITION("", "id",
                    REVIEW_NODE("id", ",\"timeout_hours\":0.0002", "id", "id")),
         "/nodes/id/timeout_hours", "from one second"},
        {DEFINITION("", "id",
                    REVIEW_NODE("id", ",\"timeout_hours\":\"72\"", "id", "id")),
         "/nodes/id/timeout_hours", "a number of hours"},
        /* the graph */
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"mdl\"]", "yes", "id")
                    "," YES_NODE),
         "/nodes/id/next/exhausted", "loops"},
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"mdl\"]", "b", "no") ","
                    METHODS_NODE("b", "\"methods\":[\"mdl\"]", "id", "no") ","
                    YES_NODE "," NO_NODE),
         "/nodes/b/next/passed", "loops"},
        {DEFINITION("", "id",
                    ID_NODE "," YES_NODE "," NO_NODE ","
                    "\"island\":{\"type\":\"outcome\",\"status\":\"failed\"}"),
         "/nodes/island", "reached"},
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"mdl\"]", "no", "no") ","
                    NO_NODE),
         "/nodes", "No path leads"},
        {DEFINITION("", "no", NO_NODE), "/nodes", "No path leads"},
        {DEFINITION("", "yes", YES_NODE), "/nodes/yes", "primary"},
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"self_attestation\"]",
                                 "yes", "no") "," YES_NODE "," NO_NODE),
         "/nodes/yes", "self_attestation"},
        {DEFINITION("", "id",
                    METHODS_NODE("id",
                                 "\"methods\":[\"mdl\",\"self_attestation\"]",
                                 "yes", "no") "," YES_NODE "," NO_NODE),
         "/nodes/yes", "primary"},
        {DEFINITION("", "id",
                    METHODS_NODE("id", "\"methods\":[\"mdl\"]", "yes", "yes")
                    "," YES_NODE),
         "/nodes/yes", "primary"},
        {DEFINITION("", "c",
                    CHECKS_NODE("c", "\"ip_analysis\"", "yes", "id", "no") ","
                    ID_NODE "," YES_NODE "," NO_NODE),
         "/nodes/yes", "primary"},
        {DEFINITION("", "hold",
                    REVIEW_NODE("hold", "", "yes", "no") "," YES_NODE ","
                    NO_NODE),
         "/nodes/yes", "primary"},
        {DEFINITION("", "hold",
                    REVIEW_NODE("hold", "", "id", "id") "," ID_NODE ","
                    YES_NODE "," NO_NODE),
         "/nodes/hold/next/rejected", "failed"},
        {DEFINITION("", "hold",
                    REVIEW_NODE("hold", "", "no", "no") "," NO_NODE),
         "/nodes/hold/next/approved", "failed"},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        expect_fault(cases[i].text, cases[i].pointer, cases[i].message, pool);
}

static void publishes_passive_checks(void **state)
{
    static const char text[] = DEFINITION(
        "", "screen",
        CHECKS_NODE("screen",
                    "\"ip_analysis\",\"device_risk\",\"geolocation\"", "id",
                    "hold", "no") ","
        REVIEW_NODE("hold", "", "id", "no") "," ID_NODE "," YES_NODE ","
        NO_NODE);
    idv_workflow_t *workflow;

    assert_int_equal(compile(text, &workflow,
                             *state)->nelts, 0);
    assert_int_equal(workflow->methods.count, 4);
    assert_int_equal(idv_method_list_strongest(&workflow->methods),
                     IDV_METHOD_DOCUMENT_CAPTURE);
}

static void lets_a_reviewer_approve_what_was_tried(void **state)
{
    apr_pool_t *pool = *state;
    idv_workflow_t *workflow;

    assert_int_equal(
        compile(DEFINITION("", "id",
                           METHODS_NODE("id", "\"methods\":[\"mdl\"]", "yes",
                                        "hold") ","
                           REVIEW_NODE("hold", "", "yes", "no") ","
                           YES_NODE "," NO_NODE), &workflow, pool)->nelts,
        0);
}

static void collects_all_faults_but_not_without_end(void **state)
{
    apr_pool_t *pool = *state;
    json_t *definition = idv_json_own(json_object(), pool);
    apr_array_header_t *faults;
    idv_workflow_t *workflow;
    char key[8];

    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof(key), "k%d", i);
        json_object_set_new(definition, key, json_null());
    }
    idv_workflow_compile(definition, &workflow, &faults, pool);
    assert_int_equal(faults->nelts, IDV_WORKFLOW_FAULTS_MAX);
}

static void limits_the_number_of_nodes(void **state)
{
    apr_pool_t *pool = *state;
    json_t *definition = parse("{\"name\":\"N\",\"start\":\"n0\"}", pool);
    json_t *nodes = json_object();
    apr_array_header_t *faults;
    idv_workflow_t *workflow;
    char key[8], next[8];

    json_object_set_new(definition, "nodes", nodes);
    for (int i = 0; i < 62; i++) {
        snprintf(key, sizeof(key), "n%d", i);
        snprintf(next, sizeof(next), i == 61 ? "yes" : "n%d", i + 1);
        json_object_set_new(
            nodes, key,
            json_pack("{s:s, s:[s], s:{s:s, s:s}}", "type", "methods",
                      "methods", "mdl", "next", "passed", next, "exhausted",
                      "no"));
    }
    json_object_set_new(nodes, "yes",
                        json_pack("{s:s, s:s}", "type", "outcome", "status",
                                  "verified"));
    json_object_set_new(
        nodes, "no",
        json_pack("{s:s, s:s}", "type", "outcome", "status", "failed"));
    idv_workflow_compile(definition, &workflow, &faults, pool);
    assert_int_equal(faults->nelts, 0);
    json_object_set_new(nodes, "one_more", json_null());
    idv_workflow_compile(definition, &workflow, &faults, pool);
    assert_int_equal(faults->nelts, 1);
}

static void loads_what_it_compiled(void **state)
{
    apr_pool_t *pool = *state;
    idv_workflow_t *workflow, *loaded;
    const char *before, *after;
    json_t *compiled;

    compile(example, &workflow, pool);
    compiled = idv_json_own(idv_workflow_json(workflow), pool);
    before = idv_json_text(compiled, pool);
    assert_null(idv_workflow_load(compiled, &loaded, pool));
    after = idv_json_text(idv_json_own(idv_workflow_json(loaded), pool), pool);
    assert_string_equal(before, after);
    assert_memory_equal(&workflow->methods, &loaded->methods,
                        sizeof(loaded->methods));
}

static void keeps_who_may_use_a_token(void **state)
{
    apr_pool_t *pool = *state;
    idv_workflow_t *workflow, *loaded;
    json_t *compiled;

    compile(WITH_SETTING("\"vp_token\":{\"same_person\":\"noted\"}"), &workflow,
            pool);
    assert_false(workflow->same_person_required);
    compile(WITH_SETTING("\"vp_token\":{\"same_person\":\"required\"}"),
            &workflow, pool);
    assert_true(workflow->same_person_required);
    compiled = idv_json_own(idv_workflow_json(workflow), pool);
    assert_null(idv_workflow_load(compiled, &loaded, pool));
    assert_true(loaded->same_person_required);
    /* A version that was published before there was such a demand. */
    json_object_del(compiled, "same_person_required");
    assert_null(idv_workflow_load(compiled, &loaded, pool));
    assert_false(loaded->same_person_required);
}

static void keeps_whether_wallets_give_dates_of_birth(void **state)
{
    apr_pool_t *pool = *state;
    idv_workflow_t *workflow, *loaded;
    json_t *compiled;

    compile(example, &workflow, pool);
    assert_false(workflow->avoids_birth_date);
    compile(WITH_SETTING("\"ask_birth_date\":false"), &workflow, pool);
    assert_true(workflow->avoids_birth_date);
    compiled = idv_json_own(idv_workflow_json(workflow), pool);
    assert_null(idv_workflow_load(compiled, &loaded, pool));
    assert_true(loaded->avoids_birth_date);
    /* A version that was published before. */
    json_object_del(compiled, "avoids_birth_date");
    assert_null(idv_workflow_load(compiled, &loaded, pool));
    assert_false(loaded->avoids_birth_date);
}

static void refuses_to_load_what_is_not_compiled(void **state)
{
    apr_pool_t *pool = *state;
    idv_workflow_t *workflow, *loaded;
    json_t *compiled;

    compile(example, &workflow, pool);
    compiled = idv_json_own(idv_workflow_json(workflow), pool);
    json_object_set_new(compiled, "start", json_integer(6));
    assert_non_null(idv_workflow_load(compiled, &loaded, pool));
    assert_null(loaded);
    json_object_set_new(compiled, "start", json_integer(0));
    json_object_set_new(compiled, "format", json_integer(3));
    assert_non_null(idv_workflow_load(compiled, &loaded, pool));
    json_object_set_new(compiled, "format", json_integer(2));
    json_object_set_new(
        json_object_get(json_array_get(json_object_get(compiled, "nodes"), 0),
                        "next"),
        "low", json_integer(-1));
    assert_non_null(idv_workflow_load(compiled, &loaded, pool));
    assert_non_null(idv_workflow_load(parse("{}", pool), &loaded, pool));
    assert_non_null(idv_workflow_load(parse("[]", pool), &loaded, pool));
}

/* A workflow whose only methods node is NODE, with SETTINGS. */
static json_t *with_node(const char *node, const char *settings,
                         apr_pool_t *pool)
{
    return parse(apr_psprintf(pool,
                              "{\"name\":\"N\",%s\"start\":\"id\",\"nodes\":{"
                              "\"id\":{\"type\":\"methods\",%s,\"next\":{"
                              "\"passed\":\"y\",\"exhausted\":\"n\"}},"
                              "\"y\":{\"type\":\"outcome\","
                              "\"status\":\"verified\"},"
                              "\"n\":{\"type\":\"outcome\","
                              "\"status\":\"failed\"}}}",
                              settings, node),
                 pool);
}

#define CAPTURE "\"methods\":[\"document_capture\"]"
#define EITHER "\"methods\":[\"mdl\",\"document_capture\"]"
#define CHIP "\"methods\":[\"nfc_passport\"]"
#define BOTH "\"mode\":\"all_of\"," EITHER

#define MATCHED(methods) "\"mode\":\"all_of\",\"methods\":[" methods "]"

static void demands_no_more_than_methods_reach(void **state)
{
    static const struct {
        const char *node;
        idv_assurance_t demand;
        const char *fault; /* NULL: compiles */
    } rows[] = {
        { CAPTURE, IDV_ASSURANCE_NONE, NULL },
        { CAPTURE ",\"min_assurance\":\"decoded\"", IDV_ASSURANCE_DECODED,
          NULL },
        { CAPTURE ",\"min_assurance\":\"consistent\"",
          IDV_ASSURANCE_CONSISTENT, NULL },
        { CAPTURE ",\"min_assurance\":\"signed\"", 0,
          "Cannot be reached: document_capture gives at most consistent." },
        { EITHER ",\"min_assurance\":\"signed\"", 0,
          "Cannot be reached: document_capture gives at most consistent." },
        { BOTH ",\"min_assurance\":\"signed\"", IDV_ASSURANCE_SIGNED, NULL },
        { BOTH ",\"min_assurance\":\"signed_and_present\"", 0,
          "Cannot be reached: mdl gives at most signed." },
        { "\"min_assurance\":\"signed\"," BOTH, IDV_ASSURANCE_SIGNED, NULL },
        { MATCHED("\"mdl\",\"selfie_match\"")
          ",\"min_assurance\":\"signed_and_present\"",
          IDV_ASSURANCE_SIGNED_AND_PRESENT, NULL },
        { MATCHED("\"document_capture\",\"selfie_match\"")
          ",\"min_assurance\":\"signed_and_present\"", 0,
          "Cannot be reached: document_capture gives at most consistent." },
        { "\"methods\":[\"mdl\",\"selfie_match\"]"
          ",\"min_assurance\":\"signed_and_present\"", 0,
          "Cannot be reached: mdl gives at most signed." },
        { CAPTURE ",\"min_assurance\":\"certain\"", 0,
          "Must be decoded, consistent, signed or signed_and_present." },
        { CAPTURE ",\"min_assurance\":2", 0,
          "Must be decoded, consistent, signed or signed_and_present." },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        apr_array_header_t *faults;
        idv_workflow_t *workflow, *loaded;

        idv_workflow_compile(with_node(rows[i].node, "", pool), &workflow,
                             &faults, pool);
        assert_int_equal(faults->nelts, rows[i].fault != NULL);
        if (rows[i].fault) {
            const idv_workflow_fault_t *fault =
                &APR_ARRAY_IDX(faults, 0, idv_workflow_fault_t);

            assert_string_equal(fault->pointer, "/nodes/id/min_assurance");
            assert_string_equal(fault->message, rows[i].fault);
            continue;
        }
        assert_null(idv_workflow_load(
            idv_json_own(idv_workflow_json(workflow), pool), &loaded, pool));
        assert_int_equal(idv_workflow_node(loaded, "id")->min_assurance,
                         rows[i].demand);
    }
}

/* What a node says of chips survives being stored, and stands where there are
 * chips alone. */
static void says_what_a_chip_has_to_prove(void **state)
{
    static const struct {
        const char *node;
        int genuine, unknown;
        const char *pointer; /* of the fault; NULL: compiles */
    } rows[] = {
        { CHIP, 0, 0, NULL },
        { CHIP ",\"require_genuine_chip\":true", 1, 0, NULL },
        { "\"accept_unknown_revocation\":true," CHIP, 0, 1, NULL },
        { CHIP ",\"require_genuine_chip\":1", 0, 0,
          "/nodes/id/require_genuine_chip" },
        { CAPTURE ",\"require_genuine_chip\":true", 0, 0,
          "/nodes/id/require_genuine_chip" },
        { CAPTURE ",\"accept_unknown_revocation\":false", 0, 0,
          "/nodes/id/accept_unknown_revocation" },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        apr_array_header_t *faults;
        idv_workflow_t *workflow, *loaded;
        const idv_workflow_node_t *node;

        idv_workflow_compile(with_node(rows[i].node, "", pool), &workflow,
                             &faults, pool);
        assert_int_equal(faults->nelts, rows[i].pointer != NULL);
        if (rows[i].pointer) {
            assert_string_equal(
                APR_ARRAY_IDX(faults, 0, idv_workflow_fault_t).pointer,
                rows[i].pointer);
            continue;
        }
        assert_null(idv_workflow_load(
            idv_json_own(idv_workflow_json(workflow), pool), &loaded, pool));
        node = idv_workflow_node(loaded, "id");
        assert_int_equal(node->require_genuine_chip, rows[i].genuine);
        assert_int_equal(node->accept_unknown_revocation, rows[i].unknown);
    }
}

static void demands_by_the_type_where_a_node_does_not(void **state)
{
    apr_pool_t *pool = *state;
    apr_array_header_t *faults;
    idv_workflow_t *workflow;

    idv_workflow_compile(with_node(CAPTURE, "", pool), &workflow, &faults,
                         pool);
    assert_int_equal(idv_workflow_demand(workflow, IDV_SESSION_TYPE_AGE),
                     IDV_ASSURANCE_DECODED);
    assert_int_equal(idv_workflow_demand(workflow, IDV_SESSION_TYPE_IDENTITY),
                     IDV_ASSURANCE_CONSISTENT);
    assert_int_equal(idv_workflow_demand(workflow, IDV_SESSION_TYPE_STUDENT),
                     IDV_ASSURANCE_CONSISTENT);
    idv_workflow_compile(
        with_node(CAPTURE ",\"min_assurance\":\"decoded\"", "", pool), &workflow,
        &faults, pool);
    assert_int_equal(idv_workflow_demand(workflow, IDV_SESSION_TYPE_AGE),
                     IDV_ASSURANCE_DECODED);
    assert_int_equal(idv_workflow_demand(workflow, IDV_SESSION_TYPE_IDENTITY),
                     IDV_ASSURANCE_CONSISTENT);
}

static void says_what_follows_from_doubts(void **state)
{
    static const struct {
        const char *settings;
        idv_doubt_action_t undetermined, reused;
        const char *fault; /* its pointer */
    } rows[] = {
        { "", IDV_ON_DOUBT_REVIEW, IDV_ON_DOUBT_REVIEW, NULL },
        { "\"on_undetermined\":\"failed\",", IDV_ON_DOUBT_FAILED,
          IDV_ON_DOUBT_REVIEW, NULL },
        { "\"on_undetermined\":\"requires_input\","
          "\"on_document_reused\":\"noted\",",
          IDV_ON_DOUBT_REQUIRES_INPUT, IDV_ON_DOUBT_NOTED, NULL },
        { "\"on_document_reused\":\"failed\",\"description\":\"Why\",",
          IDV_ON_DOUBT_REVIEW, IDV_ON_DOUBT_FAILED, NULL },
        { "\"on_undetermined\":\"noted\",", 0, 0, "/on_undetermined" },
        { "\"on_document_reused\":\"maybe\",", 0, 0, "/on_document_reused" },
        { "\"description\":1,", 0, 0, "/description" },
    };
    apr_pool_t *pool = *state;
    json_t *old;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        apr_array_header_t *faults;
        idv_workflow_t *workflow, *loaded;

        idv_workflow_compile(with_node(CAPTURE, rows[i].settings, pool),
                             &workflow, &faults, pool);
        assert_int_equal(faults->nelts, rows[i].fault != NULL);
        if (rows[i].fault) {
            assert_string_equal(
                APR_ARRAY_IDX(faults, 0, idv_workflow_fault_t).pointer,
                rows[i].fault);
            continue;
        }
        old = idv_json_own(idv_workflow_json(workflow), pool);
        assert_null(idv_workflow_load(old, &loaded, pool));
        assert_int_equal(loaded->on_doubt[IDV_DOUBT_UNDETERMINED],
                         rows[i].undetermined);
        assert_int_equal(loaded->on_doubt[IDV_DOUBT_DOCUMENT_REUSED],
                         rows[i].reused);
        assert_int_equal(idv_workflow_on_doubts(
                             loaded, 1u << IDV_DOUBT_UNDETERMINED
                                         | 1u << IDV_DOUBT_DOCUMENT_REUSED),
                         rows[i].undetermined > rows[i].reused
                             ? rows[i].undetermined
                             : rows[i].reused);
        /* What was compiled before has the defaults. */
        json_object_set_new(old, "format", json_integer(1));
        json_object_del(old, "on_doubt");
        assert_null(idv_workflow_load(old, &loaded, pool));
        assert_int_equal(idv_workflow_on_doubts(
                             loaded, 1u << IDV_DOUBT_UNDETERMINED),
                         IDV_ON_DOUBT_REVIEW);
        assert_int_equal(idv_workflow_on_doubts(
                             loaded, 1u << IDV_DOUBT_NONCONFORMING),
                         IDV_ON_DOUBT_REVIEW);
    }
}

/* A deviation passes or is looked at; nothing makes a forgery of it. */
static void says_what_follows_from_deviations(void **state)
{
    static const struct {
        const char *settings;
        int action; /* -1: refused */
    } rows[] = {
        {"", IDV_ON_DOUBT_REVIEW},
        {"\"on_nonconforming\":\"review\",", IDV_ON_DOUBT_REVIEW},
        {"\"on_nonconforming\":\"pass\",", IDV_ON_DOUBT_NOTED},
        {"\"on_nonconforming\":\"noted\",", -1},
        {"\"on_nonconforming\":\"failed\",", -1},
        {"\"on_nonconforming\":\"requires_input\",", -1},
        {"\"on_nonconforming\":true,", -1},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        apr_array_header_t *faults;
        idv_workflow_t *workflow, *loaded;

        idv_workflow_compile(with_node(CHIP, rows[i].settings, pool), &workflow,
                             &faults, pool);
        assert_int_equal(faults->nelts, rows[i].action < 0);
        if (rows[i].action < 0) {
            assert_string_equal(
                APR_ARRAY_IDX(faults, 0, idv_workflow_fault_t).pointer,
                "/on_nonconforming");
            continue;
        }
        assert_null(idv_workflow_load(
            idv_json_own(idv_workflow_json(workflow), pool), &loaded, pool));
        assert_int_equal(loaded->on_doubt[IDV_DOUBT_NONCONFORMING],
                         rows[i].action);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(compiles_the_example),
        pooled_test(applies_defaults),
        pooled_test(refuses_reserved_methods),
        pooled_test(finds_every_fault),
        pooled_test(publishes_passive_checks),
        pooled_test(lets_a_reviewer_approve_what_was_tried),
        pooled_test(collects_all_faults_but_not_without_end),
        pooled_test(limits_the_number_of_nodes),
        pooled_test(demands_no_more_than_methods_reach),
        pooled_test(says_what_a_chip_has_to_prove),
        pooled_test(demands_by_the_type_where_a_node_does_not),
        pooled_test(says_what_follows_from_doubts),
        pooled_test(says_what_follows_from_deviations),
        pooled_test(loads_what_it_compiled),
        pooled_test(keeps_who_may_use_a_token),
        pooled_test(keeps_whether_wallets_give_dates_of_birth),
        pooled_test(refuses_to_load_what_is_not_compiled),
    };

    return unit_run("domain/workflow", tests);
}
