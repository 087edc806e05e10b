/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_step.h"

#include <string.h>

#include <apr_strings.h>

#include "core/utf8.h"
#include "domain/request/parameters.h"
#include "domain/session/session_handoff.h"
#include "domain/session/session_hold.h"
#include "domain/session/session_view.h"
#include "domain/session/session_walk.h"

#define SYSTEM_TIMEOUT "system_timeout"

/* A hold that somebody put on a verified session. */
#define FLAG_TIMEOUT (IDV_WORKFLOW_REVIEW_HOURS_DEFAULT * IDV_HOUR)

static const char *const review_actions[IDV_REVIEW_ACTION_COUNT] = {
#define X(name, value) [IDV_REVIEW_##name] = value,
    IDV_REVIEW_ACTIONS(X)
#undef X
};

const char *idv_review_action_value(idv_review_action_t action)
{
    return review_actions[action];
}

static idv_error_t *refuse(const idv_step_t *step, idv_error_code_t code)
{
    return idv_error_new(code, step->pool);
}

static int is_over(const idv_step_t *step)
{
    return idv_session_is_over(step->before, step->now);
}

/* The session's current node if it is of TYPE; else NULL. */
static const idv_workflow_node_t *node_of(const idv_step_t *step,
                                          idv_node_type_t type)
{
    const idv_workflow_node_t *node =
        idv_workflow_node(step->workflow, step->before->runner.node);

    return node && node->type == type ? node : NULL;
}

static idv_error_t *misfit(const idv_step_t *step)
{
    return idv_error_internal(step->pool,
                              "a session does not fit its workflow version");
}

/* --- the law of the day --- */

static const int held_to_law[IDV_INPUT_COUNT] = {
#define X(name, is_held_to_law) [IDV_INPUT_##name] = is_held_to_law,
    IDV_SESSION_INPUTS(X)
#undef X
};

int idv_session_input_is_held_to_law(idv_session_input_type_t type)
{
    return held_to_law[type];
}

/* Holds the session to the law of the day, unless it has ended or had been
 * verified by that of an earlier day. */
static void hold_to_law(idv_step_t *step)
{
    const idv_session_input_t *input = step->input;

    if (!input->law || !held_to_law[input->type] || is_over(step)
        || step->before->runner.review_flagged)
        return;
    /* A law that is not known any more takes back nothing that was demanded. */
    step->after->compliance.on_unknown = input->law->on_unknown;
    if (input->law->on_unknown
        && (!input->law->rule_version
            || input->law->required_age < step->before->required_age))
        return;
    step->is_held_to_law = 1;
    idv_session_hold_to_law(step->after, step->workflow, input->law);
}

/* Whether the person has proved an age that the law no longer accepts. By an
 * unchanged law what was decided stands: the age that is kept is the lowest
 * possible, and does not say that it is too low. */
static int is_too_young_now(const idv_step_t *step)
{
    int age = step->after->runner.facts.age;

    return age >= 0 && age < step->after->required_age
        && step->before->required_age < step->after->required_age;
}

static void fail_for(idv_step_t *step, idv_session_failure_t failure)
{
    step->touched = 1;
    step->after->last_error = *idv_session_error(failure);
    idv_step_fail(step);
}

/* Ends the session as failed when the law of the day leaves no other end;
 * non-zero when it has failed by that. */
static int fails_by_law(idv_step_t *step)
{
    int is_prohibited = step->after->compliance.prohibited;

    if (step->input->law && !step->before->runner.review_flagged
        && step->after->compliance.on_unknown == IDV_UNKNOWN_REFUSE) {
        fail_for(step, IDV_SESSION_ERROR_LAW_UNKNOWN);
        return 1;
    }
    if (!step->is_held_to_law || (!is_prohibited && !is_too_young_now(step)))
        return 0;
    fail_for(step, is_prohibited ? IDV_SESSION_ERROR_PROHIBITED
                                 : IDV_SESSION_ERROR_UNDER_AGE);
    return 1;
}

/* Ends the session as failed if the evidence surely shows that the person is
 * too young, which no approval can change, or if it was held when no age was
 * required, but one is now. Non-zero if this failed the session. */
