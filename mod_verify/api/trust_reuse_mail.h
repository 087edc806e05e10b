/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_TRUST_REUSE_MAIL_H
#define IDV_API_TRUST_REUSE_MAIL_H

/*
 * Queues the e-mail that tells a person of a session that a grant verified; see
 * out/trust_reuse_notice.h for what it says. The watchdog sends it.
 */
#include "api/request.h"
#include "domain/trust_reuse.h"

/* Who is told, and of what. */
typedef struct {
    const char *email; /* normalized */
    const idv_session_t *session;
} idv_trust_reuse_reader_t;

/* In the transaction that writes the session; GRANT may be older. The server
 * has VerifySMTP. */
idv_error_t *idv_trust_reuse_mail_queue(idv_db_t *db,
                                        const idv_services_t *services,
                                        const idv_trust_reuse_grant_t *grant,
                                        const idv_trust_reuse_reader_t *reader,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
