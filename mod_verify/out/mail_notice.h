/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_MAIL_NOTICE_H
#define IDV_OUT_MAIL_NOTICE_H

/*
 * The e-mail that tells persons of trust reuse: which organization accepted an
 * earlier verification of theirs, when, what was confirmed, and the link that
 * ends it. It contains no data of the person.
 *
 * Threads: pure. Memory: results live in the given pool and are wiped with it,
 * because they contain the secret of the link. Failures: none.
 */
#include "core/clock.h"
#include "domain/law/compliance.h"
#include "out/mail_look.h"
#include "out/mail_message.h"

typedef struct {
    idv_mail_look_t look;    /* of the accepting organization */
    const char *wishes;      /* language tags; NULL: none */
    int identity;            /* flag: it asked for the identity, not only the
                              * age */
    idv_age_tier_t age_tier; /* confirmed, or IDV_TIER_NONE */
    idv_time_t granted_at;
    const char *link;
} idv_trust_reuse_notice_t;

/* Fills subject, text and html of MESSAGE; in English if there is no
 * translation. */
void idv_trust_reuse_notice_write(const idv_trust_reuse_notice_t *notice,
                                  idv_mail_message_t *message,
                                  apr_pool_t *pool);

#endif