static int fails_by_age(idv_step_t *step)
{
    const idv_session_t *after = step->after;
    int is_unasked = after->required_age > 0
                  && idv_step_approved_age(step) < after->required_age;

    if (step->before->runner.review_flagged
        || (!is_unasked && !idv_session_is_too_young(after)))
        return 0;
    fail_for(step, IDV_SESSION_ERROR_UNDER_AGE);
    return 1;
}

/* --- inputs --- */

static idv_error_t *apply_open(idv_step_t *step)
{
    if (step->before->status != IDV_STATUS_CREATED || is_over(step))
        return NULL;
    IDV_TRY(idv_session_check_device(step->before, &step->input->device,
                                     step->pool));
    step->touched = 1;
    step->after->status = IDV_STATUS_PENDING;
    idv_step_enter(step, step->workflow->start, IDV_STATUS_PENDING);
    return NULL;
}

static idv_error_t *apply_consent(idv_step_t *step)
{
    const idv_session_t *before = step->before;
    int share = step->input->share != 0;

    if (is_over(step))
        return refuse(step, IDV_E_SESSION_TERMINAL);
    if (before->runner.review_flagged)
        return refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    if (!step->input->consent)
        return idv_error_param(step->pool, "consent",
                               "must be true. If the person does not consent, "
                               "cancel the session.");
    if (before->consented_at && before->share_consent == share)
        return NULL;
    if (before->consented_at
        && before->revision >= IDV_SESSION_CONSENT_REVISION_MAX)
        return refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    step->touched = 1;
    step->after->share_consent = share;
    if (!before->consented_at) {
        step->after->consented_at = step->now;
        step->after->consent_text =
            apr_pstrdup(step->pool, step->input->consent_text);
    }
    return NULL;
}

/* The index among COUNT images of the one of this NAME; -1: there is none. */
static int find_image(const idv_evidence_part_t *const *images, int count,
                      const char *name)
{
    for (int i = 0; i < count; i++)
        if (name && strcmp(images[i]->name, name) == 0)
            return i;
    return -1;
}

/* The images that submissions of METHOD may name, out of its parts. */
static int list_images(idv_method_t method,
                       const idv_evidence_part_t *images[IDV_METHOD_PARTS_MAX])
{
    int count = idv_evidence_parts_of(method, images), kept = 0;

    for (int i = 0; i < count; i++)
        if (images[i]->source == IDV_EVIDENCE_IMAGE)
            images[kept++] = images[i];
    return kept;
}

/* A submission names images of its method, each once, and each that is needed. */
static idv_error_t *check_images(const idv_step_t *step)
{
    const idv_evidence_part_t *images[IDV_METHOD_PARTS_MAX];
    const idv_session_input_t *input = step->input;
    int count = list_images(input->method, images);
    unsigned seen = 0;

    if (count == 0 && input->image_count > 0)
        return idv_error_param(step->pool, "images",
                               "must be omitted: this method takes no images.");
    for (int i = 0; i < input->image_count; i++) {
        int image = find_image(images, count, input->images[i]);

        if (image < 0 || seen & 1u << image)
            return idv_error_param(step->pool,
                                   apr_psprintf(step->pool, "images[%d]", i),
                                   "must be an image of this method, listed "
                                   "once.");
        seen |= 1u << image;
    }
    for (int i = 0; i < count; i++)
        if (images[i]->is_needed && !(seen & 1u << i))
            return idv_error_param(step->pool, "images", "must contain `%s`.",
                                   images[i]->name);
    return NULL;
}

/* The declaration of a submission; only self_attestation has one. */
static idv_error_t *check_statement(const idv_step_t *step,
                                    idv_attestation_t *agreed)
{
    const idv_session_input_t *input = step->input;
    const idv_statement_t *asked =
        idv_statement_for(&step->workflow->statements,
                          step->before->jurisdiction.resolved);

    if (input->method != IDV_METHOD_SELF_ATTESTATION)
        return input->statement || input->language
                 ? idv_error_param(step->pool,
                                   input->statement ? "statement" : "language",
                                   "must be omitted: this method has no "
                                   "statement.")
                 : NULL;
    if (!asked)
        return misfit(step);
    if (!input->statement || strcmp(input->statement, asked->name))
        return idv_error_param(step->pool, "statement",
                               "must be the name of the session's statement.");
    return idv_statement_agree(asked, input->language, agreed, step->pool)
             ? NULL
             : idv_error_param(step->pool, "language",
                               "must be a language of the statement.");
}

