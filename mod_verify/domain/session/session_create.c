/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_create.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/request/parameters.h"
#include "domain/session/reuse_decision.h"

/* --- the request by itself --- */

/* Characters of texts that are looked up or parsed further. Longer texts cannot be
 * valid. */
#define TEXT_MAX 255
/* Of a language tag (RFC 5646). The page answers unknown languages in English, so
 * nothing else is checked. */
#define LOCALE_CHARACTERS                                                      \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
#define LOCALE_MAX 35 /* characters, as of RFC 5646, 4.4.1 */
#define EMAIL_GIVEN_MAX 1000 /* before it is normalized */

typedef idv_session_create_params_t params_t;

/* In the order of the interface, in which missing ones are reported. A vp_token
 * may be any text: a malformed token is as invalid as an unknown one. */
static const idv_parameter_t parameters[] = {
    IDV_PARAMETER(SESSION_TYPE, params_t, type, IDV_REQUIRED, 1, TEXT_MAX),
    IDV_PARAMETER(STRING, params_t, workflow_id, IDV_REQUIRED, 1, TEXT_MAX),
    IDV_PARAMETER(REDIRECT_URL, params_t, return_url, 0, 1, IDV_URL_MAX),
    IDV_PARAMETER(REDIRECT_URL, params_t, cancel_url, 0, 1, IDV_URL_MAX),
    IDV_PARAMETER(STRING, params_t, client_reference_id, 0, 1,
                  IDV_CLIENT_REFERENCE_ID_MAX),
    IDV_PARAMETER(METADATA, params_t, metadata, 0, 0, IDV_METADATA_PAIRS_MAX),
    IDV_PARAMETER(JURISDICTION, params_t, jurisdiction, 0, 1, TEXT_MAX),
    IDV_PARAMETER(STRING, params_t, custom_user_message, 0, 0,
                  IDV_CUSTOM_USER_MESSAGE_MAX),
    IDV_PARAMETER(STRING, params_t, locale, 0, 2, LOCALE_MAX),
    IDV_PARAMETER(EMAIL, params_t, email, 0, 1, EMAIL_GIVEN_MAX),
    IDV_PARAMETER(PHONE, params_t, phone, 0, 1, TEXT_MAX),
    IDV_PARAMETER(BOOLEAN, params_t, accept_existing, 0, 0, 0),
    IDV_PARAMETER(STRENGTH, params_t, min_strength, 0, 1, TEXT_MAX),
    IDV_PARAMETER_AS(MAX_AGE, params_t, max_age, max_age_days, 0, 1, TEXT_MAX),
    IDV_PARAMETER(METHODS, params_t, required_methods, 0, 1, IDV_METHOD_COUNT),
    IDV_PARAMETER(STRING, params_t, credential_hash, 0, 1,
                  IDV_CREDENTIAL_HASH_MAX),
    IDV_PARAMETER(JURISDICTION, params_t, delivery_jurisdiction, 0, 1,
                  TEXT_MAX),
    IDV_PARAMETER(STRING, params_t, vp_token, 0, 0, IDV_TOKEN_TEXT_MAX),
    IDV_PARAMETER(BOOLEAN, params_t, skip_verification, 0, 0, 0),
    IDV_PARAMETER(STRING, params_t, captcha_token, 0, 1, IDV_TOKEN_MAX),
    IDV_PARAMETER_REFUSE("methods",
                         "is not allowed. The workflow sets the methods."),
    {0},
};

/* The parameters, which the table fills, and whose they are. */
typedef struct {
    params_t params; /* first, so that offsets are its */
    const idv_session_create_caller_t *caller;
} reading_t;

static idv_error_t *check_value(void *input, const char *name, apr_pool_t *pool)
{
    const reading_t *reading = input;

    if (strcmp(name, "skip_verification") == 0
        && reading->params.skip_verification && !reading->caller->sandbox)
        return idv_error_param(pool, name,
                               "is only available in a sandbox organization.");
    if (strcmp(name, "locale") == 0
        && strspn(reading->params.locale, LOCALE_CHARACTERS)
               != strlen(reading->params.locale))
        return idv_error_param(
            pool, name, "must be a language tag, such as `de` or `de-AT`.");
    return NULL;
}

/* Checks that involve several parameters. */
static idv_error_t *check_together(const reading_t *reading, apr_pool_t *pool)
{
    const params_t *params = &reading->params;

    if (params->accept_existing && !params->email && !params->phone)
        return idv_error_param(
            pool, "accept_existing",
            "requires `email` or `phone`. Pass one of them.");
    if (reading->caller->publishable_key && !params->captcha_token)
        return idv_error_new(IDV_E_CAPTCHA_REQUIRED, pool);
    return NULL;
}

