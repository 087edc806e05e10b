/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step_submission.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/transition/step_end.h"
#include "domain/transition/step_law.h"
#include "domain/transition/step_outcome.h"
#include "domain/transition/step_walk.h"

/* The index among COUNT images of the one of this NAME; -1: there is none. */
static int find_image(const idv_evidence_part_t *const *images, int count,
                      const char *name)
{
    for (int i = 0; i < count; i++)
        if (name && strcmp(images[i]->name, name) == 0)
            return i;
    return -1;
}

/* The images that submissions of METHOD may name, out of its parts. */
static int list_images(idv_method_t method,
                       const idv_evidence_part_t *images[IDV_METHOD_PARTS_MAX])
{
    int count = idv_evidence_parts_of(method, images), kept = 0;

    for (int i = 0; i < count; i++)
        if (images[i]->source == IDV_EVIDENCE_IMAGE)
            images[kept++] = images[i];
    return kept;
}

/* A submission names images of its method, each once, and each that is needed. */
static idv_error_t *check_images(const idv_step_t *step)
{
    const idv_evidence_part_t *images[IDV_METHOD_PARTS_MAX];
    const idv_session_input_t *input = step->input;
    int count = list_images(input->method, images);
    unsigned seen = 0;

    if (count == 0 && input->image_count > 0)
        return idv_error_param(step->pool, "images",
                               "must be omitted: this method takes no images.");
    for (int i = 0; i < input->image_count; i++) {
        int image = find_image(images, count, input->images[i]);

        if (image < 0 || seen & 1u << image)
            return idv_error_param(step->pool,
                                   apr_psprintf(step->pool, "images[%d]", i),
                                   "must be an image of this method, listed "
                                   "once.");
        seen |= 1u << image;
    }
    for (int i = 0; i < count; i++)
        if (images[i]->is_needed && !(seen & 1u << i))
            return idv_error_param(step->pool, "images", "must contain `%s`.",
                                   images[i]->name);
    return NULL;
}

/* The declaration of a submission; only self_attestation has one. */
static idv_error_t *check_statement(const idv_step_t *step,
                                    idv_attestation_t *agreed)
{
    const idv_session_input_t *input = step->input;
    const idv_statement_t *asked =
        idv_statement_for(&step->workflow->statements,
                          step->before->jurisdiction.resolved);

    if (input->method != IDV_METHOD_SELF_ATTESTATION)
        return input->statement || input->language
                 ? idv_error_param(step->pool,
                                   input->statement ? "statement" : "language",
                                   "must be omitted: this method has no "
                                   "statement.")
                 : NULL;
    if (!asked)
        return idv_step_misfit(step);
    if (!input->statement || strcmp(input->statement, asked->name))
        return idv_error_param(step->pool, "statement",
                               "must be the name of the session's statement.");
    return idv_statement_agree(asked, input->language, agreed, step->pool)
             ? NULL
             : idv_error_param(step->pool, "language",
                               "must be a language of the statement.");
}

/* A submission that is not analysed, and its OUTCOME. */
static idv_error_t *take_at_once(idv_step_t *step,
                                 const idv_method_outcome_t *outcome)
{
    const idv_workflow_node_t *node = idv_step_node(step, IDV_NODE_METHODS);
    idv_session_t *asked =
        apr_pmemdup(step->pool, step->before, sizeof(*asked));

    if (!node)
        return idv_step_misfit(step);
    asked->current_method = step->input->method;
    step->before = asked;
    step->after->runner.submission++;
    idv_step_take_outcome(step, node, outcome);
    return NULL;
}

/* A declaration passes by being made. */
static idv_error_t *attest(idv_step_t *step, const idv_attestation_t *agreed)
{
    const idv_method_outcome_t outcome = {
        .verdict = IDV_METHOD_PASSED,
        .attestation = agreed,
        .facts = {.age = -1},
    };

    return take_at_once(step, &outcome);
}

idv_error_t *idv_step_test_outcome(idv_step_t *step)
{
    idv_method_list_t choices;

    if (step->before->livemode)
        return idv_error_internal(step->pool,
                                  "%s: a test value for a live session",
                                  step->before->id);
    if (idv_step_is_over(step))
        return idv_step_refuse(step, IDV_E_SESSION_TERMINAL);
    if (idv_step_fails_by_law(step))
        return NULL;
    idv_session_choices(step->before, step->workflow, &choices);
    if (!idv_method_list_has(&choices, step->input->method))
        return idv_step_refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    step->touched = 1;
    return take_at_once(step, step->input->outcome);
}

idv_error_t *idv_step_submit(idv_step_t *step)
{
    idv_attestation_t agreed;
    const idv_session_input_t *input = step->input;
    idv_method_list_t choices;

    if (idv_step_fails_by_law(step))
        return NULL;
    IDV_TRY(idv_session_check_awaiting(step->before, step->workflow, step->now,
                                       step->pool));
    idv_session_choices(step->before, step->workflow, &choices);
    if (!idv_method_list_has(&choices, input->method))
        return idv_error_param(step->pool, "method",
                               "must be one of the session's current methods.");
    IDV_TRY(check_images(step));
    IDV_TRY(check_statement(step, &agreed));
    step->touched = 1;
    if (!idv_step_is_asked(step, input->method))
        return NULL;
    if (input->method == IDV_METHOD_SELF_ATTESTATION)
        return attest(step, &agreed);
    step->after->status = IDV_STATUS_PROCESSING;
    step->after->current_method = input->method;
    step->after->runner.submission++;
    step->after->runner.hint = step->after->runner.hint_side = NULL;
    step->after->runner.checks_failed = NULL;
    step->effects |= IDV_EFFECT_QUEUE_ANALYSIS;
    return NULL;
}

/* Whether the input is about the submission that is being analysed. */
static int is_current_submission(const idv_step_t *step)
{
    return step->before->status == IDV_STATUS_PROCESSING
        && step->before->current_method != IDV_METHOD_NONE
        && step->before->runner.submission == step->input->submission;
}

idv_error_t *idv_step_outcome(idv_step_t *step)
{
    const idv_workflow_node_t *node = idv_step_node(step, IDV_NODE_METHODS);

    if (!is_current_submission(step))
        return NULL;
    if (!node)
        return idv_step_misfit(step);
    if (idv_step_fails_by_law(step))
        return NULL;
    step->touched = 1;
    idv_step_take_outcome(step, node, step->input->outcome);
    return NULL;
}

idv_error_t *idv_step_analysis_failed(idv_step_t *step)
{
    if (!is_current_submission(step))
        return NULL;
    step->touched = 1;
    if (++step->after->runner.technical_failures
        >= IDV_SESSION_TECHNICAL_FAILURES_MAX) {
        step->after->last_error =
            *idv_session_error(IDV_SESSION_ERROR_PROCESSING);
        idv_step_fail(step);
    } else {
        step->after->status = IDV_STATUS_REQUIRES_INPUT;
        step->after->runner.hint = idv_session_hint(IDV_SESSION_HINT_TRY_AGAIN);
    }
    return NULL;
}
