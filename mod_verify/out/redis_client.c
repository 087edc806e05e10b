/* SPDX-License-Identifier: Apache-2.0 */
#include "out/redis_client.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <apr_strings.h>
#include <apr_uri.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "domain/value/url.h"
#include "out/host_addresses.h"

#define DEFAULT_PORT "6379"
#define RETRY_AFTER 1 /* seconds */
#define PATH_PREFIX "unix:"
#define PATH_MAX_LENGTH 94 /* below that of a sockaddr_un, on every system */
/* The replies to this client's commands are small; a server that sends more is
 * not the Redis that was meant. */
#define REPLY_MAX (64 * 1024)

struct idv_redis_address_t {
    const char *path; /* of a socket, or NULL */
    const char *host, *port;
    idv_host_addresses_t *addresses; /* of the host, once it was started */
    const char *user, *password;
    const char *database; /* NULL: the first */
    SSL_CTX *tls;         /* NULL: plain */
};

struct idv_redis_connection_t {
    int fd;
    SSL *tls; /* NULL: plain */
    redisReader *reader;
    apr_time_t deadline; /* of the command or connection under way */
};

static idv_error_t *failed(apr_pool_t *pool, const char *what)
{
    return idv_error_unavailable(pool, RETRY_AFTER, "Redis: %s", what);
}

/* --- addresses --- */

static int is_number(const char *text)
{
    return *text && strlen(text) < 6 && !text[strspn(text, "0123456789")];
}

static const char *parse_url(const char *url, apr_uri_t *uri, apr_pool_t *pool)
{
    if (strncmp(url, PATH_PREFIX, strlen(PATH_PREFIX)) == 0) {
        const char *path = url + strlen(PATH_PREFIX);

        return *path == '/' && strlen(path) <= PATH_MAX_LENGTH
                 ? NULL
                 : "expected unix:/path of at most 94 characters";
    }
    if (apr_uri_parse(pool, url, uri) != APR_SUCCESS || !uri->scheme
        || (strcmp(uri->scheme, "redis") != 0
            && strcmp(uri->scheme, "rediss") != 0)
        || !uri->hostname || !*uri->hostname || uri->query || uri->fragment)
        return "expected redis://host:port, rediss://host:port or unix:/path";
    if (!idv_url_port_is_valid(uri->port_str))
        return "the port must be a number from 1 to 65535";
    if (uri->password)
        return "put the password in VerifyRateStorePasswordFile";
    if (uri->path && *uri->path && strcmp(uri->path, "/") != 0
        && !is_number(uri->path + 1))
        return "the path must be the number of a database";
    return NULL;
}

const char *idv_redis_url_fault(const char *url, apr_pool_t *pool)
{
    apr_uri_t uri;

    return parse_url(url, &uri, pool);
}

static apr_status_t free_tls(void *context)
{
    SSL_CTX_free(context);
    return APR_SUCCESS;
}

static idv_error_t *make_tls(const idv_redis_target_t *target,
                             idv_redis_address_t *address, apr_pool_t *pool)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());

    if (!context)
        return idv_error_internal(pool, "Redis: no memory for TLS");
    apr_pool_cleanup_register(pool, context, free_tls, apr_pool_cleanup_null);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE);
    if (target->ca_file
            ? SSL_CTX_load_verify_locations(context, target->ca_file, NULL) != 1
            : SSL_CTX_set_default_verify_paths(context) != 1) {
        ERR_clear_error();
        return idv_error_internal(pool, "Redis: cannot use the authorities%s%s",
                                  target->ca_file ? " of " : "",
                                  target->ca_file ? target->ca_file : "");
    }
    address->tls = context;
    return NULL;
}

idv_error_t *idv_redis_address_make(const idv_redis_target_t *target,
                                    idv_redis_address_t **address,
                                    apr_pool_t *pool)
{
    idv_redis_address_t *made = apr_pcalloc(pool, sizeof(*made));
    apr_uri_t uri = {0};
    const char *fault = parse_url(target->url, &uri, pool);

    *address = made;
    if (fault)
        return idv_error_internal(pool, "Redis: %s", fault);
    made->password = target->password;
    if (!uri.scheme) {
        made->path = apr_pstrdup(pool, target->url + strlen(PATH_PREFIX));
        return NULL;
    }
    made->host = uri.hostname;
    made->port = uri.port_str && *uri.port_str ? uri.port_str : DEFAULT_PORT;
    made->user = uri.user;
    if (uri.path && strlen(uri.path) > 1)
        made->database = uri.path + 1;
    return strcmp(uri.scheme, "rediss") == 0 ? make_tls(target, made, pool)
                                             : NULL;
}

idv_error_t *idv_redis_address_start(idv_redis_address_t *address,
                                     apr_pool_t *pool)
{
    return address->path
             ? NULL
             : idv_host_addresses_create(address->host, address->port,
                                         apr_time_now(), &address->addresses,
                                         pool);
}

/* --- bytes --- */

