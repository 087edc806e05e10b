/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_PATHS_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_PATHS_H

/*
 * All ways through a compiled workflow, as a session of one type in one
 * jurisdiction can go them: what the law of the day leaves of each node is asked
 * first, exactly as a session asks it.
 *
 * A graph of sixty-four nodes can have more ways than anybody could look at, so
 * what is said of all of them (their number, the longest, the weakest one that
 * verifies) is computed along the graph, and only the first
 * IDV_WORKFLOW_PATHS_MAX are listed.
 *
 * Weakest is the way to `verified` with the least evidence. The evidence of a way
 * is the best that one of its nodes surely brings: first by the assurance that
 * the node demands, then by the strength of the weakest method that passes it.
 * A reviewer's approval brings no evidence by itself.
 *
 * Memory: everything lives in the given pool. Threads: pure. Nothing fails.
 */
#include "domain/workflow/workflow.h"

#define IDV_WORKFLOW_PATHS_MAX 200

/* Evidence that a way surely brings. */
typedef struct {
    idv_assurance_t assurance; /* that is demanded; NONE: no method is passed */
    idv_strength_t strength;   /* of the weakest method that will do */
    idv_method_t method;       /* that one; NONE: none */
} idv_path_evidence_t;

/* One node of a way, and by which exit it is left; IDV_EXIT_COUNT at its
 * outcome. */
typedef struct {
    const idv_workflow_node_t *node;
    int exit;
} idv_path_step_t;

typedef struct {
    int verified; /* how it ends */
    int step_count;
    const idv_path_step_t *steps;
    idv_path_evidence_t evidence;
} idv_workflow_path_t;

/* What is asked. */
typedef struct {
    const idv_workflow_t *workflow;
    idv_session_type_t type;
    const char *jurisdiction;    /* normal form */
    const idv_compliance_t *law; /* NULL: nothing is known, all is allowed */
} idv_workflow_paths_question_t;

typedef struct {
    double count;     /* of all ways; exact below 2^53 */
    double verifying; /* those that verify */
    const idv_workflow_path_t *paths; /* the first ones, depth first */
    int path_count;
    const idv_workflow_path_t *weakest; /* that verifies; NULL: none does */
    const idv_workflow_path_t *longest; /* the most nodes; the first of equals */
    /* Nodes of methods that can be reached and never passed, because what the
     * law leaves of them is not enough: an array of idv_workflow_node_t *. */
    apr_array_header_t *dead_ends;
} idv_workflow_paths_t;

/* Answers QUESTION. */
void idv_workflow_paths(const idv_workflow_paths_question_t *question,
                        idv_workflow_paths_t *paths, apr_pool_t *pool);

/* The answer as JSON. New reference. */
json_t *idv_workflow_paths_json(const idv_workflow_paths_question_t *question,
                                const idv_workflow_paths_t *paths);

#endif
