/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_MESSAGE_H
#define IDV_OUT_MAIL_MESSAGE_H

/*
 * The e-mails of the service: their format, and the text of each kind.
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
 * There is one kind: the notice to persons that an organization accepted an
 * earlier verification of theirs: which organization, what was confirmed, when,
 * and the revocation link. It contains no data of the person.
 *
 * Threads: pure. Memory: results live in the given pool; the texts of a notice
 * are wiped with it, because they contain the secret of the link. Failures:
 * only for addresses.
 */
#include "core/clock.h"
#include "domain/law/compliance.h"

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

/* --- the notice of trust reuse --- */

typedef struct {
    const char *organization; /* name of the accepting one */
    int identity;             /* flag: it asked for the identity, not only the
                               * age */
    idv_age_tier_t age_tier;  /* confirmed, or IDV_TIER_NONE */
    idv_time_t granted_at;
    const char *link;
} idv_trust_reuse_notice_t;

/* Writes the notice: fills subject, text and html of MESSAGE. */
void idv_trust_reuse_notice_write(const idv_trust_reuse_notice_t *notice,
                                  idv_mail_message_t *message,
                                  apr_pool_t *pool);

#endif
