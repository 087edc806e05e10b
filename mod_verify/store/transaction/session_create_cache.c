/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/session_create_cache.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>
#include <apr_thread_mutex.h>

typedef struct {
    apr_pool_t *pool;  /* the entry's own */
    int users;         /* requests that read the entry, and the table */
    apr_uint64_t used; /* the table's `uses` when the entry was used last */
    idv_session_create_cache_t *cache;
    const char *organization_id;
    const char *application_id; /* NULL: none */
    idv_session_create_facts_t facts;
} entry_t;

/* Workflows are compiled outside of the mutex, so that a large one keeps nobody
 * waiting. */
struct idv_session_create_cache_t {
    /* Guards the table, and of each entry `users`, `used` and
     * `facts.standing`. */
    apr_thread_mutex_t *mutex;
    apr_uint64_t uses; /* how often entries were used so far */
    entry_t *places[IDV_SESSION_CREATE_CACHE_PLACES]
                   [IDV_SESSION_CREATE_CACHE_SHARES];
};

/* Takes a user from ENTRY, under the mutex; without users it is destroyed. */
static void leave(entry_t *entry)
{
    if (--entry->users == 0)
        apr_pool_destroy(entry->pool);
}

static apr_status_t leave_with_pool(void *data)
{
    entry_t *entry = data;
    apr_thread_mutex_t *mutex = entry->cache->mutex;

    apr_thread_mutex_lock(mutex);
    leave(entry);
    apr_thread_mutex_unlock(mutex);
    return APR_SUCCESS;
}

static apr_status_t leave_all(void *data)
{
    idv_session_create_cache_t *cache = data;

    for (int i = 0; i < IDV_SESSION_CREATE_CACHE_PLACES; i++)
        for (int j = 0; j < IDV_SESSION_CREATE_CACHE_SHARES; j++) {
            if (cache->places[i][j])
                leave(cache->places[i][j]);
            cache->places[i][j] = NULL;
        }
    return APR_SUCCESS;
}

idv_error_t *idv_session_create_cache_create(idv_session_create_cache_t **cache,
                                             apr_pool_t *pchild)
{
    idv_session_create_cache_t *self = apr_pcalloc(pchild, sizeof(*self));
    apr_status_t status = apr_thread_mutex_create(
        &self->mutex, APR_THREAD_MUTEX_DEFAULT, pchild);

    if (status != APR_SUCCESS)
        return idv_error_apr(pchild, status, "making a lock");
    apr_pool_cleanup_register(pchild, self, leave_all, apr_pool_cleanup_null);
    *cache = self;
    return NULL;
}

