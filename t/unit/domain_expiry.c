/* SPDX-License-Identifier: Apache-2.0 */
/* What ends by itself, and how long before it is told of. */
#include "unit/unit.h"

#include "domain/trust/expiry.h"

#define NOW (20000 * IDV_DAY)

static void lists_are_due_before_their_next_edition(void **state)
{
    static const struct {
        idv_time_t issued, next_update;
        idv_expiry_state_t expected;
    } rows[] = {
        {0, 0, IDV_EXPIRY_CURRENT},
        {NOW - 90 * IDV_DAY, NOW + 4 * IDV_DAY, IDV_EXPIRY_CURRENT},
        {NOW - 90 * IDV_DAY, NOW + 3 * IDV_DAY, IDV_EXPIRY_DUE},
        {0, NOW + 3 * IDV_DAY + 1, IDV_EXPIRY_CURRENT},
        {0, NOW + 2 * IDV_DAY, IDV_EXPIRY_DUE},
        /* Daily ones: in their second half. */
        {NOW - 11 * IDV_HOUR, NOW + 13 * IDV_HOUR, IDV_EXPIRY_CURRENT},
        {NOW - 12 * IDV_HOUR, NOW + 12 * IDV_HOUR, IDV_EXPIRY_DUE},
        {NOW - IDV_DAY, NOW, IDV_EXPIRY_OVERDUE},
        {NOW - IDV_DAY, NOW - 5 * IDV_DAY, IDV_EXPIRY_OVERDUE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_int_equal(idv_expiry_of_list(rows[i].issued,
                                            rows[i].next_update, NOW),
                         rows[i].expected);
}

static void certificates_are_due_thirty_days_before(void **state)
{
    (void)state;
    assert_int_equal(idv_expiry_of_certificate(NOW + 31 * IDV_DAY, NOW),
                     IDV_EXPIRY_CURRENT);
    assert_int_equal(idv_expiry_of_certificate(NOW + 30 * IDV_DAY, NOW),
                     IDV_EXPIRY_DUE);
    assert_int_equal(idv_expiry_of_certificate(NOW, NOW), IDV_EXPIRY_OVERDUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(lists_are_due_before_their_next_edition),
        pooled_test(certificates_are_due_thirty_days_before),
    };

    return unit_run("domain_expiry", tests);
}
