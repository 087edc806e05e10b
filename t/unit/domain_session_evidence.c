/* SPDX-License-Identifier: Apache-2.0 */
/* The state machine: what evidence is worth, and doubts about it. */
#include "unit/session_run.h"

/* An outcome of a document that is worth ASSURANCE and leaves DOUBTS. */
static idv_session_input_t worth(const run_t *run, idv_assurance_t assurance,
                                 unsigned doubts)
{
    static const idv_method_error_t reused = {
        "document_reused", "It was shown before.", "verification_declined"};
    idv_session_input_t input = outcome(run, IDV_METHOD_PASSED);
    idv_method_outcome_t *made = (idv_method_outcome_t *)input.outcome;

    made->assurance = assurance;
    made->doubts = doubts;
    if (doubts) {
        made->verdict = IDV_METHOD_UNDETERMINED;
        made->last_error = &reused;
    }
    return input;
}

static const json_t *last_result(const run_t *run)
{
    json_t *results = idv_json_own(
        json_loads(run->session->results, 0, NULL), run->pool);

    return json_array_get(results, json_array_size(results) - 1);
}

static void evidence_below_the_demand_does_not_pass(void **state)
{
    run_t run = begin_processing(*state), young;
    const json_t *result;

    does(&run, worth(&run, IDV_ASSURANCE_DECODED, 0));
    assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
    assert_string_equal(run.session->last_error.code, "assurance_insufficient");
    assert_string_equal(run.session->runner.checks_failed,
                        "[\"assurance_insufficient\"]");
    result = last_result(&run);
    assert_string_equal(member(result, "status"), "failed");
    assert_string_equal(member(result, "assurance"), "decoded");
    assert_string_equal(member(result, "error_code"), "assurance_insufficient");
    assert_int_equal(run.session->runner.facts.age, -1);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, worth(&run, IDV_ASSURANCE_DECODED,
                     1u << IDV_DOUBT_DOCUMENT_REUSED));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
    assert_string_equal(run.session->last_error.code, "assurance_insufficient");
    assert_false(run.change->effects & IDV_EFFECT_MINT_CREDENTIAL);

    young = begin(simple, *state);
    ((idv_session_t *)young.session)->type = IDV_SESSION_TYPE_AGE;
    does(&young, open_widget);
    does(&young, consent);
    submit(&young, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&young, worth(&young, IDV_ASSURANCE_DECODED, 0));
    assert_int_equal(young.session->status, IDV_STATUS_VERIFIED);
    assert_int_equal(young.session->runner.facts.assurance,
                     IDV_ASSURANCE_DECODED);
}

static const char present[] =
    "{\"name\":\"N\",\"start\":\"id\",\"nodes\":{"
    "\"id\":{\"type\":\"methods\",\"mode\":\"all_of\",\"methods\":[\"mdl\","
    "\"selfie_match\"],\"min_assurance\":\"signed_and_present\","
    "\"max_attempts\":3,\"next\":{\"passed\":\"yes\",\"exhausted\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

/* The match shows it, and the evidence has to be signed; what left evidence
 * unsigned is the reason where it is. */
static void presence_is_demanded_of_the_match(void **state)
{
    run_t run = begin(present, *state);

    does(&run, open_widget);
    does(&run, consent);
    submit(&run, IDV_METHOD_MDL);
    does(&run, worth(&run, IDV_ASSURANCE_DECODED,
                     1u << IDV_DOUBT_UNDETERMINED));
    assert_string_equal(run.session->last_error.code, "document_reused");
    submit(&run, IDV_METHOD_MDL);
    does(&run, worth(&run, IDV_ASSURANCE_SIGNED, 0));
    assert_int_equal(run.session->current_method, IDV_METHOD_SELFIE_MATCH);
    submit(&run, IDV_METHOD_SELFIE_MATCH);
    does(&run, worth(&run, IDV_ASSURANCE_NONE, 0));
    assert_string_equal(run.session->last_error.code, "assurance_insufficient");
    submit(&run, IDV_METHOD_SELFIE_MATCH);
    does(&run, worth(&run, IDV_ASSURANCE_SIGNED_AND_PRESENT, 0));
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    assert_int_equal(run.session->runner.facts.assurance,
                     IDV_ASSURANCE_SIGNED_AND_PRESENT);
    assert_int_equal(run.session->runner.facts.age, 34);
}

static void doubts_are_reviewed(void **state)
{
    run_t run = begin_processing(*state), other = begin_processing(*state);
    idv_credential_t credential;
    int minted;

    does(&run, worth(&run, IDV_ASSURANCE_CONSISTENT,
                     1u << IDV_DOUBT_DOCUMENT_REUSED));
    assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
    announced(&run, 1, IDV_EVENT_REVIEW_FLAGGED, 0);
    assert_string_equal(member(event_object(&run), "reason"),
                        "document_reused");
    assert_true(run.session->runner.document_reused);
    assert_string_equal(member(last_result(&run), "status"), "undetermined");
    assert_int_equal(run.session->runner.verified.count, 0);
    assert_null(run.session->last_error.code);
    does(&run, approve);
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    announced(&run, 2, IDV_EVENT_REVIEW_APPROVED, IDV_EVENT_SESSION_VERIFIED);
    assert_null(run.session->runner.held_method);
    idv_credential_of(run.session, run.workflow, &credential, &minted);
    assert_true(minted);
    assert_int_equal(credential.assurance, IDV_ASSURANCE_CONSISTENT);

    does(&other, worth(&other, IDV_ASSURANCE_CONSISTENT,
                       1u << IDV_DOUBT_UNDETERMINED));
    assert_string_equal(member(event_object(&other), "reason"), "undetermined");
    assert_false(other.session->runner.document_reused);
    does(&other, reject);
    assert_int_equal(other.session->status, IDV_STATUS_FAILED);
    assert_int_equal(other.session->runner.verified.count, 0);
}

