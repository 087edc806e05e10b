/* SPDX-License-Identifier: Apache-2.0 */
/* The state machine: every transition of the interface. */
#include "domain/session/session_results.h"
#include "domain/session/session_way.h"
#include "unit/session_run.h"

static void opens_once(void **state)
{
    run_t run = begin(simple, *state);

    does(&run, open_widget);
    assert_int_equal(run.session->status, IDV_STATUS_PENDING);
    assert_int_equal(run.session->current_method, IDV_METHOD_DOCUMENT_CAPTURE);
    assert_int_equal(idv_session_attempts_remaining(run.session, run.workflow),
                     2);
    announced(&run, 0, 0, 0);
    changes_nothing(&run, open_widget);
}

static void asks_for_consent_before_a_submission(void **state)
{
    run_t run = begin(simple, *state);
    idv_session_input_t input = {.type = IDV_INPUT_SUBMIT,
                                 .method = IDV_METHOD_DOCUMENT_CAPTURE,
                                 .images = {"front"},
                                 .image_count = 1};
    idv_session_input_t sharing = consent, refusal = consent;

    is_refused(&run, input, IDV_E_SESSION_STATE_CONFLICT, NULL);
    does(&run, open_widget);
    is_refused(&run, input, IDV_E_SESSION_STATE_CONFLICT, NULL);
    refusal.consent = 0;
    is_refused(&run, refusal, IDV_E_PARAMETER_INVALID, "consent");
    does(&run, consent);
    assert_int_equal(run.session->consented_at, NOW);
    changes_nothing(&run, consent);
    sharing.share = 1;
    run.now += IDV_SECOND;
    does(&run, sharing);
    assert_true(run.session->share_consent);
    assert_int_equal(run.session->consented_at, NOW);
    does(&run, input);
    is_refused(&run, input, IDV_E_SESSION_STATE_CONFLICT, NULL);
}

static void lets_nobody_change_their_mind_for_ever(void **state)
{
    run_t run = begin(simple, *state);
    idv_session_input_t mind = consent;

    does(&run, open_widget);
    while (run.session->revision < IDV_SESSION_CONSENT_REVISION_MAX) {
        does(&run, mind);
        mind.share = !mind.share;
    }
    is_refused(&run, mind, IDV_E_SESSION_STATE_CONFLICT, NULL);
    mind.share = !mind.share;
    changes_nothing(&run, mind);
}

static void checks_what_is_submitted(void **state)
{
    static const struct {
        idv_method_t method;
        const char *images[2];
        int count;
        const char *param;
    } cases[] = {
        {IDV_METHOD_MDL, {NULL}, 0, "method"},
        {IDV_METHOD_NONE, {NULL}, 0, "method"},
        {IDV_METHOD_DOCUMENT_CAPTURE, {NULL}, 0, "images"},
        {IDV_METHOD_DOCUMENT_CAPTURE, {"front", "back"}, 3, "images[2]"},
        {IDV_METHOD_DOCUMENT_CAPTURE, {"back"}, 1, "images"},
        {IDV_METHOD_DOCUMENT_CAPTURE, {"side"}, 1, "images[0]"},
        {IDV_METHOD_DOCUMENT_CAPTURE, {"front", "front"}, 2, "images[1]"},
        {IDV_METHOD_DOCUMENT_CAPTURE, {"front", NULL}, 2, "images[1]"},
    };
    run_t run = begin(simple, *state);

    does(&run, open_widget);
    does(&run, consent);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        is_refused(&run,
                   (idv_session_input_t){
                       .type = IDV_INPUT_SUBMIT,
                       .method = cases[i].method,
                       .images = {cases[i].images[0], cases[i].images[1]},
                       .image_count = cases[i].count},
                   IDV_E_PARAMETER_INVALID, cases[i].param);
    does(&run, (idv_session_input_t){.type = IDV_INPUT_SUBMIT,
                                     .method = IDV_METHOD_DOCUMENT_CAPTURE,
                                     .images = {"back", "front"},
                                     .image_count = 2});
}

