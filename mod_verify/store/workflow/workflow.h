/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WORKFLOW_WORKFLOW_H
#define IDV_STORE_WORKFLOW_WORKFLOW_H

/*
 * Workflows and their immutable versions. Publishing adds a version and makes
 * it current; running sessions keep theirs.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and `resource_missing`.
 */
#include <apr_tables.h>

#include "domain/session/session.h"
#include "store/db/lookup.h"

/* A compiled definition to publish. */
typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: the whole organization */
    const char *workflow_id;    /* NULL: a new one; filled in */
    int is_new; /* flag: the workflow does not exist yet; implied by no id */
    const char *version_id; /* filled in */
    const char *publisher;  /* for the list of versions */
    json_t *definition;
    const idv_workflow_t *workflow;
} idv_workflow_publication_t;

/* `resource_missing` if the organization, the application or the workflow does
 * not exist. */
idv_error_t *idv_workflow_publish(idv_db_t *db,
                                  idv_workflow_publication_t *publication,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The current version of a workflow of any organization, with definition and
 * compiled form. New reference. */
idv_error_t *idv_workflow_show(idv_db_t *db, const char *id, json_t **object,
                               apr_pool_t *pool) IDV_CHECKED;

/* The workflows of an organization, oldest first, without definitions; with
 * LIVE, without retired ones. A new array. */
idv_error_t *idv_workflow_list(idv_db_t *db, const char *organization_id,
                               int live, json_t **array,
                               apr_pool_t *pool) IDV_CHECKED;

/* A workflow that is retired, or taken back into use. */
typedef struct {
    idv_scope_t scope;
    const char *id;
    int is_retired;
} idv_workflow_retirement_t;

/* Retires the workflow ID of SCOPE (no new sessions; running ones continue), or
 * reactivates it. *RETIRED_AT is the time of retirement, 0: not retired. */
idv_error_t *idv_workflow_retire(idv_db_t *db,
                                 const idv_workflow_retirement_t *retirement,
                                 idv_time_t *retired_at,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- for operators of one organization --- */

/* A page of workflows, newest first, an array of texts, each the API's JSON
 * object `workflow` (const char *). */
idv_error_t *idv_workflow_page(idv_db_t *db, const idv_page_query_t *query,
                               apr_array_header_t **items, int *has_more,
                               apr_pool_t *pool) IDV_CHECKED;

/* One workflow; its `trust_reuse` also says whether it has any effect: a
 * workflow accepts others' verifications only if an application has agreed to
 * that, too. Owned by POOL. */
idv_error_t *idv_workflow_find(idv_db_t *db, const idv_scope_t *scope,
                               const char *id, json_t **object,
                               apr_pool_t *pool) IDV_CHECKED;

/* A page of versions of the workflow ID, newest first, as texts of
 * `workflow_version`. `resource_missing` for an unknown workflow. */
idv_error_t *idv_workflow_version_page(idv_db_t *db,
                                       const idv_page_query_t *query,
                                       apr_array_header_t **items,
                                       int *has_more,
                                       apr_pool_t *pool) IDV_CHECKED;

/* A version with `definition` and `compiled`. Owned by POOL. */
idv_error_t *idv_workflow_version_find(idv_db_t *db, const idv_scope_t *scope,
                                       const char *version_id, json_t **object,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The live version of a workflow. In a transaction, blocks publishing until its
 * end. */
idv_error_t *idv_workflow_lock(idv_db_t *db, const char *organization_id,
                               const char *id, const char **version_id,
                               apr_pool_t *pool) IDV_CHECKED;

/* --- for sessions --- */

/* The compiled version with which SESSION began; it exists as long as the
 * session. */
idv_error_t *idv_workflow_of_session(idv_db_t *db, const idv_session_t *session,
                                     idv_workflow_t **workflow,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
