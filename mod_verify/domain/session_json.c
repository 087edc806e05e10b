/* SPDX-License-Identifier: Apache-2.0 */
/* The forms in which a session is shown and stored. */
#include "domain/session.h"

#include <string.h>

#include <apr_strings.h>

static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void put_text(json_t *object, const char *key, const char *text)
{
    put(object, key, idv_json_string_or_null(text));
}

static void put_seconds(json_t *object, const char *key, idv_time_t time)
{
    put(object, key, idv_json_integer_or_null(idv_time_seconds(time)));
}

/* A value that the session holds, or null. */
static void put_shared(json_t *object, const char *key, json_t *value)
{
    put(object, key, value ? json_incref(value) : json_null());
}

static void put_jurisdiction(json_t *object, const idv_session_t *session)
{
    const idv_jurisdiction_audit_t *audit = &session->jurisdiction;

    put_text(object, "jurisdiction", audit->resolved);
    put_text(object, "jurisdiction_audit_declared", audit->declared);
    put_text(object, "jurisdiction_audit_ip_derived", audit->ip_derived);
    put_text(object, "jurisdiction_audit_resolved", audit->resolved);
    put_text(object, "jurisdiction_audit_source",
             idv_jurisdiction_source_value(audit->source));
    put(object, "jurisdiction_audit_mismatch",
        audit->mismatch < 0 ? json_null() : json_boolean(audit->mismatch));
}

static json_t *compliance_block(const idv_session_t *session)
{
    const idv_compliance_t *rule = &session->compliance;
    json_t *block;

    if (session->age_tier == IDV_TIER_NONE)
        return json_null();
    block = json_object();
    put_text(block, "jurisdiction", session->jurisdiction.resolved);
    put_text(block, "age_tier", idv_tier_value(session->age_tier));
    put_text(block, "mdl_acceptance_status",
             idv_mdl_acceptance_value(rule->mdl_acceptance));
    put(block, "mdl_legally_recognized",
        json_boolean(rule->mdl_acceptance == IDV_MDL_ACCEPTANCE_FULL
                     || rule->mdl_acceptance
                            == IDV_MDL_ACCEPTANCE_SUPPLEMENTARY));
    put(block, "physical_check_required",
        json_boolean(rule->physical_check_required));
    put_text(block, "user_message", session->user_message);
    put_text(block, "governing_regulator", rule->governing_regulator);
    put_text(block, "rule_version", rule->rule_version);
    return block;
}

static void put_times(json_t *object, const idv_session_t *session)
{
    put_seconds(object, "expires_at", session->expires_at);
    put_seconds(object, "completed_at", session->completed_at);
    put_seconds(object, "cancelled_at", session->cancelled_at);
    put_seconds(object, "created", session->created);
    put_seconds(object, "updated", session->updated);
}

/* The item in which a session's credential stands: the last that was passed,
 * or, where no method ran, one that says so. */
static json_t *credential_item(const idv_session_t *session, json_t *results,
                               const idv_session_view_t *view)
{
    for (size_t i = json_array_size(results); i-- > 0;) {
        json_t *item = json_array_get(results, i);
        const char *status = json_string_value(json_object_get(item, "status"));

        if (status && strcmp(status, "passed") == 0) {
            json_array_set_new(results, i, json_copy(item));
            return json_array_get(results, i);
        }
    }
    json_array_append_new(
        results,
        json_pack("{s:s?, s:s, s:n, s:n, s:[], s:I}", "method",
                  idv_method_value(view->credential_method), "status", "passed",
                  "hint", "error_code", "checks", "completed_at",
                  (json_int_t)idv_time_seconds(session->completed_at)));
    return json_array_get(results, json_array_size(results) - 1);
}

static json_t *results_json(const idv_session_t *session,
                            const idv_session_view_t *view)
{
    json_t *results =
        session->results ? json_copy(session->results) : json_array();

    if (view->credential_hash)
        put_text(credential_item(session, results, view), "credential_hash",
                 view->credential_hash);
    return results;
}

