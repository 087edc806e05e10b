/* SPDX-License-Identifier: Apache-2.0 */
/* How far two reviewers agree. */
#include "unit/unit.h"

#include <math.h>

#include "domain/session/review.h"

static void tells_agreement_from_chance(void **state)
{
    const idv_review_matrix_t none = {0};
    const idv_review_matrix_t alike = {{{7, 0}, {0, 0}}};
    const idv_review_matrix_t always = {{{6, 0}, {0, 4}}};
    const idv_review_matrix_t never = {{{0, 5}, {5, 0}}};
    /* 35 of 50 the same; chance makes half of them so. */
    const idv_review_matrix_t textbook = {{{20, 5}, {10, 15}}};
    apr_int64_t agreed;

    (void)state;
    assert_int_equal(idv_review_matrix_total(&textbook, &agreed), 50);
    assert_int_equal(agreed, 35);
    assert_true(fabs(idv_review_kappa(&textbook) - 0.4) < 1e-9);
    assert_true(fabs(idv_review_kappa(&always) - 1) < 1e-9);
    assert_true(fabs(idv_review_kappa(&never) + 1) < 1e-9);
    assert_true(isnan(idv_review_kappa(&none)));
    assert_true(isnan(idv_review_kappa(&alike)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_agreement_from_chance),
    };

    return unit_run("domain/review", tests);
}
