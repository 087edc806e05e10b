/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/analysis_runner.h"

#include <poll.h>
#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "store/db/work_queue.h"
#include "store/method/evidence.h"
#include "store/session/session_risk.h"
#include "store/transaction/session_transition.h"
#include "store/workflow/workflow.h"
#include "worker/method/analysis_method.h"
#include "worker/method/liveness_provider.h"
#include "worker/method/reading_processes.h"
#include "worker/method/served_organizations.h"

APLOG_USE_MODULE(verify);

#define ANALYSIS_TIME (IDV_ANALYZE_CLIENT_SECONDS * IDV_SECOND)
#define LEASE_TIME (60 * IDV_SECOND)
_Static_assert(ANALYSIS_TIME + IDV_LIVENESS_PROVIDER_TIMEOUT_MOST < LEASE_TIME,
               "the provider has answered before the lease ends");
#define PLACES 2 /* submissions that are read at a time */
#define OVERDUE_MOST 2 /* more of them that exceeded PATIENCE */
#define PATIENCE (IDV_ANALYZE_PATIENCE_SECONDS * IDV_SECOND)
#define PATIENCE_AGAIN IDV_SECOND /* until the next search for a place */
#define MAX_ATTEMPTS 3
#define MAX_RECORDINGS 10 /* claims of a job that records no outcome */
#define RETRY_DELAY (2 * IDV_SECOND)
#define BUSY_DELAY 200 /* ms until a busy reader is asked again */

/* One submission from its claim until its job is gone or given back; in a pool
 * of its own. */
typedef struct run_t run_t;

/* Which slot of the node a run occupies. */
typedef enum {
    STAND_PLACE,   /* one of its places */
    STAND_OVERDUE, /* none: it exceeded its time in one, and continues */
    STAND_OUTSIDE  /* it waits for the provider */
} stand_t;
enum { STANDS = STAND_OUTSIDE + 1 };

struct run_t {
    idv_analysis_runner_t *runner;
    apr_pool_t *pool;
    run_t *next, **link;
    idv_analysis_job_t job;
    const idv_analysis_method_t *method; /* NULL: nobody reads it */
    const idv_session_t *session;
    idv_analysis_request_t request;
    idv_analysis_t *analysis;
    const idv_provider_answer_t *provider; /* NULL: not asked */
    stand_t stand;
    idv_time_t decided_at; /* 0: not yet; the law of that day holds */
    int watched; /* descriptor in the loop, -1: none */
    idv_event_timer_t deadline;
    idv_event_timer_t patience; /* of the others that want its place */
};

struct idv_analysis_runner_t {
    idv_worker_t *worker;
    idv_deliverer_t *deliverer;
    idv_revocation_fetcher_t *fetcher;
    idv_liveness_provider_t *provider; /* NULL: none is configured */
    apr_pool_t *pool;
    int places; /* submissions that are read at a time */
    idv_reading_processes_t *readers; /* NULL: none are configured */
    run_t *runs;
    int standing[STANDS];
    idv_served_t served;
    idv_event_timer_t claim_timer;
};

/* --- places --- */

static int count_runs(const idv_analysis_runner_t *runner)
{
    int count = 0;

    for (int stand = 0; stand < STANDS; stand++)
        count += runner->standing[stand];
    return count;
}

/* Those that are leased like all, but take no place. */
static int count_beside(const idv_analysis_runner_t *runner)
{
    return count_runs(runner) - runner->standing[STAND_PLACE];
}

/* Moves RUN to STAND, unless MOST are there already, and frees its previous
 * place, if any. Zero if there was no room. */
static int move(run_t *run, stand_t stand, int most)
{
    idv_analysis_runner_t *runner = run->runner;

    if (runner->standing[stand] >= most)
        return 0;
    runner->standing[run->stand]--;
    runner->standing[stand]++;
    run->stand = stand;
    idv_event_loop_schedule(runner->worker->loop, &runner->claim_timer, 0);
    return 1;
}

/* One submission that hangs, or takes all the time that it may, keeps a place no
 * longer than others can be asked to wait. */
static void on_patience_over(void *baton)
{
    run_t *run = baton;
    idv_worker_t *worker = run->runner->worker;

    if (run->stand != STAND_PLACE)
        return;
    if (!move(run, STAND_OVERDUE, OVERDUE_MOST)) {
        idv_event_loop_schedule(worker->loop, &run->patience, PATIENCE_AGAIN);
        return;
    }
    idv_statistics_count(worker->statistics, analyses_overdue);
    idv_worker_log(worker, APLOG_INFO, "IDV0942",
                   "reading the submission of session %s of organization %s takes "
                   "over %d seconds; others do not wait for it",
                   run->job.session_id, run->job.organization_id,
                   IDV_ANALYZE_PATIENCE_SECONDS);
}

static int is_question(const run_t *run)
{
    return run->job.submission == IDV_NO_SUBMISSION;
}

