/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_HEALTH_H
#define IDV_STORE_TRUST_HEALTH_H

/*
 * Health findings from the database (domain/trust/health.h): its own state,
 * overdue work of watchdogs, and, for each organization, things that expire,
 * fail or are exhausted.
 *
 * Each check uses an index or a small table, and adds at most IDV_HEALTH_SHOWN
 * findings of one kind; the report says if there are more.
 *
 * Threads and failures: as in store/db/db.h. Memory: the given pool, which must
 * also be the report's.
 */
#include "domain/law/law_notice.h"
#include "domain/trust/health.h"
#include "store/db/db.h"

/* Maximum findings of one kind. */
#define IDV_HEALTH_SHOWN 100

/* Adds findings about the whole server to REPORT. RETENTION is that of
 * idempotency responses. */
idv_error_t *idv_health_look_at_server(idv_db_t *db, idv_time_t retention,
                                       idv_health_report_t *report,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Number of live organizations that are enabled, for checks of the
 * configuration. */
idv_error_t *idv_health_live_organizations(idv_db_t *db, apr_int64_t *count,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Adds findings about organizations to REPORT: those in IDS (NULL-terminated;
 * NULL: all). */
idv_error_t *idv_health_look_at_organizations(idv_db_t *db,
                                              const char *const *ids,
                                              idv_health_report_t *report,
                                              apr_pool_t *pool) IDV_CHECKED;

/* Adds NOTICES about the law of workflows that accept new sessions to REPORT;
 * IDS as above. */
idv_error_t *idv_health_look_at_law(idv_db_t *db, const char *const *ids,
                                    idv_law_notices_t *notices,
                                    idv_health_report_t *report,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
