/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_WAY_H
#define IDV_DOMAIN_SESSION_SESSION_WAY_H

/*
 * The path of a session: the workflow nodes that it entered, in order, with
 * times. It is stored in runner.way, a JSON array of arrays: the node's id,
 * seconds, and, once the node was passed, the methods that passed. A graph has
 * no loops, so there are at most as many entries as nodes.
 *
 * Only recorded steps are reported. A session from before the recording, or one
 * that an earlier release handled at some node, has gaps and says so.
 *
 * Memory: the given pool. Threads: pure. Failures: none, because only text
 * written here is read.
 */
#include "domain/session/session.h"

/* WAY (NULL: empty) with node ID, entered at NOW, appended. */
const char *idv_session_way_add(const char *way, const char *id,
                                idv_time_t now, apr_pool_t *pool);

/* WAY with its last node marked as passed with METHODS. */
const char *idv_session_way_pass(const char *way,
                                 const idv_method_list_t *methods,
                                 apr_pool_t *pool);

/* The methods passed according to ENTRY of a path; none if the node was left
 * otherwise, or by a release that did not record them. */
idv_method_list_t idv_session_way_passed(const json_t *entry);

/* Non-zero if SESSION has been at a node of TYPE of its WORKFLOW. */
int idv_session_way_has(const idv_session_t *session,
                        const idv_workflow_t *workflow, idv_node_type_t type,
                        apr_pool_t *pool);

/* The path of SESSION in its WORKFLOW: {"nodes": [{"node", "type",
 * "entered_at", "exits"}, ...], "is_whole"}. `entered_at` is null if unknown;
 * `exits` are those that lead to the next node, none after a gap and at the
 * last node. Owned by POOL. */
json_t *idv_session_way_json(const idv_session_t *session,
                             const idv_workflow_t *workflow, apr_pool_t *pool);

#endif
