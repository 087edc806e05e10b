/* SPDX-License-Identifier: Apache-2.0 */
/* What is remembered of API keys, by one thread and by many. */
#include "unit/unit.h"

#include <pthread.h>
#include <stdio.h>

#include "httpd/process/key_cache.h"

#define THREADS 4
#define ROUNDS 20000
#define KEYS 40 /* of which those that share a place replace each other */

static void make_digest(unsigned char *digest, int number)
{
    memset(digest, 0, IDV_DIGEST_SIZE);
    digest[0] = (unsigned char)(number % 7); /* the place */
    digest[2] = (unsigned char)number;
}

/* Which number KEY was made of, told by all of its texts alike. */
static int number_of(const idv_api_key_t *key)
{
    int of_id, of_organization, of_application;

    assert_int_equal(sscanf(key->id, "key_%d", &of_id), 1);
    assert_int_equal(sscanf(key->organization_id, "org_%d", &of_organization),
                     1);
    assert_int_equal(of_id, of_organization);
    if (of_id % 2) {
        assert_null(key->application_id);
    } else {
        assert_int_equal(
            sscanf(key->application_id, "app_%d", &of_application), 1);
        assert_int_equal(of_id, of_application);
    }
    return of_id;
}

static void put(idv_key_cache_t *cache, int number)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    char id[16], organization[16], application[16];
    idv_api_key_t key = {0};

    snprintf(id, sizeof(id), "key_%d", number);
    snprintf(organization, sizeof(organization), "org_%d", number);
    snprintf(application, sizeof(application), "app_%d", number);
    key.id = id;
    key.organization_id = organization;
    key.application_id = number % 2 ? NULL : application;
    make_digest(digest, number);
    idv_key_cache_put(cache, digest, &key);
}

/* What is known of NUMBER, if anything, is of it. */
static int find(idv_key_cache_t *cache, int number, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const idv_api_key_t *key;

    make_digest(digest, number);
    key = idv_key_cache_find(cache, digest, pool);
    if (key)
        assert_int_equal(number_of(key), number);
    return key != NULL;
}

static void keeps_the_later_of_a_place(void **state)
{
    idv_key_cache_t *cache;

    assert_null(idv_key_cache_create(&cache, *state));
    assert_false(find(cache, 1, *state));
    put(cache, 1);
    put(cache, 2);
    assert_true(find(cache, 1, *state));
    assert_true(find(cache, 2, *state));
    put(cache, 8);
    assert_false(find(cache, 1, *state));
    assert_true(find(cache, 8, *state));
    assert_null(idv_key_cache_find(NULL, (const unsigned char *)"", *state));
}

static void *use(void *baton)
{
    apr_pool_t *pool;
    unsigned step = 1;

    apr_pool_create(&pool, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        step = step * 1103515245 + 12345;
        if (step >> 16 & 1)
            put(baton, (int)(step >> 17) % KEYS);
        else
            find(baton, (int)(step >> 17) % KEYS, pool);
        apr_pool_clear(pool);
    }
    apr_pool_destroy(pool);
    return NULL;
}

static void serves_threads(void **state)
{
    pthread_t threads[THREADS];
    idv_key_cache_t *cache;

    assert_null(idv_key_cache_create(&cache, *state));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use, cache), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    put(cache, 5);
    assert_true(find(cache, 5, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(keeps_the_later_of_a_place),
        pooled_test(serves_threads),
    };

    return unit_run("httpd_key_cache", tests);
}
