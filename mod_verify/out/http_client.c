/* SPDX-License-Identifier: Apache-2.0 */
#include "out/http_client.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>
#include <curl/curl.h>

#include "out/http_transfer.h"
#include "out/name_table.h"

#define IDLE_HANDLES 256 /* easy handles kept for the next exchanges */
#define TARGETS_KEPT 1024
#define PINNED_FOR (20 * IDV_SECOND) /* curl forgets after a minute */
#define NEVER (-1)

typedef struct exchange_t exchange_t;

/* A URL that was called, with what each exchange would have to find out
 * otherwise: its host and port as curl understands them, and until when curl
 * remembers the addresses that the host was pinned to. */
typedef struct {
    const char *host; /* NULL: not a URL that may be called */
    const char *port;
    char addresses[128];
    idv_time_t pinned_until; /* monotonic */
} target_t;

struct idv_http_client_t {
    const idv_http_client_config_t *config;
    idv_http_client_host_t host;
    idv_name_table_t *names;
    apr_pool_t *target_pool;
    apr_hash_t *targets; /* by URL; one more than are kept, and all go */
    CURLM *multi;
    CURLSH *share;
    CURL *idle[IDLE_HANDLES];
    int idle_count, count;
    exchange_t *exchanges;              /* all, the newest first */
    exchange_t *waiting, **waiting_end; /* for a name, the oldest first */
    exchange_t *ended, **ended_end;     /* to be told from the next timeout */
    idv_time_t curl_due;                /* monotonic; NEVER: none */
};

/* One request, in its pool. */
struct exchange_t {
    idv_http_client_t *client;
    const idv_http_request_t *request;
    idv_http_done_t *done;
    void *baton;
    apr_pool_t *pool;
    exchange_t *next, **link; /* among all */
    exchange_t *queue_next;   /* among the waiting or the ended */
    idv_name_waiter_t waiter;
    int is_waiting, has_ended; /* in which queue it is */
    idv_time_t started;        /* monotonic */
    const char *host, *port;
    const char *addresses; /* of the name, as it was judged */
    CURL *easy;            /* NULL: curl does not have it */
    idv_time_t dialled;    /* monotonic */
    idv_http_transfer_t transfer;
};

/* --- targets --- */

static void parse_url(target_t *target, const char *text, int allows_plain,
                      apr_pool_t *pool)
{
    CURLU *url = curl_url();
    char *host = NULL, *port = NULL, *scheme = NULL;

    if (url && curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK
        && curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK
        && (strcmp(scheme, "https") == 0
            || (allows_plain && strcmp(scheme, "http") == 0))
        && curl_url_get(url, CURLUPART_HOST, &host, CURLU_PUNYCODE) == CURLUE_OK
        && curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT)
               == CURLUE_OK) {
        target->host = apr_pstrdup(pool, host);
        target->port = apr_pstrdup(pool, port);
    }
    curl_free(host);
    curl_free(port);
    curl_free(scheme);
    curl_url_cleanup(url);
}

/* The target of URL; valid until the next call. */
static target_t *find_target(idv_http_client_t *client, const char *url)
{
    target_t *target = apr_hash_get(client->targets, url, APR_HASH_KEY_STRING);

    if (target)
        return target;
    if (apr_hash_count(client->targets) >= TARGETS_KEPT) {
        apr_pool_clear(client->target_pool);
        client->targets = apr_hash_make(client->target_pool);
    }
    target = apr_pcalloc(client->target_pool, sizeof(*target));
    parse_url(target, url, client->config->allows_plain, client->target_pool);
    apr_hash_set(client->targets, apr_pstrdup(client->target_pool, url),
                 APR_HASH_KEY_STRING, target);
    return target;
}

/* Whether HOST, as curl gives it, is an address. curl has nothing to look up
 * then, and up to 7.88 at least it cannot read a pin for an IPv6 address. */