static void verifies(void **state)
{
    run_t run = begin_verified(*state);
    json_t *snapshot = event_object(&run);

    announced(&run, 1, IDV_EVENT_SESSION_VERIFIED, 0);
    assert_int_equal(run.change->effects, IDV_EFFECT_PURGE_EVIDENCE
                                              | IDV_EFFECT_MINT_CREDENTIAL
                                              | IDV_EFFECT_COUNT_VERIFICATION);
    assert_int_equal(run.session->completed_at, NOW);
    assert_int_equal(run.session->current_method, IDV_METHOD_NONE);
    assert_string_equal(member(snapshot, "status"), "verified");
    assert_true(json_is_null(json_object_get(snapshot, "last_error")));
    assert_true(json_is_null(json_object_get(snapshot, "verification_path")));
    assert_int_equal(json_array_size(parsed(run.session->results, run.pool)), 1);
    assert_true(idv_session_secret_usable(run.session, NOW + IDV_HOUR - 1));
    assert_false(idv_session_secret_usable(run.session, NOW + IDV_HOUR));
}

/* An image is taken exactly where a submission is. */
static void awaits_nothing_beside_methods_and_time(void **state)
{
    run_t screened = begin(definition, *state), late = begin(simple, *state);
    idv_error_t *error;

    does(&screened, open_widget);
    does(&screened, consent);
    error = idv_session_check_awaiting(screened.session, screened.workflow,
                                       screened.now, screened.pool);
    assert_non_null(error);
    assert_int_equal(error->code, IDV_E_SESSION_STATE_CONFLICT);
    does(&screened, checks_result(IDV_RISK_LOW));
    assert_null(idv_session_check_awaiting(screened.session, screened.workflow,
                                           screened.now, screened.pool));
    does(&late, open_widget);
    does(&late, consent);
    late.now = late.session->expires_at;
    error = idv_session_check_awaiting(late.session, late.workflow, late.now,
                                       late.pool);
    assert_non_null(error);
    assert_int_equal(error->code, IDV_E_SESSION_TERMINAL);
}

static void uses_up_attempts(void **state)
{
    run_t run = begin_processing(*state);

    does(&run, outcome(&run, IDV_METHOD_FAILED));
    assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
    assert_int_equal(idv_session_attempts_remaining(run.session, run.workflow),
                     1);
    assert_string_equal(
        json_string_value(
            json_array_get(
                parsed(run.session->runner.checks_failed, run.pool), 0)),
        "document_expired");
    announced(&run, 0, 0, 0);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_FAILED));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
    announced(&run, 1, IDV_EVENT_SESSION_FAILED, 0);
    assert_int_equal(run.change->effects, IDV_EFFECT_PURGE_EVIDENCE);
    assert_string_equal(member(json_object_get(event_object(&run),
                                               "last_error"),
                               "code"),
                        "document_expired");
    assert_int_equal(json_array_size(parsed(run.session->results, run.pool)), 2);
}

static void asks_again_for_the_unreadable(void **state)
{
    run_t run = begin_processing(*state);

    ((idv_workflow_t *)run.workflow)->on_doubt[IDV_DOUBT_UNREADABLE] =
        IDV_ON_DOUBT_FAILED;
    for (int i = 1; i < IDV_WORKFLOW_UNREADABLE_DEFAULT; i++) {
        does(&run, outcome(&run, IDV_METHOD_UNREADABLE));
        assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
        assert_string_equal(run.session->runner.hint, "blurred");
        assert_int_equal(run.session->runner.attempts, 0);
        assert_int_equal(run.session->runner.unreadable, i);
        submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
        assert_null(run.session->runner.hint);
    }
    does(&run, outcome(&run, IDV_METHOD_UNREADABLE));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
    assert_string_equal(run.session->last_error.code,
                        "unreadable_attempts_exceeded");
}

/* Documents that nobody here can read go where the workflow says: by default, an age
 * is for a reviewer to find out, who sees the pictures. */
