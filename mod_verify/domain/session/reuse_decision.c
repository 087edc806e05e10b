/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/reuse_decision.h"

typedef struct {
    const idv_reuse_request_t *request;
    idv_time_t now;
    apr_pool_t *pool;
} attempt_t;

/* The strength of the weakest method by which a person could pass now. */
static idv_strength_t weakest_primary(const idv_method_list_t *methods)
{
    idv_strength_t weakest = IDV_STRENGTH_NONE;

    for (int i = 0; i < methods->count; i++) {
        idv_strength_t strength = idv_method_strength(methods->items[i]);

        if (idv_method_kind(methods->items[i]) == IDV_METHOD_PRIMARY
            && (weakest == IDV_STRENGTH_NONE || strength < weakest))
            weakest = strength;
    }
    return weakest;
}

static idv_reuse_demand_t demand_of(const idv_session_t *session)
{
    const idv_reuse_terms_t *terms = &session->reuse_terms;
    idv_reuse_demand_t demand = {
        .min_strength = weakest_primary(&session->methods),
        .min_assurance = terms->min_assurance
                           ? terms->min_assurance
                           : idv_session_type_demand(session->type),
        .max_age_days = terms->max_age_days,
        .methods = terms->methods,
        .age_tier = session->age_tier,
        /* Completed years tell a day of birth within a year only. */
        .required_age = session->required_age
                      + (session->compliance.born_before != NULL),
        .validity_minutes = session->compliance.credential_validity_minutes,
        .validity_days = session->compliance.credential_validity_days,
        .mdl_refused = !idv_compliance_allows(&session->compliance,
                                              IDV_METHOD_MDL),
    };

    if (terms->min_strength > demand.min_strength)
        demand.min_strength = terms->min_strength;
    return demand;
}

static idv_error_t *check_proof(const attempt_t *attempt)
{
    const idv_reuse_request_t *request = attempt->request;
    int by_token = request->params->vp_token != NULL;

    if (request->workflow->require_email_otp
        || (request->is_browser && !by_token))
        return idv_error_new(IDV_E_EMAIL_NOT_VERIFIED, attempt->pool);
    return NULL;
}

/* The token is somebody's, and may be used here. */
static idv_error_t *check_token(const apr_array_header_t *credentials,
                                const idv_workflow_t *workflow,
                                idv_same_person_t same_person,
                                apr_pool_t *pool)
{
    if (!credentials || credentials->nelts == 0
        || (workflow->same_person_required
            && same_person != IDV_SAME_PERSON_YES))
        return idv_error_new(IDV_E_VP_TOKEN_INVALID, pool);
    return NULL;
}

/* MESSAGE NULL: the usual one. */
static idv_error_t *limit(const attempt_t *attempt, int retry_after,
                          const char *message)
{
    idv_error_t *error =
        idv_error_new(IDV_E_ACCEPT_EXISTING_RATE_LIMITED, attempt->pool);

    error->retry_after = retry_after;
    if (message)
        error->message = message;
    return error;
}

static idv_error_t *check_attempts(const attempt_t *attempt)
{
    const idv_session_create_params_t *params = attempt->request->params;
    const idv_reuse_lookups_t *lookups = &attempt->request->lookups;

    if (params->accept_existing && !params->vp_token
        && lookups->accept_existing_attempts > IDV_ACCEPT_EXISTING_ATTEMPTS_MAX)
        return limit(attempt, lookups->accept_existing_retry_after, NULL);
    if (lookups->trust_reuse_retry_after)
        return limit(attempt, lookups->trust_reuse_retry_after,
                     "This application has looked up too many persons of other "
                     "organizations.");
    return NULL;
}

static const idv_reusable_t *choose(const idv_session_t *session,
                                    const apr_array_header_t *credentials,
                                    idv_time_t now, apr_pool_t *pool)
{
    idv_reuse_demand_t demand = demand_of(session);

    return idv_reuse_choose(&demand, credentials, now, pool);
}

static int choose_own(const attempt_t *attempt,
                      const apr_array_header_t *credentials)
{
    const idv_reuse_request_t *request = attempt->request;

    if (!credentials)
        return 0;
    request->found->chosen =
        choose(request->session, credentials, attempt->now, attempt->pool);
    return request->found->chosen != NULL;
}

