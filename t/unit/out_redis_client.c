/* SPDX-License-Identifier: Apache-2.0 */
/* The client of Redis: addresses, and what it believes of a reply. */
#include "unit/unit.h"

#include "unit/redis_peer.h"

static void judges_addresses(void **state)
{
    static const char *const good[] = {
        "redis://localhost", "redis://localhost:6380", "redis://10.0.0.1/3",
        "rediss://user@redis.example:6379/0", "redis://localhost/",
        "unix:/run/redis/redis.sock",
    };
    static const char *const bad[] = {
        "", "redis", "redis:", "redis://", "http://localhost",
        "redis://localhost/x", "redis://localhost/1/2", "redis://localhost/-1",
        "redis://localhost/123456", "redis://user:secret@localhost",
        "redis://localhost?x=1", "redis://localhost#x", "unix:relative",
        "unix:", "redis://localhost:port",
        ("unix:/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        if (idv_redis_url_fault(good[i], pool))
            fail_msg("\"%s\" was refused", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        if (!idv_redis_url_fault(bad[i], pool))
            fail_msg("\"%s\" was accepted", bad[i]);
}

/* One command answered by BYTES, after which the connection ends. */
static redisReply *ask(const void *bytes, size_t length, apr_pool_t *pool)
{
    const char *const words[] = {"PING", NULL};
    redis_peer_t peer = {0};
    redisReply *reply;
    idv_error_t *error;

    assert_true(redis_peer_start(&peer, pool));
    assert_true(redis_peer_say(&peer, bytes, length, 1));
    error =
        idv_redis_command(peer.connection, words,
                          apr_time_now() + REDIS_PEER_PATIENCE, &reply, pool);
    redis_peer_stop(&peer);
    if (error)
        assert_int_equal(error->code, IDV_E_SERVICE_UNAVAILABLE);
    assert_int_equal(error == NULL, reply != NULL);
    return reply;
}

static void believes_whole_replies(void **state)
{
    static const struct {
        const char *bytes;
        int type;
    } replies[] = {
        {":42\r\n", REDIS_REPLY_INTEGER},
        {":-1\r\n", REDIS_REPLY_INTEGER},
        {"+OK\r\n", REDIS_REPLY_STATUS},
        {"-NOSCRIPT none\r\n", REDIS_REPLY_ERROR},
        {"$5\r\nhello\r\n", REDIS_REPLY_STRING},
        {"$-1\r\n", REDIS_REPLY_NIL},
    };

    for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
        redisReply *reply =
            ask(replies[i].bytes, strlen(replies[i].bytes), *state);

        assert_non_null(reply);
        assert_int_equal(reply->type, replies[i].type);
        freeReplyObject(reply);
    }
}

static void believes_nothing_else(void **state)
{
    static const char *const bad[] = {
        "", ":4", ":42\r", "HTTP/1.1 400 Bad Request\r\n\r\n", "\r\n",
        "$5\r\nhel", "$2147483647\r\n", "$-5\r\nx\r\n", ":x\r\n",
        /* arrays: none was asked for, and a long one is memory */
        "*1\r\n:1\r\n", "*2147483647\r\n", "*0\r\n", "%1\r\n+a\r\n+b\r\n",
        /* more than one reply would be taken for the next command's */
        ":1\r\n:2\r\n", "+OK\r\n*1\r\n:1\r\n",
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        if (ask(bad[i], strlen(bad[i]), *state))
            fail_msg("\"%s\" was believed", bad[i]);
}

static void limits_replies(void **state)
{
    char *bytes = malloc(REDIS_PEER_ANSWER_MAX);

    memset(bytes, 'a', REDIS_PEER_ANSWER_MAX);
    bytes[0] = '+';
    assert_null(ask(bytes, REDIS_PEER_ANSWER_MAX, *state));
    free(bytes);
}

static void does_not_wait_beyond_the_deadline(void **state)
{
    const char *const words[] = {"PING", NULL};
    redis_peer_t peer = {0};
    redisReply *reply;

    assert_true(redis_peer_start(&peer, *state));
    assert_true(redis_peer_say(&peer, "+O", 2, 0));
    assert_non_null(idv_redis_command(peer.connection, words,
                                      apr_time_now() + 1000, &reply, *state));
    assert_null(reply);
    redis_peer_stop(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(judges_addresses),
        pooled_test(believes_whole_replies),
        pooled_test(believes_nothing_else),
        pooled_test(limits_replies),
        pooled_test(does_not_wait_beyond_the_deadline),
    };

    return unit_run("out/redis_client", tests);
}