static void unreadable_documents_come_to_an_end(void **state)
{
    static const struct {
        idv_session_type_t type;
        idv_doubt_action_t action;
        idv_session_status_t status;
        int attempts;
    } rows[] = {
        {IDV_SESSION_TYPE_AGE, IDV_ON_DOUBT_REVIEW, IDV_STATUS_UNDER_REVIEW, 0},
        {IDV_SESSION_TYPE_IDENTITY, IDV_ON_DOUBT_REVIEW, IDV_STATUS_FAILED, 0},
        {IDV_SESSION_TYPE_AGE, IDV_ON_DOUBT_REQUIRES_INPUT,
         IDV_STATUS_REQUIRES_INPUT, 1},
        {IDV_SESSION_TYPE_AGE, IDV_ON_DOUBT_FAILED, IDV_STATUS_FAILED, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        run_t run = begin_processing(*state);

        ((idv_session_t *)run.session)->type = rows[i].type;
        ((idv_workflow_t *)run.workflow)->on_doubt[IDV_DOUBT_UNREADABLE] =
            rows[i].action;
        for (int k = 1; k < IDV_WORKFLOW_UNREADABLE_DEFAULT; k++) {
            does(&run, outcome(&run, IDV_METHOD_UNREADABLE));
            submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
        }
        does(&run, outcome(&run, IDV_METHOD_UNREADABLE));
        assert_int_equal(run.session->status, rows[i].status);
        assert_int_equal(run.session->runner.unreadable, 0);
        assert_int_equal(run.session->runner.attempts, rows[i].attempts);
        if (rows[i].status == IDV_STATUS_UNDER_REVIEW)
            assert_string_equal(run.session->runner.review_reason,
                                "unreadable");
    }
}

/* Nothing of what was sent counts, since nobody could look at it. */
static void counts_nothing_against_the_person(const run_t *run)
{
    const idv_session_t *session = run->session;

    assert_int_equal(session->runner.attempts, 0);
    assert_int_equal(session->runner.unreadable, 0);
    assert_int_equal(session->runner.document_reused, 0);
    assert_int_equal(session->runner.document_traces, 0);
    assert_int_equal(session->runner.counted, 0);
    assert_null(session->runner.checks_failed);
    assert_null(session->verification_result);
    assert_null(session->results);
    assert_int_equal(run->change->effects & IDV_EFFECT_COUNT_VERIFICATION, 0);
}

/* A reader that gets too little of the machine says nothing about the person.
 * The session ends as failed, which is the only status that has a last_error,
 * and its category tells the customer that nobody was declined. */
static void forgives_technical_failures(void **state)
{
    run_t run = begin_processing(*state);
    idv_session_input_t input = {.type = IDV_INPUT_ANALYSIS_FAILED};

    for (int i = 1; i < IDV_SESSION_TECHNICAL_FAILURES_MAX; i++) {
        input.submission = run.session->runner.submission;
        does(&run, input);
        assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
        assert_string_equal(run.session->runner.hint, "try_again");
        counts_nothing_against_the_person(&run);
        announced(&run, 0, 0, 0);
        submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    }
    input.submission = run.session->runner.submission;
    does(&run, input);
    announced(&run, 1, IDV_EVENT_SESSION_FAILED, 0);
    assert_string_equal(run.session->last_error.code, "processing_error");
    assert_string_equal(run.session->last_error.category, "technical_error");
    counts_nothing_against_the_person(&run);
}

/* Whatever was read in between ends a row of technical failures. */
static void counts_technical_failures_in_a_row(void **state)
{
    run_t run = begin_processing(*state);
    idv_session_input_t input = {.type = IDV_INPUT_ANALYSIS_FAILED};

    for (int i = 0; i < 2 * IDV_SESSION_TECHNICAL_FAILURES_MAX; i++) {
        if (i % (IDV_SESSION_TECHNICAL_FAILURES_MAX - 1) == 0 && i > 0) {
            does(&run, outcome(&run, IDV_METHOD_UNREADABLE));
            assert_int_equal(run.session->runner.technical_failures, 0);
            submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
        }
        input.submission = run.session->runner.submission;
        does(&run, input);
        assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
        submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    }
    assert_int_equal(run.session->runner.attempts, 0);
}

static void ignores_what_comes_too_late(void **state)
{
    run_t run = begin_processing(*state);
    idv_session_input_t first = outcome(&run, IDV_METHOD_PASSED);
    idv_session_input_t failure = {.type = IDV_INPUT_ANALYSIS_FAILED,
                                   .submission = 1};

    does(&run, outcome(&run, IDV_METHOD_UNREADABLE));
    changes_nothing(&run, first);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    changes_nothing(&run, first);
    changes_nothing(&run, failure);
    does(&run, cancel);
    changes_nothing(&run, outcome(&run, IDV_METHOD_PASSED));
    changes_nothing(&run, checks_result(IDV_RISK_LOW));
    run.now += 30 * IDV_DAY;
    changes_nothing(&run, expire);
    changes_nothing(&run, review_timer);
}

static void cancels_every_open_status(void **state)
{
    run_t runs[] = {
        begin(simple, *state), begin(simple, *state), begin_processing(*state),
        begin_processing(*state), begin_held(*state),
    };
    static const idv_session_status_t statuses[] = {
        IDV_STATUS_CREATED, IDV_STATUS_PENDING, IDV_STATUS_PROCESSING,
        IDV_STATUS_REQUIRES_INPUT, IDV_STATUS_UNDER_REVIEW,
    };

    does(&runs[1], open_widget);
    does(&runs[3], outcome(&runs[3], IDV_METHOD_UNREADABLE));
    for (int i = 0; i < 5; i++) {
        run_t *run = &runs[i];

        assert_int_equal(run->session->status, statuses[i]);
        does(run, cancel);
        assert_int_equal(run->session->status, IDV_STATUS_CANCELLED);
        assert_int_equal(run->session->cancelled_at, NOW);
        assert_int_equal(run->session->completed_at, 0);
        assert_true(run->change->effects & IDV_EFFECT_PURGE_EVIDENCE);
        announced(run, 1, IDV_EVENT_SESSION_CANCELLED, 0);
        run->now += IDV_MINUTE;
        changes_nothing(run, cancel);
        assert_int_equal(run->session->cancelled_at, NOW);
        is_refused(run, satisfy, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
        is_refused(run, consent, IDV_E_SESSION_TERMINAL, NULL);
        is_refused(run, flag, IDV_E_SESSION_NOT_FLAGGABLE, NULL);
    }
}

/* What the person may leave; a hold is not among it. */
static void lets_the_person_leave_what_is_not_held(void **state)
{
    run_t open = begin(simple, *state), verified = begin_verified(*state);
    run_t held = begin_held(*state), flagged = begin_verified(*state);

    does(&open, leave);
    assert_int_equal(open.session->status, IDV_STATUS_CANCELLED);
    announced(&open, 1, IDV_EVENT_SESSION_CANCELLED, 0);
    changes_nothing(&open, leave);
    is_refused(&verified, leave, IDV_E_SESSION_TERMINAL, NULL);
    is_refused(&held, leave, IDV_E_SESSION_STATE_CONFLICT, NULL);
    does(&flagged, flag);
    is_refused(&flagged, leave, IDV_E_SESSION_STATE_CONFLICT, NULL);
    is_refused(&flagged, consent, IDV_E_SESSION_STATE_CONFLICT, NULL);
    does(&held, approve);
    does(&held, leave);
    assert_int_equal(held.session->status, IDV_STATUS_CANCELLED);
}

static void refuses_to_cancel_the_ended(void **state)
{
    run_t verified = begin_verified(*state), expired = begin(simple, *state);
    run_t failed = begin(definition, *state);

    expired.now += IDV_DAY;
    does(&expired, expire);
    does(&failed, open_widget);
    does(&failed, checks_result(IDV_RISK_HIGH));
    assert_int_equal(failed.session->status, IDV_STATUS_FAILED);
    assert_string_equal(failed.session->last_error.code,
                        "verification_declined");
    is_refused(&verified, cancel, IDV_E_SESSION_TERMINAL, NULL);
    is_refused(&failed, cancel, IDV_E_SESSION_TERMINAL, NULL);
    is_refused(&expired, cancel, IDV_E_SESSION_TERMINAL, NULL);
}

static void expires(void **state)
{
    run_t run = begin_processing(*state);
    idv_session_input_t late = outcome(&run, IDV_METHOD_PASSED);

    run.now = NOW + IDV_DAY - 1;
    changes_nothing(&run, expire);
    run.now++;
    is_refused(&run, consent, IDV_E_SESSION_TERMINAL, NULL);
    is_refused(&run, satisfy, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
    does(&run, expire);
    assert_int_equal(run.session->status, IDV_STATUS_EXPIRED);
    announced(&run, 1, IDV_EVENT_SESSION_EXPIRED, 0);
    assert_int_equal(run.change->effects, IDV_EFFECT_PURGE_EVIDENCE);
    changes_nothing(&run, expire);
    changes_nothing(&run, late);
    changes_nothing(&run, open_widget);
}

static void holds_and_approves_before_the_finish(void **state)
{
    run_t run = begin_held(*state);
    json_t *review;

    announced(&run, 1, IDV_EVENT_REVIEW_FLAGGED, 0);
    assert_int_equal(run.change->effects, IDV_EFFECT_OPEN_REVIEW);
    assert_int_equal(run.session->review_deadline, NOW + 10 * IDV_HOUR);
    review = event_object(&run);
    assert_string_equal(member(review, "session_id"), "vks_1");
    assert_true(json_is_null(json_object_get(review, "decision_evidence")));
    run.now += 5 * IDV_HOUR;
    does(&run, escalate);
    assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
    announced(&run, 1, IDV_EVENT_REVIEW_ESCALATED, 0);
    does(&run, approve);
    assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
    announced(&run, 1, IDV_EVENT_REVIEW_APPROVED, 0);
    assert_int_equal(run.change->effects,
                     IDV_EFFECT_RESOLVE_REVIEW | IDV_EFFECT_PURGE_EVIDENCE);
    review = event_object(&run);
    assert_string_equal(member(json_object_get(review, "decision_evidence"),
                               "decided_by"),
                        "reviewer");
    assert_int_equal(run.session->expires_at, NOW + IDV_DAY + 5 * IDV_HOUR);
    assert_int_equal(run.session->review_deadline, 0);
    is_refused(&run, approve, IDV_E_SESSION_STATE_CONFLICT, NULL);
    is_refused(&run, reject, IDV_E_SESSION_STATE_CONFLICT, NULL);
    is_refused(&run, escalate, IDV_E_SESSION_STATE_CONFLICT, NULL);
}

static void does_not_expire_under_review(void **state)
{
    run_t run = begin_held(*state);

    run.now += 9 * IDV_DAY;
    changes_nothing(&run, expire);
    does(&run, approve);
    assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
    assert_int_equal(run.session->expires_at, run.now + IDV_DAY);
}

/* A rejection leaves the review by its exit, to the outcome that the exit names. */
static void went_by_rejection(const run_t *run)
{
    json_t *way = idv_session_way_json(run->session, run->workflow, run->pool);
    json_t *nodes = json_object_get(way, "nodes");
    size_t count = json_array_size(nodes);
    json_t *left = json_array_get(nodes, count - 2);

    assert_true(json_is_true(json_object_get(way, "is_whole")));
    assert_string_equal(member(json_array_get(nodes, count - 1), "node"), "no");
    assert_string_equal(member(left, "node"), "hold");
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(left, "exits"), 0)),
        "rejected");
}

