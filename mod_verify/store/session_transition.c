/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session_transition.h"

#include <string.h>

#include <apr_strings.h>

#include "store/session_checks.h"
#include "store/session_record.h"

/* Does the transaction of TRANSITION; `conflict` asks for a rollback. */
typedef struct {
    const idv_session_transition_t *transition;
    idv_session_transition_result_t *result;
    int conflict;
} work_t;

idv_error_t *idv_session_workflow(idv_db_t *db, const idv_session_t *session,
                                  idv_workflow_t **workflow, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_WORKFLOW_FIND_VERSION,
        IDV_DB_PARAMS(idv_db_text(session->organization_id),
                      idv_db_text(session->workflow_version_id)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_internal(pool, "%s: its workflow version is missing",
                                  session->id);
    return idv_workflow_load(idv_db_get_json(rows, 0, 0, pool), workflow, pool);
}

/* What a submission names has to be there. */
static idv_error_t *check_images(idv_db_t *db, const idv_session_t *session,
                                 const idv_session_input_t *input,
                                 apr_pool_t *pool)
{
    const char *const *sides;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_EVIDENCE_SIDES,
                         IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                       idv_db_text(session->id)),
                         &rows, pool));
    sides = idv_db_get_texts(rows, 0, 0, pool);
    for (int i = 0; i < input->image_count; i++) {
        int found = 0;

        for (const char *const *side = sides; *side; side++)
            found |= strcmp(*side, input->images[i]) == 0;
        if (!found)
            return idv_error_param(pool, apr_psprintf(pool, "images[%d]", i),
                                   "No image of this side was uploaded.");
    }
    return NULL;
}

static idv_error_t *write_change(idv_db_t *db,
                                 const idv_session_effects_t *effects,
                                 idv_session_transition_result_t *result,
                                 apr_pool_t *pool)
{
    const idv_session_change_t *change = effects->change;
    idv_db_param_t *params =
        apr_pcalloc(pool, IDV_SESSION_PARAM_COUNT * sizeof(*params));

    if (!change->changed)
        return NULL;
    if (change->effects & IDV_EFFECT_QUEUE_ANALYSIS)
        IDV_TRY(check_images(db, effects->record->session, effects->input,
                             pool));
    idv_session_row_params(result->record, params, pool);
    IDV_TRY(idv_db_execute(db, IDV_SQL_SESSION_SAVE, params,
                           IDV_SESSION_PARAM_COUNT, NULL, pool));
    IDV_TRY(idv_session_announce(db, effects, 0, &result->queued, pool));
    return idv_session_run_effects(db, effects, &result->queued, pool);
}

static idv_error_t *store_answer(idv_db_t *db, work_t *work, apr_pool_t *pool)
{
    const idv_session_transition_t *transition = work->transition;
    idv_session_transition_result_t *result = work->result;
    idv_stored_answer_t answer = {.status = transition->status,
                                  .session_id = transition->session_id};
    int stored = 1;

    if (!transition->answer)
        return NULL;
    IDV_TRY(transition->answer(transition->baton, result->record, &result->body,
                               pool));
    if (!transition->idempotency)
        return NULL;
    answer.body = result->body;
    IDV_TRY(idv_idempotency_store(db, transition->idempotency, &answer, &stored,
                                  pool));
    if (stored)
        return NULL;
    work->conflict = 1;
    return idv_error_new(IDV_E_IDEMPOTENCY_IN_PROGRESS, pool);
}

/* One step by INPUT, from the session in result->record to the one there after
 * it; *LEFT are its effects. */
static idv_error_t *step(idv_db_t *db, work_t *work,
                         const idv_session_input_t *input, unsigned *left,
                         apr_pool_t *pool)
{
    idv_session_transition_result_t *result = work->result;
    const idv_session_record_t *before = result->record;
    idv_session_change_t *change;
    idv_session_effects_t effects = {
        .record = before,
        .input = input,
        .workflow = result->workflow,
        .keyring = work->transition->keyring,
        .now = work->transition->now,
    };

    IDV_TRY(idv_session_step(before->session, result->workflow, input,
                             work->transition->now, &change, pool));
    result->changed |= change->changed;
    result->record = apr_pmemdup(pool, before, sizeof(*before));
    result->record->session = change->session;
    effects.change = change;
    *left = change->effects;
    if (input == work->transition->input && work->transition->condition
        && change->changed)
        IDV_TRY(work->transition->condition(db, work->transition->baton,
                                            result->record, pool));
    return write_change(db, &effects, result, pool);
}

/* The checks of the node that the session stands at, and the step that follows
 * from them. */
static idv_error_t *check(idv_db_t *db, work_t *work, unsigned *left,
                          apr_pool_t *pool)
{
    const idv_session_transition_t *transition = work->transition;
    const idv_session_checks_t checks = {
        .record = work->result->record,
        .workflow = work->result->workflow,
        .policy = transition->risk_policy,
        .now = transition->now,
    };
    idv_session_input_t result;

    IDV_TRY(idv_session_checks_run(db, &checks, &result, pool));
    /* The assessment may have raised the row's tier. */
    IDV_TRY(idv_session_lock(db, &transition->scope, transition->session_id,
                             &work->result->record, pool));
    return step(db, work, &result, left, pool);
}

static idv_error_t *change_session(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    work_t *work = baton;
    const idv_session_transition_t *transition = work->transition;
    idv_session_transition_result_t *result = work->result;
    idv_workflow_t *workflow;
    unsigned left;

    memset(result, 0, sizeof(*result));
    IDV_TRY(idv_session_lock(db, &transition->scope, transition->session_id,
                             &result->record, pool));
    IDV_TRY(idv_session_workflow(db, result->record->session, &workflow, pool));
    result->workflow = workflow;
    IDV_TRY(step(db, work, transition->input, &left, pool));
    /* Ends, as a compiled graph has no loops. */
    while ((left & IDV_EFFECT_RUN_CHECKS) && transition->risk_policy)
        IDV_TRY(check(db, work, &left, pool));
    return store_answer(db, work, pool);
}

idv_error_t *idv_session_transition(idv_db_t *db,
                                    const idv_session_transition_t *transition,
                                    idv_session_transition_result_t *result,
                                    apr_pool_t *pool)
{
    work_t work = {.transition = transition, .result = result};
    idv_error_t *error =
        idv_db_transaction(db, change_session, &work, pool);

    if (!work.conflict)
        return error;
    IDV_TRY(idv_idempotency_find(db, transition->idempotency, &result->replay,
                                 pool));
    return result->replay ? NULL : error;
}
