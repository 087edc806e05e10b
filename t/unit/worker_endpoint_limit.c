/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <apr_strings.h>

#include "worker/webhook/endpoint_limit.h"

/* The room of an endpoint as the database will see it, at NOW. */
static int room_at(idv_endpoint_limits_t *limits, const char *id,
                   idv_time_t now, apr_pool_t *pool)
{
    idv_delivery_claim_t claim = {0};

    idv_endpoint_limits_room(limits, &claim, now, pool);
    for (int i = 0; i < claim.room_count; i++)
        if (strcmp(claim.rooms[i].endpoint_id, id) == 0)
            return claim.rooms[i].room;
    return claim.default_room;
}

static int room_of(idv_endpoint_limits_t *limits, const char *id,
                   apr_pool_t *pool)
{
    return room_at(limits, id, 0, pool);
}

static void begin(idv_endpoint_limits_t *limits, const char *id, int count)
{
    while (count--)
        assert_true(idv_endpoint_limits_begin(limits, id, NULL));
}

static void end(idv_endpoint_limits_t *limits, const char *id, int count,
                idv_endpoint_answer_t answer)
{
    while (count--)
        idv_endpoint_limits_end(limits, id, answer, 0);
}

static void opens_with_answers_and_closes_with_silence(void **state)
{
    idv_endpoint_limits_t *limits =
        idv_endpoint_limits_create(32, 1000, *state);

    assert_int_equal(room_of(limits, "a", *state), IDV_ENDPOINT_LIMIT_START);
    begin(limits, "a", 8);
    assert_int_equal(room_of(limits, "a", *state), 0);
    assert_int_equal(room_of(limits, "b", *state), IDV_ENDPOINT_LIMIT_START);
    end(limits, "a", 1, IDV_ENDPOINT_QUICK);
    assert_int_equal(room_of(limits, "a", *state), 2 * 16 - 7);
    end(limits, "a", 6, IDV_ENDPOINT_QUICK);
    assert_int_equal(room_of(limits, "a", *state), 2 * 32 - 1);
    end(limits, "a", 1, IDV_ENDPOINT_SILENT);
    begin(limits, "a", 16);
    assert_int_equal(room_of(limits, "a", *state), 0);
    end(limits, "a", 16, IDV_ENDPOINT_SILENT);
    assert_int_equal(room_of(limits, "a", *state), 1);
    assert_int_equal(idv_endpoint_limits_in_flight(limits), 0);
}

/* As many are claimed ahead as were answered in the last moments, so that an
 * endpoint is not left without work until the next claim, also while it is
 * idle; what was answered long ago counts for nothing. */
static void claims_ahead_at_the_pace_of_answers(void **state)
{
    idv_endpoint_limits_t *limits =
        idv_endpoint_limits_create(32, 4000, *state);
    const idv_time_t start = 1000000, window = IDV_ENDPOINT_PACE_WINDOW;
    idv_time_t now = start;

    for (; now < start + window; now++) {
        begin(limits, "a", 1);
        idv_endpoint_limits_end(limits, "a", IDV_ENDPOINT_QUICK, now);
    }
    assert_int_equal(room_at(limits, "a", now, *state), 32 + window);
    assert_int_equal(room_at(limits, "b", now, *state),
                     IDV_ENDPOINT_LIMIT_START);
    for (int i = 0; i < 1000; i++) {
        begin(limits, "a", 1);
        idv_endpoint_limits_end(limits, "a", IDV_ENDPOINT_QUICK, now);
    }
    assert_int_equal(room_at(limits, "a", now, *state),
                     32 + IDV_ENDPOINT_LOOK_AHEAD);
    assert_int_equal(room_at(limits, "a", now + 2 * window, *state),
                     IDV_ENDPOINT_LIMIT_START);
    begin(limits, "a", 1);
    assert_int_equal(room_at(limits, "a", now + 2 * window, *state),
                     2 * 32 - 1);
    idv_endpoint_limits_end(limits, "a", IDV_ENDPOINT_SLOW, now);
    assert_int_equal(room_at(limits, "a", now, *state),
                     IDV_ENDPOINT_LIMIT_START);
}

