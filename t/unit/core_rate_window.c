/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <pthread.h>
#include <stdio.h>

#include "core/rate_window.h"

#define SLOTS 1024
#define MINUTE_OF(n) ((n) * IDV_MINUTE)

static idv_rate_slot_t *table(void **state)
{
    return apr_pcalloc(*state, SLOTS * sizeof(idv_rate_slot_t));
}

static void counts_each_key_and_window_by_itself(void **state)
{
    idv_rate_slot_t *slots = table(state);
    idv_time_t now = MINUTE_OF(29000000);

    assert_int_equal(idv_rate_window_take(slots, SLOTS, "a", now), 1);
    assert_int_equal(idv_rate_window_take(slots, SLOTS, "a", now + 59999), 2);
    assert_int_equal(idv_rate_window_take(slots, SLOTS, "b", now), 1);
    assert_int_equal(idv_rate_window_take(slots, SLOTS, "a", now + 60000), 1);
    assert_int_equal(idv_rate_window_take(slots, SLOTS, "a", now + 60000), 2);
    /* A thread that is late counts in its own window. */
    assert_int_equal(idv_rate_window_take(slots, SLOTS, "a", now), 3);
    assert_int_equal(idv_rate_window_end(now), now + IDV_MINUTE);
    assert_int_equal(idv_rate_window_end(now + 59999), now + IDV_MINUTE);
}

static void takes_slots_of_old_windows_again(void **state)
{
    idv_rate_slot_t *slots = table(state);
    char key[32];

    /* Ten times more keys than slots, never too many at once; the windows
     * pass the wrap of their low 16 bits. */
    for (int minute = 65530; minute < 65560; minute++) {
        for (int i = 0; i < 300; i++) {
            snprintf(key, sizeof(key), "key_%d_%d", minute, i);
            assert_int_equal(
                idv_rate_window_take(slots, SLOTS, key, MINUTE_OF(minute)), 1);
        }
    }
}

static void says_when_there_is_no_room(void **state)
{
    idv_rate_slot_t *slots = table(state);
    char key[32];
    int uncounted = 0;

    for (int i = 0; i < 2 * SLOTS; i++) {
        snprintf(key, sizeof(key), "key_%d", i);
        uncounted += idv_rate_window_take(slots, SLOTS, key,
                                          MINUTE_OF(7)) == 0;
    }
    assert_true(uncounted >= SLOTS);
    assert_int_equal(idv_rate_window_take(slots, SLOTS, "later",
                                          MINUTE_OF(9)), 1);
}

#define THREADS 4
#define ROUNDS 20000
#define KEYS 50

static idv_rate_slot_t *shared;
static _Atomic long long sums[KEYS];

/* Every count from 1 to n is given exactly once, so the sum is n(n+1)/2. */
static void *take_many(void *unused)
{
    char key[16];

    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        snprintf(key, sizeof(key), "key_%d", i % KEYS);
        sums[i % KEYS] += idv_rate_window_take(shared, SLOTS, key,
                                               MINUTE_OF(5));
    }
    return NULL;
}

static void is_exact_under_concurrency(void **state)
{
    pthread_t threads[THREADS];
    long long each = (long long)THREADS * ROUNDS / KEYS;

    shared = table(state);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_many, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < KEYS; i++)
        assert_true(sums[i] == each * (each + 1) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(counts_each_key_and_window_by_itself),
        pooled_test(takes_slots_of_old_windows_again),
        pooled_test(says_when_there_is_no_room),
        pooled_test(is_exact_under_concurrency),
    };

    return unit_run("core/rate_window", tests);
}