/* The workflow's part; the browser's is that nobody is found by what it
 * names. */
static int admits_shared(const idv_workflow_t *workflow, int is_browser)
{
    return workflow->accept_trust_reuse && !workflow->require_email_otp
        && !is_browser;
}

int idv_reuse_seeks_shared(const idv_reuse_wish_t *wish)
{
    const idv_session_create_params_t *params = wish->params;
    int can_be_told = params->email || (params->phone && !wish->tells_by_mail);

    return wish->workflow && admits_shared(wish->workflow, wish->is_browser)
        && wish->has_application && can_be_told && !params->vp_token
        && !params->credential_hash;
}

static int may_trust(const attempt_t *attempt)
{
    const idv_reuse_request_t *request = attempt->request;

    return request->found && request->found->shared
        && admits_shared(request->workflow, request->is_browser);
}

/* The same steps whatever is missing; each is a few comparisons. */
static int choose_shared(const attempt_t *attempt)
{
    const idv_session_t *session = attempt->request->session;
    idv_reuse_found_t *reuse = attempt->request->found;
    apr_array_header_t *accepted;
    const idv_reusable_t *best;

    if (!may_trust(attempt))
        return 0;
    accepted = apr_array_make(attempt->pool, 4, sizeof(const idv_reusable_t *));
    for (int i = 0; i < reuse->shared->nelts; i++) {
        const idv_shared_credential_t *one =
            APR_ARRAY_IDX(reuse->shared, i, const idv_shared_credential_t *);

        if (idv_trust_reuse_accepts(&reuse->settings, &one->credential.proof,
                                    session, attempt->now))
            APR_ARRAY_PUSH(accepted, const idv_reusable_t *) = &one->credential;
    }
    best = choose(session, accepted, attempt->now, attempt->pool);
    for (int i = 0; best && i < reuse->shared->nelts; i++) {
        const idv_shared_credential_t *one =
            APR_ARRAY_IDX(reuse->shared, i, const idv_shared_credential_t *);

        if (&one->credential == best)
            reuse->granted = one;
    }
    return best != NULL;
}

idv_error_t *idv_reuse_decide(const idv_reuse_request_t *request,
                              idv_time_t now, idv_verification_path_t *path,
                              apr_pool_t *pool)
{
    const attempt_t attempt = {request, now, pool};
    const idv_session_create_params_t *params = request->params;
    const idv_reuse_found_t *found = request->found;
    const apr_array_header_t *credentials = found ? found->credentials : NULL;
    int asked = params->vp_token || params->accept_existing
             || params->credential_hash;

    *path = IDV_PATH_FRESH;
    if (params->vp_token)
        IDV_TRY(check_token(credentials, request->workflow,
                            found ? found->same_person
                                  : IDV_SAME_PERSON_UNKNOWN,
                            pool));
    IDV_TRY(check_attempts(&attempt));
    if (asked)
        IDV_TRY(check_proof(&attempt));
    if (choose_own(&attempt, credentials))
        *path = params->vp_token ? IDV_PATH_VP_TOKEN
                                 : IDV_PATH_CREDENTIAL_REUSE;
    else if (choose_shared(&attempt))
        *path = IDV_PATH_TRUST_REUSE;
    else if (asked)
        return idv_error_new(IDV_E_NO_MATCHING_VP, pool);
    return NULL;
}

idv_error_t *idv_reuse_redeem(const idv_reuse_redemption_t *redemption,
                              idv_time_t now, const idv_reusable_t **chosen,
                              apr_pool_t *pool)
{
    const idv_session_t *session = redemption->session;

    IDV_TRY(check_token(redemption->credentials, redemption->workflow,
                        redemption->same_person, pool));
    if (idv_session_requires_email_otp(session))
        return idv_error_new(IDV_E_OTP_NOT_PROVEN, pool);
    *chosen = choose(session, redemption->credentials, now, pool);
    return *chosen ? NULL : idv_error_new(IDV_E_NO_MATCHING_VP, pool);
}
