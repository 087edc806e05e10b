/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_PLAN_H
#define IDV_DOMAIN_SESSION_SESSION_PLAN_H

/*
 * What a session asks of the person from its beginning to its end, as far as its
 * workflow fixes it: what was done, what is done now, and what follows when all
 * goes well. The widget shows it as the progress of the person.
 *
 * A step is one method, or several of which one is enough. The way that was gone
 * is the recorded one (domain/session/session_way.h); a node that was left without having
 * been passed is no step of it, so that what takes its place does not count
 * twice. Ahead, checks have a low risk, reviews approve, and methods pass, or are
 * left where the session's law takes them out. Whatever else happens adds steps.
 *
 * Memory: the writer's pool. Threads: pure. Nothing fails.
 */
#include "core/json_writer.h"
#include "domain/session/session.h"

/* Writes [{"methods": ["mdl", ...], "done"}, ...] under KEY; WITH_PROOF, that of
 * the e-mail address is the first step and called `email_otp`. */
void idv_session_plan_write(idv_json_writer_t *writer, const char *key,
                            const idv_session_t *session,
                            const idv_workflow_t *workflow, int with_proof);

#endif
