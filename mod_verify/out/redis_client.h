/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_REDIS_CLIENT_H
#define IDV_OUT_REDIS_CLIENT_H

/*
 * Connections to a Redis server: one command at a time, each with one time
 * limit for all of it: connecting, TLS, AUTH, sending, receiving.
 *
 * libhiredis encodes and decodes the protocol. Sockets and TLS are handled
 * here: the library in Debian 12 (0.14) has no TLS and no hook for it
 * (redisContextFuncs came with 1.0), resolves host names on the calling thread,
 * and applies its time limits to each system call separately. Host names are
 * resolved in the background (host_addresses.h): a command waits for a name
 * server only while nothing is known about the host, and never beyond its
 * limit.
 *
 * Failures: `service_unavailable`, whose detail contains no secret; afterwards
 * the connection can only be closed. Memory: an address lives in its pool; a
 * connection is on the heap. Threads: an address can be shared by all, a
 * connection used by one at a time.
 */
#include <hiredis/hiredis.h>

#include "core/clock.h"
#include "core/error.h"

typedef struct idv_redis_address_t idv_redis_address_t;
typedef struct idv_redis_connection_t idv_redis_connection_t;

/* Configuration of an address. */
typedef struct {
    const char *url;      /* redis://[USER@]HOST[:PORT][/DATABASE], the same
                           * with rediss:// for TLS, or unix:/PATH */
    const char *password; /* NULL: no AUTH */
    const char *ca_file;  /* PEM, for TLS; NULL: the system's authorities */
} idv_redis_target_t;

/* What is wrong with URL, or NULL. A URL with a password is refused, because it
 * would appear in configurations and logs. */
const char *idv_redis_url_fault(const char *url, apr_pool_t *pool);

/* Prepares TARGET with a well-formed url. Internal error if ca_file is
 * unusable. */
idv_error_t *idv_redis_address_make(const idv_redis_target_t *target,
                                    idv_redis_address_t **address,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Starts resolving the host of ADDRESS, in the process that will connect, until
 * POOL ends. Must be called before idv_redis_connect(). */
idv_error_t *idv_redis_address_start(idv_redis_address_t *address,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Connects before DEADLINE: TLS, authentication, selection of the database. */
idv_error_t *idv_redis_connect(const idv_redis_address_t *address,
                               apr_time_t deadline,
                               idv_redis_connection_t **connection,
                               apr_pool_t *pool) IDV_CHECKED;

/* Sends WORDS (NULL-terminated) as a command and waits for the reply until
 * DEADLINE. *REPLY is any reply of Redis, including error replies; free it with
 * freeReplyObject(). */
idv_error_t *idv_redis_command(idv_redis_connection_t *connection,
                               const char *const *words, apr_time_t deadline,
                               redisReply **reply,
                               apr_pool_t *pool) IDV_CHECKED;

/* Closes CONNECTION in any state. */
void idv_redis_close(idv_redis_connection_t *connection);

#endif
