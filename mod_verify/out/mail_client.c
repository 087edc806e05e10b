/* SPDX-License-Identifier: Apache-2.0 */
#include "out/mail_client.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>
#include <curl/curl.h>
#include <openssl/crypto.h>

#include "out/thread_crew.h"

#define STACK_SIZE (512 * 1024)

/* One e-mail, with copies of everything that a thread needs of it. */
typedef struct {
    idv_crew_job_t job; /* the first member */
    const idv_mail_client_config_t *config;
    idv_mail_done_t *done;
    void *baton;
    idv_mail_outcome_t outcome;
    char *sender, *recipient; /* in angle brackets */
    char *message;
    size_t length, sent; /* bytes of the message */
} mail_t;

struct idv_mail_client_t {
    const idv_mail_client_config_t *config;
    idv_thread_crew_t *crew;
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

static mail_t *create_mail(const idv_mail_client_config_t *config,
                           const char *recipient, const char *message)
{
    mail_t *mail = calloc(1, sizeof(*mail));

    if (!mail || !(mail->message = strdup(message)))
        abort();
    mail->config = config;
    mail->length = strlen(message);
    mail->sender = in_brackets(config->from);
    mail->recipient = in_brackets(recipient);
    return mail;
}

static void free_mail(idv_crew_job_t *job)
{
    mail_t *mail = (mail_t *)job;

    OPENSSL_cleanse(mail->message, mail->length);
    OPENSSL_cleanse(mail->recipient, strlen(mail->recipient));
    free(mail->message);
    free(mail->recipient);
    free(mail->sender);
    free(mail);
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

/* Throws away what the server says: it can repeat the recipient's address, and
 * the status alone is shown. */
static size_t on_answer(char *data, size_t size, size_t count, void *baton)
{
    (void)data;
    (void)baton;
    return size * count;
}

/* Whether STATUS is about the login or the encryption of this server, not about
 * the e-mail: RFC 4954, section 6, and RFC 3207, section 4. */
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
    /* curl calls a refusal of MAIL, RCPT or DATA an error of sending, and a
     * refusal of the text a strange answer. An unfriendly greeting is a strange
     * answer, too, but comes before anything was sent. */
    if (code == CURLE_SEND_ERROR
        || (code == CURLE_WEIRD_SERVER_REPLY && mail->sent == mail->length))
        return IDV_MAIL_REFUSED;
    return IDV_MAIL_FAILED;
}

/* curl refuses an option mostly for want of memory. It could be the option that
 * demands TLS, so nothing is sent when one was refused. */
#define SET(option, value)                                                     \
    (refused |= curl_easy_setopt(easy, option, value) != CURLE_OK)

static int set_encryption(CURL *easy, const idv_mail_client_config_t *config)
{
    static const long levels[] = {
        [IDV_MAIL_TLS_REQUIRED] = CURLUSESSL_ALL,
        [IDV_MAIL_TLS_OPTIONAL] = CURLUSESSL_TRY,
        [IDV_MAIL_TLS_OFF] = CURLUSESSL_NONE,
    };
    int refused = 0;

    SET(CURLOPT_USE_SSL, levels[config->tls]);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (config->ca_file) {
        SET(CURLOPT_CAINFO, config->ca_file);
        SET(CURLOPT_CAPATH, NULL);
    }
    if (config->user) {
        SET(CURLOPT_USERNAME, config->user);
        SET(CURLOPT_PASSWORD, config->password);
    }
    return refused;
}

static int set_envelope(CURL *easy, mail_t *mail)
{
    int refused = 0;

    SET(CURLOPT_MAIL_FROM, mail->sender);
    SET(CURLOPT_UPLOAD, 1L);
    SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->length);
    SET(CURLOPT_READFUNCTION, on_read);
    SET(CURLOPT_READDATA, mail);
    SET(CURLOPT_WRITEFUNCTION, on_answer);
    SET(CURLOPT_HEADERFUNCTION, on_answer);
    return refused;
}

static int set_limits(CURL *easy, const idv_mail_client_config_t *config)
{
    int refused = 0;

    SET(CURLOPT_URL, config->url);
    SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TIMEOUT_MS, (long)config->timeout);
    SET(CURLOPT_SERVER_RESPONSE_TIMEOUT, (long)(config->timeout / IDV_SECOND));
    return refused;
}

static int set_recipient(CURL *easy, const struct curl_slist *recipient)
{
    int refused = 0;

    SET(CURLOPT_MAIL_RCPT, recipient);
    return refused;
}

#undef SET

static void send_mail(idv_thread_crew_t *crew, idv_crew_job_t *job)
{
    mail_t *mail = (mail_t *)job;
    struct curl_slist recipient = {mail->recipient, NULL};
    CURL *easy = curl_easy_init();
    CURLcode code = CURLE_OUT_OF_MEMORY;
    long status = 0;

    if (easy && !set_limits(easy, mail->config)
        && !set_encryption(easy, mail->config) && !set_envelope(easy, mail)
        && !set_recipient(easy, &recipient)) {
        code = curl_easy_perform(easy);
        if (curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status)
            != CURLE_OK)
            status = 0;
    }
    mail->outcome.result = classify(mail, code, status);
    mail->outcome.status = (int)status;
    mail->outcome.cause = curl_easy_strerror(code);
    /* The result is known. From here on the e-mail is the owner's again, while
     * the thread still has the connection, and waits for the answer to QUIT. */
    if (easy && set_recipient(easy, NULL)) {
        curl_easy_cleanup(easy);
        easy = NULL;
    }
    idv_thread_crew_hand_in(crew, job);
    curl_easy_cleanup(easy);
}

/* --- the caller --- */

static void tell(void *baton, idv_crew_job_t *job)
{
    const mail_t *mail = (const mail_t *)job;

    (void)baton;
    mail->done(mail->baton, &mail->outcome);
}

static const idv_thread_crew_work_t sending = {
    .work = send_mail,
    .done = tell,
    .discard = free_mail,
    .stack_size = STACK_SIZE,
};

idv_error_t *idv_mail_client_create(const idv_mail_client_config_t *config,
                                    idv_mail_client_t **out, apr_pool_t *pool)
{
    idv_mail_client_t *client = apr_pcalloc(pool, sizeof(*client));

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return idv_error_internal(pool, "libcurl does not start");
    client->config = config;
    IDV_TRY(idv_thread_crew_create(IDV_MAIL_IN_FLIGHT, &sending, NULL,
                                   &client->crew, pool));
    *out = client;
    return NULL;
}

int idv_mail_client_descriptor(const idv_mail_client_t *client)
{
    return idv_thread_crew_descriptor(client->crew);
}

void idv_mail_client_collect(idv_mail_client_t *client)
{
    idv_thread_crew_collect(client->crew);
}

void idv_mail_client_send(idv_mail_client_t *client, const char *recipient,
                          const char *message, idv_mail_done_t *done,
                          void *baton)
{
    mail_t *mail = create_mail(client->config, recipient, message);

    mail->done = done;
    mail->baton = baton;
    idv_thread_crew_do(client->crew, &mail->job);
}