static void rejects(void **state)
{
    run_t by_person = begin_held(*state), by_timer = begin_held(*state);
    json_t *evidence;

    does(&by_person, reject);
    assert_int_equal(by_person.session->status, IDV_STATUS_FAILED);
    announced(&by_person, 2, IDV_EVENT_REVIEW_REJECTED,
              IDV_EVENT_SESSION_FAILED);
    assert_string_equal(by_person.session->last_error.code,
                        "verification_declined");

    by_timer.now = NOW + 10 * IDV_HOUR - 1;
    changes_nothing(&by_timer, review_timer);
    by_timer.now++;
    does(&by_timer, review_timer);
    announced(&by_timer, 2, IDV_EVENT_REVIEW_REJECTED,
              IDV_EVENT_SESSION_FAILED);
    evidence = json_object_get(event_object(&by_timer), "decision_evidence");
    assert_string_equal(member(evidence, "decided_by"), "system_timeout");
    changes_nothing(&by_timer, review_timer);
    went_by_rejection(&by_person);
    went_by_rejection(&by_timer);
}

static void flags_a_verified_session(void **state)
{
    run_t run = begin_verified(*state);
    run_t other = begin_verified(*state);

    run.now += IDV_HOUR;
    does(&run, flag);
    assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
    announced(&run, 1, IDV_EVENT_REVIEW_FLAGGED, 0);
    assert_int_equal(run.session->review_deadline, run.now + 72 * IDV_HOUR);
    assert_string_equal(member(event_object(&run), "reason"),
                        "looks odd");
    is_refused(&run, flag, IDV_E_SESSION_NOT_FLAGGABLE, NULL);
    does(&run, approve);
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    announced(&run, 2, IDV_EVENT_REVIEW_APPROVED, IDV_EVENT_SESSION_VERIFIED);
    assert_int_equal(run.change->effects,
                     IDV_EFFECT_RESOLVE_REVIEW | IDV_EFFECT_PURGE_EVIDENCE);
    assert_int_equal(run.session->completed_at, NOW);

    does(&other, flag);
    does(&other, reject);
    assert_int_equal(other.session->status, IDV_STATUS_FAILED);
    assert_int_equal(other.change->effects,
                     IDV_EFFECT_RESOLVE_REVIEW | IDV_EFFECT_PURGE_EVIDENCE
                         | IDV_EFFECT_REVOKE_CREDENTIAL
                         | IDV_EFFECT_UNCOUNT_VERIFICATION);
}

