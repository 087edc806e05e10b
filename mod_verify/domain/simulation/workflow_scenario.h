/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_WORKFLOW_SCENARIO_H
#define IDV_DOMAIN_SIMULATION_WORKFLOW_SCENARIO_H

/*
 * Scenarios: inputs to a session that nobody has (domain/simulation/workflow_sandbox.h),
 * with what is to come of them. They are the tests of a workflow, which every
 * version that is published has to pass.
 *
 * What is expected is an object of which only the members that are there count:
 *
 *     status      of the session after the last input; must be there
 *     node        where it stands then, or null
 *     last_error  its code, or null
 *     events      the types of all events in order
 *
 * Scenarios are strangers': any JSON values may be given. Memory: everything
 * lives in the given pool. Threads: pure; the clock is passed in.
 */
#include "domain/simulation/workflow_sandbox.h"

#define IDV_SCENARIO_NAME_MAX 100
#define IDV_WORKFLOW_SCENARIOS_MAX 50 /* of a workflow */

typedef struct {
    const char *name;
    idv_session_type_t type;
    const char *jurisdiction; /* normal form; NULL: the workflow's only one */
    const json_t *scenario;
    const json_t *expected;
} idv_workflow_scenario_t;

/* Checks what is expected: `parameter_invalid` at `expected.member`. */
idv_error_t *idv_scenario_expectation_check(const json_t *expected,
                                            apr_pool_t *pool) IDV_CHECKED;

/* What came of a scenario. */
typedef struct {
    /* NULL: it could not be run, ERROR says why. All members of an expectation.
     */
    json_t *actual;
    const idv_error_t *error;
    /* The names of the members that came out otherwise, as a JSON array; empty:
     * all is as expected. */
    json_t *differences;
} idv_scenario_outcome_t;

/* Runs SCENARIO in the workflow, by the law and at the time of SANDBOX, whose
 * type and jurisdiction do not count. A scenario that the workflow does not
 * allow (its jurisdiction is served no more) is an outcome, too. */
void idv_scenario_run(const idv_sandbox_t *sandbox,
                      const idv_workflow_scenario_t *scenario,
                      idv_scenario_outcome_t *outcome, apr_pool_t *pool);

/* What is expected now, for whoever accepts OUTCOME: the members of EXPECTED
 * with what came of them. New reference. */
json_t *idv_scenario_accept(const json_t *expected,
                            const idv_scenario_outcome_t *outcome);

#endif