static idv_analysis_case_t case_of(const run_t *run,
                                   const idv_session_t *session)
{
    return (idv_analysis_case_t){
        .config = run->runner->worker->config,
        .session = session,
        .request = &run->request,
        .is_question = is_question(run),
        .job = run->job.id,
        .submission = run->job.submission,
        .provider = run->provider};
}

/* --- the end of a submission --- */

static void forget(run_t *run)
{
    idv_analysis_runner_t *runner = run->runner;
    idv_event_loop_t *loop = runner->worker->loop;

    if (run->watched >= 0)
        idv_event_loop_forget(loop, run->watched);
    idv_event_loop_cancel(loop, &run->deadline);
    idv_event_loop_cancel(loop, &run->patience);
    *run->link = run->next;
    if (run->next)
        run->next->link = run->link;
    runner->standing[run->stand]--;
    idv_statistics_set(runner->worker->statistics, analyses_running,
                       count_runs(runner));
    apr_pool_destroy(run->pool);
    /* There is room for another submission. */
    idv_event_loop_schedule(loop, &runner->claim_timer, 0);
}

static int is_of_doubtful_owner(const idv_session_input_t *input)
{
    return input->outcome
        && (input->outcome->doubts & 1u << IDV_DOUBT_DOCUMENT_REUSED);
}

/* Passed from conclude() to note_risk(). */
typedef struct {
    const run_t *run;
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
static void conclude(run_t *run, const idv_session_input_t *input)
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

/* Removes a job whose session or evidence has gone. */
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

/* Ends a question that has no answer, and says so. */
static void leave(run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    const idv_analysis_case_t read = case_of(run, run->session);
    idv_db_t *db = idv_worker_database(worker);
    idv_error_t *error = NULL;

    if (db && run->session && run->method && run->method->leave)
        error = run->method->leave(db, &read, run->pool);
    if (error || !db) {
        if (error)
            idv_worker_database_failed(worker, error);
        forget(run);
        return;
    }
    drop(run);
}

/* A technical failure, which must not cost the person an attempt: retries the
 * job, or informs the session. */
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
    else if (is_question(run))
        leave(run);
    else
        conclude(run, &input);
}

/* Ends a submission that takes too long to be read: another try would take as
 * long, so the evidence counts as unreadable. */
static void give_up_reading(run_t *run)
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
                   "the photos of session %s of organization %s take more than "
                   "their processor time to read",
                   run->job.session_id, run->job.organization_id);
    if (is_question(run))
        leave(run);
    else
        conclude(run, &input);
}

/* SESSION as the law of the day wants it. */
static idv_error_t *hold_to_law(const run_t *run, idv_db_t *db, idv_time_t now,
                                idv_session_t *session,
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

/* Keeps the answer to a question, and has done what follows from it. */
static void answer(run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    const idv_analysis_case_t read = case_of(run, run->session);
    idv_db_t *db = idv_worker_database(worker);
    idv_session_queued_t queued = {0};
    idv_error_t *error;

    if (!db) {
        forget(run);
        return;
    }
    error = run->method->answer(db, &read, idv_analysis_findings(run->analysis),
                                &queued, run->pool);
    if (queued.deliveries)
        idv_deliverer_wake(run->runner->deliverer);
    if (error) {
        idv_worker_database_failed(worker, error);
        forget(run);
        return;
    }
    idv_statistics_count(worker->statistics, analyses_finished);
    drop(run);
}

static void decide(run_t *run)
{
    idv_worker_t *worker = run->runner->worker;
    idv_session_t session = *run->session;
    idv_analysis_case_t read = case_of(run, &session);
    idv_workflow_t *workflow = NULL;
    idv_time_t now = idv_time_now();
    idv_session_input_t input = {.type = IDV_INPUT_OUTCOME,
                                 .submission = run->job.submission};
    idv_db_t *db = idv_worker_database(worker);
    idv_method_outcome_t *outcome;
    idv_time_t due = 0;
    void *findings;
    idv_error_t *error = run->method->validate(
        idv_analysis_findings(run->analysis), &findings, run->pool);

    if (error) {
        fail(run, idv_error_cause(error));
        return;
    }
    /* Without the database nothing is decided; the lease brings the job back. */
    if (db)
        error = hold_to_law(run, db, now, &session, &workflow);
    read.workflow = workflow;
    if (db && !error)
        error = run->method->decide(db, &read, findings, &outcome, run->pool);
    if (db && !error && run->method->await)
        error = run->method->await(db, &read, &outcome, &due, run->pool);
    if (error)
        idv_worker_database_failed(worker, error);
    if (error || !db) {
        forget(run);
        return;
    }
    if (due > now) {
        postpone(run, due - now, 1);
        return;
    }
    run->decided_at = now;
    idv_statistics_count(worker->statistics, analyses_finished);
    idv_analysis_count_deviations(session.current_method, outcome,
                                  worker->statistics);
    input.outcome = outcome;
    conclude(run, &input);
}

/* --- waiting for something other than the readers --- */

/* The reading of RUN has ended, and something else is waited for. */
static void stop_watching(run_t *run)
{
    idv_event_loop_t *loop = run->runner->worker->loop;

    if (run->watched >= 0)
        idv_event_loop_forget(loop, run->watched);
    run->watched = -1;
    idv_event_loop_cancel(loop, &run->deadline);
}

static void on_provider_answer(void *baton, const idv_provider_answer_t *answer)
{
    run_t *run = baton;

    run->provider = answer;
    decide(run);
}

/* Fills EVIDENCE when the provider has to be asked. */
static idv_error_t *find_question(const run_t *run, idv_db_t *db,
                                  idv_provider_evidence_t *evidence)
{
    const idv_analysis_case_t read = case_of(run, run->session);
    void *findings;

    if (run->method->validate(idv_analysis_findings(run->analysis), &findings,
                              run->pool))
        return NULL; /* decide() refuses them */
    return run->method->consult(db, &read, findings, evidence,
                                run->pool);
}

/* Asks the provider, where it has to be asked. */
static void consult_or_decide(run_t *run)
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
        forget(run);
        return;
    }
    if (evidence.count == 0) {
        decide(run);
        return;
    }
    stop_watching(run);
    error = idv_liveness_provider_ask(run->runner->provider, &evidence,
                                      on_provider_answer, run, run->pool);
    if (error)
        fail(run, idv_error_cause(error));
    else
        move(run, STAND_OUTSIDE, IDV_LIVENESS_PROVIDER_EXCHANGES);
}