/* A cancel and a timeout take the credential, and give nothing back. */
static void keeps_what_was_announced_counted(void **state)
{
    run_t cancelled = begin_verified(*state), late = begin_verified(*state);
    run_t again = begin_verified(*state), tested = begin_verified(*state);

    does(&cancelled, flag);
    does(&cancelled, cancel);
    assert_int_equal(cancelled.session->status, IDV_STATUS_CANCELLED);
    assert_int_equal(cancelled.change->effects,
                     IDV_EFFECT_RESOLVE_REVIEW | IDV_EFFECT_PURGE_EVIDENCE
                         | IDV_EFFECT_REVOKE_CREDENTIAL);
    assert_true(cancelled.session->runner.counted);

    does(&late, flag);
    late.now = late.session->review_deadline;
    does(&late, review_timer);
    assert_int_equal(late.session->status, IDV_STATUS_FAILED);
    assert_int_equal(late.change->effects,
                     IDV_EFFECT_RESOLVE_REVIEW | IDV_EFFECT_PURGE_EVIDENCE
                         | IDV_EFFECT_REVOKE_CREDENTIAL);
    assert_true(late.session->runner.counted);

    does(&tested, flag);
    does(&tested, (idv_session_input_t){.type = IDV_INPUT_REVIEW_REJECT,
                                        .decided_by = "test_outcome",
                                        .is_test = 1});
    assert_int_equal(tested.session->status, IDV_STATUS_FAILED);
    assert_int_equal(tested.change->effects,
                     IDV_EFFECT_RESOLVE_REVIEW | IDV_EFFECT_PURGE_EVIDENCE
                         | IDV_EFFECT_REVOKE_CREDENTIAL);

    for (int i = 0; i < 3; i++) {
        does(&again, flag);
        assert_int_equal(again.change->effects, IDV_EFFECT_OPEN_REVIEW);
        does(&again, approve);
        assert_int_equal(again.change->effects,
                         IDV_EFFECT_RESOLVE_REVIEW | IDV_EFFECT_PURGE_EVIDENCE);
    }
    does(&again, flag);
    does(&again, reject);
    assert_true(again.change->effects & IDV_EFFECT_UNCOUNT_VERIFICATION);
    assert_false(again.session->runner.counted);
    is_refused(&again, flag, IDV_E_SESSION_NOT_FLAGGABLE, NULL);
}

