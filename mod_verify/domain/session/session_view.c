/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_view.h"

#include <string.h>

#include "domain/session/session_columns.h"
#include "domain/session/session_plan.h"
#include "domain/session/session_results.h"

#define EXPECTED_LENGTH 1500

#define put_text idv_json_put_text
#define put_raw idv_json_put_raw
#define put_boolean idv_json_put_boolean

static void put_jurisdiction(idv_json_writer_t *object,
                             const idv_session_t *session)
{
    const idv_jurisdiction_audit_t *audit = &session->jurisdiction;

    put_text(object, "jurisdiction", audit->resolved);
    put_text(object, "jurisdiction_audit_declared", audit->declared);
    put_text(object, "jurisdiction_audit_ip_derived", audit->ip_derived);
    put_text(object, "jurisdiction_audit_resolved", audit->resolved);
    put_text(object, "jurisdiction_audit_source",
             idv_jurisdiction_source_value(audit->source));
    if (audit->mismatch < 0)
        idv_json_put_null(object, "jurisdiction_audit_mismatch");
    else
        put_boolean(object, "jurisdiction_audit_mismatch", audit->mismatch);
}

static void put_compliance(idv_json_writer_t *object,
                           const idv_session_t *session)
{
    const idv_compliance_t *rule = &session->compliance;

    if (session->age_tier == IDV_TIER_NONE) {
        idv_json_put_null(object, "compliance");
        return;
    }
    idv_json_open_object(object, "compliance");
    put_text(object, "jurisdiction", session->jurisdiction.resolved);
    put_text(object, "age_tier", idv_tier_value(session->age_tier));
    put_text(object, "mdl_acceptance_status",
             idv_mdl_acceptance_value(rule->mdl_acceptance));
    put_boolean(object, "mdl_legally_recognized",
                rule->mdl_acceptance == IDV_MDL_ACCEPTANCE_FULL
                    || rule->mdl_acceptance
                           == IDV_MDL_ACCEPTANCE_SUPPLEMENTARY);
    put_boolean(object, "physical_check_required",
                rule->physical_check_required);
    put_text(object, "user_message", session->user_message);
    put_text(object, "governing_regulator", rule->governing_regulator);
    put_text(object, "rule_version", rule->rule_version);
    put_text(object, "as_of", rule->as_of);
    idv_json_close_object(object);
}

static void put_times(idv_json_writer_t *object, const idv_session_t *session)
{
    idv_json_put_seconds(object, "expires_at", session->expires_at);
    idv_json_put_seconds(object, "completed_at", session->completed_at);
    idv_json_put_seconds(object, "cancelled_at", session->cancelled_at);
    idv_json_put_seconds(object, "created", session->created);
    idv_json_put_seconds(object, "updated", session->updated);
}

/* --- what else the view shows --- */

/* Findings are shown only for a session that was announced as verified. If it
 * never was, or a reviewer rejected it, the view says why, but not what passed.
 * A counted cancellation shows nothing either. */
static int shows_findings(const idv_session_t *session)
{
    return idv_session_was_verified(session);
}

static void put_minted(idv_json_writer_t *object, const idv_session_t *session,
                       const idv_session_view_t *view)
{
    const idv_session_result_t otherwise = {
        .method = idv_method_value(view->credential_method),
        .status = "passed",
        .assurance = session->verification_path == IDV_PATH_SANDBOX
                       ? idv_method_reach(view->credential_method)
                       : session->runner.facts.assurance,
        .completed_at = session->completed_at,
    };
    const idv_session_minted_t minted = {view->credential_hash, &otherwise};

    idv_session_results_write_minted(object, "results", session->results,
                                     &minted);
}

static void put_results(idv_json_writer_t *object, const idv_session_t *session,
                        const idv_session_view_t *view)
{
    if (!shows_findings(session))
        idv_session_results_write_failed(object, "results", session->results);
    else if (view->credential_hash)
        put_minted(object, session, view);
    else
        put_raw(object, "results", session->results ? session->results : "[]");
}

