/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_RETENTION_H
#define IDV_STORE_RETENTION_H

/*
 * Removing what has been kept long enough, in small batches that no other
 * statement has to wait for. Several nodes may do it at once: each takes rows
 * that no other has taken. Memory: nothing outlives the call.
 */
#include "store/db.h"

typedef enum {
    IDV_RETENTION_IDEMPOTENCY, /* stored answers */
    IDV_RETENTION_DELIVERY,    /* records of deliveries */
    IDV_RETENTION_EVENT,
    IDV_RETENTION_RECOVERY, /* of webhooks, that have ended */
    IDV_RETENTION_EVIDENCE, /* of sessions that have ended */
    IDV_RETENTION_REUSE_ATTEMPT, /* of accept_existing */
    IDV_RETENTION_RISK_OBSERVATION,
    IDV_RETENTION_MAIL, /* that could not be sent */
    IDV_RETENTION_DOCUMENT_SIGHTING,
    IDV_RETENTION_RISK_ASSESSMENT,
    IDV_RETENTION_TRUST_REUSE_TALLY,
    IDV_RETENTION_VP_TOKEN_PRESENTATION,
    IDV_RETENTION_COUNT
} idv_retention_t;

/* Removes up to LIMIT rows of KIND from before CUTOFF; how many goes to
 * *REMOVED. */
idv_error_t *idv_retention_purge(idv_db_t *db, idv_retention_t kind,
                                 idv_time_t cutoff, int limit,
                                 apr_int64_t *removed,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
