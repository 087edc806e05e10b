/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_MESSAGE_H
#define IDV_OUT_MAIL_MESSAGE_H

/*
 * The e-mails that the service sends: their form, and the text of each kind.
 *
 * The form is that of RFC 5322 with MIME (RFC 2045, 2046), a text and an HTML
 * alternative in UTF-8, both quoted-printable; header texts are encoded words
 * (RFC 2047) only where they cannot stand as they are. libcurl could write the
 * parts as it sends them; but an e-mail is written and sealed in the
 * transaction that gives the reason for it, and sent later, perhaps by a node
 * of another version, so it is kept as the text that RFC 5322 defines.
 *
 * Nothing that is put in can become a header field, a part or a second
 * recipient: control characters of header texts become spaces, addresses with
 * any are refused, and bodies are encoded. Lines end with CR LF and have at
 * most 78 bytes, apart from one with a longer address. Dots at the beginning of
 * lines are left to the mail client.
 *
 * There is one kind: the notice that tells persons that an organization
 * accepted an earlier verification of theirs: who, what was confirmed, when,
 * and the link by which they revoke it. It shows no data of the person.
 *
 * Threads: pure. Memory: results live in the given pool; the texts of a notice
 * are wiped with it, as they hold the secret of the link. Failures: of
 * addresses only.
 */
#include "core/clock.h"
#include "domain/law/compliance.h"

/* The longest address, in bytes (RFC 5321, 4.5.3.1.3). */
#define IDV_MAIL_ADDRESS_MAX 254

typedef struct {
    const char *name; /* NULL: none */
    const char *address;
} idv_mailbox_t;

/* Reads TEXT, `address` or `Name <address>`, as the sender of e-mail; the
 * address has to be ASCII. A malformed text is `parameter_invalid`, whose
 * message does not show it. */
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

/* Writes MESSAGE as it is sent, marked as sent by a machine (RFC 3834). A
 * malformed address of sender or recipient is an internal error. */
idv_error_t *idv_mail_message_write(const idv_mail_message_t *message,
                                    const char **out,
                                    apr_pool_t *pool) IDV_CHECKED;

/* --- the notice of trust reuse --- */

typedef struct {
    const char *organization; /* name of the accepting one */
    int identity;             /* it asked who the person is, not only the age */
    idv_age_tier_t age_tier;  /* that was confirmed, or IDV_TIER_NONE */
    idv_time_t granted_at;
    const char *link;
} idv_trust_reuse_notice_t;

/* Writes the notice: fills subject, text and html of MESSAGE. */
void idv_trust_reuse_notice_write(const idv_trust_reuse_notice_t *notice,
                                  idv_mail_message_t *message,
                                  apr_pool_t *pool);

#endif
