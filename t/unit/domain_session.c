/* SPDX-License-Identifier: Apache-2.0 */
/* The state machine: every transition of the interface, and the forms in which
 * a session is shown. */
#include "unit/unit.h"

#include "domain/credential.h"
#include "domain/session_step.h"

#define NOW ((idv_time_t)1800000000 * IDV_SECOND)
#define ALL_METHODS (~(idv_method_set_t)0)

/* checks -> id (any_of) -> face (all_of) -> yes; medium and exhausted reviews */
static const char definition[] =
    "{\"name\":\"N\",\"start\":\"screen\",\"nodes\":{"
    "\"screen\":{\"type\":\"checks\",\"checks\":[\"ip_analysis\"],\"next\":{"
    "\"low\":\"id\",\"medium\":\"hold\",\"high\":\"no\"}},"
    "\"hold\":{\"type\":\"review\",\"timeout_hours\":10,\"next\":{"
    "\"approved\":\"id\",\"rejected\":\"no\"}},"
    "\"id\":{\"type\":\"methods\",\"methods\":[\"mdl\",\"document_capture\"],"
    "\"max_attempts\":2,\"next\":{\"passed\":\"face\",\"exhausted\":\"late\"}},"
    "\"face\":{\"type\":\"methods\",\"mode\":\"all_of\",\"methods\":["
    "\"selfie_liveness\",\"selfie_match\"],\"max_attempts\":1,\"next\":{"
    "\"passed\":\"yes\",\"exhausted\":\"no\"}},"
    "\"late\":{\"type\":\"review\",\"next\":{\"approved\":\"yes\","
    "\"rejected\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

static const char simple[] =
    "{\"name\":\"N\",\"start\":\"id\",\"nodes\":{"
    "\"id\":{\"type\":\"methods\",\"methods\":[\"document_capture\"],"
    "\"max_attempts\":2,\"next\":{\"passed\":\"yes\",\"exhausted\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

/* A session, its workflow, and the change that was last made to it. */
typedef struct {
    apr_pool_t *pool;
    idv_workflow_t *workflow;
    const idv_session_t *session;
    idv_session_change_t *change;
    idv_time_t now;
} run_t;

static run_t begin(const char *text, apr_pool_t *pool)
{
    run_t run = {.pool = pool, .now = NOW};
    idv_session_t *session = apr_pcalloc(pool, sizeof(*session));
    apr_array_header_t *faults;

    assert_null(idv_workflow_compile(
        idv_json_own(json_loads(text, 0, NULL), pool), ALL_METHODS,
        &run.workflow, &faults, pool));
    assert_int_equal(faults->nelts, 0);
    session->id = "vks_1";
    session->organization_id = "org_1";
    session->workflow_id = "wf_1";
    session->workflow_version_id = "wfv_1";
    session->client_reference_id = "order 1";
    session->livemode = 1;
    session->revision = 1;
    session->current_method = IDV_METHOD_NONE;
    session->methods = run.workflow->methods;
    session->created = session->updated = NOW;
    session->expires_at = NOW + IDV_DAY;
    session->jurisdiction.mismatch = -1;
    session->consent_required = 1;
    session->runner.facts.age = -1;
    run.session = session;
    return run;
}

/* Applies INPUT; what it says is checked against the invariants of a change. */
static idv_error_t *apply(run_t *run, idv_session_input_t input)
{
    const idv_session_t *before = run->session;
    idv_session_t untouched = *before;
    idv_error_t *error = idv_session_step(before, run->workflow, &input,
                                          run->now, &run->change, run->pool);

    assert_memory_equal(before, &untouched, sizeof(untouched));
    if (error)
        return error;
    run->session = run->change->session;
    if (!run->change->changed) {
        assert_ptr_equal(run->session, before);
        assert_int_equal(run->change->event_count, 0);
        assert_int_equal(run->change->effects, 0);
    } else {
        assert_int_equal(run->session->revision, before->revision + 1);
        assert_int_equal(run->session->updated, run->now);
        assert_int_equal(run->session->ended_at == 0,
                         idv_session_status_open(run->session->status));
    }
    return NULL;
}

static void does(run_t *run, idv_session_input_t input)
{
    assert_null(apply(run, input));
    assert_true(run->change->changed);
}

