/* SPDX-License-Identifier: Apache-2.0 */
#include "out/mail_client.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <apr_strings.h>
#include <curl/curl.h>
#include <openssl/crypto.h>

#define STACK_SIZE (512 * 1024)

/* One e-mail; its own copy of everything. */
typedef struct mail_t {
    struct mail_t *next;
    idv_mail_done_t *done;
    void *baton;
    idv_mail_outcome_t outcome;
    char *recipient; /* in angle brackets */
    char *message;
    size_t length, sent; /* bytes of the message */
} mail_t;

typedef struct {
    mail_t *first;
    mail_t **end;
} queue_t;

/* Shared with the threads; the last user frees it. */
typedef struct {
    const idv_mail_client_config_t *config;
    char *from; /* in angle brackets */
    pthread_mutex_t mutex;
    pthread_cond_t asked;
    queue_t waiting, ended;
    int users;
    int closing;
    int descriptor;
} exchange_t;

struct idv_mail_client_t {
    exchange_t *exchange;
};

idv_mail_tls_t idv_mail_tls_parse(const char *word)
{
    static const char *const words[] = {
#define X(name, word) word,
        IDV_MAIL_TLS_MODES(X)
#undef X
    };
    int mode = 0;

    while (mode < IDV_MAIL_TLS_MODE_COUNT && strcmp(words[mode], word) != 0)
        mode++;
    return (idv_mail_tls_t)mode;
}

/* --- queues --- */

static void queue_push(queue_t *queue, mail_t *mail)
{
    mail->next = NULL;
    *queue->end = mail;
    queue->end = &mail->next;
}

static mail_t *queue_take_all(queue_t *queue)
{
    mail_t *first = queue->first;

    queue->first = NULL;
    queue->end = &queue->first;
    return first;
}

static mail_t *queue_pop(queue_t *queue)
{
    mail_t *first = queue->first;

    if (first) {
        queue->first = first->next;
        if (!queue->first)
            queue->end = &queue->first;
    }
    return first;
}

/* --- e-mails --- */

static char *in_brackets(const char *address)
{
    size_t length = strlen(address);
    char *path = malloc(length + 3);

    if (!path)
        abort();
    path[0] = '<';
    memcpy(path + 1, address, length);
    memcpy(path + 1 + length, ">", 2);
    return path;
}

static mail_t *create_mail(const char *recipient, const char *message)
{
    mail_t *mail = calloc(1, sizeof(*mail));

    if (!mail || !(mail->message = strdup(message)))
        abort();
    mail->length = strlen(message);
    mail->recipient = in_brackets(recipient);
    return mail;
}

static void free_mails(mail_t *mail)
{
    while (mail) {
        mail_t *next = mail->next;

        OPENSSL_cleanse(mail->message, mail->length);
        OPENSSL_cleanse(mail->recipient, strlen(mail->recipient));
        free(mail->message);
        free(mail->recipient);
        free(mail);
        mail = next;
    }
}

/* --- one exchange --- */

static size_t on_read(char *buffer, size_t size, size_t count, void *baton)
{
    mail_t *mail = baton;
    size_t room = size * count, left = mail->length - mail->sent;

    if (left > room)
        left = room;
    memcpy(buffer, mail->message + mail->sent, left);
    mail->sent += left;
    return left;
}

/* Nothing that the server says is shown anywhere. */
static size_t on_answer(char *data, size_t size, size_t count, void *baton)
{
    (void)data;
    (void)baton;
    return size * count;
}

/* Whether STATUS is about who we are, not about the e-mail: RFC 4954, 6 and
 * RFC 3207, 4. */
static int asks_for_login(long status)
{
    return status == 530 || status == 534 || status == 535 || status == 538;
}

static idv_mail_result_t classify(const mail_t *mail, CURLcode code,
                                  long status)
{
    if (code == CURLE_OK)
        return IDV_MAIL_SENT;
    if (status / 100 != 5 || asks_for_login(status))
        return IDV_MAIL_FAILED;
    /* MAIL, RCPT and DATA fail as sending; the text as a strange answer, which
     * an unfriendly greeting is, too. */
    if (code == CURLE_SEND_ERROR
        || (code == CURLE_WEIRD_SERVER_REPLY && mail->sent == mail->length))
        return IDV_MAIL_REFUSED;
    return IDV_MAIL_FAILED;
}

static void set_encryption(CURL *easy, const idv_mail_client_config_t *config)
{
    static const long levels[] = {
        [IDV_MAIL_TLS_REQUIRED] = CURLUSESSL_ALL,
        [IDV_MAIL_TLS_OPTIONAL] = CURLUSESSL_TRY,
        [IDV_MAIL_TLS_OFF] = CURLUSESSL_NONE,
    };

    curl_easy_setopt(easy, CURLOPT_USE_SSL, levels[config->tls]);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (config->ca_file) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, config->ca_file);
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    if (config->user) {
        curl_easy_setopt(easy, CURLOPT_USERNAME, config->user);
        curl_easy_setopt(easy, CURLOPT_PASSWORD, config->password);
    }
}

static void set_envelope(CURL *easy, const exchange_t *exchange, mail_t *mail)
{
    curl_easy_setopt(easy, CURLOPT_MAIL_FROM, exchange->from);
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->length);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_read);
    curl_easy_setopt(easy, CURLOPT_READDATA, mail);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_answer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_answer);
}

static void set_limits(CURL *easy, const idv_mail_client_config_t *config)
{
    curl_easy_setopt(easy, CURLOPT_URL, config->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)config->timeout);
    curl_easy_setopt(easy, CURLOPT_SERVER_RESPONSE_TIMEOUT,
                     (long)(config->timeout / IDV_SECOND));
}

