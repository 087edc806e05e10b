/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "domain/value/shown_name.h"

#define LIMIT 5

static void accepts_what_is_visible(void **state)
{
    static const char *const names[] = {
        "a", "Caf\xc3\xa9", "a b c", "12345", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
        /* An emoji with its selector, and a joiner between letters. */
        "\xe2\x98\xba\xef\xb8\x8f", "\xd9\x85\xe2\x80\x8c\xd8\xae",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        assert_null(idv_shown_name_check("name", names[i], LIMIT, *state));
}

static void refuses_what_misleads(void **state)
{
    static const char *const names[] = {
        "", "123456", "a\nb", "\x1b[1m", "a\x7f", "a\xc2\x9b",
        "\xe2\x80\xae" "gpj", "a\xe2\x81\xa9", "\xe2\x80\xa8", "\xef\xbb\xbf" "a",
        /* Nothing to see. */
        " ", "\xc2\xa0", "\xe2\x80\x8b", "\xe2\x81\xa0", "\xe3\x80\x80",
        "\xe3\x85\xa4", "\xe1\x85\x9f\xe1\x85\xa0", "\xe2\xa0\x80", "\xc2\xad",
        "\xd8\x9c \xef\xbe\xa0",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        idv_error_t *error =
            idv_shown_name_check("name", names[i], LIMIT, *state);

        assert_non_null(error);
        assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
        assert_string_equal(error->param, "name");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(accepts_what_is_visible),
        pooled_test(refuses_what_misleads),
    };

    return unit_run("domain_shown_name", tests);
}
