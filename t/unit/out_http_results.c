/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the HTTP client reports of every way in which an exchange can end, on a
 * handle that was used for an exchange that ended in any other way: no field of
 * a result may come from the exchange before.
 */
#include "unit/http_host.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAP 20000
#define TIMEOUT 1000 /* ms */

#define FINE "HTTP/1.1 200 OK\r\nX-Kind: fine\r\nContent-Length: 4\r\n\r\nfine"

/* --- how exchanges end --- */

typedef struct {
    const char *name;
    /* What the receiver at the path /NAME does. */
    const char *answer; /* NULL: none */
    size_t flood;       /* bytes of header lines, or of a body */
    enum { KEEP, CLOSE, RESET, HANG } then;
    /* What the client reports: as a webhook (the status decides), and as a
     * fetch (the response has to be whole). */
    idv_http_result_t webhook, fetch;
    int status;
    const char *url; /* NULL: the receiver's */
} kind_t;

static const kind_t kinds[] = {
    {"fine", FINE, 0, KEEP, IDV_HTTP_OK, IDV_HTTP_OK, 200, NULL},
    {"fine6", FINE, 0, KEEP, IDV_HTTP_OK, IDV_HTTP_OK, 200,
     "http://[::1]:%d/fine6"},
    {"long6", FINE, 0, CLOSE, IDV_HTTP_OK, IDV_HTTP_OK, 200,
     "http://[0:0:0:0:0:0:0:1]:%d/long6"},
    {"empty", "HTTP/1.1 204 No Content\r\n\r\n", 0, KEEP, IDV_HTTP_OK,
     IDV_HTTP_OK, 204, NULL},
    {"missing", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 0, KEEP,
     IDV_HTTP_STATUS, IDV_HTTP_STATUS, 404, NULL},
    {"interim", "HTTP/1.1 103 Early Hints\r\nX-Hint: 1\r\n\r\n" FINE, 0, KEEP,
     IDV_HTTP_OK, IDV_HTTP_OK, 200, NULL},
    {"hint", "HTTP/1.1 103 Early Hints\r\nX-Hint: 1\r\n\r\n", 0, CLOSE,
     IDV_HTTP_CONNECTION_REFUSED, IDV_HTTP_CONNECTION_REFUSED, 0, NULL},
    {"cut", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfine", 0, CLOSE,
     IDV_HTTP_OK, IDV_HTTP_CONNECTION_REFUSED, 200, NULL},
    {"chunk",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\nzz\r\n",
     0, CLOSE, IDV_HTTP_OK, IDV_HTTP_CONNECTION_REFUSED, 200, NULL},
    {"flood", "HTTP/1.1 202 Accepted\r\n\r\n", 2 * CAP, CLOSE, IDV_HTTP_OK,
     IDV_HTTP_RESPONSE_TOO_LARGE, 202, NULL},
    {"error", "HTTP/1.1 500 Error\r\nContent-Length: 100\r\n\r\nfine", 0, CLOSE,
     IDV_HTTP_STATUS, IDV_HTTP_CONNECTION_REFUSED, 500, NULL},
    {"reset", "HTTP/1.1 200 OK\r\n\r\nfine", 0, RESET, IDV_HTTP_OK,
     IDV_HTTP_CONNECTION_REFUSED, 200, NULL},
    {"headers", "HTTP/1.1 200 OK\r\n", 2 * IDV_HTTP_HEADERS_CAP, CLOSE,
     IDV_HTTP_RESPONSE_TOO_LARGE, IDV_HTTP_RESPONSE_TOO_LARGE, 200, NULL},
    {"half", "HTTP/1.1 200 OK\r\nX-Half: 1\r\n", 0, CLOSE,
     IDV_HTTP_CONNECTION_REFUSED, IDV_HTTP_CONNECTION_REFUSED, 200, NULL},
    {"nothing", NULL, 0, CLOSE, IDV_HTTP_CONNECTION_REFUSED,
     IDV_HTTP_CONNECTION_REFUSED, 0, NULL},
    {"no name", NULL, 0, CLOSE, IDV_HTTP_DNS_ERROR, IDV_HTTP_DNS_ERROR, 0,
     "http://"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     ".example:%d/"},
    {"forbidden", NULL, 0, CLOSE, IDV_HTTP_ADDRESS_FORBIDDEN,
     IDV_HTTP_ADDRESS_FORBIDDEN, 0, "http://169.254.169.254:%d/"},
    {"forbidden6", NULL, 0, CLOSE, IDV_HTTP_ADDRESS_FORBIDDEN,
     IDV_HTTP_ADDRESS_FORBIDDEN, 0, "http://[fe80::1]:%d/"},
    /* Slow ones, from here on: nobody ends them but the timeout. */
    {"endless", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfine", 0, HANG,
     IDV_HTTP_OK, IDV_HTTP_TIMEOUT, 200, NULL},
    {"silent", NULL, 0, HANG, IDV_HTTP_TIMEOUT, IDV_HTTP_TIMEOUT, 0, NULL},
};