/* What was never announced was never counted: there is nothing to undo. */
static void gives_nothing_back_of_what_was_not_verified(void **state)
{
    run_t runs[] = {begin_held(*state), begin_held(*state), begin_held(*state)};
    const idv_session_input_t ends[] = {reject, cancel, review_timer};

    for (int i = 0; i < 3; i++) {
        runs[i].now = runs[i].session->review_deadline;
        does(&runs[i], ends[i]);
        assert_int_equal(runs[i].change->effects,
                         IDV_EFFECT_RESOLVE_REVIEW | IDV_EFFECT_PURGE_EVIDENCE);
    }
}

/* The hour of a client secret is that of the first outcome. */
static void makes_no_secret_good_again(void **state)
{
    const idv_session_input_t ends[] = {approve, reject, cancel};
    run_t held = begin_held(*state);

    for (int i = 0; i < 3; i++) {
        run_t run = begin_verified(*state);

        run.now += IDV_MINUTE;
        does(&run, flag);
        assert_true(
            idv_session_secret_usable(run.session, NOW + IDV_HOUR - 1));
        assert_false(idv_session_secret_usable(run.session, NOW + IDV_HOUR));
        run.now += IDV_MINUTE;
        does(&run, ends[i]);
        assert_true(
            idv_session_secret_usable(run.session, NOW + IDV_HOUR - 1));
        assert_false(idv_session_secret_usable(run.session, NOW + IDV_HOUR));
    }
    held.now += IDV_DAY;
    assert_true(idv_session_secret_usable(held.session, held.now));
    does(&held, reject);
    assert_true(
        idv_session_secret_usable(held.session, held.now + IDV_HOUR - 1));
    assert_false(idv_session_secret_usable(held.session, held.now + IDV_HOUR));
}

