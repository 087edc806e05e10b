/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/session_risk.h"

#include <string.h>

#include "core/id.h"
#include "domain/risk/risk_assessment.h"
#include "methods/document/document.h"

/* Other sessions that are looked at of each document. */
#define SIGHTINGS_MAX 100

static idv_error_t *raise_tier(idv_db_t *db, const idv_scope_t *scope,
                               const idv_risk_record_t *record,
                               apr_pool_t *pool)
{
    idv_session_record_t *session;

    if (!record->session_id)
        return NULL;
    IDV_TRY(idv_session_find(db, scope, record->session_id, &session, pool));
    return idv_db_execute(db, IDV_SQL_SESSION_RAISE_RISK_TIER,
                          IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                                        idv_db_text(record->session_id),
                                        idv_db_text(record->tier)),
                          NULL, pool);
}

idv_error_t *idv_session_risk_insert(idv_db_t *db, const idv_scope_t *scope,
                                     const idv_risk_record_t *record,
                                     const idv_risk_identifiers_t *identifiers,
                                     apr_pool_t *pool)
{
    IDV_TRY(raise_tier(db, scope, record, pool));
    return idv_risk_insert(db, scope, record, identifiers, pool);
}

/* An assessment of a session that is to be kept. */
typedef struct {
    const idv_session_t *session;
    const idv_risk_assessment_t *assessment;
    const idv_risk_identifiers_t *identifiers; /* to be observed */
    idv_time_t now;
} kept_assessment_t;

/* Keeps it under an id of its own, which goes to *ID. */
static idv_error_t *keep(idv_db_t *db, const kept_assessment_t *kept,
                         const char **id, apr_pool_t *pool)
{
    const idv_session_t *session = kept->session;
    const idv_scope_t scope = {session->organization_id,
                               session->application_id};
    idv_risk_record_t record = {
        .id = idv_id_new(IDV_ID_RISK_ASSESSMENT, kept->now, pool),
        .session_id = session->id,
        .tier = idv_risk_tier(kept->assessment),
        .created = kept->now,
    };

    record.body =
        idv_risk_assessment_text(record.id, kept->now, kept->assessment, pool);
    *id = record.id;
    return idv_session_risk_insert(db, &scope, &record, kept->identifiers,
                                   pool);
}

/* The identifiers that CHECKS look at: no others are counted and observed. */
static void identify(const idv_session_record_t *record,
                     const idv_method_list_t *checks,
                     idv_risk_identifiers_t *identifiers)
{
    const idv_session_signals_t *signals = record->session->runner.signals;
    int is_device = idv_method_list_has(checks, IDV_METHOD_DEVICE_RISK);
    idv_bytes_t *listed = identifiers->listed;

    memset(identifiers, 0, sizeof(*identifiers));
    identifiers->person =
        record->email_digest.data ? record->email_digest : record->phone_digest;
    if (signals && idv_method_list_has(checks, IDV_METHOD_IP_ANALYSIS))
        identifiers->digests[IDV_RISK_KIND_IP] = signals->address;
    if (signals && is_device)
        identifiers->digests[IDV_RISK_KIND_DEVICE] = signals->device;
    memcpy(listed, identifiers->digests, sizeof(identifiers->listed));
    if (is_device) {
        listed[IDV_RISK_KIND_EMAIL] = record->email_digest;
        listed[IDV_RISK_KIND_PHONE] = record->phone_digest;
    }
}

/* Specimens of the test issuer are available to everybody. */
static int is_specimen(const idv_session_t *session)
{
    const char *issuer = session->runner.facts.jurisdiction;

    return issuer && strcmp(issuer, IDV_DOCUMENT_TEST_ISSUER) == 0;
}

/* Counts who else showed the document that the session was shown, if CHECKS
 * look at it and there is one. */
