/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_RISK_REPLAY_H
#define IDV_DOMAIN_SIMULATION_RISK_REPLAY_H

/*
 * Replays a stored risk assessment under another policy.
 *
 * An assessment stores which signals were evaluated, which fired, and the
 * counts; the counted identifiers are deleted. So points, causes, thresholds
 * and shadow settings can be changed afterwards, and limits where the stored
 * count is exact: a count whose signal did not fire is complete, one whose
 * signal fired stops one above its limit. Any other change of policy (a window,
 * a limit above the count) cannot be replayed.
 *
 * Memory: nothing is kept. Threads: pure. Failures: none.
 */
#include "domain/risk/risk.h"

/* Sets LEVEL to the level with which the session of the stored assessment BODY
 * continues under POLICY; zero if BODY lacks the data. */
int idv_risk_replay(const idv_risk_policy_t *policy, const json_t *body,
                    idv_risk_level_t *level);

#endif
