/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_SESSION_RUN_H
#define IDV_T_UNIT_SESSION_RUN_H

/*
 * Sessions to test with: two workflows, a session that is walked through one
 * of them, and the inputs that walk it.
 */
#include "unit/unit.h"

#include "domain/session/credential.h"
#include "domain/transition/session_step.h"
#include "domain/workflow/workflow_compile.h"

#define NOW ((idv_time_t)1800000000 * IDV_SECOND)
#define ALL_METHODS (~(idv_method_set_t)0)

/* checks -> id (any_of) -> face (all_of) -> yes; medium and exhausted reviews */
__attribute__((unused)) static const char definition[] =
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

__attribute__((unused)) static const char simple[] =
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

static inline run_t begin(const char *text, apr_pool_t *pool)
{
    run_t run = {.pool = pool, .now = NOW};
    idv_session_t *session = apr_pcalloc(pool, sizeof(*session));
    apr_array_header_t *faults;

    idv_workflow_compile(idv_json_own(json_loads(text, 0, NULL), pool),
                         &run.workflow, &faults, pool);
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
static inline idv_error_t *apply(run_t *run, idv_session_input_t input)
{
    const idv_session_t *before = run->session;
    idv_session_t untouched = *before;
    idv_error_t *error = idv_session_step(
        &(const idv_session_moment_t){
            .before = before, .workflow = run->workflow, .now = run->now},
        &input, &run->change, run->pool);

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
                         idv_session_status_open(run->session->status)
                             && !run->session->runner.review_flagged);
    }
    return NULL;
}

static inline void does(run_t *run, idv_session_input_t input)
{
    assert_null(apply(run, input));
    assert_true(run->change->changed);
}

static inline void changes_nothing(run_t *run, idv_session_input_t input)
{
    assert_null(apply(run, input));
    assert_false(run->change->changed);
}

static inline void is_refused(run_t *run, idv_session_input_t input,
                       idv_error_code_t code, const char *param)
{
    idv_error_t *error = apply(run, input);

    assert_non_null(error);
    assert_int_equal(error->code, code);
    if (param)
        assert_string_equal(error->param, param);
}

static inline void announced(const run_t *run, int count, idv_event_type_t first,
                      idv_event_type_t second)
{
    assert_int_equal(run->change->event_count, count);
    if (count > 0)
        assert_int_equal(run->change->events[0].type, first);
    if (count > 1)
        assert_int_equal(run->change->events[1].type, second);
}

static inline json_t *parsed(const char *text, apr_pool_t *pool)
{
    return idv_json_own(json_loads(text, 0, NULL), pool);
}

/* The object of the first event. */
__attribute__((unused)) static json_t *event_object(const run_t *run)
{
    return parsed(run->change->events[0].object, run->pool);
}

__attribute__((unused)) static const char *member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* The change's one entry in the record of reviews. */
__attribute__((unused)) static void recorded(const run_t *run,
                                             idv_review_action_t action,
                                             const char *actor,
                                             const char *note)
{
    const idv_review_entry_t *entry = &run->change->reviews[0];

    assert_int_equal(run->change->review_count, 1);
    assert_int_equal(entry->action, action);
    assert_int_equal(entry->actor != NULL, actor != NULL);
    if (actor)
        assert_string_equal(entry->actor, actor);
    assert_int_equal(entry->note != NULL, note != NULL);
    if (note)
        assert_string_equal(entry->note, note);
}

static inline void submit(run_t *run, idv_method_t method)
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

static inline idv_session_input_t outcome(const run_t *run,
                                   idv_method_verdict_t verdict)
{
    static const idv_method_check_t checks[] = {
        {"expiry", IDV_CHECK_FAILED, "document_expired", 0},
        {"issuer", IDV_CHECK_PASSED, NULL, 0}};
    static const idv_method_error_t error = {
        "document_expired", "The document has expired.",
        "verification_declined"};
    idv_method_outcome_t *made = apr_pcalloc(run->pool, sizeof(*made));

    made->verdict = verdict;
    made->facts.age = -1;
    if (verdict != IDV_METHOD_UNREADABLE)
        made->assurance = IDV_ASSURANCE_CONSISTENT;
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

__attribute__((unused)) static const idv_session_input_t open_widget = {.type = IDV_INPUT_OPEN};
__attribute__((unused)) static const idv_session_input_t consent = {.type = IDV_INPUT_CONSENT,
                                            .consent = 1};
__attribute__((unused)) static const idv_session_input_t cancel = {.type = IDV_INPUT_CANCEL};
__attribute__((unused)) static const idv_session_input_t leave = {.type = IDV_INPUT_LEAVE};
__attribute__((unused)) static const idv_session_input_t expire = {.type = IDV_INPUT_EXPIRE};
__attribute__((unused)) static const idv_session_input_t flag = {.type = IDV_INPUT_FLAG,
                                         .reason = "looks odd"};
__attribute__((unused)) static const idv_session_input_t approve = {.type = IDV_INPUT_REVIEW_APPROVE,
                                            .decided_by = "reviewer"};
__attribute__((unused)) static const idv_session_input_t reject = {.type = IDV_INPUT_REVIEW_REJECT,
                                           .decided_by = "reviewer"};
__attribute__((unused)) static const idv_session_input_t escalate = {.type = IDV_INPUT_REVIEW_ESCALATE,
                                             .decided_by = "reviewer"};
__attribute__((unused)) static const idv_session_input_t review_timer = {
    .type = IDV_INPUT_REVIEW_TIMEOUT};
__attribute__((unused)) static const idv_session_input_t satisfy = {.type = IDV_INPUT_SATISFY,
                                            .path = IDV_PATH_VP_TOKEN};
__attribute__((unused)) static const idv_session_input_t redeem = {.type = IDV_INPUT_REDEEM};

static inline idv_session_input_t checks_result(idv_risk_level_t risk)
{
    return (idv_session_input_t){.type = IDV_INPUT_CHECKS_RESULT,
                                 .checks_node = "screen",
                                 .risk = risk};
}

/* A session of the simple workflow whose first submission is under way. */
static inline run_t begin_processing(apr_pool_t *pool)
{
    run_t run = begin(simple, pool);

    does(&run, open_widget);
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    return run;
}

static inline run_t begin_verified(apr_pool_t *pool)
{
    run_t run = begin_processing(pool);

    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    return run;
}

static inline run_t begin_held(apr_pool_t *pool)
{
    run_t run = begin(definition, pool);

    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_MEDIUM));
    assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
    return run;
}

#endif
