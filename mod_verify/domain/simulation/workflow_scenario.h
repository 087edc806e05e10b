/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_WORKFLOW_SCENARIO_H
#define IDV_DOMAIN_SIMULATION_WORKFLOW_SCENARIO_H

/*
 * Scenarios: inputs to a virtual session (domain/simulation/workflow_sandbox.h)
 * with the expected result. They are the tests of a workflow; every published
 * version must pass them.
 *
 * The expectation is an object; only its present members are compared:
 *
 *     status      of the session after the last input; required
 *     node        the current node, or null
 *     last_error  its code, or null
 *     events      the types of all events in order
 *
 * Scenarios are untrusted: any JSON value is accepted as input. Memory:
 * everything lives in the given pool. Threads: pure; the clock is passed in.
 */
#include "domain/request/parameters.h"
#include "domain/simulation/workflow_sandbox.h"

#define IDV_SCENARIO_NAME_MAX 100
#define IDV_SCENARIO_EXPECTED_MAX 1000 /* members */
#define IDV_WORKFLOW_SCENARIOS_MAX 50 /* per workflow */

typedef struct {
    const char *name;
    idv_session_type_t type;
    const char *jurisdiction; /* normal form; NULL: the workflow's only one */
    const json_t *scenario;
    const json_t *expected;
} idv_workflow_scenario_t;

/* The parameters of a scenario, for an idv_workflow_scenario_t. */
extern const idv_parameter_t idv_scenario_parameters[];

/* Checks an expectation: `parameter_invalid` at `expected.member`. */
idv_error_t *idv_scenario_expectation_check(const json_t *expected,
                                            apr_pool_t *pool) IDV_CHECKED;

/* The result of a scenario. */
typedef struct {
    /* All members of an expectation; NULL: not run, see ERROR. */
    json_t *actual;
    const idv_error_t *error;
    /* A JSON array with the names of the members that differ; empty: as
     * expected. */
    json_t *differences;
} idv_scenario_outcome_t;

/* Runs SCENARIO in the workflow, under the law and at the time of SANDBOX; the
 * sandbox's type and jurisdiction are ignored. A scenario that the workflow
 * does not allow (its jurisdiction is no longer served) also gives an
 * outcome. */
void idv_scenario_run(const idv_sandbox_t *sandbox,
                      const idv_workflow_scenario_t *scenario,
                      idv_scenario_outcome_t *outcome, apr_pool_t *pool);

/* The new expectation if OUTCOME is accepted: the members of EXPECTED with
 * their actual values. New reference. */
json_t *idv_scenario_accept(const json_t *expected,
                            const idv_scenario_outcome_t *outcome);

#endif
