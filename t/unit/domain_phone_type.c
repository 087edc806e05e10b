/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "domain/value/phone_type.h"

typedef struct {
    const char *number;
    const char *type;
} example_t;

static void expect(const example_t *example)
{
    const char *type = idv_phone_type_value(idv_phone_type(example->number));

    if (strcmp(type, example->type) != 0)
        fail_msg("%s is %s, not %s", example->number, type, example->type);
}

/* The examples that the library has for each plan and type, and what it says of
 * them itself. */
static void agrees_with_the_library(void **state)
{
    static const example_t examples[] = {
#define IDV_PHONE_EXAMPLE(number, type) {number, type},
#include "phone_examples.def"
#undef IDV_PHONE_EXAMPLE
    };
    size_t count = sizeof(examples) / sizeof(*examples);

    (void)state;
    assert_true(count > 1000);
    for (size_t i = 0; i < count; i++)
        expect(&examples[i]);
}

/* What is assigned for good, whatever the library's version. */
static void knows_the_types(void **state)
{
    static const example_t examples[] = {
        {"+4915123456789", "mobile"},        {"+4930123456", "fixed"},
        {"+12025550123", "fixed_or_mobile"}, {"+445612345678", "voip"},
        {"+447012345678", "personal"},       {"+19002345678", "premium"},
        {"+18002345678", "service"},         {"+80012345678", "service"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++)
        expect(&examples[i]);
}

/* No plan, no number behind the code, too few digits and too many, more digits
 * than a set of positions holds. */
static void knows_nothing_of_others(void **state)
{
    static const char *const numbers[] = {
        "+99912345678",
        "+49",
        "+",
        "+4915",
        "+491512345678912345",
        "+49151234567891234567891234567891234567",
        "+12020000000",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        example_t unknown = {numbers[i], "unknown"};

        expect(&unknown);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(agrees_with_the_library),
        pooled_test(knows_the_types),
        pooled_test(knows_nothing_of_others),
    };

    return unit_run("domain/phone_type", tests);
}
