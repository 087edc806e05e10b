/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/analysis_end.h"

#include "domain/session/session_law.h"
#include "store/session/session_risk.h"
#include "store/transaction/session_transition.h"
#include "store/workflow/workflow.h"

APLOG_USE_MODULE(verify);

#define MAX_ATTEMPTS 3
#define RETRY_DELAY (2 * IDV_SECOND)

static int is_of_doubtful_owner(const idv_session_input_t *input)
{
    return input->outcome
        && (input->outcome->doubts & 1u << IDV_DOUBT_DOCUMENT_REUSED);
}

/* Passed from conclude() to note_risk(). */
typedef struct {
    const idv_analysis_run_t *run;
    const idv_session_input_t *input;
} noted_t;

/* Notes as a risk of the session that its document was somebody else's, or what
 * its pictures tell. */
static idv_error_t *note_risk(idv_db_t *db, void *baton,
                              idv_session_record_t *after, apr_pool_t *pool)
{
    const noted_t *noted = baton;

    return idv_risk_note_document(
        db, after, noted->run->runner->worker->config->risk_policy,
        is_of_doubtful_owner(noted->input), pool);
}

/* Applies INPUT to the session and removes the job. After an error the job
 * stays until its lease ends, and both are tried again. */
static void conclude(idv_analysis_run_t *run, const idv_session_input_t *input)
{
    idv_worker_t *worker = run->runner->worker;
    idv_db_t *db = idv_worker_database(worker);
    noted_t noted = {run, input};
    idv_session_transition_t transition = {
        .scope = {.organization_id = run->job.organization_id},
        .session_id = run->job.session_id,
        .input = input,
        .now = run->decided_at ? run->decided_at : idv_time_now(),
        .keyring = worker->config->keys,
        .risk_policy = worker->config->risk_policy,
        .compliance = worker->config->compliance,
        .condition = is_of_doubtful_owner(input)
                          || (input->outcome && input->outcome->traces)
                       ? note_risk
                       : NULL,
        .baton = &noted,
    };
    idv_session_transition_result_t result = {0};
    idv_error_t *error = NULL;

    if (db) {
        error = idv_session_transition(db, &transition, &result, run->pool);
        if (!error)
            error = idv_analysis_job_remove(db, &run->job, run->pool);
        if (error) {
            idv_worker_log_failure(worker, "IDV0350", error,
                                   "the outcome of session %s is not recorded",
                                   run->job.session_id);
            idv_worker_database_failed(worker, error);
        }
    }
    if (result.queued.deliveries)
        idv_deliverer_wake(run->runner->deliverer);
    idv_analysis_run_forget(run);
}

void idv_analysis_run_postpone(idv_analysis_run_t *run, idv_time_t delay,
                               int untried)
{
    idv_worker_t *worker = run->runner->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_error_t *error = NULL;

    if (db)
        error = idv_analysis_job_postpone(db, &run->job, idv_time_now() + delay,
                                          untried, run->pool);
    if (error)
        idv_worker_database_failed(worker, error);
    idv_analysis_run_forget(run);
}

void idv_analysis_run_drop(idv_analysis_run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_error_t *error = NULL;

    if (db)
        error = idv_analysis_job_remove(db, &run->job, run->pool);
    if (error)
        idv_worker_database_failed(worker, error);
    idv_analysis_run_forget(run);
}

/* Ends a question that has no answer, and says so. */
static void leave(idv_analysis_run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    const idv_analysis_case_t read = idv_analysis_run_case(run, run->session);
    idv_db_t *db = idv_worker_database(worker);
    idv_error_t *error = NULL;

    if (db && run->session && run->method && run->method->leave)
        error = run->method->leave(db, &read, run->pool);
    if (error || !db) {
        if (error)
            idv_worker_database_failed(worker, error);
        idv_analysis_run_forget(run);
        return;
    }
    idv_analysis_run_drop(run);
}

void idv_analysis_run_fail(idv_analysis_run_t *run, const char *why)
{
    idv_worker_t *worker = run->runner->worker;
    idv_session_input_t input = {.type = IDV_INPUT_ANALYSIS_FAILED,
                                 .submission = run->job.submission};

    idv_span_end(&run->reader, 1);
    idv_span_end(&run->span, 1);
    idv_statistics_count(worker->statistics, analyses_crashed);
    idv_worker_log(worker, APLOG_WARNING, "IDV0351",
                   "the analysis of session %s failed (attempt %d): %s",
                   run->job.session_id, run->job.attempts, why);
    if (run->job.attempts < MAX_ATTEMPTS)
        idv_analysis_run_postpone(run, RETRY_DELAY, 0);
    else if (idv_analysis_run_is_question(run))
        leave(run);
    else
        conclude(run, &input);
}

