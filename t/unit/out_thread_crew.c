/* SPDX-License-Identifier: Apache-2.0 */
/* A crew of threads: each job is done, told of and discarded once, whatever
 * hangs and whenever the crew's pool ends. */
#include "unit/unit.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "out/thread_crew.h"

#define THREADS 3
#define MANY 2000
#define PATIENCE 10000     /* ms */
#define PATIENCE_IN_ALL 60 /* s; a crew that is stuck never ends */

typedef struct {
    idv_crew_job_t job; /* the first member */
    int number, result;
    struct gate_t *gate; /* to wait at, before or after it is handed in */
    int late;
} number_t;

/* Holds threads up until it is opened. */
typedef struct gate_t {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int open, arrived;
    atomic_int left;
} gate_t;

#define CLOSED_GATE                                                            \
    {                                                                          \
        .mutex = PTHREAD_MUTEX_INITIALIZER,                                    \
        .changed = PTHREAD_COND_INITIALIZER,                                   \
    }

static atomic_int discarded;

static void pass(gate_t *gate)
{
    pthread_mutex_lock(&gate->mutex);
    gate->arrived++;
    pthread_cond_broadcast(&gate->changed);
    while (!gate->open)
        pthread_cond_wait(&gate->changed, &gate->mutex);
    pthread_mutex_unlock(&gate->mutex);
}

static void wait_for_arrivals(gate_t *gate, int count)
{
    pthread_mutex_lock(&gate->mutex);
    while (gate->arrived < count)
        pthread_cond_wait(&gate->changed, &gate->mutex);
    pthread_mutex_unlock(&gate->mutex);
}

static void open_gate(gate_t *gate)
{
    pthread_mutex_lock(&gate->mutex);
    gate->open = 1;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
}

static void square(idv_thread_crew_t *crew, idv_crew_job_t *job)
{
    number_t *number = (number_t *)job;
    gate_t *gate = number->gate;
    int late = number->late;

    if (gate && !late)
        pass(gate);
    number->result = number->number * number->number;
    idv_thread_crew_hand_in(crew, job);
    if (!gate || !late)
        return;
    pass(gate);
    gate->left++;
}

/* What the owner was told. */
typedef struct {
    idv_thread_crew_t *crew;
    int count, sum, again;
} told_t;

static void hand_out(idv_thread_crew_t *crew, int number, gate_t *gate,
                     int late)
{
    number_t *job = calloc(1, sizeof(*job));

    assert_non_null(job);
    job->number = number;
    job->gate = gate;
    job->late = late;
    idv_thread_crew_do(crew, &job->job);
}

static void note(void *baton, idv_crew_job_t *job)
{
    told_t *told = baton;

    told->count++;
    told->sum += ((const number_t *)job)->result;
    if (told->again-- > 0)
        hand_out(told->crew, 1, NULL, 0);
}

static void discard(idv_crew_job_t *job)
{
    free(job);
    discarded++;
}

static const idv_thread_crew_work_t squaring = {
    .work = square,
    .done = note,
    .discard = discard,
    .stack_size = 128 * 1024,
};

static void begin(told_t *told, apr_pool_t *pool)
{
    discarded = 0;
    assert_null(
        idv_thread_crew_create(THREADS, &squaring, told, &told->crew, pool));
}

static void collect(told_t *told, int count)
{
    struct pollfd readable = {.fd = idv_thread_crew_descriptor(told->crew),
                              .events = POLLIN};

    while (told->count < count) {
        assert_int_equal(poll(&readable, 1, PATIENCE), 1);
        idv_thread_crew_collect(told->crew);
    }
    assert_int_equal(told->count, count);
}

/* Threads end on their own; nobody can wait for them but by looking. */
static void wait_until(atomic_int *counter, int count)
{
    for (int i = 0; i < PATIENCE && *counter < count; i++)
        poll(NULL, 0, 1);
    assert_int_equal(*counter, count);
}

