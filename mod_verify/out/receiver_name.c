/* SPDX-License-Identifier: Apache-2.0 */
#include "out/receiver_name.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "out/address_guard.h"
#include "out/lookup_queue.h"
#include "out/resolver.h"

#define KEPT_GOOD (20 * IDV_SECOND)
#define KEPT_BAD (5 * IDV_SECOND)
#define KEPT_BAD_MAX (2 * IDV_MINUTE)
#define MAX_NAMES 4096 /* known ones at a time; more are forgotten */

/* Name servers that answer now and hang then would have to answer that long
 * for each time. */
#define PROVEN_AFTER (10 * IDV_MINUTE)

/* Who looks a name up. */
enum { ANY_NAME, PROVEN_NAME };

static const int threads[IDV_RECEIVER_NAMES_DESCRIPTORS] = {
    [ANY_NAME] = 16,
    [PROVEN_NAME] = 8,
};

typedef enum {
    KNOWN,
    WAITING,   /* for its turn, as long as somebody waits for it */
    LOOKED_UP, /* by a thread, at this moment */
} state_t;

typedef struct {
    apr_pool_t *pool; /* of this name alone */
    state_t state;
    int who;               /* looks it up */
    idv_time_t good_since; /* without a failure between; 0: it failed */
    idv_time_t good_until;
    idv_receiver_name_t known;
    idv_receiver_waiter_t *waiters;
} name_t;

struct idv_receiver_names_t {
    apr_pool_t *pool;
    const apr_array_header_t *allowed;
    idv_resolver_t *resolvers[IDV_RECEIVER_NAMES_DESCRIPTORS];
    idv_lookup_queue_t *queues[IDV_RECEIVER_NAMES_DESCRIPTORS];
    apr_hash_t *by_host;
};

/* Of an owner for whom too many names wait already. */
static const idv_receiver_name_t not_found = {IDV_WEBHOOK_DNS_ERROR, NULL};

static const char *format_address(const struct sockaddr *address,
                                  apr_pool_t *pool)
{
    char text[INET6_ADDRSTRLEN];

    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *ipv6 = (const void *)address;

        inet_ntop(AF_INET6, &ipv6->sin6_addr, text, sizeof(text));
        return apr_pstrcat(pool, "[", text, "]", NULL);
    }
    inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)
                            ->sin_addr,
              text, sizeof(text));
    return apr_pstrdup(pool, text);
}

static idv_receiver_name_t judge(const idv_receiver_names_t *names,
                                 const idv_resolution_t *resolution,
                                 apr_pool_t *pool)
{
    idv_receiver_name_t known = {IDV_WEBHOOK_DNS_ERROR, NULL};

    if (resolution->failed)
        return known;
    known.result = IDV_WEBHOOK_OK;
    for (int i = 0; i < resolution->count; i++) {
        const struct sockaddr *address =
            (const struct sockaddr *)&resolution->addresses[i];

        if (idv_address_refusal(address, names->allowed)) {
            known.result = IDV_WEBHOOK_ADDRESS_FORBIDDEN;
            known.addresses = NULL;
            return known;
        }
        known.addresses =
            known.addresses
                ? apr_pstrcat(pool, known.addresses, ",",
                              format_address(address, pool), NULL)
                : format_address(address, pool);
    }
    return known;
}

void idv_receiver_waiter_forget(idv_receiver_waiter_t *waiter)
{
    if (!waiter->link)
        return;
    *waiter->link = waiter->next;
    if (waiter->next)
        waiter->next->link = waiter->link;
    waiter->link = NULL;
}

static void wait_for(name_t *name, idv_receiver_waiter_t *waiter)
{
    waiter->next = name->waiters;
    waiter->link = &name->waiters;
    if (waiter->next)
        waiter->next->link = &waiter->next;
    name->waiters = waiter;
}

/* Asking again for what fails at once costs little. */
static idv_time_t kept_bad(const idv_resolution_t *resolution)
{
    idv_time_t kept = 6 * resolution->duration;

    return kept < KEPT_BAD       ? KEPT_BAD
           : kept > KEPT_BAD_MAX ? KEPT_BAD_MAX
                                 : kept;
}

static void note(name_t *name, const idv_resolution_t *resolution,
                 idv_time_t now)
{
    if (name->known.result != IDV_WEBHOOK_OK) {
        name->good_since = 0;
        name->good_until = now + kept_bad(resolution);
        return;
    }
    if (!name->good_since)
        name->good_since = now;
    name->good_until = now + KEPT_GOOD;
}

static name_t *find_name(const idv_receiver_names_t *names, const char *host)
{
    return apr_hash_get(names->by_host, host, APR_HASH_KEY_STRING);
}

static int is_wanted(void *baton, const char *host)
{
    const name_t *name = find_name(baton, host);

    return name && name->state == WAITING && name->waiters;
}

