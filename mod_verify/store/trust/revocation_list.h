/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_REVOCATION_LIST_H
#define IDV_STORE_TRUST_REVOCATION_LIST_H

/*
 * Copies of the lists in which issuers publish what they have revoked, by their
 * addresses, for all nodes and organizations. A copy is what came, unchecked:
 * whoever uses one checks its signature and its times
 * (methods/mdl/revocation_list.h).
 *
 * A failed attempt leaves the copy that is there. Copies that were not asked for
 * in 30 days are removed (store/transaction/erasure.h).
 *
 * Threads and failures: as in store/db/db.h. Memory: the given pool.
 */
#include <apr_tables.h>

#include "store/db/db.h"

#define IDV_REVOCATION_LIST_DAYS 30

typedef struct {
    idv_bytes_t body;   /* length 0: nothing ever came */
    idv_time_t fetched; /* the body; 0: nothing ever came */
    idv_time_t tried;   /* last; 0: never */
    const char *error;  /* of the last attempt: code; NULL: it brought the body */
} idv_revocation_copy_t;

/* Where the list is kept that an operator imported for the certificates of an
 * authority, by the fingerprint of the authority's own; nothing but
 * an operator removes it. */
#define IDV_REVOCATION_IMPORTED "csca:"

/* The copy of what is at ADDRESS; all zero when it was never asked for. */
idv_error_t *idv_revocation_copy_find(idv_db_t *db, const char *address,
                                      idv_revocation_copy_t *copy,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Keeps BODY, or (length 0) that an attempt failed with ERROR. */
idv_error_t *idv_revocation_copy_store(idv_db_t *db, const char *address,
                                       idv_bytes_t body, const char *error,
                                       idv_time_t now,
                                       apr_pool_t *pool) IDV_CHECKED;

/* A list that an operator imported. */
typedef struct {
    const char *authority; /* its fingerprint */
    const char *issuer;    /* its name; NULL: no text */
    idv_time_t ends, imported;
} idv_revocation_import_t;

/* At most LIMIT of them, the first to end first, as an array of
 * idv_revocation_import_t. */
idv_error_t *idv_revocation_imports_find(idv_db_t *db, int limit,
                                         apr_array_header_t **imports,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Removes the imported list of the authority FINGERPRINT. *REMOVED is the list, or
 * NULL if there was none. */
idv_error_t *idv_revocation_import_remove(idv_db_t *db, const char *fingerprint,
                                          idv_revocation_import_t **removed,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
