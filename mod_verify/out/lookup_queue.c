/* SPDX-License-Identifier: Apache-2.0 */
#include "out/lookup_queue.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>

typedef struct owner_t owner_t;

/* One name of one owner: it waits, is looked up, or is spare memory. */
typedef struct lookup_t {
    struct lookup_t *next;
    owner_t *owner;
    char host[IDV_LOOKUP_NAME_SIZE];
} lookup_t;

struct owner_t {
    apr_pool_t *pool; /* of this owner alone */
    const char *id;
    owner_t *next;            /* in the row of those whose turn comes */
    lookup_t *waiting, **end; /* the oldest first */
    int waiting_count, running;
};

struct idv_lookup_queue_t {
    apr_pool_t *pool;
    idv_lookup_wanted_t *wanted;
    void *baton;
    apr_hash_t *owners;          /* by id: those with look-ups */
    owner_t *first_turn, **last; /* owners with names that wait, once each */
    lookup_t *running, *spare;
    int threads, running_count, turns;
};

idv_lookup_queue_t *idv_lookup_queue_create(int threads,
                                            idv_lookup_wanted_t *wanted,
                                            void *baton, apr_pool_t *pool)
{
    idv_lookup_queue_t *queue = apr_pcalloc(pool, sizeof(*queue));

    apr_pool_create(&queue->pool, pool);
    queue->wanted = wanted;
    queue->baton = baton;
    queue->owners = apr_hash_make(queue->pool);
    queue->last = &queue->first_turn;
    queue->threads = threads;
    return queue;
}

/* --- owners --- */

static owner_t *find_owner(idv_lookup_queue_t *queue, const char *id)
{
    owner_t *owner = apr_hash_get(queue->owners, id, APR_HASH_KEY_STRING);
    apr_pool_t *pool;

    if (owner)
        return owner;
    apr_pool_create(&pool, queue->pool);
    owner = apr_pcalloc(pool, sizeof(*owner));
    owner->pool = pool;
    owner->id = apr_pstrdup(pool, id);
    owner->end = &owner->waiting;
    apr_hash_set(queue->owners, owner->id, APR_HASH_KEY_STRING, owner);
    return owner;
}

static void forget_if_idle(idv_lookup_queue_t *queue, owner_t *owner)
{
    if (owner->waiting || owner->running)
        return;
    apr_hash_set(queue->owners, owner->id, APR_HASH_KEY_STRING, NULL);
    apr_pool_destroy(owner->pool);
}

static void take_place(idv_lookup_queue_t *queue, owner_t *owner)
{
    owner->next = NULL;
    *queue->last = owner;
    queue->last = &owner->next;
    queue->turns++;
}

static owner_t *next_owner(idv_lookup_queue_t *queue)
{
    owner_t *owner = queue->first_turn;

    queue->first_turn = owner->next;
    if (!queue->first_turn)
        queue->last = &queue->first_turn;
    queue->turns--;
    return owner;
}

/* --- names --- */

static void make_spare(idv_lookup_queue_t *queue, lookup_t *lookup)
{
    lookup->next = queue->spare;
    queue->spare = lookup;
}

static lookup_t *take_spare(idv_lookup_queue_t *queue)
{
    lookup_t *lookup = queue->spare;

    if (!lookup)
        return apr_palloc(queue->pool, sizeof(*lookup));
    queue->spare = lookup->next;
    return lookup;
}

static int is_waiting(const owner_t *owner, const char *host)
{
    for (const lookup_t *one = owner->waiting; one; one = one->next)
        if (strcmp(one->host, host) == 0)
            return 1;
    return 0;
}

static void drop_unwanted(idv_lookup_queue_t *queue, owner_t *owner)
{
    lookup_t **link = &owner->waiting, *lookup;

    while ((lookup = *link)) {
        if (queue->wanted(queue->baton, lookup->host)) {
            link = &lookup->next;
            continue;
        }
        *link = lookup->next;
        owner->waiting_count--;
        make_spare(queue, lookup);
    }
    owner->end = link;
}

int idv_lookup_queue_add(idv_lookup_queue_t *queue, const char *owner_id,
                         const char *host)
{
    owner_t *owner;
    lookup_t *lookup;
    int had_turn;

    if (strlen(host) >= IDV_LOOKUP_NAME_SIZE)
        return 0;
    owner = find_owner(queue, owner_id);
    if (is_waiting(owner, host))
        return 1;
    had_turn = owner->waiting != NULL;
    if (owner->waiting_count >= IDV_LOOKUPS_WAITING)
        drop_unwanted(queue, owner);
    if (owner->waiting_count >= IDV_LOOKUPS_WAITING)
        return 0;
    lookup = take_spare(queue);
    lookup->next = NULL;
    lookup->owner = owner;
    apr_cpystrn(lookup->host, host, sizeof(lookup->host));
    *owner->end = lookup;
    owner->end = &lookup->next;
    owner->waiting_count++;
    if (!had_turn)
        take_place(queue, owner);
    return 1;
}

/* Takes the oldest name of OWNER that is still wanted; NULL: none is. */
static lookup_t *take_wanted(idv_lookup_queue_t *queue, owner_t *owner)
{
    lookup_t *lookup;

    while ((lookup = owner->waiting)) {
        owner->waiting = lookup->next;
        if (!owner->waiting)
            owner->end = &owner->waiting;
        owner->waiting_count--;
        if (queue->wanted(queue->baton, lookup->host))
            return lookup;
        make_spare(queue, lookup);
    }
    return NULL;
}

/* --- turns --- */

static int may_begin(const idv_lookup_queue_t *queue, const owner_t *owner)
{
    return owner->running == 0
        || (owner->running == 1
            && queue->running_count < (queue->threads + 1) / 2);
}

static const char *begin_one(idv_lookup_queue_t *queue, owner_t *owner)
{
    lookup_t *lookup = take_wanted(queue, owner);

    if (owner->waiting)
        take_place(queue, owner);
    if (!lookup) {
        forget_if_idle(queue, owner);
        return NULL;
    }
    owner->running++;
    queue->running_count++;
    lookup->next = queue->running;
    queue->running = lookup;
    return lookup->host;
}

const char *idv_lookup_queue_begin(idv_lookup_queue_t *queue)
{
    const char *host = NULL;

    if (queue->running_count >= queue->threads)
        return NULL;
    for (int left = queue->turns; left > 0 && !host; left--) {
        owner_t *owner = next_owner(queue);

        if (may_begin(queue, owner))
            host = begin_one(queue, owner);
        else
            take_place(queue, owner);
    }
    return host;
}

void idv_lookup_queue_end(idv_lookup_queue_t *queue, const char *host)
{
    lookup_t **link = &queue->running, *lookup;

    while ((lookup = *link) && strcmp(lookup->host, host) != 0)
        link = &lookup->next;
    if (!lookup)
        return;
    *link = lookup->next;
    queue->running_count--;
    lookup->owner->running--;
    forget_if_idle(queue, lookup->owner);
    make_spare(queue, lookup);
}