void idv_analysis_run_give_up(idv_analysis_run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    idv_method_outcome_t outcome = {
        .verdict = IDV_METHOD_UNREADABLE,
        .hint = run->method->too_long_hint(),
        .facts = {.age = -1}};
    idv_session_input_t input = {.type = IDV_INPUT_OUTCOME,
                                 .submission = run->job.submission,
                                 .outcome = &outcome};

    idv_statistics_count(worker->statistics, analyses_too_long);
    idv_worker_log(worker, APLOG_INFO, "IDV0356",
                   "the photos of session %s of organization %s exceed the "
                   "processor time for reading",
                   run->job.session_id, run->job.organization_id);
    if (idv_analysis_run_is_question(run))
        leave(run);
    else
        conclude(run, &input);
}

/* SESSION as the law of the day wants it. */
static idv_error_t *hold_to_law(const idv_analysis_run_t *run, idv_db_t *db,
                                idv_time_t now, idv_session_t *session,
                                idv_workflow_t **workflow_out)
{
    const idv_compliance_t *law;
    idv_workflow_t *workflow;

    IDV_TRY(idv_workflow_of_session(db, session, &workflow, run->pool));
    *workflow_out = workflow;
    law = idv_session_law(run->runner->worker->config->compliance, session,
                          workflow, now, run->pool);
    if (law)
        idv_session_hold_to_law(session, workflow, law);
    return NULL;
}

void idv_analysis_run_answer(idv_analysis_run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    const idv_analysis_case_t read = idv_analysis_run_case(run, run->session);
    idv_db_t *db = idv_worker_database(worker);
    idv_session_queued_t queued = {0};
    idv_error_t *error;

    if (!db) {
        idv_analysis_run_forget(run);
        return;
    }
    error = run->method->answer(db, &read, idv_analysis_findings(run->analysis),
                                &queued, run->pool);
    if (queued.deliveries)
        idv_deliverer_wake(run->runner->deliverer);
    if (error) {
        idv_worker_database_failed(worker, error);
        idv_analysis_run_forget(run);
        return;
    }
    idv_statistics_count(worker->statistics, analyses_finished);
    idv_analysis_run_drop(run);
}

typedef struct {
    idv_session_t session; /* as the law of NOW wants it */
    idv_time_t now, due;
    idv_method_outcome_t *outcome;
} decision_t;

/* What the method makes of FINDINGS under the law of NOW; DUE is a later moment
 * when it waits for something. */
static idv_error_t *decide(idv_analysis_run_t *run, idv_db_t *db, void *findings,
                           decision_t *decision)
{
    idv_analysis_case_t read = idv_analysis_run_case(run, &decision->session);
    idv_workflow_t *workflow = NULL;

    IDV_TRY(hold_to_law(run, db, decision->now, &decision->session, &workflow));
    read.workflow = workflow;
    IDV_TRY(run->method->decide(db, &read, findings, &decision->outcome,
                                run->pool));
    if (!run->method->await)
        return NULL;
    return run->method->await(db, &read, &decision->outcome, &decision->due,
                              run->pool);
}

void idv_analysis_run_decide(idv_analysis_run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    decision_t decision = {.session = *run->session, .now = idv_time_now()};
    idv_session_input_t input = {.type = IDV_INPUT_OUTCOME,
                                 .submission = run->job.submission};
    idv_db_t *db = idv_worker_database(worker);
    void *findings;
    idv_error_t *error = run->method->validate(
        idv_analysis_findings(run->analysis), &findings, run->pool);

    if (error) {
        idv_analysis_run_fail(run, idv_error_cause(error));
        return;
    }
    /* Without the database nothing is decided; the lease brings the job back. */
    if (db)
        error = decide(run, db, findings, &decision);
    if (error)
        idv_worker_database_failed(worker, error);
    if (error || !db) {
        idv_analysis_run_forget(run);
        return;
    }
    if (decision.due > decision.now) {
        idv_analysis_run_postpone(run, decision.due - decision.now, 1);
        return;
    }
    run->decided_at = decision.now;
    idv_statistics_count(worker->statistics, analyses_finished);
    idv_analysis_count_deviations(decision.session.current_method,
                                  decision.outcome, worker->statistics);
    input.outcome = decision.outcome;
    conclude(run, &input);
}
