/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_THREAD_CREW_H
#define IDV_OUT_THREAD_CREW_H

/*
 * A few threads that do what would block an event loop. Their owner hands jobs
 * to the crew; a free thread works on each, the oldest first; the owner's loop
 * sees by a descriptor that some were handed in, and collects them.
 *
 * A job is a structure of the caller's, idv_crew_job_t its first member. It has
 * one holder at a time: the caller, then the crew from idv_thread_crew_do() to
 * idv_thread_crew_collect(), within that one thread from the beginning of
 * `work` to idv_thread_crew_hand_in(). So jobs need no locks, and what a job
 * points to must be its own or never change.
 *
 * Threads: all functions but idv_thread_crew_hand_in() are called on the
 * owner's thread, and only `done` is called back on it. The crew's threads take
 * no signals. Memory: jobs come from malloc(), because they outlive pools:
 * the pool's cleanup neither waits for a job that hangs nor calls `done`. It
 * discards what nobody works on; the last thread to come back discards the
 * rest, and frees what the crew shares. Failures: only the beginning can fail.
 */
#include <stddef.h>

#include "core/error.h"

typedef struct idv_thread_crew_t idv_thread_crew_t;

/* The first member of a job; the crew's own. */
typedef struct idv_crew_job_t idv_crew_job_t;
struct idv_crew_job_t {
    idv_crew_job_t *next;
};

/* The functions that are called for each job of a crew. */
typedef struct {
    /* On a thread of the crew: work on JOB, and call idv_thread_crew_hand_in()
     * once. */
    void (*work)(idv_thread_crew_t *crew, idv_crew_job_t *job);
    /* On the owner's thread: JOB was handed in. It is discarded after that. */
    void (*done)(void *baton, idv_crew_job_t *job);
    /* On any thread, for each job, as the last: free it. */
    void (*discard)(idv_crew_job_t *job);
    size_t stack_size; /* bytes, of each thread */
} idv_thread_crew_work_t;

/* Begins COUNT threads. WORK has to outlive the process; BATON is for `done`
 * and needs to live no longer than POOL. */
idv_error_t *idv_thread_crew_create(int count,
                                    const idv_thread_crew_work_t *work,
                                    void *baton, idv_thread_crew_t **crew,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Hands JOB to the crew. */
void idv_thread_crew_do(idv_thread_crew_t *crew, idv_crew_job_t *job);

/* From `work`: JOB has its result and is no longer the thread's, which may go
 * on with what is. */
void idv_thread_crew_hand_in(idv_thread_crew_t *crew, idv_crew_job_t *job);

/* Readable while jobs wait for idv_thread_crew_collect(), which tells `done` of
 * them in the order in which they were handed in. `done` may hand out more. */
int idv_thread_crew_descriptor(const idv_thread_crew_t *crew);
void idv_thread_crew_collect(idv_thread_crew_t *crew);

#endif
