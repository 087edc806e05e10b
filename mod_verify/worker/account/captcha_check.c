/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/account/captcha_check.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <apr_strings.h>

#include "worker/process/worker.h"

APLOG_USE_MODULE(verify);

/* --- the channel --- */

#define WAITING 128 /* questions that the kernel keeps for the watchdog */

idv_error_t *idv_captcha_channel_open(int *descriptor, apr_pool_t *pool)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return idv_error_apr(pool, errno, "opening the captcha channel");
    /* An address that consists of the family alone has the kernel choose a name
     * (unix(7), autobind). */
    if (bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t)) < 0
        || listen(fd, WAITING) < 0) {
        int cause = errno;

        close(fd);
        return idv_error_apr(pool, cause, "listening on the captcha channel");
    }
    *descriptor = fd;
    return NULL;
}

idv_error_t *idv_captcha_channel_of(int descriptor,
                                    idv_captcha_channel_t *channel,
                                    apr_pool_t *pool)
{
    channel->descriptor = descriptor;
    channel->address_length = sizeof(channel->address);
    if (getsockname(descriptor, (struct sockaddr *)&channel->address,
                    &channel->address_length)
        < 0)
        return idv_error_apr(pool, errno, "naming the captcha channel");
    return NULL;
}

static idv_captcha_verdict_t await(int fd, idv_time_t deadline)
{
    char verdict;

    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        idv_time_t left = deadline - idv_time_now();
        int count = left > 0 ? poll(&ready, 1, (int)left) : 0;

        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0 || recv(fd, &verdict, 1, MSG_DONTWAIT) != 1
            || verdict < 0 || verdict > IDV_CAPTCHA_FAILED)
            return IDV_CAPTCHA_FAILED;
        return (idv_captcha_verdict_t)verdict;
    }
}

idv_captcha_verdict_t idv_captcha_ask(const idv_captcha_channel_t *channel,
                                      const char *token, const char *remote_ip,
                                      idv_time_t wait, apr_pool_t *pool)
{
    const char *question = apr_pstrcat(pool, remote_ip, "\n", token, NULL);
    idv_captcha_verdict_t verdict = IDV_CAPTCHA_FAILED;
    size_t length = strlen(question);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return IDV_CAPTCHA_FAILED;
    /* Neither call waits; a full queue of the listener and a full buffer count
     * as no answer. */
    if (length <= IDV_CAPTCHA_QUESTION_MAX
        && connect(fd, (const struct sockaddr *)&channel->address,
                   channel->address_length)
               == 0
        && send(fd, question, length, MSG_NOSIGNAL) == (ssize_t)length)
        verdict = await(fd, idv_time_now() + wait);
    close(fd);
    return verdict;
}

/* --- the checker: one question --- */

struct idv_captcha_checker_t {
    idv_worker_t *worker;
    apr_pool_t *pool;
    int descriptor; /* listens */
    idv_http_client_t *client;
    int count;
};

/* One question, in a pool of its own. */
typedef struct {
    idv_captcha_checker_t *checker;
    apr_pool_t *pool;
    int fd;
    idv_http_request_t request;
} check_t;

