/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_RESOLVER_H
#define IDV_OUT_RESOLVER_H

/*
 * Looks host names up without blocking the caller: a crew of threads
 * (thread_crew.h) calls getaddrinfo(). A name server that hangs holds one
 * thread for each hanging name, so callers should ask once for a name, however
 * many wait for it. Threads and the end of the pool: thread_crew.h.
 */
#include <sys/socket.h>

#include "core/clock.h"
#include "core/error.h"

/* Addresses of one name that are looked at; a name with more is refused. */
#define IDV_RESOLVER_MAX_ADDRESSES 32

typedef struct {
    int failed; /* no answer, or an empty or too long one */
    int count;
    idv_time_t duration; /* of the lookup, without its wait for a thread */
    struct sockaddr_storage addresses[IDV_RESOLVER_MAX_ADDRESSES];
} idv_resolution_t;

typedef struct idv_resolver_t idv_resolver_t;

typedef void idv_resolved_t(void *baton, const char *host,
                            const idv_resolution_t *resolution);

/* Starts THREADS threads; DONE is told of every lookup with BATON. */
idv_error_t *idv_resolver_create(int threads, idv_resolved_t *done, void *baton,
                                 idv_resolver_t **resolver,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Readable when results wait. */
int idv_resolver_descriptor(const idv_resolver_t *resolver);

/* Asks for HOST, a name or an address in any form that the system reads. */
void idv_resolver_ask(idv_resolver_t *resolver, const char *host);

/* Tells the results that wait. */
void idv_resolver_collect(idv_resolver_t *resolver);

#endif
