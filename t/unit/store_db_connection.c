/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include <apr_strings.h>
#include <libpq-fe.h>

#include "store/db/db_connection.h"

static const idv_conninfo_preset_t presets[] = {
    {"connect_timeout", "5"},
    {"options", "-c jit=off -c search_path='a b'"},
    {NULL, NULL},
};

/* Whether OPTIONS begin with the pinned settings and end with END. */
static void assert_pinned(const char *options, const char *end)
{
    const char *own = strstr(options, end);

    assert_non_null(own);
    assert_string_equal(own, end);
    assert_non_null(strstr(options, "-c bytea_output=hex "));
    assert_true(strstr(options, "-c bytea_output=hex ") < own);
}

/* The value of KEYWORD in CONNINFO as libpq reads it; NULL: not set. */
static const char *value_of(const char *conninfo, const char *keyword,
                            apr_pool_t *pool)
{
    PQconninfoOption *options = PQconninfoParse(conninfo, NULL);
    const char *value = NULL;

    assert_non_null(options);
    for (const PQconninfoOption *option = options; option->keyword; option++)
        if (option->val && strcmp(option->keyword, keyword) == 0)
            value = apr_pstrdup(pool, option->val);
    PQconninfoFree(options);
    return value;
}

static void adds_what_is_not_set(void **state)
{
    static const char *const strings[] = {
        "host=db.example port=5433 user=verify",
        "postgresql://verify@db.example:5433/",
    };

    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
        const char *text = idv_conninfo_complete(strings[i], presets, *state);

        assert_string_equal(value_of(text, "host", *state), "db.example");
        assert_string_equal(value_of(text, "port", *state), "5433");
        assert_string_equal(value_of(text, "user", *state), "verify");
        assert_string_equal(value_of(text, "connect_timeout", *state), "5");
        assert_pinned(value_of(text, "options", *state), presets[1].value);
        assert_string_equal(value_of(text, "client_encoding", *state), "UTF8");
        assert_null(value_of(text, "password", *state));
    }
}

static void leaves_what_is_set(void **state)
{
    static const char *const strings[] = {
        "connect_timeout=9 password='it\\'s \\'quoted\\' \\\\'",
        "postgresql://?connect_timeout=9&password=it's%20quoted",
    };

    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
        const char *text = idv_conninfo_complete(strings[i], presets, *state);

        assert_string_equal(value_of(text, "connect_timeout", *state), "9");
        assert_string_equal(value_of(text, "password", *state),
                            value_of(strings[i], "password", *state));
    }
}

static void pins_settings_before_those_that_are_set(void **state)
{
    static const char own[] = "-c search_path=elsewhere";
    const char *text = idv_conninfo_complete(
        "client_encoding=LATIN1 options='-c search_path=elsewhere'", presets,
        *state);

    assert_pinned(value_of(text, "options", *state), own);
    assert_string_equal(value_of(text, "client_encoding", *state), "UTF8");
}

static void returns_a_malformed_string(void **state)
{
    static const char malformed[] = "host=a nonsense=1";

    assert_string_equal(idv_conninfo_complete(malformed, presets, *state),
                        malformed);
}

static void refuses_a_password_file_that_others_can_read(void **state)
{
    char path[] = "/tmp/verify-passfile-XXXXXX";
    int descriptor = mkstemp(path);
    const char *text = apr_pstrcat(*state, "dbname=a passfile=", path, NULL);
    const char *fault;

    assert_true(descriptor >= 0);
    assert_null(idv_conninfo_fault(text, *state));
    assert_int_equal(fchmod(descriptor, 0640), 0);
    fault = idv_conninfo_fault(text, *state);
    assert_non_null(fault);
    assert_non_null(strstr(fault, "must be accessible to its owner only"));
    close(descriptor);
    unlink(path);
    /* libpq does without one that is not there. */
    assert_null(idv_conninfo_fault(text, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(adds_what_is_not_set),
        pooled_test(leaves_what_is_set),
        pooled_test(pins_settings_before_those_that_are_set),
        pooled_test(returns_a_malformed_string),
        pooled_test(refuses_a_password_file_that_others_can_read),
    };

    return unit_run("store/db_connection", tests);
}
