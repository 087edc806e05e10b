/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/session_run.h"

#include "core/json.h"
#include "domain/session/session_view.h"

#define STATEMENTS                                                             \
    "[{\"name\":\"age_21\",\"version\":\"2\",\"jurisdictions\":[\"us\"],"        \
    "\"texts\":{\"en\":\"I am 21.\"}},"                                        \
    "{\"name\":\"age_18\",\"version\":\"1\",\"texts\":{\"en\":\"I am 18.\","     \
    "\"de\":\"Ich bin 18.\"}}]"
#define GRAPH                                                                  \
    "\"start\":\"id\",\"nodes\":{\"id\":{\"type\":\"methods\",\"mode\":"       \
    "\"all_of\",\"methods\":[\"self_attestation\",\"document_capture\"],"      \
    "\"next\":{\"passed\":\"yes\",\"exhausted\":\"no\"}},"                     \
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"                  \
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}"

static const char with_statements[] =
    "{\"name\":\"N\",\"statements\":" STATEMENTS "," GRAPH "}";
static const char without[] = "{\"name\":\"N\"," GRAPH "}";

/* The fault of a definition with these statements and settings: "pointer
 * rule message", or "". */
static const char *fault_of(const char *statements, const char *settings,
                            apr_pool_t *pool)
{
    const char *text =
        apr_pstrcat(pool, "{\"name\":\"N\",\"statements\":", statements, ",",
                    settings, GRAPH "}", NULL);
    apr_array_header_t *faults;
    const idv_workflow_fault_t *fault;
    idv_workflow_t *workflow;

    idv_workflow_compile(idv_json_own(json_loads(text, 0, NULL), pool),
                         &workflow, &faults, pool);
    if (!faults->nelts)
        return "";
    assert_int_equal(faults->nelts, 1);
    fault = &APR_ARRAY_IDX(faults, 0, idv_workflow_fault_t);
    return apr_pstrcat(pool, fault->pointer, " ", fault->rule, " ",
                       fault->message, NULL);
}