static void on_lists_fetched(void *baton)
{
    decide(baton);
}

/* Fetches the lists that the decision depends on, then decides; zero if there
 * are none. decide() refuses findings that cannot be validated. */
static int await_lists(run_t *run)
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
        if (is_question(run))
            answer(run);
        else if (!await_lists(run))
            consult_or_decide(run);
        break;
    case IDV_ANALYSIS_TOO_LONG:
        give_up_reading(run);
        break;
    case IDV_ANALYSIS_FAILED:
        fail(run, "the reader ended or did not answer");
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

_Static_assert((int)IDV_METHOD_PARTS_MAX <= (int)IDV_ANALYZE_PARTS_MAX,
               "all parts of a method fit into one request");

/* Opens the evidence and hands it to the readers. A question may be about what
 * its method keeps elsewhere. */
static idv_error_t *submit(run_t *run, idv_db_t *db, int *missing)
{
    idv_worker_t *worker = run->runner->worker;
    idv_analysis_request_t *request = &run->request;
    idv_session_record_t *record;
    apr_array_header_t *parts;

    if (!run->method
        || (is_question(run) && !run->method->answer))
        return idv_error_internal(run->pool, "no reader of its method");
    request->method = run->job.method;
    request->now = idv_time_now();
    request->milliseconds = IDV_ANALYZE_MILLISECONDS;
    IDV_TRY(idv_session_find_any(db, run->job.session_id, &record, run->pool));
    run->session = record->session;
    IDV_TRY(idv_evidence_open(db, worker->config->keys, run->session,
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
        const idv_analysis_case_t read = case_of(run, run->session);

        IDV_TRY(run->method->complete(db, &read, request, run->pool));
    }
    *missing = request->part_count == 0;
    if (*missing)
        return NULL;
    return idv_reading_processes_submit(run->runner->readers, request,
                                        request->now + ANALYSIS_TIME,
                                        &run->analysis, run->pool);
}

static run_t *create_run(idv_analysis_runner_t *runner,
                         const idv_analysis_job_t *job)
{
    apr_pool_t *pool;
    run_t *run;

    apr_pool_create(&pool, runner->pool);
    run = apr_pcalloc(pool, sizeof(*run));
    run->runner = runner;
    run->pool = pool;
    run->watched = -1;
    run->deadline.callback = on_deadline;
    run->deadline.baton = run;
    run->patience.callback = on_patience_over;
    run->patience.baton = run;
    run->job = idv_analysis_job_copy(job, pool);
    run->method = idv_analysis_method_find(job->method);
    run->next = runner->runs;
    run->link = &runner->runs;
    if (run->next)
        run->next->link = &run->next;
    runner->runs = run;
    runner->standing[run->stand]++;
    idv_statistics_set(runner->worker->statistics, analyses_running,
                       count_runs(runner));
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
        idv_event_loop_schedule(runner->worker->loop, &run->patience, PATIENCE);
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

/* How many jobs of one organization the node may have. Those outside of the
 * places are also leased. While one is overdue, more of its kind may follow, so
 * a place is kept from them as if another organization had been served. */
static int share_of_one(const idv_analysis_runner_t *runner)
{
    int share = idv_served_share(&runner->served, runner->places);

    if (runner->standing[STAND_OVERDUE] > 0 && share == runner->places)
        share--;
    return share + count_beside(runner);
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
    int room = runner->places - runner->standing[STAND_PLACE];
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
        begin(runner, worker->db, job);
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
        .children = PLACES + OVERDUE_MOST};

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
    if (runner->readers)
        idv_reading_processes_end(runner->readers);
}
