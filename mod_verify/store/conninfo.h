/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_CONNINFO_H
#define IDV_STORE_CONNINFO_H

/*
 * Connection strings of libpq, completed by what an administrator left open:
 * nothing may wait without end for a database that does not answer.
 *
 * Memory: results live in the given pool. Threads: pure.
 */
#include <apr_pools.h>

/* One keyword of libpq (PostgreSQL, "Parameter Key Words") and its value. */
typedef struct {
    const char *keyword;
    const char *value;
} idv_conninfo_preset_t;

/* CONNINFO, "keyword=value ..." or a postgresql:// URI, as keywords and values,
 * with those of PRESETS that it does not set itself; PRESETS ends with a NULL
 * keyword. A malformed string comes back as it is. */
const char *idv_conninfo_complete(const char *conninfo,
                                  const idv_conninfo_preset_t *presets,
                                  apr_pool_t *pool);

/* What is wrong with CONNINFO, or NULL; a password file that others can read,
 * which libpq would pass over, is. libpq quotes the words that it stumbles
 * over; nothing is quoted of a string that may hold a password. */
const char *idv_conninfo_fault(const char *conninfo, apr_pool_t *pool);

/* A message of libpq, which may have several lines, in one. */
const char *idv_conninfo_message(const char *message, apr_pool_t *pool);

#endif