static void refuses_what_is_no_statement(void **state)
{
    static const struct {
        const char *statements, *settings, *pointer;
    } cases[] = {
        {STATEMENTS, "", ""},
        {"[]", "", "/statements statement_count "},
        {"{}", "", "/statements statement_count "},
        {"[1]", "", "/statements/0 object "},
        {"[{\"name\":\"a\",\"version\":\"1\",\"text\":{}}]", "",
         "/statements/0/text unknown_key "},
        {"[{\"name\":\"a b\",\"version\":\"1\",\"texts\":{\"en\":\"x\"}}]", "",
         "/statements/0/name statement_name "},
        {"[{\"name\":\"a\",\"version\":1,\"texts\":{\"en\":\"x\"}}]", "",
         "/statements/0/version statement_version "},
        {"[{\"name\":\"a\",\"version\":\"1\",\"texts\":{}}]", "",
         "/statements/0/texts statement_texts "},
        {"[{\"name\":\"a\",\"version\":\"1\",\"texts\":{\"english\":\"x\"}}]", "",
         "/statements/0/texts statement_text "},
        {"[{\"name\":\"a\",\"version\":\"1\",\"texts\":{\"en\":\"\"}}]", "",
         "/statements/0/texts statement_text "},
        {"[{\"name\":\"a\",\"version\":\"1\",\"jurisdictions\":[\"XX1\"],"
         "\"texts\":{\"en\":\"x\"}}]",
         "", "/statements/0/jurisdictions unknown_jurisdiction "},
        {"[{\"name\":\"a\",\"version\":\"1\",\"texts\":{\"en\":\"x\"}},"
         "{\"name\":\"a\",\"version\":\"2\",\"texts\":{\"en\":\"y\"}}]",
         "", "/statements/1/name twice "},
        {"[{\"name\":\"a\",\"version\":\"1\",\"jurisdictions\":[\"US\"],"
         "\"texts\":{\"en\":\"x\"}}]",
         "", "/statements statement_for_all_missing The workflow is for all"},
        {"[{\"name\":\"a\",\"version\":\"1\",\"jurisdictions\":[\"US\"],"
         "\"texts\":{\"en\":\"x\"}}]",
         "\"jurisdictions\":[\"US-CA\",\"DE\"],", "/statements statement_missing No statement is for DE"},
        {"[{\"name\":\"a\",\"version\":\"1\",\"jurisdictions\":[\"US\"],"
         "\"texts\":{\"en\":\"x\"}}]",
         "\"jurisdictions\":[\"US-CA\"],", ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *fault =
            fault_of(cases[i].statements, cases[i].settings, *state);

        if (strncmp(fault, cases[i].pointer, strlen(cases[i].pointer))
            || (!*cases[i].pointer && *fault))
            fail_msg("%s: %s", cases[i].statements, fault);
    }
}

static void keeps_them_compiled(void **state)
{
    run_t run = begin(with_statements, *state);
    json_t *compiled =
        idv_json_own(idv_workflow_json(run.workflow), run.pool);
    idv_workflow_t *loaded;

    assert_null(idv_workflow_load(compiled, &loaded, run.pool));
    assert_int_equal(loaded->statements.count, 2);
    assert_string_equal(idv_statement_for(&loaded->statements, "US-CA")->name,
                        "age_21");
    assert_string_equal(idv_statement_for(&loaded->statements, "DE")->name,
                        "age_18");
    assert_string_equal(idv_statement_for(&loaded->statements, NULL)->name,
                        "age_18");
    run = begin(without, *state);
    compiled = idv_json_own(idv_workflow_json(run.workflow), run.pool);
    assert_null(json_object_get(compiled, "statements"));
    assert_null(idv_workflow_load(compiled, &loaded, run.pool));
    assert_string_equal(idv_statement_for(&loaded->statements, "DE")->name,
                        "truthful");
}

static run_t begin_declaring(const char *text, apr_pool_t *pool)
{
    run_t run = begin(text, pool);

    does(&run, open_widget);
    does(&run, consent);
    return run;
}

static void keeps_what_was_declared(void **state)
{
    run_t run = begin_declaring(with_statements, *state);
    const json_t *entry, *statement;

    does(&run, (idv_session_input_t){.type = IDV_INPUT_SUBMIT,
                                     .method = IDV_METHOD_SELF_ATTESTATION,
                                     .statement = "age_18",
                                     .language = "de"});
    assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
    assert_int_equal(run.session->current_method, IDV_METHOD_DOCUMENT_CAPTURE);
    assert_int_equal(run.change->effects, 0);
    entry = json_array_get(parsed(run.session->results, run.pool), 0);
    assert_string_equal(member(entry, "method"), "self_attestation");
    assert_string_equal(member(entry, "status"), "passed");
    statement = json_object_get(entry, "statement");
    assert_string_equal(member(statement, "name"), "age_18");
    assert_string_equal(member(statement, "version"), "1");
    assert_string_equal(member(statement, "language"), "de");
    /* printf 'Ich bin 18.' | sha256sum */
    assert_string_equal(
        member(statement, "sha256"),
        "4e022afb50332925d5b3a2d7ac66458a66eafb97faa97f951f2e7d871f7833ab");
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    assert_int_equal(run.session->runner.facts.age, 34);
}

static void refuses_another_declaration(void **state)
{
    run_t run = begin_declaring(with_statements, *state);
    idv_session_input_t input = {.type = IDV_INPUT_SUBMIT,
                                 .method = IDV_METHOD_SELF_ATTESTATION};

    is_refused(&run, input, IDV_E_PARAMETER_INVALID, "statement");
    input.statement = "age_21"; /* of another jurisdiction */
    is_refused(&run, input, IDV_E_PARAMETER_INVALID, "statement");
    input.statement = "age_18";
    input.language = "fr";
    is_refused(&run, input, IDV_E_PARAMETER_INVALID, "language");
    input.method = IDV_METHOD_DOCUMENT_CAPTURE;
    input.images[0] = "front";
    input.image_count = 1;
    is_refused(&run, input, IDV_E_PARAMETER_INVALID, "statement");
}

static void shows_what_is_to_be_declared(void **state)
{
    run_t run = begin_declaring(with_statements, *state);
    const char *view =
        idv_session_widget_text(run.session, run.workflow, NULL, run.pool);
    const json_t *statement =
        json_object_get(parsed(view, run.pool), "statement");

    assert_string_equal(member(statement, "name"), "age_18");
    assert_string_equal(member(json_object_get(statement, "texts"), "de"),
                        "Ich bin 18.");
    does(&run, (idv_session_input_t){.type = IDV_INPUT_SUBMIT,
                                     .method = IDV_METHOD_SELF_ATTESTATION,
                                     .statement = "age_18"});
    view = idv_session_widget_text(run.session, run.workflow, NULL, run.pool);
    assert_true(json_is_null(
        json_object_get(parsed(view, run.pool), "statement")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(refuses_what_is_no_statement),
        pooled_test(keeps_them_compiled),
        pooled_test(keeps_what_was_declared),
        pooled_test(refuses_another_declaration),
        pooled_test(shows_what_is_to_be_declared),
    };

    return unit_run("domain/statement", tests);
}
