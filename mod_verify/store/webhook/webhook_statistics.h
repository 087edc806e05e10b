/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_WEBHOOK_STATISTICS_H
#define IDV_STORE_WEBHOOK_WEBHOOK_STATISTICS_H

/*
 * The outcomes and response times of an organization's webhooks, per endpoint,
 * computed on request from the newest deliveries of each. An organization has
 * at most 50 endpoints.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: only those of store/db/db.h.
 */
#include <jansson.h>

#include "store/db/db.h"

/* Deliveries considered per endpoint. */
#define IDV_WEBHOOK_STATISTICS_MAX 100

/* The array `endpoints` of /webhook_statistics, a new reference. */
idv_error_t *idv_webhook_statistics(idv_db_t *db, const char *organization_id,
                                    json_t **endpoints,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