/* A submission that is not analysed, and its OUTCOME. */
static idv_error_t *take_at_once(idv_step_t *step,
                                 const idv_method_outcome_t *outcome)
{
    const idv_workflow_node_t *node = node_of(step, IDV_NODE_METHODS);
    idv_session_t *asked =
        apr_pmemdup(step->pool, step->before, sizeof(*asked));

    if (!node)
        return misfit(step);
    asked->current_method = step->input->method;
    step->before = asked;
    step->after->runner.submission++;
    idv_step_take_outcome(step, node, outcome);
    return NULL;
}

/* A declaration passes by being made. */
static idv_error_t *attest(idv_step_t *step, const idv_attestation_t *agreed)
{
    const idv_method_outcome_t outcome = {
        .verdict = IDV_METHOD_PASSED,
        .attestation = agreed,
        .facts = {.age = -1},
    };

    return take_at_once(step, &outcome);
}

static idv_error_t *apply_test_outcome(idv_step_t *step)
{
    idv_method_list_t choices;

    if (step->before->livemode)
        return idv_error_internal(step->pool,
                                  "%s: a test value for a live session",
                                  step->before->id);
    if (is_over(step))
        return refuse(step, IDV_E_SESSION_TERMINAL);
    if (fails_by_law(step))
        return NULL;
    idv_session_choices(step->before, step->workflow, &choices);
    if (!idv_method_list_has(&choices, step->input->method))
        return refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    step->touched = 1;
    return take_at_once(step, step->input->outcome);
}

static idv_error_t *apply_submit(idv_step_t *step)
{
    idv_attestation_t agreed;
    const idv_session_input_t *input = step->input;
    idv_method_list_t choices;

    if (fails_by_law(step))
        return NULL;
    IDV_TRY(idv_session_check_awaiting(step->before, step->workflow, step->now,
                                       step->pool));
    idv_session_choices(step->before, step->workflow, &choices);
    if (!idv_method_list_has(&choices, input->method))
        return idv_error_param(step->pool, "method",
                               "must be one of the session's current methods.");
    IDV_TRY(check_images(step));
    IDV_TRY(check_statement(step, &agreed));
    step->touched = 1;
    if (!idv_step_is_asked(step, input->method))
        return NULL;
    if (input->method == IDV_METHOD_SELF_ATTESTATION)
        return attest(step, &agreed);
    step->after->status = IDV_STATUS_PROCESSING;
    step->after->current_method = input->method;
    step->after->runner.submission++;
    step->after->runner.hint = NULL;
    step->after->runner.checks_failed = NULL;
    step->effects |= IDV_EFFECT_QUEUE_ANALYSIS;
    return NULL;
}

/* Whether the input is about the submission that is being analysed. */
static int is_current_submission(const idv_step_t *step)
{
    return step->before->status == IDV_STATUS_PROCESSING
        && step->before->current_method != IDV_METHOD_NONE
        && step->before->runner.submission == step->input->submission;
}

static idv_error_t *apply_outcome(idv_step_t *step)
{
    const idv_workflow_node_t *node = node_of(step, IDV_NODE_METHODS);

    if (!is_current_submission(step))
        return NULL;
    if (!node)
        return misfit(step);
    if (fails_by_law(step))
        return NULL;
    step->touched = 1;
    idv_step_take_outcome(step, node, step->input->outcome);
    return NULL;
}

static idv_error_t *apply_analysis_failed(idv_step_t *step)
{
    if (!is_current_submission(step))
        return NULL;
    step->touched = 1;
    if (++step->after->runner.technical_failures
        >= IDV_SESSION_TECHNICAL_FAILURES_MAX) {
        step->after->last_error =
            *idv_session_error(IDV_SESSION_ERROR_PROCESSING);
        idv_step_fail(step);
    } else {
        step->after->status = IDV_STATUS_REQUIRES_INPUT;
        step->after->runner.hint = idv_session_hint(IDV_SESSION_HINT_TRY_AGAIN);
    }
    return NULL;
}

