/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_GRAPH_H
#define IDV_DOMAIN_WORKFLOW_GRAPH_H

/*
 * The part of the workflow compiler that looks at the graph as a whole; for
 * workflow_compile.c alone.
 */
#include "domain/workflow.h"

/* Checks the graph of WORKFLOW, whose nodes are sound each by itself, adds what
 * is wrong to FAULTS (idv_workflow_fault_t), and fills in workflow->methods:
 *
 * - no loops; every node is reached from the start; some path verifies;
 * - every path to `verified` passes a primary method, or tries one and is
 *   approved by a reviewer after that;
 * - a rejected review leads to `failed`, an approved one does not. */
void idv_workflow_check_graph(idv_workflow_t *workflow,
                              apr_array_header_t *faults, apr_pool_t *pool);

#endif