static const char two_documents[] =
    "{\"name\":\"N\",\"start\":\"one\",\"nodes\":{"
    "\"one\":{\"type\":\"methods\",\"methods\":[\"document_capture\"],"
    "\"next\":{\"passed\":\"two\",\"exhausted\":\"no\"}},"
    "\"two\":{\"type\":\"methods\",\"methods\":[\"document_capture\"],"
    "\"next\":{\"passed\":\"yes\",\"exhausted\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

/* The outcome of one more document; its facts. */
static idv_method_facts_t *shows(run_t *run, idv_session_input_t *input,
                                 idv_assurance_t assurance, unsigned doubts)
{
    submit(run, IDV_METHOD_DOCUMENT_CAPTURE);
    *input = worth(run, assurance, doubts);
    return &((idv_method_outcome_t *)input->outcome)->facts;
}

static run_t begin_two_documents(apr_pool_t *pool)
{
    run_t run = begin(two_documents, pool);

    ((idv_session_t *)run.session)->type = IDV_SESSION_TYPE_AGE;
    does(&run, open_widget);
    does(&run, consent);
    return run;
}

static void no_document_lends_another_its_worth(void **state)
{
    static const idv_assurance_t orders[][2] = {
        {IDV_ASSURANCE_CONSISTENT, IDV_ASSURANCE_DECODED},
        {IDV_ASSURANCE_DECODED, IDV_ASSURANCE_CONSISTENT}};
    idv_session_input_t input;
    idv_credential_t credential;
    run_t held = begin_two_documents(*state);
    int minted;

    for (int i = 0; i < 2; i++) {
        run_t run = begin_two_documents(*state);

        for (int k = 0; k < 2; k++) {
            int stronger = orders[i][k] == IDV_ASSURANCE_CONSISTENT;
            idv_method_facts_t *facts = shows(&run, &input, orders[i][k], 0);

            facts->age = stronger ? 19 : 90;
            facts->jurisdiction = stronger ? "US-VA" : "US-CA";
            does(&run, input);
        }
        assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
        assert_string_equal(run.session->runner.facts.jurisdiction, "US-VA");
        idv_credential_of(run.session, run.workflow, &credential, &minted);
        assert_true(minted);
        assert_int_equal(credential.assurance, IDV_ASSURANCE_CONSISTENT);
        assert_int_equal(credential.age_over, 19);
    }

    shows(&held, &input, IDV_ASSURANCE_CONSISTENT, 0);
    does(&held, input);
    shows(&held, &input, IDV_ASSURANCE_DECODED,
          1u << IDV_DOUBT_DOCUMENT_REUSED);
    does(&held, input);
    assert_int_equal(held.session->status, IDV_STATUS_UNDER_REVIEW);
    does(&held, approve);
    assert_int_equal(held.session->status, IDV_STATUS_VERIFIED);
    assert_string_equal(member(last_result(&held), "assurance"), "decoded");
}

static void doubts_end_as_the_workflow_says(void **state)
{
    static const struct {
        idv_doubt_action_t action;
        idv_session_status_t status;
        const char *error;
    } rows[] = {
        {IDV_ON_DOUBT_NOTED, IDV_STATUS_VERIFIED, NULL},
        {IDV_ON_DOUBT_REVIEW, IDV_STATUS_UNDER_REVIEW, NULL},
        {IDV_ON_DOUBT_REQUIRES_INPUT, IDV_STATUS_REQUIRES_INPUT,
         "document_reused"},
        {IDV_ON_DOUBT_FAILED, IDV_STATUS_FAILED, "document_reused"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        run_t run = begin_processing(*state);

        run.workflow->on_doubt[IDV_DOUBT_DOCUMENT_REUSED] = rows[i].action;
        does(&run, worth(&run, IDV_ASSURANCE_CONSISTENT,
                         1u << IDV_DOUBT_DOCUMENT_REUSED));
        assert_int_equal(run.session->status, rows[i].status);
        assert_true(run.session->runner.document_reused);
        if (rows[i].error)
            assert_string_equal(run.session->last_error.code, rows[i].error);
        else
            assert_null(run.session->last_error.code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(evidence_below_the_demand_does_not_pass),
        pooled_test(presence_is_demanded_of_the_match),
        pooled_test(doubts_are_reviewed),
        pooled_test(no_document_lends_another_its_worth),
        pooled_test(doubts_end_as_the_workflow_says),
    };

    return unit_run("domain/session_evidence", tests);
}