/* The node of checks that the session rests at; NULL: none. */
static const idv_workflow_node_t *checks_node(const idv_step_t *step)
{
    idv_session_status_t status = step->before->status;

    return status == IDV_STATUS_PENDING || status == IDV_STATUS_PROCESSING
             ? node_of(step, IDV_NODE_CHECKS)
             : NULL;
}

static idv_error_t *apply_resume_checks(idv_step_t *step)
{
    if (!checks_node(step) || is_over(step))
        return NULL;
    step->touched = 1;
    step->effects |= IDV_EFFECT_RUN_CHECKS;
    return NULL;
}

static idv_error_t *apply_checks_result(idv_step_t *step)
{
    static const idv_node_exit_t exits[] = {
        [IDV_RISK_LOW] = IDV_EXIT_LOW,
        [IDV_RISK_MEDIUM] = IDV_EXIT_MEDIUM,
        [IDV_RISK_HIGH] = IDV_EXIT_HIGH,
    };
    const idv_workflow_node_t *node = checks_node(step);

    if (!node || !step->input->checks_node
        || strcmp(node->id, step->input->checks_node))
        return NULL;
    step->touched = 1;
    idv_step_take_checks(step, node);
    idv_step_enter(step, node->next[exits[step->input->risk]],
                   step->before->status == IDV_STATUS_PENDING
                       ? IDV_STATUS_PENDING
                       : IDV_STATUS_REQUIRES_INPUT);
    return NULL;
}

/* Ends the session as cancelled; every caller is allowed to. */
static idv_error_t *cancel(idv_step_t *step)
{
    if (step->before->status == IDV_STATUS_CANCELLED)
        return NULL;
    if (!idv_session_status_open(step->before->status))
        return refuse(step, IDV_E_SESSION_TERMINAL);
    step->touched = 1;
    if (step->before->status == IDV_STATUS_UNDER_REVIEW) {
        idv_step_record(step, IDV_REVIEW_CANCELLED, step->input->decided_by,
                        NULL);
        idv_step_release(step);
    }
    idv_step_abandon(step, IDV_STATUS_CANCELLED);
    return NULL;
}

static idv_error_t *apply_cancel(idv_step_t *step)
{
    IDV_TRY(cancel(step));
    if (step->touched)
        idv_step_count_cancelled(step);
    return NULL;
}

/* A hold is not the person's to end: it may be about the person. */
static idv_error_t *apply_leave(idv_step_t *step)
{
    if (step->before->status == IDV_STATUS_UNDER_REVIEW)
        return refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    return cancel(step);
}

static idv_error_t *apply_expire(idv_step_t *step)
{
    if (!idv_session_status_open(step->before->status) || !is_over(step))
        return NULL;
    step->touched = 1;
    idv_step_abandon(step, IDV_STATUS_EXPIRED);
    return NULL;
}

static idv_error_t *apply_flag(idv_step_t *step)
{
    const char *reason = step->input->reason;

    if (step->before->status != IDV_STATUS_VERIFIED)
        return refuse(step, IDV_E_SESSION_NOT_FLAGGABLE);
    if (reason && idv_utf8_length(reason) > IDV_REVIEW_REASON_MAX)
        return idv_error_param(step->pool, "reason",
                               "must have at most %d characters.",
                               IDV_REVIEW_REASON_MAX);
    step->touched = 1;
    step->after->runner.review_flagged = 1;
    step->after->runner.review_reason = reason;
    idv_step_hold(step, FLAG_TIMEOUT);
    return NULL;
}

/* Whether a reviewer can take DECISION, and has said who and why in few words
 * or by a code. */