static void records_its_reviews(void **state)
{
    run_t held = begin_held(*state), run = begin_verified(*state);
    idv_session_input_t by_key = {.type = IDV_INPUT_CANCEL,
                                  .decided_by = "key_1"};
    idv_session_input_t noted = reject;

    recorded(&held, IDV_REVIEW_HELD, NULL, NULL);
    assert_int_equal(held.change->reviews[0].deadline, NOW + 10 * IDV_HOUR);
    does(&held, by_key);
    recorded(&held, IDV_REVIEW_CANCELLED, "key_1", NULL);
    assert_int_equal(held.change->reviews[0].deadline, 0);

    does(&run, flag);
    recorded(&run, IDV_REVIEW_FLAGGED, NULL, "looks odd");
    does(&run, escalate);
    recorded(&run, IDV_REVIEW_ESCALATED, "reviewer", NULL);
    does(&run, approve);
    recorded(&run, IDV_REVIEW_APPROVED, "reviewer", NULL);
    does(&run, flag);
    noted.reason = "a copy";
    does(&run, noted);
    recorded(&run, IDV_REVIEW_REJECTED, "reviewer", "a copy");

    held = begin_held(*state);
    held.now = held.session->review_deadline;
    does(&held, review_timer);
    recorded(&held, IDV_REVIEW_TIMED_OUT, "system_timeout", NULL);
}

static void walks_the_whole_graph(void **state)
{
    run_t run = begin(definition, *state);

    does(&run, open_widget);
    assert_int_equal(run.session->status, IDV_STATUS_PENDING);
    assert_int_equal(run.change->effects, IDV_EFFECT_RUN_CHECKS);
    does(&run, checks_result(IDV_RISK_LOW));
    assert_int_equal(run.session->status, IDV_STATUS_PENDING);
    assert_int_equal(run.session->current_method, IDV_METHOD_MDL);
    changes_nothing(&run, checks_result(IDV_RISK_HIGH));
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
    assert_int_equal(run.session->current_method, IDV_METHOD_SELFIE_LIVENESS);
    announced(&run, 0, 0, 0);
    submit(&run, IDV_METHOD_SELFIE_MATCH);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_int_equal(run.session->current_method, IDV_METHOD_SELFIE_LIVENESS);
    is_refused(&run,
               (idv_session_input_t){.type = IDV_INPUT_SUBMIT,
                                     .method = IDV_METHOD_SELFIE_MATCH},
               IDV_E_PARAMETER_INVALID, "method");
    submit(&run, IDV_METHOD_SELFIE_LIVENESS);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    announced(&run, 1, IDV_EVENT_SESSION_VERIFIED, 0);
    assert_int_equal(run.session->runner.verified.count, 3);
}

static void approves_after_exhausted_attempts(void **state)
{
    run_t run = begin(definition, *state);
    idv_credential_t credential;
    int minted;

    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_LOW));
    does(&run, consent);
    for (int i = 0; i < 2; i++) {
        submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
        does(&run, outcome(&run, IDV_METHOD_FAILED));
    }
    assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
    announced(&run, 1, IDV_EVENT_REVIEW_FLAGGED, 0);
    assert_false(run.change->effects & IDV_EFFECT_PURGE_EVIDENCE);
    does(&run, approve);
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    announced(&run, 2, IDV_EVENT_REVIEW_APPROVED, IDV_EVENT_SESSION_VERIFIED);
    assert_null(run.session->last_error.code);
    idv_credential_of(run.session, run.workflow, &credential, &minted);
    assert_false(minted);
}

