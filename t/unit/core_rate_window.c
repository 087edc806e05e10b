/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <pthread.h>
#include <stdio.h>

#include "core/rate_window.h"

#define SLOTS 1024
#define MINUTE_OF(n) ((n) * IDV_MINUTE)

static idv_rate_table_t table(void **state)
{
    return (idv_rate_table_t){
        apr_pcalloc(*state, idv_rate_slots(SLOTS) * sizeof(idv_rate_slot_t)),
        SLOTS};
}

static apr_int64_t take(const idv_rate_table_t *slots, const char *key,
                        idv_time_t now)
{
    int is_shared;

    return idv_rate_window_take(slots, key, now, &is_shared);
}

static void counts_each_key_and_window_by_itself(void **state)
{
    const idv_rate_table_t slots = table(state);
    idv_time_t now = MINUTE_OF(29000000);

    assert_int_equal(take(&slots, "a", now), 1);
    assert_int_equal(take(&slots, "a", now + 59999), 2);
    assert_int_equal(take(&slots, "b", now), 1);
    assert_int_equal(take(&slots, "a", now + 60000), 1);
    assert_int_equal(take(&slots, "a", now + 60000), 2);
    /* A thread that is late counts in its own window. */
    assert_int_equal(take(&slots, "a", now), 3);
    assert_int_equal(idv_rate_window_end(now), now + IDV_MINUTE);
    assert_int_equal(idv_rate_window_end(now + 59999), now + IDV_MINUTE);
}

static void takes_slots_of_old_windows_again(void **state)
{
    const idv_rate_table_t slots = table(state);
    char key[32];

    /* Ten times more keys than slots, never too many at once; the windows
     * pass the wrap of their low 16 bits. */
    for (int minute = 65530; minute < 65560; minute++) {
        for (int i = 0; i < 300; i++) {
            snprintf(key, sizeof(key), "key_%d_%d", minute, i);
            assert_int_equal(
                take(&slots, key, MINUTE_OF(minute)), 1);
        }
    }
}

/* As many keys as an attacker has addresses, in a table that is full of them. */
static void counts_every_key_of_a_full_table(void **state)
{
    const idv_rate_table_t slots = table(state);
    char key[32];
    int shared = 0, is_shared;

    for (int i = 0; i < 8 * SLOTS; i++) {
        snprintf(key, sizeof(key), "key_%d", i);
        assert_true(
            idv_rate_window_take(&slots, key, MINUTE_OF(7), &is_shared) >= 1);
        shared += is_shared;
    }
    assert_true(shared >= 7 * SLOTS);
    /* Each further key reaches its limit, some of them early. */
    for (int i = 0; i < 100; i++) {
        snprintf(key, sizeof(key), "later_%d", i);
        for (int n = 1; n <= 30; n++)
            assert_true(take(&slots, key, MINUTE_OF(7)) >= n);
    }
    assert_int_equal(
        idv_rate_window_take(&slots, "later", MINUTE_OF(9), &is_shared), 1);
    assert_false(is_shared);
}

static void tells_a_count_without_counting(void **state)
{
    const idv_rate_table_t slots = table(state);
    char key[32];
    int is_shared = 0;

    assert_int_equal(idv_rate_window_count(&slots, "a", MINUTE_OF(7)), 0);
    assert_int_equal(take(&slots, "a", MINUTE_OF(7)), 1);
    assert_int_equal(take(&slots, "a", MINUTE_OF(7)), 2);
    for (int i = 0; i < 3; i++)
        assert_int_equal(idv_rate_window_count(&slots, "a", MINUTE_OF(7)), 2);
    assert_int_equal(idv_rate_window_count(&slots, "a", MINUTE_OF(8)), 0);
    assert_int_equal(idv_rate_window_count(&slots, "b", MINUTE_OF(7)), 0);
    for (int i = 0; i < 2 * SLOTS; i++) {
        snprintf(key, sizeof(key), "key_%d", i);
        assert_int_equal(idv_rate_window_count(&slots, key, MINUTE_OF(9)), 0);
    }
    assert_int_equal(take(&slots, "c", MINUTE_OF(9)), 1);
    /* A key of a shared slot has its count. */
    for (int i = 0; i < 8 * SLOTS; i++) {
        apr_int64_t count;

        snprintf(key, sizeof(key), "key_%d", i);
        count = idv_rate_window_take(&slots, key, MINUTE_OF(9), &is_shared);
        assert_int_equal(idv_rate_window_count(&slots, key, MINUTE_OF(9)),
                         count);
    }
    assert_true(is_shared);
    assert_int_equal(idv_rate_window_count(&slots, key, MINUTE_OF(10)), 0);
}

/* Which keys meet depends on a seed, which is set once. */
static void places_keys_by_the_seed(void **state)
{
    const idv_rate_table_t slots[] = {table(state), table(state)};
    char key[32];
    int different = 0;

    for (int i = 0; i < 2; i++) {
        idv_rate_table_seed(&slots[i], 7 + (apr_uint64_t)i);
        idv_rate_table_seed(&slots[i], 9);
        for (int j = 0; j < SLOTS; j++) {
            snprintf(key, sizeof(key), "key_%d", j);
            (void)take(&slots[i], key, MINUTE_OF(7));
        }
    }
    for (int i = 0; i < SLOTS; i++)
        different += slots[0].slots[i].owner != slots[1].slots[i].owner;
    assert_true(different > SLOTS / 2);
}

#define THREADS 4
#define ROUNDS 20000
#define KEYS 50

static idv_rate_table_t shared;
static _Atomic long long sums[KEYS];

/* Every count from 1 to n is given exactly once, so the sum is n(n+1)/2. */
static void *take_many(void *unused)
{
    char key[16];

    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        snprintf(key, sizeof(key), "key_%d", i % KEYS);
        sums[i % KEYS] += take(&shared, key, MINUTE_OF(5));
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
        pooled_test(counts_every_key_of_a_full_table),
        pooled_test(tells_a_count_without_counting),
        pooled_test(places_keys_by_the_seed),
        pooled_test(is_exact_under_concurrency),
    };

    return unit_run("core/rate_window", tests);
}
