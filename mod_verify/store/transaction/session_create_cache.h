/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_SESSION_CREATE_CACHE_H
#define IDV_STORE_TRANSACTION_SESSION_CREATE_CACHE_H

/*
 * Cache of facts, one per child: for each workflow its version in compiled
 * form, and the state of the organization. It is only a guess, which
 * idv_session_insert_guessed() verifies. A correct guess saves a round trip and
 * loading the workflow.
 *
 * The cache has a fixed size: of the entries that map to the same slot the most
 * recently used are kept. A workflow with a compiled form longer than
 * IDV_SESSION_CREATE_CACHE_WORKFLOW_MAX is never cached. Every entry has its
 * own pool, which lives while the entry is in use.
 *
 * Threads: all of a child. Memory: described with each function. Failures: a
 * lock cannot be made; without memory, nothing is cached.
 */
#include "store/transaction/session_create.h"

#define IDV_SESSION_CREATE_CACHE_PLACES 64
#define IDV_SESSION_CREATE_CACHE_SHARES 4                 /* entries per slot */
#define IDV_SESSION_CREATE_CACHE_WORKFLOW_MAX (32 * 1024) /* bytes of JSON */

typedef struct idv_session_create_cache_t idv_session_create_cache_t;

/* An empty cache, destroyed with PCHILD. */
idv_error_t *idv_session_create_cache_create(idv_session_create_cache_t **cache,
                                             apr_pool_t *pchild) IDV_CHECKED;

/* The cached facts of WORKFLOW_ID in SCOPE, usable until POOL is cleared;
 * facts->workflow is NULL if there are none. CACHE may be NULL. */
void idv_session_create_cache_find(idv_session_create_cache_t *cache,
                                   const idv_scope_t *scope,
                                   const char *workflow_id,
                                   idv_session_create_facts_t *facts,
                                   apr_pool_t *pool);

/* For facts of a live organization that were just read except its sessions under
 * way: takes their cached number and the time of the count, and returns
 * non-zero, if FACTS are far from the bound with it at NOW. An organization may
 * have hundreds of thousands under way, which a count would read. */
int idv_session_create_cache_take_count(idv_session_create_cache_t *cache,
                                        const idv_scope_t *scope,
                                        idv_time_t now,
                                        idv_session_create_facts_t *facts);

/* Caches FACTS, which were just read. */
void idv_session_create_cache_put(idv_session_create_cache_t *cache,
                                  const idv_scope_t *scope,
                                  const idv_session_create_facts_t *facts);

#endif
