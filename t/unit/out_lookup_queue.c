/* SPDX-License-Identifier: Apache-2.0 */
/* Fair shares of the threads that look names up. */
#include "unit/unit.h"

#include <stdio.h>

#include "out/lookup_queue.h"

#define THREADS 8

static const char *unwanted; /* the beginning of the names that are */

static int is_wanted(void *baton, const char *host)
{
    (void)baton;
    return !unwanted || strncmp(host, unwanted, strlen(unwanted)) != 0;
}

static idv_lookup_queue_t *make_queue(apr_pool_t *pool)
{
    unwanted = NULL;
    return idv_lookup_queue_create(THREADS, is_wanted, NULL, pool);
}

/* COUNT names "<owner><number>" for OWNER; how many could wait. */
static int add_many(idv_lookup_queue_t *queue, const char *owner, int count)
{
    int added = 0;

    for (int i = 0; i < count; i++) {
        char host[64];

        snprintf(host, sizeof(host), "%s%d", owner, i);
        added += idv_lookup_queue_add(queue, owner, host) != 0;
    }
    return added;
}

/* Begins all that may, and returns how many began with OWNER. */
static int begin_all(idv_lookup_queue_t *queue, const char *owner)
{
    const char *host;
    int count = 0;

    while ((host = idv_lookup_queue_begin(queue)))
        count += strncmp(host, owner, strlen(owner)) == 0;
    return count;
}

static void one_owner_has_two_threads(void **state)
{
    idv_lookup_queue_t *queue = make_queue(*state);

    assert_int_equal(add_many(queue, "a", 50), 50);
    assert_int_equal(begin_all(queue, "a"), 2);
    /* Another one comes at once, however many wait. */
    assert_int_equal(add_many(queue, "b", 3), 3);
    assert_int_equal(begin_all(queue, "b"), 2);
}

/* With half of the threads busy, owners have one each, and the last thread is
 * for whoever has none. */
static void has_one_each_when_many_ask(void **state)
{
    idv_lookup_queue_t *queue = make_queue(*state);
    static const char *const owners[] = {"c", "d", "e", "f", "g", "h"};

    add_many(queue, "a", 9);
    add_many(queue, "b", 9);
    assert_int_equal(begin_all(queue, ""), 4);
    for (int i = 0; i < 4; i++)
        add_many(queue, owners[i], 9);
    for (int i = 0; i < 4; i++) {
        const char *host = idv_lookup_queue_begin(queue);

        assert_non_null(host);
        assert_int_equal(*host, *owners[i]);
    }
    /* All threads are busy. */
    add_many(queue, owners[4], 1);
    assert_null(idv_lookup_queue_begin(queue));
    /* The thread that gets free goes to who has none. */
    idv_lookup_queue_end(queue, "a0");
    assert_string_equal(idv_lookup_queue_begin(queue), "g0");
    idv_lookup_queue_end(queue, "a1");
    assert_string_equal(idv_lookup_queue_begin(queue), "a2");
}

static void owners_take_turns(void **state)
{
    idv_lookup_queue_t *queue = make_queue(*state);
    char order[7] = "";

    add_many(queue, "a", 3);
    add_many(queue, "b", 2);
    add_many(queue, "c", 1);
    for (int i = 0; i < 6; i++) {
        const char *host = idv_lookup_queue_begin(queue);

        assert_non_null(host);
        order[i] = *host;
        idv_lookup_queue_end(queue, host);
    }
    assert_null(idv_lookup_queue_begin(queue));
    assert_string_equal(order, "abcaba");
}

/* A name waits for each owner in a row of its own: nobody can hide another
 * one's name behind names that hang. */
static void a_shared_name_waits_for_each(void **state)
{
    idv_lookup_queue_t *queue = make_queue(*state);

    add_many(queue, "hang", 20);
    assert_int_equal(begin_all(queue, "hang"), 2);
    assert_true(idv_lookup_queue_add(queue, "hang", "shared"));
    assert_null(idv_lookup_queue_begin(queue));
    assert_true(idv_lookup_queue_add(queue, "b", "shared"));
    assert_string_equal(idv_lookup_queue_begin(queue), "shared");
    /* What is known by then is not looked up a second time. */
    unwanted = "shared";
    idv_lookup_queue_end(queue, "shared");
    for (int i = 0; i < 20; i++) {
        char host[16];

        snprintf(host, sizeof(host), "hang%d", i);
        idv_lookup_queue_end(queue, host);
        assert_int_equal(begin_all(queue, "shared"), 0);
    }
}

static void waits_once(void **state)
{
    idv_lookup_queue_t *queue = make_queue(*state);

    for (int i = 0; i < 3; i++)
        assert_true(idv_lookup_queue_add(queue, "a", "one"));
    assert_int_equal(begin_all(queue, ""), 1);
}

static void is_bounded_for_each_owner(void **state)
{
    idv_lookup_queue_t *queue = make_queue(*state);
    char longest[IDV_LOOKUP_NAME_SIZE + 1];

    assert_int_equal(add_many(queue, "a", IDV_LOOKUPS_WAITING + 10),
                     IDV_LOOKUPS_WAITING);
    assert_int_equal(add_many(queue, "b", 10), 10);
    assert_true(idv_lookup_queue_add(queue, "a", "a0")); /* waits already */
    memset(longest, 'x', sizeof(longest));
    longest[IDV_LOOKUP_NAME_SIZE] = '\0';
    assert_false(idv_lookup_queue_add(queue, "b", longest));
    longest[IDV_LOOKUP_NAME_SIZE - 1] = '\0';
    assert_true(idv_lookup_queue_add(queue, "b", longest));
}

/* Names whose exchanges have timed out make room for others. */
static void the_unwanted_make_room(void **state)
{
    idv_lookup_queue_t *queue = make_queue(*state);

    add_many(queue, "a", IDV_LOOKUPS_WAITING);
    unwanted = "a1"; /* a1, a10 to a19, a100 to a199 */
    assert_true(idv_lookup_queue_add(queue, "a", "new"));
    assert_true(idv_lookup_queue_add(queue, "a", "newer"));
    for (int i = 0; i < IDV_LOOKUPS_WAITING - 111; i++) {
        const char *host = idv_lookup_queue_begin(queue);

        assert_non_null(host);
        assert_true(is_wanted(NULL, host));
        idv_lookup_queue_end(queue, host);
    }
    assert_string_equal(idv_lookup_queue_begin(queue), "new");
    assert_string_equal(idv_lookup_queue_begin(queue), "newer");
    assert_null(idv_lookup_queue_begin(queue));
}

static void all_unwanted_leave_nothing(void **state)
{
    idv_lookup_queue_t *queue = make_queue(*state);

    add_many(queue, "a", 20);
    add_many(queue, "b", 2);
    unwanted = "a";
    assert_int_equal(begin_all(queue, "b"), 2);
    idv_lookup_queue_end(queue, "never begun");
    unwanted = NULL;
    assert_int_equal(add_many(queue, "a", 1), 1);
    assert_int_equal(begin_all(queue, "a"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(one_owner_has_two_threads),
        pooled_test(has_one_each_when_many_ask),
        pooled_test(owners_take_turns),
        pooled_test(a_shared_name_waits_for_each),
        pooled_test(waits_once),
        pooled_test(is_bounded_for_each_owner),
        pooled_test(the_unwanted_make_room),
        pooled_test(all_unwanted_leave_nothing),
    };

    return unit_run("out/lookup_queue", tests);
}
