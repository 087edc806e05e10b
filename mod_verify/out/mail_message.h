/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_MESSAGE_H
#define IDV_OUT_MAIL_MESSAGE_H

/*
 * Writes e-mail messages: RFC 5322 with MIME (RFC 2045, 2046) and encoded words
 * (RFC 2047), a text and an HTML alternative in UTF-8, both quoted-printable.
 *
 * Nothing that is put in can become a header field, a part or a second
 * recipient: control characters of header texts become spaces, addresses with
 * any are refused, and bodies are encoded. Lines end with CR LF and have at
 * most 78 bytes, apart from one with a longer address. Dots at the beginning of
 * lines are left to who sends.
 *
 * Memory: results live in the given pool. Threads: pure.
 */
#include "core/clock.h"

/* The longest address, in bytes (RFC 5321, 4.5.3.1.3). */
#define IDV_MAIL_ADDRESS_MAX 254

typedef struct {
    const char *name; /* NULL: none */
    const char *address;
} idv_mailbox_t;

/* Reads `address` or `Name <address>`, for who sends: the address in ASCII.
 * What is malformed is `parameter_invalid` without the value. */
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

/* TEXT as one line: whole characters of it, MAXIMUM bytes at most, and a space
 * for each control character. */
const char *idv_mail_line(const char *text, apr_size_t maximum,
                          apr_pool_t *pool);

/* The message as it is sent, marked as sent by a machine (RFC 3834). An address
 * that is none is an internal error. */
idv_error_t *idv_mail_message_write(const idv_mail_message_t *message,
                                    const char **out,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
