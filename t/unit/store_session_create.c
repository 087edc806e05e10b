/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is remembered of the facts of a creation, for whom, and for how long.
 */
#include "unit/unit.h"

#include <apr_strings.h>
#include <apr_thread_proc.h>

#include "domain/workflow/workflow_compile.h"
#include "store/transaction/session_create.h"
#include "store/transaction/session_create_cache.h"

static const char definition[] =
    "{\"name\":\"Age\",\"start\":\"id\",\"nodes\":{\"id\":{\"type\":\"methods\","
    "\"methods\":[\"document_capture\"],\"next\":{\"passed\":\"yes\","
    "\"exhausted\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

static const idv_scope_t organization = {"org_1", NULL};

static idv_session_create_cache_t *new_cache(apr_pool_t *pool)
{
    idv_session_create_cache_t *cache;

    assert_null(idv_session_create_cache_create(&cache, pool));
    return cache;
}

/* Facts as they are read, about a version of a workflow. */
static idv_session_create_facts_t read_facts(const char *workflow_id,
                                             const char *version_id,
                                             apr_pool_t *pool)
{
    idv_session_create_facts_t facts = {.workflow_id = workflow_id,
                                        .workflow_version_id = version_id,
                                        .standing = {.has_webhook_endpoint = 1,
                                                     .account = {
                                                         .credit_balance = 7}}};
    json_t *json = idv_json_own(json_loads(definition, 0, NULL), pool);
    idv_workflow_t *workflow;
    apr_array_header_t *faults;

    idv_workflow_compile(json, &workflow, &faults, pool);
    assert_non_null(workflow);
    facts.workflow = workflow;
    facts.compiled = idv_json_own(idv_workflow_json(workflow), pool);
    facts.compiled_length = sizeof(definition);
    return facts;
}

static const char *version_of(idv_session_create_cache_t *cache,
                              const idv_scope_t *scope,
                              const char *workflow_id, apr_pool_t *pool)
{
    idv_session_create_facts_t facts;

    idv_session_create_cache_find(cache, scope, workflow_id, &facts, pool);
    if (!facts.workflow)
        return NULL;
    assert_true(facts.guessed);
    assert_null(facts.compiled);
    assert_string_equal(facts.workflow_id, workflow_id);
    assert_string_equal(facts.workflow->name, "Age");
    return facts.workflow_version_id;
}

static void remembers_for_a_scope(void **state)
{
    apr_pool_t *pool = *state;
    idv_session_create_cache_t *cache = new_cache(pool);
    const idv_scope_t application = {"org_1", "app_1"};
    const idv_scope_t stranger = {"org_2", NULL};
    idv_session_create_facts_t facts = read_facts("wf_1", "wfv_1", pool);
    idv_session_create_facts_t found;

    assert_null(version_of(NULL, &organization, "wf_1", pool));
    assert_null(version_of(cache, &organization, "wf_1", pool));
    idv_session_create_cache_put(cache, &organization, &facts);
    assert_string_equal(version_of(cache, &organization, "wf_1", pool),
                        "wfv_1");
    assert_null(version_of(cache, &organization, "wf_2", pool));
    assert_null(version_of(cache, &stranger, "wf_1", pool));
    assert_null(version_of(cache, &application, "wf_1", pool));

    facts.standing.account.credit_balance = 5;
    idv_session_create_cache_put(cache, &application, &facts);
    idv_session_create_cache_find(cache, &application, "wf_1", &found, pool);
    assert_int_equal(found.standing.account.credit_balance, 5);
    assert_true(found.standing.has_webhook_endpoint);
    idv_session_create_cache_find(cache, &organization, "wf_1", &found, pool);
    assert_int_equal(found.standing.account.credit_balance, 7);
    idv_session_create_cache_put(cache, &organization, &facts);
    idv_session_create_cache_find(cache, &organization, "wf_1", &found, pool);
    assert_int_equal(found.standing.account.credit_balance, 5);
}

static void does_not_keep_everything(void **state)
{
    apr_pool_t *pool = *state;
    idv_session_create_cache_t *cache = new_cache(pool);
    idv_session_create_facts_t none = {.workflow_id = "wf_2"};
    idv_session_create_facts_t large = read_facts("wf_3", "wfv_1", pool);

    idv_session_create_cache_put(cache, &organization, &none);
    assert_null(version_of(cache, &organization, "wf_2", pool));
    large.compiled_length = IDV_SESSION_CREATE_CACHE_WORKFLOW_MAX + 1;
    idv_session_create_cache_put(cache, &organization, &large);
    assert_null(version_of(cache, &organization, "wf_3", pool));
}

/* Whoever has found an entry keeps it until his pool is cleared. */
static void keeps_what_is_in_use(void **state)
{
    apr_pool_t *pool = *state, *user;
    idv_session_create_cache_t *cache = new_cache(pool);
    idv_session_create_facts_t first = read_facts("wf_1", "wfv_1", pool);
    idv_session_create_facts_t second = read_facts("wf_1", "wfv_2", pool);
    const char *version;

    idv_session_create_cache_put(cache, &organization, &first);
    assert_int_equal(apr_pool_create(&user, pool), APR_SUCCESS);
    version = version_of(cache, &organization, "wf_1", user);
    idv_session_create_cache_put(cache, &organization, &second);
    assert_string_equal(version, "wfv_1");
    assert_string_equal(version_of(cache, &organization, "wf_1", user),
                        "wfv_2");
    apr_pool_destroy(user);
    assert_string_equal(version_of(cache, &organization, "wf_1", pool),
                        "wfv_2");
}

