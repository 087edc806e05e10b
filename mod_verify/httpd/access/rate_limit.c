/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/access/rate_limit.h"

#include <stdatomic.h>
#include <string.h>

#include <apr_strings.h>
#include <apr_thread_mutex.h>
#include <http_log.h>
#include <http_main.h>
#include <openssl/evp.h>

#include "api/http/response.h"
#include "core/crypto.h"
#include "core/ip_address.h"
#include "core/rate_window.h"
#include "httpd/process/counters.h"
#include "out/redis_client.h"
#include "worker/process/retained.h"

APLOG_USE_MODULE(verify);

#define LIMIT_HEADER "X-RateLimit-Limit"
#define REMAINING_HEADER "X-RateLimit-Remaining"
#define RESET_HEADER "X-RateLimit-Reset"

#define SLOT_VERSION 2 /* of the layout and use of idv_rate_slot_t */
#define TIME_LIMIT (300 * 1000) /* microseconds, for one request */
#define PAUSE APR_USEC_PER_SEC  /* before Redis is tried again */
#define IDLE_MAX 64             /* connections to keep */
#define SHA1_SIZE 20

/* --- in shared memory --- */

/* Written in the parent, before any child exists. Without slots, requests are
 * not counted. Addresses have tables of their own: anybody can fill `others`, and
 * neither customers nor the visitors of their sites must notice. */
static idv_rate_table_t callers, visitors, others;

static idv_error_t *prepare_table(idv_rate_table_t *table, const char *name,
                                  const idv_settings_t *settings,
                                  apr_pool_t *pconf)
{
    apr_size_t count = 1;
    apr_uint64_t seed;
    void *memory;

    /* The table holds the keys of two minutes, and may be half full. */
    while (count < 4 * (apr_size_t)settings->rate_limit_keys)
        count *= 2;
    IDV_TRY(idv_retained_memory(name, SLOT_VERSION,
                                idv_rate_slots(count)
                                    * sizeof(idv_rate_slot_t),
                                &memory, pconf));
    table->slots = memory;
    table->count = count;
    idv_random_bytes((unsigned char *)&seed, sizeof(seed));
    idv_rate_table_seed(table, seed);
    return NULL;
}

/* The number of requests of KEY in the window of NOW, including this one; 0 if
 * requests are not counted. */
static apr_int64_t count_here(const idv_rate_table_t *table, const char *key,
                              idv_time_t now)
{
    apr_int64_t count;
    int is_shared;

    if (!table->slots)
        return 0;
    count = idv_rate_window_take(table, key, now, &is_shared);
    if (is_shared)
        idv_count(rate_shared);
    return count;
}

/* --- in Redis: state of a child --- */

/* A count is kept for two minutes, so that nodes with different clocks still
 * use the same one. */
static const char script[] =
    "local n = redis.call('INCR', KEYS[1]) "
    "if n == 1 then redis.call('PEXPIRE', KEYS[1], 120000) end "
    "return n";

/* Written in the parent before any child exists, except `mutex` and the members
 * after it, which belong to the child. */
typedef struct {
    idv_redis_address_t *address; /* NULL: requests are only counted locally */
    /* SHA-1 of the script in hexadecimal: its name in Redis. */
    char digest[2 * SHA1_SIZE + 1];
    apr_thread_mutex_t *mutex;
    idv_redis_connection_t *idle[IDLE_MAX];
    int idle_count;
    _Atomic apr_int64_t away_until; /* 0: it responds */
} store_t;

static store_t store;

static void name_script(char *digest)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned length = 0;

    /* Without a digest, Redis does not know the script and gets its full
     * text. */
    if (EVP_Digest(script, sizeof(script) - 1, bytes, &length, EVP_sha1(), NULL)
        != 1)
        length = 0;
    for (unsigned i = 0; i < length && i < SHA1_SIZE; i++)
        apr_snprintf(digest + 2 * i, 3, "%02x", bytes[i]);
}

static idv_error_t *prepare_store(const idv_settings_t *settings,
                                  apr_pool_t *pconf)
{
    idv_redis_target_t target = {.url = settings->rate_store,
                                 .ca_file = settings->rate_store_ca_file};

    store.address = NULL;
    if (strcmp(settings->rate_store, "shm") == 0)
        return NULL;
    if (settings->rate_store_password_file)
        IDV_TRY(idv_secret_file_read(settings->rate_store_password_file,
                                     &target.password, pconf));
    name_script(store.digest);
    return idv_redis_address_make(&target, &store.address, pconf);
}