/* Waits for EVENTS; an error when the deadline passes. */
static idv_error_t *await(const idv_redis_connection_t *connection,
                          short events, apr_pool_t *pool)
{
    struct pollfd poller = {.fd = connection->fd, .events = events};
    apr_time_t left = connection->deadline - apr_time_now();
    int count;

    if (left <= 0)
        return failed(pool, "no answer in time");
    count = poll(&poller, 1, (int)apr_time_as_msec(left) + 1);
    if (count < 0 && errno != EINTR)
        return failed(pool, "poll failed");
    return count == 0 ? failed(pool, "no answer in time") : NULL;
}

/* An operation of TLS has brought RESULT: waits when it has to be repeated. */
static idv_error_t *await_tls(const idv_redis_connection_t *connection,
                              int result, apr_pool_t *pool)
{
    int error = SSL_get_error(connection->tls, result);

    ERR_clear_error();
    if (error == SSL_ERROR_WANT_READ)
        return await(connection, POLLIN, pool);
    if (error == SSL_ERROR_WANT_WRITE)
        return await(connection, POLLOUT, pool);
    return failed(pool, SSL_get_verify_result(connection->tls) != X509_V_OK
                            ? "its certificate is not trusted"
                            : "the TLS connection ended");
}

/* Handles RESULT of a transfer. If it is not a number of bytes, waits for
 * EVENTS, or for what TLS needs; *MOVED is then 0, and the transfer must be
 * repeated. */
static idv_error_t *check_transfer(const idv_redis_connection_t *connection,
                                   ssize_t result, short events, size_t *moved,
                                   apr_pool_t *pool)
{
    *moved = result > 0 ? (size_t)result : 0;
    if (result > 0)
        return NULL;
    if (connection->tls)
        return await_tls(connection, (int)result, pool);
    if (result < 0 && (errno == EAGAIN || errno == EINTR))
        return await(connection, events, pool);
    return failed(pool, "the connection ended");
}

static idv_error_t *send_some(const idv_redis_connection_t *connection,
                              const char *bytes, size_t length, size_t *sent,
                              apr_pool_t *pool)
{
    ssize_t result = connection->tls
                       ? SSL_write(connection->tls, bytes, (int)length)
                       : send(connection->fd, bytes, length, MSG_NOSIGNAL);

    return check_transfer(connection, result, POLLOUT, sent, pool);
}

static idv_error_t *receive_some(const idv_redis_connection_t *connection,
                                 char *bytes, size_t size, size_t *received,
                                 apr_pool_t *pool)
{
    ssize_t result = connection->tls
                       ? SSL_read(connection->tls, bytes, (int)size)
                       : recv(connection->fd, bytes, size, 0);

    return check_transfer(connection, result, POLLIN, received, pool);
}

/* --- commands --- */

static idv_error_t *send_all(const idv_redis_connection_t *connection,
                             const char *bytes, size_t length, apr_pool_t *pool)
{
    size_t sent;

    for (size_t at = 0; at < length; at += sent)
        IDV_TRY(send_some(connection, bytes + at, length - at, &sent, pool));
    return NULL;
}

/* No command of this client is answered by an array, and hiredis would make
 * room for a long one as soon as it has read the length. */
static int is_simple(char type)
{
    return type == '+' || type == '-' || type == ':' || type == '$';
}

static idv_error_t *receive(idv_redis_connection_t *connection,
                            redisReply **reply, apr_pool_t *pool)
{
    char buffer[4096];
    void *found = NULL;
    size_t length;

    for (size_t total = 0; total < REPLY_MAX; total += length) {
        IDV_TRY(
            receive_some(connection, buffer, sizeof(buffer), &length, pool));
        if (total == 0 && length > 0 && !is_simple(buffer[0]))
            return failed(pool, "the reply is not in the Redis protocol");
        if (redisReaderFeed(connection->reader, buffer, length) != REDIS_OK
            || redisReaderGetReply(connection->reader, &found) != REDIS_OK)
            return failed(pool, "the reply is not in the Redis protocol");
        if (!found)
            continue;
        /* Bytes behind the reply would be taken for the next command's. */
        if (connection->reader->pos != connection->reader->len) {
            freeReplyObject(found);
            return failed(pool, "the reply is not in the Redis protocol");
        }
        *reply = found;
        return NULL;
    }
    return failed(pool, "the reply is too long");
}

static int count_words(const char *const *words)
{
    int count = 0;

    while (words[count])
        count++;
    return count;
}

idv_error_t *idv_redis_command(idv_redis_connection_t *connection,
                               const char *const *words, apr_time_t deadline,
                               redisReply **reply, apr_pool_t *pool)
{
    char *bytes;
    int length = redisFormatCommandArgv(&bytes, count_words(words),
                                        (const char **)words, NULL);
    idv_error_t *error;

    *reply = NULL;
    if (length < 0)
        return failed(pool, "no memory for a command");
    connection->deadline = deadline;
    error = send_all(connection, bytes, (size_t)length, pool);
    OPENSSL_cleanse(bytes, (size_t)length); /* AUTH goes this way, too */
    redisFreeCommand(bytes);
    return error ? error : receive(connection, reply, pool);
}

/* --- connecting --- */

static int open_socket(int family)
{
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1;

    if (fd >= 0 && family != AF_UNIX)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return fd;
}

