/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_EXPIRY_H
#define IDV_STORE_EXPIRY_H

/*
 * What is in use and ends soon, or has ended (domain/expiry.h): editions of trust
 * lists, and identities as which wallets are asked.
 *
 * Threads and failures: as in store/db.h. Memory: the given pool.
 */
#include <apr_tables.h>

#include "domain/expiry.h"
#include "store/db.h"

typedef enum {
    IDV_EXPIRING_LIST,
    IDV_EXPIRING_READER
} idv_expiring_kind_t;

typedef struct {
    idv_expiring_kind_t kind;
    const char *organization_id; /* "" for all */
    const char *id;
    const char *name; /* for the operator: kind and name */
    idv_time_t ends;
    idv_expiry_state_t state; /* due or overdue */
} idv_expiring_t;

/* At most LIMIT of them, the first to end first, as an array of
 * idv_expiring_t. */
idv_error_t *idv_expiring_list(idv_db_t *db, idv_time_t now, int limit,
                               apr_array_header_t **expiring,
                               apr_pool_t *pool) IDV_CHECKED;

#endif
