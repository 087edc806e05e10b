/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_EXPIRY_H
#define IDV_STORE_TRUST_EXPIRY_H

/*
 * Items in use that expire soon or have expired (domain/trust/expiry.h):
 * editions of trust lists, their certificates, and reader identities.
 *
 * The certificates of a list are reported together. An expired one counts only
 * in the operator's own lists (iaca, csca); in others' lists its removal is up
 * to the publisher. Revocation lists count if an operator imported them for an
 * authority whose certificate is in a list in use.
 *
 * Threads and failures: as in store/db/db.h. Memory: the given pool.
 */
#include <apr_tables.h>

#include "domain/trust/expiry.h"
#include "store/db/db.h"

typedef enum {
    IDV_EXPIRING_LIST,
    IDV_EXPIRING_CERTIFICATES,
    IDV_EXPIRING_READER,
    IDV_EXPIRING_REVOCATION_LIST,
    IDV_EXPIRING_KIND_COUNT
} idv_expiring_kind_t;

/* "trust_list", "trust_certificates", "reader_identity", "revocation_list". */
const char *idv_expiring_kind_value(idv_expiring_kind_t kind);

typedef struct {
    idv_expiring_kind_t kind;
    const char *organization_id; /* "" for all */
    const char *id;   /* of the list or the identity; of a revocation list the
                       * fingerprint of its authority */
    const char *name; /* for the operator: kind and name, or the issuer's */
    idv_time_t ends;  /* the earliest of several certificates */
    int certificates; /* their number in a list; 0: not about certificates */
    idv_expiry_state_t state; /* due or overdue */
} idv_expiring_t;

/* At most LIMIT items, earliest end first, an array of idv_expiring_t. */
idv_error_t *idv_expiring_list(idv_db_t *db, idv_time_t now, int limit,
                               apr_array_header_t **expiring,
                               apr_pool_t *pool) IDV_CHECKED;

/* Sets the missing expiry dates of stored certificates, some hundreds at a
 * time. */
idv_error_t *idv_expiring_date_certificates(idv_db_t *db,
                                            apr_pool_t *pool) IDV_CHECKED;

/* Sets the missing dates and issuers of imported revocation lists, some at a
 * time. */
idv_error_t *idv_expiring_date_revocation_lists(idv_db_t *db,
                                                apr_pool_t *pool) IDV_CHECKED;

#endif
