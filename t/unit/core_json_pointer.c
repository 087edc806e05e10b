/* SPDX-License-Identifier: Apache-2.0 */
/* The examples of RFC 6901, 5, and what they leave out. */
#include "unit/unit.h"

#include "core/json_pointer.h"

static void names_members(void **state)
{
    apr_pool_t *pool = *state;
    static const struct {
        const char *key, *pointer;
    } examples[] = {
        {"foo", "/foo"},   {"", "/"},   {"a/b", "/a~1b"},
        {"m~n", "/m~0n"},  {" ", "/ "}, {"~/~1", "/~0~1~01"},
        {"k\"l", "/k\"l"},
    };

    for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++)
        assert_string_equal(idv_json_pointer_member("", examples[i].key, pool),
                            examples[i].pointer);
    assert_string_equal(idv_json_pointer_member("/nodes", "a/b", pool),
                        "/nodes/a~1b");
}

static void names_elements(void **state)
{
    assert_string_equal(idv_json_pointer_element("/foo", 0, *state), "/foo/0");
    assert_string_equal(idv_json_pointer_element("", 12, *state), "/12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(names_members),
        pooled_test(names_elements),
    };

    return unit_run("core/json_pointer", tests);
}