static void leaves_out_filtered_methods(void **state)
{
    run_t run = begin(definition, *state);
    idv_session_t *session = (idv_session_t *)run.session;

    session->methods.count = 0;
    idv_method_list_add(&session->methods, IDV_METHOD_DOCUMENT_CAPTURE);
    idv_method_list_add(&session->methods, IDV_METHOD_SELFIE_MATCH);
    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_LOW));
    assert_int_equal(run.session->current_method, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    /* all_of with a method taken out cannot be passed */
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
}

static void satisfies_by_other_paths(void **state)
{
    run_t created = begin(simple, *state), processing = begin_processing(*state);
    json_t *snapshot;

    does(&created, satisfy);
    announced(&created, 1, IDV_EVENT_SESSION_VERIFIED, 0);
    snapshot = event_object(&created);
    assert_string_equal(member(snapshot, "verification_path"), "vp_token");
    assert_int_equal(created.change->effects,
                     IDV_EFFECT_PURGE_EVIDENCE | IDV_EFFECT_COUNT_VERIFICATION);
    is_refused(&created, satisfy, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
    is_refused(&processing, satisfy, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
}

static void is_redeemed(run_t *run)
{
    does(run, redeem);
    assert_int_equal(run->session->status, IDV_STATUS_VERIFIED);
    assert_int_equal(run->session->verification_path, IDV_PATH_VP_TOKEN);
    assert_int_equal(run->session->completed_at, run->now);
    assert_null(run->session->verification_result);
    assert_null(run->session->last_error.code);
    announced(run, 1, IDV_EVENT_SESSION_VERIFIED, 0);
    assert_int_equal(run->change->effects,
                     IDV_EFFECT_PURGE_EVIDENCE | IDV_EFFECT_COUNT_VERIFICATION);
    is_refused(run, redeem, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
}

static void redeems_in_place_of_a_method(void **state)
{
    run_t created = begin(simple, *state), pending = begin(simple, *state);
    run_t failed = begin_processing(*state), late = begin(simple, *state);

    is_redeemed(&created);
    does(&pending, open_widget);
    is_redeemed(&pending);
    is_refused(&failed, redeem, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
    does(&failed, outcome(&failed, IDV_METHOD_FAILED));
    is_redeemed(&failed);
    late.now = late.session->expires_at;
    is_refused(&late, redeem, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
}

static void skips_no_checks_by_redeeming(void **state)
{
    run_t run = begin(definition, *state), held = begin_held(*state);

    is_refused(&run, redeem, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
    does(&run, open_widget);
    is_refused(&run, redeem, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
    does(&run, checks_result(IDV_RISK_LOW));
    is_redeemed(&run);
    is_refused(&held, redeem, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
    does(&held, approve);
    is_redeemed(&held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(opens_once),
        pooled_test(asks_for_consent_before_a_submission),
        pooled_test(lets_nobody_change_their_mind_for_ever),
        pooled_test(checks_what_is_submitted),
        pooled_test(verifies),
        pooled_test(awaits_nothing_beside_methods_and_time),
        pooled_test(uses_up_attempts),
        pooled_test(asks_again_for_the_unreadable),
        pooled_test(unreadable_documents_come_to_an_end),
        pooled_test(forgives_technical_failures),
        pooled_test(counts_technical_failures_in_a_row),
        pooled_test(ignores_what_comes_too_late),
        pooled_test(cancels_every_open_status),
        pooled_test(lets_the_person_leave_what_is_not_held),
        pooled_test(refuses_to_cancel_the_ended),
        pooled_test(expires),
        pooled_test(holds_and_approves_before_the_finish),
        pooled_test(does_not_expire_under_review),
        pooled_test(rejects),
        pooled_test(flags_a_verified_session),
        pooled_test(keeps_what_was_announced_counted),
        pooled_test(gives_nothing_back_of_what_was_not_verified),
        pooled_test(makes_no_secret_good_again),
        pooled_test(records_its_reviews),
        pooled_test(walks_the_whole_graph),
        pooled_test(approves_after_exhausted_attempts),
        pooled_test(leaves_out_filtered_methods),
        pooled_test(satisfies_by_other_paths),
        pooled_test(redeems_in_place_of_a_method),
        pooled_test(skips_no_checks_by_redeeming),
    };

    return unit_run("domain/session_step", tests);
}
