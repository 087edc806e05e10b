/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/trust_reuse.h"

#include <string.h>

#include "core/json_writer.h"

void idv_trust_reuse_settings_default(idv_trust_reuse_settings_t *settings)
{
    memset(settings, 0, sizeof(*settings));
    settings->max_age_days = IDV_TRUST_REUSE_MAX_AGE_DAYS_DEFAULT;
    settings->require_same_jurisdiction = 1;
}

#define EXPECTED_LENGTH 500 /* of each of these objects */

const char *
idv_trust_reuse_settings_text(const idv_trust_reuse_settings_t *settings,
                              const char *application_id, apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "trust_reuse_settings");
    idv_json_put_text(&object, "application_id", application_id);
    idv_json_put_boolean(&object, "enabled", settings->enabled);
    idv_json_put_integer(&object, "max_age_days", settings->max_age_days);
    idv_json_put_boolean(&object, "require_same_jurisdiction",
                         settings->require_same_jurisdiction);
    idv_method_list_write(&object, "accepted_methods",
                          &settings->accepted_methods);
    idv_json_put_seconds(&object, "updated", settings->updated);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
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

const char *idv_trust_reuse_link_text(const idv_trust_reuse_grant_t *grant,
                                      const char *organization, idv_time_t now,
                                      apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "trust_reuse_link");
    idv_json_put_text(&object, "organization_name", organization);
    idv_json_put_text(&object, "status", status_of(grant, now));
    idv_json_put_text(&object, "age_tier", idv_tier_value(grant->age_tier));
    idv_json_put_integer(&object, "granted_at",
                         idv_time_seconds(grant->granted_at));
    idv_json_put_integer(&object, "expires_at",
                         idv_time_seconds(grant->expires_at));
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

static void put_moment(idv_json_writer_t *object, const char *key,
                       idv_time_t time)
{
    idv_json_put_text(object, key,
                      time ? idv_time_iso8601(time, object->pool) : NULL);
}

const char *idv_trust_reuse_grant_text(const idv_trust_reuse_grant_t *grant,
                                       apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "trust_reuse_grant");
    idv_json_put_text(&object, "id", grant->id);
    idv_json_put_text(&object, "source_org_id", grant->source_organization_id);
    idv_json_put_text(&object, "target_org_id", grant->organization_id);
    idv_json_put_text(&object, "session_id", grant->session_id);
    idv_json_put_text(&object, "verified_person_id", grant->verified_person_id);
    idv_json_put_text(&object, "method", idv_method_upper(grant->method));
    idv_json_put_text(&object, "age_tier", idv_tier_upper(grant->age_tier));
    idv_json_put_text(&object, "strength", idv_strength_upper(grant->strength));
    put_moment(&object, "granted_at", grant->granted_at);
    put_moment(&object, "expires_at", grant->expires_at);
    put_moment(&object, "revoked_at", grant->revoked_at);
    idv_json_put_text(&object, "revoked_reason", grant->revoked_reason);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

const char *idv_trust_reuse_consent_text(const idv_trust_reuse_grant_t *grant,
                                         apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "trust_reuse_consent");
    idv_json_put_text(&object, "source_org_id", grant->source_organization_id);
    idv_json_put_text(&object, "target_org_id", grant->organization_id);
    idv_json_put_text(&object, "verified_person_id", grant->verified_person_id);
    put_moment(&object, "revoked_at", grant->revoked_at);
    idv_json_put_text(&object, "revoked_reason", grant->revoked_reason);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}
