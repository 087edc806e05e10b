/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_CREATE_CACHE_H
#define IDV_STORE_SESSION_CREATE_CACHE_H

/*
 * What the creation of sessions depended on when it was last looked at, one
 * table a child: of each workflow its version, in compiled form, and how the
 * organization stood.
 *
 * It is a guess and never an answer: idv_session_insert_guessed() writes only
 * when everything is still so. What is right most of the time saves a round
 * trip, and the reading of the workflow.
 *
 * A table of fixed size: of those that would share a place the ones used last
 * have it, and one whose compiled form is longer than
 * IDV_SESSION_CREATE_CACHE_WORKFLOW_MAX is never in it. Threads: all of a
 * child. Memory: every entry has a pool of its own, which lives as long as
 * somebody uses it.
 */
#include "store/session_create.h"

#define IDV_SESSION_CREATE_CACHE_PLACES 64
#define IDV_SESSION_CREATE_CACHE_SHARES 4 /* entries in a place */
#define IDV_SESSION_CREATE_CACHE_WORKFLOW_MAX (32 * 1024) /* bytes of JSON */

typedef struct idv_session_create_cache_t idv_session_create_cache_t;

/* An empty table, destroyed with PCHILD. */
idv_error_t *idv_session_create_cache_create(idv_session_create_cache_t **cache,
                                             apr_pool_t *pchild) IDV_CHECKED;

/* What is known of WORKFLOW_ID in SCOPE, usable until POOL is cleared;
 * facts->workflow is NULL when nothing is. CACHE may be NULL. */
void idv_session_create_cache_find(idv_session_create_cache_t *cache,
                                   const idv_scope_t *scope,
                                   const char *workflow_id,
                                   idv_session_create_facts_t *facts,
                                   apr_pool_t *pool);

/* Remembers FACTS, which were just read. */
void idv_session_create_cache_put(idv_session_create_cache_t *cache,
                                  const idv_scope_t *scope,
                                  const idv_session_create_facts_t *facts);

#endif