static int is_address(const char *host)
{
    struct in_addr ipv4;

    return *host == '[' || inet_pton(AF_INET, host, &ipv4) == 1;
}

/* Whether curl still knows the addresses of EXCHANGE, so that it need not be
 * told again. */
static int is_pinned(const exchange_t *exchange)
{
    const target_t *target =
        find_target(exchange->client, exchange->request->url);

    return exchange->dialled < target->pinned_until
        && strcmp(target->addresses, exchange->addresses) == 0;
}

/* The addresses of EXCHANGE for CURLOPT_RESOLVE; NULL: none needed. */
static const char *pin_of(const exchange_t *exchange)
{
    if (is_address(exchange->host) || is_pinned(exchange))
        return NULL;
    return apr_pstrcat(exchange->pool, exchange->host, ":", exchange->port, ":",
                       exchange->addresses, NULL);
}

/* curl has accepted the addresses of EXCHANGE. */
static void note_pin(const exchange_t *exchange)
{
    target_t *target = find_target(exchange->client, exchange->request->url);

    if (strlen(exchange->addresses) >= sizeof(target->addresses))
        return; /* too many to remember; each exchange pins them */
    apr_cpystrn(target->addresses, exchange->addresses,
                sizeof(target->addresses));
    target->pinned_until = exchange->dialled + PINNED_FOR;
}

/* --- the life of an exchange --- */

static apr_status_t end_with_pool(void *baton);

static void link_exchange(exchange_t *exchange)
{
    idv_http_client_t *client = exchange->client;

    exchange->next = client->exchanges;
    exchange->link = &client->exchanges;
    if (exchange->next)
        exchange->next->link = &exchange->next;
    client->exchanges = exchange;
    client->count++;
    apr_pool_cleanup_register(exchange->pool, exchange, end_with_pool,
                              apr_pool_cleanup_null);
}

/* From here on the client knows nothing of the exchange. */
static void unlink_exchange(exchange_t *exchange)
{
    apr_pool_cleanup_kill(exchange->pool, exchange, end_with_pool);
    *exchange->link = exchange->next;
    if (exchange->next)
        exchange->next->link = exchange->link;
    exchange->client->count--;
}

static void tell(exchange_t *exchange)
{
    idv_http_response_t *response = &exchange->transfer.response;

    response->duration_ms = (int)(idv_time_steady() - exchange->started);
    unlink_exchange(exchange);
    exchange->done(exchange->baton, response);
}

static void join_queue(exchange_t *exchange, exchange_t ***end)
{
    exchange->queue_next = NULL;
    **end = exchange;
    *end = &exchange->queue_next;
}

static void leave_queue(exchange_t *exchange, exchange_t **link,
                        exchange_t ***end)
{
    while (*link && *link != exchange)
        link = &(*link)->queue_next;
    if (!*link)
        return;
    *link = exchange->queue_next;
    if (*end == &exchange->queue_next)
        *end = link;
}

/* Asks the host for the next call of idv_http_client_timeout(): at once when
 * exchanges have ended, else for the next deadline, curl's or that of the
 * exchange that has waited longest for its name. */
static void set_timer(idv_http_client_t *client)
{
    idv_time_t now = idv_time_steady(), due = client->curl_due;

    if (client->ended)
        due = now;
    if (client->waiting) {
        idv_time_t deadline =
            client->waiting->started + client->config->timeout;

        if (due == NEVER || deadline < due)
            due = deadline;
    }
    client->host.timer(client->host.baton, due == NEVER ? NEVER
                                           : due > now  ? (long)(due - now)
                                                        : 0);
}

/* Ends an exchange that curl does not end. Its owner is notified from
 * idv_http_client_timeout(), never from within one of the owner's calls. */
static void end_later(exchange_t *exchange, idv_http_result_t result)
{
    idv_http_client_t *client = exchange->client;

    exchange->transfer.response.result = result;
    exchange->has_ended = 1;
    join_queue(exchange, &client->ended_end);
    set_timer(client);
}

