/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_CODE_H
#define IDV_OUT_MAIL_CODE_H

/*
 * The e-mail with the code by which a person proves the address, in the
 * person's language.
 *
 * The code stands first in the subject, where a phone shows it without being
 * unlocked for more; the last line is the one by which browsers fill it in for
 * the page of that host alone (domain-bound codes). There is no link: a person
 * who did not ask for the code has nothing to press.
 *
 * Threads: pure. Memory: results live in the given pool, and are wiped with it.
 * Nothing fails.
 */
#include "out/mail_message.h"

typedef struct {
    const char *organization; /* its name */
    const char *code;
    const char *host;   /* of the page that asks for it */
    int minutes;        /* for which it is good */
    const char *wishes; /* language tags, as in Accept-Language; NULL: none */
} idv_mail_code_t;

/* Writes it: fills subject, text and html of MESSAGE. A language that there are
 * no texts in is English. */
void idv_mail_code_write(const idv_mail_code_t *mail,
                         idv_mail_message_t *message, apr_pool_t *pool);

#endif