static void put_document(idv_json_writer_t *object,
                         const idv_session_t *session)
{
    const idv_session_facts_t *facts = &session->runner.facts;

    if (!shows_findings(session) || !session->runner.verified.count
        || (!facts->jurisdiction && !facts->expiry)) {
        idv_json_put_null(object, "document");
        return;
    }
    idv_json_open_object(object, "document");
    put_text(object, "jurisdiction", facts->jurisdiction);
    put_text(object, "expires_on", facts->expiry);
    idv_json_close_object(object);
}

/* The person's consent, and its time. */
static void put_consent(idv_json_writer_t *object,
                        const idv_session_t *session)
{
    if (!session->consented_at) {
        idv_json_put_null(object, "consent");
        return;
    }
    idv_json_open_object(object, "consent");
    put_text(object, "text_version", session->consent_text);
    idv_json_put_seconds(object, "agreed_at", session->consented_at);
    idv_json_close_object(object);
}

static void put_view(idv_json_writer_t *object, const idv_session_t *session,
                     const idv_session_view_t *view)
{
    if (view->url)
        put_text(object, "url", view->url);
    if (view->expand_results) {
        put_results(object, session, view);
        put_consent(object, session);
    }
    if (view->expand_document)
        put_document(object, session);
    if (view->expand_workflow)
        put_text(object, "workflow_id", session->workflow_id);
    if (view->show_delivery) {
        put_text(object, "ip_jurisdiction", view->ip_jurisdiction);
        put_boolean(object, "jurisdiction_mismatch",
                    view->jurisdiction_mismatch);
    }
}

/* --- the session object --- */

/* Details of a failed attempt are not shown while the person can try again, nor
 * once the session is verified, cancelled or expired. */
static int shows_error(const idv_session_t *session)
{
    return session->status == IDV_STATUS_FAILED && session->last_error.code;
}

static void write_session(idv_json_writer_t *object,
                          const idv_session_t *session,
                          const idv_session_view_t *view)
{
    idv_json_open_object(object, NULL);
    put_text(object, "id", session->id);
    put_text(object, "object", "verification_session");
    put_text(object, "status", idv_session_status_value(session->status));
    put_text(object, "type", idv_session_type_value(session->type));
    idv_method_list_write(object, "methods", &session->methods);
    put_text(object, "current_method",
             idv_method_value(session->current_method));
    put_text(object, "client_reference_id", session->client_reference_id);
    put_text(object, "return_url", session->return_url);
    put_text(object, "cancel_url", session->cancel_url);
    put_text(object, "client_secret", view ? view->client_secret : NULL);
    put_raw(object, "metadata", session->metadata ? session->metadata : "{}");
    put_times(object, session);
    put_text(object, "verification_path",
             idv_verification_path_value(session->verification_path));
    put_text(object, "active_device", session->active_device);
    idv_json_put_seconds(object, "device_locked_at", session->device_locked_at);
    put_text(object, "age_tier", idv_tier_value(session->age_tier));
    put_jurisdiction(object, session);
    put_boolean(object, "physical_check_required",
                session->compliance.physical_check_required);
    put_text(object, "user_message", session->user_message);
    put_compliance(object, session);
    put_boolean(object, "requires_email_otp",
                idv_session_requires_email_otp(session));
    if (shows_error(session))
        idv_session_error_write(object, "last_error", &session->last_error);
    if (view)
        put_view(object, session, view);
    idv_json_close_object(object);
}

const char *idv_session_text(const idv_session_t *session,
                             const idv_session_view_t *view, apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    write_session(&object, session, view);
    return idv_json_writer_text(&object, NULL);
}

/* --- the snapshot of events --- */

