/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_REPLAY_TALLY_H
#define IDV_DOMAIN_SIMULATION_REPLAY_TALLY_H

/*
 * The total of many session replays: a JSON object that grows with each batch
 * and is stored with its job.
 *
 * Sessions with an unknown new outcome turn totals into ranges: `least`
 * excludes and `most` includes all of them. A verification counts in the month
 * in which its session ended, and its price depends on all verifications of
 * that month (domain/account/billing.h), so credits are computed for whole
 * months.
 *
 * Memory: the given pool, which owns the JSON. Threads: pure. Failures: none.
 */
#include "core/json.h"
#include "domain/simulation/session_replay.h"

/* Maximum sessions of one job listed by id; all are counted. */
#define IDV_REPLAY_LISTED_MAX 10000

/* The organization's allotment and its monthly usage. */
typedef struct {
    int is_sandbox; /* never pays */
    apr_int64_t free_allotment;
    const json_t *months; /* by month: [free, charged]; NULL: none */
} idv_replay_account_t;

/* Adds the replay of a session that ended at ENDED. Non-zero if it should be
 * listed. */
int idv_replay_tally_add(json_t *tally, const idv_replay_t *replay,
                         idv_time_t ended);

/* A number of the tally: "processed", "same", "changed", "undetermined". */
apr_int64_t idv_replay_tally_number(const json_t *tally, const char *name);

/* Puts the API members of TALLY into OBJECT: the numbers, `matrix`,
 * `undetermined_reasons`, `reviews`, `verifications`, `credits`,
 * `sessions_listed`. */
void idv_replay_tally_show(const json_t *tally,
                           const idv_replay_account_t *account, json_t *object,
                           apr_pool_t *pool);

#endif
