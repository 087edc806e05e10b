/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step_end.h"

#include <string.h>

#include "domain/session/session_results.h"
#include "domain/session/session_summary.h"
#include "domain/session/session_way.h"

void idv_step_clear_prompts(idv_session_t *session)
{
    session->current_method = IDV_METHOD_NONE;
    session->runner.hint = session->runner.hint_side = NULL;
    session->runner.checks_failed = NULL;
}

void idv_step_accept_summary(idv_step_t *step)
{
    step->after->verification_result =
        idv_session_summary_accept(step->after, 1, step->pool);
}

static void end(idv_step_t *step, idv_session_status_t status)
{
    idv_step_clear_prompts(step->after);
    step->after->status = status;
    if (!step->after->ended_at)
        step->after->ended_at = step->now;
    step->after->active_device = NULL;
    step->after->device_locked_at = 0;
    step->after->runner.signals = NULL;
    step->effects |= IDV_EFFECT_PURGE_EVIDENCE;
}

/* Revokes the results of an earlier `verified` of this session. Events already
 * announced were delivered, and the verification stays counted. */
static void revoke_verification(idv_step_t *step)
{
    if (step->before->runner.counted)
        step->effects |= IDV_EFFECT_REVOKE_CREDENTIAL;
}

void idv_step_give_back(idv_step_t *step)
{
    if (!step->after->runner.counted)
        return;
    step->after->runner.counted = 0;
    step->effects |= IDV_EFFECT_UNCOUNT_VERIFICATION;
}

void idv_step_count_cancelled(idv_step_t *step)
{
    if (step->before->runner.counted
        || !idv_session_has_passed_evidence(step->before))
        return;
    step->after->runner.counted = 1;
    step->effects |= IDV_EFFECT_COUNT_VERIFICATION;
}

void idv_step_note_rejection(idv_step_t *step)
{
    if (!step->before->runner.counted
        && idv_session_has_passed_evidence(step->before))
        step->effects |= IDV_EFFECT_NOTE_REJECTION;
}

/* Whether a reviewer let the session continue after a method had failed:
 * without a passed method, only that leads to a verified outcome
 * (workflow_check.h). */
static int was_approved(const idv_step_t *step)
{
    return !step->after->last_error.code
        && idv_session_way_has(step->after, step->workflow, IDV_NODE_REVIEW,
                               step->pool);
}

/* Fails the session in place of verifying it when its evidence speaks against
 * that; non-zero when it has failed. Every way to verified comes by here. */
static int fails_by_evidence(idv_step_t *step)
{
    idv_session_t *after = step->after;
    const idv_session_error_t *objection =
        idv_session_objection(after, step->pool);

    if (objection && !idv_session_is_too_young(after) && was_approved(step)) {
        idv_step_accept_summary(step);
        objection = idv_session_objection(after, step->pool);
    }
    if (!objection)
        return 0;
    if (!after->last_error.code || idv_session_is_too_young(after))
        after->last_error = *objection;
    idv_step_fail(step);
    return 1;
}

void idv_step_verify(idv_step_t *step)
{
    static const idv_session_error_t none = {NULL, NULL, NULL};
    idv_session_t *after = step->after;

    if (fails_by_evidence(step))
        return;
    end(step, IDV_STATUS_VERIFIED);
    after->last_error = none;
    if (!after->completed_at)
        after->completed_at = step->now;
    if (!after->runner.counted) {
        after->runner.counted = 1;
        step->effects |= IDV_EFFECT_COUNT_VERIFICATION;
        if (after->verification_path == IDV_PATH_FRESH
            || after->verification_path == IDV_PATH_SANDBOX)
            step->effects |= IDV_EFFECT_MINT_CREDENTIAL;
    }
    idv_step_emit(step, IDV_EVENT_SESSION_VERIFIED);
}

void idv_step_fail(idv_step_t *step)
{
    end(step, IDV_STATUS_FAILED);
    step->after->completed_at = step->now;
    if (!step->after->last_error.code)
        step->after->last_error =
            *idv_session_error(IDV_SESSION_ERROR_DECLINED);
    revoke_verification(step);
    idv_step_emit(step, IDV_EVENT_SESSION_FAILED);
}

void idv_step_abandon(idv_step_t *step, idv_session_status_t status)
{
    end(step, status);
    revoke_verification(step);
    if (status == IDV_STATUS_CANCELLED)
        step->after->cancelled_at = step->now;
    idv_step_emit(step, status == IDV_STATUS_CANCELLED
                            ? IDV_EVENT_SESSION_CANCELLED
                            : IDV_EVENT_SESSION_EXPIRED);
}

/* Whether a match is still to come, for which there is a portrait: of what the
 * session was passed with, or is when the hold ends. */
static int needs_portrait(const idv_session_t *session)
{
    const idv_session_runner_t *runner = &session->runner;

    return idv_method_list_has(&session->methods, IDV_METHOD_SELFIE_MATCH)
        && !idv_method_list_has(&runner->verified, IDV_METHOD_SELFIE_MATCH)
        && (idv_method_list_strongest(&runner->verified) != IDV_METHOD_NONE
            || idv_step_is_primary(runner->held_method));
}

/* Whether the still is of a challenge that counts, or does when the hold ends, so that
 * a match may take it. Any other was kept only for the review. */
static int has_still_for_match(const idv_step_t *step)
{
    const idv_session_t *before = step->before;

    return idv_method_parse(before->runner.held_method)
               == IDV_METHOD_SELFIE_LIVENESS
        || idv_session_results_have_still(before->results, step->pool);
}

void idv_step_release(idv_step_t *step)
{
    idv_session_t *after = step->after;

    if (!after->runner.review_flagged)
        after->expires_at += step->now - after->review_opened_at;
    after->review_opened_at = 0;
    after->review_deadline = 0;
    after->runner.review_flagged = 0;
    after->runner.review_escalated = 0;
    after->runner.review_reason = NULL;
    after->runner.held_method = NULL;
    step->effects |= IDV_EFFECT_RESOLVE_REVIEW;
    /* The end of the session purges in any case. */
    if (!needs_portrait(step->before))
        step->effects |= IDV_EFFECT_PURGE_EVIDENCE;
    else if (!has_still_for_match(step))
        step->effects |= IDV_EFFECT_PURGE_FACES;
}
