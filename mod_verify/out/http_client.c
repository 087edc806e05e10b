/* SPDX-License-Identifier: Apache-2.0 */
#include "out/http_client.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <apr_strings.h>
#include <curl/curl.h>

#include "out/address_guard.h"
#include "out/name_table.h"
#include "out/http_target.h"

#define IDLE_HANDLES 256      /* easy handles kept for the next exchanges */
#define HEADERS_KEPT 32       /* response headers that are reported */
#define HEADER_VALUE_KEPT 512 /* bytes of each, and of all of a name */
/* Bytes that each exchange under way has of its own; most need one kilobyte. */
#define RECEIVE_BUFFER 2048L
#define SEND_BUFFER 16384L /* the least that curl takes */
#define NEVER (-1)

typedef struct exchange_t exchange_t;

struct idv_http_client_t {
    const idv_http_client_config_t *config;
    idv_http_client_host_t host;
    idv_name_table_t *names;
    idv_http_targets_t *targets;
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
    CURL *easy;
    idv_time_t dialled;    /* monotonic */
    int pinning;           /* it tells curl the addresses */
    int refused;           /* the guard closed a dial */
    int fresh;             /* tried again on a new connection */
    const char *addresses; /* what the name was judged by */
    int too_large;
    apr_size_t received, header_bytes;
    apr_table_t *headers;
    char *body;
    idv_http_response_t response;
};

static const char *const result_codes[] = {NULL,
#define X(name, code, message) code,
                                           IDV_HTTP_FAILURES(X)
#undef X
};
static const char *const result_messages[] = {NULL,
#define X(name, code, message) message,
                                              IDV_HTTP_FAILURES(X)
#undef X
};

const char *idv_http_result_code(idv_http_result_t result)
{
    return result_codes[result];
}

const char *idv_http_result_message(idv_http_result_t result)
{
    return result_messages[result];
}

/* What curl's failures mean; those not listed broke the connection. */
static const struct {
    CURLcode code;
    idv_http_result_t result;
} curl_results[] = {
    {CURLE_OK, IDV_HTTP_OK},
    {CURLE_COULDNT_RESOLVE_HOST, IDV_HTTP_DNS_ERROR},
    {CURLE_OPERATION_TIMEDOUT, IDV_HTTP_TIMEOUT},
    {CURLE_SSL_CONNECT_ERROR, IDV_HTTP_TLS_ERROR},
    {CURLE_PEER_FAILED_VERIFICATION, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CERTPROBLEM, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CIPHER, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_ISSUER_ERROR, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CACERT_BADFILE, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CRL_BADFILE, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_INVALIDCERTSTATUS, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_PINNEDPUBKEYNOTMATCH, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CLIENTCERT, IDV_HTTP_TLS_ERROR},
    {CURLE_USE_SSL_FAILED, IDV_HTTP_TLS_ERROR},
    {CURLE_FILESIZE_EXCEEDED, IDV_HTTP_RESPONSE_TOO_LARGE},
};

