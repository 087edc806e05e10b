/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_LAW_ANNOUNCEMENT_H
#define IDV_STORE_TRANSACTION_LAW_ANNOUNCEMENT_H

/*
 * Announces notices about the law of workflows (domain/law/law_notice.h) to
 * their operators, as events of `workflow_law`.
 *
 * - A notice is announced once per workflow, product, jurisdiction and day.
 * - Only live organizations that have an organization-wide endpoint subscribed
 *   to the type by name get it. An endpoint added later gets the notices that
 *   were not announced before.
 * - Several nodes can announce at once.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h.
 */
#include "domain/law/law_notice.h"
#include "store/db/db.h"

/* Maximum events per call; the next call announces the rest. */
#define IDV_LAW_ANNOUNCEMENTS_MAX 200

/* Announces the notices of RULES at NOW, in one transaction. *DELIVERIES is the
 * number of deliveries; if there are any, wake the watchdog's deliverer. */
idv_error_t *idv_law_announce(idv_db_t *db, const idv_compliance_rules_t *rules,
                              idv_time_t now, apr_int64_t *deliveries,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
