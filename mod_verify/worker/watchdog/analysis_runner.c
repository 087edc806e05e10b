/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/analysis_runner.h"

#include <poll.h>

#include "store/method/evidence.h"
#include "store/session/session_lookup.h"
#include "worker/watchdog/analysis_end.h"

APLOG_USE_MODULE(verify);

#define ANALYSIS_TIME (IDV_ANALYZE_CLIENT_SECONDS * IDV_SECOND)
#define LEASE_TIME (60 * IDV_SECOND)
_Static_assert(ANALYSIS_TIME + IDV_LIVENESS_PROVIDER_TIMEOUT_MOST < LEASE_TIME,
               "the provider has answered before the lease ends");
#define PLACES 2 /* submissions that are read at a time */
#define PATIENCE (IDV_ANALYZE_PATIENCE_SECONDS * IDV_SECOND)
#define MAX_RECORDINGS 10 /* claims of a job that records no outcome */
#define BUSY_DELAY 200 /* ms until a busy reader is asked again */

/* --- traces --- */

/* Statements of WORK belong to the trace of RUN, which it may end. */
static void in_trace(idv_analysis_run_t *run, void (*work)(idv_analysis_run_t *))
{
    const idv_trace_context_t *own = idv_span_context(&run->span);
    idv_worker_t *worker = run->runner->worker;
    idv_trace_context_t context;

    if (own && worker->db) {
        context = *own;
        idv_db_set_trace(worker->db, &context);
    }
    work(run);
    if (worker->db)
        idv_db_set_trace(worker->db, NULL);
}

/* --- waiting for something other than the readers --- */

/* The reading of RUN has ended, and something else is waited for. */
static void stop_watching(idv_analysis_run_t *run)
{
    idv_event_loop_t *loop = run->runner->worker->loop;

    if (run->watched >= 0)
        idv_event_loop_forget(loop, run->watched);
    run->watched = -1;
    idv_event_loop_cancel(loop, &run->deadline);
}

static void on_provider_answer(void *baton, const idv_provider_answer_t *answer)
{
    idv_analysis_run_t *run = baton;

    run->provider = answer;
    in_trace(run, idv_analysis_run_decide);
}

/* Fills EVIDENCE when the provider has to be asked. */
static idv_error_t *find_question(const idv_analysis_run_t *run, idv_db_t *db,
                                  idv_provider_evidence_t *evidence)
{
    const idv_analysis_case_t read = idv_analysis_run_case(run, run->session);
    void *findings;

    if (run->method->validate(idv_analysis_findings(run->analysis), &findings,
                              run->pool))
        return NULL; /* decide() refuses them */
    return run->method->consult(db, &read, findings, evidence,
                                run->pool);
}

/* Asks the provider, where it has to be asked. */
static void consult_or_decide(idv_analysis_run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    idv_db_t *db = NULL;
    idv_provider_evidence_t evidence = {0};
    idv_error_t *error = NULL;

    if (run->runner->provider && run->method->consult)
        db = idv_worker_database(worker);
    if (db)
        error = find_question(run, db, &evidence);
    if (error) {
        idv_worker_database_failed(worker, error);
        idv_analysis_run_forget(run);
        return;
    }
    if (evidence.count == 0) {
        idv_analysis_run_decide(run);
        return;
    }
    stop_watching(run);
    error = idv_liveness_provider_ask(run->runner->provider, &evidence,
                                      on_provider_answer, run, run->pool);
    if (error)
        idv_analysis_run_fail(run, idv_error_cause(error));
    else
        idv_analysis_run_move(run, IDV_STAND_OUTSIDE,
                              IDV_LIVENESS_PROVIDER_EXCHANGES);
}

static void on_lists_fetched(void *baton)
{
    in_trace(baton, idv_analysis_run_decide);
}

/* Fetches the lists that the decision depends on, then decides; zero if there
 * are none. decide() refuses findings that cannot be validated. */
static int await_lists(idv_analysis_run_t *run)
{
    const char *addresses[IDV_REVOCATION_ADDRESSES_MAX];
    idv_revocation_question_t question = {
        .addresses = addresses, .done = on_lists_fetched, .baton = run};
    void *findings;

    if (!run->method->lists
        || run->method->validate(idv_analysis_findings(run->analysis),
                                 &findings, run->pool))
        return 0;
    question.count = run->method->lists(findings, addresses);
    if (question.count == 0)
        return 0;
    stop_watching(run);
    idv_revocation_fetch(run->runner->fetcher, &question, run->pool);
    return 1;
}

/* --- a submission under way --- */

static void on_analysis_ready(void *baton, int fd, unsigned events);

static void watch_analysis(idv_analysis_run_t *run)
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
        idv_analysis_run_fail(run, idv_error_cause(error));
}

