/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SIMULATION_WORKFLOW_SCENARIO_H
#define IDV_STORE_SIMULATION_WORKFLOW_SCENARIO_H

/*
 * Scenarios stored with a workflow (domain/simulation/workflow_scenario.h). An
 * unpublished workflow can also have some, as long as it has a draft.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and those named below.
 */
#include <apr_tables.h>

#include "domain/simulation/workflow_scenario.h"
#include "store/db/lookup.h"

/* A scenario, new or stored. */
typedef struct {
    const char *organization_id;
    const char *workflow_id;
    const char *id;
    idv_workflow_scenario_t what;
    const char *updated_by;
    idv_time_t created, updated;
} idv_workflow_scenario_record_t;

/* The object `workflow_scenario` of the API. Owned by POOL. */
json_t *idv_workflow_scenario_json(const idv_workflow_scenario_record_t *record,
                                   apr_pool_t *pool);

/* Stores RECORD; `updated_by` and `created` are the author and the time; fills
 * in its id. Requires a transaction. `resource_missing`: no such workflow;
 * `scenario_limit_reached`. */
idv_error_t *
idv_workflow_scenario_create(idv_db_t *db,
                             idv_workflow_scenario_record_t *record,
                             apr_pool_t *pool) IDV_CHECKED;

/* The entity tag of its state: a client that replaces it proves with the tag
 * which state it has seen. */
const char *
idv_workflow_scenario_tag(const idv_workflow_scenario_record_t *record,
                          apr_pool_t *pool);

/* Replaces the scenario with RECORD's ids; `updated` is the time. Requires a
 * transaction. TAG is the state that was seen. `resource_missing`;
 * `if_match_required` without a TAG; `precondition_failed` if it has changed
 * since. */
idv_error_t *
idv_workflow_scenario_save(idv_db_t *db,
                           idv_workflow_scenario_record_t *record,
                           const char *tag, apr_pool_t *pool) IDV_CHECKED;

/* Finds, or removes, the scenario with the three ids in WANTED.
 * `resource_missing`. */
idv_error_t *idv_workflow_scenario_find(
    idv_db_t *db, const idv_workflow_scenario_record_t *wanted,
    idv_workflow_scenario_record_t **record, apr_pool_t *pool) IDV_CHECKED;
idv_error_t *
idv_workflow_scenario_remove(idv_db_t *db,
                             const idv_workflow_scenario_record_t *wanted,
                             apr_pool_t *pool) IDV_CHECKED;

/* A page of the scenarios of the organization and workflow of a record. */
typedef struct {
    const idv_workflow_scenario_record_t *wanted;
    idv_cursor_t cursor;
} idv_workflow_scenario_query_t;

/* A page of the scenarios of WANTED's workflow, newest first, an array of
 * idv_workflow_scenario_record_t. `resource_missing`: no such workflow. */
idv_error_t *idv_workflow_scenario_page(
    idv_db_t *db, const idv_workflow_scenario_query_t *query,
    apr_array_header_t **records, int *has_more, apr_pool_t *pool) IDV_CHECKED;

#endif