idv_error_t *idv_session_create_parse(const json_t *body,
                                      const idv_session_create_caller_t *caller,
                                      idv_session_create_params_t **params,
                                      apr_pool_t *pool)
{
    const idv_parameters_t given = {.values = body};
    reading_t *reading = apr_pcalloc(pool, sizeof(*reading));

    *params = NULL;
    reading->caller = caller;
    if (caller->publishable_key && caller->publishable_create_blocked)
        return idv_error_new(IDV_E_PUBLISHABLE_SESSION_CREATE_BLOCKED, pool);
    if (!json_is_object(body))
        return idv_error_param(pool, NULL, "The body must be an object.");
    IDV_TRY(
        idv_parameters_read(&given, parameters, reading, check_value, pool));
    IDV_TRY(check_together(reading, pool));
    *params = &reading->params;
    return NULL;
}

/* --- the decision --- */

typedef struct {
    const idv_session_create_params_t *params;
    const idv_session_create_context_t *context;
    idv_time_t now;
    idv_jurisdiction_audit_t jurisdiction;
    idv_compliance_t compliance;
    apr_pool_t *pool;
} creation_t;

static idv_error_t *refuse(const creation_t *creation, idv_error_code_t code)
{
    return idv_error_new(code, creation->pool);
}

static idv_error_t *check_billing(const creation_t *creation)
{
    const idv_session_create_context_t *context = creation->context;

    return idv_billing_admit(&context->standing.account,
                             !context->caller->sandbox,
                             context->billing_suspended, creation->pool);
}

static idv_error_t *check_organization(const creation_t *creation)
{
    const idv_session_create_context_t *context = creation->context;

    if (context->caller->sandbox)
        return NULL;
    IDV_TRY(check_billing(creation));
    if (!context->standing.has_webhook_endpoint
        && !context->caller->sees_outcome)
        return refuse(creation, IDV_E_WEBHOOK_REQUIRED);
    return NULL;
}

static idv_error_t *check_workflow(const creation_t *creation)
{
    idv_error_t *error;

    if (!creation->context->workflow) {
        error = refuse(creation, IDV_E_RESOURCE_MISSING);
        error->param = "workflow_id";
        error->message = "No such workflow.";
        return error;
    }
    if (!idv_workflow_allows_type(creation->context->workflow,
                                  creation->params->type))
        return idv_error_param(
            creation->pool, "type",
            "does not match the workflow. Pass the type that "
            "the workflow is for.");
    return NULL;
}

/* The current rule of JURISDICTION for the workflow's use case. */
static idv_compliance_t rule_of(const creation_t *creation,
                                const char *jurisdiction)
{
    const idv_session_create_context_t *context = creation->context;
    const idv_compliance_question_t question = idv_workflow_question(
        context->workflow, jurisdiction, creation->now);
    idv_compliance_t rule = {0};

    if (context->compliance && question.use_case != IDV_USE_CASE_NONE)
        context->compliance(context->compliance_baton, &question, &rule,
                            creation->pool);
    return rule;
}

/* A browser can name any jurisdiction. If it is seen to be elsewhere, a milder law
 * than the one of that place is not accepted. A country does not contradict one of
 * its regions, but its law can be milder. */
static void doubt_browser(const creation_t *creation,
                          const idv_jurisdiction_sources_t *sources,
                          idv_jurisdiction_audit_t *audit)
{
    idv_compliance_t declared, seen;

    if (!creation->context->caller->publishable_key || !audit->declared
        || !audit->ip_derived)
        return;
    declared = rule_of(creation, audit->declared);
    seen = rule_of(creation, audit->ip_derived);
    if (idv_compliance_compare(&seen, &declared) > 0)
        idv_jurisdiction_believe_place(sources, audit);
}

static idv_error_t *resolve_jurisdiction(creation_t *creation)
{
    const idv_session_create_context_t *context = creation->context;
    const idv_workflow_t *workflow = context->workflow;
    idv_jurisdiction_audit_t *audit = &creation->jurisdiction;
    const idv_jurisdiction_sources_t sources = {
        .declared = creation->params->jurisdiction,
        .geo_header = context->geo_header,
        .ip_database = context->ip_database,
        .workflow = workflow->jurisdiction_count == 1
                      ? workflow->jurisdictions[0]
                      : NULL,
    };

    idv_jurisdiction_resolve(&sources, audit);
    doubt_browser(creation, &sources, audit);
    if (!audit->resolved)
        return refuse(creation, IDV_E_JURISDICTION_UNRESOLVABLE);
    if (idv_workflow_targets(workflow, audit->resolved))
        return NULL;
    if (audit->source == IDV_JURISDICTION_EXPLICIT)
        return idv_error_param(creation->pool, "jurisdiction",
                               "is not a target of the workflow. Pass one that "
                               "the workflow lists.");
    return refuse(creation, IDV_E_JURISDICTION_UNRESOLVABLE);
}

