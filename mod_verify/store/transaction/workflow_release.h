/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_WORKFLOW_RELEASE_H
#define IDV_STORE_TRANSACTION_WORKFLOW_RELEASE_H

/*
 * Team publishing, for the dashboard and verifyctl. A definition becomes the
 * live version of its workflow only
 *
 * - in place of the version that its author has seen,
 * - by somebody who has not edited it, if the organization requires four eyes,
 * - if the workflow's scenarios give the expected results. For changed
 *   scenarios that the publisher accepts, the current results become the
 *   expected ones.
 *
 * All of this is one transaction, opened by the caller; running sessions keep
 * the version with which they began (store/workflow/workflow.h).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and those named below.
 */
#include "domain/law/compliance_rules.h"
#include "domain/simulation/workflow_scenario.h"
#include "store/workflow/workflow.h"

typedef struct {
    const char *organization_id;
    const char *application_id;  /* NULL: the whole organization */
    const char *workflow_id;     /* NULL or unpublished: a new workflow */
    int is_new;                  /* flag: the workflow is unpublished */
    const char *base_version_id; /* the version to be replaced */
    int any_base;                /* flag: replace any live version */
    json_t *definition;
    const idv_workflow_t *workflow; /* DEFINITION, compiled */
    const char *publisher;
    const char *const *editors; /* of the definition, NULL-terminated */
    const json_t *accepted;     /* scenario ids, a JSON array; NULL: none */
    idv_sandbox_t law;          /* compliance, its baton, and now */
    const idv_compliance_rules_t *rules; /* for warnings; NULL: no rules */
} idv_workflow_release_t;

/* Publishes RELEASE. *ANSWER is the object `workflow_publication`, owned by
 * POOL. `four_eyes_required`; `draft_outdated`; `workflow_scenarios_changed`,
 * whose message contains the ids; `parameter_invalid` at
 * `accept_changed_scenarios`; `resource_missing`. */
idv_error_t *idv_workflow_release(idv_db_t *db,
                                  const idv_workflow_release_t *release,
                                  json_t **answer,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Runs the scenarios stored for SANDBOX's organization and `workflow_id` in its
 * `workflow`: the object `workflow_scenario_run`, owned by POOL.
 * `resource_missing`. */
idv_error_t *idv_workflow_scenarios_run(idv_db_t *db,
                                        const idv_sandbox_t *sandbox,
                                        json_t **answer,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
