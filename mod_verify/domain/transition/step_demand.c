/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step_demand.h"

#include <string.h>

#include <apr_strings.h>

/* The assurance that NODE requires of an outcome of METHOD: presence is for the
 * match to prove, the rest for the evidence. */
static idv_assurance_t demand_of(const idv_step_t *step,
                                 const idv_workflow_node_t *node,
                                 idv_method_t method)
{
    idv_assurance_t demand = idv_workflow_node_demand(node, step->before->type);

    if (method == IDV_METHOD_SELFIE_MATCH)
        return demand == IDV_ASSURANCE_SIGNED_AND_PRESENT ? demand
                                                          : IDV_ASSURANCE_NONE;
    if (idv_method_kind(method) != IDV_METHOD_PRIMARY)
        return IDV_ASSURANCE_NONE;
    return demand < IDV_ASSURANCE_SIGNED ? demand : IDV_ASSURANCE_SIGNED;
}

/* Why OUTCOME of METHOD is worth less than is demanded: where evidence is signed
 * or nothing, and of a match, because of what left it in doubt. */
static const idv_method_error_t *
error_of_demand(idv_method_t method, const idv_method_outcome_t *outcome)
{
    int is_explained = method == IDV_METHOD_SELFIE_MATCH
                    || idv_method_reach(method) >= IDV_ASSURANCE_SIGNED;

    return is_explained && outcome->last_error
             ? outcome->last_error
             : idv_session_error(IDV_SESSION_ERROR_ASSURANCE_INSUFFICIENT);
}

/* OUTCOME as a failure for ERROR: CHECK replaces the one of its name, or is
 * added at the end, and the summary verifies nothing. */
static const idv_method_outcome_t *
refuse_outcome(const idv_step_t *step, const idv_method_outcome_t *outcome,
               const idv_method_check_t *check, const idv_method_error_t *error)
{
    idv_method_outcome_t *failed =
        apr_pmemdup(step->pool, outcome, sizeof(*outcome));
    int count = outcome->check_count, at = 0;
    idv_method_check_t *checks =
        apr_palloc(step->pool, ((size_t)count + 1) * sizeof(*checks));

    if (count > 0)
        memcpy(checks, outcome->checks, (size_t)count * sizeof(*checks));
    while (at < count && strcmp(checks[at].name, check->name) != 0)
        at++;
    checks[at] = *check;
    failed->verdict = IDV_METHOD_FAILED;
    failed->checks = checks;
    failed->check_count = at < count ? count : count + 1;
    failed->last_error = error;
    failed->verification_result = idv_json_own(
        json_copy(outcome->verification_result), step->pool);
    if (failed->verification_result)
        json_object_set_new(failed->verification_result, "age_verified",
                            json_false());
    return failed;
}

/* Non-zero when nothing speaks against OUTCOME. */
static int may_pass(const idv_method_outcome_t *outcome)
{
    return outcome->verdict == IDV_METHOD_PASSED
        || outcome->verdict == IDV_METHOD_UNDETERMINED;
}

/* An outcome that has nothing against it, but is worth less than NODE demands,
 * is a failure. */
static const idv_method_outcome_t *
demand_assurance(const idv_step_t *step, const idv_workflow_node_t *node,
                 const idv_method_outcome_t *outcome)
{
    idv_method_t method = step->before->current_method;

    if (!may_pass(outcome)
        || outcome->assurance >= demand_of(step, node, method))
        return outcome;
    return refuse_outcome(step, outcome,
                          idv_session_check(IDV_SESSION_CHECK_ASSURANCE),
                          error_of_demand(method, outcome));
}

/* Whether OUTCOME, which may have been decided on before the law of the day
 * raised the age, leaves that age unproved, for another reason than a doubt of
 * which the workflow says what follows. */
static int is_overtaken(const idv_step_t *step,
                        const idv_method_outcome_t *outcome)
{
    const idv_method_facts_t *facts = &outcome->facts;
    int demand = step->after->required_age;
    int is_age_open = (outcome->doubts & 1u << IDV_DOUBT_UNDETERMINED) != 0;

    if (!step->is_held_to_law || step->before->required_age >= demand
        || idv_method_kind(step->before->current_method) != IDV_METHOD_PRIMARY)
        return 0;
    return (facts->younger_than > 0 && demand >= facts->younger_than)
        || (!is_age_open && facts->age < demand);
}

/* Whether OUTCOME, without evidence of its own, would pass a person whom
 * evidence has shown to be too young. */
static int is_denied(const idv_step_t *step, const idv_method_outcome_t *outcome)
{
    return step->before->current_method == IDV_METHOD_SELF_ATTESTATION
        && outcome->verdict == IDV_METHOD_PASSED
        && idv_session_is_too_young(step->after);
}

/* An outcome is worth what the law says when it is recorded, not what it said
 * when it was decided on, and does not pass against evidence. */
static const idv_method_outcome_t *
demand_age(const idv_step_t *step, const idv_method_outcome_t *outcome)
{
    static const idv_method_check_t age = {"age", IDV_CHECK_FAILED, "under_age",
                                           0};

    if (!may_pass(outcome)
        || (!is_overtaken(step, outcome) && !is_denied(step, outcome)))
        return outcome;
    return refuse_outcome(step, outcome, &age,
                          idv_session_error(IDV_SESSION_ERROR_UNDER_AGE));
}

const idv_method_outcome_t *idv_step_demand(const idv_step_t *step,
                                            const idv_workflow_node_t *node,
                                            const idv_method_outcome_t *outcome)
{
    return demand_age(step, demand_assurance(step, node, outcome));
}
