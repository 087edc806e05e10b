/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_WAY_H
#define IDV_DOMAIN_SESSION_SESSION_WAY_H

/*
 * Which nodes of its workflow a session went through, in order, and when it came
 * to each. The session keeps it as it walks (runner.way, a JSON array of arrays: a
 * node's id, seconds, and once the node is passed the methods that were); a graph
 * has no loops, so there are no more of them than nodes.
 *
 * Nothing is told that was not recorded. A session that began before this was
 * kept, or that a node of an earlier release had in hand, has gaps, and says so.
 *
 * Memory: the given pool. Threads: pure. Nothing fails: what is read here was
 * written here.
 */
#include "domain/session/session.h"

/* WAY (NULL: none yet) with the node ID, which was come to at NOW, behind it. */
const char *idv_session_way_add(const char *way, const char *id,
                                idv_time_t now, apr_pool_t *pool);

/* WAY, whose last node was passed with METHODS. */
const char *idv_session_way_pass(const char *way,
                                 const idv_method_list_t *methods,
                                 apr_pool_t *pool);

/* The methods that ENTRY of a way says were passed; none where the node was left
 * otherwise, or by a release that did not keep them. */
idv_method_list_t idv_session_way_passed(const json_t *entry);

/* Non-zero when SESSION has been at a node of TYPE of its WORKFLOW. */
int idv_session_way_has(const idv_session_t *session,
                        const idv_workflow_t *workflow, idv_node_type_t type,
                        apr_pool_t *pool);

/* The way of SESSION in its WORKFLOW: {"nodes": [{"node", "type", "entered_at",
 * "exits"}, ...], "is_whole"}. `entered_at` is null where it is not known;
 * `exits` are those that lead to the next node, none behind a gap and at the
 * last. Owned by POOL. */
json_t *idv_session_way_json(const idv_session_t *session,
                             const idv_workflow_t *workflow, apr_pool_t *pool);

#endif
