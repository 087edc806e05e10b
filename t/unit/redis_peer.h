/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_REDIS_PEER_H
#define IDV_T_REDIS_PEER_H

/*
 * A server in place of Redis, in the same thread: it listens on a local socket
 * of no file's, takes one connection, and has its whole answer written before
 * the command is sent, for which the kernel's buffer is large enough.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <apr_strings.h>
#include <apr_time.h>

#include "out/redis_client.h"

/* What the client can be told at once. */
#define REDIS_PEER_ANSWER_MAX (72 * 1024)
#define REDIS_PEER_PATIENCE (10 * APR_USEC_PER_SEC)

typedef struct {
    char directory[32], path[64];
    int listener, accepted;
    idv_redis_address_t *address;
    idv_redis_connection_t *connection;
} redis_peer_t;

/* Zero when something failed. */
static inline int redis_peer_start(redis_peer_t *peer, apr_pool_t *pool)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    idv_redis_target_t target = {0};

    snprintf(peer->directory, sizeof(peer->directory), "/tmp/redis-XXXXXX");
    if (!mkdtemp(peer->directory))
        return 0;
    snprintf(peer->path, sizeof(peer->path), "%s/socket", peer->directory);
    apr_cpystrn(name.sun_path, peer->path, sizeof(name.sun_path));
    target.url = apr_pstrcat(pool, "unix:", peer->path, NULL);
    peer->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return peer->listener >= 0
        && bind(peer->listener, (struct sockaddr *)&name, sizeof(name)) == 0
        && listen(peer->listener, 1) == 0
        && !idv_redis_address_make(&target, &peer->address, pool)
        && !idv_redis_connect(peer->address,
                              apr_time_now() + REDIS_PEER_PATIENCE,
                              &peer->connection, pool)
        && (peer->accepted = accept(peer->listener, NULL, NULL)) >= 0;
}

/* Says BYTES; nothing comes after them when IS_LAST. Non-zero when all fit. */
static inline int redis_peer_say(const redis_peer_t *peer, const void *bytes,
                                 size_t length, int is_last)
{
    int size = 4 * REDIS_PEER_ANSWER_MAX;
    ssize_t sent;

    setsockopt(peer->accepted, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
    sent = length ? send(peer->accepted, bytes, length,
                         MSG_DONTWAIT | MSG_NOSIGNAL)
                  : 0;
    if (is_last)
        shutdown(peer->accepted, SHUT_WR);
    return sent == (ssize_t)length;
}

static inline void redis_peer_stop(redis_peer_t *peer)
{
    idv_redis_close(peer->connection);
    close(peer->accepted);
    close(peer->listener);
    unlink(peer->path);
    rmdir(peer->directory);
}

#endif
