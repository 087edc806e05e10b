/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_RISK_REPLAY_H
#define IDV_DOMAIN_SIMULATION_RISK_REPLAY_H

/*
 * What another policy would have said of a kept risk assessment.
 *
 * An assessment keeps which signals took part, which fired, and the numbers
 * that were counted; the identifiers that were counted are gone. So points,
 * causes, thresholds and shadows can be changed afterwards, and limits where
 * the kept number is exact: one that did not fire was counted to its end, one
 * that fired only as far as one above its limit. Whatever else a policy changes
 * (a window, a limit above what was counted) cannot be known.
 *
 * Memory: nothing is kept. Threads: pure. Nothing fails.
 */
#include "domain/risk/risk.h"

/* Sets LEVEL to that by which the session of the kept assessment BODY goes on
 * under POLICY; zero when BODY does not carry what that takes. */
int idv_risk_replay(const idv_risk_policy_t *policy, const json_t *body,
                    idv_risk_level_t *level);

#endif
