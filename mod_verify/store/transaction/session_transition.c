/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/session_transition.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "domain/session/credential.h"
#include "domain/session/session_law.h"
#include "domain/session/session_results.h"
#include "store/account/ledger.h"
#include "store/method/evidence.h"
#include "store/method/liveness.h"
#include "store/method/mdl_request_record.h"
#include "store/session/credential_record.h"
#include "store/session/decision_record.h"
#include "store/session/handoff.h"
#include "store/session/review.h"
#include "store/session/second_review.h"
#include "store/session/session_risk.h"
#include "store/session/trust_reuse_record.h"
#include "store/simulation/workflow_replay.h"
#include "store/transaction/trust_reuse_grant.h"
#include "store/webhook/event.h"
#include "store/workflow/workflow.h"

/* --- events --- */

idv_error_t *idv_session_announce(idv_db_t *db,
                                  const idv_session_effects_t *effects,
                                  int first, idv_session_queued_t *queued,
                                  apr_pool_t *pool)
{
    const idv_session_t *session = effects->change->session;

    for (int i = first; i < effects->change->event_count; i++) {
        const idv_session_event_t *event = &effects->change->events[i];
        idv_event_draft_t draft = {
            .organization_id = session->organization_id,
            .application_id = session->application_id,
            .object_id = session->id,
            .type = event->type,
            .object = event->object,
            .created = effects->now,
        };

        IDV_TRY(idv_event_insert(db, &draft, &queued->deliveries, pool));
    }
    return NULL;
}

/* --- effects --- */

/* An effect's function. */
typedef idv_error_t *effect_t(idv_db_t *db,
                              const idv_session_effects_t *effects,
                              idv_session_queued_t *queued, apr_pool_t *pool);

#define SESSION_PARAMS(session)                                                \
    idv_db_text((session)->organization_id), idv_db_text((session)->id)

static int is_among(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return 1;
    return 0;
}

/* Whether PART of SESSION may be used. Evidence of a primary method counts only
 * if the session passed with it: any other, including later evidence, was not
 * BELIEVED. */
static int may_use(const idv_session_t *session,
                   const idv_evidence_part_t *part, const char *const *believed)
{
    idv_method_t owner = idv_evidence_part_find(part->name)->method;

    return part->source != IDV_EVIDENCE_BORROWED
        || idv_method_kind(owner) != IDV_METHOD_PRIMARY
        || (idv_method_list_has(&session->runner.verified, owner)
            && is_among(believed, part->name));
}

/* The parts that belong to the submission INPUT: the images that it names, what
 * the method's own requests brought, and what it borrows. An error when one that it names, or
 * needs, is not there. */
static idv_error_t *submitted_parts(idv_db_t *db, const idv_session_t *session,
                                    const idv_session_input_t *input,
                                    apr_array_header_t *parts, apr_pool_t *pool)
{
    const idv_evidence_part_t *known[IDV_METHOD_PARTS_MAX];
    int count = idv_evidence_parts_of(input->method, known);
    const char *const *there, *const *believed;

    IDV_TRY(idv_evidence_names(db, session, &there, pool));
    IDV_TRY(idv_evidence_believed(db, session, &believed, pool));
    for (int i = 0; i < input->image_count; i++) {
        if (!is_among(there, input->images[i]))
            return idv_error_param(pool, apr_psprintf(pool, "images[%d]", i),
                                   "was not uploaded. Upload the image first.");
        APR_ARRAY_PUSH(parts, const char *) = input->images[i];
    }
    for (int i = 0; i < count; i++) {
        if (known[i]->source == IDV_EVIDENCE_IMAGE
            || known[i]->source == IDV_EVIDENCE_KEPT
            || !may_use(session, known[i], believed))
            continue;
        if (is_among(there, known[i]->name))
            APR_ARRAY_PUSH(parts, const char *) = known[i]->name;
        else if (known[i]->is_needed)
            return idv_error_param(pool, "method",
                                   "has no evidence yet. Send it first.");
    }
    return NULL;
}

