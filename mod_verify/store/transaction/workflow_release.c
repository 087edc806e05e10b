/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/workflow_release.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/account/operator_key.h"
#include "domain/workflow/workflow_check.h"
#include "store/account/organization.h"
#include "store/db/server_node.h"
#include "store/simulation/workflow_scenario.h"

/* --- scenarios --- */

typedef struct {
    idv_workflow_scenario_record_t record;
    idv_scenario_outcome_t outcome;
} trial_t;

/* Runs all scenarios of SANDBOX's workflow; *TRIALS is an array of trial_t. */
static idv_error_t *try_scenarios(idv_db_t *db, const idv_sandbox_t *sandbox,
                                  apr_array_header_t **trials, apr_pool_t *pool)
{
    const idv_workflow_scenario_record_t wanted = {
        .organization_id = sandbox->organization_id,
        .workflow_id = sandbox->workflow_id};
    const idv_cursor_t cursor = {.limit = IDV_WORKFLOW_SCENARIOS_MAX};
    apr_array_header_t *records;
    int has_more;

    IDV_TRY(idv_workflow_scenario_page(db,
                                       &(const idv_workflow_scenario_query_t){
                                           .wanted = &wanted, .cursor = cursor},
                                       &records, &has_more, pool));
    *trials = apr_array_make(pool, records->nelts, sizeof(trial_t));
    for (int i = 0; i < records->nelts; i++) {
        trial_t *trial = apr_array_push(*trials);

        trial->record =
            APR_ARRAY_IDX(records, i, idv_workflow_scenario_record_t);
        idv_scenario_run(sandbox, &trial->record.what, &trial->outcome, pool);
    }
    return NULL;
}

static int is_changed(const trial_t *trial)
{
    return json_array_size(trial->outcome.differences) > 0;
}

static json_t *error_json(const idv_error_t *error, apr_pool_t *pool)
{
    return error ? json_pack("{s:s, s:s?, s:s}", "code",
                             idv_error_info(error->code)->code, "param",
                             error->param, "message",
                             idv_error_sentence(error, NULL, pool))
                 : json_null();
}

static json_t *trial_json(const trial_t *trial, apr_pool_t *pool)
{
    const idv_scenario_outcome_t *outcome = &trial->outcome;

    return json_pack("{s:s, s:s, s:s, s:O, s:O?, s:O, s:o}", "scenario_id",
                     trial->record.id, "name", trial->record.what.name,
                     "result",
                     outcome->error      ? "refused"
                     : is_changed(trial) ? "changed"
                                         : "passed",
                     "expected", trial->record.what.expected, "actual",
                     outcome->actual, "differences", outcome->differences,
                     "error", error_json(outcome->error, pool));
}

idv_error_t *idv_workflow_scenarios_run(idv_db_t *db,
                                        const idv_sandbox_t *sandbox,
                                        json_t **answer, apr_pool_t *pool)
{
    apr_array_header_t *trials;
    json_t *results = json_array();
    int changed = 0;

    idv_json_own(results, pool);
    IDV_TRY(try_scenarios(db, sandbox, &trials, pool));
    for (int i = 0; i < trials->nelts; i++) {
        const trial_t *trial = &APR_ARRAY_IDX(trials, i, trial_t);

        changed += is_changed(trial);
        json_array_append_new(results, trial_json(trial, pool));
    }
    *answer = idv_json_own(json_pack("{s:s, s:s, s:i, s:i, s:O}", "object",
                                     "workflow_scenario_run", "workflow_id",
                                     sandbox->workflow_id, "passed",
                                     trials->nelts - changed, "changed",
                                     changed, "results", results),
                           pool);
    return NULL;
}

/* --- what publishing demands --- */

static idv_error_t *check_four_eyes(idv_db_t *db,
                                    const idv_workflow_release_t *release,
                                    apr_pool_t *pool)
{
    idv_four_eyes_t switches;

    IDV_TRY(idv_organization_four_eyes(db, release->organization_id, &switches,
                                       pool));
    return switches.publish
                && idv_operator_can_be_among(release->publisher,
                                             release->editors, pool)
             ? idv_error_new(IDV_E_FOUR_EYES_REQUIRED, pool)
             : NULL;
}

static idv_error_t *check_base(idv_db_t *db,
                               const idv_workflow_release_t *release,
                               apr_pool_t *pool)
{
    const char *live;

    if (release->is_new)
        return NULL;
    IDV_TRY(idv_workflow_lock(db, release->organization_id,
                              release->workflow_id, &live, pool));
    return release->any_base
                || (release->base_version_id
                    && strcmp(release->base_version_id, live) == 0)
             ? NULL
             : idv_error_new(IDV_E_DRAFT_OUTDATED, pool);
}

static int is_listed(const json_t *ids, const char *id)
{
    const json_t *listed;
    size_t i;

    json_array_foreach (ids, i, listed)
        if (strcmp(json_string_value(listed), id) == 0)
            return 1;
    return 0;
}

static int is_tried(const apr_array_header_t *trials, const char *id)
{
    for (int i = 0; i < trials->nelts; i++)
        if (strcmp(APR_ARRAY_IDX(trials, i, trial_t).record.id, id) == 0)
            return 1;
    return 0;
}

