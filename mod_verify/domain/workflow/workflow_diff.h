/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_DIFF_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_DIFF_H

/*
 * Differences between two definitions of a workflow, member by member. The
 * order of members is ignored; arrays are compared as a whole.
 *
 * Definitions are untrusted: any JSON value is accepted as input, nested as
 * deep as the parser allows (core/json.h). Memory: only that of the answer.
 * Threads: pure. Failures: none.
 */
#include <jansson.h>

#include <apr_pools.h>

/* The changes from BEFORE to AFTER: an array of {"pointer", "change": added,
 * removed or changed, "before", "after"}, with JSON pointers in the order of
 * members, null for an absent value. New reference. */
json_t *idv_workflow_diff(const json_t *before, const json_t *after,
                          apr_pool_t *pool);

#endif