static idv_error_t *queue_analysis(idv_db_t *db,
                                   const idv_session_effects_t *effects,
                                   idv_session_queued_t *queued,
                                   apr_pool_t *pool)
{
    const idv_session_t *session = effects->change->session;
    const idv_session_input_t *input = effects->input;
    apr_array_header_t *parts =
        apr_array_make(pool, IDV_METHOD_PARTS_MAX, sizeof(const char *));

    IDV_TRY(submitted_parts(db, session, input, parts, pool));
    queued->analyses++;
    return idv_db_execute(
        db, IDV_SQL_ANALYSIS_JOB_INSERT,
        IDV_DB_PARAMS(SESSION_PARAMS(session),
                      idv_db_text(idv_id_new(IDV_ID_ANALYSIS_JOB, effects->now,
                                             pool)),
                      idv_db_text(idv_method_value(input->method)),
                      idv_db_int(session->runner.submission),
                      idv_db_texts((const char *const *)parts->elts,
                                   parts->nelts, pool),
                      idv_db_time(effects->now), idv_db_trace_param(idv_db_trace(db))),
        NULL, pool);
}

/* The challenge that is there was passed: by its movements, or because a reviewer
 * approved of it. Another that begins is not. */
static idv_error_t *believe_challenge(idv_db_t *db,
                                      const idv_session_t *session,
                                      apr_pool_t *pool)
{
    idv_liveness_record_t *record;

    IDV_TRY(idv_liveness_find(db, session, &record, pool));
    return record ? idv_liveness_pass(db, session, record, pool) : NULL;
}

/* The method that was passed is the one that was declared, held, or analysed. */
static idv_error_t *believe_evidence(idv_db_t *db,
                                     const idv_session_effects_t *effects,
                                     idv_session_queued_t *queued,
                                     apr_pool_t *pool)
{
    const idv_session_t *before = effects->record->session;
    const char *held = before->runner.held_method;
    idv_method_t method = before->current_method;

    (void)queued;
    if (effects->input->type == IDV_INPUT_SUBMIT)
        method = effects->input->method;
    else if (held)
        method = idv_method_parse(held);
    return method == IDV_METHOD_SELFIE_LIVENESS
             ? believe_challenge(db, before, pool)
             : idv_evidence_believe(db, before, method, pool);
}

/* A reviewer compares the still with the document, and a match that of a
 * challenge that counts. */
static int keeps_still(const idv_session_effects_t *effects,
                       apr_pool_t *pool)
{
    const idv_session_t *session = effects->change->session;

    if (session->status == IDV_STATUS_UNDER_REVIEW)
        return 1;
    return effects->input->outcome
        && effects->record->session->current_method
               == IDV_METHOD_SELFIE_LIVENESS
        && idv_session_results_have_still(session->results, pool)
        && idv_method_list_has(&session->methods, IDV_METHOD_SELFIE_MATCH)
        && !idv_method_list_has(&session->runner.verified,
                                IDV_METHOD_SELFIE_MATCH);
}

static idv_error_t *purge_faces(idv_db_t *db,
                                const idv_session_effects_t *effects,
                                idv_session_queued_t *queued,
                                apr_pool_t *pool)
{
    (void)queued;
    return idv_liveness_forget_pictures(db, effects->change->session,
                                        keeps_still(effects, pool), pool);
}

/* A second reviewer sees documents, and no face. */
static idv_error_t *purge_evidence(idv_db_t *db,
                                   const idv_session_effects_t *effects,
                                   idv_session_queued_t *queued,
                                   apr_pool_t *pool)
{
    const idv_session_t *session = effects->change->session;
    int is_kept = 0;

    (void)queued;
    /* Only a session with a review has a second one. */
    if (effects->change->review_count
        && !idv_session_status_open(session->status))
        IDV_TRY(idv_second_review_is_open(db, session, &is_kept, pool));
    if (is_kept)
        return idv_liveness_forget_pictures(db, session, 0, pool);
    return idv_db_execute(db, IDV_SQL_EVIDENCE_PURGE,
                          IDV_DB_PARAMS(SESSION_PARAMS(session)), NULL, pool);
}

/* Whether others may accept the credential. A document that belonged to another
 * person, and that no reviewer saw because the workflow only notes it, is a
 * risk that only this organization takes. */
static int may_share(const idv_session_effects_t *effects)
{
    const idv_session_t *session = effects->change->session;

    return session->share_consent
        && !(session->runner.document_reused
             && idv_workflow_on_doubts(effects->workflow,
                                       1u << IDV_DOUBT_DOCUMENT_REUSED)
                    == IDV_ON_DOUBT_NOTED);
}

