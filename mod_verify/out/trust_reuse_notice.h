/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_TRUST_REUSE_NOTICE_H
#define IDV_OUT_TRUST_REUSE_NOTICE_H

/*
 * The e-mail that tells persons that an organization accepted an earlier
 * verification of theirs: who, what was confirmed, when, and the link by which
 * they revoke it. It shows no data of the person.
 *
 * Memory: texts live in the given pool and are wiped with it, as they hold the
 * secret of the link. Threads: pure.
 */
#include "domain/compliance.h"
#include "out/mail_message.h"

typedef struct {
    const char *organization; /* name of the accepting one */
    int identity;             /* it asked who the person is, not only the age */
    idv_age_tier_t age_tier;  /* that was confirmed, or IDV_TIER_NONE */
    idv_time_t granted_at;
    const char *link;
} idv_trust_reuse_notice_t;

/* Fills subject, text and html of MESSAGE. */
void idv_trust_reuse_notice_write(const idv_trust_reuse_notice_t *notice,
                                  idv_mail_message_t *message,
                                  apr_pool_t *pool);

#endif
