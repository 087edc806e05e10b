/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_REVOCATION_LIST_H
#define IDV_STORE_TRUST_REVOCATION_LIST_H

/*
 * Copies of issuers' revocation lists by their addresses, for all nodes and
 * organizations. A copy is unverified; its user checks signature and times
 * (methods/mdl/revocation_list.h).
 *
 * A failed attempt keeps the existing copy. Copies that were not used for 30
 * days are deleted (store/transaction/retention.h).
 *
 * Threads and failures: as in store/db/db.h. Memory: the given pool.
 */
#include <apr_tables.h>

#include "store/db/db.h"

#define IDV_REVOCATION_LIST_DAYS 30

typedef struct {
    idv_bytes_t body;   /* length 0: none yet */
    idv_time_t fetched; /* time of the body; 0: none yet */
    idv_time_t tried;   /* last attempt; 0: never */
    const char *error;  /* code of the last attempt; NULL: successful */
} idv_revocation_copy_t;

/* Address prefix of lists that an operator imported for the certificates of an
 * authority, followed by the fingerprint of the authority's certificate; only
 * an operator removes them. */
#define IDV_REVOCATION_IMPORTED "csca:"

/* The copy of ADDRESS; all zero if it was never requested. */
idv_error_t *idv_revocation_copy_find(idv_db_t *db, const char *address,
                                      idv_revocation_copy_t *copy,
                                      apr_pool_t *pool) IDV_CHECKED;

/* What a fetch of a list brought. */
typedef struct {
    const char *address;
    idv_bytes_t body;
    const char *error;
    idv_time_t now;
} idv_revocation_fetched_t;

/* Stores BODY, or (length 0) a failed attempt with ERROR. */
idv_error_t *idv_revocation_copy_store(idv_db_t *db,
                                       const idv_revocation_fetched_t *fetched,
                                       apr_pool_t *pool) IDV_CHECKED;

/* An imported list. */
typedef struct {
    const char *authority; /* its fingerprint */
    const char *issuer;    /* its name; NULL: not text */
    idv_time_t ends, imported;
} idv_revocation_import_t;

/* At most LIMIT imported lists, earliest expiry first, an array of
 * idv_revocation_import_t. */
idv_error_t *idv_revocation_imports_find(idv_db_t *db, int limit,
                                         apr_array_header_t **imports,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Removes the imported list of the authority FINGERPRINT. *REMOVED is the list,
 * or NULL if there was none. */
idv_error_t *idv_revocation_import_remove(idv_db_t *db, const char *fingerprint,
                                          idv_revocation_import_t **removed,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
