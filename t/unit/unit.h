/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_H
#define IDV_T_UNIT_H

/*
 * What every unit test program starts with: cmocka, and a fresh pool as the
 * state of each test, destroyed after it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <apr_general.h>
#include <apr_pools.h>
#include <apr_strings.h>

static inline int unit_pool_create(void **state)
{
    return apr_pool_create((apr_pool_t **)state, NULL) != APR_SUCCESS;
}

static inline int unit_pool_destroy(void **state)
{
    apr_pool_destroy(*state);
    return 0;
}

/* How to reach the cluster that scripts/test runs, in POOL; without one the test
 * is skipped. */
__attribute__((unused)) static const char *unit_conninfo(apr_pool_t *pool)
{
    const char *cluster = getenv("VERIFY_TEST_CLUSTER");
    char conninfo[1024] = "";
    FILE *output;

    if (!cluster || setenv("VERIFY_RUN_DIR", cluster, 1) != 0)
        skip();
    output = popen("scripts/postgresql conninfo postgres", "r");
    assert_non_null(output);
    assert_non_null(fgets(conninfo, sizeof(conninfo), output));
    assert_int_equal(pclose(output), 0);
    return apr_pstrdup(pool, conninfo);
}

/* A test whose state is a pool of its own. */
#define pooled_test(function)                                                    \
    cmocka_unit_test_setup_teardown(function, unit_pool_create,                \
                                    unit_pool_destroy)

/* Runs the tests under NAME; the result is main's. */
#define unit_run(name, tests)                                                  \
    (apr_initialize() != APR_SUCCESS                                           \
         ? EXIT_FAILURE                                                        \
         : cmocka_run_group_tests_name(name, tests, NULL, NULL))

#endif
