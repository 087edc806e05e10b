/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include <apr_strings.h>

#include "core/secret_file.h"

/* What a file of TEXT is read as; NULL: an error, which says WHY. */
static const char *read_back(const char *text, const char *why,
                             apr_pool_t *pool)
{
    char path[] = "/tmp/verify-secret-XXXXXX";
    int descriptor = mkstemp(path);
    size_t length = strlen(text);
    const char *secret = NULL;
    idv_error_t *error;

    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, length), length);
    close(descriptor);
    error = idv_secret_file_read(path, &secret, pool);
    unlink(path);
    assert_int_equal(error == NULL, why == NULL);
    if (!error)
        return secret;
    assert_int_equal(error->code, IDV_E_INTERNAL);
    assert_non_null(strstr(error->detail, path));
    assert_non_null(strstr(error->detail, why));
    return NULL;
}

static void reads_the_first_line(void **state)
{
    assert_string_equal(read_back("one", NULL, *state), "one");
    assert_string_equal(read_back("one\n", NULL, *state), "one");
    assert_string_equal(read_back("one\r\ntwo\n", NULL, *state), "one");
    assert_string_equal(read_back(" two words ", NULL, *state), " two words ");
}

static void refuses_what_is_no_secret(void **state)
{
    idv_error_t *error;
    const char *secret;

    read_back("", "holds no secret", *state);
    read_back("\nsecond\n", "holds no secret", *state);
    error = idv_secret_file_read("/nowhere/secret", &secret, *state);
    assert_non_null(error);
    assert_non_null(strstr(error->detail, "/nowhere/secret cannot be read"));
}

static void limits_the_length(void **state)
{
    char *text = apr_pcalloc(*state, IDV_SECRET_MAX + 2);

    memset(text, 'x', IDV_SECRET_MAX);
    assert_int_equal(strlen(read_back(text, NULL, *state)), IDV_SECRET_MAX);
    text[IDV_SECRET_MAX] = 'x';
    read_back(text, "more than", *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(reads_the_first_line),
        pooled_test(refuses_what_is_no_secret),
        pooled_test(limits_the_length),
    };

    return unit_run("core/secret_file", tests);
}
