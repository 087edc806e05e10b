/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_ANALYSIS_RUN_H
#define IDV_WORKER_WATCHDOG_ANALYSIS_RUN_H

/*
 * Submissions under way and the places of the node that they occupy; only for
 * the files of the analysis runner (analysis_runner.h): analysis_runner.c
 * claims and reads, analysis_end.c ends.
 *
 * Threads and memory: as there; a run has a pool of its own. Failures: none.
 */
#include "domain/method/analysis_protocol.h"
#include "store/db/work_queue.h"
#include "worker/method/analysis_method.h"
#include "worker/method/liveness_provider.h"
#include "worker/method/reading_processes.h"
#include "worker/method/served_organizations.h"
#include "worker/webhook/deliverer.h"

/* Submissions that may exceed their time at once, outside of the places. */
#define IDV_ANALYSIS_OVERDUE_MOST 2

/* One submission from its claim until its job is gone or given back; in a pool
 * of its own. */
typedef struct idv_analysis_run_t idv_analysis_run_t;

/* Which slot of the node a run occupies. */
typedef enum {
    IDV_STAND_PLACE,   /* one of its places */
    IDV_STAND_OVERDUE, /* none: it exceeded its time in one, and continues */
    IDV_STAND_OUTSIDE  /* it waits for the provider */
} idv_analysis_stand_t;
enum { IDV_ANALYSIS_STANDS = IDV_STAND_OUTSIDE + 1 };

struct idv_analysis_run_t {
    struct idv_analysis_runner_t *runner;
    apr_pool_t *pool;
    idv_analysis_run_t *next, **link;
    idv_analysis_job_t job;
    idv_span_t span;   /* from its claim to its end */
    idv_span_t reader; /* below it */
    const idv_analysis_method_t *method; /* NULL: nobody reads it */
    const idv_session_t *session;
    idv_analysis_request_t request;
    idv_analysis_t *analysis;
    const idv_provider_answer_t *provider; /* NULL: not asked */
    idv_analysis_stand_t stand;
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
    idv_analysis_run_t *runs;
    int standing[IDV_ANALYSIS_STANDS];
    idv_served_t served;
    idv_event_timer_t claim_timer;
};

/* The run of JOB in a place of RUNNER. The caller sets its deadline. */
idv_analysis_run_t *
idv_analysis_run_create(struct idv_analysis_runner_t *runner,
                        const idv_analysis_job_t *job);

/* Ends RUN without regard to its job, and frees its place and its memory. */
void idv_analysis_run_forget(idv_analysis_run_t *run);

/* Moves RUN to STAND, unless MOST are there already, and frees its previous
 * place, if any. Zero if there was no room. */
int idv_analysis_run_move(idv_analysis_run_t *run, idv_analysis_stand_t stand,
                          int most);

/* Number of runs that are leased like all, but take no place. */
int idv_analysis_count_beside(const struct idv_analysis_runner_t *runner);

/* Non-zero if RUN is about a question, which has no submission. */
int idv_analysis_run_is_question(const idv_analysis_run_t *run);

/* The case of RUN about SESSION. */
idv_analysis_case_t idv_analysis_run_case(const idv_analysis_run_t *run,
                                          const idv_session_t *session);

#endif