static void says_when_an_endpoint_was_full(void **state)
{
    idv_endpoint_limits_t *limits = idv_endpoint_limits_create(2, 1000, *state);

    idv_endpoint_waiter_t waiters[2];

    begin(limits, "a", 2);
    for (int i = 0; i < 2; i++)
        assert_false(idv_endpoint_limits_begin(limits, "a", &waiters[i]));
    assert_true(idv_endpoint_limits_end(limits, "a", IDV_ENDPOINT_QUICK, 0));
    assert_false(idv_endpoint_limits_end(limits, "a", IDV_ENDPOINT_QUICK, 0));
}

static void lets_those_that_wait_begin_in_order(void **state)
{
    idv_endpoint_limits_t *limits = idv_endpoint_limits_create(2, 1000, *state);
    idv_endpoint_waiter_t waiters[2];

    begin(limits, "a", 2);
    for (int i = 0; i < 2; i++)
        assert_false(idv_endpoint_limits_begin(limits, "a", &waiters[i]));
    assert_int_equal(idv_endpoint_limits_waiting(limits), 2);
    assert_null(idv_endpoint_limits_next(limits, "a"));
    end(limits, "a", 1, IDV_ENDPOINT_QUICK);
    assert_ptr_equal(idv_endpoint_limits_next(limits, "a"), &waiters[0]);
    assert_null(idv_endpoint_limits_next(limits, "a"));
    idv_endpoint_limits_cancel(limits, "a");
    assert_ptr_equal(idv_endpoint_limits_next(limits, "a"), &waiters[1]);
    assert_int_equal(idv_endpoint_limits_waiting(limits), 0);
    assert_int_equal(idv_endpoint_limits_in_flight(limits), 2);
}

/* Takes what claims for COUNT endpoints, named from FIRST on, would take. */
static int take(idv_endpoint_limits_t *limits, int first, int count,
                apr_pool_t *pool)
{
    int taken = 0;

    for (int i = first; i < first + count; i++) {
        const char *id = apr_psprintf(pool, "e%d", i);
        idv_delivery_claim_t claim = {0};
        int room = room_of(limits, id, pool);

        idv_endpoint_limits_room(limits, &claim, 0, pool);
        if (room > claim.limit)
            room = claim.limit;
        begin(limits, id, room);
        taken += room;
    }
    return taken;
}

/* However many endpoints hang, those that answer quickly have slots. */
static void keeps_slots_for_those_that_answer(void **state)
{
    idv_endpoint_limits_t *limits = idv_endpoint_limits_create(32, 64, *state);

    begin(limits, "good", 4);
    end(limits, "good", 4, IDV_ENDPOINT_QUICK);
    assert_int_equal(take(limits, 0, 4, *state), 32);
    assert_int_equal(room_of(limits, "e0", *state), 0);
    assert_int_equal(room_of(limits, "good", *state), (64 - 32) / 2);
    /* Who has nothing under way is heard. */
    assert_int_equal(room_of(limits, "unknown", *state), 1);
    assert_int_equal(take(limits, 4, 60, *state), 9);
    assert_int_equal(room_of(limits, "unknown", *state), 0);
    assert_int_equal(room_of(limits, "good", *state), (64 - 41 + 1) / 2);
    end(limits, "e0", 8, IDV_ENDPOINT_SILENT);
    assert_int_equal(room_of(limits, "unknown", *state), 1);
    end(limits, "e1", 8, IDV_ENDPOINT_SILENT);
    end(limits, "e2", 8, IDV_ENDPOINT_SILENT);
    assert_int_equal(room_of(limits, "unknown", *state),
                     IDV_ENDPOINT_LIMIT_START);
}

