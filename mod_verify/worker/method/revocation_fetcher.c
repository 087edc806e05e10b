/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/method/revocation_fetcher.h"

#include <string.h>

#include <apr_strings.h>

#include "store/trust/revocation_list.h"

APLOG_USE_MODULE(verify);

#define FETCH_TIME (5 * IDV_SECOND)
#define RETRY_TIME IDV_MINUTE
#define KEPT_CONNECTIONS 8

struct idv_revocation_fetcher_t {
    idv_worker_t *worker;
    idv_http_client_t *client;
};

/* A question until its end, in the pool of who asked. */
typedef struct {
    idv_revocation_fetcher_t *fetcher;
    idv_revocation_question_t question;
    int awaited; /* exchanges under way */
    idv_event_timer_t end;
    apr_pool_t *pool;
} asking_t;

typedef struct {
    asking_t *asking;
    const char *address;
    idv_http_request_t request;
} exchange_t;

static apr_status_t forget(void *baton)
{
    asking_t *asking = baton;

    idv_event_loop_cancel(asking->fetcher->worker->loop, &asking->end);
    return APR_SUCCESS;
}

static void on_end(void *baton)
{
    asking_t *asking = baton;

    asking->question.done(asking->question.baton);
}

static void end_if_complete(asking_t *asking)
{
    if (asking->awaited == 0)
        idv_event_loop_schedule(asking->fetcher->worker->loop, &asking->end, 0);
}

static void keep(exchange_t *exchange, idv_bytes_t body, const char *failure)
{
    idv_worker_t *worker = exchange->asking->fetcher->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_error_t *error =
        db ? idv_revocation_copy_store(
            db,
            &(const idv_revocation_fetched_t){.address = exchange->address,
                                              .body = body,
                                              .error = failure,
                                              .now = idv_time_now()},
            exchange->asking->pool)
           : NULL;

    if (error)
        idv_worker_database_failed(worker, error);
}

static void on_response(void *baton, const idv_http_response_t *response)
{
    exchange_t *exchange = baton;
    asking_t *asking = exchange->asking;
    const char *code = idv_http_result_code(response->result);
    idv_bytes_t body = {(const unsigned char *)response->body,
                        response->result == IDV_HTTP_OK ? response->body_length
                                                        : 0};

    if (response->result == IDV_HTTP_OK && !body.length)
        code = "empty";
    if (code)
        idv_worker_log(asking->fetcher->worker, APLOG_INFO, "IDV0789",
                       "a list of revoked documents cannot be fetched: %s, "
                       "status %d",
                       code, response->status_code);
    keep(exchange, body, code);
    asking->awaited--;
    end_if_complete(asking);
}

/* Non-zero when the copy of ADDRESS has to do for now; also without the
 * database, where no other could be kept. */
static int will_do(const idv_revocation_fetcher_t *fetcher, const char *address,
                   apr_pool_t *pool)
{
    idv_worker_t *worker = fetcher->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_time_t now = idv_time_now();
    idv_revocation_copy_t copy;
    idv_error_t *error =
        db ? idv_revocation_copy_find(db, address, &copy, pool) : NULL;

    if (error)
        idv_worker_database_failed(worker, error);
    if (!db || error || (copy.error && now < copy.tried + RETRY_TIME))
        return 1;
    return copy.body.length
        && now < idv_revocation_list_fresh_until(copy.body, copy.fetched, pool);
}

static void call(asking_t *asking, const char *address)
{
    static const char *const headers[] = {
        "Accept: application/statuslist+cwt, application/identifierlist+cwt, "
        "application/pkix-crl, */*;q=0.1",
        NULL};
    exchange_t *exchange = apr_pcalloc(asking->pool, sizeof(*exchange));

    exchange->asking = asking;
    exchange->address = apr_pstrdup(asking->pool, address);
    exchange->request.url = exchange->address;
    exchange->request.owner = ""; /* issuers are nobody's customers */
    exchange->request.headers = headers;
    asking->awaited++;
    idv_http_client_send(asking->fetcher->client, &exchange->request,
                         on_response, exchange, asking->pool);
}

static int is_repeated(const idv_revocation_question_t *question, int i)
{
    for (int at = 0; at < i; at++)
        if (strcmp(question->addresses[at], question->addresses[i]) == 0)
            return 1;
    return 0;
}

void idv_revocation_fetch(idv_revocation_fetcher_t *fetcher,
                          const idv_revocation_question_t *question,
                          apr_pool_t *pool)
{
    asking_t *asking = apr_pcalloc(pool, sizeof(*asking));

    asking->fetcher = fetcher;
    asking->question = *question;
    asking->pool = pool;
    asking->end.callback = on_end;
    asking->end.baton = asking;
    apr_pool_cleanup_register(pool, asking, forget, apr_pool_cleanup_null);
    for (int i = 0; i < question->count && i < IDV_REVOCATION_ADDRESSES_MAX;
         i++)
        if (!is_repeated(question, i)
            && !will_do(fetcher, question->addresses[i], pool))
            call(asking, question->addresses[i]);
    end_if_complete(asking);
}

idv_error_t *idv_revocation_fetcher_create(idv_worker_t *worker,
                                           idv_revocation_fetcher_t **out,
                                           apr_pool_t *pool)
{
    const idv_http_client_config_t config = {
        .allowed = worker->config->webhook_allow,
        .timeout = FETCH_TIME,
        .kept_connections = KEPT_CONNECTIONS,
        .allows_plain = 1,
        .response_cap = IDV_REVOCATION_LIST_MAX,
        .body_kept = IDV_REVOCATION_LIST_MAX,
    };
    idv_revocation_fetcher_t *fetcher = apr_pcalloc(pool, sizeof(*fetcher));

    fetcher->worker = worker;
    *out = fetcher;
    return idv_worker_http_client_create(worker, &config, &fetcher->client,
                                         pool);
}
