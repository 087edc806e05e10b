/* SPDX-License-Identifier: Apache-2.0 */
#include "out/thread_crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef struct {
    idv_crew_job_t *first, **end;
} queue_t;

struct idv_thread_crew_t {
    const idv_thread_crew_work_t *work;
    void *baton; /* the owner's thread's only */
    int descriptor;
    pthread_mutex_t mutex; /* guards the members below */
    pthread_cond_t handed_out;
    queue_t waiting, handed_in;
    int users; /* the threads and the owner; the last of them frees the crew */
    int closing;
};

/* --- queues --- */

static void queue_push(queue_t *queue, idv_crew_job_t *job)
{
    job->next = NULL;
    *queue->end = job;
    queue->end = &job->next;
}

static idv_crew_job_t *queue_take_all(queue_t *queue)
{
    idv_crew_job_t *first = queue->first;

    queue->first = NULL;
    queue->end = &queue->first;
    return first;
}

static idv_crew_job_t *queue_pop(queue_t *queue)
{
    idv_crew_job_t *first = queue->first;

    if (first) {
        queue->first = first->next;
        if (!queue->first)
            queue->end = &queue->first;
    }
    return first;
}

/* --- the threads --- */

static void discard_all(const idv_thread_crew_t *crew, idv_crew_job_t *job)
{
    while (job) {
        idv_crew_job_t *next = job->next;

        crew->work->discard(job);
        job = next;
    }
}

/* A user leaves the crew. The caller has the mutex, which is unlocked here. */
static void leave(idv_thread_crew_t *crew)
{
    int last = --crew->users == 0;

    pthread_mutex_unlock(&crew->mutex);
    if (!last)
        return;
    discard_all(crew, queue_take_all(&crew->handed_in));
    close(crew->descriptor);
    pthread_cond_destroy(&crew->handed_out);
    pthread_mutex_destroy(&crew->mutex);
    free(crew);
}

static void *serve(void *baton)
{
    idv_thread_crew_t *crew = baton;

    pthread_mutex_lock(&crew->mutex);
    while (!crew->closing) {
        idv_crew_job_t *job = queue_pop(&crew->waiting);

        if (!job) {
            pthread_cond_wait(&crew->handed_out, &crew->mutex);
            continue;
        }
        pthread_mutex_unlock(&crew->mutex);
        crew->work->work(crew, job);
        pthread_mutex_lock(&crew->mutex);
    }
    leave(crew);
    return NULL;
}

static idv_error_t *start_thread(idv_thread_crew_t *crew, apr_pool_t *pool)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    int status;

    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, crew->work->stack_size);
    crew->users++;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = pthread_create(&thread, &attributes, serve, crew);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (!status)
        return NULL;
    crew->users--;
    return idv_error_apr(pool, status, "starting a thread");
}

/* --- life --- */

static apr_status_t close_crew(void *baton)
{
    idv_thread_crew_t *crew = baton;
    idv_crew_job_t *waiting;

    pthread_mutex_lock(&crew->mutex);
    crew->closing = 1;
    waiting = queue_take_all(&crew->waiting);
    pthread_cond_broadcast(&crew->handed_out);
    pthread_mutex_unlock(&crew->mutex);
    discard_all(crew, waiting);
    pthread_mutex_lock(&crew->mutex);
    leave(crew);
    return APR_SUCCESS;
}

/* Creates the data shared by owner and threads; NULL: see *ERROR. */
static idv_thread_crew_t *create_shared(idv_error_t **error, apr_pool_t *pool)
{
    idv_thread_crew_t *crew = calloc(1, sizeof(*crew));

    if (!crew) {
        *error = idv_error_internal(pool, "out of memory");
        return NULL;
    }
    crew->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (crew->descriptor < 0) {
        *error = idv_error_apr(pool, errno, "eventfd");
        free(crew);
        return NULL;
    }
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->handed_out, NULL);
    queue_take_all(&crew->waiting);
    queue_take_all(&crew->handed_in);
    crew->users = 1;
    apr_pool_cleanup_register(pool, crew, close_crew, apr_pool_cleanup_null);
    return crew;
}

idv_error_t *idv_thread_crew_create(int count,
                                    const idv_thread_crew_work_t *work,
                                    void *baton, idv_thread_crew_t **out,
                                    apr_pool_t *pool)
{
    idv_error_t *error = NULL;
    idv_thread_crew_t *crew = create_shared(&error, pool);

    if (!crew)
        return error;
    crew->work = work;
    crew->baton = baton;
    pthread_mutex_lock(&crew->mutex);
    for (int i = 0; i < count && !error; i++)
        error = start_thread(crew, pool);
    pthread_mutex_unlock(&crew->mutex);
    IDV_TRY(error);
    *out = crew;
    return NULL;
}

/* --- jobs --- */

void idv_thread_crew_do(idv_thread_crew_t *crew, idv_crew_job_t *job)
{
    pthread_mutex_lock(&crew->mutex);
    queue_push(&crew->waiting, job);
    pthread_cond_signal(&crew->handed_out);
    pthread_mutex_unlock(&crew->mutex);
}

void idv_thread_crew_hand_in(idv_thread_crew_t *crew, idv_crew_job_t *job)
{
    const uint64_t one = 1;

    pthread_mutex_lock(&crew->mutex);
    queue_push(&crew->handed_in, job);
    pthread_mutex_unlock(&crew->mutex);
    /* This cannot fail: the crew's threads take no signals, and a counter that
     * is full is readable already. */
    if (write(crew->descriptor, &one, sizeof(one)) < 0)
        return;
}

int idv_thread_crew_descriptor(const idv_thread_crew_t *crew)
{
    return crew->descriptor;
}

void idv_thread_crew_collect(idv_thread_crew_t *crew)
{
    idv_crew_job_t *job;
    uint64_t count;

    /* The counter is emptied before the jobs are taken: a job that is handed in
     * later makes the descriptor readable again. */
    if (read(crew->descriptor, &count, sizeof(count)) < 0)
        return;
    pthread_mutex_lock(&crew->mutex);
    job = queue_take_all(&crew->handed_in);
    pthread_mutex_unlock(&crew->mutex);
    while (job) {
        idv_crew_job_t *next = job->next;

        crew->work->done(crew->baton, job);
        crew->work->discard(job);
        job = next;
    }
}
