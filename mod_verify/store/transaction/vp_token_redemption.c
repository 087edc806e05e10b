/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/vp_token_redemption.h"

#include <apr_strings.h>

#include "domain/session/reuse_decision.h"
#include "domain/session/session_results.h"
#include "store/session/attempt_limit.h"
#include "store/session/credential_record.h"
#include "store/session/session_risk.h"
#include "store/workflow/workflow.h"

/* Before the transaction, so that an attempt that is refused has counted. */
static idv_error_t *count_attempt(idv_db_t *db,
                                  const idv_vp_token_redemption_t *redemption,
                                  apr_pool_t *pool)
{
    const idv_attempt_limit_t attempt = {
        .organization_id = redemption->scope.organization_id,
        .digest = idv_identifier_digest(redemption->keyring, "redemption",
                                        redemption->session_id, pool),
        .window = IDV_REDEMPTION_WINDOW,
        .limit = IDV_REDEMPTION_ATTEMPTS_MAX,
        .refusal = "Too many tokens were tried in this session.",
    };

    return idv_attempt_admit(db, &attempt, redemption->now, pool);
}

/* Compares the person named in the session with the person of the token; all
 * credentials of a token are one person's. */
static idv_error_t *compare(idv_db_t *db, const idv_session_record_t *record,
                            const apr_array_header_t *credentials,
                            idv_same_person_t *same, apr_pool_t *pool)
{
    /* A proved address is no longer a claim, and is compared alone. */
    int is_proven = record->session->email_otp_proven;
    const idv_session_record_t standing = idv_session_record_standing(record);
    const idv_session_record_t *who = is_proven ? &standing : record;
    const idv_person_query_t named = {
        .organization_id = record->session->organization_id,
        .email = who->email_digest,
        .phone = who->phone_digest,
    };
    idv_same_person_facts_t facts = {
        .claimed = record->session->identifiers_claimed && !is_proven};

    if (credentials->nelts)
        IDV_TRY(idv_person_compare(
            db, &named,
            APR_ARRAY_IDX(credentials, 0, const idv_reusable_t *)
                ->verified_person_id,
            &facts, pool));
    *same = idv_same_person(&facts);
    return NULL;
}

/* Assesses doubts about the use of the token; this may raise the tier in the
 * row, which AFTER, about to be written, must not undo. */
static idv_error_t *doubt(idv_db_t *db,
                          const idv_vp_token_redemption_t *redemption,
                          const idv_session_token_t *token,
                          idv_session_record_t *after, apr_pool_t *pool)
{
    idv_risk_doubts_t doubts = {
        .session = after->session,
        .token = *token,
        .policy = redemption->risk_policy,
        .now = redemption->now,
    };
    idv_session_record_t *written;
    int kept;

    IDV_TRY(idv_risk_keep_doubts(db, &doubts, &kept, pool));
    if (!kept)
        return NULL;
    IDV_TRY(idv_session_find(db, &redemption->scope, after->session->id,
                             &written, pool));
    after->risk_tier = written->risk_tier;
    return NULL;
}

/* Writes into the results of AFTER whether the token is its own person's. */
static void note(const idv_vp_token_redemption_t *redemption,
                 idv_same_person_t same, idv_session_record_t *after,
                 apr_pool_t *pool)
{
    idv_session_t *session =
        apr_pmemdup(pool, after->session, sizeof(*session));

    session->results = idv_vp_token_results(session->results, same,
                                            redemption->now, pool);
    after->session = session;
}

/* Locks the credential, so that none is reused that is revoked meanwhile. */
static idv_error_t *satisfy(idv_db_t *db, void *baton,
                            idv_session_record_t *after, apr_pool_t *pool)
{
    const idv_vp_token_redemption_t *redemption = baton;
    const char *organization = after->session->organization_id;
    idv_reuse_redemption_t shown = {.session = after->session};
    idv_session_token_t token = {0};
    apr_array_header_t *credentials;
    const idv_reusable_t *chosen;
    idv_workflow_t *workflow;

    IDV_TRY(idv_workflow_of_session(db, after->session, &workflow, pool));
    IDV_TRY(idv_credentials_of_token(
        db,
        &(const idv_credential_query_t){.organization_id = organization,
                                        .text = redemption->token,
                                        .now = redemption->now},
        &credentials, pool));
    IDV_TRY(compare(db, after, credentials, &shown.same_person, pool));
    shown.workflow = workflow;
    shown.credentials = credentials;
    IDV_TRY(idv_reuse_redeem(&shown, redemption->now, &chosen, pool));
    token.credential_id = chosen->id;
    token.same_person = shown.same_person;
    note(redemption, shown.same_person, after, pool);
    after->verified_person_id = chosen->verified_person_id;
    IDV_TRY(doubt(db, redemption, &token, after, pool));
    return idv_credential_lock(db, organization, chosen->id, redemption->now,
                               pool);
}

idv_error_t *idv_vp_token_redeem(idv_db_t *db,
                                 const idv_vp_token_redemption_t *redemption,
                                 idv_session_transition_result_t *result,
                                 apr_pool_t *pool)
{
    const idv_session_input_t input = {.type = IDV_INPUT_REDEEM,
                                       .device = redemption->device};
    const idv_session_transition_t transition = {
        .scope = redemption->scope,
        .session_id = redemption->session_id,
        .input = &input,
        .condition = satisfy,
        .now = redemption->now,
        .keyring = redemption->keyring,
        .compliance = redemption->compliance,
        .baton = (void *)redemption,
    };

    IDV_TRY(count_attempt(db, redemption, pool));
    return idv_session_transition(db, &transition, result, pool);
}
