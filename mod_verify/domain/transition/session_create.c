/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/session_create.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/session/session_law.h"
#include "domain/session/session_results.h"
#include "domain/transition/session_step.h"

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

static idv_error_t *decide_reuse(const creation_t *creation,
                                 const idv_session_t *session,
                                 idv_verification_path_t *path)
{
    const idv_session_create_context_t *context = creation->context;
    const idv_reuse_request_t request = {
        .params = creation->params,
        .session = session,
        .workflow = context->workflow,
        .is_browser = context->caller->publishable_key,
        .lookups = context->lookups,
        .found = context->reuse,
    };

    return idv_reuse_decide(&request, creation->now, path, creation->pool);
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
        IDV_TRY(decide_reuse(&creation, session, &satisfy.path));
    if (satisfy.path == IDV_PATH_VP_TOKEN)
        session->results = idv_vp_token_results(
            NULL, context->reuse->same_person, now, pool);
    if (satisfy.path == IDV_PATH_FRESH) {
        announce(&creation, session, change);
        return NULL;
    }
    return idv_session_step(
        &(const idv_session_moment_t){
            .before = session, .workflow = context->workflow, .now = now},
        &satisfy, change, pool);
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
