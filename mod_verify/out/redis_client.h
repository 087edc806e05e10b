/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_REDIS_CLIENT_H
#define IDV_OUT_REDIS_CLIENT_H

/*
 * Connections to a Redis server: one command at a time, each within a time
 * limit that holds for all of it: connecting, TLS, AUTH, sending, receiving.
 *
 * libhiredis writes and reads the protocol. Sockets and TLS are handled here:
 * the library of Debian 12 (0.14) has no TLS and no place to put it (its
 * redisContextFuncs came with 1.0), looks host names up on the calling thread,
 * and counts its time limits for each system call anew. Host names are looked
 * up beside (host_addresses.h): a command waits for a name server only while
 * nothing is known of the host, and not beyond its limit.
 *
 * Failures: `service_unavailable`, whose detail names no secret. After one a
 * connection is of no use but to be closed. Memory: an address lives in its
 * pool; a connection is on the heap. Threads: an address may be used by all,
 * a connection by one at a time.
 */
#include <hiredis/hiredis.h>

#include "core/clock.h"
#include "core/error.h"

typedef struct idv_redis_address_t idv_redis_address_t;
typedef struct idv_redis_connection_t idv_redis_connection_t;

/* What an address is made from. */
typedef struct {
    const char *url;      /* redis://[USER@]HOST[:PORT][/DATABASE], the same
                           * with rediss:// for TLS, or unix:/PATH */
    const char *password; /* NULL: no AUTH */
    const char *ca_file;  /* PEM, for TLS; NULL: the system's authorities */
} idv_redis_target_t;

/* What is wrong with the form of URL, or NULL. One with a password is wrong:
 * it would stand in configurations and logs. */
const char *idv_redis_url_fault(const char *url, apr_pool_t *pool);

/* Prepares TARGET, whose url is well formed. Internal error when ca_file
 * cannot be used. */
idv_error_t *idv_redis_address_make(const idv_redis_target_t *target,
                                    idv_redis_address_t **address,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Begins to look the host of ADDRESS up, in the process that is going to
 * connect to it, until POOL ends. Must precede idv_redis_connect(). */
idv_error_t *idv_redis_address_start(idv_redis_address_t *address,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Connects until DEADLINE, encrypts, authenticates, selects the database. */
idv_error_t *idv_redis_connect(const idv_redis_address_t *address,
                               apr_time_t deadline,
                               idv_redis_connection_t **connection,
                               apr_pool_t *pool) IDV_CHECKED;

/* Sends WORDS, which end with NULL, as a command, and waits for the reply until
 * DEADLINE. *REPLY, whatever Redis says, error replies included, is freed by
 * freeReplyObject(). */
idv_error_t *idv_redis_command(idv_redis_connection_t *connection,
                               const char *const *words, apr_time_t deadline,
                               redisReply **reply,
                               apr_pool_t *pool) IDV_CHECKED;

/* Ends CONNECTION, in whatever state it is. */
void idv_redis_close(idv_redis_connection_t *connection);

#endif
