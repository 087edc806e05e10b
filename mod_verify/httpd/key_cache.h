/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_KEY_CACHE_H
#define IDV_HTTPD_KEY_CACHE_H

/*
 * What API keys looked like when they were last seen, one table for each child.
 *
 * An entry is a guess and never an answer: whoever uses it has the row of the
 * key compared before anything that came of the guess is believed
 * (idv_api_key_guard). The guess saves a round trip, because the comparison can
 * travel with the statement that needs to know the key's organization.
 *
 * The table has a fixed size; of two keys that share a place the later one has
 * it. Keys are found by the digest of their text, and nothing else of the text
 * is kept. Threads: all of a child. Memory: the child's, allocated once.
 * Failures: only the creation can fail.
 */
#include "store/account/api_key.h"

typedef struct idv_key_cache_t idv_key_cache_t;

/* An empty one; in each child, before its first request. */
idv_error_t *idv_key_cache_create(idv_key_cache_t **cache,
                                  apr_pool_t *pchild) IDV_CHECKED;

/* A copy in POOL of the key with DIGEST, IDV_DIGEST_SIZE bytes; NULL when it is
 * not known. CACHE may be NULL: then no key is known. */
idv_api_key_t *idv_key_cache_find(idv_key_cache_t *cache,
                                  const unsigned char *digest,
                                  apr_pool_t *pool);

/* Remembers KEY, which was just read from the database. */
void idv_key_cache_put(idv_key_cache_t *cache, const unsigned char *digest,
                       const idv_api_key_t *key);

#endif
