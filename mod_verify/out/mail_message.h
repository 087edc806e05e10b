/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_MESSAGE_H
#define IDV_OUT_MAIL_MESSAGE_H

/*
 * The format of the e-mails of the service. mail_code.h and mail_notice.h have
 * the texts of each kind, mail_look.h what these share.
 *
 * The format is RFC 5322 with MIME (RFC 2045, 2046): a text and an HTML
 * alternative in UTF-8, both quoted-printable. Header texts are encoded words
 * (RFC 2047) only where necessary. libcurl could write the parts while sending.
 * But an e-mail is written and sealed in the transaction that causes it and
 * sent later, perhaps by a node of another version, so it is stored as RFC 5322
 * text.
 *
 * Input cannot create header fields, parts or further recipients: control
 * characters in header texts become spaces, addresses that contain any are
 * refused, and bodies are encoded. Lines end with CR LF and have at most 78
 * bytes, unless a single address is longer. The mail client handles dots at the
 * start of lines.
 *
 * Threads: pure. Memory: results live in the given pool. Failures: only for
 * addresses.
 */
#include "core/clock.h"
#include "core/error.h"

/* Maximum length of an address in bytes (RFC 5321, 4.5.3.1.3). */
#define IDV_MAIL_ADDRESS_MAX 254

typedef struct {
    const char *name; /* NULL: none */
    const char *address;
} idv_mailbox_t;

/* Parses TEXT, `address` or `Name <address>`, as the sender of e-mail; the
 * address must be ASCII. Malformed text is `parameter_invalid`; the message
 * does not contain it. */
idv_error_t *idv_mailbox_parse(const char *text, idv_mailbox_t *mailbox,
                               apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    idv_mailbox_t from;
    const char *to; /* one address */
    const char *id; /* Message-ID is this at the domain of `from` */
    idv_time_t date;
    const char *subject;
    const char *text; /* lines end with LF */
    const char *html;
} idv_mail_message_t;

/* Writes MESSAGE in its sent form, marked as automatic (RFC 3834). A malformed
 * address of sender or recipient is an internal error. */
idv_error_t *idv_mail_message_write(const idv_mail_message_t *message,
                                    const char **out,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