static void keeps_what_is_used(void **state)
{
    apr_pool_t *pool = *state;
    idv_session_create_cache_t *cache = new_cache(pool);
    idv_session_create_facts_t facts = read_facts("wf_hot", "wfv_1", pool);
    const int many = 4 * IDV_SESSION_CREATE_CACHE_PLACES
                   * IDV_SESSION_CREATE_CACHE_SHARES;
    int known = 0;

    idv_session_create_cache_put(cache, &organization, &facts);
    for (int i = 0; i < many; i++) {
        facts.workflow_id = apr_psprintf(pool, "wf_%d", i);
        idv_session_create_cache_put(cache, &organization, &facts);
        assert_non_null(
            version_of(cache, &organization, facts.workflow_id, pool));
        assert_non_null(version_of(cache, &organization, "wf_hot", pool));
    }
    for (int i = 0; i < many; i++)
        known += version_of(cache, &organization,
                            apr_psprintf(pool, "wf_%d", i), pool)
              != NULL;
    assert_in_range(known, many / 8, many / 4 - 1);
}

/* --- threads --- */

#define THREADS 4
#define ROUNDS 2000

typedef struct {
    idv_session_create_cache_t *cache;
    idv_session_create_facts_t versions[2];
    int wrong;
} user_t;

/* Finds one of two versions, and replaces it by the other now and then. */
static void *APR_THREAD_FUNC use(apr_thread_t *thread, void *data)
{
    user_t *self = data;
    apr_pool_t *pool;

    (void)thread;
    if (apr_pool_create_unmanaged_ex(&pool, NULL, NULL) != APR_SUCCESS)
        abort();
    for (int i = 0; i < ROUNDS; i++) {
        idv_session_create_facts_t found;

        if (i % 8 == 0)
            idv_session_create_cache_put(self->cache, &organization,
                                         &self->versions[i / 8 % 2]);
        idv_session_create_cache_find(self->cache, &organization, "wf_1",
                                      &found, pool);
        self->wrong += !found.workflow || strcmp(found.workflow->name, "Age")
                    || strncmp(found.workflow_version_id, "wfv_", 4);
        apr_pool_clear(pool);
    }
    apr_pool_destroy(pool);
    return NULL;
}

static void serves_threads(void **state)
{
    apr_pool_t *pool = *state;
    idv_session_create_cache_t *cache = new_cache(pool);
    apr_thread_t *threads[THREADS];
    user_t users[THREADS];
    apr_status_t status;

    for (int i = 0; i < THREADS; i++) {
        users[i] = (user_t){
            .cache = cache,
            .versions = {read_facts("wf_1", "wfv_1", pool),
                         read_facts("wf_1", "wfv_2", pool)}};
        assert_int_equal(
            apr_thread_create(&threads[i], NULL, use, &users[i], pool),
            APR_SUCCESS);
    }
    for (int i = 0; i < THREADS; i++) {
        apr_thread_join(&status, threads[i]);
        assert_int_equal(users[i].wrong, 0);
    }
}

/* Facts are taken for granted while no creations since could have reached the
 * bound, and never for long. */
static void is_far_from_the_bound_for_a_while(void **state)
{
    static const struct {
        apr_int64_t balance, under_way;
        idv_time_t age, count_age;
        int livemode, is_far;
    } cases[] = {
        {0, 99, 0, 0, 0, 1},
        {1, 0, 0, 0, 1, 0},
        {1023, 0, 0, 0, 1, 0},
        {1024, 0, 0, 0, 1, 1},
        {1024, 1, 0, 0, 1, 0},
        {1024, 0, 1, 1, 1, 0},
        {1034, 0, 1, 1, 1, 1},
        {2024, 0, 100, 100, 1, 1},
        {2024, 0, 101, 101, 1, 0},
        {2024, 0, -1, -1, 1, 0},
        {1000000, 0, 10000, 10000, 1, 1},
        {1000000, 0, 10001, 10001, 1, 0},
        {1000000, 0, 10001, 10001, 0, 1},
        {1000000, 999000, 1, 1, 1, 0},
        /* Counted before the rest was read. */
        {2024, 0, 1, 100, 1, 1},
        {2024, 0, 1, 101, 1, 0},
        {1000000, 0, 1, 60000, 1, 1},
        {1000000, 0, 1, 60001, 1, 0},
        {1000000, 0, 10001, 60000, 1, 0},
    };
    const idv_time_t now = 100 * IDV_SECOND;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_session_create_facts_t facts = {
            .standing = {.account = {.credit_balance = cases[i].balance,
                                     .under_way = cases[i].under_way},
                         .read_at = now - cases[i].age,
                         .counted_at = now - cases[i].count_age}};

        assert_int_equal(idv_session_create_is_far_from_bound(
                             &facts, cases[i].livemode, now),
                         cases[i].is_far);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(remembers_for_a_scope),
        pooled_test(does_not_keep_everything),
        pooled_test(keeps_what_is_in_use),
        pooled_test(keeps_what_is_used),
        pooled_test(serves_threads),
        pooled_test(is_far_from_the_bound_for_a_while),
    };

    return unit_run("store/session_create", tests);
}