static void does_each_job_once(void **state)
{
    told_t told = {0};

    begin(&told, *state);
    for (int i = 0; i < MANY; i++)
        hand_out(told.crew, i % 10, NULL, 0);
    collect(&told, MANY);
    assert_int_equal(told.sum, MANY / 10 * 285);
    assert_int_equal(discarded, MANY);
}

static void takes_jobs_from_done(void **state)
{
    told_t told = {.again = MANY};

    begin(&told, *state);
    hand_out(told.crew, 1, NULL, 0);
    collect(&told, MANY + 1);
    assert_int_equal(told.sum, MANY + 1);
}

static void goes_on_beside_jobs_that_hang(void **state)
{
    gate_t gate = CLOSED_GATE;
    told_t told = {0};

    begin(&told, *state);
    for (int i = 1; i < THREADS; i++)
        hand_out(told.crew, 0, &gate, 0);
    wait_for_arrivals(&gate, THREADS - 1);
    for (int i = 0; i < 10; i++)
        hand_out(told.crew, 1, NULL, 0);
    collect(&told, 10);
    assert_int_equal(told.sum, 10);
    open_gate(&gate);
    collect(&told, 10 + THREADS - 1);
}

static void tells_before_the_thread_is_done(void **state)
{
    gate_t gate = CLOSED_GATE;
    told_t told = {0};

    begin(&told, *state);
    for (int i = 0; i < THREADS; i++)
        hand_out(told.crew, 3, &gate, 1);
    collect(&told, THREADS);
    assert_int_equal(told.sum, THREADS * 9);
    assert_int_equal(gate.left, 0);
    open_gate(&gate);
    wait_until(&gate.left, THREADS);
}

static void is_readable_no_longer_than_something_waits(void **state)
{
    told_t told = {0};
    struct pollfd readable;

    begin(&told, *state);
    readable = (struct pollfd){.fd = idv_thread_crew_descriptor(told.crew),
                               .events = POLLIN};
    assert_int_equal(poll(&readable, 1, 0), 0);
    idv_thread_crew_collect(told.crew);
    assert_int_equal(told.count, 0);
    hand_out(told.crew, 1, NULL, 0);
    collect(&told, 1);
    assert_int_equal(poll(&readable, 1, 0), 0);
}

/* The pool ends while all threads hang, jobs wait and others are handed in. */
static void ends_without_waiting(void **state)
{
    gate_t gate = CLOSED_GATE;
    told_t told = {0};
    apr_pool_t *pool;

    apr_pool_create(&pool, *state);
    begin(&told, pool);
    hand_out(told.crew, 1, &gate, 1); /* handed in, and never collected */
    for (int i = 1; i < THREADS; i++)
        hand_out(told.crew, 1, &gate, 0);
    wait_for_arrivals(&gate, THREADS);
    for (int i = 0; i < 5; i++)
        hand_out(told.crew, 1, NULL, 0);
    apr_pool_destroy(pool);
    assert_int_equal(discarded, 5);
    open_gate(&gate);
    wait_until(&discarded, 5 + THREADS);
    assert_int_equal(told.count, 0);
}

/* Whoever comes last, the owner or a thread, frees what they share. */
static void ends_at_any_moment(void **state)
{
    for (int jobs = 0; jobs < 200; jobs++) {
        told_t told = {0};
        apr_pool_t *pool;

        apr_pool_create(&pool, *state);
        begin(&told, pool);
        for (int i = 0; i < jobs; i++)
            hand_out(told.crew, 1, NULL, 0);
        if (jobs % 3 == 0)
            collect(&told, jobs);
        apr_pool_destroy(pool);
        wait_until(&discarded, jobs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(does_each_job_once),
        pooled_test(takes_jobs_from_done),
        pooled_test(goes_on_beside_jobs_that_hang),
        pooled_test(tells_before_the_thread_is_done),
        pooled_test(is_readable_no_longer_than_something_waits),
        pooled_test(ends_without_waiting),
        pooled_test(ends_at_any_moment),
    };

    alarm(PATIENCE_IN_ALL);
    return unit_run("out/thread_crew", tests);
}
