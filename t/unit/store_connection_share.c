/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who gets the next of a few connections: nobody all of them, whoever has the
 * fewest first, and nobody waits who may enter.
 */
#include "unit/unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "store/db/connection_share.h"

#define LONG apr_time_from_sec(60) /* nothing here waits so long */
#define SHORT apr_time_from_msec(20)

static idv_connection_share_t *
new_share(int places, int of_owner, apr_interval_time_t wait, apr_pool_t *pool)
{
    const idv_connection_limits_t limits = {places, of_owner, wait};
    idv_connection_share_t *share;

    assert_null(idv_connection_share_create(&limits, &share, pool));
    return share;
}

static idv_error_t *enter(idv_connection_share_t *share, const char *owner,
                          int is_search, idv_connection_place_t *place,
                          apr_pool_t *pool)
{
    const idv_db_claim_t claim = {owner, is_search};
    int waited;

    return idv_connection_share_enter(share, &claim, place, &waited, pool);
}

/* How many places OWNER gets, one after the other, at most 8. */
static int take(idv_connection_share_t *share, const char *owner,
                idv_connection_place_t *places, apr_pool_t *pool)
{
    int count = 0;

    while (count < 8 && !enter(share, owner, 0, &places[count], pool))
        count++;
    return count;
}

static void nobody_has_all(void **state)
{
    apr_pool_t *pool = *state;
    idv_connection_share_t *share = new_share(8, 0, SHORT, pool);
    idv_connection_place_t first[8], second[8], third[8];
    idv_error_t *error;

    assert_int_equal(take(share, "org_1", first, pool), 7);
    error = enter(share, "org_1", 0, &first[7], pool);
    assert_int_equal(error->code, IDV_E_SERVICE_UNAVAILABLE);
    assert_int_equal(error->retry_after, 1);
    assert_int_equal(take(share, "org_2", second, pool), 1);
    assert_int_equal(take(share, NULL, third, pool), 0);
    idv_connection_share_leave(share, &second[0]);
    assert_int_equal(take(share, NULL, third, pool), 1);
    idv_connection_share_leave(share, &first[3]);
    assert_int_equal(take(share, NULL, &third[1], pool), 0);
    assert_int_equal(take(share, "", &third[1], pool), 0);
    assert_int_equal(take(share, "org_2", second, pool), 1);
    assert_int_equal(idv_connection_share_waiting(share), 0);
}

static void one_place_is_for_each(void **state)
{
    apr_pool_t *pool = *state;
    idv_connection_share_t *share = new_share(1, 0, SHORT, pool);
    idv_connection_place_t places[8];

    for (int i = 0; i < 3; i++) {
        assert_int_equal(take(share, "org_1", places, pool), 1);
        assert_int_equal(take(share, NULL, &places[1], pool), 0);
        idv_connection_share_leave(share, &places[0]);
    }
}

static void a_limit_holds_when_others_are_free(void **state)
{
    apr_pool_t *pool = *state;
    idv_connection_share_t *share = new_share(8, 3, SHORT, pool);
    idv_connection_place_t first[8], second[8], third[8];

    assert_int_equal(take(share, "org_1", first, pool), 3);
    assert_int_equal(take(share, "org_2", second, pool), 3);
    assert_int_equal(take(share, "org_3", third, pool), 1);
}

/* A thread that waits for a place. */
typedef struct {
    idv_connection_share_t *share;
    const char *owner;
    int is_search;
    idv_connection_place_t place;
    idv_error_t *error;
    atomic_int done;
    pthread_t thread;
    apr_pool_t *pool;
} waiter_t;

static void *wait_in_thread(void *data)
{
    waiter_t *waiter = data;

    waiter->error = enter(waiter->share, waiter->owner, waiter->is_search,
                          &waiter->place, waiter->pool);
    atomic_store(&waiter->done, 1);
    return NULL;
}

/* Starts WAITER, which becomes the COUNT-th that waits. */
static void start(waiter_t *waiter, idv_connection_share_t *share,
                  const char *owner, int is_search, int count)
{
    memset(waiter, 0, sizeof(*waiter));
    waiter->share = share;
    waiter->owner = owner;
    waiter->is_search = is_search;
    apr_pool_create(&waiter->pool, NULL);
    assert_int_equal(
        pthread_create(&waiter->thread, NULL, wait_in_thread, waiter), 0);
    while (idv_connection_share_waiting(share) < count)
        sched_yield();
}

static void join(waiter_t *waiter)
{
    pthread_join(waiter->thread, NULL);
    assert_null(waiter->error);
    apr_pool_destroy(waiter->pool);
}