static idv_error_t *check_decision(const idv_step_t *step,
                                   idv_decision_t decision)
{
    const idv_session_input_t *input = step->input;
    apr_size_t by = input->decided_by ? idv_utf8_length(input->decided_by) : 0;

    if (step->before->status != IDV_STATUS_UNDER_REVIEW)
        return refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    if (by < 1 || by > IDV_REVIEWER_MAX)
        return idv_error_param(step->pool, "by",
                               "must have 1 to %d characters.",
                               IDV_REVIEWER_MAX);
    if (input->reason && idv_utf8_length(input->reason) > IDV_REVIEW_REASON_MAX)
        return idv_error_param(step->pool, "note",
                               "must have at most %d characters.",
                               IDV_REVIEW_REASON_MAX);
    return idv_review_reason_check(decision, input->reason_code, input->reason,
                                   step->pool);
}

/* Notes the decision ACTION of a reviewer. */
static void record_decision(idv_step_t *step, idv_review_action_t action)
{
    idv_step_record(step, action, step->input->decided_by, step->input->reason);
    step->reviews[step->review_count - 1].reason_code =
        step->input->reason_code;
}

static idv_error_t *apply_approve(idv_step_t *step)
{
    const idv_session_runner_t *runner = &step->before->runner;
    const idv_workflow_node_t *node = node_of(
        step, runner->held_method ? IDV_NODE_METHODS : IDV_NODE_REVIEW);

    IDV_TRY(check_decision(step, IDV_DECISION_APPROVE));
    if (!node && !runner->review_flagged && !idv_step_is_law_held(step))
        return misfit(step);
    step->touched = 1;
    step->decided_by = step->input->decided_by;
    record_decision(step, IDV_REVIEW_APPROVED);
    idv_step_emit(step, IDV_EVENT_REVIEW_APPROVED);
    idv_step_release(step);
    idv_step_approve_age(step);
    if (fails_by_law(step) || fails_by_age(step))
        return NULL;
    idv_step_accept_summary(step);
    if (runner->review_flagged || idv_step_is_law_held(step))
        idv_step_verify(step);
    else if (runner->held_method)
        idv_step_take_held(step, node);
    else
        idv_step_enter(step, node->next[IDV_EXIT_APPROVED],
                       IDV_STATUS_REQUIRES_INPUT);
    return NULL;
}

/* A review of the workflow is left by its exit, which leads to an outcome that is
 * failed; a doubt and a flag hold where no node has such an exit. */
static void reject(idv_step_t *step, const char *decided_by)
{
    const idv_workflow_node_t *node = node_of(step, IDV_NODE_REVIEW);

    step->touched = 1;
    step->decided_by = decided_by;
    idv_step_emit(step, IDV_EVENT_REVIEW_REJECTED);
    idv_step_release(step);
    if (node)
        idv_step_enter(step, node->next[IDV_EXIT_REJECTED],
                       IDV_STATUS_REQUIRES_INPUT);
    else
        idv_step_fail(step);
    idv_step_note_rejection(step);
}

static idv_error_t *apply_reject(idv_step_t *step)
{
    IDV_TRY(check_decision(step, IDV_DECISION_REJECT));
    record_decision(step, IDV_REVIEW_REJECTED);
    reject(step, step->input->decided_by);
    if (!step->input->is_test)
        idv_step_give_back(step);
    return NULL;
}

static idv_error_t *apply_timeout(idv_step_t *step)
{
    if (step->before->status != IDV_STATUS_UNDER_REVIEW
        || step->now < step->before->review_deadline)
        return NULL;
    idv_step_record(step, IDV_REVIEW_TIMED_OUT, SYSTEM_TIMEOUT, NULL);
    reject(step, SYSTEM_TIMEOUT);
    return NULL;
}

static idv_error_t *apply_escalate(idv_step_t *step)
{
    IDV_TRY(check_decision(step, IDV_DECISION_ESCALATE));
    step->touched = 1;
    step->decided_by = step->input->decided_by;
    step->after->runner.review_escalated = 1;
    record_decision(step, IDV_REVIEW_ESCALATED);
    idv_step_emit(step, IDV_EVENT_REVIEW_ESCALATED);
    return NULL;
}

static idv_error_t *apply_satisfy(idv_step_t *step)
{
    if (is_over(step) || step->before->status != IDV_STATUS_CREATED)
        return refuse(step, IDV_E_SESSION_NOT_REDEEMABLE);
    step->touched = 1;
    step->after->verification_path = step->input->path;
    idv_step_verify(step);
    return NULL;
}

