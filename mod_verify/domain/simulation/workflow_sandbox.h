/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_WORKFLOW_SANDBOX_H
#define IDV_DOMAIN_SIMULATION_WORKFLOW_SANDBOX_H

/*
 * The sandbox of workflows: runs a virtual session through a compiled workflow
 * with chosen inputs. It is created by domain/transition/session_create.h and
 * stepped by domain/transition/session_step.h, the same functions as real
 * sessions, so it behaves like them. Both are pure, and this file does not use
 * the store, so no session, event or charge can result.
 *
 * A scenario is an array of inputs, objects with the member `input`:
 *
 *     open, consent, cancel, leave, flag
 *     checks     risk: low, medium, high
 *     method     method, result: passed, failed, undetermined, unreadable,
 *                technical_failure; assurance, age, document_reused of the
 *                evidence
 *     approve, reject, escalate
 *     wait       seconds, including the timers that run in them
 *
 * The answer shows after each input the session's status and node, the effects
 * for the store, and the bodies of the webhooks that would be sent, with
 * impossible ids (all zeros, and a number).
 *
 * Scenarios are untrusted: any JSON value is accepted as input. Memory:
 * everything lives in the given pool. Threads: pure; the clock is passed in.
 */
#include "core/json.h"
#include "domain/transition/session_create.h"

#define IDV_SANDBOX_STEPS_MAX 200
#define IDV_SANDBOX_WAIT_MAX (60 * 24 * 3600) /* seconds per wait */

/* What to run, and for which organization. */
typedef struct {
    const idv_workflow_t *workflow;
    const char *organization_id; /* display only; NULL: an impossible id */
    const char *workflow_id;     /* display only; NULL: an impossible id */
    const char *workflow_version_id;
    idv_session_type_t type;
    const char *jurisdiction; /* normal form; NULL: the workflow's only one */
    idv_compliance_lookup_t *compliance; /* NULL: no rules */
    const void *compliance_baton;
    idv_time_t now; /* time of the session's creation */
} idv_sandbox_t;

/* Runs a session through SCENARIO. *ANSWER is {"object": "workflow_simulation",
 * "steps"}; the first step is the creation. An input that the session refuses
 * has the error in its step and changes nothing. New reference. Errors: those
 * of a creation (jurisdiction_unresolvable, use_case_prohibited,
 * parameter_invalid at `type`), and parameter_invalid at `scenario`,
 * `scenario[n].member`. */
idv_error_t *idv_sandbox_run(const idv_sandbox_t *sandbox,
                             const json_t *scenario, json_t **answer,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