static idv_http_result_t classify(const exchange_t *exchange, CURLcode code)
{
    if (exchange->too_large)
        return IDV_HTTP_RESPONSE_TOO_LARGE;
    if (code != CURLE_OK && exchange->refused)
        return IDV_HTTP_ADDRESS_FORBIDDEN;
    /* A server may answer in full, and end the stream, before it has read the
     * request (RFC 9113, 8.1); libcurl takes that for a broken stream. */
    if (code == CURLE_HTTP2_STREAM && exchange->response.status_code)
        code = CURLE_OK;
    if (code == CURLE_OK && exchange->response.status_code / 100 != 2)
        return IDV_HTTP_STATUS;
    for (size_t i = 0; i < sizeof(curl_results) / sizeof(*curl_results); i++)
        if (curl_results[i].code == code)
            return curl_results[i].result;
    return IDV_HTTP_CONNECTION_REFUSED;
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

/* The client knows nothing of the exchange from here on. */
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
    exchange->response.headers = exchange->headers;
    exchange->response.body = exchange->body;
    exchange->response.duration_ms =
        (int)(idv_time_steady() - exchange->started);
    unlink_exchange(exchange);
    exchange->done(exchange->baton, &exchange->response);
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

/* When the client has to be called at the latest. */
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

/* The exchange ends without curl; its owner hears of it from the timeout. */
static void end_later(exchange_t *exchange, idv_http_result_t result)
{
    idv_http_client_t *client = exchange->client;

    exchange->response.result = result;
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

/* --- what arrives --- */

static size_t on_body(char *data, size_t size, size_t count, void *baton)
{
    exchange_t *exchange = baton;
    size_t length = size * count, room;

    exchange->received += length;
    if (exchange->received > IDV_HTTP_RESPONSE_CAP) {
        exchange->too_large = 1;
        return 0;
    }
    room = IDV_HTTP_BODY_KEPT - exchange->response.body_length;
    if (room > length)
        room = length;
    if (room) {
        if (!exchange->body)
            exchange->body = apr_palloc(exchange->pool, IDV_HTTP_BODY_KEPT);
        memcpy(exchange->body + exchange->response.body_length, data, room);
        exchange->response.body_length += room;
    }
    return length;
}

/* Printable ASCII: it will be shown and stored. */
static char *clean(const char *text, size_t length, apr_pool_t *pool)
{
    char *copy;

    if (length > HEADER_VALUE_KEPT)
        length = HEADER_VALUE_KEPT;
    copy = apr_pstrmemdup(pool, text, length);
    for (char *c = copy; c < copy + length; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    return copy;
}

/* Joined like apr_table_mergen() does, which copies all of it each time. */
static void add_header(exchange_t *exchange, const char *name,
                       const char *value)
{
    const char *known = apr_table_get(exchange->headers, name);

    if (!known || strlen(known) + strlen(value) + 2 <= HEADER_VALUE_KEPT)
        apr_table_mergen(exchange->headers, name, value);
}

static void keep_header(exchange_t *exchange, const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length), *value;
    char *name;

    if (!colon || colon == line
        || apr_table_elts(exchange->headers)->nelts >= HEADERS_KEPT)
        return;
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    value = colon + 1;
    while (value < line + length && isspace((unsigned char)*value))
        value++;
    name = clean(line, (size_t)(colon - line), exchange->pool);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    add_header(
        exchange, name,
        clean(value,
              value < line + length ? (size_t)(line + length - value) : 0,
              exchange->pool));
}

static size_t on_header(char *line, size_t size, size_t count, void *baton)
{
    exchange_t *exchange = baton;
    size_t length = size * count;

    exchange->header_bytes += length;
    if (exchange->header_bytes > IDV_HTTP_HEADERS_CAP) {
        exchange->too_large = 1;
        return 0;
    }
    /* An interim response (1xx) is followed by another status line. */
    if (length > 5 && memcmp(line, "HTTP/", 5) == 0)
        apr_table_clear(exchange->headers);
    else
        keep_header(exchange, line, length);
    return length;
}

/* The guard at the last moment: what is really dialled. */
static curl_socket_t on_open_socket(void *baton, curlsocktype purpose,
                                    struct curl_sockaddr *address)
{
    exchange_t *exchange = baton;

    (void)purpose;
    if (idv_address_refusal(&address->addr,
                            exchange->client->config->allowed)) {
        exchange->refused = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC,
                  address->protocol);
}

/* --- handles --- */

/* An option that curl refuses, mostly for want of memory, might be the guard:
 * nothing is dialled then. */
#define SET(option, value)                                                     \
    (refused |= curl_easy_setopt(easy, option, value) != CURLE_OK)

/* What all exchanges have in common; non-zero when curl refuses some of it. */
static int set_common(CURL *easy, const idv_http_client_t *client)
{
    const idv_http_client_config_t *config = client->config;
    int refused = 0;

    SET(CURLOPT_SHARE, client->share);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    /* The environment must not choose a proxy: it would dial for us. */
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_PIPEWAIT, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_BUFFERSIZE, RECEIVE_BUFFER);
    SET(CURLOPT_UPLOAD_BUFFERSIZE, SEND_BUFFER);
    SET(CURLOPT_USERAGENT, IDV_HTTP_USER_AGENT);
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
    if (config->ca_file)
        SET(CURLOPT_CAINFO, config->ca_file);
    /* With a directory set, curl reads the file anew for each connection. */
    SET(CURLOPT_CAPATH, NULL);
    return refused;
}

static CURL *take_handle(idv_http_client_t *client)
{
    CURL *easy;

    if (client->idle_count)
        return client->idle[--client->idle_count];
    easy = curl_easy_init();
    if (easy && set_common(easy, client)) {
        curl_easy_cleanup(easy);
        return NULL;
    }
    return easy;
}

/* curl reads lists only, so they need not be its own. */
static struct curl_slist *make_list(const char *const *texts, apr_pool_t *pool)
{
    struct curl_slist *first = NULL, **end = &first;

    for (; *texts; texts++) {
        struct curl_slist *entry = apr_palloc(pool, sizeof(*entry));

        entry->data = (char *)*texts;
        entry->next = NULL;
        *end = entry;
        end = &entry->next;
    }
    return first;
}

static struct curl_slist *make_pin(const exchange_t *exchange)
{
    const char *pins[] = {apr_pstrcat(exchange->pool, "+", exchange->host, ":",
                                      exchange->port, ":", exchange->addresses,
                                      NULL),
                          NULL};

    return make_list(pins, exchange->pool);
}

/* What is this exchange's own; non-zero when curl refuses some of it. */
static int set_own(CURL *easy, exchange_t *exchange)
{
    const idv_http_request_t *request = exchange->request;
    idv_time_t left = exchange->client->config->timeout
                    - (exchange->dialled - exchange->started);
    int refused = 0;

    SET(CURLOPT_RESOLVE, exchange->pinning ? make_pin(exchange) : NULL);
    SET(CURLOPT_FRESH_CONNECT, (long)exchange->fresh);
    SET(CURLOPT_HTTP_VERSION, exchange->fresh ? (long)CURL_HTTP_VERSION_1_1
                                              : (long)CURL_HTTP_VERSION_2TLS);
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    SET(CURLOPT_POSTFIELDS, request->body);
    SET(CURLOPT_HTTPHEADER, make_list(request->headers, exchange->pool));
    SET(CURLOPT_TIMEOUT_MS, (long)(left > 1 ? left : 1));
    SET(CURLOPT_PRIVATE, exchange);
    SET(CURLOPT_WRITEDATA, exchange);
    SET(CURLOPT_HEADERDATA, exchange);
    SET(CURLOPT_OPENSOCKETDATA, exchange);
    return refused;
}

#undef SET

/* The name is known and good: hand the exchange to curl. */
static void dial(exchange_t *exchange, const char *addresses)
{
    idv_http_client_t *client = exchange->client;
    CURL *easy = take_handle(client);

    exchange->addresses = addresses;
    exchange->dialled = idv_time_steady();
    exchange->pinning = !idv_http_target_is_pinned(
        idv_http_targets_find(client->targets, exchange->request->url),
        addresses, exchange->dialled);
    if (easy && !set_own(easy, exchange)
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
    if (name->result == IDV_HTTP_OK)
        dial(exchange, apr_pstrdup(exchange->pool, name->addresses));
    else
        end_later(exchange, name->result);
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
    const idv_http_target_t *target =
        idv_http_targets_find(client->targets, request->url);

    exchange->client = client;
    exchange->request = request;
    exchange->done = done;
    exchange->baton = baton;
    exchange->pool = pool;
    exchange->headers = apr_table_make(pool, 8);
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

/* A receiver that closes its idle connections, or an HTTP/2 stream before its
 * answer was seen, has not refused anything: what met such an end gets one
 * connection of its own, with HTTP/1.1. */
static int deserves_fresh_connection(const exchange_t *exchange, CURL *easy,
                                     CURLcode code)
{
    long connects = 1;

    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connects);
    return exchange->response.result == IDV_HTTP_CONNECTION_REFUSED
        && !exchange->response.status_code && !exchange->fresh
        && (connects == 0 || code == CURLE_HTTP2_STREAM);
}

static void finish(CURLMsg *message)
{
    CURLcode code = message->data.result;
    CURL *easy = message->easy_handle;
    exchange_t *exchange = NULL;
    long status = 0;
    int again;

    /* It fails for an argument of NULL only; without its exchange, the handle
     * would be of no use to anybody. */
    if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, &exchange) != CURLE_OK
        || !exchange)
        abort();
    if (curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK)
        status = 0;
    exchange->response.status_code = (int)status;
    exchange->response.result = classify(exchange, code);
    if (exchange->pinning && code == CURLE_OK)
        idv_http_target_note(idv_http_targets_find(exchange->client->targets,
                                                   exchange->request->url),
                             exchange->addresses, exchange->dialled);
    again = deserves_fresh_connection(exchange, easy, code);
    give_back_handle(exchange);
    if (again) {
        exchange->fresh = 1;
        exchange->received = exchange->header_bytes = 0;
        dial(exchange, exchange->addresses);
    } else {
        tell(exchange);
    }
}

static void collect(idv_http_client_t *client)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(client->multi, &left)))
        if (message->msg == CURLMSG_DONE)
            finish(message);
}

/* curl is out of memory, or out of step with itself: it may not come back to
 * any of its exchanges, and none must be waited for in vain. */
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

/* Those that have ended by now; what they are told may end others, and take
 * their pools. */
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

/* Whatever the client holds of an exchange goes; nobody is told. */
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

/* The pool of a request goes before its exchange has ended: as a child of the
 * client's pool that goes, or because the answer is not wanted any more. */
static apr_status_t end_with_pool(void *baton)
{
    cancel(baton);
    return APR_SUCCESS;
}

/* Exchanges whose pools outlive the client's are left without it. */
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
    client->targets = idv_http_targets_create(pool);
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