/* A token replaces methods, but not the checks and reviews before them.
 * Evidence of a failed attempt does not verify the session. */
static idv_error_t *apply_redeem(idv_step_t *step)
{
    idv_session_t *after = step->after;
    idv_method_list_t choices;

    if (is_over(step))
        return refuse(step, IDV_E_SESSION_NOT_REDEEMABLE);
    if (step->before->status == IDV_STATUS_CREATED)
        idv_step_enter(step, step->workflow->start, IDV_STATUS_PENDING);
    idv_session_choices(after, step->workflow, &choices);
    if (choices.count == 0 || idv_session_is_too_young(after))
        return refuse(step, IDV_E_SESSION_NOT_REDEEMABLE);
    if (after->compliance.prohibited)
        return refuse(step, IDV_E_USE_CASE_PROHIBITED);
    if (after->compliance.on_unknown != IDV_UNKNOWN_ALLOW)
        return refuse(step, IDV_E_COMPLIANCE_UNKNOWN);
    step->touched = 1;
    after->verification_path = IDV_PATH_VP_TOKEN;
    after->verification_result = NULL;
    idv_step_verify(step);
    return NULL;
}

static idv_error_t *apply_email_proven(idv_step_t *step)
{
    IDV_TRY(idv_session_check_otp(step->before, step->now, step->pool));
    step->touched = 1;
    step->after->email_otp_proven = 1;
    return NULL;
}

static idv_error_t *(*const appliers[IDV_INPUT_COUNT])(idv_step_t *) = {
    [IDV_INPUT_OPEN] = apply_open,
    [IDV_INPUT_CONSENT] = apply_consent,
    [IDV_INPUT_SUBMIT] = apply_submit,
    [IDV_INPUT_OUTCOME] = apply_outcome,
    [IDV_INPUT_TEST_OUTCOME] = apply_test_outcome,
    [IDV_INPUT_ANALYSIS_FAILED] = apply_analysis_failed,
    [IDV_INPUT_RESUME_CHECKS] = apply_resume_checks,
    [IDV_INPUT_CHECKS_RESULT] = apply_checks_result,
    [IDV_INPUT_CANCEL] = apply_cancel,
    [IDV_INPUT_LEAVE] = apply_leave,
    [IDV_INPUT_EXPIRE] = apply_expire,
    [IDV_INPUT_FLAG] = apply_flag,
    [IDV_INPUT_REVIEW_APPROVE] = apply_approve,
    [IDV_INPUT_REVIEW_REJECT] = apply_reject,
    [IDV_INPUT_REVIEW_ESCALATE] = apply_escalate,
    [IDV_INPUT_REVIEW_TIMEOUT] = apply_timeout,
    [IDV_INPUT_SATISFY] = apply_satisfy,
    [IDV_INPUT_REDEEM] = apply_redeem,
    [IDV_INPUT_EMAIL_PROVEN] = apply_email_proven,
    [IDV_INPUT_ACT] = idv_step_act,
    [IDV_INPUT_HANDOFF_OFFER] = idv_step_handoff_offer,
    [IDV_INPUT_HANDOFF_SCAN] = idv_step_handoff_scan,
    [IDV_INPUT_HANDOFF_DECLINE] = idv_step_handoff_decline,
    [IDV_INPUT_HANDOFF_TAKE] = idv_step_handoff_take,
    [IDV_INPUT_HANDOFF_RETURN] = idv_step_handoff_return,
    [IDV_INPUT_HANDOFF_IDLE] = idv_step_handoff_idle,
};

#define EXPECTED_REVIEW 500 /* bytes */

static void write_decision(idv_json_writer_t *object,
                           const idv_review_decision_t *decision)
{
    if (!decision) {
        idv_json_put_null(object, "decision_evidence");
        return;
    }
    idv_json_open_object(object, "decision_evidence");
    idv_json_put_text(object, "decided_by", decision->by);
    idv_json_put_integer(object, "decided_at", idv_time_seconds(decision->at));
    idv_json_put_text(object, "note", decision->note);
    idv_json_put_text(object, "reason_code", decision->reason_code);
    idv_json_close_object(object);
}

