/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step_hold.h"

#include <string.h>

void idv_step_record(idv_step_t *step, idv_review_action_t action,
                     const char *actor, const char *note)
{
    if (step->review_count < IDV_SESSION_REVIEWS_MAX)
        step->reviews[step->review_count++] =
            (idv_review_entry_t){.action = action, .actor = actor, .note = note};
}

void idv_step_hold(idv_step_t *step, idv_time_t timeout)
{
    idv_session_t *after = step->after;

    after->current_method = IDV_METHOD_NONE;
    after->runner.hint = after->runner.hint_side = NULL;
    after->runner.checks_failed = NULL;
    after->status = IDV_STATUS_UNDER_REVIEW;
    after->review_opened_at = step->now;
    after->review_deadline = step->now + timeout;
    after->runner.review_escalated = 0;
    step->effects |= IDV_EFFECT_OPEN_REVIEW;
    if (after->runner.review_flagged)
        idv_step_record(step, IDV_REVIEW_FLAGGED, step->input->decided_by,
                        step->input->reason);
    else
        idv_step_record(step, IDV_REVIEW_HELD, NULL, NULL);
    step->reviews[step->review_count - 1].deadline = after->review_deadline;
    idv_step_emit(step, IDV_EVENT_REVIEW_FLAGGED);
}

#define LAW_UNKNOWN "law_unknown"

void idv_step_hold_for_law(idv_step_t *step)
{
    step->after->runner.review_reason = LAW_UNKNOWN;
    idv_step_hold(step, IDV_WORKFLOW_REVIEW_HOURS_DEFAULT * IDV_HOUR);
}

int idv_step_is_law_held(const idv_step_t *step)
{
    const idv_session_runner_t *runner = &step->before->runner;

    return step->before->status == IDV_STATUS_UNDER_REVIEW
        && !runner->review_flagged && !runner->held_method
        && runner->review_reason
        && strcmp(runner->review_reason, LAW_UNKNOWN) == 0;
}
