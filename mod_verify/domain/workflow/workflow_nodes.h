/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_NODES_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_NODES_H

/*
 * Compiles the nodes of a workflow's definition. Only for workflow_compile.c.
 *
 * Memory, threads and failures: as in definition_reader.h.
 */
#include "domain/workflow/definition_reader.h"

/* Compiles the nodes of DOCUMENT, the whole definition, whose member `nodes` is
 * an object of them. */
void idv_workflow_compile_nodes(const idv_definition_place_t *document);

#endif
