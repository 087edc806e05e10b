/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step_law.h"

#include "domain/session/session_law.h"
#include "domain/session/session_summary.h"
#include "domain/transition/step_end.h"

/* Non-zero if the review that this step ends is about a document, or about data
 * from a chip or a wallet. */
static int is_evidence_held(const idv_step_t *step)
{
    return idv_step_is_primary(step->before->runner.held_method);
}

/* The approval of evidence that left the age open is a reviewer's decision that
 * it suffices, but only for what the session demanded when it was held. */
void idv_step_approve_age(idv_step_t *step)
{
    const idv_session_t *before = step->before;
    idv_session_facts_t *facts = &step->after->runner.facts;

    if (is_evidence_held(step)
        && !idv_session_is_too_young(before) && before->required_age > 0
        && facts->age < before->required_age)
        facts->age = before->required_age;
}

int idv_step_approved_age(const idv_step_t *step)
{
    int asked = step->before->required_age;
    int shown = idv_session_summary_age(step->after, step->pool);

    if (is_evidence_held(step))
        return step->after->runner.facts.age;
    if (shown < 0)
        return step->after->required_age;
    return shown > asked ? shown : asked;
}

void idv_step_hold_to_law(idv_step_t *step)
{
    const idv_session_input_t *input = step->input;

    if (!input->law || !idv_session_input_is_held_to_law(input->type)
        || idv_step_is_over(step) || step->before->runner.review_flagged)
        return;
    /* A law that is not known any more takes back nothing that was demanded. */
    step->after->compliance.on_unknown = input->law->on_unknown;
    if (input->law->on_unknown
        && (!input->law->rule_version
            || input->law->required_age < step->before->required_age))
        return;
    step->is_held_to_law = 1;
    idv_session_hold_to_law(step->after, step->workflow, input->law);
}

/* Whether the person has proved an age that the law no longer accepts. By an
 * unchanged law what was decided stands: the age that is kept is the lowest
 * possible, and does not say that it is too low. */
static int is_too_young_now(const idv_step_t *step)
{
    int age = step->after->runner.facts.age;

    return age >= 0 && age < step->after->required_age
        && step->before->required_age < step->after->required_age;
}

static void fail_for(idv_step_t *step, idv_session_failure_t failure)
{
    step->touched = 1;
    step->after->last_error = *idv_session_error(failure);
    idv_step_fail(step);
}

int idv_step_fails_by_law(idv_step_t *step)
{
    int is_prohibited = step->after->compliance.prohibited;

    if (step->input->law && !step->before->runner.review_flagged
        && step->after->compliance.on_unknown == IDV_UNKNOWN_REFUSE) {
        fail_for(step, IDV_SESSION_ERROR_LAW_UNKNOWN);
        return 1;
    }
    if (!step->is_held_to_law || (!is_prohibited && !is_too_young_now(step)))
        return 0;
    fail_for(step, is_prohibited ? IDV_SESSION_ERROR_PROHIBITED
                                 : IDV_SESSION_ERROR_UNDER_AGE);
    return 1;
}

int idv_step_fails_by_age(idv_step_t *step)
{
    const idv_session_t *after = step->after;
    int is_unasked = after->required_age > 0
                  && idv_step_approved_age(step) < after->required_age;

    if (step->before->runner.review_flagged
        || (!is_unasked && !idv_session_is_too_young(after)))
        return 0;
    fail_for(step, IDV_SESSION_ERROR_UNDER_AGE);
    return 1;
}
