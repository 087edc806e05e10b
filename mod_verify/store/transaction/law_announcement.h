/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_LAW_ANNOUNCEMENT_H
#define IDV_STORE_TRANSACTION_LAW_ANNOUNCEMENT_H

/*
 * Announces what operators should know about the law of their workflows
 * (domain/law/law_notice.h), as events of `workflow_law`.
 *
 * - A notice is announced once: for a workflow, its product, a jurisdiction and a day.
 * - Only live organizations with an endpoint for all applications that named the type
 *   get it. An endpoint that is added later gets what was not announced before.
 * - Several nodes may announce at once.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool. Failures:
 * those of store/db/db.h.
 */
#include "domain/law/law_notice.h"
#include "store/db/db.h"

/* Events of one call at most; the next call announces the rest. */
#define IDV_LAW_ANNOUNCEMENTS_MAX 200

/* Announces at NOW what the notices of RULES say, in one transaction. The number of
 * deliveries goes to *DELIVERIES; wake the watchdog's deliverer when there are any. */
idv_error_t *idv_law_announce(idv_db_t *db, const idv_compliance_rules_t *rules,
                              idv_time_t now, apr_int64_t *deliveries,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
