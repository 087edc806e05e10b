/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_strings.h>

#include "core/crypto.h"

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

    read_back("", "contains no secret", *state);
    read_back("\nsecond\n", "contains no secret", *state);
    error = idv_secret_file_read("/nowhere/secret", &secret, *state);
    assert_non_null(error);
    assert_non_null(strstr(error->detail, "/nowhere/secret cannot be read"));
}

/* What is said of a file of MODE that belongs to OWNER; NULL: it is read. */
static const char *fault_of(mode_t mode, uid_t owner, apr_pool_t *pool)
{
    char path[] = "/tmp/verify-secret-XXXXXX";
    int descriptor = mkstemp(path);
    idv_error_t *error;
    const char *secret;

    assert_int_equal(write(descriptor, "secret\n", 7), 7);
    assert_int_equal(fchown(descriptor, owner, (gid_t)-1), 0);
    assert_int_equal(fchmod(descriptor, mode), 0);
    close(descriptor);
    error = idv_secret_file_read(path, &secret, pool);
    unlink(path);
    return error ? error->detail : NULL;
}

static void refuses_what_others_can_read(void **state)
{
    const mode_t open_modes[] = {0640, 0604, 0620, 0602, 0610, 0777};
    const uid_t somebody = 33;
    const uid_t me = geteuid();

    assert_null(fault_of(0600, me, *state));
    assert_null(fault_of(0400, me, *state));
    for (size_t i = 0; i < sizeof(open_modes) / sizeof(*open_modes); i++)
        assert_non_null(strstr(fault_of(open_modes[i], me, *state),
                               "must be accessible to its owner only"));
    if (me == 0)
        assert_non_null(strstr(fault_of(0600, somebody, *state),
                               "must belong to root or to user 0"));
    else
        print_message("# not root: no file of another user was tried\n");
}

/* Nobody writes into the pipe: it is not waited for. */
static void refuses_what_is_no_file(void **state)
{
    char directory[] = "/tmp/verify-secret-XXXXXX";
    const char *secret, *pipe;
    idv_error_t *error;

    assert_non_null(mkdtemp(directory));
    error = idv_secret_file_read(directory, &secret, *state);
    assert_non_null(strstr(error->detail, "is not a regular file"));
    pipe = apr_pstrcat(*state, directory, "/pipe", NULL);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    error = idv_secret_file_read(pipe, &secret, *state);
    assert_non_null(strstr(error->detail, "is not a regular file"));
    unlink(pipe);
    rmdir(directory);
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
        pooled_test(refuses_what_others_can_read),
        pooled_test(refuses_what_is_no_file),
        pooled_test(limits_the_length),
    };

    return unit_run("core/crypto: files of secrets", tests);
}
