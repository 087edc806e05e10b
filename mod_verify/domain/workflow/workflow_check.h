/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_CHECK_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_CHECK_H

/*
 * Checks of a workflow as a whole, after each node is valid on its own: faults
 * of the graph, for the compiler, and warnings about things that the author
 * probably did not intend. A workflow with warnings compiles and runs, but asks
 * for less than its name may promise.
 *
 * Faults and warnings share one type: the location, the rule and the message.
 *
 * The rules' names are part of the API: the dashboard has their words in each of
 * its languages, in the texts of `faults`, with {0} and {1} for the values that the
 * message contains.
 *
 * Memory: results live in the given pool. Threads: pure. Failures: none.
 */
#include <apr_tables.h>

#include "domain/law/compliance_rules.h"
#include "domain/workflow/workflow.h"

#define IDV_WORKFLOW_FAULTS_MAX 100
#define IDV_WORKFLOW_FAULT_VALUES_MAX 2

/* A fault or warning. */
typedef struct {
    const char *pointer; /* RFC 6901, "" for the document */
    const char *rule;    /* that is broken, such as "missing" */
    const char *message; /* for the operator */
    const char *values[IDV_WORKFLOW_FAULT_VALUES_MAX]; /* in it; NULL: none */
} idv_workflow_fault_t;

/*
 * Checks the graph of WORKFLOW, whose nodes are each valid, appends faults to
 * FAULTS (idv_workflow_fault_t), and fills in workflow->methods:
 *
 * - no loops; every node is reachable from the start; some path verifies;
 * - every path to `verified` passes a primary method, or tries one and is then
 *   approved by a reviewer;
 * - a rejected review leads to `failed`, an approved one does not.
 */
void idv_workflow_check_graph(idv_workflow_t *workflow,
                              apr_array_header_t *faults, apr_pool_t *pool);

/* An array of idv_workflow_fault_t with pointers into the definition (to an
 * absent member if its absence is the problem); empty: none. */
apr_array_header_t *idv_workflow_warnings(const idv_workflow_t *workflow,
                                          apr_pool_t *pool);

/* Adds the warnings for WORKFLOW on a server that sends no e-mail. */
void idv_workflow_warn_without_mail(const idv_workflow_t *workflow,
                                    apr_array_header_t *warnings);

/* Adds a warning for each jurisdiction targeted by WORKFLOW, or for all, whose
 * law RULES do not know at NOW. */
void idv_workflow_warn_of_law(const idv_workflow_t *workflow,
                              const idv_compliance_rules_t *rules,
                              idv_time_t now, apr_array_header_t *warnings);

/* FAULTS, or warnings, as [{"pointer", "rule", "message", "values"}]. New
 * reference. */
json_t *idv_workflow_faults_json(const apr_array_header_t *faults);

#endif