const char *idv_session_snapshot(const idv_session_t *session,
                                 apr_pool_t *pool)
{
    idv_json_writer_t writer, *object = &writer;

    idv_json_writer_init(object, EXPECTED_LENGTH, pool);
    idv_json_open_object(object, NULL);
    put_text(object, "id", session->id);
    put_text(object, "object", "verification_session");
    put_text(object, "status", idv_session_status_value(session->status));
    put_text(object, "type", idv_session_type_value(session->type));
    put_text(object, "client_reference_id", session->client_reference_id);
    put_text(object, "current_method",
             idv_method_value(session->current_method));
    put_text(object, "age_tier", idv_tier_value(session->age_tier));
    put_jurisdiction(object, session);
    put_text(object, "verification_path",
             idv_verification_path_value(session->verification_path));
    put_text(object, "workflow_version_id", session->workflow_version_id);
    put_boolean(object, "livemode", session->livemode);
    idv_json_put_seconds(object, "completed_at", session->completed_at);
    idv_json_put_seconds(object, "created", session->created);
    put_raw(object, "verification_result",
            shows_findings(session) ? session->verification_result : NULL);
    if (shows_error(session))
        idv_session_error_write(object, "last_error", &session->last_error);
    else
        idv_json_put_null(object, "last_error");
    idv_json_close_object(object);
    return idv_json_writer_text(object, NULL);
}

/* --- the widget's view --- */

static void put_attempts(idv_json_writer_t *object,
                         const idv_session_t *session,
                         const idv_workflow_t *workflow)
{
    int attempts = idv_session_attempts_remaining(session, workflow);

    if (attempts < 0)
        idv_json_put_null(object, "attempts_remaining");
    else
        idv_json_put_integer(object, "attempts_remaining", attempts);
}

static void find_passive_checks(const idv_session_t *session,
                                idv_method_list_t *checks)
{
    *checks = (idv_method_list_t){0};
    for (int i = 0; i < session->methods.count; i++)
        if (idv_method_kind(session->methods.items[i])
            == IDV_METHOD_SUPPLEMENTARY)
            idv_method_list_add(checks, session->methods.items[i]);
}

int idv_session_has_passive_checks(const idv_session_t *session)
{
    idv_method_list_t checks;

    find_passive_checks(session, &checks);
    return checks.count > 0;
}

static void put_passive_checks(idv_json_writer_t *object,
                               const idv_session_t *session)
{
    idv_method_list_t checks;

    find_passive_checks(session, &checks);
    idv_method_list_write(object, "passive_checks", &checks);
}

/* The result of the last submission, as far as the person may know it. */
static void put_progress(idv_json_writer_t *object,
                         const idv_session_t *session,
                         const idv_workflow_t *workflow)
{
    const idv_session_runner_t *runner = &session->runner;

    put_attempts(object, session, workflow);
    put_text(object, "hint", runner->hint);
    put_text(object, "hint_side", runner->hint_side);
    put_raw(object, "checks_failed",
            runner->checks_failed ? runner->checks_failed : "[]");
    idv_session_error_write(object, "last_error", &session->last_error);
}

static void put_passport_apps(idv_json_writer_t *object,
                              const idv_session_widget_t *extra)
{
    const apr_array_header_t *apps = extra ? extra->passport_apps : NULL;

    idv_json_open_array(object, "passport_apps");
    for (int i = 0; apps && i < apps->nelts; i++)
        idv_json_put_text(object, NULL,
                          APR_ARRAY_IDX(apps, i, const char *));
    idv_json_close_array(object);
}

/* Who looks, who has the session, and where a handoff stands. */
static void put_devices(idv_json_writer_t *object,
                        const idv_session_t *session,
                        const idv_session_widget_t *extra)
{
    put_text(object, "device",
             extra && extra->is_phone ? IDV_ACTIVE_DEVICE_MOBILE : "desktop");
    put_text(object, "active_device", session->active_device);
    put_text(object, "handoff",
             idv_session_status_open(session->status)
                 ? idv_handoff_state_value(session->runner.handoff.state)
                 : NULL);
    if (extra && extra->client_secret)
        put_text(object, "client_secret", extra->client_secret);
}

