/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/trust_reuse.h"

#include <string.h>

void idv_trust_reuse_settings_default(idv_trust_reuse_settings_t *settings)
{
    memset(settings, 0, sizeof(*settings));
    settings->max_age_days = IDV_TRUST_REUSE_MAX_AGE_DAYS_DEFAULT;
    settings->require_same_jurisdiction = 1;
}

json_t *
idv_trust_reuse_settings_json(const idv_trust_reuse_settings_t *settings,
                              const char *application_id)
{
    return json_pack(
        "{s:s, s:s, s:b, s:i, s:b, s:o, s:o}", "object",
        "trust_reuse_settings", "application_id", application_id, "enabled",
        settings->enabled, "max_age_days", settings->max_age_days,
        "require_same_jurisdiction", settings->require_same_jurisdiction,
        "accepted_methods", idv_method_list_json(&settings->accepted_methods),
        "updated",
        idv_json_integer_or_null(idv_time_seconds(settings->updated)));
}

int idv_trust_reuse_accepts(const idv_trust_reuse_settings_t *settings,
                            const idv_credential_t *credential,
                            const idv_session_t *session, idv_time_t now)
{
    const idv_method_list_t *methods = settings->accepted_methods.count
                                         ? &settings->accepted_methods
                                         : &session->methods;
    const char *jurisdiction = session->jurisdiction.resolved;

    if (!settings->enabled
        || now - credential->verified_at > settings->max_age_days * IDV_DAY
        || !idv_method_list_has(methods, credential->method))
        return 0;
    return !settings->require_same_jurisdiction
        || (jurisdiction && credential->jurisdiction
            && idv_jurisdiction_covers(jurisdiction,
                                       credential->jurisdiction));
}

static const char *const reasons[IDV_GRANT_REVOCATION_COUNT] = {
#define X(name) [IDV_GRANT_##name] = #name,
    IDV_GRANT_REVOCATIONS(X)
#undef X
};

const char *idv_grant_revocation_value(idv_grant_revocation_t reason)
{
    return reasons[reason];
}

static const char *status_of(const idv_trust_reuse_grant_t *grant,
                             idv_time_t now)
{
    if (grant->revoked_at)
        return "revoked";
    return grant->expires_at <= now ? "expired" : "active";
}

json_t *idv_trust_reuse_link_json(const idv_trust_reuse_grant_t *grant,
                                  const char *organization, idv_time_t now)
{
    return json_pack("{s:s, s:s, s:s, s:s?, s:o, s:o}", "object",
                     "trust_reuse_link", "organization_name", organization,
                     "status", status_of(grant, now), "age_tier",
                     idv_tier_value(grant->age_tier), "granted_at",
                     json_integer(idv_time_seconds(grant->granted_at)),
                     "expires_at",
                     json_integer(idv_time_seconds(grant->expires_at)));
}

static const char *moment(idv_time_t time, apr_pool_t *pool)
{
    return time ? idv_time_iso8601(time, pool) : NULL;
}

json_t *idv_trust_reuse_grant_json(const idv_trust_reuse_grant_t *grant,
                                   apr_pool_t *pool)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s?, s:s?, s:s?, s:s, s:s, s:s?, s:s?}",
        "object", "trust_reuse_grant", "id", grant->id, "source_org_id",
        grant->source_organization_id, "target_org_id", grant->organization_id,
        "session_id", grant->session_id, "verified_person_id",
        grant->verified_person_id, "method", idv_method_upper(grant->method),
        "age_tier", idv_tier_upper(grant->age_tier), "strength",
        idv_strength_upper(grant->strength), "granted_at",
        moment(grant->granted_at, pool), "expires_at",
        moment(grant->expires_at, pool), "revoked_at",
        moment(grant->revoked_at, pool), "revoked_reason",
        grant->revoked_reason);
}

json_t *idv_trust_reuse_consent_json(const idv_trust_reuse_grant_t *grant,
                                     apr_pool_t *pool)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?}", "object",
                     "trust_reuse_consent", "source_org_id",
                     grant->source_organization_id, "target_org_id",
                     grant->organization_id, "verified_person_id",
                     grant->verified_person_id, "revoked_at",
                     moment(grant->revoked_at, pool), "revoked_reason",
                     grant->revoked_reason);
}
