/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <math.h>

#include "domain/value/proportion.h"

/* Intervals as tables of Wilson's interval give them. */
static void has_the_interval_of_wilson(void **state)
{
    static const struct {
        apr_int64_t count, total;
        double low, high;
    } cases[] = {
        {0, 10, 0, 0.2775},       {1, 10, 0.0179, 0.4042},
        {5, 10, 0.2366, 0.7634},  {10, 10, 0.7225, 1},
        {50, 100, 0.4038, 0.5962}, {98, 100, 0.9300, 0.9945},
        {0, 1, 0, 0.7935},        {999000, 1000000, 0.998936, 0.99906},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_proportion_t share = idv_proportion(cases[i].count, cases[i].total);

        assert_true(fabs(share.low - cases[i].low) < 0.0001);
        assert_true(fabs(share.high - cases[i].high) < 0.0001);
        assert_true(share.low <= share.share && share.share <= share.high);
    }
}

static void says_when_cases_are_few(void **state)
{
    idv_proportion_t none = idv_proportion(0, 0);

    (void)state;
    assert_true(none.is_few && none.low == 0 && none.high == 1);
    assert_true(idv_proportion(29, 29).is_few);
    assert_false(idv_proportion(30, 30).is_few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_interval_of_wilson),
        cmocka_unit_test(says_when_cases_are_few),
    };

    return unit_run("domain/proportion", tests);
}
