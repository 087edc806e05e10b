/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/analysis_run.h"

#include <apr_strings.h>

APLOG_USE_MODULE(verify);

#define PATIENCE_AGAIN IDV_SECOND /* until the next search for a place */

static int count_runs(const struct idv_analysis_runner_t *runner)
{
    int count = 0;

    for (int stand = 0; stand < IDV_ANALYSIS_STANDS; stand++)
        count += runner->standing[stand];
    return count;
}

int idv_analysis_count_beside(const struct idv_analysis_runner_t *runner)
{
    return count_runs(runner) - runner->standing[IDV_STAND_PLACE];
}

int idv_analysis_run_move(idv_analysis_run_t *run, idv_analysis_stand_t stand,
                          int most)
{
    struct idv_analysis_runner_t *runner = run->runner;

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
    idv_analysis_run_t *run = baton;
    idv_worker_t *worker = run->runner->worker;

    if (run->stand != IDV_STAND_PLACE)
        return;
    if (!idv_analysis_run_move(run, IDV_STAND_OVERDUE,
                               IDV_ANALYSIS_OVERDUE_MOST)) {
        idv_event_loop_schedule(worker->loop, &run->patience, PATIENCE_AGAIN);
        return;
    }
    idv_statistics_count(worker->statistics, analyses_overdue);
    idv_worker_log(worker, APLOG_INFO, "IDV0942",
                   "reading the submission of session %s of organization %s "
                   "takes more than %d seconds. Other submissions do not wait "
                   "for it",
                   run->job.session_id, run->job.organization_id,
                   IDV_ANALYZE_PATIENCE_SECONDS);
}

int idv_analysis_run_is_question(const idv_analysis_run_t *run)
{
    return run->job.submission == IDV_NO_SUBMISSION;
}

idv_analysis_case_t idv_analysis_run_case(const idv_analysis_run_t *run,
                                          const idv_session_t *session)
{
    return (idv_analysis_case_t){
        .config = run->runner->worker->config,
        .session = session,
        .request = &run->request,
        .is_question = idv_analysis_run_is_question(run),
        .job = run->job.id,
        .submission = run->job.submission,
        .provider = run->provider};
}

idv_analysis_run_t *
idv_analysis_run_create(struct idv_analysis_runner_t *runner,
                        const idv_analysis_job_t *job)
{
    apr_pool_t *pool;
    idv_analysis_run_t *run;

    apr_pool_create(&pool, runner->pool);
    run = apr_pcalloc(pool, sizeof(*run));
    run->runner = runner;
    run->pool = pool;
    run->watched = -1;
    run->patience.callback = on_patience_over;
    run->patience.baton = run;
    run->job = idv_analysis_job_copy(job, pool);
    run->method = idv_analysis_method_find(job->method);
    idv_span_begin(&run->span, run->job.trace, IDV_SPAN_ANALYSIS,
                   apr_pstrcat(pool, "analyze ", job->method, NULL));
    idv_span_set_subject(&run->span, run->job.session_id);
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

void idv_analysis_run_forget(idv_analysis_run_t *run)
{
    struct idv_analysis_runner_t *runner = run->runner;
    idv_event_loop_t *loop = runner->worker->loop;

    idv_span_end(&run->reader, 1); /* unless it had ended before */
    idv_span_end(&run->span, 0);
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
