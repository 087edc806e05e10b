/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/analysis_runner.h"

#include <poll.h>
#include <string.h>

#include <apr_strings.h>

#include "methods/document/document_decision.h"
#include "store/analysis_job.h"
#include "store/evidence.h"
#include "store/session_transition.h"
#include "worker/analyzer.h"

APLOG_USE_MODULE(verify);

#define READER_TIME 8000                /* ms that the readers may spend */
#define ANALYSIS_TIME (20 * IDV_SECOND) /* with queueing and starting */
#define LEASE_TIME (60 * IDV_SECOND)
#define MAX_ATTEMPTS 3
#define MAX_RECORDINGS 10 /* claims of a job whose outcome nobody records */
#define RETRY_DELAY (2 * IDV_SECOND)
#define BUSY_DELAY 200 /* ms until a busy reader is asked again */

/* One submission under way. */
typedef struct run_t run_t;
struct run_t {
    idv_analysis_runner_t *runner;
    apr_pool_t *pool;
    run_t *next, **link;
    idv_analysis_job_t job;
    const idv_session_t *session;
    idv_analysis_t *analysis;
    int watched; /* descriptor in the loop, -1: none */
    idv_event_timer_t deadline;
};

struct idv_analysis_runner_t {
    idv_worker_t *worker;
    idv_deliverer_t *deliverer;
    apr_pool_t *pool;
    idv_analyzer_settings_t settings;
    idv_analyzer_t *analyzer;
    int analyzer_watched;
    run_t *runs;
    int count;
    idv_event_timer_t tend_timer, claim_timer;
};

/* --- the end of a submission --- */

static void forget(run_t *run)
{
    idv_analysis_runner_t *runner = run->runner;
    idv_event_loop_t *loop = runner->worker->loop;

    if (run->watched >= 0)
        idv_event_loop_forget(loop, run->watched);
    idv_event_loop_cancel(loop, &run->deadline);
    *run->link = run->next;
    if (run->next)
        run->next->link = run->link;
    runner->count--;
    idv_statistics_set(runner->worker->statistics, analyses_running,
                       runner->count);
    apr_pool_destroy(run->pool);
    /* There is room for another one. */
    idv_event_loop_schedule(loop, &runner->claim_timer, 0);
}

/* Applies INPUT and removes the job; on an error both are left to the lease. */
static void conclude(run_t *run, const idv_session_input_t *input)
{
    idv_worker_t *worker = run->runner->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_session_transition_t transition = {
        .scope = {.organization_id = run->job.organization_id},
        .session_id = run->job.session_id,
        .input = input,
        .now = idv_time_now(),
        .keyring = worker->config->keys,
        .risk_policy = worker->config->risk_policy,
    };
    idv_session_transition_result_t result = {0};
    idv_error_t *error = NULL;

    if (db) {
        error = idv_session_transition(db, &transition, &result, run->pool);
        if (!error)
            error = idv_analysis_job_remove(db, &run->job, run->pool);
        if (error) {
            idv_worker_log(worker, APLOG_ERR, "IDV0350",
                           "the outcome of session %s is not recorded: %s",
                           run->job.session_id, idv_error_cause(error));
            idv_worker_database_failed(worker, error);
        }
    }
    if (result.queued.deliveries)
        idv_deliverer_wake(run->runner->deliverer);
    forget(run);
}

/* Puts the job back until DELAY has passed. */
static void postpone(run_t *run, idv_time_t delay, int untried)
{
    idv_worker_t *worker = run->runner->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_error_t *error = NULL;

    if (db)
        error = idv_analysis_job_postpone(db, &run->job, idv_time_now() + delay,
                                          untried, run->pool);
    if (error)
        idv_worker_database_failed(worker, error);
    forget(run);
}

/* The readers failed, not the person. */
static void fail(run_t *run, const char *why)
{
    idv_worker_t *worker = run->runner->worker;
    idv_session_input_t input = {.type = IDV_INPUT_ANALYSIS_FAILED,
                                 .submission = run->job.submission};

    idv_statistics_count(worker->statistics, analyses_crashed);
    idv_worker_log(worker, APLOG_WARNING, "IDV0351",
                   "the analysis of session %s failed (attempt %d): %s",
                   run->job.session_id, run->job.attempts, why);
    if (run->job.attempts < MAX_ATTEMPTS)
        postpone(run, RETRY_DELAY, 0);
    else
        conclude(run, &input);
}