/* Accepted scenarios must exist, so that a mistyped id is reported. */
static idv_error_t *check_accepted(const idv_workflow_release_t *release,
                                   const apr_array_header_t *trials,
                                   apr_pool_t *pool)
{
    const json_t *id;
    size_t i;

    json_array_foreach (release->accepted, i, id)
        if (!is_tried(trials, json_string_value(id)))
            return idv_error_param(
                pool,
                apr_psprintf(pool, "accept_changed_scenarios[%d]", (int)i),
                "must be the id of a scenario of this workflow.");
    return NULL;
}

static idv_error_t *check_trials(const idv_workflow_release_t *release,
                                 const apr_array_header_t *trials,
                                 apr_pool_t *pool)
{
    const char *ids = NULL;
    idv_error_t *error;

    IDV_TRY(check_accepted(release, trials, pool));
    for (int i = 0; i < trials->nelts; i++) {
        const trial_t *trial = &APR_ARRAY_IDX(trials, i, trial_t);

        if (is_changed(trial)
            && !is_listed(release->accepted, trial->record.id))
            ids = apr_pstrcat(pool, ids ? ids : "", ids ? ", " : "",
                              trial->record.id, NULL);
    }
    if (!ids)
        return NULL;
    error = idv_error_new(IDV_E_WORKFLOW_SCENARIOS_CHANGED, pool);
    error->message = apr_pstrcat(
        pool, "These scenarios do not have their expected results: ", ids, ".",
        NULL);
    return error;
}

/* The result becomes the expected one. A scenario that can no longer run has no
 * result and is left unchanged. */
static idv_error_t *accept_trials(idv_db_t *db,
                                  const idv_workflow_release_t *release,
                                  const apr_array_header_t *trials,
                                  json_t *accepted, apr_pool_t *pool)
{
    for (int i = 0; i < trials->nelts; i++) {
        const trial_t *trial = &APR_ARRAY_IDX(trials, i, trial_t);
        idv_workflow_scenario_record_t record = trial->record;
        const char *tag;

        if (!is_changed(trial))
            continue;
        json_array_append_new(accepted, json_string(record.id));
        record.what.expected = idv_json_own(
            idv_scenario_accept(record.what.expected, &trial->outcome), pool);
        tag = idv_workflow_scenario_tag(&record, pool);
        record.updated_by = release->publisher;
        record.updated = release->law.now;
        IDV_TRY(idv_workflow_scenario_save(db, &record, tag, pool));
    }
    return NULL;
}

/* --- publishing --- */

static idv_error_t *find_trials(idv_db_t *db,
                                const idv_workflow_release_t *release,
                                apr_array_header_t **trials, apr_pool_t *pool)
{
    idv_sandbox_t sandbox = release->law;

    *trials = apr_array_make(pool, 1, sizeof(trial_t));
    sandbox.workflow = release->workflow;
    sandbox.organization_id = release->organization_id;
    sandbox.workflow_id = release->workflow_id;
    return release->workflow_id ? try_scenarios(db, &sandbox, trials, pool)
                                : NULL;
}

/* The warnings about the workflow of RELEASE, also about nodes and the law. */
static idv_error_t *find_warnings(idv_db_t *db,
                                  const idv_workflow_release_t *release,
                                  apr_array_header_t **warnings,
                                  apr_pool_t *pool)
{
    const idv_workflow_t *workflow = release->workflow;
    int is_silent = 0;

    *warnings = idv_workflow_warnings(workflow, pool);
    if (workflow->require_email_otp)
        IDV_TRY(idv_server_node_without_mail(db, &is_silent, pool));
    if (is_silent)
        idv_workflow_warn_without_mail(workflow, *warnings);
    idv_workflow_warn_of_law(workflow, release->rules, release->law.now,
                             *warnings);
    return NULL;
}

idv_error_t *idv_workflow_release(idv_db_t *db,
                                  const idv_workflow_release_t *release,
                                  json_t **answer, apr_pool_t *pool)
{
    idv_workflow_publication_t publication = {
        .organization_id = release->organization_id,
        .application_id = release->application_id,
        .workflow_id = release->workflow_id,
        .is_new = release->is_new,
        .publisher = release->publisher,
        .definition = release->definition,
        .workflow = release->workflow,
    };
    json_t *accepted = idv_json_own(json_array(), pool);
    apr_array_header_t *trials, *warnings;

    IDV_TRY(check_four_eyes(db, release, pool));
    IDV_TRY(check_base(db, release, pool));
    IDV_TRY(find_trials(db, release, &trials, pool));
    IDV_TRY(check_trials(release, trials, pool));
    IDV_TRY(accept_trials(db, release, trials, accepted, pool));
    IDV_TRY(idv_workflow_publish(db, &publication, pool));
    IDV_TRY(find_warnings(db, release, &warnings, pool));
    *answer = idv_json_own(
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:{s:i, s:O}, s:o}", "id",
                  publication.version_id, "object", "workflow_publication",
                  "workflow_id", publication.workflow_id, "version_id",
                  publication.version_id, "name", release->workflow->name,
                  "methods", idv_method_list_json(&release->workflow->methods),
                  "scenarios", "passed",
                  trials->nelts - (int)json_array_size(accepted), "accepted",
                  accepted, "warnings",
                  idv_workflow_faults_json(warnings)),
        pool);
    return NULL;
}
