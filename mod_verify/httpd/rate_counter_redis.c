/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the requests of each key for several nodes, in Redis: one script a
 * request, which counts and lets the count expire in one step.
 *
 * While Redis does not answer within its time limit, this node counts alone,
 * in shared memory, and asks again once a second. Each child says so once,
 * and once more when Redis is back.
 */
#include <stdatomic.h>

#include <apr_strings.h>
#include <apr_thread_mutex.h>
#include <httpd.h>
#include <http_log.h>
#include <http_main.h>
#include <openssl/evp.h>

#include "core/rate_window.h"
#include "core/secret_file.h"
#include "httpd/rate_counter.h"
#include "out/redis_client.h"

APLOG_USE_MODULE(verify);

#define TIME_LIMIT (300 * 1000) /* microseconds, for one request */
#define PAUSE APR_USEC_PER_SEC  /* before Redis is asked again */
#define IDLE_MAX 64             /* connections that are kept */
#define SHA1_SIZE 20

/* Two minutes, so that nodes whose clocks differ find each other's counts. */
static const char script[] =
    "local n = redis.call('INCR', KEYS[1]) "
    "if n == 1 then redis.call('PEXPIRE', KEYS[1], 120000) end "
    "return n";

/* Written in the parent before any child is there, but for what follows
 * `mutex`, which is the child's. */
typedef struct {
    idv_redis_address_t *address;
    /* SHA-1 of the script in hexadecimal: its name in Redis. */
    char digest[2 * SHA1_SIZE + 1];
    apr_thread_mutex_t *mutex;
    idv_redis_connection_t *idle[IDLE_MAX];
    int idle_count;
    _Atomic apr_int64_t away_until; /* 0: it answers */
} store_t;

static store_t store;

/* --- preparing --- */

static void name_script(char *digest)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned length = 0;

    /* Without it Redis knows no such script, and gets the whole one. */
    if (EVP_Digest(script, sizeof(script) - 1, bytes, &length, EVP_sha1(), NULL)
        != 1)
        length = 0;
    for (unsigned i = 0; i < length && i < SHA1_SIZE; i++)
        apr_snprintf(digest + 2 * i, 3, "%02x", bytes[i]);
}

static idv_error_t *post_config(const idv_rate_counter_t *counter,
                                const idv_settings_t *settings,
                                apr_pool_t *pconf)
{
    store_t *self = counter->baton;
    idv_redis_target_t target = {.url = settings->rate_store,
                                 .ca_file = settings->rate_store_ca_file};

    IDV_TRY(idv_rate_counter_shm.post_config(&idv_rate_counter_shm, settings,
                                             pconf));
    if (settings->rate_store_password_file)
        IDV_TRY(idv_secret_file_read(settings->rate_store_password_file,
                                     &target.password, pconf));
    name_script(self->digest);
    return idv_redis_address_make(&target, &self->address, pconf);
}

static apr_status_t close_idle(void *baton)
{
    store_t *self = baton;

    while (self->idle_count)
        idv_redis_close(self->idle[--self->idle_count]);
    return APR_SUCCESS;
}

static idv_error_t *child_init(const idv_rate_counter_t *counter,
                               apr_pool_t *pchild)
{
    store_t *self = counter->baton;
    apr_status_t status = apr_thread_mutex_create(
        &self->mutex, APR_THREAD_MUTEX_DEFAULT, pchild);

    if (status != APR_SUCCESS)
        return idv_error_apr(pchild, status, "no mutex for the rate store");
    apr_pool_cleanup_register(pchild, self, close_idle, apr_pool_cleanup_null);
    return idv_redis_address_start(self->address, pchild);
}

/* --- connections --- */

static idv_redis_connection_t *take_idle(store_t *self)
{
    idv_redis_connection_t *connection = NULL;

    apr_thread_mutex_lock(self->mutex);
    if (self->idle_count)
        connection = self->idle[--self->idle_count];
    apr_thread_mutex_unlock(self->mutex);
    return connection;
}

