/* SPDX-License-Identifier: Apache-2.0 */
#include "out/resolver.h"

#include <netdb.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define STACK_SIZE (256 * 1024)

typedef struct lookup_t {
    struct lookup_t *next;
    idv_resolution_t resolution;
    char host[];
} lookup_t;

typedef struct {
    lookup_t *first;
    lookup_t **end;
} queue_t;

/* Shared with the threads; the last user frees it. */
typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t asked;
    queue_t waiting, answered;
    int users;
    int closing;
    int descriptor;
} exchange_t;

struct idv_resolver_t {
    exchange_t *exchange;
    idv_resolved_t *done;
    void *baton;
};

static void queue_push(queue_t *queue, lookup_t *lookup)
{
    lookup->next = NULL;
    *queue->end = lookup;
    queue->end = &lookup->next;
}

static lookup_t *queue_take_all(queue_t *queue)
{
    lookup_t *first = queue->first;

    queue->first = NULL;
    queue->end = &queue->first;
    return first;
}

static lookup_t *queue_pop(queue_t *queue)
{
    lookup_t *first = queue->first;

    if (first) {
        queue->first = first->next;
        if (!queue->first)
            queue->end = &queue->first;
    }
    return first;
}

static void free_lookups(lookup_t *lookup)
{
    while (lookup) {
        lookup_t *next = lookup->next;

        free(lookup);
        lookup = next;
    }
}

/* Called with the mutex held; unlocks it. */
static void leave(exchange_t *exchange)
{
    int last = --exchange->users == 0;

    pthread_mutex_unlock(&exchange->mutex);
    if (!last)
        return;
    free_lookups(queue_take_all(&exchange->waiting));
    free_lookups(queue_take_all(&exchange->answered));
    close(exchange->descriptor);
    pthread_cond_destroy(&exchange->asked);
    pthread_mutex_destroy(&exchange->mutex);
    free(exchange);
}

static void look_up(lookup_t *lookup)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM};
    struct addrinfo *answers = NULL;
    idv_resolution_t *resolution = &lookup->resolution;

    resolution->failed = 1;
    if (getaddrinfo(lookup->host, NULL, &hints, &answers) != 0)
        return;
    resolution->failed = !answers;
    for (struct addrinfo *answer = answers; answer; answer = answer->ai_next) {
        if (resolution->count == IDV_RESOLVER_MAX_ADDRESSES) {
            resolution->failed = 1;
            break;
        }
        memcpy(&resolution->addresses[resolution->count++], answer->ai_addr,
               answer->ai_addrlen);
    }
    freeaddrinfo(answers);
}

static void *serve(void *baton)
{
    exchange_t *exchange = baton;
    const uint64_t one = 1;

    pthread_mutex_lock(&exchange->mutex);
    while (!exchange->closing) {
        lookup_t *lookup = queue_pop(&exchange->waiting);

        if (!lookup) {
            pthread_cond_wait(&exchange->asked, &exchange->mutex);
            continue;
        }
        pthread_mutex_unlock(&exchange->mutex);
        look_up(lookup);
        pthread_mutex_lock(&exchange->mutex);
        queue_push(&exchange->answered, lookup);
        if (write(exchange->descriptor, &one, sizeof(one)) < 0)
            continue; /* the counter is full: it is readable already */
    }
    leave(exchange);
    return NULL;
}

static apr_status_t close_resolver(void *baton)
{
    exchange_t *exchange = baton;

    pthread_mutex_lock(&exchange->mutex);
    exchange->closing = 1;
    pthread_cond_broadcast(&exchange->asked);
    leave(exchange);
    return APR_SUCCESS;
}

static idv_error_t *start_thread(exchange_t *exchange, apr_pool_t *pool)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int status;

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    exchange->users++;
    status = pthread_create(&thread, &attributes, serve, exchange);
    pthread_attr_destroy(&attributes);
    if (!status)
        return NULL;
    exchange->users--;
    return idv_error_apr(pool, status, "starting a resolver thread");
}

idv_error_t *idv_resolver_create(int threads, idv_resolved_t *done, void *baton,
                                 idv_resolver_t **resolver, apr_pool_t *pool)
{
    exchange_t *exchange = calloc(1, sizeof(*exchange));
    idv_error_t *error = NULL;

    if (!exchange)
        return idv_error_internal(pool, "out of memory");
    exchange->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (exchange->descriptor < 0) {
        free(exchange);
        return idv_error_apr(pool, errno, "eventfd");
    }
    pthread_mutex_init(&exchange->mutex, NULL);
    pthread_cond_init(&exchange->asked, NULL);
    queue_take_all(&exchange->waiting);
    queue_take_all(&exchange->answered);
    exchange->users = 1;
    apr_pool_cleanup_register(pool, exchange, close_resolver,
                              apr_pool_cleanup_null);
    pthread_mutex_lock(&exchange->mutex);
    for (int i = 0; i < threads && !error; i++)
        error = start_thread(exchange, pool);
    pthread_mutex_unlock(&exchange->mutex);
    IDV_TRY(error);
    *resolver = apr_pcalloc(pool, sizeof(**resolver));
    (*resolver)->exchange = exchange;
    (*resolver)->done = done;
    (*resolver)->baton = baton;
    return NULL;
}

int idv_resolver_descriptor(const idv_resolver_t *resolver)
{
    return resolver->exchange->descriptor;
}

void idv_resolver_ask(idv_resolver_t *resolver, const char *host)
{
    exchange_t *exchange = resolver->exchange;
    lookup_t *lookup = calloc(1, sizeof(*lookup) + strlen(host) + 1);

    if (!lookup)
        abort();
    memcpy(lookup->host, host, strlen(host) + 1);
    pthread_mutex_lock(&exchange->mutex);
    queue_push(&exchange->waiting, lookup);
    pthread_cond_signal(&exchange->asked);
    pthread_mutex_unlock(&exchange->mutex);
}

void idv_resolver_collect(idv_resolver_t *resolver)
{
    exchange_t *exchange = resolver->exchange;
    lookup_t *answered;
    uint64_t count;

    if (read(exchange->descriptor, &count, sizeof(count)) < 0)
        return;
    pthread_mutex_lock(&exchange->mutex);
    answered = queue_take_all(&exchange->answered);
    pthread_mutex_unlock(&exchange->mutex);
    for (lookup_t *lookup = answered; lookup; lookup = lookup->next)
        resolver->done(resolver->baton, lookup->host, &lookup->resolution);
    free_lookups(answered);
}
