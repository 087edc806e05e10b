/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_DIFF_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_DIFF_H

/*
 * What changes from one definition of a workflow to another, member by member:
 * the order of members says nothing; an array is compared as a whole.
 *
 * Definitions are strangers': any JSON values may be given, nested no deeper
 * than the parser lets through (core/json.h). Memory: none but the answer's.
 * Threads: pure. Nothing fails.
 */
#include <jansson.h>

#include <apr_pools.h>

/* The changes from BEFORE to AFTER as an array of {"pointer", "change": added,
 * removed or changed, "before", "after"}, with JSON pointers in the order of
 * members, null for what is not there. New reference. */
json_t *idv_workflow_diff(const json_t *before, const json_t *after,
                          apr_pool_t *pool);

#endif
