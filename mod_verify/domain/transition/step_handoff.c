/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step_handoff.h"

static idv_error_t *refuse(const idv_step_t *step, idv_error_code_t code)
{
    return idv_error_new(code, step->pool);
}

/* A write outside of the session changes the session only if it decides which
 * device holds it. */
idv_error_t *idv_step_act(idv_step_t *step)
{
    if (step->before->runner.handoff.state != IDV_HANDOFF_IDLE)
        return NULL;
    if (idv_session_is_over(step->before, step->now))
        return refuse(step, IDV_E_SESSION_TERMINAL);
    step->touched = 1;
    return NULL;
}

/* Whether the session can move to another device and back. */
static int can_move(const idv_step_t *step)
{
    return !idv_session_is_over(step->before, step->now)
        && !step->before->runner.review_flagged;
}

/* An expired link reveals nothing else about its session. */
static idv_error_t *check_offered(const idv_step_t *step)
{
    idv_handoff_state_t state = step->before->runner.handoff.state;

    return can_move(step)
                && (state == IDV_HANDOFF_OFFERED
                    || state == IDV_HANDOFF_SCANNED)
             ? NULL
             : refuse(step, IDV_E_HANDOFF_INVALID);
}

static void set_handoff(idv_step_t *step, idv_handoff_state_t state)
{
    step->touched = 1;
    step->after->runner.handoff.state = state;
}

/* Only the first device hands over, so that phones make no chain. */
idv_error_t *idv_step_handoff_offer(idv_step_t *step)
{
    if (!can_move(step))
        return refuse(step, IDV_E_SESSION_TERMINAL);
    if (step->input->device.kind == IDV_DEVICE_PHONE)
        return refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    set_handoff(step, IDV_HANDOFF_OFFERED);
    return NULL;
}

idv_error_t *idv_step_handoff_scan(idv_step_t *step)
{
    IDV_TRY(check_offered(step));
    if (step->before->runner.handoff.state == IDV_HANDOFF_OFFERED)
        set_handoff(step, IDV_HANDOFF_SCANNED);
    return NULL;
}

idv_error_t *idv_step_handoff_decline(idv_step_t *step)
{
    IDV_TRY(check_offered(step));
    set_handoff(step, IDV_HANDOFF_NONE);
    return NULL;
}

static void lock_to_phone(idv_step_t *step)
{
    set_handoff(step, IDV_HANDOFF_HELD);
    step->after->active_device = IDV_ACTIVE_DEVICE_MOBILE;
    step->after->device_locked_at = step->now;
}

static void unlock(idv_step_t *step, idv_handoff_state_t state)
{
    set_handoff(step, state);
    step->after->active_device = NULL;
    step->after->device_locked_at = 0;
}

idv_error_t *idv_step_handoff_take(idv_step_t *step)
{
    IDV_TRY(check_offered(step));
    lock_to_phone(step);
    step->after->runner.handoff.phones++;
    return NULL;
}

idv_error_t *idv_step_handoff_return(idv_step_t *step)
{
    if (!can_move(step))
        return refuse(step, IDV_E_SESSION_TERMINAL);
    if (step->before->runner.handoff.state != IDV_HANDOFF_NONE)
        unlock(step, IDV_HANDOFF_NONE);
    return NULL;
}

idv_error_t *idv_step_handoff_idle(idv_step_t *step)
{
    if (step->before->runner.handoff.state == IDV_HANDOFF_HELD
        && !idv_session_is_over(step->before, step->now))
        unlock(step, IDV_HANDOFF_IDLE);
    return NULL;
}

/* Whether the input may come from its device. The person may cancel or return to
 * the first device there at any time; opening a page again only reads. */
idv_error_t *idv_step_check_device(const idv_step_t *step)
{
    const idv_device_t *device = &step->input->device;
    idv_session_input_type_t type = step->input->type;

    if (type == IDV_INPUT_OPEN
        || (device->kind == IDV_DEVICE_FIRST
            && (type == IDV_INPUT_LEAVE || type == IDV_INPUT_HANDOFF_RETURN)))
        return NULL;
    return idv_session_check_device(step->before, device, step->pool);
}

/* Who acts first, once the phone was silent, has the session. */
void idv_step_settle_idle(idv_step_t *step)
{
    const idv_device_t *device = &step->input->device;

    if (step->before->runner.handoff.state != IDV_HANDOFF_IDLE
        || step->after->runner.handoff.state != IDV_HANDOFF_IDLE
        || !idv_session_status_open(step->after->status))
        return;
    if (device->kind == IDV_DEVICE_PHONE)
        lock_to_phone(step);
    else if (device->kind == IDV_DEVICE_FIRST)
        set_handoff(step, IDV_HANDOFF_NONE);
}