static int equal(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

static int is_about(const entry_t *entry, const idv_scope_t *scope,
                    const char *workflow_id)
{
    return entry && equal(entry->facts.workflow_id, workflow_id)
        && equal(entry->organization_id, scope->organization_id)
        && equal(entry->application_id, scope->application_id);
}

/* The slot of the workflow's entry. Without such an entry, the slot for a new
 * one: a free one, else that of the least recently used entry, which is
 * evicted. */
static entry_t **look_up(idv_session_create_cache_t *cache,
                         const idv_scope_t *scope, const char *workflow_id)
{
    const char *application =
        scope->application_id ? scope->application_id : "";
    apr_ssize_t one = APR_HASH_KEY_STRING, other = APR_HASH_KEY_STRING;
    unsigned hash = apr_hashfunc_default(workflow_id, &one) * 31
                  + apr_hashfunc_default(application, &other);
    entry_t **place = cache->places[hash % IDV_SESSION_CREATE_CACHE_PLACES];
    int oldest = 0;

    for (int i = 0; i < IDV_SESSION_CREATE_CACHE_SHARES; i++) {
        if (is_about(place[i], scope, workflow_id))
            return &place[i];
        if (place[oldest]
            && (!place[i] || place[i]->used < place[oldest]->used))
            oldest = i;
    }
    return &place[oldest];
}

void idv_session_create_cache_find(idv_session_create_cache_t *cache,
                                   const idv_scope_t *scope,
                                   const char *workflow_id,
                                   idv_session_create_facts_t *facts,
                                   apr_pool_t *pool)
{
    entry_t *entry;

    memset(facts, 0, sizeof(*facts));
    if (!cache)
        return;
    apr_thread_mutex_lock(cache->mutex);
    entry = *look_up(cache, scope, workflow_id);
    if (is_about(entry, scope, workflow_id)) {
        entry->users++;
        entry->used = ++cache->uses;
        *facts = entry->facts;
    }
    apr_thread_mutex_unlock(cache->mutex);
    if (facts->workflow)
        apr_pool_cleanup_register(pool, entry, leave_with_pool,
                                  apr_pool_cleanup_null);
}

int idv_session_create_cache_take_count(idv_session_create_cache_t *cache,
                                        const idv_scope_t *scope,
                                        idv_time_t now,
                                        idv_session_create_facts_t *facts)
{
    idv_session_create_facts_t counted = *facts;
    entry_t *entry;
    int known;

    if (!cache || !facts->workflow)
        return 0;
    apr_thread_mutex_lock(cache->mutex);
    entry = *look_up(cache, scope, facts->workflow_id);
    known = is_about(entry, scope, facts->workflow_id);
    if (known) {
        counted.standing.counted_at = entry->facts.standing.counted_at;
        counted.standing.account.under_way =
            entry->facts.standing.account.under_way;
    }
    apr_thread_mutex_unlock(cache->mutex);
    if (!known || !idv_session_create_is_far_from_bound(&counted, 1, now))
        return 0;
    facts->standing = counted.standing;
    return 1;
}

/* An entry in a pool without a parent, so that any thread can destroy it. NULL
 * if memory runs out or FACTS cannot be compiled, which does not fail the
 * creation that has read them. */
static entry_t *make_entry(idv_session_create_cache_t *cache,
                           const idv_scope_t *scope,
                           const idv_session_create_facts_t *facts)
{
    idv_workflow_t *workflow;
    entry_t *entry;
    apr_pool_t *pool;

    if (apr_pool_create_unmanaged_ex(&pool, NULL, NULL) != APR_SUCCESS)
        return NULL;
    apr_pool_tag(pool, "verify_session_create");
    if (idv_workflow_load(facts->compiled, &workflow, pool)) {
        apr_pool_destroy(pool);
        return NULL;
    }
    entry = apr_pcalloc(pool, sizeof(*entry));
    entry->pool = pool;
    entry->users = 1;
    entry->cache = cache;
    entry->organization_id = apr_pstrdup(pool, scope->organization_id);
    entry->application_id = apr_pstrdup(pool, scope->application_id);
    entry->facts.workflow_id = apr_pstrdup(pool, facts->workflow_id);
    entry->facts.workflow_version_id =
        apr_pstrdup(pool, facts->workflow_version_id);
    entry->facts.workflow = workflow;
    entry->facts.standing = facts->standing;
    entry->facts.guessed = 1;
    return entry;
}

/* Updates the organization's state in the workflow's entry; non-zero if the
 * entry is about the version of FACTS, which then need not be compiled. */
static int refresh(idv_session_create_cache_t *cache, const idv_scope_t *scope,
                   const idv_session_create_facts_t *facts)
{
    entry_t *entry;
    int known;

    apr_thread_mutex_lock(cache->mutex);
    entry = *look_up(cache, scope, facts->workflow_id);
    known = is_about(entry, scope, facts->workflow_id)
         && equal(entry->facts.workflow_version_id, facts->workflow_version_id);
    if (known)
        entry->facts.standing = facts->standing;
    apr_thread_mutex_unlock(cache->mutex);
    return known;
}

void idv_session_create_cache_put(idv_session_create_cache_t *cache,
                                  const idv_scope_t *scope,
                                  const idv_session_create_facts_t *facts)
{
    entry_t *entry, **place, *previous;

    if (!cache || !facts->workflow
        || facts->compiled_length > IDV_SESSION_CREATE_CACHE_WORKFLOW_MAX
        || refresh(cache, scope, facts))
        return;
    entry = make_entry(cache, scope, facts);
    if (!entry)
        return;
    apr_thread_mutex_lock(cache->mutex);
    place = look_up(cache, scope, facts->workflow_id);
    entry->used = ++cache->uses;
    previous = *place;
    *place = entry;
    if (previous)
        leave(previous);
    apr_thread_mutex_unlock(cache->mutex);
}
