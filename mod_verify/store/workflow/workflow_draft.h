/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WORKFLOW_WORKFLOW_DRAFT_H
#define IDV_STORE_WORKFLOW_WORKFLOW_DRAFT_H

/*
 * Drafts of workflows: definitions in progress, which may contain any faults. A
 * draft belongs to a workflow, or reserves the id of an unpublished one. It
 * records the version that was live at its creation, so that nobody unknowingly
 * replaces another one, and all of its editors.
 *
 * Several people can have a draft open. Each change of its definition
 * increments its revision, which is its entity tag (RFC 9110, 8.8.3); to
 * change, delete or publish it, a client sends the tag that it has seen
 * (If-Match).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and those named below.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"

#define IDV_WORKFLOW_DRAFTS_MAX 20 /* per workflow */
#define IDV_ORGANIZATION_DRAFTS_MAX 200
#define IDV_WORKFLOW_DRAFT_SIZE_MAX (256 * 1024) /* bytes of compact JSON */

typedef struct {
    const char *organization_id;
    const char *id;
    const char *workflow_id;
    const char *application_id;  /* the workflow's; NULL: organization-wide */
    const char *base_version_id; /* NULL: a new workflow */
    const char *live_version_id; /* now; NULL: unpublished */
    int is_new;                  /* flag: the workflow is unpublished */
    int revision;
    const char *const *editors; /* without duplicates, NULL-terminated */
    const char *created_by, *updated_by;
    idv_time_t created, updated;
    const char *name;   /* from the definition; NULL: none */
    json_t *definition; /* NULL in lists */
} idv_workflow_draft_t;

/* The entity tag of DRAFT, with its quotes. */
const char *idv_workflow_draft_tag(const idv_workflow_draft_t *draft,
                                   apr_pool_t *pool);

/* The object `workflow_draft` of the API; if DRAFT contains the definition,
 * with it and whether it has no faults. Owned by POOL. */
json_t *idv_workflow_draft_json(const idv_workflow_draft_t *draft,
                                apr_pool_t *pool);

/* Refuses a definition that is too large for a draft: `body_too_large`. */
idv_error_t *idv_workflow_draft_check_size(const json_t *definition,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Creates the draft from DRAFT's organization, editor (`created_by`),
 * definition, `created` and, for a published workflow, `workflow_id` and
 * `base_version_id`; fills in the rest. Requires a transaction.
 * `draft_limit_reached`; `parameter_invalid` at `application_id`. */
idv_error_t *idv_workflow_draft_create(idv_db_t *db,
                                       idv_workflow_draft_t *draft,
                                       apr_pool_t *pool) IDV_CHECKED;

/* `resource_missing`. */
idv_error_t *idv_workflow_draft_find(idv_db_t *db, const char *organization_id,
                                     const char *id,
                                     idv_workflow_draft_t **draft,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The draft with WANTED's organization and id, locked until the transaction
 * ends. TAG is a list of entity tags as in If-Match: `if_match_required` for
 * NULL and for `*`, which does not prove what was seen; `precondition_failed`
 * if none matches. Suffixes that httpd's compression filters append to a tag
 * are ignored. */
idv_error_t *idv_workflow_draft_lock(idv_db_t *db,
                                     const idv_workflow_draft_t *wanted,
                                     const char *tag,
                                     idv_workflow_draft_t **draft,
                                     apr_pool_t *pool) IDV_CHECKED;

/* A change to a draft. */
typedef struct {
    json_t *definition;
    const char *editor;
    idv_time_t now;
} idv_workflow_edit_t;

/* Applies EDIT to DRAFT, which is locked, in the database and in the struct. An
 * identical definition, in the same order, changes nothing and does not count
 * as an edit. */
idv_error_t *idv_workflow_draft_save(idv_db_t *db, idv_workflow_draft_t *draft,
                                     const idv_workflow_edit_t *edit,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Removes DRAFT, which is locked; the scenarios of a never published workflow
 * are deleted with its last draft. */
idv_error_t *idv_workflow_draft_remove(idv_db_t *db,
                                       const idv_workflow_draft_t *draft,
                                       apr_pool_t *pool) IDV_CHECKED;

/* A query for drafts. */
typedef struct {
    const char *organization_id;
    const char *workflow_id; /* NULL: any */
    idv_cursor_t cursor;
} idv_workflow_draft_filter_t;

/* A page of drafts, newest first, as texts of `workflow_draft` without
 * definitions. */
idv_error_t *idv_workflow_draft_page(idv_db_t *db,
                                     const idv_workflow_draft_filter_t *filter,
                                     apr_array_header_t **items, int *has_more,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
