/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_HANDOFF_H
#define IDV_DOMAIN_TRANSITION_STEP_HANDOFF_H

/*
 * Moves a session between the first device and a phone: the part of a state
 * machine step that deals with devices. Only for session_step.c; its header
 * says which input is allowed when.
 *
 *     none -OFFER-> offered -SCAN-> scanned -TAKE-> held -IDLE-> idle
 *     offered, scanned -DECLINE-> none; any -RETURN-> none, -OFFER-> offered
 *     idle: the phone's next input -> held, the first device's -> none
 *
 * The token of a link, the number to choose and the phone's secret are stored
 * outside the session (store/session/handoff.h). The caller must have checked
 * them under the session's lock before it passes an input.
 *
 * Memory, threads and failures: as in session_step.h.
 */
#include "domain/transition/step.h"

/* Checks that the input's device is allowed to send it. */
idv_error_t *idv_step_check_device(const idv_step_t *step) IDV_CHECKED;

/* To be called after an input that changed something: if the phone was silent,
 * gives the session to the device that acted. */
void idv_step_settle_idle(idv_step_t *step);

/* Handlers, named after their inputs. */
idv_error_t *idv_step_act(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_offer(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_scan(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_decline(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_take(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_return(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_idle(idv_step_t *step) IDV_CHECKED;

#endif
