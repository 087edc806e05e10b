/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/session_step.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/session/session_view.h"
#include "domain/transition/step_decision.h"
#include "domain/transition/step_end.h"
#include "domain/transition/step_handoff.h"
#include "domain/transition/step_hold.h"
#include "domain/transition/step_law.h"
#include "domain/transition/step_outcome.h"
#include "domain/transition/step_submission.h"
#include "domain/transition/step_walk.h"

static idv_error_t *apply_open(idv_step_t *step)
{
    if (step->before->status != IDV_STATUS_CREATED || idv_step_is_over(step))
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

    if (idv_step_is_over(step))
        return idv_step_refuse(step, IDV_E_SESSION_TERMINAL);
    if (before->runner.review_flagged)
        return idv_step_refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    if (!step->input->consent)
        return idv_error_param(step->pool, "consent",
                               "must be true. If the person does not consent, "
                               "cancel the session.");
    if (before->consented_at && before->share_consent == share)
        return NULL;
    if (before->consented_at
        && before->revision >= IDV_SESSION_CONSENT_REVISION_MAX)
        return idv_step_refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    step->touched = 1;
    step->after->share_consent = share;
    if (!before->consented_at) {
        step->after->consented_at = step->now;
        step->after->consent_text =
            apr_pstrdup(step->pool, step->input->consent_text);
    }
    return NULL;
}

/* The node of checks that the session rests at; NULL: none. */
static const idv_workflow_node_t *checks_node(const idv_step_t *step)
{
    idv_session_status_t status = step->before->status;

    return status == IDV_STATUS_PENDING || status == IDV_STATUS_PROCESSING
             ? idv_step_node(step, IDV_NODE_CHECKS)
             : NULL;
}

static idv_error_t *apply_resume_checks(idv_step_t *step)
{
    if (!checks_node(step) || idv_step_is_over(step))
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
        return idv_step_refuse(step, IDV_E_SESSION_TERMINAL);
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
        return idv_step_refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    return cancel(step);
}

static idv_error_t *apply_expire(idv_step_t *step)
{
    if (!idv_session_status_open(step->before->status) || !idv_step_is_over(step))
        return NULL;
    step->touched = 1;
    idv_step_abandon(step, IDV_STATUS_EXPIRED);
    return NULL;
}

static idv_error_t *apply_satisfy(idv_step_t *step)
{
    if (idv_step_is_over(step) || step->before->status != IDV_STATUS_CREATED)
        return idv_step_refuse(step, IDV_E_SESSION_NOT_REDEEMABLE);
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

    if (idv_step_is_over(step))
        return idv_step_refuse(step, IDV_E_SESSION_NOT_REDEEMABLE);
    if (step->before->status == IDV_STATUS_CREATED)
        idv_step_enter(step, step->workflow->start, IDV_STATUS_PENDING);
    idv_session_choices(after, step->workflow, &choices);
    if (choices.count == 0 || idv_session_is_too_young(after))
        return idv_step_refuse(step, IDV_E_SESSION_NOT_REDEEMABLE);
    if (after->compliance.prohibited)
        return idv_step_refuse(step, IDV_E_USE_CASE_PROHIBITED);
    if (after->compliance.on_unknown != IDV_UNKNOWN_ALLOW)
        return idv_step_refuse(step, IDV_E_COMPLIANCE_UNKNOWN);
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
    [IDV_INPUT_SUBMIT] = idv_step_submit,
    [IDV_INPUT_OUTCOME] = idv_step_outcome,
    [IDV_INPUT_TEST_OUTCOME] = idv_step_test_outcome,
    [IDV_INPUT_ANALYSIS_FAILED] = idv_step_analysis_failed,
    [IDV_INPUT_RESUME_CHECKS] = apply_resume_checks,
    [IDV_INPUT_CHECKS_RESULT] = apply_checks_result,
    [IDV_INPUT_CANCEL] = apply_cancel,
    [IDV_INPUT_LEAVE] = apply_leave,
    [IDV_INPUT_EXPIRE] = apply_expire,
    [IDV_INPUT_FLAG] = idv_step_flag,
    [IDV_INPUT_REVIEW_APPROVE] = idv_step_approve,
    [IDV_INPUT_REVIEW_REJECT] = idv_step_reject,
    [IDV_INPUT_REVIEW_ESCALATE] = idv_step_escalate,
    [IDV_INPUT_REVIEW_TIMEOUT] = idv_step_time_out_review,
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

/* How the event of a type that an input announces shows the session. */
typedef enum { AS_IT_IS, HELD, DECIDED } appearance_t;

static const appearance_t appearances[IDV_EVENT_TYPE_COUNT] = {
    [IDV_EVENT_REVIEW_FLAGGED] = HELD,
    [IDV_EVENT_REVIEW_APPROVED] = DECIDED,
    [IDV_EVENT_REVIEW_REJECTED] = DECIDED,
    [IDV_EVENT_REVIEW_ESCALATED] = DECIDED,
};

/* The snapshot for an event of the step. After the decision of a review the
 * session may be held by another one, or by none, so the event shows the review
 * as it was before. */
static const char *event_object(const idv_step_t *step, idv_event_type_t type)
{
    const idv_review_decision_t decision = {
        .by = step->decided_by,
        .at = step->now,
        .note = step->input->reason,
        .reason_code = step->input->reason_code,
        .overruled = step->input->overruled,
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

idv_error_t *idv_session_step(const idv_session_moment_t *moment,
                              const idv_session_input_t *input,
                              idv_session_change_t **change, apr_pool_t *pool)
{
    idv_step_t step = {
        .before = moment->before,
        .workflow = moment->workflow,
        .input = input,
        .now = moment->now,
        .after = apr_pmemdup(pool, moment->before, sizeof(*moment->before)),
        .pool = pool,
    };

    *change = apr_pcalloc(pool, sizeof(**change));
    (*change)->session = moment->before;
    if (input->signals) {
        step.after->runner.signals = idv_session_signals_keep(
            &moment->before->methods, moment->before->runner.signals,
            input->signals, pool);
        if (input->signals->browser)
            step.after->runner.browser = input->signals->browser;
    }
    idv_step_hold_to_law(&step);
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
