/* SPDX-License-Identifier: Apache-2.0 */
/* What a session counts when it ends before it was verified. */
#include "unit/session_run.h"

static const char reviewed[] =
    "{\"name\":\"N\",\"start\":\"id\",\"nodes\":{"
    "\"id\":{\"type\":\"methods\",\"methods\":[\"document_capture\"],"
    "\"max_attempts\":2,\"next\":{\"passed\":\"hold\",\"exhausted\":\"no\"}},"
    "\"hold\":{\"type\":\"review\",\"next\":{\"approved\":\"yes\","
    "\"rejected\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

static const char declared[] =
    "{\"name\":\"N\",\"start\":\"word\",\"nodes\":{"
    "\"word\":{\"type\":\"methods\",\"methods\":[\"self_attestation\"],"
    "\"next\":{\"passed\":\"id\",\"exhausted\":\"no\"}},"
    "\"id\":{\"type\":\"methods\",\"methods\":[\"document_capture\"],"
    "\"next\":{\"passed\":\"yes\",\"exhausted\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

#define MONEY                                                                  \
    (IDV_EFFECT_COUNT_VERIFICATION | IDV_EFFECT_UNCOUNT_VERIFICATION           \
     | IDV_EFFECT_NOTE_REJECTION)

/* A session whose document has brought VERDICT. */
static run_t begin_shown(const char *text, idv_method_verdict_t verdict,
                         apr_pool_t *pool)
{
    run_t run = begin(text, pool);

    does(&run, open_widget);
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, verdict));
    assert_false(run.change->effects & MONEY);
    return run;
}

static void ends(run_t run, idv_session_input_t input, unsigned effects)
{
    does(&run, input);
    assert_false(idv_session_status_open(run.session->status));
    assert_int_equal(run.change->effects & MONEY, effects);
    assert_int_equal(run.session->runner.counted,
                     effects == IDV_EFFECT_COUNT_VERIFICATION);
    assert_false(idv_session_was_verified(run.session));
}

static void counts_a_cancel_after_evidence(void **state)
{
    run_t held = begin_shown(reviewed, IDV_METHOD_PASSED, *state);
    run_t way = begin(definition, *state);

    assert_int_equal(held.session->status, IDV_STATUS_UNDER_REVIEW);
    ends(held, cancel, IDV_EFFECT_COUNT_VERIFICATION);

    does(&way, open_widget);
    does(&way, checks_result(IDV_RISK_LOW));
    does(&way, consent);
    submit(&way, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&way, outcome(&way, IDV_METHOD_PASSED));
    ends(way, cancel, IDV_EFFECT_COUNT_VERIFICATION);
    submit(&way, IDV_METHOD_SELFIE_LIVENESS);
    ends(way, cancel, IDV_EFFECT_COUNT_VERIFICATION);
}

static void counts_no_cancel_before_it(void **state)
{
    run_t created = begin(reviewed, *state);
    run_t failed = begin_shown(reviewed, IDV_METHOD_FAILED, *state);
    run_t unread = begin_shown(reviewed, IDV_METHOD_UNREADABLE, *state);

    ends(created, cancel, 0);
    ends(failed, cancel, 0);
    ends(unread, cancel, 0);
    ends(begin_held(*state), cancel, 0);
}

static void counts_no_declaration(void **state)
{
    run_t run = begin(declared, *state);

    does(&run, open_widget);
    does(&run, consent);
    does(&run,
         (idv_session_input_t){
             .type = IDV_INPUT_SUBMIT,
             .method = IDV_METHOD_SELF_ATTESTATION,
             .statement =
                 idv_statement_for(&run.workflow->statements, NULL)->name});
    assert_int_equal(run.session->runner.verified.count, 1);
    ends(run, cancel, 0);
}

static void counts_nothing_that_is_left_or_expires(void **state)
{
    run_t run = begin(definition, *state);

    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_LOW));
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    ends(run, leave, 0);
    run.now += IDV_DAY;
    ends(run, expire, 0);
}

static void notes_what_a_review_fails(void **state)
{
    run_t held = begin_shown(reviewed, IDV_METHOD_PASSED, *state);
    run_t before = begin_held(*state);

    ends(held, reject, IDV_EFFECT_NOTE_REJECTION);
    held.now = held.session->review_deadline;
    ends(held, review_timer, IDV_EFFECT_NOTE_REJECTION);
    ends(before, reject, 0);
    before.now = before.session->review_deadline;
    ends(before, review_timer, 0);
}

/* What a later review does to it is in domain_session_step.c. */
static void counts_what_was_verified_once(void **state)
{
    run_t run = begin_shown(reviewed, IDV_METHOD_PASSED, *state);

    does(&run, approve);
    assert_int_equal(run.change->effects & MONEY,
                     IDV_EFFECT_COUNT_VERIFICATION);
    assert_true(idv_session_was_verified(run.session));
    does(&run, flag);
    does(&run, cancel);
    assert_int_equal(run.change->effects & MONEY, 0);
    assert_true(idv_session_was_verified(run.session));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(counts_a_cancel_after_evidence),
        pooled_test(counts_no_cancel_before_it),
        pooled_test(counts_no_declaration),
        pooled_test(counts_nothing_that_is_left_or_expires),
        pooled_test(notes_what_a_review_fails),
        pooled_test(counts_what_was_verified_once),
    };

    return unit_run("domain/session billing", tests);
}