#define KINDS ((int)(sizeof(kinds) / sizeof(*kinds)))
#define SLOW 2

/* --- the receiver --- */

static int read_request(int fd, char *request, size_t size)
{
    size_t length = 0;

    *request = '\0';
    while (!strstr(request, "\r\n\r\nbody") && !strstr(request, "GET ")) {
        ssize_t got = recv(fd, request + length, size - 1 - length, 0);

        if (got <= 0)
            return 0;
        length += (size_t)got;
        request[length] = '\0';
    }
    return 1;
}

static void flood(int fd, size_t length)
{
    char bytes[1000];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = "x: yyyyy\r\n"[i % 10];
    for (; length > 0; length -= sizeof(bytes))
        if (send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL) < 0)
            return;
}

static const kind_t *find_kind(const char *request)
{
    const char *path = strchr(request, '/');

    for (int i = 0; path && i < KINDS; i++) {
        size_t length = strlen(kinds[i].name);

        if (strncmp(path + 1, kinds[i].name, length) == 0
            && path[1 + length] == ' ')
            return &kinds[i];
    }
    return NULL;
}

static void serve(int fd)
{
    const struct linger at_once = {1, 0};
    const kind_t *kind;
    char request[2048];

    while (read_request(fd, request, sizeof(request))
           && (kind = find_kind(request))) {
        if (kind->answer)
            (void)!send(fd, kind->answer, strlen(kind->answer), MSG_NOSIGNAL);
        flood(fd, kind->flood);
        if (kind->then == HANG)
            (void)!recv(fd, request, sizeof(request), 0);
        if (kind->then == RESET)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
        if (kind->then != KEEP)
            return;
    }
}

static int listen_at_loopback(int *port)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6,
                                   .sin6_addr = IN6ADDR_ANY_INIT};
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET6, SOCK_STREAM, 0), off = 0;

    assert_true(fd >= 0);
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(fd, 64), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin6_port);
    return fd;
}

static pid_t start_receiver(int *port)
{
    int fd = listen_at_loopback(port);
    pid_t pid = fork();

    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGCHLD, SIG_IGN);
        for (;;) {
            int connection = accept(fd, NULL, NULL);

            if (connection >= 0 && fork() == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                close(fd);
                serve(connection);
                close(connection);
                _exit(0);
            }
            close(connection);
        }
    }
    close(fd);
    return pid;
}

/* --- exchanges --- */

typedef struct {
    const kind_t *kind;
    const char *before; /* how the exchanges before it ended */
    int is_webhook;
    idv_http_request_t request;
    int *left;
} exchange_t;

static void check(void *baton, const idv_http_response_t *response)
{
    const exchange_t *exchange = baton;
    const kind_t *kind = exchange->kind;
    const char *hint = apr_table_get(response->headers, "x-hint");
    const char *body = kind->answer ? strstr(kind->answer, "fine") : NULL;
    idv_http_result_t wanted =
        exchange->is_webhook ? kind->webhook : kind->fetch;

    if (response->result != wanted || response->status_code != kind->status)
        fail_msg("%s after %s: result %d, not %d, status %d, not %d",
                 kind->name, exchange->before, (int)response->result,
                 (int)wanted, response->status_code, kind->status);
    if (kind->status == 0 && apr_table_elts(response->headers)->nelts && !hint)
        fail_msg("%s after %s has headers", kind->name, exchange->before);
    if (response->body_length && !body && !kind->flood)
        fail_msg("%s after %s has a body", kind->name, exchange->before);
    --*exchange->left;
}

/* Starts an exchange of KIND, behind ones that ended as BEFORE. */
static void start(http_host_t *host, const exchange_t *wish, int port,
                  apr_pool_t *pool)
{
    static const char *const headers[] = {"Content-Type: text/plain", NULL};
    exchange_t *exchange = apr_pmemdup(pool, wish, sizeof(*wish));
    idv_http_request_t *request = &exchange->request;

    request->url = exchange->kind->url
                     ? apr_psprintf(pool, exchange->kind->url, port)
                     : apr_psprintf(pool, "http://127.0.0.1:%d/%s", port,
                                    exchange->kind->name);
    request->owner = "org_test";
    request->headers = headers;
    request->body = "body";
    request->body_length = 4;
    request->status_decides = exchange->is_webhook;
    idv_http_client_send(host->client, request, check, exchange, pool);
}

static void wait_for_all(http_host_t *host, const int *left)
{
    while (*left)
        http_host_turn(host);
}

/* Whether SECOND is tried after FIRST: the slow kinds only after some. */
static int is_tried(int first, int second)
{
    return second < KINDS - SLOW || first % 9 == 0;
}

/* Leaves as many handles behind as there are kinds, each of an exchange that
 * ended as FIRST (of a slow kind one, for which curl would have the others
 * wait), and uses them for one exchange of each kind. */