static void put_view(json_t *object, const idv_session_t *session,
                     const idv_session_view_t *view)
{
    static const idv_session_facts_t no_facts = {-1, NULL, NULL};
    const idv_session_facts_t *facts = session->runner.verified.count
                                         ? &session->runner.facts
                                         : &no_facts;

    if (view->expand_results)
        put(object, "results", results_json(session, view));
    if (view->expand_document) {
        json_t *document = json_null();

        if (facts->jurisdiction || facts->expiry)
            document = json_pack("{s:s?, s:s?}", "jurisdiction",
                                 facts->jurisdiction, "expires_on",
                                 facts->expiry);
        put(object, "document", document);
    }
    if (view->show_delivery) {
        put_text(object, "ip_jurisdiction", view->ip_jurisdiction);
        put(object, "jurisdiction_mismatch",
            json_boolean(view->jurisdiction_mismatch));
    }
}

json_t *idv_session_json(const idv_session_t *session,
                         const idv_session_view_t *view)
{
    json_t *object = json_object();

    put_text(object, "id", session->id);
    put_text(object, "object", "verification_session");
    put_text(object, "status", idv_session_status_value(session->status));
    put_text(object, "type", idv_session_type_value(session->type));
    put(object, "methods", idv_method_list_json(&session->methods));
    put_text(object, "current_method",
             idv_method_value(session->current_method));
    put_text(object, "client_reference_id", session->client_reference_id);
    put_text(object, "return_url", session->return_url);
    put_text(object, "cancel_url", session->cancel_url);
    put_text(object, "client_secret", view ? view->client_secret : NULL);
    put(object, "metadata",
        session->metadata ? json_incref(session->metadata) : json_object());
    put_times(object, session);
    put_text(object, "verification_path",
             idv_verification_path_value(session->verification_path));
    put_text(object, "active_device", session->active_device);
    put_seconds(object, "device_locked_at", session->device_locked_at);
    put_text(object, "age_tier", idv_tier_value(session->age_tier));
    put_jurisdiction(object, session);
    put(object, "physical_check_required",
        json_boolean(session->compliance.physical_check_required));
    put_text(object, "user_message", session->user_message);
    put(object, "compliance", compliance_block(session));
    put(object, "requires_email_otp",
        json_boolean(idv_session_requires_email_otp(session)));
    if (view)
        put_view(object, session, view);
    return object;
}

json_t *idv_session_snapshot(const idv_session_t *session)
{
    int failed = session->status == IDV_STATUS_FAILED;
    json_t *object = json_object();

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
    put(object, "livemode", json_boolean(session->livemode));
    put_seconds(object, "completed_at", session->completed_at);
    put_seconds(object, "created", session->created);
    put_shared(object, "verification_result", session->verification_result);
    put(object, "last_error",
        failed ? idv_session_error_json(&session->last_error) : json_null());
    return object;
}

json_t *idv_session_widget_json(const idv_session_t *session,
                                const idv_workflow_t *workflow,
                                const idv_session_widget_t *extra)
{
    int attempts = idv_session_attempts_remaining(session, workflow);
    const idv_session_runner_t *runner = &session->runner;
    json_t *object = json_object();
    idv_method_list_t choices;

    idv_session_choices(session, workflow, &choices);
    put_text(object, "object", "widget_session");
    put_text(object, "id", session->id);
    put_text(object, "status", idv_session_status_value(session->status));
    put_text(object, "type", idv_session_type_value(session->type));
    put(object, "revision", json_integer(session->revision));
    put_text(object, "current_method",
             idv_method_value(session->current_method));
    put(object, "methods", idv_method_list_json(&choices));
    put(object, "consent_required", json_boolean(session->consent_required));
    put(object, "consented", json_boolean(session->consented_at != 0));
    put(object, "device_risk",
        json_boolean(
            idv_method_list_has(&session->methods, IDV_METHOD_DEVICE_RISK)));
    put(object, "trust_reuse_available",
        json_boolean(extra && extra->trust_reuse_available));
    put(object, "attempts_remaining",
        attempts < 0 ? json_null() : json_integer(attempts));
    put_text(object, "hint", runner->hint);
    put(object, "checks_failed",
        runner->checks_failed ? json_incref(runner->checks_failed)
                              : json_array());
    put(object, "last_error", idv_session_error_json(&session->last_error));
    put_text(object, "user_message", session->user_message);
    put_text(object, "return_url", session->return_url);
    put_text(object, "cancel_url", session->cancel_url);
    put_seconds(object, "expires_at", session->expires_at);
    put(object, "review",
        json_boolean(session->status == IDV_STATUS_UNDER_REVIEW));
    put_text(object, "vp_token",
             extra && session->status == IDV_STATUS_VERIFIED ? extra->vp_token
                                                             : NULL);
    return object;
}

