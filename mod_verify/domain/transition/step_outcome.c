/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step_outcome.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/session/session_results.h"
#include "domain/session/session_summary.h"
#include "domain/session/session_way.h"
#include "domain/transition/step_demand.h"
#include "domain/transition/step_hold.h"
#include "domain/transition/step_walk.h"

#define EXPECTED_CODES 200 /* bytes of the checks that failed */

static void add_result(idv_step_t *step, const idv_session_result_t *result)
{
    step->after->results =
        idv_session_results_add(step->after->results, result, step->pool);
}

/* Whether OUTCOME leaves doubts, which the workflow only notes. */
static int is_noted(const idv_step_t *step, const idv_method_outcome_t *outcome)
{
    return outcome->verdict == IDV_METHOD_UNDETERMINED
        && idv_workflow_on_doubts(step->workflow, outcome->doubts)
               == IDV_ON_DOUBT_NOTED;
}

/* An outcome whose doubts are to be noted alone is a pass. */
static const char *verdict_of(const idv_step_t *step,
                              const idv_method_outcome_t *outcome)
{
    static const char *const verdicts[] = {
        [IDV_METHOD_PASSED] = "passed",
        [IDV_METHOD_FAILED] = "failed",
        [IDV_METHOD_UNDETERMINED] = "undetermined",
        [IDV_METHOD_UNREADABLE] = "unreadable",
    };

    if (is_noted(step, outcome))
        return verdicts[IDV_METHOD_PASSED];
    return verdicts[outcome->verdict];
}

static void add_outcome(idv_step_t *step, const idv_method_outcome_t *outcome)
{
    const idv_session_result_t result = {
        .method = idv_method_value(step->before->current_method),
        .status = verdict_of(step, outcome),
        .assurance = outcome->assurance,
        .hint = outcome->hint,
        .error_code = outcome->last_error ? outcome->last_error->code : NULL,
        .checks = outcome->checks,
        .check_count = outcome->check_count,
        .attestation = outcome->attestation,
        .completed_at = step->now,
    };

    add_result(step, &result);
}

void idv_step_take_checks(idv_step_t *step, const idv_workflow_node_t *node)
{
    idv_session_result_t result = {
        .status = idv_risk_level_value(step->input->risk),
        .risk_assessment_id = step->input->assessment_id,
        .completed_at = step->now,
    };

    for (int i = 0; i < node->methods.count; i++) {
        result.method = idv_method_value(node->methods.items[i]);
        add_result(step, &result);
    }
}

/* Keeps the age that the person is certainly below, as OUTCOME shows it. Evidence that
 * passes replaces it. Evidence that fails or is in doubt can only lower it. */
static void keep_limit(idv_session_facts_t *facts,
                       const idv_method_outcome_t *outcome)
{
    int years = outcome->facts.younger_than;

    if (outcome->verdict == IDV_METHOD_PASSED
        || (years > 0
            && (!facts->younger_than || years < facts->younger_than)))
        facts->younger_than = years;
}

/* Also of a document that failed: otherwise, all that statistics know would have
 * passed. */
static void keep_document(idv_step_t *step, const idv_method_outcome_t *found)
{
    idv_session_runner_t *runner = &step->after->runner;

    if (!found->document.kind)
        return;
    runner->document_kind = apr_pstrdup(step->pool, found->document.kind);
    runner->document_issuer = apr_pstrdup(step->pool, found->document.issuer);
}

/* Facts and what they are worth are those of one outcome, the last of the
 * strongest: what a bare code states is not worth more because another document
 * was. A match brings no facts, and raises what those of its portrait are worth. */
static void keep_facts(idv_step_t *step, const idv_method_outcome_t *outcome)
{
    idv_session_facts_t *facts = &step->after->runner.facts;
    const idv_method_facts_t *found = &outcome->facts;
    char text[IDV_DATE_TEXT_SIZE];

    if (outcome->assurance < facts->assurance)
        return;
    if (step->before->current_method == IDV_METHOD_SELFIE_MATCH) {
        facts->assurance = outcome->assurance;
        return;
    }
    facts->assurance = outcome->assurance;
    facts->age = found->age;
    if (idv_method_kind(step->before->current_method) == IDV_METHOD_PRIMARY)
        keep_limit(facts, outcome);
    facts->jurisdiction = apr_pstrdup(step->pool, found->jurisdiction);
    facts->expiry =
        idv_date_is_complete(found->expiry)
            ? apr_pstrdup(step->pool, idv_date_format(found->expiry, text))
            : NULL;
}