static apr_status_t close_idle(void *unused)
{
    (void)unused;
    while (store.idle_count)
        idv_redis_close(store.idle[--store.idle_count]);
    return APR_SUCCESS;
}

static idv_redis_connection_t *take_idle(void)
{
    idv_redis_connection_t *connection = NULL;

    apr_thread_mutex_lock(store.mutex);
    if (store.idle_count)
        connection = store.idle[--store.idle_count];
    apr_thread_mutex_unlock(store.mutex);
    return connection;
}

static void put_idle(idv_redis_connection_t *connection)
{
    apr_thread_mutex_lock(store.mutex);
    if (store.idle_count < IDLE_MAX) {
        store.idle[store.idle_count++] = connection;
        connection = NULL;
    }
    apr_thread_mutex_unlock(store.mutex);
    if (connection)
        idv_redis_close(connection);
}

/* --- in Redis: counting --- */

/* A request to be counted. */
typedef struct {
    const char *key; /* of the count in Redis */
    apr_time_t deadline;
} question_t;

static idv_error_t *run(idv_redis_connection_t *connection,
                        const question_t *question, apr_int64_t *count,
                        apr_pool_t *pool)
{
    const char *const by_name[] = {"EVALSHA", store.digest, "1", question->key,
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

static idv_error_t *run_and_keep(idv_redis_connection_t *connection,
                                 const question_t *question, apr_int64_t *count,
                                 apr_pool_t *pool)
{
    idv_error_t *error = run(connection, question, count, pool);

    if (error)
        idv_redis_close(connection);
    else
        put_idle(connection);
    return error;
}

/* An idle connection may have been closed long ago, for example by a restart of
 * Redis; then a new one is opened. A command sent over a broken connection may
 * still have counted. If so, the limit is reached one request early, never
 * late. */
static idv_error_t *ask(const char *key, apr_int64_t *count, apr_pool_t *pool)
{
    const question_t question = {key, apr_time_now() + TIME_LIMIT};
    idv_redis_connection_t *connection;

    while ((connection = take_idle())) {
        if (!run_and_keep(connection, &question, count, pool))
            return NULL;
    }
    IDV_TRY(
        idv_redis_connect(store.address, question.deadline, &connection, pool));
    return run_and_keep(connection, &question, count, pool);
}

static void note_away(const idv_error_t *error)
{
    apr_int64_t before = atomic_exchange(&store.away_until,
                                         apr_time_now() + PAUSE);

    if (!before)
        ap_log_error(APLOG_MARK, APLOG_WARNING, 0, ap_server_conf,
                     "IDV0060: this node counts requests alone until the rate "
                     "store answers: %s", idv_error_cause(error));
}

static void note_back(void)
{
    if (atomic_load(&store.away_until)
        && atomic_exchange(&store.away_until, 0))
        ap_log_error(APLOG_MARK, APLOG_NOTICE, 0, ap_server_conf,
                     "IDV0061: the rate store answers again");
}

/* Zero if Redis is unavailable and this node has to count. */
static apr_int64_t count_in_store(const char *key, idv_time_t now,
                                  apr_pool_t *pool)
{
    const char *name = apr_psprintf(pool, "verify:rate:%s:%" APR_INT64_T_FMT,
                                    key, idv_rate_window_end(now) / IDV_MINUTE);
    apr_int64_t count;
    idv_error_t *error;

    if (apr_time_now() < atomic_load(&store.away_until))
        return 0;
    error = ask(name, &count, pool);
    if (error) {
        note_away(error);
        return 0;
    }
    note_back();
    return count;
}

/* --- the limit --- */

idv_error_t *idv_rate_limit_post_config(const idv_settings_t *settings,
                                        apr_pool_t *pconf)
{
    IDV_TRY(prepare_table(&callers, "rates", settings, pconf));
    IDV_TRY(prepare_table(&visitors, "visitor-rates", settings, pconf));
    IDV_TRY(prepare_table(&others, "address-rates", settings, pconf));
    return prepare_store(settings, pconf);
}

idv_error_t *idv_rate_limit_child_init(apr_pool_t *pchild)
{
    apr_status_t status;

    if (!store.address)
        return NULL;
    status = apr_thread_mutex_create(&store.mutex, APR_THREAD_MUTEX_DEFAULT,
                                     pchild);
    if (status != APR_SUCCESS)
        return idv_error_apr(pchild, status, "no mutex for the rate store");
    apr_pool_cleanup_register(pchild, NULL, close_idle, apr_pool_cleanup_null);
    return idv_redis_address_start(store.address, pchild);
}

/* TABLE counts if Redis does not. */
static apr_int64_t count_request(const idv_request_t *request, const char *key,
                                 const idv_rate_table_t *table)
{
    apr_int64_t count =
        store.address ? count_in_store(key, request->now, request->pool) : 0;

    return count ? count : count_here(table, key, request->now);
}

static void set_header(idv_request_t *request, const char *name,
                       apr_int64_t number)
{
    idv_respond_header(
        request, name,
        apr_psprintf(request->pool, "%" APR_INT64_T_FMT, number));
}

/* The prefix keeps logins apart from the ids of keys. */
static const char *counted_as(const idv_request_t *request)
{
    return request->operator
             ? apr_pstrcat(request->pool, "operator ",
                           request->operator->user, NULL)
             : request->key->id;
}

/* The limit of requests per minute for the caller of REQUEST. */
static apr_int64_t limit_of(const idv_request_t *request)
{
    const idv_settings_t *settings = request->services->settings;
    const idv_api_key_t *key = request->key;

    if (key && key->rate_limit)
        return key->rate_limit;
    return key && key->type == IDV_KEY_PUBLISHABLE
             ? settings->rate_limit_publishable
             : settings->rate_limit_secret;
}

void idv_rate_limit_count(idv_request_t *request)
{
    request->rate_count =
        count_request(request, counted_as(request), &callers);
}

int idv_rate_limit_is_exceeded(const idv_request_t *request)
{
    return request->rate_count > limit_of(request);
}

static idv_error_t *exceeded(const idv_request_t *request)
{
    idv_time_t end = idv_rate_window_end(request->now);
    idv_error_t *error =
        idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, request->pool);

    idv_count(rate_limited);
    error->retry_after =
        (int)((end - request->now + IDV_SECOND - 1) / IDV_SECOND);
    return error;
}

idv_error_t *idv_rate_limit_address(idv_request_t *request, const char *purpose,
                                    apr_int64_t limit)
{
    const char *key = apr_pstrcat(
        request->pool, purpose, " ",
        idv_address_client(request->r->useragent_ip, request->pool), NULL);

    return count_request(request, key, request->key ? &visitors : &others)
                   > limit
             ? exceeded(request)
             : NULL;
}

idv_error_t *idv_rate_limit_check(idv_request_t *request)
{
    apr_int64_t limit = limit_of(request), count = request->rate_count;
    idv_time_t end = idv_rate_window_end(request->now);

    set_header(request, LIMIT_HEADER, limit);
    set_header(request, REMAINING_HEADER, count < limit ? limit - count : 0);
    set_header(request, RESET_HEADER, idv_time_seconds(end));
    return count <= limit ? NULL : exceeded(request);
}

void idv_rate_limit_forget(idv_request_t *request)
{
    apr_table_t *headers = request->r->err_headers_out;

    apr_table_unset(headers, LIMIT_HEADER);
    apr_table_unset(headers, REMAINING_HEADER);
    apr_table_unset(headers, RESET_HEADER);
}

/* Whether the key of REQUEST has had all its requests of this minute, as far as
 * this node knows without counting one. Otherwise those who attack one site
 * could fill the table for the visitors of all. While Redis counts, nothing is
 * added to this node's tables. */
static int is_spent(const idv_request_t *request)
{
    return request->key && callers.slots
        && idv_rate_window_count(&callers, counted_as(request), request->now)
               >= limit_of(request);
}

idv_error_t *idv_rate_limit_visitor(idv_request_t *request, const char *purpose,
                                    apr_int64_t limit)
{
    idv_error_t *error;

    if (is_spent(request))
        return exceeded(request);
    IDV_TRY(idv_rate_limit_address(request, purpose, limit));
    if (!request->key)
        return NULL;
    idv_rate_limit_count(request);
    error = idv_rate_limit_check(request);
    idv_rate_limit_forget(request);
    return error;
}