static void give_back_handle(exchange_t *exchange)
{
    idv_http_client_t *client = exchange->client;

    if (curl_multi_remove_handle(client->multi, exchange->easy) == CURLM_OK
        && client->idle_count < IDLE_HANDLES)
        client->idle[client->idle_count++] = exchange->easy;
    else
        curl_easy_cleanup(exchange->easy);
    exchange->easy = NULL;
}

/* --- handles --- */

static CURL *take_handle(idv_http_client_t *client)
{
    CURL *easy;

    if (client->idle_count)
        return client->idle[--client->idle_count];
    easy = curl_easy_init();
    if (easy
        && idv_http_transfer_prepare(easy, client->share, client->config)
               != CURLE_OK) {
        curl_easy_cleanup(easy);
        return NULL;
    }
    return easy;
}

static void fill_transfer(exchange_t *exchange, int is_fresh)
{
    const idv_http_client_config_t *config = exchange->client->config;
    idv_http_transfer_t *transfer = &exchange->transfer;

    transfer->request = exchange->request;
    transfer->allowed = config->allowed;
    transfer->response_cap =
        config->response_cap ? config->response_cap : IDV_HTTP_RESPONSE_CAP;
    transfer->body_kept =
        config->body_kept ? config->body_kept : IDV_HTTP_BODY_KEPT;
    transfer->pool = exchange->pool;
    transfer->timeout =
        config->timeout - (exchange->dialled - exchange->started);
    transfer->is_fresh = is_fresh;
    transfer->pin = pin_of(exchange);
}

/* Hands EXCHANGE to curl; its name is known and was judged to be good.
 * IS_FRESH: on a connection of its own. */
static void dial(exchange_t *exchange, int is_fresh)
{
    idv_http_client_t *client = exchange->client;
    CURL *easy = take_handle(client);

    exchange->dialled = idv_time_steady();
    fill_transfer(exchange, is_fresh);
    if (easy && idv_http_transfer_begin(&exchange->transfer, easy) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange) == CURLE_OK
        && curl_multi_add_handle(client->multi, easy) == CURLM_OK) {
        exchange->easy = easy;
        return;
    }
    curl_easy_cleanup(easy);
    end_later(exchange, IDV_HTTP_CONNECTION_REFUSED);
}

/* --- names --- */

static void stop_waiting(exchange_t *exchange)
{
    idv_http_client_t *client = exchange->client;

    leave_queue(exchange, &client->waiting, &client->waiting_end);
    exchange->is_waiting = 0;
    idv_name_waiter_forget(&exchange->waiter);
}

static void use_name(exchange_t *exchange, const idv_known_name_t *name)
{
    if (name->result != IDV_HTTP_OK) {
        end_later(exchange, name->result);
        return;
    }
    exchange->addresses = apr_pstrdup(exchange->pool, name->addresses);
    dial(exchange, 0);
}

static void on_name_known(void *baton, const idv_known_name_t *name)
{
    exchange_t *exchange = baton;

    stop_waiting(exchange);
    use_name(exchange, name);
    set_timer(exchange->client);
}

static void find_name(exchange_t *exchange)
{
    idv_http_client_t *client = exchange->client;
    const char *host = exchange->host;
    const idv_known_name_t *name;
    idv_name_question_t question = {host, exchange->request->owner,
                                    idv_time_now()};

    if (*host == '[') /* an IPv6 address */
        question.host =
            apr_pstrmemdup(exchange->pool, host + 1, strlen(host) - 2);
    exchange->waiter.known = on_name_known;
    exchange->waiter.baton = exchange;
    name = idv_name_table_find(client->names, &question, &exchange->waiter);
    if (name) {
        use_name(exchange, name);
        return;
    }
    exchange->is_waiting = 1;
    join_queue(exchange, &client->waiting_end);
    set_timer(client);
}

