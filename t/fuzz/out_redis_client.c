/* SPDX-License-Identifier: Apache-2.0 */
/* What answers a command in place of Redis; the same text is taken for an
 * address of one. */
#include "fuzz/fuzz.h"

#include "unit/redis_peer.h"

static void check_reply(const redisReply *reply)
{
    promise(reply->type == REDIS_REPLY_INTEGER
            || reply->type == REDIS_REPLY_STRING
            || reply->type == REDIS_REPLY_STATUS
            || reply->type == REDIS_REPLY_ERROR
            || reply->type == REDIS_REPLY_NIL);
    if (reply->str)
        promise(reply->str[reply->len] == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const words[] = {"PING", NULL};
    apr_pool_t *pool = fuzz_pool();
    const char *text = apr_pstrmemdup(pool, (const char *)data, size);
    idv_redis_target_t target = {.url = text};
    idv_redis_address_t *address;
    redis_peer_t peer = {0};
    redisReply *reply;

    /* With TLS the system's authorities are read, which takes its time. */
    if (!idv_redis_url_fault(text, pool) && strncmp(text, "rediss", 6) != 0)
        promise(!idv_redis_address_make(&target, &address, pool));
    if (size > REDIS_PEER_ANSWER_MAX)
        size = REDIS_PEER_ANSWER_MAX;
    promise(redis_peer_start(&peer, pool));
    promise(redis_peer_say(&peer, data, size, 1));
    if (!idv_redis_command(peer.connection, words,
                           apr_time_now() + REDIS_PEER_PATIENCE, &reply, pool))
        check_reply(reply);
    else
        promise(!reply);
    if (reply)
        freeReplyObject(reply);
    redis_peer_stop(&peer);
    apr_pool_destroy(pool);
    return 0;
}