/* There is nothing to do it for: the session or its evidence is gone. */
static void drop(run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_error_t *error = NULL;

    if (db)
        error = idv_analysis_job_remove(db, &run->job, run->pool);
    if (error)
        idv_worker_database_failed(worker, error);
    forget(run);
}

static void decide(run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    const idv_session_t *session = run->session;
    idv_bytes_t text = idv_analysis_findings(run->analysis);
    idv_document_rule_t rule = {
        .now = idv_time_now(),
        .jurisdiction = session->jurisdiction.resolved,
        .required_age = session->required_age,
        .accept_test_issuers =
            worker->config->accept_test_issuers || !session->livemode,
    };
    idv_session_input_t input = {.type = IDV_INPUT_OUTCOME,
                                 .submission = run->job.submission};
    idv_document_findings_t *findings;
    idv_method_outcome_t *outcome;
    idv_error_t *error = idv_document_findings_read(
        (const char *)text.data, text.length, &findings, run->pool);

    if (!error)
        error = idv_document_decide(findings, &rule, &outcome, run->pool);
    if (error) {
        fail(run, idv_error_cause(error));
        return;
    }
    idv_statistics_count(worker->statistics, analyses_finished);
    input.outcome = outcome;
    conclude(run, &input);
}

/* --- a submission under way --- */

static void on_analysis_ready(void *baton, int fd, unsigned events);

static void watch_analysis(run_t *run)
{
    idv_event_loop_t *loop = run->runner->worker->loop;
    int fd = idv_analysis_fd(run->analysis);
    unsigned events = idv_analysis_events(run->analysis) == POLLOUT
                        ? IDV_EVENT_WRITABLE
                        : IDV_EVENT_READABLE;
    idv_error_t *error;

    if (run->watched >= 0 && run->watched != fd)
        idv_event_loop_forget(loop, run->watched);
    run->watched = fd;
    if (fd < 0)
        return;
    error = idv_event_loop_watch(loop, fd, events, on_analysis_ready, run);
    if (error)
        fail(run, idv_error_cause(error));
}

static void step(run_t *run)
{
    switch (idv_analysis_step(run->analysis, idv_time_now())) {
    case IDV_ANALYSIS_RUNNING:
        watch_analysis(run);
        break;
    case IDV_ANALYSIS_DONE:
        decide(run);
        break;
    case IDV_ANALYSIS_FAILED:
        fail(run, "the reader ended or took too long");
        break;
    }
}

static void on_analysis_ready(void *baton, int fd, unsigned events)
{
    (void)fd;
    (void)events;
    step(baton);
}

static void on_deadline(void *baton)
{
    step(baton);
}

/* Opens the evidence and hands it to the readers. */
static idv_error_t *submit(run_t *run, idv_db_t *db, int *missing)
{
    idv_worker_t *worker = run->runner->worker;
    idv_analysis_request_t request = {
        .now = idv_time_now(),
        .deadline = idv_time_now() + ANALYSIS_TIME,
        .milliseconds = READER_TIME,
    };
    idv_session_record_t *record;
    apr_array_header_t *images;

    IDV_TRY(idv_session_find_any(db, run->job.session_id, &record, run->pool));
    run->session = record->session;
    IDV_TRY(idv_evidence_open(db, worker->config->keys, run->session,
                              run->job.sides, &images, run->pool));
    for (int i = 0; i < images->nelts && i < IDV_ANALYSIS_SIDES_MAX; i++) {
        const idv_evidence_t *image = &APR_ARRAY_IDX(images, i, idv_evidence_t);

        request.sides[i].name = image->side;
        request.sides[i].image = image->bytes;
        request.side_count++;
    }
    *missing = request.side_count == 0;
    if (*missing)
        return NULL;
    return idv_analyzer_submit(run->runner->analyzer, &request, &run->analysis,
                               run->pool);
}

