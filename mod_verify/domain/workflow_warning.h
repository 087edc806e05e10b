/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WARNING_H
#define IDV_DOMAIN_WORKFLOW_WARNING_H

/*
 * What a workflow allows although its author hardly means it: it compiles, and
 * sessions run in it, but it asks for less than its name may promise.
 *
 * Memory: the given pool. Threads: pure.
 */
#include "domain/workflow.h"

/* An array of idv_workflow_fault_t, whose pointers lead into the definition (to
 * a member that is not there, where that is the matter); empty: none. */
apr_array_header_t *idv_workflow_warnings(const idv_workflow_t *workflow,
                                          apr_pool_t *pool);

#endif