static idv_error_t *mint_credential(idv_db_t *db,
                                    const idv_session_effects_t *effects,
                                    idv_session_queued_t *queued,
                                    apr_pool_t *pool)
{
    const idv_session_t *session = effects->change->session;
    const idv_session_record_t standing =
        idv_session_record_standing(effects->record);
    idv_credential_t credential = {0};
    const idv_credential_minting_t minting = {
        .record = &standing,
        .credential = &credential,
        .keyring = effects->keyring,
        .now = effects->now,
    };
    const char *id, *person;
    int minted = 0;

    (void)queued;
    idv_credential_of(session, effects->workflow, &credential, &minted);
    if (!minted)
        return NULL;
    IDV_TRY(idv_credential_mint(db, &minting, &id, &person, pool));
    if (may_share(effects))
        IDV_TRY(
            idv_trust_reuse_share(db, &standing, id, effects->now, pool));
    if (!person)
        return NULL;
    return idv_db_execute(db, IDV_SQL_SESSION_SET_PERSON,
                          IDV_DB_PARAMS(SESSION_PARAMS(session),
                                        idv_db_text(person)),
                          NULL, pool);
}

static idv_error_t *revoke_credential(idv_db_t *db,
                                      const idv_session_effects_t *effects,
                                      idv_session_queued_t *queued,
                                      apr_pool_t *pool)
{
    const idv_session_t *session = effects->change->session;
    idv_grant_revoking_t revoking = {
        .organization_id = session->organization_id,
        .id = session->id,
        .reason = IDV_GRANT_SOURCE_CREDENTIAL_REVOKED,
        .now = effects->now,
    };

    IDV_TRY(idv_trust_reuse_revoke_session(db, &revoking, pool));
    queued->deliveries += revoking.deliveries;
    return idv_db_execute(
        db, IDV_SQL_CREDENTIAL_REVOKE_OF_SESSION,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_time(effects->now)),
        NULL, pool);
}

static idv_error_t *count_verification(idv_db_t *db,
                                       const idv_session_effects_t *effects,
                                       idv_session_queued_t *queued,
                                       apr_pool_t *pool)
{
    int born = !effects->input;

    (void)queued;
    return idv_ledger_count(db, effects->change->session, born, effects->now,
                            pool);
}

static idv_error_t *uncount_verification(idv_db_t *db,
                                         const idv_session_effects_t *effects,
                                         idv_session_queued_t *queued,
                                         apr_pool_t *pool)
{
    (void)queued;
    return idv_ledger_undo(db, effects->record->session, effects->now, pool);
}

static idv_error_t *note_rejection(idv_db_t *db,
                                   const idv_session_effects_t *effects,
                                   idv_session_queued_t *queued,
                                   apr_pool_t *pool)
{
    (void)queued;
    return idv_ledger_note_rejection(db, effects->change->session, effects->now,
                                     pool);
}

static idv_error_t *keep_handoff(idv_db_t *db,
                                 const idv_session_effects_t *effects,
                                 idv_session_queued_t *queued,
                                 apr_pool_t *pool)
{
    const idv_session_t *after = effects->change->session;

    IDV_TRY(idv_handoff_keep(db, after, effects->now, pool));
    if (!idv_session_has_moved(effects->record->session, after))
        return NULL;
    queued->analyses++;
    return idv_mdl_request_leave(db, after, effects->now, pool);
}

/* Effects without a function are in the session's own row. */
static effect_t *const effect_functions[IDV_EFFECT_COUNT] = {
    [IDV_EFFECT_INDEX_QUEUE_ANALYSIS] = queue_analysis,
    [IDV_EFFECT_INDEX_BELIEVE_EVIDENCE] = believe_evidence,
    [IDV_EFFECT_INDEX_PURGE_FACES] = purge_faces,
    [IDV_EFFECT_INDEX_PURGE_EVIDENCE] = purge_evidence,
    [IDV_EFFECT_INDEX_MINT_CREDENTIAL] = mint_credential,
    [IDV_EFFECT_INDEX_REVOKE_CREDENTIAL] = revoke_credential,
    [IDV_EFFECT_INDEX_COUNT_VERIFICATION] = count_verification,
    [IDV_EFFECT_INDEX_UNCOUNT_VERIFICATION] = uncount_verification,
    [IDV_EFFECT_INDEX_NOTE_REJECTION] = note_rejection,
    [IDV_EFFECT_INDEX_KEEP_HANDOFF] = keep_handoff,
};

/* A session held by a flag had ended before. */
static int has_ended_now(const idv_session_effects_t *effects)
{
    return effects->change->session->ended_at
        && (!effects->input || !effects->record->session->ended_at);
}

