/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_CLIENT_H
#define IDV_OUT_MAIL_CLIENT_H

/*
 * Hands e-mail to a mail server by SMTP (RFC 5321, 3207, 4954, 8314), without
 * blocking the caller.
 *
 * A crew of threads (thread_crew.h) runs libcurl, one e-mail on a connection of
 * its own each. Threads, and not the multi interface of http_client.h, because
 * libcurl ends an SMTP connection by blocking until QUIT is answered, in the
 * multi interface, too (7.88, smtp_disconnect()): for as long as
 * CURLOPT_SERVER_RESPONSE_TIMEOUT, whole seconds, which must be long enough for
 * a slow relay's answer to DATA. A mail server that is silent at the end would
 * hold up every webhook for that long. It also keeps the two rules about
 * addresses apart: a mail server is the administrator's and may be anywhere, a
 * receiver of webhooks must not (address_guard.h).
 *
 * Each exchange has one time limit from the name's look-up to the last answer;
 * the answer to QUIT is awaited after the result was told.
 *
 * What counts as final is a refusal (5xx) of this e-mail: of its sender, its
 * recipient or its text. Whatever is wrong with the connection, the
 * encryption, the login or the server itself, and every 4xx, is worth another
 * try.
 *
 * Threads and the end of the pool: thread_crew.h. Memory: what the threads have
 * of an e-mail is a copy of their own, wiped when it is done.
 */
#include "core/clock.h"
#include "core/error.h"

/* E-mails on the way at once at most. */
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

/* Has to outlive the process. */
typedef struct {
    const char *url;      /* smtp://host:port or smtps://host:port */
    const char *from;     /* address of the envelope */
    const char *user;     /* NULL: no login */
    const char *password; /* with a user */
    const char *ca_file;  /* PEM; NULL: the system's authorities */
    idv_mail_tls_t tls;   /* of smtp://; smtps:// is always encrypted */
    idv_time_t timeout;   /* of the whole exchange */
} idv_mail_client_config_t;

typedef enum {
    IDV_MAIL_SENT,
    IDV_MAIL_REFUSED, /* for good */
    IDV_MAIL_FAILED   /* worth another try */
} idv_mail_result_t;

typedef struct {
    idv_mail_result_t result;
    int status;        /* the server's last code; 0: none came */
    const char *cause; /* what libcurl says of the kind of failure */
} idv_mail_outcome_t;

typedef struct idv_mail_client_t idv_mail_client_t;

/* Told once for each e-mail. */
typedef void idv_mail_done_t(void *baton, const idv_mail_outcome_t *outcome);

idv_error_t *idv_mail_client_create(const idv_mail_client_config_t *config,
                                    idv_mail_client_t **client,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Readable when results wait; then call idv_mail_client_collect(). */
int idv_mail_client_descriptor(const idv_mail_client_t *client);
void idv_mail_client_collect(idv_mail_client_t *client);

/* Sends MESSAGE (RFC 5322, copied) to RECIPIENT, one address. More than
 * IDV_MAIL_IN_FLIGHT at once wait for each other. */
void idv_mail_client_send(idv_mail_client_t *client, const char *recipient,
                          const char *message, idv_mail_done_t *done,
                          void *baton);

#endif
