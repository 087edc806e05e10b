/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A webhook receiver that costs next to nothing: one thread, TLS, keep-alive,
 * HTTP/1.1, an empty 204 to everything, DELAY milliseconds later.
 *
 *     receiver CERTIFICATE KEY LOG [DELAY]
 *
 * It prints its port, and appends a line "<webhook-id> <microseconds since
 * 1970>" to LOG for each request. Ends with its standard input. A measuring
 * instrument for loopback: nothing here withstands hostile clients.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#define REQUEST_MAX 65536
#define LOG_BUFFER (1 << 20)
#define IDLE_MS 20 /* without requests before the log is flushed */

typedef struct connection_t connection_t;
struct connection_t {
    int fd;
    SSL *ssl;
    long long due; /* of the answer, in milliseconds; 0: none */
    TAILQ_ENTRY(connection_t) waiting;
    size_t used;
    char buffer[REQUEST_MAX];
};

typedef struct {
    FILE *log;
    long delay;
    TAILQ_HEAD(, connection_t) waiting; /* for their answers, in order */
} receiver_t;

static const char answer[] = "HTTP/1.1 204 No Content\r\n\r\n";

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static SSL_CTX *tls_context(const char *certificate, const char *key)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());

    if (!context
        || SSL_CTX_use_certificate_chain_file(context, certificate) != 1
        || SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
        ERR_print_errors_fp(stderr);
        exit(1);
    }
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    return context;
}

static int listener(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) < 0
        || listen(fd, 4096) < 0
        || getsockname(fd, (struct sockaddr *)&address, &length) < 0)
        fail("listening");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

static void watch(int poller, int fd, void *data)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = data};

    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0)
        fail("watching");
}

static void accept_all(int poller, int fd, SSL_CTX *context)
{
    int client, on = 1;

    while ((client = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC))
           >= 0) {
        connection_t *connection = calloc(1, sizeof(*connection));

        if (!connection)
            fail("accepting");
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        connection->fd = client;
        connection->ssl = SSL_new(context);
        SSL_set_fd(connection->ssl, client);
        SSL_set_accept_state(connection->ssl);
        watch(poller, client, connection);
    }
}

static long long now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void drop(receiver_t *receiver, connection_t *connection)
{
    if (connection->due)
        TAILQ_REMOVE(&receiver->waiting, connection, waiting);
    SSL_free(connection->ssl);
    close(connection->fd);
    free(connection);
}

/* The value of NAME ("name:") among the header lines, or NULL. */
static const char *header(const char *head, const char *name)
{
    size_t length = strlen(name);

    for (const char *line = strstr(head, "\r\n"); line;
         line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, length) == 0)
            return line + length + strspn(line + length, " ");
    }
    return NULL;
}

static void record(const char *head, FILE *log)
{
    const char *id = header(head, "webhook-id:");
    struct timeval now;

    gettimeofday(&now, NULL);
    fprintf(log, "%.*s %lld\n", id ? (int)strcspn(id, "\r") : 1, id ? id : "-",
            now.tv_sec * 1000000LL + now.tv_usec);
}

static int send_answer(connection_t *connection)
{
    return SSL_write(connection->ssl, answer, sizeof(answer) - 1) > 0;
}

/* Now or later; a client waits for its answer before it asks again. */
static int answer_request(receiver_t *receiver, connection_t *connection)
{
    if (!receiver->delay)
        return send_answer(connection);
    connection->due = now_ms() + receiver->delay;
    TAILQ_INSERT_TAIL(&receiver->waiting, connection, waiting);
    return 1;
}

/* Answers those whose time has come; milliseconds until the next one. */
static int answer_waiting(receiver_t *receiver)
{
    connection_t *first;
    long long now = now_ms();

    while ((first = TAILQ_FIRST(&receiver->waiting)) && first->due <= now) {
        TAILQ_REMOVE(&receiver->waiting, first, waiting);
        first->due = 0;
        send_answer(first); /* who has gone is noticed by reading */
    }
    return first && first->due - now < IDLE_MS ? (int)(first->due - now)
                                               : IDLE_MS;
}

/* Answers every whole request in the buffer. */
static int answer_requests(receiver_t *receiver, connection_t *connection)
{
    for (;;) {
        char *end, *buffer = connection->buffer;
        const char *length;
        size_t size;

        buffer[connection->used] = '\0';
        end = strstr(buffer, "\r\n\r\n");
        if (!end)
            return 1;
        *end = '\0';
        length = header(buffer, "content-length:");
        size = (size_t)(end + 4 - buffer) + (length ? strtoul(length, NULL, 10)
                                                    : 0);
        if (size > connection->used) {
            *end = '\r';
            return 1;
        }
        record(buffer, receiver->log);
        if (!answer_request(receiver, connection))
            return 0;
        connection->used -= size;
        memmove(buffer, buffer + size, connection->used);
    }
}

/* Zero: the connection has ended. */
static int serve(receiver_t *receiver, connection_t *connection)
{
    for (;;) {
        int room = REQUEST_MAX - 1 - (int)connection->used;
        int count = SSL_read(connection->ssl,
                             connection->buffer + connection->used, room);

        if (count <= 0) {
            int error = SSL_get_error(connection->ssl, count);

            ERR_clear_error();
            return error == SSL_ERROR_WANT_READ;
        }
        connection->used += (size_t)count;
        if (!answer_requests(receiver, connection))
            return 0;
    }
}

int main(int count, char **arguments)
{
    int poller = epoll_create1(EPOLL_CLOEXEC), listening, ended = 0;
    receiver_t receiver = {.waiting = TAILQ_HEAD_INITIALIZER(receiver.waiting)};
    SSL_CTX *context;

    if (count != 4 && count != 5) {
        fprintf(stderr, "usage: receiver CERTIFICATE KEY LOG [DELAY]\n");
        return 2;
    }
    receiver.delay = count == 5 ? strtol(arguments[4], NULL, 10) : 0;
    signal(SIGPIPE, SIG_IGN);
    context = tls_context(arguments[1], arguments[2]);
    receiver.log = fopen(arguments[3], "a");
    if (!receiver.log)
        fail(arguments[3]);
    setvbuf(receiver.log, NULL, _IOFBF, LOG_BUFFER);
    listening = listener();
    watch(poller, listening, &listening);
    watch(poller, STDIN_FILENO, &ended);
    while (!ended) {
        struct epoll_event events[256];
        int ready = epoll_wait(poller, events, 256, answer_waiting(&receiver));

        if (ready == 0)
            fflush(receiver.log);
        if (ready < 0 && errno != EINTR)
            fail("waiting");
        for (int i = 0; i < ready; i++) {
            void *data = events[i].data.ptr;

            if (data == &ended)
                ended = 1;
            else if (data == &listening)
                accept_all(poller, listening, context);
            else if (!serve(&receiver, data))
                drop(&receiver, data);
        }
    }
    fclose(receiver.log);
    return 0;
}
