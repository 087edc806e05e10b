/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_THREAD_CREW_H
#define IDV_OUT_THREAD_CREW_H

/*
 * A crew of threads for work that would block an event loop. The owner submits
 * jobs; a free thread takes each, oldest first; a descriptor tells the owner's
 * loop that jobs were handed in, and the owner collects them.
 *
 * A job is a structure of the caller with idv_crew_job_t as its first member.
 * It has one holder at a time: the caller; the crew, from idv_thread_crew_do()
 * to idv_thread_crew_collect(); within the crew one thread, from the start of
 * `work` to idv_thread_crew_hand_in(). So jobs need no locks, and whatever a
 * job points to must belong to it or be immutable.
 *
 * Threads: all functions except idv_thread_crew_hand_in() are called on the
 * owner's thread, and `done` is called back only there. The crew's threads
 * block all signals. Memory: jobs come from malloc(), because they outlive
 * pools: the pool's cleanup neither waits for a hanging job nor calls `done`.
 * It discards jobs that no thread works on; the last thread to return discards
 * the rest and frees the crew's shared memory. Failures: only the creation can
 * fail.
 */
#include <stddef.h>

#include "core/error.h"

typedef struct idv_thread_crew_t idv_thread_crew_t;

/* The first member of a job; owned by the crew. */
typedef struct idv_crew_job_t idv_crew_job_t;
struct idv_crew_job_t {
    idv_crew_job_t *next;
};

/* The functions for a crew's jobs. */
typedef struct {
    /* On a crew thread: process JOB, and call idv_thread_crew_hand_in()
     * once. */
    void (*work)(idv_thread_crew_t *crew, idv_crew_job_t *job);
    /* On the owner's thread: JOB was handed in; it is discarded afterwards. */
    void (*done)(void *baton, idv_crew_job_t *job);
    /* On any thread, last, once per job: free it. */
    void (*discard)(idv_crew_job_t *job);
    size_t stack_size; /* bytes, per thread */
} idv_thread_crew_work_t;

/* Starts COUNT threads. WORK must outlive the process; BATON is for `done` and
 * must live as long as POOL. */
idv_error_t *idv_thread_crew_create(int count,
                                    const idv_thread_crew_work_t *work,
                                    void *baton, idv_thread_crew_t **crew,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Submits JOB to the crew. */
void idv_thread_crew_do(idv_thread_crew_t *crew, idv_crew_job_t *job);

/* From `work`: JOB has its result and no longer belongs to the thread, which
 * can continue with anything else. */
void idv_thread_crew_hand_in(idv_thread_crew_t *crew, idv_crew_job_t *job);

/* Readable while jobs wait for idv_thread_crew_collect(), which calls `done`
 * for each in the order of handing in. `done` may submit more jobs. */
int idv_thread_crew_descriptor(const idv_thread_crew_t *crew);
void idv_thread_crew_collect(idv_thread_crew_t *crew);

#endif
