/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_TRUST_REUSE_MAIL_H
#define IDV_API_TRUST_REUSE_MAIL_H

/*
 * Queues the e-mail that tells a person of a grant; see
 * out/trust_reuse_notice.h for what it says. The watchdog sends it.
 */
#include "api/request.h"
#include "domain/trust_reuse.h"

/* Who is told, and what was asked of them. */
typedef struct {
    const char *email; /* normalized */
    idv_session_type_t type;
} idv_trust_reuse_reader_t;

/* In the transaction that writes GRANT; the server has VerifySMTP. */
idv_error_t *idv_trust_reuse_mail_queue(idv_db_t *db,
                                        const idv_services_t *services,
                                        const idv_trust_reuse_grant_t *grant,
                                        const idv_trust_reuse_reader_t *reader,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
