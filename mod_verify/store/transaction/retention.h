/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_RETENTION_H
#define IDV_STORE_TRANSACTION_RETENTION_H

/*
 * Deletion of rows by age, one kind of data at a time. Sessions and credentials
 * with their dependent rows are deleted by store/transaction/removal.h.
 *
 * Rows are deleted in small batches that no other statement has to wait for.
 * Several nodes can purge at once; each takes rows that no other has taken.
 *
 * Threads: as in store/db/db.h. Memory: the given pool. Failures: those of
 * store/db/db.h.
 */
#include "core/clock.h"
#include "store/db/db.h"

typedef enum {
    IDV_RETENTION_IDEMPOTENCY, /* stored responses */
    IDV_RETENTION_DELIVERY,    /* delivery records */
    IDV_RETENTION_EVENT,
    IDV_RETENTION_RECOVERY,      /* finished webhook recoveries */
    IDV_RETENTION_SECOND_REVIEW, /* those that nobody made in time */
    IDV_RETENTION_EVIDENCE,      /* evidence of ended sessions */
    IDV_RETENTION_ATTEMPT,       /* counted by store/session/attempt_limit.h */
    IDV_RETENTION_RISK_OBSERVATION,
    IDV_RETENTION_MAIL, /* unsendable e-mail */
    IDV_RETENTION_DOCUMENT_SIGHTING,
    IDV_RETENTION_RISK_ASSESSMENT,
    IDV_RETENTION_TRUST_REUSE_TALLY,
    IDV_RETENTION_VP_TOKEN_PRESENTATION,
    IDV_RETENTION_EMAIL_OTP, /* expired codes */
    IDV_RETENTION_PASSKEY_CHALLENGE, /* expired */
    IDV_RETENTION_HANDOFF,   /* of ended sessions */
    IDV_RETENTION_AGE_FAILURE,
    IDV_RETENTION_REVOCATION_LIST, /* unused copies */
    IDV_RETENTION_WORKFLOW_REPLAY, /* finished jobs of the simulator */
    IDV_RETENTION_SHADOW_SESSION,  /* those waiting for an ended shadow */
    IDV_RETENTION_FORMER_SECRET,   /* of webhooks, after the overlap */
    IDV_RETENTION_LAW, /* session data that the law allows to keep only for a
                        * limited time */
    IDV_RETENTION_OIDC_LOGIN,
    IDV_RETENTION_REMOVED_SESSION, /* their owners, once no event is left */
    IDV_RETENTION_COUNT
} idv_retention_t;

/* The rows of one kind that are purged. */
typedef struct {
    idv_retention_t kind;
    idv_time_t cutoff;
    int limit;
} idv_retention_purge_t;

/* Deletes up to LIMIT rows of KIND from before CUTOFF; *REMOVED is their
 * number. */
idv_error_t *idv_retention_purge(idv_db_t *db,
                                 const idv_retention_purge_t *purge,
                                 apr_int64_t *removed,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