static void keep_failure(idv_step_t *step, const idv_method_outcome_t *outcome)
{
    const idv_method_error_t *error = outcome->last_error;
    idv_session_t *after = step->after;
    idv_json_writer_t codes;

    /* A failure proves nothing, but may show that the person is too young. */
    if (outcome->assurance >= after->runner.facts.assurance)
        keep_limit(&after->runner.facts, outcome);
    idv_json_writer_init(&codes, EXPECTED_CODES, step->pool);
    idv_json_open_array(&codes, NULL);
    for (int i = 0; i < outcome->check_count; i++) {
        const idv_method_check_t *check = &outcome->checks[i];

        /* An undetermined check explains a doubt, not a failure. */
        if (check->result == IDV_CHECK_FAILED
            || (check->result == IDV_CHECK_UNDETERMINED && !check->is_silent
                && outcome->verdict == IDV_METHOD_UNDETERMINED))
            idv_json_put_text(&codes, NULL,
                              check->reason ? check->reason : check->name);
    }
    idv_json_close_array(&codes);
    after->runner.checks_failed = idv_json_writer_text(&codes, NULL);
    memset(&after->last_error, 0, sizeof(after->last_error));
    if (error) {
        after->last_error.code = apr_pstrdup(step->pool, error->code);
        after->last_error.message = apr_pstrdup(step->pool, error->message);
        after->last_error.category = apr_pstrdup(step->pool, error->category);
    }
}

/* Whether the law of the day still accepts what passes NODE with METHOD. */
static int is_accepted(const idv_session_t *session,
                       const idv_workflow_node_t *node, idv_method_t method)
{
    for (int i = 0; i < node->methods.count; i++)
        if ((node->mode == IDV_MODE_ALL_OF || node->methods.items[i] == method)
            && !idv_method_list_has(&session->methods, node->methods.items[i]))
            return 0;
    return 1;
}

/* METHOD was passed at NODE, and its facts are stored. If the law has excluded
 * it meanwhile, it passes nothing: idv_step_ask_anew() then requests something
 * else. */
static void pass(idv_step_t *step, const idv_workflow_node_t *node,
                 idv_method_t method)
{
    idv_session_t *after = step->after;

    memset(&after->last_error, 0, sizeof(after->last_error));
    if (step->is_held_to_law && !is_accepted(after, node, method))
        return;
    idv_method_list_add(&after->runner.passed, method);
    idv_method_list_add(&after->runner.verified, method);
    if ((idv_method_kind(method) == IDV_METHOD_PRIMARY
         || method == IDV_METHOD_SELFIE_LIVENESS)
        && idv_method_list_has(&after->methods, IDV_METHOD_SELFIE_MATCH))
        step->effects |= IDV_EFFECT_BELIEVE_EVIDENCE;
    after->current_method = idv_step_next_method(after, node);
    if (node->mode == IDV_MODE_ALL_OF
        && after->current_method != IDV_METHOD_NONE)
        return;
    after->runner.way = idv_session_way_pass(after->runner.way,
                                             &after->runner.passed, step->pool);
    idv_step_enter(step, node->next[IDV_EXIT_PASSED],
                   IDV_STATUS_REQUIRES_INPUT);
}

static void take_pass(idv_step_t *step, const idv_workflow_node_t *node,
                      const idv_method_outcome_t *outcome)
{
    keep_facts(step, outcome);
    pass(step, node, step->before->current_method);
}

static void take_failure(idv_step_t *step, const idv_workflow_node_t *node,
                         const idv_method_outcome_t *outcome)
{
    keep_failure(step, outcome);
    if (++step->after->runner.attempts >= node->max_attempts)
        idv_step_enter(step, node->next[IDV_EXIT_EXHAUSTED],
                       IDV_STATUS_REQUIRES_INPUT);
}

