/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WORKFLOW_H
#define IDV_STORE_WORKFLOW_H

/*
 * Workflows and their immutable versions. Publishing adds a version and makes
 * it the current one; sessions that have begun stay with theirs.
 *
 * Threads: as in store/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db.h, and `resource_missing`.
 */
#include "domain/session.h"
#include "store/db.h"

/* A compiled definition to be published. */
typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: all of the organization's */
    const char *workflow_id;    /* NULL: a new one; filled in */
    const char *version_id;     /* filled in */
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

/* The workflows of an organization, oldest first, without definitions: a new
 * array. */
idv_error_t *idv_workflow_list(idv_db_t *db, const char *organization_id,
                               json_t **array, apr_pool_t *pool) IDV_CHECKED;

/* The compiled version that SESSION began with, which is there as long as the
 * session is. */
idv_error_t *idv_workflow_of_session(idv_db_t *db, const idv_session_t *session,
                                     idv_workflow_t **workflow,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
