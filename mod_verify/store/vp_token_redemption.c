/* SPDX-License-Identifier: Apache-2.0 */
#include "store/vp_token_redemption.h"

#include "domain/session_reuse.h"
#include "store/verified_person.h"

static idv_error_t *count_attempt(idv_db_t *db,
                                  const idv_vp_token_redemption_t *redemption,
                                  apr_pool_t *pool)
{
    const idv_reuse_attempt_t attempt = {
        .organization_id = redemption->scope.organization_id,
        .digest = idv_identifier_digest(redemption->keyring, "redemption",
                                        redemption->session_id, pool),
        .window = IDV_REDEMPTION_WINDOW,
        .limit = IDV_REDEMPTION_ATTEMPTS_MAX,
    };
    int attempts, retry_after;
    idv_error_t *error;

    IDV_TRY(idv_reuse_attempt_count(db, &attempt, redemption->now, &attempts,
                                    &retry_after, pool));
    if (attempts <= IDV_REDEMPTION_ATTEMPTS_MAX)
        return NULL;
    error = idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, pool);
    error->message = "Too many tokens were tried in this session.";
    error->retry_after = retry_after;
    return error;
}

/* Holds the credential, so that none is reused that is revoked meanwhile. */
static idv_error_t *satisfy(idv_db_t *db, void *baton,
                            idv_session_record_t *after, apr_pool_t *pool)
{
    const idv_vp_token_redemption_t *redemption = baton;
    const char *organization = after->session->organization_id;
    apr_array_header_t *credentials;
    const idv_reusable_t *chosen;

    IDV_TRY(idv_verified_person_of_token(db, organization, redemption->token,
                                         redemption->now, &credentials, pool));
    IDV_TRY(idv_session_redeem(after->session, credentials, redemption->now,
                               &chosen, pool));
    after->verified_person_id = chosen->verified_person_id;
    return idv_credential_hold(db, organization, chosen->id, redemption->now,
                               pool);
}

idv_error_t *idv_vp_token_redeem(idv_db_t *db,
                                 const idv_vp_token_redemption_t *redemption,
                                 idv_session_transition_result_t *result,
                                 apr_pool_t *pool)
{
    const idv_session_input_t input = {.type = IDV_INPUT_REDEEM};
    const idv_session_transition_t transition = {
        .scope = redemption->scope,
        .session_id = redemption->session_id,
        .input = &input,
        .condition = satisfy,
        .now = redemption->now,
        .keyring = redemption->keyring,
        .baton = (void *)redemption,
    };

    IDV_TRY(count_attempt(db, redemption, pool));
    return idv_session_transition(db, &transition, result, pool);
}