/* Slow answers are answers: the limit rises, but only within the half. */
static void lets_slow_ones_have_what_others_leave(void **state)
{
    idv_endpoint_limits_t *limits = idv_endpoint_limits_create(16, 64, *state);

    for (int i = 0; i < 3; i++)
        assert_int_equal(take(limits, i, 1, *state), 8);
    for (int i = 0; i < 3; i++)
        end(limits, apr_psprintf(*state, "e%d", i), 8, IDV_ENDPOINT_SLOW);
    assert_int_equal(take(limits, 0, 3, *state), 24);
    assert_int_equal(take(limits, 0, 3, *state), 8);
    assert_int_equal(room_of(limits, "e2", *state), 0);
    assert_int_equal(room_of(limits, "unknown", *state), 1);
    end(limits, "e0", 1, IDV_ENDPOINT_QUICK);
    assert_int_equal(room_of(limits, "e0", *state), (64 - 31 + 1) / 2 - 15);
}

/* However many endpoints have much to do, another one finds slots, and its
 * claims go on when some get free. */
static void leaves_slots_for_whoever_comes(void **state)
{
    idv_endpoint_limits_t *limits =
        idv_endpoint_limits_create(32, 1024, *state);

    for (int round = 0; round < 10; round++)
        for (int i = 0; i < 64; i++) {
            const char *id = apr_psprintf(*state, "e%d", i);
            int room = room_of(limits, id, *state);

            while (room-- > 0)
                idv_endpoint_limits_begin(
                    limits, id,
                    apr_palloc(*state, sizeof(idv_endpoint_waiter_t)));
            if (round < 2)
                end(limits, id, 1, IDV_ENDPOINT_QUICK);
        }
    assert_in_range(idv_endpoint_limits_in_flight(limits)
                        + idv_endpoint_limits_waiting(limits),
                    900, 1024 - IDV_ENDPOINT_LIMIT_START);
    assert_in_range(room_of(limits, "unknown", *state),
                    IDV_ENDPOINT_LIMIT_START / 2, IDV_ENDPOINT_LIMIT_START);
    assert_true(idv_endpoint_limits_end(limits, "e0", IDV_ENDPOINT_QUICK, 0));
}

static void says_when_others_may_have_more(void **state)
{
    idv_endpoint_limits_t *limits = idv_endpoint_limits_create(32, 64, *state);

    assert_int_equal(take(limits, 0, 4, *state), 32);
    for (int i = 0; i < 7; i++) {
        idv_endpoint_limits_end(limits, "e0", IDV_ENDPOINT_SLOW, 0);
        assert_int_equal(room_of(limits, "unknown", *state), 1);
    }
    assert_true(idv_endpoint_limits_end(limits, "e0", IDV_ENDPOINT_SLOW, 0));
    assert_int_equal(room_of(limits, "unknown", *state),
                     IDV_ENDPOINT_LIMIT_START);
    assert_true(idv_endpoint_limits_end(limits, "e1", IDV_ENDPOINT_SLOW, 0));
    assert_false(idv_endpoint_limits_end(limits, "e1", IDV_ENDPOINT_SLOW, 0));
}

/* The smallest configurations, too, let somebody begin. */
static void works_with_few_slots(void **state)
{
    for (int total = 1; total < 20; total++) {
        idv_endpoint_limits_t *limits =
            idv_endpoint_limits_create(1, total, *state);
        int taken = take(limits, 0, 2 * total, *state);

        assert_in_range(taken, 1, total);
        assert_in_range(taken, total / 4, total / 2 + total / 4 + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(opens_with_answers_and_closes_with_silence),
        pooled_test(claims_ahead_at_the_pace_of_answers),
        pooled_test(says_when_an_endpoint_was_full),
        pooled_test(lets_those_that_wait_begin_in_order),
        pooled_test(keeps_slots_for_those_that_answer),
        pooled_test(lets_slow_ones_have_what_others_leave),
        pooled_test(leaves_slots_for_whoever_comes),
        pooled_test(says_when_others_may_have_more),
        pooled_test(works_with_few_slots),
    };

    return unit_run("worker/endpoint_limit", tests);
}