/* As many as may begin. */
static void begin_lookups(const idv_receiver_names_t *names, int who)
{
    const char *host;

    while ((host = idv_lookup_queue_begin(names->queues[who]))) {
        find_name(names, host)->state = LOOKED_UP;
        idv_resolver_ask(names->resolvers[who], host);
    }
}

static void on_resolved(void *baton, const char *host,
                        const idv_resolution_t *resolution)
{
    idv_receiver_names_t *names = baton;
    name_t *name = find_name(names, host);

    idv_lookup_queue_end(names->queues[name->who], host);
    name->state = KNOWN;
    name->known = judge(names, resolution, name->pool);
    note(name, resolution, idv_time_now());
    while (name->waiters) {
        idv_receiver_waiter_t *waiter = name->waiters;

        idv_receiver_waiter_forget(waiter);
        waiter->known(waiter->baton, &name->known);
    }
}

idv_error_t *idv_receiver_names_create(const apr_array_header_t *allowed,
                                       idv_receiver_names_t **out,
                                       apr_pool_t *pool)
{
    idv_receiver_names_t *names = apr_pcalloc(pool, sizeof(*names));

    names->pool = pool;
    names->allowed = allowed;
    names->by_host = apr_hash_make(pool);
    for (int i = 0; i < IDV_RECEIVER_NAMES_DESCRIPTORS; i++) {
        names->queues[i] =
            idv_lookup_queue_create(threads[i], is_wanted, names, pool);
        IDV_TRY(idv_resolver_create(threads[i], on_resolved, names,
                                    &names->resolvers[i], pool));
    }
    *out = names;
    return NULL;
}

int idv_receiver_names_descriptor(const idv_receiver_names_t *names, int index)
{
    return idv_resolver_descriptor(names->resolvers[index]);
}

int idv_receiver_names_collect(idv_receiver_names_t *names, int fd)
{
    for (int i = 0; i < IDV_RECEIVER_NAMES_DESCRIPTORS; i++)
        if (fd == idv_resolver_descriptor(names->resolvers[i])) {
            idv_resolver_collect(names->resolvers[i]);
            begin_lookups(names, i);
            return 1;
        }
    return 0;
}

static int is_proven(const name_t *name, idv_time_t now)
{
    return name->good_since && now - name->good_since >= PROVEN_AFTER;
}

/* Names that nobody waits for; of the PROVEN ones, too. */
static void forget_idle(idv_receiver_names_t *names, idv_time_t now, int proven)
{
    apr_hash_index_t *index = apr_hash_first(NULL, names->by_host);

    for (; index; index = apr_hash_next(index)) {
        name_t *name = apr_hash_this_val(index);
        const char *host = apr_hash_this_key(index);

        if (name->state == LOOKED_UP || name->waiters
            || (!proven && is_proven(name, now)))
            continue;
        apr_hash_set(names->by_host, host, APR_HASH_KEY_STRING, NULL);
        apr_pool_destroy(name->pool);
    }
}

static void make_room(idv_receiver_names_t *names, idv_time_t now)
{
    for (int proven = 0; proven <= 1; proven++)
        if (apr_hash_count(names->by_host) >= MAX_NAMES)
            forget_idle(names, now, proven);
}

static int is_address(const char *host)
{
    struct in6_addr address;

    return inet_pton(AF_INET, host, &address) == 1
        || inet_pton(AF_INET6, host, &address) == 1;
}

/* GOOD_SINCE: what was known of it before. */
static name_t *add_name(idv_receiver_names_t *names, const char *host,
                        idv_time_t good_since, idv_time_t now)
{
    apr_pool_t *pool;
    name_t *name;

    make_room(names, now);
    apr_pool_create(&pool, names->pool);
    name = apr_pcalloc(pool, sizeof(*name));
    name->pool = pool;
    name->state = WAITING;
    name->good_since = good_since;
    name->who = is_proven(name, now) || is_address(host) ? PROVEN_NAME
                                                         : ANY_NAME;
    apr_hash_set(names->by_host, apr_pstrdup(pool, host), APR_HASH_KEY_STRING,
                 name);
    return name;
}

const idv_receiver_name_t *
idv_receiver_names_find(idv_receiver_names_t *names,
                        const idv_receiver_question_t *question,
                        idv_receiver_waiter_t *waiter)
{
    name_t *name = find_name(names, question->host);
    idv_time_t good_since = 0;

    if (name && name->state == KNOWN) {
        if (question->now < name->good_until)
            return &name->known;
        good_since = name->good_since;
        apr_hash_set(names->by_host, question->host, APR_HASH_KEY_STRING, NULL);
        apr_pool_destroy(name->pool);
        name = NULL;
    }
    if (!name)
        name = add_name(names, question->host, good_since, question->now);
    if (name->state == WAITING
        && !idv_lookup_queue_add(names->queues[name->who], question->owner,
                                 question->host))
        return &not_found;
    wait_for(name, waiter);
    begin_lookups(names, name->who);
    return NULL;
}
