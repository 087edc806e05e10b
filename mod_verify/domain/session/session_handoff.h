/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_HANDOFF_H
#define IDV_DOMAIN_SESSION_SESSION_HANDOFF_H

/*
 * How a session moves between the first device and a phone: the part of one
 * step of the state machine that knows of devices. For session_step.c alone,
 * whose header says what is allowed when.
 *
 *     none -OFFER-> offered -SCAN-> scanned -TAKE-> held -IDLE-> idle
 *     offered, scanned -DECLINE-> none; any -RETURN-> none, -OFFER-> offered
 *     idle: the phone's next input -> held, the first device's -> none
 *
 * The token of a link, the number to choose and the phone's secret stand beside
 * the session (store/session/handoff.h); a step rests on whoever gives its input having
 * looked at them under the session's lock.
 *
 * Memory, threads and failures: as in session_step.h.
 */
#include "domain/session/session_walk.h"

/* Whether the device of the input may give it. */
idv_error_t *idv_step_check_device(const idv_step_t *step) IDV_CHECKED;

/* After an input that changed something: gives a session whose phone was silent
 * to the device that acted. */
void idv_step_settle_idle(idv_step_t *step);

/* The inputs by their names. */
idv_error_t *idv_step_act(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_offer(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_scan(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_decline(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_take(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_return(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_handoff_idle(idv_step_t *step) IDV_CHECKED;

#endif
