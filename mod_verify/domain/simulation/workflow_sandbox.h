/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_WORKFLOW_SANDBOX_H
#define IDV_DOMAIN_SIMULATION_WORKFLOW_SANDBOX_H

/*
 * The sandbox of workflows: a session that nobody has, led through a compiled
 * workflow by chosen inputs. It is created by domain/session/session_create.h and
 * stepped by domain/session/session_step.h, the functions that real sessions use, so
 * that it behaves as they do; and since both are pure, and nothing here knows
 * the store, no session, event or charge can come of it.
 *
 * A scenario is an array of inputs, objects with the member `input`:
 *
 *     open, consent, cancel, leave, flag
 *     checks     risk: low, medium, high
 *     method     method, result: passed, failed, undetermined, unreadable,
 *                technical_failure; assurance, age, document_reused of what was
 *                shown
 *     approve, reject, escalate
 *     wait       seconds, with what timers do in them
 *
 * What is shown after each input is the session's status and node, the effects
 * that the store would have, and the bodies of the webhooks that would be sent,
 * with ids that never exist (all zeros, and a number).
 *
 * A scenario is a stranger's: any JSON value may be given. Memory: everything
 * lives in the given pool. Threads: pure; the clock is passed in.
 */
#include "core/json.h"
#include "domain/session/session_create.h"

#define IDV_SANDBOX_STEPS_MAX 200
#define IDV_SANDBOX_WAIT_MAX (60 * 24 * 3600) /* seconds of one wait */

/* What is tried, and for whom. */
typedef struct {
    const idv_workflow_t *workflow;
    const char *organization_id; /* shown alone; NULL: one that never exists */
    const char *workflow_id;     /* likewise */
    const char *workflow_version_id;
    idv_session_type_t type;
    const char *jurisdiction; /* normal form; NULL: the workflow's only one */
    idv_compliance_lookup_t *compliance; /* NULL: no rules */
    const void *compliance_baton;
    idv_time_t now; /* when the session is created */
} idv_sandbox_t;

/* Leads a session through SCENARIO. *ANSWER is {"object":
 * "workflow_simulation", "steps"}, whose first step is the creation; an input
 * that the session refuses has the error in its step and changes nothing. New
 * reference. Errors: those of a creation (jurisdiction_unresolvable,
 * use_case_prohibited, parameter_invalid at `type`), and parameter_invalid at
 * `scenario`, `scenario[n].member`. */
idv_error_t *idv_sandbox_run(const idv_sandbox_t *sandbox,
                             const json_t *scenario, json_t **answer,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
