/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WORKFLOW_WORKFLOW_DRAFT_H
#define IDV_STORE_WORKFLOW_WORKFLOW_DRAFT_H

/*
 * Drafts of workflows: definitions that are being written, which may have any
 * faults. A draft belongs to a workflow, or reserves the id of one that is not
 * published yet. It knows the version that was live when it was begun, so that
 * nobody replaces another one without being told, and everybody who has changed
 * it.
 *
 * Several people may have a draft open. Each change of its definition raises
 * its revision, which is its entity tag (RFC 9110, 8.8.3); whoever changes,
 * deletes or publishes it names the tag that was seen (If-Match).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and those named below.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"

#define IDV_WORKFLOW_DRAFTS_MAX 20 /* of a workflow */
#define IDV_ORGANIZATION_DRAFTS_MAX 200
#define IDV_WORKFLOW_DRAFT_SIZE_MAX (256 * 1024) /* bytes of compact JSON */

typedef struct {
    const char *organization_id;
    const char *id;
    const char *workflow_id;
    const char *application_id;  /* whose the workflow is; NULL: all */
    const char *base_version_id; /* NULL: of a new workflow */
    const char *live_version_id; /* now; NULL: it is not published */
    int is_new;                  /* flag: the workflow is not published */
    int revision;
    const char *const *editors; /* each once; ends with NULL */
    const char *created_by, *updated_by;
    idv_time_t created, updated;
    const char *name;   /* of the definition; NULL: it has none */
    json_t *definition; /* NULL in lists */
} idv_workflow_draft_t;

/* The entity tag of DRAFT, with its quotes. */
const char *idv_workflow_draft_tag(const idv_workflow_draft_t *draft,
                                   apr_pool_t *pool);

/* The object `workflow_draft` of the API; with the definition, and whether that
 * has no faults, where the draft has it. Owned by POOL. */
json_t *idv_workflow_draft_json(const idv_workflow_draft_t *draft,
                                apr_pool_t *pool);

/* Refuses a definition that is larger than a draft may be: `body_too_large`. */
idv_error_t *idv_workflow_draft_check_size(const json_t *definition,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Makes the draft that DRAFT describes by its organization, editor
 * (`created_by`), definition, `created` and, for a workflow that is published,
 * `workflow_id` and `base_version_id`; fills in the rest. Inside of a
 * transaction. `draft_limit_reached`; `parameter_invalid` at `application_id`.
 */
idv_error_t *idv_workflow_draft_create(idv_db_t *db,
                                       idv_workflow_draft_t *draft,
                                       apr_pool_t *pool) IDV_CHECKED;

/* `resource_missing`. */
idv_error_t *idv_workflow_draft_find(idv_db_t *db, const char *organization_id,
                                     const char *id,
                                     idv_workflow_draft_t **draft,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The draft that WANTED names by its organization and id; nobody else changes
 * it until the transaction ends. TAG is a list of entity tags as If-Match has
 * it: `if_match_required` for NULL, and for `*`, which says nothing of what was
 * seen; `precondition_failed` when none of them is the draft's. What httpd's
 * filters append to a tag that they compress by is passed over. */
idv_error_t *idv_workflow_draft_lock(idv_db_t *db,
                                     const idv_workflow_draft_t *wanted,
                                     const char *tag,
                                     idv_workflow_draft_t **draft,
                                     apr_pool_t *pool) IDV_CHECKED;

/* What somebody makes of a draft. */
typedef struct {
    json_t *definition;
    const char *editor;
    idv_time_t now;
} idv_workflow_edit_t;

/* Does EDIT to DRAFT, which is locked, and to the struct. A definition that is
 * the same, in the same order, changes nothing: then nobody has edited. */
idv_error_t *idv_workflow_draft_save(idv_db_t *db, idv_workflow_draft_t *draft,
                                     const idv_workflow_edit_t *edit,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Removes DRAFT, which is locked; with the last draft of a workflow that was
 * never published go its scenarios. */
idv_error_t *idv_workflow_draft_remove(idv_db_t *db,
                                       const idv_workflow_draft_t *draft,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Whose drafts a page has. */
typedef struct {
    const char *organization_id;
    const char *workflow_id; /* NULL: of all workflows */
    idv_cursor_t cursor;
} idv_workflow_draft_filter_t;

/* A page of them, newest first, as texts of `workflow_draft` without
 * definitions. */
idv_error_t *idv_workflow_draft_page(idv_db_t *db,
                                     const idv_workflow_draft_filter_t *filter,
                                     apr_array_header_t **items, int *has_more,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