void idv_http_client_send(idv_http_client_t *client,
                          const idv_http_request_t *request,
                          idv_http_done_t *done, void *baton, apr_pool_t *pool)
{
    exchange_t *exchange = apr_pcalloc(pool, sizeof(*exchange));
    const target_t *target = find_target(client, request->url);

    exchange->client = client;
    exchange->request = request;
    exchange->done = done;
    exchange->baton = baton;
    exchange->pool = pool;
    exchange->transfer.response.headers = apr_table_make(pool, 1);
    exchange->started = idv_time_steady();
    link_exchange(exchange);
    if (!target->host) {
        end_later(exchange, IDV_HTTP_DNS_ERROR);
        return;
    }
    exchange->host = apr_pstrdup(pool, target->host);
    exchange->port = apr_pstrdup(pool, target->port);
    find_name(exchange);
}

/* --- the host's calls --- */

static void finish(CURLMsg *message)
{
    CURLcode code = message->data.result;
    CURL *easy = message->easy_handle;
    exchange_t *exchange = NULL;
    int again;

    /* curl_easy_getinfo() fails for an argument of NULL only. A handle without
     * its exchange would mean that memory is overwritten. */
    if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, &exchange) != CURLE_OK
        || !exchange)
        abort();
    idv_http_transfer_end(&exchange->transfer, code);
    if (exchange->transfer.pin && code == CURLE_OK)
        note_pin(exchange);
    again = idv_http_transfer_met_old_end(&exchange->transfer, code);
    give_back_handle(exchange);
    if (again)
        dial(exchange, 1);
    else
        tell(exchange);
}

static void collect(idv_http_client_t *client)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(client->multi, &left)))
        if (message->msg == CURLMSG_DONE)
            finish(message);
}

/* After a failure of the multi interface itself, for lack of memory or because
 * of a bug in curl: curl may never return to an exchange, so all of its
 * exchanges end now instead of never. */
static void end_all_dialled(idv_http_client_t *client)
{
    for (exchange_t *e = client->exchanges; e; e = e->next)
        if (e->easy) {
            curl_multi_remove_handle(client->multi, e->easy);
            curl_easy_cleanup(e->easy);
            e->easy = NULL;
            end_later(e, IDV_HTTP_CONNECTION_REFUSED);
        }
}

static void act(idv_http_client_t *client, curl_socket_t fd, int events)
{
    int running;
    CURLMcode code =
        curl_multi_socket_action(client->multi, fd, events, &running);

    collect(client);
    if (code != CURLM_OK)
        end_all_dialled(client);
}

void idv_http_client_ready(idv_http_client_t *client, int fd, int readable,
                           int writable)
{
    if (idv_name_table_collect(client->names, fd))
        return;
    act(client, fd,
        (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0));
}

static void end_overdue_waiting(idv_http_client_t *client, idv_time_t now)
{
    while (client->waiting
           && client->waiting->started + client->config->timeout <= now) {
        exchange_t *exchange = client->waiting;

        stop_waiting(exchange);
        end_later(exchange, IDV_HTTP_TIMEOUT);
    }
}

/* Notifies the owners of exchanges that have ended by now. An owner may then
 * end further exchanges and destroy their pools; those are reported the next
 * time. */
static void tell_ended(idv_http_client_t *client)
{
    int count = 0;

    for (exchange_t *e = client->ended; e; e = e->queue_next)
        count++;
    while (count-- > 0 && client->ended) {
        exchange_t *exchange = client->ended;

        leave_queue(exchange, &client->ended, &client->ended_end);
        exchange->has_ended = 0;
        tell(exchange);
    }
}

void idv_http_client_timeout(idv_http_client_t *client)
{
    idv_time_t now = idv_time_steady();

    end_overdue_waiting(client, now);
    tell_ended(client);
    if (client->curl_due != NEVER && client->curl_due <= now) {
        client->curl_due = NEVER;
        act(client, CURL_SOCKET_TIMEOUT, 0);
    }
    set_timer(client);
}