/* The hold for a doubt; the facts wait for the reviewer with it. */
static void hold_outcome(idv_step_t *step, const idv_workflow_node_t *node,
                         const idv_method_outcome_t *outcome)
{
    static const char *const reasons[IDV_DOUBT_COUNT] = {
#define X(name, setting, reason) [IDV_DOUBT_##name] = reason,
        IDV_METHOD_DOUBTS(X)
#undef X
    };
    idv_session_runner_t *runner = &step->after->runner;
    int doubt = IDV_DOUBT_COUNT - 1;

    (void)node;
    while (doubt > 0 && !(outcome->doubts & 1u << doubt))
        doubt--;
    keep_facts(step, outcome);
    runner->held_method = idv_method_value(step->before->current_method);
    runner->review_reason = reasons[doubt];
    memset(&step->after->last_error, 0, sizeof(step->after->last_error));
    idv_step_hold(step, IDV_WORKFLOW_REVIEW_HOURS_DEFAULT * IDV_HOUR);
}

/* The newest of the results is the outcome that the session is held for. */
void idv_step_take_held(idv_step_t *step, const idv_workflow_node_t *node)
{
    const idv_session_t *before = step->before;
    const idv_session_result_t *newest =
        idv_session_results_newest(before->results, step->pool);
    const idv_session_result_t result = {
        .method = before->runner.held_method,
        .status = "passed",
        .assurance = newest ? newest->assurance : IDV_ASSURANCE_NONE,
        .completed_at = step->now,
    };

    step->after->status = IDV_STATUS_REQUIRES_INPUT;
    add_result(step, &result);
    pass(step, node, idv_method_parse(before->runner.held_method));
}

/* A failure that no further attempt is given for. */
static void take_last_failure(idv_step_t *step, const idv_workflow_node_t *node,
                              const idv_method_outcome_t *outcome)
{
    keep_failure(step, outcome);
    idv_step_enter(step, node->next[IDV_EXIT_EXHAUSTED],
                   IDV_STATUS_REQUIRES_INPUT);
}

/* Handles an outcome; its node is left or remains the current one. */
typedef void take_t(idv_step_t *step, const idv_workflow_node_t *node,
                    const idv_method_outcome_t *outcome);

static void take_doubt(idv_step_t *step, const idv_workflow_node_t *node,
                       const idv_method_outcome_t *outcome)
{
    static take_t *const takers[IDV_DOUBT_ACTION_COUNT] = {
        [IDV_ON_DOUBT_NOTED] = take_pass,
        [IDV_ON_DOUBT_REVIEW] = hold_outcome,
        [IDV_ON_DOUBT_REQUIRES_INPUT] = take_failure,
        [IDV_ON_DOUBT_FAILED] = take_last_failure,
    };

    takers[idv_workflow_on_doubts(step->workflow, outcome->doubts)](step, node,
                                                                    outcome);
}

/* The hold for a document that nobody here can read: a reviewer sees its pictures.
 * No facts are kept of it, so that what an earlier attempt showed about the age
 * still counts. */
static void hold_unreadable(idv_step_t *step)
{
    idv_session_runner_t *runner = &step->after->runner;

    runner->held_method = idv_method_value(step->before->current_method);
    runner->review_reason = "unreadable";
    memset(&step->after->last_error, 0, sizeof(step->after->last_error));
    idv_step_hold(step, IDV_WORKFLOW_REVIEW_HOURS_DEFAULT * IDV_HOUR);
}

/* Documents were unreadable as often as NODE allows. An identity must be read
 * to be proved, so a review can help only if the session is just about an
 * age. */
static void end_unreadable(idv_step_t *step, const idv_workflow_node_t *node)
{
    const idv_method_outcome_t outcome = {
        .verdict = IDV_METHOD_UNREADABLE,
        .facts = {.age = -1},
        .last_error = idv_session_error(IDV_SESSION_ERROR_UNREADABLE_ATTEMPTS)};
    idv_doubt_action_t action =
        idv_workflow_on_doubts(step->workflow, 1u << IDV_DOUBT_UNREADABLE);

    step->after->runner.unreadable = 0;
    if (action == IDV_ON_DOUBT_REVIEW
        && step->before->type == IDV_SESSION_TYPE_AGE)
        hold_unreadable(step);
    else if (action == IDV_ON_DOUBT_REQUIRES_INPUT)
        take_failure(step, node, &outcome);
    else
        take_last_failure(step, node, &outcome);
}