/* Gives the result to the caller's thread. */
static void tell(exchange_t *exchange, mail_t *mail)
{
    const uint64_t one = 1;

    pthread_mutex_lock(&exchange->mutex);
    queue_push(&exchange->ended, mail);
    pthread_mutex_unlock(&exchange->mutex);
    while (write(exchange->descriptor, &one, sizeof(one)) < 0
           && errno == EINTR)
        continue;
}

static void send_mail(exchange_t *exchange, mail_t *mail)
{
    struct curl_slist recipient = {mail->recipient, NULL};
    CURL *easy = curl_easy_init();
    CURLcode code = CURLE_OUT_OF_MEMORY;
    long status = 0;

    if (easy) {
        set_limits(easy, exchange->config);
        set_encryption(easy, exchange->config);
        set_envelope(easy, exchange, mail);
        curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, &recipient);
        code = curl_easy_perform(easy);
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    }
    mail->outcome.result = classify(mail, code, status);
    mail->outcome.status = (int)status;
    mail->outcome.cause = curl_easy_strerror(code);
    /* From here on the e-mail is not ours; the connection is. */
    if (easy)
        curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, NULL);
    tell(exchange, mail);
    curl_easy_cleanup(easy);
}

/* --- the threads --- */

/* Called with the mutex held; unlocks it. */
static void leave(exchange_t *exchange)
{
    int last = --exchange->users == 0;

    pthread_mutex_unlock(&exchange->mutex);
    if (!last)
        return;
    free_mails(queue_take_all(&exchange->waiting));
    free_mails(queue_take_all(&exchange->ended));
    close(exchange->descriptor);
    pthread_cond_destroy(&exchange->asked);
    pthread_mutex_destroy(&exchange->mutex);
    free(exchange->from);
    free(exchange);
}

static void *serve(void *baton)
{
    exchange_t *exchange = baton;

    pthread_mutex_lock(&exchange->mutex);
    while (!exchange->closing) {
        mail_t *mail = queue_pop(&exchange->waiting);

        if (!mail) {
            pthread_cond_wait(&exchange->asked, &exchange->mutex);
            continue;
        }
        pthread_mutex_unlock(&exchange->mutex);
        send_mail(exchange, mail);
        pthread_mutex_lock(&exchange->mutex);
    }
    leave(exchange);
    return NULL;
}

static idv_error_t *start_thread(exchange_t *exchange, apr_pool_t *pool)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int status;

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    exchange->users++;
    status = pthread_create(&thread, &attributes, serve, exchange);
    pthread_attr_destroy(&attributes);
    if (!status)
        return NULL;
    exchange->users--;
    return idv_error_apr(pool, status, "starting a mail thread");
}

static apr_status_t close_client(void *baton)
{
    exchange_t *exchange = baton;

    pthread_mutex_lock(&exchange->mutex);
    exchange->closing = 1;
    pthread_cond_broadcast(&exchange->asked);
    leave(exchange);
    return APR_SUCCESS;
}

static idv_error_t *create_exchange(const idv_mail_client_config_t *config,
                                    exchange_t **out, apr_pool_t *pool)
{
    exchange_t *exchange = calloc(1, sizeof(*exchange));

    if (!exchange)
        return idv_error_internal(pool, "out of memory");
    exchange->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (exchange->descriptor < 0) {
        free(exchange);
        return idv_error_apr(pool, errno, "eventfd");
    }
    exchange->config = config;
    exchange->from = in_brackets(config->from);
    pthread_mutex_init(&exchange->mutex, NULL);
    pthread_cond_init(&exchange->asked, NULL);
    queue_take_all(&exchange->waiting);
    queue_take_all(&exchange->ended);
    exchange->users = 1;
    apr_pool_cleanup_register(pool, exchange, close_client,
                              apr_pool_cleanup_null);
    *out = exchange;
    return NULL;
}

idv_error_t *idv_mail_client_create(const idv_mail_client_config_t *config,
                                    idv_mail_client_t **client,
                                    apr_pool_t *pool)
{
    exchange_t *exchange = NULL;
    idv_error_t *error = NULL;

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return idv_error_internal(pool, "libcurl does not start");
    IDV_TRY(create_exchange(config, &exchange, pool));
    pthread_mutex_lock(&exchange->mutex);
    for (int i = 0; i < IDV_MAIL_IN_FLIGHT && !error; i++)
        error = start_thread(exchange, pool);
    pthread_mutex_unlock(&exchange->mutex);
    IDV_TRY(error);
    *client = apr_pcalloc(pool, sizeof(**client));
    (*client)->exchange = exchange;
    return NULL;
}

/* --- the caller --- */

int idv_mail_client_descriptor(const idv_mail_client_t *client)
{
    return client->exchange->descriptor;
}

void idv_mail_client_send(idv_mail_client_t *client, const char *recipient,
                          const char *message, idv_mail_done_t *done,
                          void *baton)
{
    exchange_t *exchange = client->exchange;
    mail_t *mail = create_mail(recipient, message);

    mail->done = done;
    mail->baton = baton;
    pthread_mutex_lock(&exchange->mutex);
    queue_push(&exchange->waiting, mail);
    pthread_cond_signal(&exchange->asked);
    pthread_mutex_unlock(&exchange->mutex);
}

void idv_mail_client_collect(idv_mail_client_t *client)
{
    exchange_t *exchange = client->exchange;
    mail_t *ended;
    uint64_t count;

    if (read(exchange->descriptor, &count, sizeof(count)) < 0)
        return;
    pthread_mutex_lock(&exchange->mutex);
    ended = queue_take_all(&exchange->ended);
    pthread_mutex_unlock(&exchange->mutex);
    for (mail_t *mail = ended; mail; mail = mail->next)
        mail->done(mail->baton, &mail->outcome);
    free_mails(ended);
}