static void step(idv_analysis_run_t *run)
{
    switch (idv_analysis_step(run->analysis, idv_time_now())) {
    case IDV_ANALYSIS_RUNNING:
        watch_analysis(run);
        break;
    case IDV_ANALYSIS_DONE:
        idv_span_end(&run->reader, 0);
        if (idv_analysis_run_is_question(run))
            idv_analysis_run_answer(run);
        else if (!await_lists(run))
            consult_or_decide(run);
        break;
    case IDV_ANALYSIS_TOO_LONG:
        idv_analysis_run_give_up(run);
        break;
    case IDV_ANALYSIS_FAILED:
        idv_analysis_run_fail(run, "the reader ended or did not answer");
        break;
    }
}

static void on_analysis_ready(void *baton, int fd, unsigned events)
{
    (void)fd;
    (void)events;
    in_trace(baton, step);
}

static void on_deadline(void *baton)
{
    in_trace(baton, step);
}

_Static_assert((int)IDV_METHOD_PARTS_MAX <= (int)IDV_ANALYZE_PARTS_MAX,
               "all parts of a method fit into one request");

/* Opens the evidence and hands it to the readers. A question may be about what
 * its method keeps elsewhere. */
static idv_error_t *submit(idv_analysis_run_t *run, idv_db_t *db, int *missing)
{
    idv_worker_t *worker = run->runner->worker;
    idv_analysis_request_t *request = &run->request;
    idv_session_record_t *record;
    apr_array_header_t *parts;

    if (!run->method
        || (idv_analysis_run_is_question(run) && !run->method->answer))
        return idv_error_internal(run->pool, "no reader of its method");
    request->method = run->job.method;
    request->now = idv_time_now();
    request->milliseconds = IDV_ANALYZE_MILLISECONDS;
    IDV_TRY(idv_session_find_any(db, run->job.session_id, &record, run->pool));
    run->session = record->session;
    IDV_TRY(idv_evidence_open(
        db,
        &(const idv_evidence_owner_t){.keyring = worker->config->keys,
                                      .session = run->session},
        run->job.parts, &parts, run->pool));
    for (int i = 0; i < parts->nelts && i < IDV_ANALYZE_PARTS_MAX; i++) {
        const idv_evidence_t *part = &APR_ARRAY_IDX(parts, i, idv_evidence_t);

        request->parts[request->part_count++] =
            (idv_analysis_part_t){part->part, part->bytes};
    }
    *missing = request->part_count == 0 && run->job.parts[0];
    if (*missing)
        return NULL;
    if (run->method->complete) {
        const idv_analysis_case_t read =
            idv_analysis_run_case(run, run->session);

        IDV_TRY(run->method->complete(db, &read, request, run->pool));
    }
    *missing = request->part_count == 0;
    if (*missing)
        return NULL;
    return idv_reading_processes_submit(run->runner->readers, request,
                                        request->now + ANALYSIS_TIME,
                                        &run->analysis, run->pool);
}

static void begin_reading(idv_analysis_run_t *run)
{
    idv_analysis_runner_t *runner = run->runner;
    int missing = 0;
    idv_error_t *error;

    if (run->job.attempts > MAX_RECORDINGS) {
        idv_worker_log(runner->worker, APLOG_ERR, "IDV0355",
                       "the submission of session %s is given up",
                       run->job.session_id);
        idv_analysis_run_drop(run);
        return;
    }
    error = submit(run, runner->worker->db, &missing);
    if (!error && !missing) {
        idv_span_begin(&run->reader, idv_span_context(&run->span),
                       IDV_SPAN_READER, "read evidence");
        idv_span_set_subject(&run->reader, run->job.session_id);
        idv_event_loop_schedule(runner->worker->loop, &run->deadline,
                                ANALYSIS_TIME + 1);
        idv_event_loop_schedule(runner->worker->loop, &run->patience, PATIENCE);
        step(run);
    } else if (missing || error->code == IDV_E_SESSION_NOT_FOUND) {
        idv_analysis_run_drop(run);
    } else if (error->code == IDV_E_SERVICE_UNAVAILABLE) {
        idv_analysis_run_postpone(run, BUSY_DELAY, 1);
    } else {
        idv_analysis_run_fail(run, idv_error_cause(error));
    }
}

static void begin(idv_analysis_runner_t *runner, const idv_analysis_job_t *job)
{
    idv_analysis_run_t *run = idv_analysis_run_create(runner, job);

    run->deadline.callback = on_deadline;
    run->deadline.baton = run;
    in_trace(run, begin_reading);
}

/* --- claiming --- */

/* How many jobs of one organization the node may have. Those outside of the
 * places are also leased. While one is overdue, more of its kind may follow, so
 * a place is kept from them as if another organization had been served. */
