/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WORKFLOW_WORKFLOW_H
#define IDV_STORE_WORKFLOW_WORKFLOW_H

/*
 * Workflows and their immutable versions. Publishing adds a version and makes
 * it the current one; sessions that have begun stay with theirs.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and `resource_missing`.
 */
#include <apr_tables.h>

#include "domain/session/session.h"
#include "store/db/lookup.h"

/* A compiled definition to be published. */
typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: all of the organization's */
    const char *workflow_id;    /* NULL: a new one; filled in */
    int is_new; /* flag: the workflow is not there yet; implied by no id */
    const char *version_id;     /* filled in */
    const char *publisher;      /* who, for the list of versions */
    json_t *definition;
    const idv_workflow_t *workflow;
} idv_workflow_publication_t;

/* `resource_missing` when the organization, the application or the workflow
 * does not exist. */
idv_error_t *idv_workflow_publish(idv_db_t *db,
                                  idv_workflow_publication_t *publication,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The current version of a workflow of any organization, with its definition
 * and compiled form. New reference. */
idv_error_t *idv_workflow_show(idv_db_t *db, const char *id, json_t **object,
                               apr_pool_t *pool) IDV_CHECKED;

/* The workflows of an organization, oldest first, without definitions, and when
 * LIVE without those that are retired: a new array. */
idv_error_t *idv_workflow_list(idv_db_t *db, const char *organization_id,
                               int live, json_t **array,
                               apr_pool_t *pool) IDV_CHECKED;

/* Lets no session begin in the workflow ID of SCOPE any more, or lets them again;
 * those that run go on. *RETIRED_AT is since when, 0: not. */
idv_error_t *idv_workflow_retire(idv_db_t *db, const idv_scope_t *scope,
                                 const char *id, int is_retired,
                                 idv_time_t *retired_at,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- for operators of one organization --- */

/* A page of workflows, newest first, as an array of texts, each the JSON object
 * `workflow` of the API (const char *). */
idv_error_t *idv_workflow_page(idv_db_t *db, const idv_scope_t *scope,
                               const idv_cursor_t *cursor,
                               apr_array_header_t **items, int *has_more,
                               apr_pool_t *pool) IDV_CHECKED;

/* One of them, whose `trust_reuse` says besides whether it has any effect: a
 * workflow accepts what others verified only where an application has agreed to
 * that, too. Owned by POOL. */
idv_error_t *idv_workflow_find(idv_db_t *db, const idv_scope_t *scope,
                               const char *id, json_t **object,
                               apr_pool_t *pool) IDV_CHECKED;

/* A page of the versions of the workflow ID, newest first, as texts of
 * `workflow_version`. `resource_missing` for no workflow. */
idv_error_t *idv_workflow_version_page(idv_db_t *db, const idv_scope_t *scope,
                                       const char *id,
                                       const idv_cursor_t *cursor,
                                       apr_array_header_t **items,
                                       int *has_more,
                                       apr_pool_t *pool) IDV_CHECKED;

/* A version with `definition` and `compiled`. Owned by POOL. */
idv_error_t *idv_workflow_version_find(idv_db_t *db, const idv_scope_t *scope,
                                       const char *version_id, json_t **object,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The live version of a workflow. Inside of a transaction nobody publishes
 * another one until that ends. */
idv_error_t *idv_workflow_lock(idv_db_t *db, const char *organization_id,
                               const char *id, const char **version_id,
                               apr_pool_t *pool) IDV_CHECKED;

/* --- for sessions --- */

/* The compiled version that SESSION began with, which is there as long as the
 * session is. */
idv_error_t *idv_workflow_of_session(idv_db_t *db, const idv_session_t *session,
                                     idv_workflow_t **workflow,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
