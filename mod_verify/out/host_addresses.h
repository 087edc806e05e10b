/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_HOST_ADDRESSES_H
#define IDV_OUT_HOST_ADDRESSES_H

/*
 * The addresses of one host, for threads that must not wait for a name server.
 *
 * A thread of its own looks the host up: when it begins, and later when
 * somebody asks and what is known is IDV_HOST_KNOWN_FOR old, or in doubt.
 * Whoever asks gets the addresses that were known last, however old, and waits
 * only while none were ever known, until a deadline. A look-up that hangs
 * occupies that one thread.
 *
 * Threads: all functions may be called by any. Memory: on the heap, because a
 * look-up that hangs outlives the pool, whose end waits for none. Failures:
 * only the beginning can fail; a host that is not known has no addresses.
 */
#include <sys/socket.h>

#include <apr_time.h>

#include "core/error.h"

/* Addresses of the host that are kept; more are passed over. */
#define IDV_HOST_MAX_ADDRESSES 8
#define IDV_HOST_KNOWN_FOR apr_time_from_sec(30)
/* Between two look-ups when the first one failed or is doubted. */
#define IDV_HOST_PAUSE apr_time_from_sec(1)

typedef struct idv_host_addresses_t idv_host_addresses_t;

typedef struct {
    struct sockaddr_storage address;
    socklen_t length;
} idv_host_address_t;

/* Begins with a look-up of HOST and PORT at NOW. */
idv_error_t *idv_host_addresses_create(const char *host, const char *port,
                                       apr_time_t now,
                                       idv_host_addresses_t **addresses,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Copies what is known at NOW to FOUND, which has room for
 * IDV_HOST_MAX_ADDRESSES, and returns how many those are; while nothing is
 * known and a look-up is under way, not before it ended or it is DEADLINE, by
 * the clock. */
int idv_host_addresses_get(idv_host_addresses_t *addresses, apr_time_t now,
                           apr_time_t deadline, idv_host_address_t *found);

/* Says that none of the known addresses has answered: whoever asks next has the
 * host looked up anew, but IDV_HOST_PAUSE after the last look-up began at the
 * earliest. */
void idv_host_addresses_doubt(idv_host_addresses_t *addresses);

#endif
