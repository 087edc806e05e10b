/* SPDX-License-Identifier: Apache-2.0 */
#include "out/resolver.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "out/thread_crew.h"

#define STACK_SIZE (256 * 1024)

typedef struct {
    idv_crew_job_t job; /* the first member */
    idv_resolution_t resolution;
    char host[];
} lookup_t;

struct idv_resolver_t {
    idv_thread_crew_t *crew;
    idv_resolved_t *done;
    void *baton;
};

static void read_answers(const struct addrinfo *answer,
                         idv_resolution_t *resolution)
{
    resolution->failed = !answer;
    for (; answer; answer = answer->ai_next) {
        if (resolution->count == IDV_RESOLVER_MAX_ADDRESSES) {
            resolution->failed = 1;
            return;
        }
        memcpy(&resolution->addresses[resolution->count++], answer->ai_addr,
               answer->ai_addrlen);
    }
}

static void look_up(idv_thread_crew_t *crew, idv_crew_job_t *job)
{
    static const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                          .ai_socktype = SOCK_STREAM};
    lookup_t *lookup = (lookup_t *)job;
    struct addrinfo *answers = NULL;
    idv_time_t begun = idv_time_now();

    lookup->resolution.failed = 1;
    if (getaddrinfo(lookup->host, NULL, &hints, &answers) == 0) {
        read_answers(answers, &lookup->resolution);
        freeaddrinfo(answers);
    }
    lookup->resolution.duration = idv_time_now() - begun;
    idv_thread_crew_hand_in(crew, job);
}

static void tell(void *baton, idv_crew_job_t *job)
{
    const idv_resolver_t *resolver = baton;
    const lookup_t *lookup = (const lookup_t *)job;

    resolver->done(resolver->baton, lookup->host, &lookup->resolution);
}

static void free_lookup(idv_crew_job_t *job)
{
    free(job);
}

static const idv_thread_crew_work_t looking_up = {
    .work = look_up,
    .done = tell,
    .discard = free_lookup,
    .stack_size = STACK_SIZE,
};

idv_error_t *idv_resolver_create(int threads, idv_resolved_t *done, void *baton,
                                 idv_resolver_t **out, apr_pool_t *pool)
{
    idv_resolver_t *resolver = apr_pcalloc(pool, sizeof(*resolver));

    resolver->done = done;
    resolver->baton = baton;
    IDV_TRY(idv_thread_crew_create(threads, &looking_up, resolver,
                                   &resolver->crew, pool));
    *out = resolver;
    return NULL;
}

int idv_resolver_descriptor(const idv_resolver_t *resolver)
{
    return idv_thread_crew_descriptor(resolver->crew);
}

void idv_resolver_ask(idv_resolver_t *resolver, const char *host)
{
    lookup_t *lookup = calloc(1, sizeof(*lookup) + strlen(host) + 1);

    if (!lookup)
        abort();
    memcpy(lookup->host, host, strlen(host) + 1);
    idv_thread_crew_do(resolver->crew, &lookup->job);
}

void idv_resolver_collect(idv_resolver_t *resolver)
{
    idv_thread_crew_collect(resolver->crew);
}