static void changes_nothing(run_t *run, idv_session_input_t input)
{
    assert_null(apply(run, input));
    assert_false(run->change->changed);
}

static void is_refused(run_t *run, idv_session_input_t input,
                       idv_error_code_t code, const char *param)
{
    idv_error_t *error = apply(run, input);

    assert_non_null(error);
    assert_int_equal(error->code, code);
    if (param)
        assert_string_equal(error->param, param);
}

static void announced(const run_t *run, int count, idv_event_type_t first,
                      idv_event_type_t second)
{
    assert_int_equal(run->change->event_count, count);
    if (count > 0)
        assert_int_equal(run->change->events[0].type, first);
    if (count > 1)
        assert_int_equal(run->change->events[1].type, second);
}

static const char *member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void submit(run_t *run, idv_method_t method)
{
    idv_session_input_t input = {.type = IDV_INPUT_SUBMIT, .method = method};

    if (method == IDV_METHOD_DOCUMENT_CAPTURE) {
        input.images[0] = "front";
        input.image_count = 1;
    }
    does(run, input);
    assert_int_equal(run->session->status, IDV_STATUS_PROCESSING);
    assert_int_equal(run->change->effects, IDV_EFFECT_QUEUE_ANALYSIS);
    announced(run, 0, 0, 0);
}

static idv_session_input_t outcome(const run_t *run,
                                   idv_method_verdict_t verdict)
{
    static const idv_method_check_t checks[] = {
        {"expiry", 0, "document_expired"}, {"issuer", 1, NULL}};
    static const idv_method_error_t error = {
        "document_expired", "The document has expired.",
        "verification_declined"};
    idv_method_outcome_t *made = apr_pcalloc(run->pool, sizeof(*made));

    made->verdict = verdict;
    made->facts.age = -1;
    if (verdict == IDV_METHOD_UNREADABLE) {
        made->hint = "blurred";
    } else {
        made->checks = verdict == IDV_METHOD_FAILED ? checks : checks + 1;
        made->check_count = verdict == IDV_METHOD_FAILED ? 2 : 1;
        made->verification_result =
            idv_json_own(json_pack("{s:s}", "method", "document_capture"),
                         run->pool);
    }
    if (verdict == IDV_METHOD_FAILED) {
        made->last_error = &error;
    } else if (verdict == IDV_METHOD_PASSED) {
        made->facts.age = 34;
        made->facts.jurisdiction = "DE";
        made->facts.expiry = (idv_date_t){2030, 1, 31};
    }
    return (idv_session_input_t){.type = IDV_INPUT_OUTCOME,
                                 .submission = run->session->runner.submission,
                                 .outcome = made};
}

static const idv_session_input_t open_widget = {.type = IDV_INPUT_OPEN};
static const idv_session_input_t consent = {.type = IDV_INPUT_CONSENT,
                                            .consent = 1};
static const idv_session_input_t cancel = {.type = IDV_INPUT_CANCEL};
static const idv_session_input_t expire = {.type = IDV_INPUT_EXPIRE};
static const idv_session_input_t flag = {.type = IDV_INPUT_FLAG,
                                         .reason = "looks odd"};
static const idv_session_input_t approve = {.type = IDV_INPUT_REVIEW_APPROVE,
                                            .decided_by = "reviewer"};
static const idv_session_input_t reject = {.type = IDV_INPUT_REVIEW_REJECT,
                                           .decided_by = "reviewer"};
static const idv_session_input_t escalate = {.type = IDV_INPUT_REVIEW_ESCALATE,
                                             .decided_by = "reviewer"};
static const idv_session_input_t review_timer = {
    .type = IDV_INPUT_REVIEW_TIMEOUT};
static const idv_session_input_t satisfy = {.type = IDV_INPUT_SATISFY,
                                            .path = IDV_PATH_VP_TOKEN};

static idv_session_input_t checks_result(idv_risk_level_t risk)
{
    return (idv_session_input_t){.type = IDV_INPUT_CHECKS_RESULT,
                                 .checks_node = "screen",
                                 .risk = risk};
}

/* A session of the simple workflow whose first submission is under way. */
static run_t begin_processing(apr_pool_t *pool)
{
    run_t run = begin(simple, pool);

    does(&run, open_widget);
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    return run;
}