json_t *idv_session_error_json(const idv_session_error_t *error)
{
    if (!error->code)
        return json_null();
    return json_pack("{s:s, s:s?, s:s?}", "code", error->code, "message",
                     error->message, "category", error->category);
}

/* A copy of a string; NULL for JSON null, and whatever is no string. */
static const char *copy(const json_t *value, apr_pool_t *pool)
{
    const char *text = json_string_value(value);

    return text ? apr_pstrdup(pool, text) : NULL;
}

idv_error_t *idv_session_error_load(const json_t *json,
                                    idv_session_error_t *error,
                                    apr_pool_t *pool)
{
    idv_session_error_t none = {0};
    json_t *code, *message, *category;

    *error = none;
    if (!json || json_is_null(json))
        return NULL;
    if (json_unpack((json_t *)json, "{s:o, s:o, s:o}", "code", &code,
                    "message", &message, "category", &category)
        != 0)
        return idv_error_internal(pool, "a stored last_error is malformed");
    error->code = copy(code, pool);
    error->message = copy(message, pool);
    error->category = copy(category, pool);
    return NULL;
}

json_t *idv_session_compliance_json(const idv_compliance_t *rule)
{
    return json_pack("{s:s?, s:i, s:s, s:b, s:s?, s:s?, s:i}", "age_tier",
                     idv_tier_value(rule->age_tier), "required_age",
                     rule->required_age, "mdl_acceptance_status",
                     idv_mdl_acceptance_value(rule->mdl_acceptance),
                     "physical_check_required", rule->physical_check_required,
                     "governing_regulator", rule->governing_regulator,
                     "rule_version", rule->rule_version,
                     "credential_validity_days",
                     rule->credential_validity_days);
}

idv_error_t *idv_session_compliance_load(const json_t *json,
                                         idv_compliance_t *rule,
                                         apr_pool_t *pool)
{
    idv_compliance_t unknown = {0};
    json_t *tier, *regulator, *version;
    const char *acceptance;

    *rule = unknown;
    if (!json || json_is_null(json))
        return NULL;
    if (json_unpack((json_t *)json, "{s:o, s:i, s:s, s:b, s:o, s:o, s:i}",
                    "age_tier", &tier, "required_age", &rule->required_age,
                    "mdl_acceptance_status", &acceptance,
                    "physical_check_required", &rule->physical_check_required,
                    "governing_regulator", &regulator,
                    "rule_version", &version,
                    "credential_validity_days",
                    &rule->credential_validity_days) != 0)
        return idv_error_internal(pool, "a stored compliance is malformed");
    rule->age_tier = idv_tier_parse(json_string_value(tier));
    rule->mdl_acceptance = idv_mdl_acceptance_parse(acceptance);
    rule->governing_regulator = copy(regulator, pool);
    rule->rule_version = copy(version, pool);
    return NULL;
}

/* NULL for none. */
static json_t *reuse_terms_json(const idv_session_reuse_terms_t *terms)
{
    if (!terms->min_strength && !terms->max_age_days && !terms->methods.count)
        return NULL;
    return json_pack("{s:s?, s:i, s:o}", "min_strength",
                     idv_strength_value(terms->min_strength), "max_age_days",
                     terms->max_age_days, "methods",
                     idv_method_list_json(&terms->methods));
}

static idv_error_t *load_reuse_terms(const json_t *json,
                                     idv_session_reuse_terms_t *terms,
                                     apr_pool_t *pool)
{
    json_t *strength, *methods;

    memset(terms, 0, sizeof(*terms));
    if (!json)
        return NULL;
    if (json_unpack((json_t *)json, "{s:o, s:i, s:o}", "min_strength",
                    &strength, "max_age_days", &terms->max_age_days, "methods",
                    &methods)
        != 0)
        return idv_error_internal(pool, "stored terms of reuse are malformed");
    terms->min_strength = idv_strength_parse(json_string_value(strength));
    return idv_method_list_load(methods, &terms->methods, pool);
}

