/* SPDX-License-Identifier: Apache-2.0 */
#include "out/receiver_name.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "out/address_guard.h"
#include "out/resolver.h"

#define RESOLVER_THREADS 8
#define KEPT_GOOD (20 * IDV_SECOND)
#define KEPT_BAD (5 * IDV_SECOND)
#define MAX_NAMES 4096 /* known ones at a time; more are forgotten */

typedef struct {
    apr_pool_t *pool; /* of this name alone */
    int looking_up;
    idv_time_t good_until;
    idv_receiver_name_t known;
    idv_receiver_waiter_t *waiters;
} name_t;

struct idv_receiver_names_t {
    apr_pool_t *pool;
    const apr_array_header_t *allowed;
    idv_resolver_t *resolver;
    apr_hash_t *by_host;
};

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

static void on_resolved(void *baton, const char *host,
                        const idv_resolution_t *resolution)
{
    idv_receiver_names_t *names = baton;
    name_t *name = apr_hash_get(names->by_host, host, APR_HASH_KEY_STRING);

    if (!name)
        return;
    name->looking_up = 0;
    name->known = judge(names, resolution, name->pool);
    name->good_until =
        idv_time_now()
        + (name->known.result == IDV_WEBHOOK_OK ? KEPT_GOOD : KEPT_BAD);
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
    *out = names;
    return idv_resolver_create(RESOLVER_THREADS, on_resolved, names,
                               &names->resolver, pool);
}

int idv_receiver_names_descriptor(const idv_receiver_names_t *names)
{
    return idv_resolver_descriptor(names->resolver);
}

void idv_receiver_names_collect(idv_receiver_names_t *names)
{
    idv_resolver_collect(names->resolver);
}

static void forget_all_idle(idv_receiver_names_t *names)
{
    apr_hash_index_t *index = apr_hash_first(NULL, names->by_host);

    for (; index; index = apr_hash_next(index)) {
        name_t *name = apr_hash_this_val(index);
        const char *host = apr_hash_this_key(index);

        if (name->looking_up)
            continue;
        apr_hash_set(names->by_host, host, APR_HASH_KEY_STRING, NULL);
        apr_pool_destroy(name->pool);
    }
}

static name_t *begin_lookup(idv_receiver_names_t *names, const char *host)
{
    apr_pool_t *pool;
    name_t *name;

    if (apr_hash_count(names->by_host) >= MAX_NAMES)
        forget_all_idle(names);
    apr_pool_create(&pool, names->pool);
    name = apr_pcalloc(pool, sizeof(*name));
    name->pool = pool;
    name->looking_up = 1;
    apr_hash_set(names->by_host, apr_pstrdup(pool, host), APR_HASH_KEY_STRING,
                 name);
    idv_resolver_ask(names->resolver, host);
    return name;
}

const idv_receiver_name_t *idv_receiver_names_find(idv_receiver_names_t *names,
                                                   const char *host,
                                                   idv_time_t now,
                                                   idv_receiver_waiter_t *waiter)
{
    name_t *name = apr_hash_get(names->by_host, host, APR_HASH_KEY_STRING);

    if (name && !name->looking_up) {
        if (now < name->good_until)
            return &name->known;
        apr_hash_set(names->by_host, host, APR_HASH_KEY_STRING, NULL);
        apr_pool_destroy(name->pool);
        name = NULL;
    }
    if (!name)
        name = begin_lookup(names, host);
    wait_for(name, waiter);
    return NULL;
}
