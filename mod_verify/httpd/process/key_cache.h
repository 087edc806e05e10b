/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_PROCESS_KEY_CACHE_H
#define IDV_HTTPD_PROCESS_KEY_CACHE_H

/*
 * A cache of API keys as last seen, one table per child.
 *
 * An entry is a guess, never an answer: its user has the row of the key
 * compared before anything derived from the guess is believed
 * (idv_api_key_guard). The guess saves a round trip, because the comparison can
 * travel with the statement that needs the key's organization.
 *
 * The table has a fixed size; if two keys hash to one slot, the later one
 * replaces the other. Keys are found by the digest of their text, and nothing
 * else of the text is kept. Threads: all of a child. Memory: the child's,
 * allocated once. Failures: only the creation can fail.
 */
#include "store/account/api_key.h"

typedef struct idv_key_cache_t idv_key_cache_t;

/* Creates an empty cache; in each child, before its first request. */
idv_error_t *idv_key_cache_create(idv_key_cache_t **cache,
                                  apr_pool_t *pchild) IDV_CHECKED;

/* A copy in POOL of the key with DIGEST, IDV_DIGEST_SIZE bytes; NULL if it is
 * not cached or CACHE is NULL. */
idv_api_key_t *idv_key_cache_find(idv_key_cache_t *cache,
                                  const unsigned char *digest,
                                  apr_pool_t *pool);

/* Stores KEY, which was just read from the database. */
void idv_key_cache_put(idv_key_cache_t *cache, const unsigned char *digest,
                       const idv_api_key_t *key);

#endif
