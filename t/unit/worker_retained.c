/* SPDX-License-Identifier: Apache-2.0 */
/* What restarts keep, with httpd's two functions played here: their data
 * survives, and each "restart" asks anew with names in memory of its own. */
#include "unit/unit.h"

#include <fcntl.h>
#include <unistd.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "worker/process/retained.h"

void *ap_retained_data_get(const char *key);
void *ap_retained_data_create(const char *key, apr_size_t size);

static apr_hash_t *kept; /* of this test */
static apr_pool_t *process;

void *ap_retained_data_get(const char *key)
{
    return apr_hash_get(kept, key, APR_HASH_KEY_STRING);
}

void *ap_retained_data_create(const char *key, apr_size_t size)
{
    void *data = apr_pcalloc(process, size);

    apr_hash_set(kept, apr_pstrdup(process, key), APR_HASH_KEY_STRING, data);
    return data;
}

static void begin(apr_pool_t *pool)
{
    process = pool;
    kept = apr_hash_make(pool);
}

/* The counters of NAMES (letters), as one generation has them. */
static atomic_llong *counters(const char *letters)
{
    const char *names[16];
    atomic_llong *values;
    apr_pool_t *generation;
    int count = (int)strlen(letters);

    assert_int_equal(apr_pool_create(&generation, NULL), APR_SUCCESS);
    for (int i = 0; i < count; i++)
        names[i] = apr_psprintf(generation, "name %c", letters[i]);
    assert_null(idv_retained_counters("counters", names, count, &values,
                                      generation));
    apr_pool_destroy(generation);
    return values;
}

static void counters_stay_with_the_same_names(void **state)
{
    atomic_llong *first;

    begin(*state);
    first = counters("abc");
    assert_int_equal(first[0], 0);
    first[2] = 7;
    assert_ptr_equal(counters("abc"), first);
    assert_int_equal(first[2], 7);
}

static void counters_move_with_their_names(void **state)
{
    atomic_llong *values;

    begin(*state);
    values = counters("abc");
    for (int i = 0; i < 3; i++)
        values[i] = 10 + i;
    values = counters("xca");
    assert_int_equal(values[0], 0);
    assert_int_equal(values[1], 12);
    assert_int_equal(values[2], 10);
    /* What was gone for a generation begins anew. */
    values = counters("abcx");
    assert_int_equal(values[0], 10);
    assert_int_equal(values[1], 0);
    assert_int_equal(values[2], 12);
    assert_int_equal(values[3], 0);
    /* A list of the same length takes the place of one. */
    values = counters("abxc");
    assert_int_equal(values[0], 10);
    assert_int_equal(values[3], 12);
    /* A part of a name is none. */
    assert_int_equal(*counters("a"), 10);
}

static void *memory(unsigned version, apr_size_t size, apr_pool_t *pool)
{
    void *found;

    assert_null(idv_retained_memory("memory", version, size, &found, pool));
    return found;
}

static void memory_is_of_a_version_and_a_size(void **state)
{
    char *found;

    begin(*state);
    found = memory(1, 100, *state);
    assert_int_equal(*found, 0);
    *found = 1;
    assert_int_equal(*(char *)memory(1, 100, *state), 1);
    assert_int_equal(*(char *)memory(2, 100, *state), 0);
    *(char *)memory(2, 100, *state) = 1;
    assert_int_equal(*(char *)memory(2, 5000, *state), 0);
}

static int opened;

static idv_error_t *open_null(int *descriptor, apr_pool_t *pool)
{
    (void)pool;
    opened++;
    *descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return NULL;
}

static idv_error_t *open_nothing(int *descriptor, apr_pool_t *pool)
{
    (void)descriptor;
    opened++;
    return idv_error_internal(pool, "nothing to open");
}

static void a_descriptor_is_opened_once(void **state)
{
    int first = -1, second = -1;

    begin(*state);
    opened = 0;
    assert_non_null(idv_retained_descriptor("d", open_nothing, &first, *state));
    assert_null(idv_retained_descriptor("d", open_null, &first, *state));
    assert_null(idv_retained_descriptor("d", open_nothing, &second, *state));
    assert_int_equal(opened, 2);
    assert_true(first >= 0);
    assert_int_equal(first, second);
    close(first);
}

static void a_token_stays(void **state)
{
    char first[64];

    begin(*state);
    apr_cpystrn(first, idv_retained_token("t", *state), sizeof(first));
    assert_true(strlen(first) >= 20);
    assert_string_equal(idv_retained_token("t", *state), first);
    assert_string_not_equal(idv_retained_token("u", *state), first);
}

/* Whatever is found under a key: what another version has left is not read. */
static void what_another_version_left_is_not_believed(void **state)
{
    atomic_llong *values;

    begin(*state);
    values = counters("ab");
    *values = 3;
    for (apr_hash_index_t *i = apr_hash_first(*state, kept); i;
         i = apr_hash_next(i)) {
        const char *key = apr_hash_this_key(i);

        /* The other one is the list of names. */
        if (!strchr(key, ':'))
            memset(ap_retained_data_create(key, 16), 0x5a, 16);
    }
    values = counters("ab");
    assert_int_equal(*values, 0);
    *values = 4;
    assert_int_equal(*counters("ab"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(counters_stay_with_the_same_names),
        pooled_test(counters_move_with_their_names),
        pooled_test(memory_is_of_a_version_and_a_size),
        pooled_test(a_descriptor_is_opened_once),
        pooled_test(a_token_stays),
        pooled_test(what_another_version_left_is_not_believed),
    };

    return unit_run("worker/retained", tests);
}