static int share_of_one(const idv_analysis_runner_t *runner)
{
    int share = idv_served_share(&runner->served, runner->places);

    if (runner->standing[IDV_STAND_OVERDUE] > 0 && share == runner->places)
        share--;
    return share + idv_analysis_count_beside(runner);
}

static idv_error_t *claim_jobs(idv_analysis_runner_t *runner, idv_db_t *db,
                               int room, apr_array_header_t **jobs)
{
    apr_pool_t *scratch = idv_event_loop_scratch(runner->worker->loop);
    const idv_served_t *served = &runner->served;
    const char *ids[IDV_SERVED_MAX];
    idv_analysis_claim_t claim = {
        .node = runner->worker->node,
        .until = idv_time_now() + LEASE_TIME,
        .limit = room,
        .share = share_of_one(runner),
        .served = ids,
        .served_count = served->count};

    for (int i = 0; i < served->count; i++)
        ids[i] = served->ids[i];
    return idv_analysis_job_claim(db, &claim, jobs, scratch);
}

static void claim(idv_analysis_runner_t *runner)
{
    idv_worker_t *worker = runner->worker;
    int room = runner->places - runner->standing[IDV_STAND_PLACE];
    idv_db_t *db = idv_worker_database(worker);
    apr_array_header_t *jobs;
    idv_error_t *error;

    if (!db || room <= 0 || !idv_reading_processes_ready(runner->readers))
        return;
    error = claim_jobs(runner, db, room, &jobs);
    if (error) {
        idv_worker_database_failed(worker, error);
        return;
    }
    for (int i = 0; i < jobs->nelts && worker->db; i++) {
        const idv_analysis_job_t *job =
            &APR_ARRAY_IDX(jobs, i, idv_analysis_job_t);

        idv_served_note(&runner->served, job->organization_id);
        begin(runner, job);
    }
}

static void on_claim_due(void *baton)
{
    idv_analysis_runner_t *runner = baton;
    idv_worker_t *worker = runner->worker;

    idv_event_loop_schedule(worker->loop, &runner->claim_timer,
                            IDV_POLL_INTERVAL);
    claim(runner);
}

void idv_analysis_runner_wake(idv_analysis_runner_t *runner)
{
    if (runner->readers)
        idv_event_loop_schedule(runner->worker->loop, &runner->claim_timer, 0);
}

static void on_readers_ready(void *runner)
{
    idv_analysis_runner_wake(runner);
}

/* --- life --- */

idv_error_t *idv_analysis_runner_create(idv_worker_t *worker,
                                        idv_deliverer_t *deliverer,
                                        idv_analysis_runner_t **out,
                                        apr_pool_t *pool)
{
    idv_analysis_runner_t *runner = apr_pcalloc(pool, sizeof(*runner));
    const idv_analyzer_settings_t settings = {
        .program = worker->config->analyze_program,
        .models = worker->config->analyze_models,
        .children = PLACES + IDV_ANALYSIS_OVERDUE_MOST};

    runner->worker = worker;
    runner->deliverer = deliverer;
    runner->pool = pool;
    runner->places = PLACES;
    idv_statistics_set(worker->statistics, reader_up, 0);
    *out = runner;
    if (!settings.program)
        return NULL;
    IDV_TRY(idv_revocation_fetcher_create(worker, &runner->fetcher, pool));
    if (worker->config->liveness_provider)
        IDV_TRY(idv_liveness_provider_create(worker, &runner->provider, pool));
    runner->claim_timer.callback = on_claim_due;
    runner->claim_timer.baton = runner;
    runner->readers = idv_reading_processes_create(
        worker, &settings, on_readers_ready, runner, pool);
    idv_event_loop_schedule(worker->loop, &runner->claim_timer, 0);
    return NULL;
}

void idv_analysis_runner_stop(idv_analysis_runner_t *runner)
{
    if (runner->readers)
        idv_reading_processes_stop(runner->readers);
    idv_event_loop_cancel(runner->worker->loop, &runner->claim_timer);
}

void idv_analysis_runner_release(idv_analysis_runner_t *runner)
{
    idv_worker_t *worker = runner->worker;
    idv_error_t *error = NULL;

    while (runner->runs)
        idv_analysis_run_forget(runner->runs);
    idv_event_loop_cancel(worker->loop, &runner->claim_timer);
    if (worker->db)
        error = idv_analysis_job_release(worker->db, worker->node,
                                         idv_event_loop_scratch(worker->loop));
    if (error)
        idv_worker_database_failed(worker, error);
}

void idv_analysis_runner_end(idv_analysis_runner_t *runner)
{
    if (runner->readers)
        idv_reading_processes_end(runner->readers);
}