static void finish(check_t *check, idv_captcha_verdict_t verdict)
{
    const char byte = (char)verdict;

    idv_event_loop_forget(check->checker->worker->loop, check->fd);
    /* The child that asked may have given up; then nobody needs the verdict. */
    if (send(check->fd, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        idv_worker_log(check->checker->worker, APLOG_DEBUG, "IDV0361",
                       "no request waits for the result of a captcha any more");
    close(check->fd);
    check->checker->count--;
    apr_pool_destroy(check->pool);
}

static void on_provider_answer(void *baton, const idv_http_response_t *response)
{
    check_t *check = baton;
    idv_captcha_verdict_t verdict = IDV_CAPTCHA_FAILED;
    idv_bytes_t body = {(const unsigned char *)response->body,
                        response->body_length};

    if (response->result == IDV_HTTP_OK && body.data)
        verdict = idv_captcha_judge(body, check->pool);
    if (verdict == IDV_CAPTCHA_FAILED)
        idv_worker_log(check->checker->worker, APLOG_WARNING, "IDV0360",
                       "the captcha provider gave no result: %s, status %d",
                       response->result == IDV_HTTP_OK
                           ? "it rejects the configuration"
                           : idv_http_result_code(response->result),
                       response->status_code);
    finish(check, verdict);
}

static void ask_provider(check_t *check, char *question)
{
    static const char *const headers[] = {
        "Content-Type: application/x-www-form-urlencoded",
        "Accept: application/json", NULL};
    const idv_captcha_config_t *config =
        check->checker->worker->config->captcha;
    char *token = strchr(question, '\n');
    const char *form;

    if (!token) {
        finish(check, IDV_CAPTCHA_FAILED);
        return;
    }
    *token++ = '\0';
    form = idv_captcha_form(config->secret, token, question, check->pool);
    idv_wipe_with_pool((void *)form, strlen(form), check->pool);
    check->request.url = config->url;
    check->request.owner = ""; /* the operator chose the provider */
    check->request.headers = headers;
    check->request.body = form;
    check->request.body_length = strlen(form);
    idv_http_client_send(check->checker->client, &check->request,
                         on_provider_answer, check, check->pool);
}

static void on_question(void *baton, int fd, unsigned events)
{
    check_t *check = baton;
    char *question = apr_palloc(check->pool, IDV_CAPTCHA_QUESTION_MAX + 1);
    ssize_t length = recv(fd, question, IDV_CAPTCHA_QUESTION_MAX, MSG_DONTWAIT);

    (void)events;
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    /* Nothing but the verdict happens on this socket from now on. */
    idv_event_loop_forget(check->checker->worker->loop, fd);
    if (length <= 0) {
        finish(check, IDV_CAPTCHA_FAILED);
        return;
    }
    question[length] = '\0';
    ask_provider(check, question);
}

static int is_one_of_us(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        && peer.uid == geteuid();
}

static void take(idv_captcha_checker_t *checker, int fd)
{
    idv_worker_t *worker = checker->worker;
    check_t *check;
    apr_pool_t *pool;

    if (checker->count >= IDV_CAPTCHA_CHECKS_MAX || !is_one_of_us(fd)) {
        close(fd);
        return;
    }
    apr_pool_create(&pool, checker->pool);
    check = apr_pcalloc(pool, sizeof(*check));
    check->checker = checker;
    check->pool = pool;
    check->fd = fd;
    checker->count++;
    if (idv_event_loop_watch(worker->loop, fd, IDV_EVENT_READABLE, on_question,
                             check))
        finish(check, IDV_CAPTCHA_FAILED);
}

static void on_asked(void *baton, int fd, unsigned events)
{
    idv_captcha_checker_t *checker = baton;
    int connection;

    (void)events;
    /* The watchdog of another generation may have accepted it before. */
    while ((connection = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC))
           >= 0)
        take(checker, connection);
}

/* --- the checker: life --- */

idv_error_t *idv_captcha_checker_create(idv_worker_t *worker,
                                        const idv_captcha_channel_t *channel,
                                        idv_captcha_checker_t **out,
                                        apr_pool_t *pool)
{
    idv_captcha_checker_t *checker = apr_pcalloc(pool, sizeof(*checker));
    const idv_watchdog_config_t *config = worker->config;
    const idv_http_client_config_t client_config = {
        .allowed = config->webhook_allow,
        .ca_file = config->captcha->ca_file,
        .timeout = config->captcha->timeout,
        .kept_connections = IDV_CAPTCHA_CHECKS_MAX,
    };

    checker->worker = worker;
    checker->pool = pool;
    checker->descriptor = channel->descriptor;
    IDV_TRY(idv_worker_http_client_create(worker, &client_config,
                                          &checker->client, pool));
    *out = checker;
    return idv_event_loop_watch(worker->loop, channel->descriptor,
                                IDV_EVENT_READABLE, on_asked, checker);
}

void idv_captcha_checker_stop(idv_captcha_checker_t *checker)
{
    idv_event_loop_forget(checker->worker->loop, checker->descriptor);
}