static run_t *create_run(idv_analysis_runner_t *runner,
                         const idv_analysis_job_t *job)
{
    apr_pool_t *pool;
    run_t *run;
    int sides = 0;
    const char **copies;

    apr_pool_create(&pool, runner->pool);
    run = apr_pcalloc(pool, sizeof(*run));
    run->runner = runner;
    run->pool = pool;
    run->watched = -1;
    run->deadline.callback = on_deadline;
    run->deadline.baton = run;
    run->job = *job;
    run->job.organization_id = apr_pstrdup(pool, job->organization_id);
    run->job.session_id = apr_pstrdup(pool, job->session_id);
    run->job.id = apr_pstrdup(pool, job->id);
    while (job->sides[sides])
        sides++;
    copies = apr_pcalloc(pool, ((apr_size_t)sides + 1) * sizeof(*copies));
    for (int i = 0; i < sides; i++)
        copies[i] = apr_pstrdup(pool, job->sides[i]);
    run->job.sides = copies;
    run->next = runner->runs;
    run->link = &runner->runs;
    if (run->next)
        run->next->link = &run->next;
    runner->runs = run;
    runner->count++;
    idv_statistics_set(runner->worker->statistics, analyses_running,
                       runner->count);
    return run;
}

static void begin(idv_analysis_runner_t *runner, idv_db_t *db,
                  const idv_analysis_job_t *job)
{
    run_t *run = create_run(runner, job);
    int missing = 0;
    idv_error_t *error;

    if (run->job.attempts > MAX_RECORDINGS) {
        idv_worker_log(runner->worker, APLOG_ERR, "IDV0355",
                       "the submission of session %s is given up",
                       run->job.session_id);
        drop(run);
        return;
    }
    error = submit(run, db, &missing);
    if (!error && !missing) {
        idv_event_loop_schedule(runner->worker->loop, &run->deadline,
                                ANALYSIS_TIME + 1);
        step(run);
    } else if (missing || error->code == IDV_E_SESSION_NOT_FOUND) {
        drop(run);
    } else if (error->code == IDV_E_SERVICE_UNAVAILABLE) {
        postpone(run, BUSY_DELAY, 1);
    } else {
        fail(run, idv_error_cause(error));
    }
}

/* --- claiming --- */

static void claim(idv_analysis_runner_t *runner)
{
    idv_worker_t *worker = runner->worker;
    int room = runner->settings.children - runner->count;
    idv_db_t *db = idv_worker_database(worker);
    apr_array_header_t *jobs;
    idv_error_t *error;

    if (!db || room <= 0 || !idv_analyzer_is_ready(runner->analyzer))
        return;
    error = idv_analysis_job_claim(db, worker->node,
                                   idv_time_now() + LEASE_TIME, room, &jobs,
                                   idv_event_loop_scratch(worker->loop));
    if (error) {
        idv_worker_database_failed(worker, error);
        return;
    }
    for (int i = 0; i < jobs->nelts && worker->db; i++)
        begin(runner, worker->db, &APR_ARRAY_IDX(jobs, i, idv_analysis_job_t));
}

static void on_claim_due(void *baton)
{
    idv_analysis_runner_t *runner = baton;
    idv_worker_t *worker = runner->worker;

    idv_event_loop_schedule(worker->loop, &runner->claim_timer,
                            worker->config->poll_interval);
    claim(runner);
}

void idv_analysis_runner_wake(idv_analysis_runner_t *runner)
{
    if (runner->analyzer)
        idv_event_loop_schedule(runner->worker->loop, &runner->claim_timer, 0);
}

/* --- the reading process --- */

static void tend(idv_analysis_runner_t *runner);

static void on_analyzer_ready(void *baton, int fd, unsigned events)
{
    (void)fd;
    (void)events;
    tend(baton);
}

static void on_tend_due(void *baton)
{
    tend(baton);
}