static idv_error_t *count_document(idv_db_t *db,
                                   const idv_risk_checks_t *checks,
                                   idv_risk_facts_t *facts, apr_pool_t *pool)
{
    const idv_session_t *session = checks->record->session;
    idv_time_t since = checks->now - checks->policy->document_days * IDV_DAY;
    idv_db_result_t *rows;

    if (!(facts->checks & IDV_METHOD_BIT(IDV_METHOD_DEVICE_RISK))
        || is_specimen(session)
        || (!session->runner.verified.count
            && !session->runner.document_reused))
        return NULL;
    IDV_TRY(
        idv_db_query(db, IDV_SQL_DOCUMENT_SIGHTING_PERSONS,
                     IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                   idv_db_text(session->id), idv_db_int(since),
                                   idv_db_int(SIGHTINGS_MAX)),
                     &rows, pool));
    facts->document_persons = idv_db_get_int(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_risk_run_checks(idv_db_t *db, const idv_risk_checks_t *checks,
                                 idv_session_input_t *result, apr_pool_t *pool)
{
    const idv_session_t *session = checks->record->session;
    const idv_workflow_node_t *node =
        idv_workflow_node(checks->workflow, session->runner.node);
    const idv_scope_t scope = {session->organization_id,
                               session->application_id};
    idv_risk_identifiers_t identifiers;
    idv_risk_assessment_t assessment;
    const kept_assessment_t kept = {session, &assessment, &identifiers,
                                    checks->now};
    idv_risk_facts_t facts;
    const char *id;

    idv_session_checks_facts(session, &node->methods, &facts);
    identify(checks->record, &node->methods, &identifiers);
    IDV_TRY(
        idv_risk_count(db,
                       &(const idv_risk_question_t){.scope = scope,
                                                    .identifiers = &identifiers,
                                                    .policy = checks->policy,
                                                    .now = checks->now},
                       &facts, pool));
    IDV_TRY(count_document(db, checks, &facts, pool));
    idv_risk_assess(checks->policy, &facts, &assessment, pool);
    IDV_TRY(keep(db, &kept, &id, pool));
    *result =
        (idv_session_input_t){.type = IDV_INPUT_CHECKS_RESULT,
                              .checks_node = node->id,
                              .risk = idv_risk_effective_level(&assessment),
                              .assessment_id = id};
    return NULL;
}

static int any_fired(const idv_risk_assessment_t *assessment)
{
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (assessment->fired[i] > 0)
            return 1;
    return 0;
}

static idv_error_t *count_use(idv_db_t *db, idv_risk_doubts_t *doubts,
                              apr_pool_t *pool)
{
    const idv_risk_policy_t *policy = doubts->policy;
    idv_db_result_t *rows;

    if (!doubts->token.credential_id)
        return NULL;
    IDV_TRY(idv_db_query(
        db, IDV_SQL_VP_TOKEN_PRESENTATION_INSERT,
        IDV_DB_PARAMS(idv_db_text(doubts->session->organization_id),
                      idv_db_text(doubts->token.credential_id),
                      idv_db_text(doubts->session->id),
                      idv_db_time(doubts->now),
                      idv_db_int(doubts->now - policy->vp_token_days * IDV_DAY),
                      idv_db_int(policy->vp_token_sessions)),
        &rows, pool));
    doubts->token.sessions = idv_db_get_int(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_risk_keep_doubts(idv_db_t *db, idv_risk_doubts_t *doubts,
                                  int *is_kept, apr_pool_t *pool)
{
    static const idv_risk_identifiers_t nobody;
    idv_risk_assessment_t assessment;
    const kept_assessment_t kept = {doubts->session, &assessment, &nobody,
                                    doubts->now};
    idv_risk_facts_t facts;
    const char *id;

    IDV_TRY(count_use(db, doubts, pool));
    idv_session_doubts_facts(doubts->session, &doubts->token, &facts);
    idv_risk_assess(doubts->policy, &facts, &assessment, pool);
    *is_kept = any_fired(&assessment);
    return *is_kept ? keep(db, &kept, &id, pool) : NULL;
}

idv_error_t *idv_risk_note_age_failure(idv_db_t *db,
                                       const idv_session_t *session,
                                       const idv_session_t *after,
                                       idv_time_t now, apr_pool_t *pool)
{
    const idv_session_signals_t *signals = session->runner.signals;
    const char *under_age =
        idv_session_error(IDV_SESSION_ERROR_UNDER_AGE)->code;

    if (!signals || !after->last_error.code
        || strcmp(after->last_error.code, under_age) != 0)
        return NULL;
    return idv_db_execute(
        db, IDV_SQL_AGE_FAILURE_NOTE,
        IDV_DB_PARAMS(idv_db_text(session->organization_id),
                      idv_db_text(session->id), idv_db_bytes(signals->device),
                      idv_db_bytes(signals->address), idv_db_time(now)),
        NULL, pool);
}

idv_error_t *idv_risk_note_document(idv_db_t *db, idv_session_record_t *after,
                                    const idv_risk_policy_t *policy,
                                    int is_reused, apr_pool_t *pool)
{
    static const idv_risk_identifiers_t nobody;
    const idv_session_t *session = after->session;
    const idv_scope_t scope = {session->organization_id,
                               session->application_id};
    idv_risk_assessment_t assessment;
    const kept_assessment_t kept = {session, &assessment, &nobody,
                                    idv_time_now()};
    idv_session_record_t *raised;
    idv_risk_facts_t facts;
    const char *id;

    if (!policy)
        return NULL;
    idv_risk_facts_init(&facts);
    if (is_reused)
        facts.document_reused = 1;
    idv_session_picture_facts(session, &facts);
    idv_risk_assess(policy, &facts, &assessment, pool);
    IDV_TRY(keep(db, &kept, &id, pool));
    IDV_TRY(idv_session_find(db, &scope, session->id, &raised, pool));
    after->risk_tier = raised->risk_tier;
    return NULL;
}