static idv_error_t *apply_compliance(creation_t *creation)
{
    creation->compliance = rule_of(creation, creation->jurisdiction.resolved);
    if (creation->compliance.prohibited)
        return refuse(creation, IDV_E_USE_CASE_PROHIBITED);
    if (creation->compliance.on_unknown == IDV_UNKNOWN_REFUSE)
        return refuse(creation, IDV_E_COMPLIANCE_UNKNOWN);
    return NULL;
}

static void copy_params(const idv_session_create_params_t *params,
                        idv_session_t *session, apr_pool_t *pool)
{
    session->type = params->type;
    session->client_reference_id = params->client_reference_id;
    session->return_url = params->return_url;
    session->cancel_url = params->cancel_url;
    session->metadata = idv_json_text(params->metadata, pool);
    session->user_message = params->custom_user_message;
    session->reuse_terms.min_strength = params->min_strength;
    session->reuse_terms.max_age_days = params->max_age_days;
    session->reuse_terms.methods = params->required_methods;
}

/* Kept only where it is not that of the session's type. */
static void demand_assurance(const creation_t *creation, idv_session_t *session)
{
    idv_assurance_t demand =
        idv_workflow_demand(creation->context->workflow, session->type);

    if (demand != idv_session_type_demand(session->type))
        session->reuse_terms.min_assurance = demand;
}

static idv_session_t *make_session(const creation_t *creation, idv_time_t now)
{
    const idv_session_create_context_t *context = creation->context;
    idv_session_t *session = apr_pcalloc(creation->pool, sizeof(*session));

    session->id = context->session_id;
    session->organization_id = context->organization_id;
    session->application_id = context->application_id;
    session->workflow_id = context->workflow_id;
    session->workflow_version_id = context->workflow_version_id;
    session->livemode = !context->caller->sandbox;
    session->revision = 1;
    session->status = IDV_STATUS_CREATED;
    session->current_method = IDV_METHOD_NONE;
    session->created = session->updated = now;
    session->expires_at = now + context->workflow->expires_after;
    session->jurisdiction = creation->jurisdiction;
    session->require_email_otp = context->workflow->require_email_otp;
    session->identifiers_claimed = context->caller->publishable_key;
    session->consent_required = 1;
    session->runner.facts.age = -1;
    copy_params(creation->params, session, creation->pool);
    if (!session->user_message)
        session->user_message = creation->compliance.user_message;
    idv_session_hold_to_law(session, context->workflow, &creation->compliance);
    demand_assurance(creation, session);
    return session;
}

static void announce(const creation_t *creation, const idv_session_t *session,
                     idv_session_change_t **change)
{
    idv_session_change_t *created =
        apr_pcalloc(creation->pool, sizeof(*created));

    created->changed = 1;
    created->session = session;
    created->events[0].type = IDV_EVENT_SESSION_CREATED;
    created->events[0].object = idv_session_snapshot(session, creation->pool);
    created->event_count = 1;
    *change = created;
}

idv_error_t *idv_session_create(const idv_session_create_params_t *params,
                                const idv_session_create_context_t *context,
                                idv_time_t now, idv_session_change_t **change,
                                apr_pool_t *pool)
{
    idv_session_input_t satisfy = {.type = IDV_INPUT_SATISFY,
                                   .path = IDV_PATH_SANDBOX};
    creation_t creation = {
        .params = params, .context = context, .now = now, .pool = pool};
    idv_session_t *session;

    *change = NULL;
    IDV_TRY(check_organization(&creation));
    IDV_TRY(check_workflow(&creation));
    IDV_TRY(resolve_jurisdiction(&creation));
    IDV_TRY(apply_compliance(&creation));
    if (context->caller->sandbox)
        IDV_TRY(check_billing(&creation));
    session = make_session(&creation, now);
    /* An earlier verification does not replace a required review. */
    if (creation.compliance.on_unknown == IDV_UNKNOWN_REVIEW
        && !params->skip_verification)
        satisfy.path = IDV_PATH_FRESH;
    else if (!params->skip_verification)
        IDV_TRY(idv_reuse_decide(params, context, session, now, &satisfy.path,
                                 pool));
    if (satisfy.path == IDV_PATH_VP_TOKEN)
        session->results = idv_vp_token_results(
            NULL, context->reuse->same_person, now, pool);
    if (satisfy.path == IDV_PATH_FRESH) {
        announce(&creation, session, change);
        return NULL;
    }
    return idv_session_step(session, context->workflow, &satisfy, now, change,
                            pool);
}

void idv_session_create_view(const idv_session_create_params_t *params,
                             const idv_session_t *session,
                             const char *client_secret,
                             idv_session_view_t *view)
{
    const char *delivery = params->delivery_jurisdiction;
    const char *ip_derived = session->jurisdiction.ip_derived;

    memset(view, 0, sizeof(*view));
    view->client_secret = client_secret;
    if (!delivery)
        return;
    view->show_delivery = 1;
    view->ip_jurisdiction = ip_derived;
    view->jurisdiction_mismatch =
        ip_derived && idv_jurisdiction_disagree(delivery, ip_derived);
}