/* A submission that could not be read costs none of the attempts. Documents that
 * cannot be read are counted by themselves; after IDV_SESSION_SUBMISSIONS_MAX
 * submissions the node ends as exhausted all the same. */
static void take_unreadable(idv_step_t *step, const idv_workflow_node_t *node,
                            const idv_method_outcome_t *outcome)
{
    if (step->before->current_method == IDV_METHOD_DOCUMENT_CAPTURE
        && ++step->after->runner.unreadable >= node->max_unreadable)
        end_unreadable(step, node);
    else if (step->after->runner.submission >= IDV_SESSION_SUBMISSIONS_MAX) {
        step->after->last_error =
            *idv_session_error(IDV_SESSION_ERROR_UNREADABLE);
        idv_step_enter(step, node->next[IDV_EXIT_EXHAUSTED],
                       IDV_STATUS_REQUIRES_INPUT);
    } else if (outcome->hint) {
        step->after->runner.hint = apr_pstrdup(step->pool, outcome->hint);
        step->after->runner.hint_side =
            apr_pstrdup(step->pool, outcome->hint_side);
    }
}

/* Whether OUTCOME provides the data with which the session continues: a pass, a
 * doubt that is noted, or one that a reviewer decides. A failed attempt does
 * not replace the summary of what passed before. */
static int is_summed_up(const idv_step_t *step,
                        const idv_method_outcome_t *outcome)
{
    const idv_session_runner_t *runner = &step->before->runner;
    idv_doubt_action_t action =
        idv_workflow_on_doubts(step->workflow, outcome->doubts);

    return outcome->verdict == IDV_METHOD_PASSED
        || (outcome->verdict == IDV_METHOD_UNDETERMINED
            && action <= IDV_ON_DOUBT_REVIEW)
        || idv_method_kind(step->before->current_method) == IDV_METHOD_LAYER
        || idv_method_list_strongest(&runner->verified) == IDV_METHOD_NONE;
}

static void sum_up(idv_step_t *step, const idv_method_outcome_t *outcome)
{
    idv_session_t *after = step->after;

    if (!outcome->verification_result || !is_summed_up(step, outcome))
        return;
    after->verification_result = idv_session_summary_join(
        after->verification_result, step->before->current_method,
        outcome->verification_result, step->pool);
    /* A doubt that the workflow only notes, it accepts, but no age that is open. */
    if (is_noted(step, outcome)
        && idv_method_kind(step->before->current_method) == IDV_METHOD_PRIMARY
        && outcome->facts.age >= after->required_age)
        after->verification_result =
            idv_session_summary_accept(after, 0, step->pool);
}

void idv_step_take_outcome(idv_step_t *step, const idv_workflow_node_t *node,
                           const idv_method_outcome_t *found)
{
    static take_t *const takers[] = {
        [IDV_METHOD_PASSED] = take_pass,
        [IDV_METHOD_FAILED] = take_failure,
        [IDV_METHOD_UNDETERMINED] = take_doubt,
        [IDV_METHOD_UNREADABLE] = take_unreadable,
    };
    const idv_method_outcome_t *outcome =
        idv_step_demand(step, node, found);
    idv_session_t *after = step->after;

    after->status = IDV_STATUS_REQUIRES_INPUT;
    after->runner.technical_failures = 0;
    after->runner.hint = after->runner.hint_side = NULL;
    after->runner.checks_failed = NULL;
    if (outcome->doubts & 1u << IDV_DOUBT_DOCUMENT_REUSED)
        after->runner.document_reused = 1;
    after->runner.document_traces |= (int)outcome->traces;
    keep_document(step, found);
    sum_up(step, outcome);
    if (step->before->current_method == IDV_METHOD_SELFIE_LIVENESS
        || step->before->current_method == IDV_METHOD_SELFIE_MATCH)
        step->effects |= IDV_EFFECT_PURGE_FACES;
    add_outcome(step, outcome);
    takers[outcome->verdict](step, node, outcome);
}