static void watch_analyzer(idv_analysis_runner_t *runner)
{
    idv_event_loop_t *loop = runner->worker->loop;
    int fd = idv_analyzer_fd(runner->analyzer);
    idv_error_t *error = NULL;

    if (runner->analyzer_watched >= 0 && runner->analyzer_watched != fd)
        idv_event_loop_forget(loop, runner->analyzer_watched);
    runner->analyzer_watched = fd;
    if (fd >= 0)
        error = idv_event_loop_watch(loop, fd, IDV_EVENT_READABLE,
                                     on_analyzer_ready, runner);
    if (error)
        idv_worker_log(runner->worker, APLOG_ERR, "IDV0352", "%s",
                       idv_error_cause(error));
}

static void tend(idv_analysis_runner_t *runner)
{
    idv_worker_t *worker = runner->worker;
    int was_ready = idv_analyzer_is_ready(runner->analyzer);
    idv_time_t now = idv_time_now(), due;
    idv_error_t *error = idv_analyzer_tend(
        runner->analyzer, now, idv_event_loop_scratch(worker->loop));

    if (error)
        idv_worker_log(worker, APLOG_ERR, "IDV0353", "verify-analyze: %s",
                       idv_error_cause(error));
    watch_analyzer(runner);
    due = idv_analyzer_due(runner->analyzer);
    if (due)
        idv_event_loop_schedule(worker->loop, &runner->tend_timer,
                                due > now ? due - now : 0);
    if (!was_ready && idv_analyzer_is_ready(runner->analyzer)) {
        idv_worker_log(worker, APLOG_INFO, "IDV0354",
                       "verify-analyze is ready, walled in by: %s",
                       idv_analyzer_layers(runner->analyzer));
        idv_analysis_runner_wake(runner);
    }
}

/* --- life --- */

idv_analysis_runner_t *idv_analysis_runner_create(idv_worker_t *worker,
                                                  idv_deliverer_t *deliverer,
                                                  apr_pool_t *pool)
{
    idv_analysis_runner_t *runner = apr_pcalloc(pool, sizeof(*runner));

    runner->worker = worker;
    runner->deliverer = deliverer;
    runner->pool = pool;
    runner->analyzer_watched = -1;
    runner->settings.program = worker->config->analyze_program;
    runner->settings.models = worker->config->analyze_models;
    runner->settings.children = worker->config->analyze_processes;
    if (!runner->settings.program)
        return runner;
    runner->analyzer = idv_analyzer_create(&runner->settings, pool);
    runner->tend_timer.callback = on_tend_due;
    runner->tend_timer.baton = runner;
    runner->claim_timer.callback = on_claim_due;
    runner->claim_timer.baton = runner;
    tend(runner);
    idv_event_loop_schedule(worker->loop, &runner->claim_timer, 0);
    return runner;
}

void idv_analysis_runner_stop(idv_analysis_runner_t *runner)
{
    idv_event_loop_t *loop = runner->worker->loop;

    if (runner->analyzer_watched >= 0)
        idv_event_loop_forget(loop, runner->analyzer_watched);
    runner->analyzer_watched = -1;
    idv_event_loop_cancel(loop, &runner->tend_timer);
    idv_event_loop_cancel(loop, &runner->claim_timer);
}

void idv_analysis_runner_release(idv_analysis_runner_t *runner)
{
    idv_worker_t *worker = runner->worker;
    idv_error_t *error = NULL;

    while (runner->runs)
        forget(runner->runs);
    idv_event_loop_cancel(worker->loop, &runner->claim_timer);
    if (worker->db)
        error = idv_analysis_job_release(worker->db, worker->node,
                                         idv_event_loop_scratch(worker->loop));
    if (error)
        idv_worker_database_failed(worker, error);
}

void idv_analysis_runner_end(idv_analysis_runner_t *runner)
{
    idv_worker_t *worker = runner->worker;
    idv_error_t *error = NULL;

    if (runner->analyzer)
        error = idv_analyzer_end(runner->analyzer,
                                 idv_event_loop_scratch(worker->loop));
    if (error)
        idv_worker_log(worker, APLOG_ERR, "IDV0762", "verify-analyze: %s",
                       idv_error_cause(error));
}