json_t *idv_session_runner_json(const idv_session_t *session, apr_pool_t *pool)
{
    const idv_session_runner_t *runner = &session->runner;

    return json_pack(
        "{s:s?, s:i, s:o, s:o, s:i, s:i, s:s?, s:O?, s:i, s:s?, s:s?, s:b, s:b,"
        " s:b, s:s?, s:I, s:i, s:b, s:b, s:b, s:I, s:b, s:o*, s:o*}",
        "node", runner->node, "attempts", runner->attempts, "passed",
        idv_method_list_json(&runner->passed), "verified",
        idv_method_list_json(&runner->verified), "submission",
        runner->submission, "technical_failures", runner->technical_failures,
        "hint", runner->hint, "checks_failed", runner->checks_failed, "age",
        runner->facts.age, "evidence_jurisdiction", runner->facts.jurisdiction,
        "evidence_expiry", runner->facts.expiry, "counted", runner->counted,
        "review_flagged", runner->review_flagged, "review_escalated",
        runner->review_escalated, "review_reason", runner->review_reason,
        "ended_at", (json_int_t)session->ended_at,
        "required_age", session->required_age, "require_email_otp",
        session->require_email_otp, "email_otp_proven",
        session->email_otp_proven, "consent_required",
        session->consent_required, "consented_at",
        (json_int_t)session->consented_at, "share_consent",
        session->share_consent, "reuse_terms",
        reuse_terms_json(&session->reuse_terms), "signals",
        idv_session_signals_json(runner->signals, pool));
}

/* Members of a stored runner that need more than unpacking. */
typedef struct {
    json_t *node, *passed, *verified, *hint, *checks_failed;
    json_t *jurisdiction, *expiry, *reason;
    json_t *reuse_terms, *signals; /* NULL: there are none */
    json_int_t ended_at, consented_at;
} stored_runner_t;

static int unpack_runner(json_t *json, idv_session_t *session,
                         stored_runner_t *stored)
{
    idv_session_runner_t *runner = &session->runner;

    return json_unpack(
        json,
        "{s:o, s:i, s:o, s:o, s:i, s:i, s:o, s:o, s:i, s:o, s:o, s:b, s:b,"
        " s:b, s:o, s:I, s:i, s:b, s:b, s:b, s:I, s:b, s?o, s?o}",
        "node", &stored->node, "attempts", &runner->attempts, "passed",
        &stored->passed, "verified", &stored->verified, "submission",
        &runner->submission, "technical_failures", &runner->technical_failures,
        "hint", &stored->hint, "checks_failed", &stored->checks_failed, "age",
        &runner->facts.age, "evidence_jurisdiction", &stored->jurisdiction,
        "evidence_expiry", &stored->expiry, "counted", &runner->counted,
        "review_flagged", &runner->review_flagged, "review_escalated",
        &runner->review_escalated, "review_reason", &stored->reason, "ended_at",
        &stored->ended_at, "required_age", &session->required_age,
        "require_email_otp", &session->require_email_otp, "email_otp_proven",
        &session->email_otp_proven, "consent_required",
        &session->consent_required, "consented_at", &stored->consented_at,
        "share_consent", &session->share_consent, "reuse_terms",
        &stored->reuse_terms, "signals", &stored->signals);
}

idv_error_t *idv_session_runner_load(const json_t *json,
                                     idv_session_t *session, apr_pool_t *pool)
{
    idv_session_runner_t *runner = &session->runner;
    stored_runner_t stored = {0};

    if (unpack_runner((json_t *)json, session, &stored) != 0)
        return idv_error_internal(pool, "a stored runner is malformed");
    IDV_TRY(idv_method_list_load(stored.passed, &runner->passed, pool));
    IDV_TRY(idv_method_list_load(stored.verified, &runner->verified, pool));
    IDV_TRY(load_reuse_terms(stored.reuse_terms, &session->reuse_terms, pool));
    IDV_TRY(idv_session_signals_load(stored.signals, &runner->signals, pool));
    session->ended_at = stored.ended_at;
    session->consented_at = stored.consented_at;
    runner->node = copy(stored.node, pool);
    runner->hint = copy(stored.hint, pool);
    runner->review_reason = copy(stored.reason, pool);
    runner->facts.jurisdiction = copy(stored.jurisdiction, pool);
    runner->facts.expiry = copy(stored.expiry, pool);
    runner->checks_failed =
        json_is_array(stored.checks_failed)
            ? idv_json_own(json_incref(stored.checks_failed), pool)
            : NULL;
    return NULL;
}