idv_error_t *idv_session_run_effects(idv_db_t *db,
                                     const idv_session_effects_t *effects,
                                     idv_session_queued_t *queued,
                                     apr_pool_t *pool)
{
    const idv_session_change_t *change = effects->change;

    for (int i = 0; i < change->review_count; i++)
        IDV_TRY(idv_review_record(db, change->session, &change->reviews[i],
                                  effects->now, pool));
    if (change->review_count) {
        const idv_second_review_candidate_t candidate = {
            effects->record->session, change, effects->keyring, effects->now};

        IDV_TRY(idv_second_review_choose(db, &candidate, pool));
    }
    for (int i = 0; i < IDV_EFFECT_COUNT; i++)
        if ((change->effects & (1u << i)) && effect_functions[i])
            IDV_TRY(effect_functions[i](db, effects, queued, pool));
    return has_ended_now(effects)
             ? idv_workflow_shadow_queue(db, change->session, pool)
             : NULL;
}

/* --- the transition --- */

/* The baton of a transition's transaction; `conflict` is set when the
 * idempotency key was used meanwhile, which rolls everything back. */
typedef struct {
    const idv_session_transition_t *transition;
    idv_session_transition_result_t *result;
    int conflict;
} work_t;

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
    idv_session_row_params(result->record, params, pool);
    IDV_TRY(idv_db_execute(db, IDV_SQL_SESSION_SAVE,
                           (idv_db_params_t){params, IDV_SESSION_PARAM_COUNT},
                           NULL, pool));
    IDV_TRY(idv_session_announce(db, effects, 0, &result->queued, pool));
    IDV_TRY(idv_risk_note_age_failure(db, effects->record->session,
                                      change->session, effects->now, pool));
    return idv_session_run_effects(db, effects, &result->queued, pool);
}

static idv_error_t *store_answer(idv_db_t *db, work_t *work, apr_pool_t *pool)
{
    const idv_session_transition_t *transition = work->transition;
    idv_session_transition_result_t *result = work->result;
    idv_stored_answer_t answer = {.status = transition->status,
                                  .subject_id = transition->session_id};
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

/* One step by INPUT, from the session in result->record to the session after
 * the step, which takes its place there; *LEFT are the step's effects. */
static idv_error_t *step(idv_db_t *db, work_t *work,
                         const idv_session_input_t *input, unsigned *left,
                         apr_pool_t *pool)
{
    idv_session_transition_result_t *result = work->result;
    const idv_session_record_t *before = result->record;
    idv_session_input_t held = *input;
    idv_session_change_t *change;
    idv_session_effects_t effects = {
        .record = before,
        .input = input,
        .workflow = result->workflow,
        .keyring = work->transition->keyring,
        .now = work->transition->now,
    };

    if (idv_session_input_is_held_to_law(input->type))
        held.law =
            idv_session_law(work->transition->compliance, before->session,
                            result->workflow, work->transition->now, pool);
    IDV_TRY(idv_session_step(
        &(const idv_session_moment_t){.before = before->session,
                                      .workflow = result->workflow,
                                      .now = work->transition->now},
        &held, &change, pool));
    result->changed |= change->changed;
    result->record = apr_pmemdup(pool, before, sizeof(*before));
    result->record->session = change->session;
    effects.change = change;
    *left = change->effects;
    if (input == work->transition->input && work->transition->condition
        && change->changed)
        IDV_TRY(work->transition->condition(db, work->transition->baton,
                                            result->record, pool));
    if (input->type == IDV_INPUT_OUTCOME && change->changed) {
        held.law_text = idv_session_law_text(
            work->transition->compliance, before->session, result->workflow,
            work->transition->now, pool);
        IDV_TRY(idv_decision_record_write(db, change->session, &held,
                                          work->transition->now, pool));
    }
    return write_change(db, &effects, result, pool);
}

/* The checks of the session's current node, and the step that follows from
 * them. */
static idv_error_t *check(idv_db_t *db, work_t *work, unsigned *left,
                          apr_pool_t *pool)
{
    const idv_session_transition_t *transition = work->transition;
    const idv_risk_checks_t checks = {
        .record = work->result->record,
        .workflow = work->result->workflow,
        .policy = transition->risk_policy,
        .now = transition->now,
    };
    idv_session_input_t result;

    IDV_TRY(idv_risk_run_checks(db, &checks, &result, pool));
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
    IDV_TRY(
        idv_workflow_of_session(db, result->record->session, &workflow, pool));
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
