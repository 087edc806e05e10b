/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_COMPILE_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_COMPILE_H

/*
 * The compiler of workflows: reads the definition that an operator wrote
 * (conf/workflows/README.md is its reference), tells everything that is wrong
 * with it, and makes the workflow of one that is sound. The settings and the
 * members of each type of node stand in tables, one entry a key.
 *
 * The definition is a stranger's: any JSON value may be given.
 *
 * Memory: everything lives in the given pool. Threads: pure. Failures are faults
 * of the definition; there are no others.
 */
#include "domain/workflow/workflow_check.h"

/* Compiles DEFINITION. When it has faults, *WORKFLOW is NULL and *FAULTS is an
 * array of idv_workflow_fault_t with all of them (the first
 * IDV_WORKFLOW_FAULTS_MAX), those of the graph only when every node is sound by
 * itself; else *FAULTS is empty. */
void idv_workflow_compile(const json_t *definition, idv_workflow_t **workflow,
                          apr_array_header_t **faults, apr_pool_t *pool);

#endif
