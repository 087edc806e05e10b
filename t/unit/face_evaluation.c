/* SPDX-License-Identifier: Apache-2.0 */
/* Rates with their intervals, and the picture of two errors. */
#include "unit/unit.h"

#include "methods/face/face_evaluation.h"

static void is_near(double value, double expected)
{
    assert_true(value > expected - 5e-5 && value < expected + 5e-5);
}

/* The bounds that tables of the method of Clopper and Pearson have. */
static void intervals_are_those_of_the_tables(void **state)
{
    static const struct {
        int errors, count;
        double low, high;
    } cases[] = {
        {0, 10, 0, 0.3085},      {1, 10, 0.0025, 0.4450},
        {5, 10, 0.1871, 0.8129}, {10, 10, 0.6915, 1},
        {5, 100, 0.0164, 0.1128}, {0, 300, 0, 0.0122},
        {0, 0, 0, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_rate_t rate = idv_rate_of(cases[i].errors, cases[i].count);

        is_near(rate.low, cases[i].low);
        is_near(rate.high, cases[i].high);
        assert_true(rate.low <= rate.rate && rate.rate <= rate.high);
    }
}

static void a_share_counts_from_the_threshold_on(void **state)
{
    static const double values[] = {0.1, 0.5, 0.5, 0.9};
    const idv_scores_t scores = {values, 4}, none = {NULL, 0};

    (void)state;
    is_near(idv_scores_share(&scores, 0.5), 0.75);
    is_near(idv_scores_share(&scores, 0.51), 0.25);
    is_near(idv_scores_share(&scores, 2), 0);
    is_near(idv_scores_share(&none, 0), 0);
}

static void a_picture_has_both_errors(void **state)
{
    static const double low[] = {0.1}, high[] = {0.9, 0.8};
    const idv_evaluation_plot_t plot = {.title = "T",
                                        .axis = "score",
                                        .accepted = "FMR",
                                        .refused = "FNMR",
                                        .others = {low, 1},
                                        .genuine = {high, 2},
                                        .most = 1,
                                        .used = 0.5};
    const char *text = idv_evaluation_plot(&plot, *state);

    assert_non_null(strstr(text, "<svg "));
    assert_non_null(strstr(text, "FMR, n = 1"));
    assert_non_null(strstr(text, "FNMR, n = 2"));
    /* Where the decision has its threshold, neither error is left. */
    assert_non_null(strstr(text, "M320.0 50 V350"));
    assert_non_null(strstr(text, "320.0,350.0 "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(intervals_are_those_of_the_tables),
        pooled_test(a_share_counts_from_the_threshold_on),
        pooled_test(a_picture_has_both_errors),
    };

    return unit_run("face_evaluation", tests);
}