static void the_fewest_come_first(void **state)
{
    apr_pool_t *pool = *state;
    idv_connection_share_t *share = new_share(5, 0, LONG, pool);
    idv_connection_place_t first[3], second, third, fourth;
    waiter_t waiting[3];

    for (int i = 0; i < 3; i++)
        assert_null(enter(share, "org_1", 0, &first[i], pool));
    assert_null(enter(share, "org_2", 0, &second, pool));
    assert_null(enter(share, "org_4", 0, &fourth, pool));
    start(&waiting[0], share, "org_1", 0, 1);
    start(&waiting[1], share, "org_2", 0, 2);
    start(&waiting[2], share, "org_3", 0, 3);
    /* One is free, the last: for who has none. */
    idv_connection_share_leave(share, &first[0]);
    join(&waiting[2]);
    assert_false(atomic_load(&waiting[0].done)
                 || atomic_load(&waiting[1].done));
    idv_connection_share_leave(share, &waiting[2].place);
    assert_false(atomic_load(&waiting[0].done)
                 || atomic_load(&waiting[1].done));
    /* Two are free, and one of them may be taken: by who has one, not two. */
    idv_connection_share_leave(share, &fourth);
    join(&waiting[1]);
    assert_int_equal(idv_connection_share_waiting(share), 1);
    /* The last is for others still. */
    assert_null(enter(share, "org_3", 0, &third, pool));
    idv_connection_share_leave(share, &third);
    idv_connection_share_leave(share, &second);
    join(&waiting[0]);
    assert_int_equal(idv_connection_share_waiting(share), 0);
}

static void searches_are_few(void **state)
{
    apr_pool_t *pool = *state;
    idv_connection_share_t *share = new_share(8, 0, LONG, pool);
    idv_connection_place_t running[2], other[8], refused;
    waiter_t waiting[4];
    idv_error_t *error;

    for (int i = 0; i < 2; i++)
        assert_null(enter(share, "org_1", 1, &running[i], pool));
    for (int i = 0; i < 4; i++)
        start(&waiting[i], share, "org_1", 1, i + 1);
    error = enter(share, "org_1", 1, &refused, pool);
    assert_int_equal(error->code, IDV_E_RATE_LIMIT_EXCEEDED);
    assert_int_equal(error->retry_after, 1);
    assert_int_equal(idv_connection_share_waiting(share), 4);
    /* Neither others' searches nor other work waits for them. */
    assert_null(enter(share, "org_2", 1, &other[0], pool));
    for (int i = 1; i < 5; i++)
        assert_null(enter(share, "org_1", 0, &other[i], pool));
    for (int i = 0; i < 2; i++)
        idv_connection_share_leave(share, &running[i]);
    for (int i = 0; i < 2; i++)
        join(&waiting[i]);
    assert_int_equal(idv_connection_share_waiting(share), 2);
    for (int i = 0; i < 2; i++)
        idv_connection_share_leave(share, &waiting[i].place);
    for (int i = 2; i < 4; i++)
        join(&waiting[i]);
}

static void searches_wait_no_longer_than_others(void **state)
{
    apr_pool_t *pool = *state;
    idv_connection_share_t *share = new_share(4, 0, SHORT, pool);
    idv_connection_place_t first, others[8], late;

    assert_null(enter(share, "org_1", 1, &first, pool));
    assert_int_equal(enter(share, "org_1", 1, &late, pool)->code,
                     IDV_E_RATE_LIMIT_EXCEEDED);
    assert_int_equal(take(share, "org_2", others, pool), 2);
    assert_int_equal(enter(share, "org_2", 1, &late, pool)->code,
                     IDV_E_SERVICE_UNAVAILABLE);
    assert_int_equal(idv_connection_share_waiting(share), 0);
}

/* --- all at once --- */

#define THREADS 24
#define ROUNDS 400
#define PLACES 5

static atomic_int inside, most, of_owner[3], most_of_owner;

static void note_most(atomic_int *to, int value)
{
    int now = atomic_load(to);

    while (value > now && !atomic_compare_exchange_weak(to, &now, value))
        ;
}

static void *work(void *data)
{
    static const char *const owners[] = {"org_1", "org_2", NULL};
    static atomic_int number;
    int owner = atomic_fetch_add(&number, 1) % 3;
    idv_connection_place_t place;
    apr_pool_t *pool;

    apr_pool_create(&pool, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        assert_null(enter(data, owners[owner], 0, &place, pool));
        note_most(&most, atomic_fetch_add(&inside, 1) + 1);
        note_most(&most_of_owner, atomic_fetch_add(&of_owner[owner], 1) + 1);
        sched_yield();
        atomic_fetch_sub(&of_owner[owner], 1);
        atomic_fetch_sub(&inside, 1);
        idv_connection_share_leave(data, &place);
        apr_pool_clear(pool);
    }
    apr_pool_destroy(pool);
    return NULL;
}

static void never_more_than_there_are(void **state)
{
    idv_connection_share_t *share = new_share(PLACES, 0, LONG, *state);
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, share), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&inside), 0);
    assert_true(atomic_load(&most) <= PLACES);
    assert_true(atomic_load(&most_of_owner) <= PLACES - 1);
    assert_int_equal(idv_connection_share_waiting(share), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(nobody_has_all),
        pooled_test(one_place_is_for_each),
        pooled_test(a_limit_holds_when_others_are_free),
        pooled_test(the_fewest_come_first),
        pooled_test(searches_are_few),
        pooled_test(searches_wait_no_longer_than_others),
        pooled_test(never_more_than_there_are),
    };

    return unit_run("store/connection_share", tests);
}