const char *idv_session_review_text(const idv_session_t *session,
                                    idv_event_type_t type,
                                    const idv_review_decision_t *decision,
                                    apr_pool_t *pool)
{
    /* the part of the type behind its dot: flagged, approved, ... */
    const char *status = strchr(idv_event_type_value(type), '.') + 1;
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_REVIEW, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "session_review");
    idv_json_put_text(&object, "session_id", session->id);
    idv_json_put_text(&object, "client_reference_id",
                      session->client_reference_id);
    idv_json_put_text(&object, "status", status);
    idv_json_put_text(&object, "reason", session->runner.review_reason);
    idv_json_put_integer(&object, "opened_at",
                         idv_time_seconds(session->review_opened_at));
    idv_json_put_integer(&object, "deadline_at",
                         idv_time_seconds(session->review_deadline));
    idv_json_put_text(&object, "workflow_version_id",
                      session->workflow_version_id);
    idv_json_put_boolean(&object, "livemode", session->livemode);
    write_decision(&object, decision);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

/* How the event of a type that an input announces shows the session. */
typedef enum { AS_IT_IS, HELD, DECIDED } appearance_t;

static const appearance_t appearances[IDV_EVENT_TYPE_COUNT] = {
    [IDV_EVENT_REVIEW_FLAGGED] = HELD,
    [IDV_EVENT_REVIEW_APPROVED] = DECIDED,
    [IDV_EVENT_REVIEW_REJECTED] = DECIDED,
    [IDV_EVENT_REVIEW_ESCALATED] = DECIDED,
};

/* The snapshot for an event of the step. A decided review is shown as it was
 * held, as the session after it is held no longer, or anew. */
static const char *event_object(const idv_step_t *step, idv_event_type_t type)
{
    const idv_review_decision_t decision = {
        .by = step->decided_by,
        .at = step->now,
        .note = step->input->reason,
        .reason_code = step->input->reason_code,
    };

    if (appearances[type] == AS_IT_IS)
        return idv_session_snapshot(step->after, step->pool);
    if (appearances[type] == HELD)
        return idv_session_review_text(step->after, type, NULL, step->pool);
    return idv_session_review_text(
        step->before, type, step->decided_by ? &decision : NULL, step->pool);
}

static void finish(const idv_step_t *step, idv_session_change_t *change)
{
    const idv_session_t *before = step->before, *after = step->after;

    /* The end of a session voids a link that is still shown. */
    if (before->runner.handoff.state != after->runner.handoff.state
        || before->active_device != after->active_device
        || (after->runner.handoff.state
            && !idv_session_status_open(after->status)))
        change->effects |= IDV_EFFECT_KEEP_HANDOFF;
    step->after->revision = step->before->revision + 1;
    step->after->updated = step->now;
    change->changed = 1;
    change->session = step->after;
    change->effects |= step->effects;
    memcpy(change->reviews, step->reviews, sizeof(change->reviews));
    change->review_count = step->review_count;
    for (int i = 0; i < step->type_count; i++) {
        change->events[i].type = step->types[i];
        change->events[i].object = event_object(step, step->types[i]);
    }
    change->event_count = step->type_count;
}

idv_error_t *idv_session_step(const idv_session_t *before,
                              const idv_workflow_t *workflow,
                              const idv_session_input_t *input, idv_time_t now,
                              idv_session_change_t **change, apr_pool_t *pool)
{
    idv_step_t step = {
        .before = before,
        .workflow = workflow,
        .input = input,
        .now = now,
        .after = apr_pmemdup(pool, before, sizeof(*before)),
        .pool = pool,
    };

    *change = apr_pcalloc(pool, sizeof(**change));
    (*change)->session = before;
    if (input->signals)
        step.after->runner.signals = idv_session_signals_keep(
            &before->methods, before->runner.signals, input->signals, pool);
    hold_to_law(&step);
    IDV_TRY(idv_step_check_device(&step));
    IDV_TRY(appliers[input->type](&step));
    if (step.touched)
        idv_step_settle_idle(&step);
    if (step.touched && step.is_held_to_law)
        idv_step_ask_anew(&step);
    if (step.touched)
        finish(&step, *change);
    return NULL;
}
