/* SPDX-License-Identifier: Apache-2.0 */
/* Trust reuse: what settings let in, and the forms of settings and grants. */
#include "unit/unit.h"

#include "domain/session/reuse_decision.h"
#include "domain/session/trust_reuse.h"

#define NOW ((idv_time_t)1800000000 * IDV_SECOND)

static idv_trust_reuse_settings_t enabled(void)
{
    idv_trust_reuse_settings_t settings;

    idv_trust_reuse_settings_default(&settings);
    settings.enabled = 1;
    return settings;
}

static idv_session_t session_in(const char *jurisdiction)
{
    idv_session_t session = {.jurisdiction = {.resolved = jurisdiction}};

    idv_method_list_add(&session.methods, IDV_METHOD_DOCUMENT_CAPTURE);
    return session;
}

static idv_credential_t credential_of(const char *jurisdiction)
{
    return (idv_credential_t){.method = IDV_METHOD_DOCUMENT_CAPTURE,
                              .jurisdiction = jurisdiction,
                              .verified_at = NOW - 90 * IDV_DAY};
}

static int accepts(const idv_trust_reuse_settings_t *settings,
                   const char *credential, const char *session)
{
    idv_credential_t proof = credential_of(credential);
    idv_session_t one = session_in(session);

    return idv_trust_reuse_accepts(settings, &proof, &one, NOW);
}

static void compares_jurisdictions(void **state)
{
    idv_trust_reuse_settings_t settings = enabled();

    (void)state;
    assert_true(accepts(&settings, "US-CA", "US-CA"));
    assert_true(accepts(&settings, "US-CA", "US"));
    assert_false(accepts(&settings, "US", "US-CA"));
    assert_false(accepts(&settings, "US-NV", "US-CA"));
    assert_false(accepts(&settings, NULL, "US-CA"));
    settings.require_same_jurisdiction = 0;
    assert_true(accepts(&settings, "DE", "US-CA"));
    assert_true(accepts(&settings, NULL, "US-CA"));
}

/* Each of these alone is reason enough to look for nobody. */
static void looks_only_for_whom_a_server_names_and_can_tell(void **state)
{
    const idv_workflow_t workflow = {.accept_trust_reuse = 1};
    const idv_workflow_t proving = {.accept_trust_reuse = 1,
                                    .require_email_otp = 1};
    const idv_workflow_t keeping = {0};
    idv_session_create_params_t params = {.email = "a@example.com"};
    const idv_reuse_wish_t good = {
        .params = &params, .workflow = &workflow, .has_application = 1};
    idv_reuse_wish_t wish = good;

    (void)state;
    assert_true(idv_reuse_seeks_shared(&wish));
    wish.workflow = NULL;
    assert_false(idv_reuse_seeks_shared(&wish));
    wish.workflow = &proving;
    assert_false(idv_reuse_seeks_shared(&wish));
    wish.workflow = &keeping;
    assert_false(idv_reuse_seeks_shared(&wish));
    wish = good;
    wish.is_browser = 1;
    assert_false(idv_reuse_seeks_shared(&wish));
    wish = good;
    wish.has_application = 0;
    assert_false(idv_reuse_seeks_shared(&wish));
    params.vp_token = "token";
    assert_false(idv_reuse_seeks_shared(&good));
    params.vp_token = NULL;
    params.credential_hash = "hash";
    assert_false(idv_reuse_seeks_shared(&good));
    params.credential_hash = NULL;
    /* Who can be told? */
    params.phone = "+14155550100";
    wish = good;
    wish.tells_by_mail = 1;
    assert_true(idv_reuse_seeks_shared(&wish));
    params.email = NULL;
    assert_false(idv_reuse_seeks_shared(&wish));
    assert_true(idv_reuse_seeks_shared(&good));
    params.phone = NULL;
    assert_false(idv_reuse_seeks_shared(&good));
}

static void needs_the_switch_and_freshness(void **state)
{
    idv_trust_reuse_settings_t settings = enabled();

    (void)state;
    assert_true(accepts(&settings, "DE", "DE"));
    settings.max_age_days = 89;
    assert_false(accepts(&settings, "DE", "DE"));
    settings.max_age_days = 90;
    settings.enabled = 0;
    assert_false(accepts(&settings, "DE", "DE"));
}

static void takes_methods_of_settings_or_session(void **state)
{
    idv_trust_reuse_settings_t settings = enabled();
    idv_credential_t proof = credential_of("DE");
    idv_session_t session = session_in("DE");

    (void)state;
    idv_method_list_add(&settings.accepted_methods, IDV_METHOD_MDL);
    assert_false(idv_trust_reuse_accepts(&settings, &proof, &session, NOW));
    proof.method = IDV_METHOD_MDL;
    assert_true(idv_trust_reuse_accepts(&settings, &proof, &session, NOW));
    settings.accepted_methods.count = 0;
    assert_false(idv_trust_reuse_accepts(&settings, &proof, &session, NOW));
}

static void writes_a_grant(void **state)
{
    apr_pool_t *pool = *state;
    const idv_trust_reuse_grant_t grant = {
        .organization_id = "org_b",
        .id = "trg_1",
        .source_organization_id = "org_a",
        .session_id = "vks_1",
        .verified_person_id = "vp_1",
        .method = IDV_METHOD_DOCUMENT_CAPTURE,
        .age_tier = IDV_TIER_MIN_AGE_21,
        .strength = IDV_STRENGTH_DOCUMENT_CAPTURE,
        .granted_at = NOW,
        .expires_at = NOW + IDV_DAY,
    };

    assert_string_equal(
        idv_trust_reuse_grant_text(&grant, pool),
        "{\"object\":\"trust_reuse_grant\",\"id\":\"trg_1\","
        "\"source_org_id\":\"org_a\",\"target_org_id\":\"org_b\","
        "\"session_id\":\"vks_1\",\"verified_person_id\":\"vp_1\","
        "\"method\":\"DOCUMENT_CAPTURE\",\"age_tier\":\"MIN_AGE_21\","
        "\"strength\":\"DOCUMENT_CAPTURE\","
        "\"granted_at\":\"2027-01-15T08:00:00.000Z\","
        "\"expires_at\":\"2027-01-16T08:00:00.000Z\",\"revoked_at\":null,"
        "\"revoked_reason\":null}");
}

static void names_every_reason(void **state)
{
    (void)state;
    assert_string_equal(
        idv_grant_revocation_value(IDV_GRANT_USER_REVOKED_CONSENT),
        "USER_REVOKED_CONSENT");
    for (int i = 0; i < IDV_GRANT_REVOCATION_COUNT; i++)
        assert_non_null(idv_grant_revocation_value(i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(compares_jurisdictions),
        pooled_test(looks_only_for_whom_a_server_names_and_can_tell),
        pooled_test(needs_the_switch_and_freshness),
        pooled_test(takes_methods_of_settings_or_session),
        pooled_test(writes_a_grant),
        pooled_test(names_every_reason),
    };

    return unit_run("domain/trust_reuse", tests);
}