/* Whose page it is, and what it already has of the present submission. */
static void put_page(idv_json_writer_t *object, const idv_session_t *session,
                     const idv_session_widget_t *extra)
{
    put_text(object, "jurisdiction", session->jurisdiction.resolved);
    put_text(object, "organization_name",
             extra ? extra->organization_name : NULL);
    put_raw(object, "brand", extra && extra->brand ? extra->brand : "null");
    put_text(object, "liveness_provider",
             extra ? extra->liveness_provider : NULL);
    idv_json_open_object(object, "kept_days");
    idv_json_put_integer(object, "sightings", extra ? extra->sighting_days : 0);
    idv_json_put_integer(object, "risk", extra ? extra->risk_days : 0);
    idv_json_close_object(object);
    put_boolean(object, "review_possible", extra && extra->reviews);
    idv_json_open_array(object, "parts_received");
    for (int i = 0; extra && extra->parts_received && extra->parts_received[i];
         i++)
        put_text(object, NULL, extra->parts_received[i]);
    idv_json_close_array(object);
}

/* Nothing can be proved for a session that was created without an address, or by
 * a service that sends no mail: the person would type one address after the other
 * and never receive a code. */
static int asks_for_proof(const idv_session_t *session,
                          const idv_session_widget_t *extra)
{
    return session->require_email_otp && !(extra && extra->lacks_email);
}

/* What the person can choose, what lies ahead, and what they would declare. */
static void put_way(idv_json_writer_t *object, const idv_session_t *session,
                    const idv_workflow_t *workflow, int asks_for_proof)
{
    idv_method_list_t choices;

    idv_session_choices(session, workflow, &choices);
    idv_method_list_write(object, "methods", &choices);
    idv_session_plan_write(object, "steps", session, workflow, asks_for_proof);
    idv_statement_write(
        object, "statement",
        idv_method_list_has(&choices, IDV_METHOD_SELF_ATTESTATION)
            ? idv_statement_for(&workflow->statements,
                                session->jurisdiction.resolved)
            : NULL);
}

const char *idv_session_widget_text(const idv_session_t *session,
                                    const idv_workflow_t *workflow,
                                    const idv_session_widget_t *extra,
                                    apr_pool_t *pool)
{
    idv_json_writer_t writer, *object = &writer;

    idv_json_writer_init(object, EXPECTED_LENGTH, pool);
    idv_json_open_object(object, NULL);
    put_text(object, "object", "widget_session");
    put_text(object, "id", session->id);
    put_text(object, "status", idv_session_status_value(session->status));
    put_text(object, "type", idv_session_type_value(session->type));
    idv_json_put_integer(object, "revision", session->revision);
    put_text(object, "current_method",
             idv_method_value(session->current_method));
    put_way(object, session, workflow, asks_for_proof(session, extra));
    put_passive_checks(object, session);
    put_boolean(object, "consent_required", session->consent_required);
    put_boolean(object, "consented", session->consented_at != 0);
    put_boolean(object, "requires_email_otp",
                asks_for_proof(session, extra)
                    && idv_session_requires_email_otp(session));
    put_boolean(object, "trust_reuse_available",
                extra && extra->trust_reuse_available);
    put_progress(object, session, workflow);
    put_text(object, "user_message", session->user_message);
    put_text(object, "return_url", session->return_url);
    put_text(object, "cancel_url", session->cancel_url);
    idv_json_put_seconds(object, "expires_at", session->expires_at);
    put_boolean(object, "review", session->status == IDV_STATUS_UNDER_REVIEW);
    put_devices(object, session, extra);
    put_passport_apps(object, extra);
    put_page(object, session, extra);
    put_text(object, "passkey", extra ? extra->passkey : NULL);
    put_text(object, "vp_token",
             extra && session->status == IDV_STATUS_VERIFIED ? extra->vp_token
                                                             : NULL);
    idv_json_close_object(object);
    return idv_json_writer_text(object, NULL);
}
