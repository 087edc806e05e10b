/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_EXPIRY_H
#define IDV_STORE_TRUST_EXPIRY_H

/*
 * What is in use and ends soon, or has ended (domain/trust/expiry.h): editions of trust
 * lists, certificates in them, and identities as which wallets are asked.
 *
 * Certificates of a list are told of together. One that has ended counts where the
 * list is the operator's own (iaca, csca); out of a list of others it is for its
 * publisher to take it. Of revocation lists those count that an operator imported
 * for an authority whose certificate is in a list in use.
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
    const char *id;   /* of the list, or of the identity; of a revocation
                       * list the fingerprint of its authority */
    const char *name; /* for the operator: kind and name; or the issuer's */
    idv_time_t ends;  /* of several certificates, the first */
    int certificates; /* how many of a list; 0: it is about no certificates */
    idv_expiry_state_t state; /* due or overdue */
} idv_expiring_t;

/* At most LIMIT of them, the first to end first, as an array of
 * idv_expiring_t. */
idv_error_t *idv_expiring_list(idv_db_t *db, idv_time_t now, int limit,
                               apr_array_header_t **expiring,
                               apr_pool_t *pool) IDV_CHECKED;

/* Reads the ends of certificates that came into the database without, of some
 * hundreds at a time. */
idv_error_t *idv_expiring_date_certificates(idv_db_t *db,
                                            apr_pool_t *pool) IDV_CHECKED;

/* Reads the ends and issuers of imported revocation lists that came into the
 * database without, of some at a time. */
idv_error_t *idv_expiring_date_revocation_lists(idv_db_t *db,
                                                apr_pool_t *pool) IDV_CHECKED;

#endif
