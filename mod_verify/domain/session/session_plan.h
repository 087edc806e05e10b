/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_PLAN_H
#define IDV_DOMAIN_SESSION_SESSION_PLAN_H

/*
 * The steps of a session for the person, from start to end, as far as the
 * workflow determines them: completed, current, and those that follow if all
 * goes well. The widget shows them as progress.
 *
 * A step is one method, or several of which one suffices. Past steps come from
 * the recorded path (domain/session/session_way.h). A node that was left
 * without being passed is not a step, so that its replacement does not count
 * twice. Future steps assume that checks find low risk, reviews approve, and
 * methods pass or, if the session's law excludes them, are skipped. Any other
 * course adds steps.
 *
 * Memory: the writer's pool. Threads: pure. Failures: none.
 */
#include "core/json_writer.h"
#include "domain/session/session.h"

/* Writes [{"methods": ["mdl", ...], "done"}, ...] under KEY. With WITH_PROOF
 * the first step is the e-mail proof, named `email_otp`. */
void idv_session_plan_write(idv_json_writer_t *writer, const char *key,
                            const idv_session_t *session,
                            const idv_workflow_t *workflow, int with_proof);

#endif