static run_t begin_verified(apr_pool_t *pool)
{
    run_t run = begin_processing(pool);

    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    return run;
}

static run_t begin_held(apr_pool_t *pool)
{
    run_t run = begin(definition, pool);

    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_MEDIUM));
    assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
    return run;
}

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
        {IDV_METHOD_DOCUMENT_CAPTURE, {"front", "back"}, 3, "images"},
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
    json_t *snapshot = run.change->events[0].object;

    announced(&run, 1, IDV_EVENT_SESSION_VERIFIED, 0);
    assert_int_equal(run.change->effects, IDV_EFFECT_PURGE_EVIDENCE
                                              | IDV_EFFECT_MINT_CREDENTIAL
                                              | IDV_EFFECT_COUNT_VERIFICATION);
    assert_int_equal(run.session->completed_at, NOW);
    assert_int_equal(run.session->current_method, IDV_METHOD_NONE);
    assert_string_equal(member(snapshot, "status"), "verified");
    assert_true(json_is_null(json_object_get(snapshot, "last_error")));
    assert_true(json_is_null(json_object_get(snapshot, "verification_path")));
    assert_int_equal(json_array_size(run.session->results), 1);
    assert_true(idv_session_secret_usable(run.session, NOW + IDV_HOUR - 1));
    assert_false(idv_session_secret_usable(run.session, NOW + IDV_HOUR));
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
            json_array_get(run.session->runner.checks_failed, 0)),
        "document_expired");
    announced(&run, 0, 0, 0);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_FAILED));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
    announced(&run, 1, IDV_EVENT_SESSION_FAILED, 0);
    assert_int_equal(run.change->effects, IDV_EFFECT_PURGE_EVIDENCE);
    assert_string_equal(member(json_object_get(run.change->events[0].object,
                                               "last_error"),
                               "code"),
                        "document_expired");
    assert_int_equal(json_array_size(run.session->results), 2);
}

static void asks_again_for_the_unreadable(void **state)
{
    run_t run = begin_processing(*state);

    for (int i = 1; i < IDV_SESSION_SUBMISSIONS_MAX; i++) {
        does(&run, outcome(&run, IDV_METHOD_UNREADABLE));
        assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
        assert_string_equal(run.session->runner.hint, "blurred");
        assert_int_equal(run.session->runner.attempts, 0);
        submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
        assert_null(run.session->runner.hint);
    }
    does(&run, outcome(&run, IDV_METHOD_UNREADABLE));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
    assert_string_equal(run.session->last_error.code, "document_unreadable");
    assert_int_equal(json_array_size(run.session->results),
                     IDV_SESSION_RESULTS_MAX);
}

