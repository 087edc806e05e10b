/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_WORKFLOW_PATHS_H
#define IDV_DOMAIN_WORKFLOW_WORKFLOW_PATHS_H

/*
 * All paths through a compiled workflow that a session of one type in one
 * jurisdiction can take. The current law is applied to each node first, exactly
 * as a session applies it.
 *
 * A graph of 64 nodes can have an astronomical number of paths. So their
 * number, the longest, and the weakest verifying path are computed along the
 * graph, and only the first IDV_WORKFLOW_PATHS_MAX are listed.
 *
 * The weakest path is the one to `verified` with the least evidence. The
 * evidence of a path is the best that one of its nodes guarantees, compared
 * first by the assurance that the node requires, then by the strength of the
 * weakest method that passes it. A reviewer's approval is not evidence.
 *
 * Memory: everything lives in the given pool. Threads: pure. Failures: none.
 */
#include "domain/workflow/workflow.h"

#define IDV_WORKFLOW_PATHS_MAX 200

/* Evidence guaranteed by a path. */
typedef struct {
    idv_assurance_t assurance; /* required; NONE: no method is passed */
    idv_strength_t strength;   /* of the weakest sufficient method */
    idv_method_t method;       /* that method, or NONE */
} idv_path_evidence_t;

/* One node of a path and the exit taken; IDV_EXIT_COUNT at its outcome. */
typedef struct {
    const idv_workflow_node_t *node;
    int exit;
} idv_path_step_t;

typedef struct {
    int verified; /* flag: ends as verified */
    int step_count;
    const idv_path_step_t *steps;
    idv_path_evidence_t evidence;
} idv_workflow_path_t;

/* The query. */
typedef struct {
    const idv_workflow_t *workflow;
    idv_session_type_t type;
    const char *jurisdiction;    /* normal form */
    const idv_compliance_t *law; /* NULL: unknown, all methods are allowed */
} idv_workflow_paths_question_t;

typedef struct {
    double count;                     /* of all paths; exact below 2^53 */
    double verifying;                 /* number of verifying paths */
    const idv_workflow_path_t *paths; /* the first ones, depth first */
    int path_count;
    const idv_workflow_path_t *weakest; /* of the verifying paths; NULL: there
                                         * are none */
    const idv_workflow_path_t *longest; /* most nodes; the first among equals */
    /* Reachable methods nodes that can never pass, because the law leaves too
     * few of their methods: an array of idv_workflow_node_t *. */
    apr_array_header_t *dead_ends;
} idv_workflow_paths_t;

/* Answers QUESTION. */
void idv_workflow_paths(const idv_workflow_paths_question_t *question,
                        idv_workflow_paths_t *paths, apr_pool_t *pool);

/* The answer as JSON. New reference. */
json_t *idv_workflow_paths_json(const idv_workflow_paths_question_t *question,
                                const idv_workflow_paths_t *paths);

#endif