int idv_http_client_count(const idv_http_client_t *client)
{
    return client->count;
}

static int on_curl_socket(CURL *easy, curl_socket_t fd, int action, void *baton,
                          void *unused)
{
    idv_http_client_t *client = baton;

    (void)easy;
    (void)unused;
    client->host.watch(client->host.baton, fd,
                       action == CURL_POLL_IN || action == CURL_POLL_INOUT,
                       action == CURL_POLL_OUT || action == CURL_POLL_INOUT);
    return 0;
}

static int on_curl_timer(CURLM *multi, long milliseconds, void *baton)
{
    idv_http_client_t *client = baton;

    (void)multi;
    client->curl_due =
        milliseconds < 0 ? NEVER : idv_time_steady() + milliseconds;
    set_timer(client);
    return 0;
}

/* Ends EXCHANGE in whatever state it is, without telling its owner. */
static void cancel(exchange_t *exchange)
{
    idv_http_client_t *client = exchange->client;

    if (exchange->is_waiting)
        stop_waiting(exchange);
    if (exchange->has_ended)
        leave_queue(exchange, &client->ended, &client->ended_end);
    if (exchange->easy)
        give_back_handle(exchange);
    unlink_exchange(exchange);
}

/* Cleanup of a request's pool that is destroyed before its exchange has ended:
 * because the client's pool above it is, or because nobody wants the answer any
 * more. */
static apr_status_t end_with_pool(void *baton)
{
    cancel(baton);
    return APR_SUCCESS;
}

/* Cleanup of the client's pool. Exchanges whose own pools live longer end
 * here. */
static apr_status_t close_client(void *baton)
{
    idv_http_client_t *client = baton;

    while (client->exchanges)
        cancel(client->exchanges);
    while (client->idle_count)
        curl_easy_cleanup(client->idle[--client->idle_count]);
    curl_multi_cleanup(client->multi);
    curl_share_cleanup(client->share);
    return APR_SUCCESS;
}

static CURLMcode set_up_multi(idv_http_client_t *client)
{
    CURLM *multi = client->multi;
    CURLMcode code =
        curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);

    if (code == CURLM_OK)
        code = curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS,
                                 (long)client->config->kept_connections);
    if (code == CURLM_OK)
        code =
            curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_curl_socket);
    if (code == CURLM_OK)
        code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, client);
    if (code == CURLM_OK)
        code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_curl_timer);
    if (code == CURLM_OK)
        code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, client);
    return code;
}

idv_error_t *idv_http_client_create(const idv_http_client_config_t *config,
                                    const idv_http_client_host_t *host,
                                    idv_http_client_t **out, apr_pool_t *pool)
{
    idv_http_client_t *client = apr_pcalloc(pool, sizeof(*client));

    client->config = config;
    client->host = *host;
    apr_pool_create(&client->target_pool, pool);
    client->targets = apr_hash_make(client->target_pool);
    client->waiting_end = &client->waiting;
    client->ended_end = &client->ended;
    client->curl_due = NEVER;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return idv_error_internal(pool, "libcurl does not start");
    client->multi = curl_multi_init();
    client->share = curl_share_init();
    if (!client->multi || !client->share)
        return idv_error_internal(pool, "libcurl is out of memory");
    apr_pool_cleanup_register(pool, client, close_client,
                              apr_pool_cleanup_null);
    if (curl_share_setopt(client->share, CURLSHOPT_SHARE,
                          CURL_LOCK_DATA_SSL_SESSION)
            != CURLSHE_OK
        || set_up_multi(client) != CURLM_OK)
        return idv_error_internal(pool, "libcurl refuses its options");
    IDV_TRY(idv_name_table_create(config->allowed, &client->names, pool));
    for (int i = 0; i < IDV_NAME_TABLE_DESCRIPTORS; i++)
        host->watch(host->baton, idv_name_table_descriptor(client->names, i), 1,
                    0);
    *out = client;
    return NULL;
}