static void try_all_after(const idv_http_client_config_t *config, int first,
                          int port, apr_pool_t *pool)
{
    http_host_t *host = http_host_start(config, pool);
    int count = first < KINDS - SLOW ? KINDS : 1, left = count;

    for (int i = 0; i < count; i++)
        start(host, &(exchange_t){&kinds[first], "none", 1, {0}, &left}, port,
              pool);
    wait_for_all(host, &left);
    for (int is_webhook = 0; is_webhook <= 1; is_webhook++) {
        for (int second = 0; second < KINDS; second++) {
            if (!is_tried(first, second))
                continue;
            left++;
            start(
                host,
                &(exchange_t){
                    &kinds[second], kinds[first].name, is_webhook, {0}, &left},
                port, pool);
        }
        wait_for_all(host, &left);
    }
}

static void every_end_after_every_other(void **state)
{
    idv_http_client_config_t config = {.timeout = TIMEOUT,
                                       .kept_connections = 8,
                                       .response_cap = CAP,
                                       .allows_plain = 1};
    apr_array_header_t *allowed = http_host_loopback(*state);
    int port;
    pid_t receiver = start_receiver(&port);

    assert_null(
        idv_address_range_parse("::1", apr_array_push(allowed), *state));
    config.allowed = allowed;
    for (int first = 0; first < KINDS; first++) {
        apr_pool_t *pool;

        assert_int_equal(apr_pool_create(&pool, *state), APR_SUCCESS);
        try_all_after(&config, first, port, pool);
        apr_pool_destroy(pool);
    }
    kill(receiver, SIGTERM);
    waitpid(receiver, NULL, 0);
}

/* --- a receiver that answers before it has read the request --- */

/* Reads READ bytes of each request, answers and resets the connection. */
static pid_t start_early_receiver(size_t read, int *port)
{
    static const char answer[] = "HTTP/1.1 413 Too Large\r\nX-Kind: "
                                 "early\r\nContent-Length: 4\r\n\r\nfull";
    const struct linger at_once = {1, 0};
    int fd = listen_at_loopback(port);
    pid_t pid = fork();

    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) {
            int connection = accept(fd, NULL, NULL);
            char bytes[4096];

            for (size_t left = read; left > 0;) {
                ssize_t got =
                    recv(connection, bytes,
                         left < sizeof(bytes) ? left : sizeof(bytes), 0);

                if (got <= 0)
                    break;
                left -= (size_t)got;
            }
            (void)!send(connection, answer, sizeof(answer) - 1, MSG_NOSIGNAL);
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once,
                       sizeof(at_once));
            close(connection);
        }
    }
    close(fd);
    return pid;
}

typedef struct {
    int told;
    idv_http_result_t result;
    int status_code;
    apr_size_t body_length;
} outcome_t;

static void note(void *baton, const idv_http_response_t *response)
{
    *(outcome_t *)baton = (outcome_t){
        1, response->result, response->status_code, response->body_length};
}

static outcome_t post(int port, apr_size_t length, apr_pool_t *pool)
{
    idv_http_client_config_t config = {.allowed = http_host_loopback(pool),
                                       .timeout = 10 * IDV_SECOND,
                                       .kept_connections = 1,
                                       .allows_plain = 1};
    static const char *const headers[] = {"Content-Type: text/plain",
                                          "Expect:", NULL};
    http_host_t *host = http_host_start(&config, pool);
    idv_http_request_t request = {
        .url = apr_psprintf(pool, "http://127.0.0.1:%d/", port),
        .owner = "org_test",
        .headers = headers,
        .body = apr_pcalloc(pool, length),
        .body_length = length,
        .status_decides = 1};
    outcome_t outcome = {0};

    idv_http_client_send(host->client, &request, note, &outcome, pool);
    while (!outcome.told)
        http_host_turn(host);
    return outcome;
}

/* The client has sent all that its socket takes when the receiver answers, as
 * is the case for events: libcurl reads no answer when sending has failed. */
static void an_answer_before_a_reset(void **state)
{
    static const apr_size_t lengths[] = {4, 2000, 20000};
    static const size_t reads[] = {1, 100, 5000};

    for (size_t r = 0; r < sizeof(reads) / sizeof(*reads); r++) {
        int port;
        pid_t receiver = start_early_receiver(reads[r], &port);

        for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
            outcome_t outcome;

            if (lengths[l] + 100 < reads[r])
                continue; /* it would wait for more */
            outcome = post(port, lengths[l], *state);
            if (outcome.result != IDV_HTTP_STATUS || outcome.status_code != 413
                || outcome.body_length != 4)
                fail_msg("%d of %d bytes read: result %d, status %d",
                         (int)reads[r], (int)lengths[l], (int)outcome.result,
                         outcome.status_code);
        }
        kill(receiver, SIGTERM);
        waitpid(receiver, NULL, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(every_end_after_every_other),
        pooled_test(an_answer_before_a_reset),
    };

    return unit_run("out/http_client, results", tests);
}
