/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_CODE_H
#define IDV_OUT_MAIL_CODE_H

/*
 * The e-mail with the code that proves an address, in the person's language.
 *
 * The code comes first in the subject, where a locked phone shows it. The last
 * line lets browsers autofill the code, only on a page of that host
 * (domain-bound codes). The e-mail has no link, so a person who did not request
 * the code has nothing to click.
 *
 * Threads: pure. Memory: results live in the given pool and are wiped with it.
 * Failures: none.
 */
#include "out/mail_look.h"
#include "out/mail_message.h"

typedef struct {
    idv_mail_look_t look; /* of the organization */
    const char *code;
    const char *host;   /* host of the page that asks for the code */
    int minutes;        /* validity */
    const char *wishes; /* Accept-Language tags; NULL: none */
} idv_mail_code_t;

/* Fills subject, text and html of MESSAGE; in English if there is no
 * translation. */
void idv_mail_code_write(const idv_mail_code_t *mail,
                         idv_mail_message_t *message, apr_pool_t *pool);

#endif
