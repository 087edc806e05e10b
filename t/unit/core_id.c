/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "core/id.h"

#define NOW ((idv_time_t)1700000000000)

static void every_type_knows_its_own_ids_and_no_others(void **state)
{
    static const idv_id_type_t types[] = {
#define X(name, prefix) IDV_ID_##name,
        IDV_ID_PREFIXES(X)
#undef X
    };
    const size_t count = sizeof(types) / sizeof(*types);

    for (size_t i = 0; i < count; i++) {
        const char *id = idv_id_new(types[i], NOW, *state);

        assert_int_equal(strlen(id), strlen(idv_id_prefix(types[i]))
                                         + IDV_ID_BODY_LENGTH);
        for (size_t j = 0; j < count; j++)
            assert_int_equal(!!idv_id_is(types[j], id), i == j);
    }
}

static void the_time_stands_in_the_first_ten_characters(void **state)
{
    /* Crockford's base 32 of 1700000000000. */
    assert_string_equal(idv_id_bound(IDV_ID_SESSION, NOW, *state),
                        "vks_01hf7yat00");
    assert_string_equal(idv_id_bound(IDV_ID_EVENT, 0, *state),
                        "evt_0000000000");
    assert_string_equal(idv_id_bound(IDV_ID_EVENT, 31, *state),
                        "evt_000000000z");
}

static void a_bound_separates_older_ids_from_newer_ones(void **state)
{
    for (int i = 0; i < 64; i++) {
        idv_time_t time = NOW + i * IDV_DAY + i;
        const char *bound = idv_id_bound(IDV_ID_EVENT, time, *state);
        const char *older = idv_id_new(IDV_ID_EVENT, time - 1, *state);
        const char *same = idv_id_new(IDV_ID_EVENT, time, *state);

        assert_true(strcmp(older, bound) < 0);
        assert_true(strcmp(bound, same) < 0);
    }
}

static void two_of_the_same_moment_differ(void **state)
{
    const char *a = idv_id_new(IDV_ID_EVENT, NOW, *state);
    const char *b = idv_id_new(IDV_ID_EVENT, NOW, *state);

    assert_memory_equal(a, b, strlen("evt_") + 10);
    assert_string_not_equal(a, b);
}

static void those_of_one_millisecond_are_in_order(void **state)
{
    int compared = 0;

    while (compared < 100) {
        apr_time_t begun = apr_time_now();
        idv_time_t now = apr_time_as_msec(begun);
        const char *first = idv_id_new(IDV_ID_EVENT, now, *state);
        apr_time_t made = apr_time_now();
        const char *second;

        while (apr_time_now() == made)
            ;
        second = idv_id_new(IDV_ID_EVENT, now, *state);
        if (apr_time_now() - apr_time_from_msec(now) >= 1000)
            continue; /* the next millisecond has begun */
        assert_true(strcmp(first, second) < 0);
        compared++;
    }
}

static void a_time_that_is_not_now_makes_no_other_id(void **state)
{
    idv_time_t now = apr_time_as_msec(apr_time_now());

    assert_memory_equal(idv_id_new(IDV_ID_EVENT, NOW, *state),
                        "evt_01hf7yat00zz", 16);
    assert_memory_equal(idv_id_new(IDV_ID_EVENT, now + IDV_DAY, *state) + 14,
                        "00", 2);
}

static void refuses_other_alphabets_and_lengths(void **state)
{
    static const char *const wrong[] = {
        "", "vks", "vks_", "vks_01hf7yat00000000000000000",
        "vks_01hf7yat0000000000000000000", "vks_01HF7YAT000000000000000000",
        "vks_01hf7yat00000000000000000i", "vks_01hf7yat00000000000000000l",
        "vks_01hf7yat00000000000000000o", "vks_01hf7yat00000000000000000u",
        "vks_01hf7yat0000000000000000 0", "VKS_01hf7yat000000000000000000",
        " vks_01hf7yat000000000000000000",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        assert_false(idv_id_is(IDV_ID_SESSION, wrong[i]));
    assert_true(idv_id_is(IDV_ID_SESSION, "vks_01hf7yat000000000000000000"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(every_type_knows_its_own_ids_and_no_others),
        pooled_test(the_time_stands_in_the_first_ten_characters),
        pooled_test(a_bound_separates_older_ids_from_newer_ones),
        pooled_test(two_of_the_same_moment_differ),
        pooled_test(those_of_one_millisecond_are_in_order),
        pooled_test(a_time_that_is_not_now_makes_no_other_id),
        pooled_test(refuses_other_alphabets_and_lengths),
    };

    return unit_run("core/id", tests);
}
