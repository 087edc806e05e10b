/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_HEALTH_H
#define IDV_STORE_TRUST_HEALTH_H

/*
 * What the database tells about the health of the service (domain/trust/health.h): its
 * own state, what watchdogs should have done by now, and for each organization
 * what ends, fails or is exhausted.
 *
 * Each check reads by an index or a small table, and at most IDV_HEALTH_SHOWN
 * findings of one kind are added; with more, the report says so.
 *
 * Threads and failures: as in store/db/db.h. Memory: the given pool, in which the
 * report has to live, too.
 */
#include "domain/law/law_notice.h"
#include "domain/trust/health.h"
#include "store/db/db.h"

/* Findings of one kind at most. */
#define IDV_HEALTH_SHOWN 100

/* Adds to REPORT what concerns the whole server. Answers to idempotency keys are
 * kept for RETENTION. */
idv_error_t *idv_health_look_at_server(idv_db_t *db, idv_time_t retention,
                                       idv_health_report_t *report,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Live organizations that are not disabled, for checks of the configuration. */
idv_error_t *idv_health_live_organizations(idv_db_t *db, apr_int64_t *count,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Adds to REPORT what concerns single organizations: those of IDS, ending with
 * NULL; IDS NULL: all. */
idv_error_t *idv_health_look_at_organizations(idv_db_t *db,
                                              const char *const *ids,
                                              idv_health_report_t *report,
                                              apr_pool_t *pool) IDV_CHECKED;

/* Adds to REPORT what NOTICES say of the law of workflows in which sessions can
 * begin; IDS as above. */
idv_error_t *idv_health_look_at_law(idv_db_t *db, const char *const *ids,
                                    idv_law_notices_t *notices,
                                    idv_health_report_t *report,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
