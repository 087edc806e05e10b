/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTTP client as lists of revoked documents are fetched with: GETs, http,
 * responses of any length up to a cap, the guard of addresses all the same.
 */
#include "unit/http_host.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAP ((apr_size_t)300000)

/* --- a publisher: one answer for each connection --- */

static void write_all(int fd, const char *bytes, size_t length)
{
    while (length) {
        ssize_t written = send(fd, bytes, length, MSG_NOSIGNAL);

        if (written <= 0)
            return;
        bytes += written;
        length -= (size_t)written;
    }
}

/* Answers "/N" with N bytes, and with the request's first word as a header. */
static void answer(int fd)
{
    char request[2048] = "", method[16] = "";
    size_t length = 0, wanted = 0;
    char head[256], *body;

    while (!strstr(request, "\r\n\r\n") && length < sizeof(request) - 1) {
        ssize_t got = recv(fd, request + length, sizeof(request) - 1 - length,
                           0);

        if (got <= 0)
            return;
        length += (size_t)got;
        request[length] = '\0';
    }
    if (sscanf(request, "%15s /%zu", method, &wanted) != 2)
        return;
    body = malloc(wanted + 1);
    for (size_t i = 0; i < wanted; i++)
        body[i] = (char)('a' + i % 23);
    snprintf(head, sizeof(head),
             "HTTP/1.1 200 OK\r\nX-Method: %s\r\nX-Length: %d\r\n"
             "Content-Length: %zu\r\nConnection: close\r\n\r\n",
             method, strcasestr(request, "content-length") != NULL, wanted);
    write_all(fd, head, strlen(head));
    write_all(fd, body, wanted);
    free(body);
}

static pid_t start_publisher(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    pid_t pid;

    assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(fd, 16), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    pid = fork();
    if (pid == 0) {
        /* Also when a test fails before it says so. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) {
            int connection = accept(fd, NULL, NULL);

            if (connection < 0)
                _exit(1);
            answer(connection);
            close(connection);
        }
    }
    close(fd);
    return pid;
}

/* --- fetching --- */

typedef struct {
    int told;
    idv_http_result_t result;
    apr_size_t length;
    int is_whole;
    const char *method, *has_length;
} outcome_t;

static void note(void *baton, const idv_http_response_t *response)
{
    outcome_t *outcome = baton;

    outcome->told++;
    outcome->result = response->result;
    outcome->length = response->body_length;
    outcome->is_whole = 1;
    for (apr_size_t i = 0; i < response->body_length; i++)
        outcome->is_whole &= response->body[i] == (char)('a' + i % 23);
    outcome->method = apr_table_get(response->headers, "x-method");
    outcome->has_length = apr_table_get(response->headers, "x-length");
}

static outcome_t fetch(idv_http_client_config_t wish, const char *url,
                       apr_pool_t *pool)
{
    idv_http_client_config_t *config = apr_pmemdup(pool, &wish, sizeof(wish));
    static const char *const headers[] = {"Accept: */*", NULL};
    http_host_t *host;
    const idv_http_request_t request = {
        .url = url, .owner = "", .headers = headers};
    outcome_t outcome = {0};

    config->timeout = 10 * IDV_SECOND;
    config->kept_connections = 1;
    host = http_host_start(config, pool);
    idv_http_client_send(host->client, &request, note, &outcome, pool);
    while (!outcome.told)
        http_host_turn(host);
    assert_int_equal(outcome.told, 1);
    return outcome;
}

static void bodies_come_whole_up_to_the_cap(void **state)
{
    const idv_http_client_config_t config = {.allowed =
                                                 http_host_loopback(*state),
                                             .allows_plain = 1,
                                             .response_cap = CAP,
                                             .body_kept = CAP};
    static const apr_size_t lengths[] = {0, 1, 4096, 4097, 70000, CAP};
    int port;
    pid_t publisher = start_publisher(&port);
    outcome_t outcome;

    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        outcome = fetch(config,
                        apr_psprintf(*state, "http://127.0.0.1:%d/%d", port,
                                     (int)lengths[i]),
                        *state);
        if (outcome.result != IDV_HTTP_OK)
            fail_msg("%d bytes: %d", (int)lengths[i], (int)outcome.result);
        assert_int_equal(outcome.length, lengths[i]);
        assert_true(outcome.is_whole);
        assert_string_equal(outcome.method, "GET");
        assert_string_equal(outcome.has_length, "0");
    }
    outcome = fetch(config,
                    apr_psprintf(*state, "http://127.0.0.1:%d/%d", port,
                                 (int)CAP + 1),
                    *state);
    assert_int_equal(outcome.result, IDV_HTTP_RESPONSE_TOO_LARGE);
    kill(publisher, SIGTERM);
    waitpid(publisher, NULL, 0);
}

static void the_caps_of_webhooks_are_what_holds_without_others(void **state)
{
    const idv_http_client_config_t config = {
        .allowed = http_host_loopback(*state), .allows_plain = 1};
    int port;
    pid_t publisher = start_publisher(&port);
    outcome_t outcome = fetch(
        config, apr_psprintf(*state, "http://127.0.0.1:%d/60000", port),
        *state);

    assert_int_equal(outcome.result, IDV_HTTP_OK);
    assert_int_equal(outcome.length, IDV_HTTP_BODY_KEPT);
    outcome = fetch(config,
                    apr_psprintf(*state, "http://127.0.0.1:%d/70000", port),
                    *state);
    assert_int_equal(outcome.result, IDV_HTTP_RESPONSE_TOO_LARGE);
    kill(publisher, SIGTERM);
    waitpid(publisher, NULL, 0);
}

static void others_are_not_called(void **state)
{
    idv_http_client_config_t config = {.allows_plain = 1};
    int port;
    pid_t publisher = start_publisher(&port);
    const char *url = apr_psprintf(*state, "http://127.0.0.1:%d/1", port);

    assert_int_equal(fetch(config, url, *state).result,
                     IDV_HTTP_ADDRESS_FORBIDDEN);
    config.allowed = http_host_loopback(*state);
    assert_int_not_equal(fetch(config, "ftp://127.0.0.1/1", *state).result,
                         IDV_HTTP_OK);
    assert_int_not_equal(fetch(config, "file:///etc/passwd", *state).result,
                         IDV_HTTP_OK);
    config.allows_plain = 0;
    assert_int_not_equal(fetch(config, url, *state).result, IDV_HTTP_OK);
    config.allows_plain = 1;
    assert_int_equal(fetch(config, url, *state).result, IDV_HTTP_OK);
    kill(publisher, SIGTERM);
    waitpid(publisher, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(bodies_come_whole_up_to_the_cap),
        pooled_test(the_caps_of_webhooks_are_what_holds_without_others),
        pooled_test(others_are_not_called),
    };

    return unit_run("out/http_client, GET", tests);
}