static void forgives_technical_failures(void **state)
{
    run_t run = begin_processing(*state);
    idv_session_input_t input = {.type = IDV_INPUT_ANALYSIS_FAILED};

    for (int i = 1; i < IDV_SESSION_TECHNICAL_FAILURES_MAX; i++) {
        input.submission = run.session->runner.submission;
        does(&run, input);
        assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
        assert_int_equal(run.session->runner.attempts, 0);
        announced(&run, 0, 0, 0);
        submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    }
    input.submission = run.session->runner.submission;
    does(&run, input);
    announced(&run, 1, IDV_EVENT_SESSION_FAILED, 0);
    assert_string_equal(run.session->last_error.category, "technical_error");
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
    review = run.change->events[0].object;
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
    review = run.change->events[0].object;
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
    evidence = json_object_get(by_timer.change->events[0].object,
                               "decision_evidence");
    assert_string_equal(member(evidence, "decided_by"), "system_timeout");
    changes_nothing(&by_timer, review_timer);
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
    assert_string_equal(member(run.change->events[0].object, "reason"),
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
    snapshot = created.change->events[0].object;
    assert_string_equal(member(snapshot, "verification_path"), "vp_token");
    assert_int_equal(created.change->effects,
                     IDV_EFFECT_PURGE_EVIDENCE | IDV_EFFECT_COUNT_VERIFICATION);
    is_refused(&created, satisfy, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
    is_refused(&processing, satisfy, IDV_E_SESSION_NOT_REDEEMABLE, NULL);
}

static void mints_credentials(void **state)
{
    run_t run = begin_verified(*state);
    idv_session_t session = *run.session;
    idv_credential_t credential;
    int minted;

    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_true(minted);
    assert_int_equal(credential.strength, IDV_STRENGTH_DOCUMENT_CAPTURE);
    assert_int_equal(credential.age_tier, IDV_TIER_MIN_AGE_21);
    assert_int_equal(credential.age_over, 34);
    assert_int_equal(credential.verified_at, NOW);
    assert_int_equal(credential.expires_at, NOW + 365 * IDV_DAY);
    session.compliance.credential_validity_days = 30;
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_int_equal(credential.expires_at, NOW + 30 * IDV_DAY);
    session.runner.facts.expiry = "2027-01-16"; /* NOW is on 2027-01-15 */
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_true(minted);
    assert_int_equal(credential.expires_at % IDV_DAY, 0);
    assert_true(credential.expires_at - NOW < 2 * IDV_DAY);
    session.runner.facts.expiry = "2027-01-14";
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_false(minted);
    session.verification_path = IDV_PATH_VP_TOKEN;
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_false(minted);
}

static void keeps_its_runner(void **state)
{
    run_t runs[] = {begin_verified(*state), begin(simple, *state),
                    begin_processing(*state)};
    run_t *run = &runs[2];

    does(run, outcome(run, IDV_METHOD_FAILED));
    for (int i = 0; i < 3; i++) {
        const idv_session_t *session = runs[i].session;
        json_t *json =
            idv_json_own(idv_session_runner_json(session), run->pool);
        idv_session_t loaded = {0};
        const char *before, *after;

        assert_null(idv_json_dump(json, &before, NULL, run->pool));
        assert_null(idv_session_runner_load(json, &loaded, run->pool));
        json = idv_json_own(idv_session_runner_json(&loaded), run->pool);
        assert_null(idv_json_dump(json, &after, NULL, run->pool));
        assert_string_equal(before, after);
        assert_int_equal(loaded.ended_at, session->ended_at);
        assert_int_equal(loaded.consented_at, session->consented_at);
    }
    assert_non_null(idv_session_runner_load(
        idv_json_own(json_object(), run->pool),
        apr_pcalloc(run->pool, sizeof(idv_session_t)), run->pool));
}

static void keeps_its_compliance_and_error(void **state)
{
    idv_compliance_t rule = {.age_tier = IDV_TIER_MIN_AGE_21,
                             .required_age = 19,
                             .mdl_acceptance = IDV_MDL_ACCEPTANCE_SUPPLEMENTARY,
                             .physical_check_required = 1,
                             .rule_version = "2026-01"};
    idv_compliance_t loaded;
    idv_session_error_t error = {"a", "b", "technical_error"}, read;
    apr_pool_t *pool = *state;

    assert_null(idv_session_compliance_load(
        idv_json_own(idv_session_compliance_json(&rule), pool), &loaded, pool));
    assert_int_equal(loaded.age_tier, rule.age_tier);
    assert_int_equal(loaded.required_age, 19);
    assert_int_equal(loaded.mdl_acceptance, rule.mdl_acceptance);
    assert_null(loaded.governing_regulator);
    assert_string_equal(loaded.rule_version, "2026-01");
    assert_null(idv_session_compliance_load(NULL, &loaded, pool));
    assert_int_equal(loaded.age_tier, IDV_TIER_NONE);
    assert_null(idv_session_error_load(
        idv_json_own(idv_session_error_json(&error), pool), &read, pool));
    assert_string_equal(read.category, "technical_error");
    assert_null(idv_session_error_load(json_null(), &read, pool));
    assert_null(read.code);
}

/* The keys of OBJECT, each followed by a space. */
static const char *keys_of(const json_t *object, apr_pool_t *pool)
{
    char *keys = apr_pcalloc(pool, 4096);
    const char *key;
    const json_t *value;

    json_object_foreach ((json_t *)object, key, value)
        strcat(strcat(keys, key), " ");
    return keys;
}

static void shows_exactly_the_fields_of_the_interface(void **state)
{
    run_t run = begin_verified(*state);
    idv_session_view_t view = {.client_secret = "vks_1_secret_x",
                               .expand_results = 1,
                               .show_delivery = 1,
                               .ip_jurisdiction = "DE"};
    json_t *plain = idv_json_own(idv_session_json(run.session, NULL), run.pool);
    json_t *full = idv_json_own(idv_session_json(run.session, &view), run.pool);

    assert_string_equal(
        keys_of(plain, run.pool),
        "id object status type methods current_method client_reference_id "
        "return_url cancel_url client_secret metadata expires_at completed_at "
        "cancelled_at created updated verification_path active_device "
        "device_locked_at age_tier jurisdiction jurisdiction_audit_declared "
        "jurisdiction_audit_ip_derived jurisdiction_audit_resolved "
        "jurisdiction_audit_source jurisdiction_audit_mismatch "
        "physical_check_required user_message compliance requires_email_otp ");
    assert_true(json_is_null(json_object_get(plain, "client_secret")));
    assert_true(json_is_null(json_object_get(plain, "compliance")));
    assert_int_equal(
        json_integer_value(json_object_get(plain, "completed_at")),
        idv_time_seconds(NOW));
    assert_string_equal(member(full, "client_secret"), "vks_1_secret_x");
    assert_int_equal(json_array_size(json_object_get(full, "results")), 1);
    assert_string_equal(member(full, "ip_jurisdiction"), "DE");
    assert_true(json_is_false(json_object_get(full, "jurisdiction_mismatch")));
    assert_string_equal(
        keys_of(run.change->events[0].object, run.pool),
        "id object status type client_reference_id current_method age_tier "
        "jurisdiction jurisdiction_audit_declared "
        "jurisdiction_audit_ip_derived jurisdiction_audit_resolved "
        "jurisdiction_audit_source jurisdiction_audit_mismatch "
        "verification_path workflow_version_id livemode completed_at created "
        "verification_result last_error ");
}

static void shows_the_widget_view(void **state)
{
    run_t run = begin_processing(*state);
    idv_session_widget_t extra = {.vp_token = "vpt_x"};
    json_t *view;

    does(&run, outcome(&run, IDV_METHOD_FAILED));
    view = idv_json_own(
        idv_session_widget_json(run.session, run.workflow, &extra), run.pool);
    assert_string_equal(
        keys_of(view, run.pool),
        "object id status type revision current_method methods "
        "consent_required consented trust_reuse_available attempts_remaining "
        "hint checks_failed last_error user_message return_url cancel_url "
        "expires_at review vp_token ");
    assert_int_equal(json_array_size(json_object_get(view, "methods")), 1);
    assert_int_equal(
        json_integer_value(json_object_get(view, "attempts_remaining")), 1);
    assert_string_equal(member(json_object_get(view, "last_error"), "code"),
                        "document_expired");
    assert_true(json_is_null(json_object_get(view, "vp_token")));
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    view = idv_json_own(
        idv_session_widget_json(run.session, run.workflow, &extra), run.pool);
    assert_string_equal(member(view, "vp_token"), "vpt_x");
    assert_true(json_is_null(json_object_get(view, "attempts_remaining")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(opens_once),
        pooled_test(asks_for_consent_before_a_submission),
        pooled_test(checks_what_is_submitted),
        pooled_test(verifies),
        pooled_test(uses_up_attempts),
        pooled_test(asks_again_for_the_unreadable),
        pooled_test(forgives_technical_failures),
        pooled_test(ignores_what_comes_too_late),
        pooled_test(cancels_every_open_status),
        pooled_test(refuses_to_cancel_the_ended),
        pooled_test(expires),
        pooled_test(holds_and_approves_before_the_finish),
        pooled_test(does_not_expire_under_review),
        pooled_test(rejects),
        pooled_test(flags_a_verified_session),
        pooled_test(walks_the_whole_graph),
        pooled_test(approves_after_exhausted_attempts),
        pooled_test(leaves_out_filtered_methods),
        pooled_test(satisfies_by_other_paths),
        pooled_test(mints_credentials),
        pooled_test(keeps_its_runner),
        pooled_test(keeps_its_compliance_and_error),
        pooled_test(shows_exactly_the_fields_of_the_interface),
        pooled_test(shows_the_widget_view),
    };

    return unit_run("domain/session", tests);
}
