/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "worker/endpoint_limit.h"

/* The room of an endpoint as the database will see it. */
static int room_of(idv_endpoint_limits_t *limits, const char *id,
                   apr_pool_t *pool)
{
    idv_delivery_claim_t claim = {0};

    idv_endpoint_limits_room(limits, &claim, pool);
    for (int i = 0; i < claim.room_count; i++)
        if (strcmp(claim.rooms[i].endpoint_id, id) == 0)
            return claim.rooms[i].room;
    return claim.default_room;
}

static void begin(idv_endpoint_limits_t *limits, const char *id, int count)
{
    while (count--)
        assert_true(idv_endpoint_limits_begin(limits, id, NULL));
}

static void end(idv_endpoint_limits_t *limits, const char *id, int count,
                int answered)
{
    while (count--)
        idv_endpoint_limits_end(limits, id, answered);
}

static void opens_with_answers_and_closes_with_silence(void **state)
{
    idv_endpoint_limits_t *limits =
        idv_endpoint_limits_create(32, 1000, *state);

    assert_int_equal(room_of(limits, "a", *state), IDV_ENDPOINT_LIMIT_START);
    begin(limits, "a", 8);
    assert_int_equal(room_of(limits, "a", *state), 0);
    assert_int_equal(room_of(limits, "b", *state), IDV_ENDPOINT_LIMIT_START);
    end(limits, "a", 1, 1);
    assert_int_equal(room_of(limits, "a", *state), 2 * 16 - 7);
    end(limits, "a", 6, 1);
    assert_int_equal(room_of(limits, "a", *state), 2 * 32 - 1);
    end(limits, "a", 1, 0);
    begin(limits, "a", 16);
    assert_int_equal(room_of(limits, "a", *state), 16);
    end(limits, "a", 16, 0);
    assert_int_equal(room_of(limits, "a", *state), 1);
    assert_int_equal(idv_endpoint_limits_in_flight(limits), 0);
}

static void says_when_an_endpoint_was_full(void **state)
{
    idv_endpoint_limits_t *limits =
        idv_endpoint_limits_create(2, 1000, *state);

    idv_endpoint_waiter_t waiters[2];

    begin(limits, "a", 2);
    for (int i = 0; i < 2; i++)
        assert_false(idv_endpoint_limits_begin(limits, "a", &waiters[i]));
    assert_true(idv_endpoint_limits_end(limits, "a", 1));
    assert_false(idv_endpoint_limits_end(limits, "a", 1));
}

static void lets_those_that_wait_begin_in_order(void **state)
{
    idv_endpoint_limits_t *limits =
        idv_endpoint_limits_create(2, 1000, *state);
    idv_endpoint_waiter_t waiters[2];

    begin(limits, "a", 2);
    for (int i = 0; i < 2; i++)
        assert_false(idv_endpoint_limits_begin(limits, "a", &waiters[i]));
    assert_int_equal(idv_endpoint_limits_waiting(limits), 2);
    assert_null(idv_endpoint_limits_next(limits, "a"));
    end(limits, "a", 1, 1);
    assert_ptr_equal(idv_endpoint_limits_next(limits, "a"), &waiters[0]);
    assert_null(idv_endpoint_limits_next(limits, "a"));
    idv_endpoint_limits_cancel(limits, "a");
    assert_ptr_equal(idv_endpoint_limits_next(limits, "a"), &waiters[1]);
    assert_int_equal(idv_endpoint_limits_waiting(limits), 0);
    assert_int_equal(idv_endpoint_limits_in_flight(limits), 2);
}

/* However many endpoints hang, those that answer have slots. */
static void keeps_half_of_the_slots_for_those_that_answer(void **state)
{
    static const char *const hanging[] = {"h1", "h2", "h3", "h4", "h5", "h6"};
    idv_endpoint_limits_t *limits = idv_endpoint_limits_create(32, 64, *state);
    int taken = 0;

    begin(limits, "good", 4);
    end(limits, "good", 4, 1);
    for (size_t i = 0; i < sizeof(hanging) / sizeof(hanging[0]); i++) {
        int room = room_of(limits, hanging[i], *state);

        begin(limits, hanging[i], room);
        taken += room;
    }
    assert_int_equal(taken, 32);
    assert_int_equal(room_of(limits, "unknown", *state), 0);
    assert_int_equal(room_of(limits, "good", *state), 2 * 32);
    end(limits, "h1", 8, 0);
    assert_int_equal(room_of(limits, "unknown", *state),
                     IDV_ENDPOINT_LIMIT_START);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(opens_with_answers_and_closes_with_silence),
        pooled_test(says_when_an_endpoint_was_full),
        pooled_test(lets_those_that_wait_begin_in_order),
        pooled_test(keeps_half_of_the_slots_for_those_that_answer),
    };

    return unit_run("worker/endpoint_limit", tests);
}