static idv_error_t *try_address(idv_redis_connection_t *connection,
                                const struct sockaddr *address,
                                socklen_t length, apr_pool_t *pool)
{
    int status = 0;
    socklen_t size = sizeof(status);

    connection->fd = open_socket(address->sa_family);
    if (connection->fd < 0)
        return failed(pool, "no socket");
    if (connect(connection->fd, address, length) == 0)
        return NULL;
    if (errno != EINPROGRESS)
        return failed(pool, "the connection was refused");
    IDV_TRY(await(connection, POLLOUT, pool));
    if (getsockopt(connection->fd, SOL_SOCKET, SO_ERROR, &status, &size) != 0
        || status != 0)
        return failed(pool, "the connection was refused");
    return NULL;
}

static idv_error_t *connect_path(idv_redis_connection_t *connection,
                                 const idv_redis_address_t *address,
                                 apr_pool_t *pool)
{
    struct sockaddr_un path = {.sun_family = AF_UNIX};

    apr_cpystrn(path.sun_path, address->path, sizeof(path.sun_path));
    return try_address(connection, (const struct sockaddr *)&path, sizeof(path),
                       pool);
}

/* Connects to the first address of the host that takes the connection. */
static idv_error_t *connect_host(idv_redis_connection_t *connection,
                                 const idv_redis_address_t *address,
                                 apr_pool_t *pool)
{
    idv_host_address_t found[IDV_HOST_MAX_ADDRESSES];
    idv_error_t *error = failed(pool, "the host has no known address");
    int count = idv_host_addresses_get(address->addresses, apr_time_now(),
                                       connection->deadline, found);

    for (int i = 0; i < count && error; i++) {
        if (connection->fd >= 0)
            close(connection->fd);
        error = try_address(connection,
                            (const struct sockaddr *)&found[i].address,
                            found[i].length, pool);
    }
    if (error)
        idv_host_addresses_doubt(address->addresses);
    return error;
}

static idv_error_t *start_tls(idv_redis_connection_t *connection,
                              const idv_redis_address_t *address,
                              apr_pool_t *pool)
{
    X509_VERIFY_PARAM *wanted;
    int result;

    connection->tls = SSL_new(address->tls);
    if (!connection->tls || !SSL_set_fd(connection->tls, connection->fd))
        return failed(pool, "no memory for TLS");
    wanted = SSL_get0_param(connection->tls);
    if (!X509_VERIFY_PARAM_set1_ip_asc(wanted, address->host)) {
        ERR_clear_error();
        if (!X509_VERIFY_PARAM_set1_host(wanted, address->host, 0)
            || !SSL_set_tlsext_host_name(connection->tls, address->host))
            return failed(pool, "no memory for TLS");
    }
    while ((result = SSL_connect(connection->tls)) != 1)
        IDV_TRY(await_tls(connection, result, pool));
    return NULL;
}

/* Sends a command whose reply has to be OK. */
static idv_error_t *demand(idv_redis_connection_t *connection,
                           const char *const *words, apr_pool_t *pool)
{
    redisReply *reply = NULL;
    int is_good;

    IDV_TRY(idv_redis_command(connection, words, connection->deadline, &reply,
                              pool));
    is_good = reply && reply->type == REDIS_REPLY_STATUS;
    freeReplyObject(reply);
    return is_good ? NULL
                   : idv_error_unavailable(pool, RETRY_AFTER,
                                           "Redis: %s was refused", words[0]);
}

static idv_error_t *introduce(idv_redis_connection_t *connection,
                              const idv_redis_address_t *address,
                              apr_pool_t *pool)
{
    const char *const full[] = {"AUTH", address->user, address->password, NULL};
    const char *const alone[] = {"AUTH", address->password, NULL};
    const char *const select[] = {"SELECT", address->database, NULL};

    if (address->tls)
        IDV_TRY(start_tls(connection, address, pool));
    if (address->password)
        IDV_TRY(demand(connection, address->user ? full : alone, pool));
    return address->database ? demand(connection, select, pool) : NULL;
}

idv_error_t *idv_redis_connect(const idv_redis_address_t *address,
                               apr_time_t deadline,
                               idv_redis_connection_t **connection,
                               apr_pool_t *pool)
{
    idv_redis_connection_t *made = calloc(1, sizeof(*made));
    idv_error_t *error;

    *connection = NULL;
    if (!made)
        return failed(pool, "no memory for a connection");
    made->fd = -1;
    made->deadline = deadline;
    made->reader = redisReaderCreate();
    error = made->reader ? NULL : failed(pool, "no memory for a connection");
    if (!error)
        error = address->path ? connect_path(made, address, pool)
                              : connect_host(made, address, pool);
    if (!error)
        error = introduce(made, address, pool);
    if (error) {
        idv_redis_close(made);
        return error;
    }
    *connection = made;
    return NULL;
}

void idv_redis_close(idv_redis_connection_t *connection)
{
    SSL_free(connection->tls);
    if (connection->fd >= 0)
        close(connection->fd);
    if (connection->reader)
        redisReaderFree(connection->reader);
    free(connection);
}
