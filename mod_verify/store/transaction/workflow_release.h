/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_WORKFLOW_RELEASE_H
#define IDV_STORE_TRANSACTION_WORKFLOW_RELEASE_H

/*
 * Publishing as a team does it, for the dashboard and for verifyctl: a
 * definition becomes the live version of its workflow only
 *
 * - in place of the version that its author has seen,
 * - by somebody who has not written it, where the organization demands four
 * eyes,
 * - when the scenarios of the workflow come out as they are expected to. Those
 *   that the publisher accepts as changed are expected from then on to come out
 *   as they do now.
 *
 * All of it holds in one transaction, which the caller opens; sessions under
 * way stay with the version that they began with (store/workflow/workflow.h).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and those named below.
 */
#include "domain/simulation/workflow_scenario.h"
#include "store/workflow/workflow.h"

typedef struct {
    const char *organization_id;
    const char *application_id;  /* NULL: all of the organization's */
    const char *workflow_id;     /* NULL, or none yet: a new workflow */
    int is_new;                  /* flag: the workflow is not published yet */
    const char *base_version_id; /* that is to be replaced */
    int any_base;                /* flag: whichever is live is replaced */
    json_t *definition;
    const idv_workflow_t *workflow; /* DEFINITION, compiled */
    const char *publisher;
    const char *const *editors; /* of the definition, to a NULL */
    const json_t *accepted;     /* ids of scenarios, a JSON array; NULL: none */
    idv_sandbox_t law;          /* compliance, its baton, and now */
    const idv_compliance_rules_t *rules; /* for warnings; NULL: none are known */
} idv_workflow_release_t;

/* Publishes RELEASE. *ANSWER is the object `workflow_publication`, owned by
 * POOL. `four_eyes_required`; `draft_outdated`; `workflow_scenarios_changed`,
 * whose message has the ids; `parameter_invalid` at `accept_changed_scenarios`;
 * `resource_missing`. */
idv_error_t *idv_workflow_release(idv_db_t *db,
                                  const idv_workflow_release_t *release,
                                  json_t **answer,
                                  apr_pool_t *pool) IDV_CHECKED;

/* What comes of the scenarios that SANDBOX's organization keeps with the
 * workflow of its `workflow_id`, in its `workflow`: the object
 * `workflow_scenario_run`, owned by POOL. `resource_missing`. */
idv_error_t *idv_workflow_scenarios_run(idv_db_t *db,
                                        const idv_sandbox_t *sandbox,
                                        json_t **answer,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
