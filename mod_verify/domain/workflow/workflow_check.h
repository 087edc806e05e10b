/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_CHECK_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_CHECK_H

/*
 * What is looked at in a workflow as a whole, once each of its nodes is sound by
 * itself: what is wrong with the graph, for the compiler, and what the workflow
 * allows although its author hardly means it. With a warning it compiles, and
 * sessions run in it, but it asks for less than its name may promise.
 *
 * Faults and warnings are the same type: where it stands, and what to say of it.
 *
 * Memory: results live in the given pool. Threads: pure. Nothing fails.
 */
#include <apr_tables.h>

#include "domain/law/compliance_rules.h"
#include "domain/workflow/workflow.h"

#define IDV_WORKFLOW_FAULTS_MAX 100

/* Something wrong with a definition. */
typedef struct {
    const char *pointer; /* RFC 6901, "" for the document */
    const char *message; /* for the operator */
} idv_workflow_fault_t;

/* Checks the graph of WORKFLOW, whose nodes are sound each by itself, adds what
 * is wrong to FAULTS (idv_workflow_fault_t), and fills in workflow->methods:
 *
 * - no loops; every node is reached from the start; some path verifies;
 * - every path to `verified` passes a primary method, or tries one and is
 *   approved by a reviewer after that;
 * - a rejected review leads to `failed`, an approved one does not. */
void idv_workflow_check_graph(idv_workflow_t *workflow,
                              apr_array_header_t *faults, apr_pool_t *pool);

/* An array of idv_workflow_fault_t, whose pointers lead into the definition (to
 * a member that is not there, where that is the matter); empty: none. */
apr_array_header_t *idv_workflow_warnings(const idv_workflow_t *workflow,
                                          apr_pool_t *pool);

/* Adds to WARNINGS what is to be said of WORKFLOW where no e-mail is sent. */
void idv_workflow_warn_without_mail(const idv_workflow_t *workflow,
                                    apr_array_header_t *warnings);

/* Adds to WARNINGS where RULES do not know at NOW what the law says of WORKFLOW:
 * of the jurisdictions that it targets, or of all. */
void idv_workflow_warn_of_law(const idv_workflow_t *workflow,
                              const idv_compliance_rules_t *rules,
                              idv_time_t now, apr_array_header_t *warnings);

/* FAULTS, or warnings, as [{"pointer", "message"}]. New reference. */
json_t *idv_workflow_faults_json(const apr_array_header_t *faults);

#endif
