/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_REPLAY_TALLY_H
#define IDV_DOMAIN_SIMULATION_REPLAY_TALLY_H

/*
 * What the replays of many sessions add up to, as a JSON object that grows from
 * batch to batch and is kept with its job.
 *
 * Sessions whose new end is not known make ranges: `least` without and `most`
 * with all of them. A verification counts in the month in which its session
 * ended, and what it costs follows from all of that month's (domain/account/billing.h),
 * so credits are of whole months.
 *
 * Memory: the given pool, which owns the JSON. Threads: pure. Nothing fails.
 */
#include "core/json.h"
#include "domain/simulation/session_replay.h"

/* Sessions of one job that are listed by name; all are counted. */
#define IDV_REPLAY_LISTED_MAX 10000

/* What an organization has, and what its months took. */
typedef struct {
    int is_sandbox; /* it never pays */
    apr_int64_t free_allotment;
    const json_t *months; /* by month: [free, charged]; NULL: none */
} idv_replay_account_t;

/* Adds what became of the session that ENDED. Non-zero when it is to be listed.
 */
int idv_replay_tally_add(json_t *tally, const idv_replay_t *replay,
                         idv_time_t ended);

/* A number of the tally: "processed", "same", "changed", "undetermined". */
apr_int64_t idv_replay_tally_number(const json_t *tally, const char *name);

/* Puts what the interface shows of TALLY into OBJECT: the numbers, `matrix`,
 * `undetermined_reasons`, `reviews`, `verifications`, `credits`,
 * `sessions_listed`. */
void idv_replay_tally_show(const json_t *tally,
                           const idv_replay_account_t *account, json_t *object,
                           apr_pool_t *pool);

#endif
