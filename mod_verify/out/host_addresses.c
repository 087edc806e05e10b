/* SPDX-License-Identifier: Apache-2.0 */
#include "out/host_addresses.h"

#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "out/thread_crew.h"

#define STACK_SIZE (256 * 1024)

/* The known addresses of the host. Shared by the owner and a running lookup;
 * the last of them frees it. */
typedef struct {
    char *host, *port;
    atomic_int users;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t known;  /* a look-up has ended */
    int looking;           /* a look-up is under way */
    apr_time_t begun;      /* the last look-up */
    apr_time_t due;        /* the next look-up */
    int count;
    idv_host_address_t addresses[IDV_HOST_MAX_ADDRESSES];
} shared_t;

struct idv_host_addresses_t {
    shared_t *shared;
    idv_thread_crew_t *crew; /* used under the mutex of `shared` */
};

typedef struct {
    idv_crew_job_t job; /* the first member */
    shared_t *shared;
} lookup_t;

static void leave(shared_t *shared)
{
    if (atomic_fetch_sub(&shared->users, 1) > 1)
        return;
    pthread_cond_destroy(&shared->known);
    pthread_mutex_destroy(&shared->mutex);
    free(shared->host);
    free(shared->port);
    free(shared);
}

/* --- the thread --- */

static int read_answers(const struct addrinfo *answer,
                        idv_host_address_t *addresses)
{
    int count = 0;

    for (; answer && count < IDV_HOST_MAX_ADDRESSES; answer = answer->ai_next) {
        if (answer->ai_addrlen > sizeof(addresses->address))
            continue;
        memcpy(&addresses[count].address, answer->ai_addr, answer->ai_addrlen);
        addresses[count++].length = answer->ai_addrlen;
    }
    return count;
}

/* A look-up has ended. When it brought nothing, the addresses that were known
 * stay. */
static void note(shared_t *shared, const struct addrinfo *answers)
{
    pthread_mutex_lock(&shared->mutex);
    if (answers)
        shared->count = read_answers(answers, shared->addresses);
    shared->due = shared->begun
                + (answers ? IDV_HOST_KNOWN_FOR : IDV_HOST_PAUSE);
    shared->looking = 0;
    pthread_cond_broadcast(&shared->known);
    pthread_mutex_unlock(&shared->mutex);
}

static void look_up(idv_thread_crew_t *crew, idv_crew_job_t *job)
{
    static const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    shared_t *shared = ((lookup_t *)job)->shared;
    struct addrinfo *answers = NULL;

    if (getaddrinfo(shared->host, shared->port, &hints, &answers) != 0)
        answers = NULL;
    note(shared, answers);
    if (answers)
        freeaddrinfo(answers);
    idv_thread_crew_hand_in(crew, job);
}

static void ignore(void *baton, idv_crew_job_t *job)
{
    (void)baton;
    (void)job;
}

static void discard(idv_crew_job_t *job)
{
    leave(((lookup_t *)job)->shared);
    free(job);
}

static const idv_thread_crew_work_t looking_up = {
    .work = look_up,
    .done = ignore,
    .discard = discard,
    .stack_size = STACK_SIZE,
};

/* --- those that ask --- */

/* Begins a look-up when it is time for one. The caller has the mutex. */
static void begin_if_due(const idv_host_addresses_t *addresses, apr_time_t now)
{
    shared_t *shared = addresses->shared;
    lookup_t *lookup;

    if (shared->looking || now < shared->due)
        return;
    lookup = calloc(1, sizeof(*lookup));
    if (!lookup)
        return;
    lookup->shared = shared;
    atomic_fetch_add(&shared->users, 1);
    shared->looking = 1;
    shared->begun = now;
    idv_thread_crew_collect(addresses->crew);
    idv_thread_crew_do(addresses->crew, &lookup->job);
}

int idv_host_addresses_get(idv_host_addresses_t *addresses, apr_time_t now,
                           apr_time_t deadline, idv_host_address_t *found)
{
    shared_t *shared = addresses->shared;
    const struct timespec until = {
        .tv_sec = apr_time_sec(deadline),
        .tv_nsec = (long)apr_time_usec(deadline) * 1000,
    };
    int status = 0, count;

    pthread_mutex_lock(&shared->mutex);
    begin_if_due(addresses, now);
    while (!shared->count && shared->looking && status == 0)
        status = pthread_cond_timedwait(&shared->known, &shared->mutex, &until);
    count = shared->count;
    memcpy(found, shared->addresses, (size_t)count * sizeof(*found));
    pthread_mutex_unlock(&shared->mutex);
    return count;
}

void idv_host_addresses_doubt(idv_host_addresses_t *addresses)
{
    shared_t *shared = addresses->shared;

    pthread_mutex_lock(&shared->mutex);
    if (!shared->looking && shared->due > shared->begun + IDV_HOST_PAUSE)
        shared->due = shared->begun + IDV_HOST_PAUSE;
    pthread_mutex_unlock(&shared->mutex);
}

/* --- life --- */

static apr_status_t close_addresses(void *baton)
{
    leave(baton);
    return APR_SUCCESS;
}

static shared_t *create_shared(const char *host, const char *port)
{
    shared_t *shared = calloc(1, sizeof(*shared));

    if (!shared)
        return NULL;
    shared->host = strdup(host);
    shared->port = strdup(port);
    if (!shared->host || !shared->port) {
        free(shared->host);
        free(shared->port);
        free(shared);
        return NULL;
    }
    pthread_mutex_init(&shared->mutex, NULL);
    pthread_cond_init(&shared->known, NULL);
    atomic_init(&shared->users, 1);
    return shared;
}

idv_error_t *idv_host_addresses_create(const char *host, const char *port,
                                       apr_time_t now,
                                       idv_host_addresses_t **out,
                                       apr_pool_t *pool)
{
    idv_host_addresses_t *addresses = apr_pcalloc(pool, sizeof(*addresses));

    addresses->shared = create_shared(host, port);
    if (!addresses->shared)
        return idv_error_internal(pool, "out of memory");
    apr_pool_cleanup_register(pool, addresses->shared, close_addresses,
                              apr_pool_cleanup_null);
    IDV_TRY(idv_thread_crew_create(1, &looking_up, NULL, &addresses->crew,
                                   pool));
    pthread_mutex_lock(&addresses->shared->mutex);
    begin_if_due(addresses, now);
    pthread_mutex_unlock(&addresses->shared->mutex);
    *out = addresses;
    return NULL;
}
