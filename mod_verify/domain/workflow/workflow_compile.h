/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_COMPILE_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_COMPILE_H

/*
 * The compiler of workflows: reads an operator's definition (reference:
 * conf/workflows/README.md), reports all faults, and builds the workflow if
 * there are none. The settings and the members of each node type are in tables,
 * one entry per key.
 *
 * Definitions are untrusted: any JSON value is accepted as input.
 *
 * Memory: everything lives in the given pool. Threads: pure. Failures: only
 * faults of the definition.
 */
#include "domain/workflow/workflow_check.h"

/* Compiles DEFINITION. If it has faults, *WORKFLOW is NULL and *FAULTS is an
 * array of idv_workflow_fault_t with all of them (the first
 * IDV_WORKFLOW_FAULTS_MAX); faults of the graph only if every node is valid on
 * its own. Otherwise *FAULTS is empty. */
void idv_workflow_compile(const json_t *definition, idv_workflow_t **workflow,
                          apr_array_header_t **faults, apr_pool_t *pool);

#endif
