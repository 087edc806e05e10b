/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_CLIENT_H
#define IDV_OUT_MAIL_CLIENT_H

/*
 * Sends e-mail to a mail server by SMTP (RFC 5321, 3207, 4954, 8314) without
 * blocking the caller.
 *
 * A thread crew (thread_crew.h) runs libcurl, one e-mail and connection per
 * thread. Threads are used instead of http_client.h's multi interface because
 * libcurl blocks at the end of an SMTP connection until QUIT is answered, even
 * in the multi interface (7.88, smtp_disconnect()): for up to
 * CURLOPT_SERVER_RESPONSE_TIMEOUT, in whole seconds, which must be long enough
 * for a slow relay's answer to DATA. A mail server that goes silent at the end
 * would delay every webhook for that long. Threads also separate the two
 * address rules: a mail server is chosen by the administrator and can be
 * anywhere, a webhook receiver cannot (address_guard.h).
 *
 * Each exchange has one time limit from the name lookup to the last answer; the
 * answer to QUIT is awaited after the result was reported.
 *
 * Only a refusal (5xx) of this e-mail is final: of its sender, recipient or
 * content. Any problem with the connection, the encryption, the login or the
 * server itself, and every 4xx, is worth a retry.
 *
 * Threads and pool cleanup: see thread_crew.h. Memory: the threads use their
 * own copy of an e-mail, wiped when it is done.
 */
#include "core/clock.h"
#include "core/error.h"

/* Maximum number of e-mails sent at the same time. */
#define IDV_MAIL_IN_FLIGHT 4

#define IDV_MAIL_TLS_MODES(X)                                                  \
    X(REQUIRED, "required") /* no e-mail without */                            \
    X(OPTIONAL, "optional") /* when the server offers it */                    \
    X(OFF, "off")

typedef enum {
#define X(name, word) IDV_MAIL_TLS_##name,
    IDV_MAIL_TLS_MODES(X)
#undef X
        IDV_MAIL_TLS_MODE_COUNT
} idv_mail_tls_t;

/* The mode named WORD; IDV_MAIL_TLS_MODE_COUNT for anything else. */
idv_mail_tls_t idv_mail_tls_parse(const char *word);

/* Must outlive the process. */
typedef struct {
    const char *url;      /* smtp://host:port or smtps://host:port */
    const char *from;     /* envelope sender */
    const char *user;     /* NULL: no login */
    const char *password; /* with a user */
    const char *ca_file;  /* PEM; NULL: the system's authorities */
    idv_mail_tls_t tls;   /* for smtp://; smtps:// is always encrypted */
    idv_time_t timeout;   /* of the whole exchange */
} idv_mail_client_config_t;

typedef enum {
    IDV_MAIL_SENT,
    IDV_MAIL_REFUSED, /* permanently */
    IDV_MAIL_FAILED   /* worth a retry */
} idv_mail_result_t;

typedef struct {
    idv_mail_result_t result;
    int status;        /* the server's last reply code; 0: none */
    const char *cause; /* libcurl's description of the failure */
} idv_mail_outcome_t;

typedef struct idv_mail_client_t idv_mail_client_t;

/* Called once per e-mail. */
typedef void idv_mail_done_t(void *baton, const idv_mail_outcome_t *outcome);

idv_error_t *idv_mail_client_create(const idv_mail_client_config_t *config,
                                    idv_mail_client_t **client,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Readable if results wait; then call idv_mail_client_collect(). */
int idv_mail_client_descriptor(const idv_mail_client_t *client);
void idv_mail_client_collect(idv_mail_client_t *client);

/* Sends MESSAGE (RFC 5322, copied) to RECIPIENT, one address. Beyond
 * IDV_MAIL_IN_FLIGHT at once, e-mails are queued. */
void idv_mail_client_send(idv_mail_client_t *client, const char *recipient,
                          const char *message, idv_mail_done_t *done,
                          void *baton);

#endif