static void put_idle(store_t *self, idv_redis_connection_t *connection)
{
    apr_thread_mutex_lock(self->mutex);
    if (self->idle_count < IDLE_MAX) {
        self->idle[self->idle_count++] = connection;
        connection = NULL;
    }
    apr_thread_mutex_unlock(self->mutex);
    if (connection)
        idv_redis_close(connection);
}

/* --- counting --- */

/* What Redis is asked. */
typedef struct {
    const char *key; /* of the count */
    apr_time_t deadline;
} question_t;

static idv_error_t *run(const store_t *self, idv_redis_connection_t *connection,
                        const question_t *question, apr_int64_t *count,
                        apr_pool_t *pool)
{
    const char *const by_name[] = {"EVALSHA", self->digest, "1", question->key,
                                   NULL};
    const char *const by_text[] = {"EVAL", script, "1", question->key, NULL};
    redisReply *reply;

    IDV_TRY(idv_redis_command(connection, by_name, question->deadline, &reply,
                              pool));
    if (reply->type == REDIS_REPLY_ERROR
        && strncmp(reply->str, "NOSCRIPT", strlen("NOSCRIPT")) == 0) {
        freeReplyObject(reply);
        IDV_TRY(idv_redis_command(connection, by_text, question->deadline,
                                  &reply, pool));
    }
    *count = reply->type == REDIS_REPLY_INTEGER ? reply->integer : 0;
    freeReplyObject(reply);
    return *count > 0
             ? NULL
             : idv_error_unavailable(pool, 1, "Redis: the script was refused");
}

static idv_error_t *run_and_keep(store_t *self,
                                 idv_redis_connection_t *connection,
                                 const question_t *question, apr_int64_t *count,
                                 apr_pool_t *pool)
{
    idv_error_t *error = run(self, connection, question, count, pool);

    if (error)
        idv_redis_close(connection);
    else
        put_idle(self, connection);
    return error;
}

/* An idle connection may have ended long ago: then the others have, too, and
 * a new one has to do it. A command that was sent may have counted; the limit
 * is then reached one request early, never late. */
static idv_error_t *ask(store_t *self, const char *key, apr_int64_t *count,
                        apr_pool_t *pool)
{
    const question_t question = {key, apr_time_now() + TIME_LIMIT};
    idv_redis_connection_t *connection;

    while ((connection = take_idle(self))) {
        if (!run_and_keep(self, connection, &question, count, pool))
            return NULL;
    }
    IDV_TRY(
        idv_redis_connect(self->address, question.deadline, &connection, pool));
    return run_and_keep(self, connection, &question, count, pool);
}

static void note_away(store_t *self, const idv_error_t *error)
{
    apr_int64_t before = atomic_exchange(&self->away_until,
                                         apr_time_now() + PAUSE);

    if (!before)
        ap_log_error(APLOG_MARK, APLOG_WARNING, 0, ap_server_conf,
                     "IDV0060: this node counts requests alone until the rate "
                     "store answers: %s", idv_error_cause(error));
}

static void note_back(store_t *self)
{
    if (atomic_load(&self->away_until)
        && atomic_exchange(&self->away_until, 0))
        ap_log_error(APLOG_MARK, APLOG_NOTICE, 0, ap_server_conf,
                     "IDV0061: the rate store answers again");
}

static idv_error_t *take(const idv_rate_counter_t *counter, const char *key,
                         idv_time_t now, apr_int64_t *count, apr_pool_t *pool)
{
    store_t *self = counter->baton;
    const char *name = apr_psprintf(pool, "verify:rate:%s:%" APR_INT64_T_FMT,
                                    key, idv_rate_window_end(now) / IDV_MINUTE);
    idv_error_t *error;

    if (apr_time_now() >= atomic_load(&self->away_until)) {
        error = ask(self, name, count, pool);
        if (!error) {
            note_back(self);
            return NULL;
        }
        note_away(self, error);
    }
    return idv_rate_counter_shm.take(&idv_rate_counter_shm, key, now, count,
                                     pool);
}

const idv_rate_counter_t idv_rate_counter_redis = {
    "redis", post_config, child_init, take, &store};
