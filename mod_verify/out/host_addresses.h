/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_HOST_ADDRESSES_H
#define IDV_OUT_HOST_ADDRESSES_H

/*
 * Addresses of one host, for threads that must not wait for a name server.
 *
 * A dedicated thread looks the host up: at the start, and later when somebody
 * asks and the known addresses are IDV_HOST_KNOWN_FOR old or in doubt. Callers
 * get the last known addresses, however old. They wait, until a deadline, only
 * if no addresses were ever known. A hanging lookup blocks only that thread.
 *
 * Threads: all functions are thread-safe. Memory: on the heap, because a
 * hanging lookup outlives the pool, whose cleanup does not wait for it.
 * Failures: only the creation can fail; an unknown host has no addresses.
 */
#include <sys/socket.h>

#include <apr_time.h>

#include "core/error.h"

/* Maximum number of addresses kept per host; others are ignored. */
#define IDV_HOST_MAX_ADDRESSES 8
#define IDV_HOST_KNOWN_FOR apr_time_from_sec(30)
/* Pause between two lookups if the first one failed or is in doubt. */
#define IDV_HOST_PAUSE apr_time_from_sec(1)

typedef struct idv_host_addresses_t idv_host_addresses_t;

typedef struct {
    struct sockaddr_storage address;
    socklen_t length;
} idv_host_address_t;

/* Starts with a lookup of HOST and PORT at NOW. */
idv_error_t *idv_host_addresses_create(const char *host, const char *port,
                                       apr_time_t now,
                                       idv_host_addresses_t **addresses,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Copies the known addresses at NOW to FOUND (room for IDV_HOST_MAX_ADDRESSES)
 * and returns their number. While none are known and a lookup is running, waits
 * for its end or for DEADLINE, by the clock. */
int idv_host_addresses_get(idv_host_addresses_t *addresses, apr_time_t now,
                           apr_time_t deadline, idv_host_address_t *found);

/* Reports that none of the known addresses answered: the next caller triggers a
 * new lookup, but not before IDV_HOST_PAUSE after the start of the last one. */
void idv_host_addresses_doubt(idv_host_addresses_t *addresses);

#endif
