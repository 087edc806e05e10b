/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "core/id.h"
#include "domain/webhook/event.h"

static json_t *sample_of(idv_event_type_t type, apr_pool_t *pool)
{
    idv_event_sample_t sample = {"org_00000000000000000000000001",
                                 1790000000000};

    return idv_event_sample_json(&sample, type, pool);
}

static const char *text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void every_type_has_a_marked_object(void **state)
{
    for (int type = 0; type < IDV_EVENT_TYPE_COUNT; type++) {
        json_t *object = sample_of(type, *state);

        assert_true(json_is_true(json_object_get(object, "test")));
        assert_false(json_is_true(json_object_get(object, "livemode")));
        assert_non_null(text(object, "object"));
        assert_non_null(idv_event_sample_object_id(object));
        assert_non_null(strstr(idv_event_sample_object_id(object),
                               "_00000000000000000000000000"));
    }
}

static void sessions_fit_their_event(void **state)
{
    static const struct {
        idv_event_type_t type;
        const char *status;
        int has_result, has_error;
    } cases[] = {
        {IDV_EVENT_SESSION_CREATED, "created", 0, 0},
        {IDV_EVENT_SESSION_VERIFIED, "verified", 1, 0},
        {IDV_EVENT_SESSION_FAILED, "failed", 0, 1},
        {IDV_EVENT_SESSION_CANCELLED, "cancelled", 0, 0},
        {IDV_EVENT_SESSION_EXPIRED, "expired", 0, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        json_t *object = sample_of(cases[i].type, *state);

        assert_string_equal(text(object, "object"), "verification_session");
        assert_string_equal(text(object, "status"), cases[i].status);
        assert_true(idv_id_is(IDV_ID_SESSION, text(object, "id")));
        assert_int_equal(
            json_is_object(json_object_get(object, "verification_result")),
            cases[i].has_result);
        assert_int_equal(json_is_object(json_object_get(object, "last_error")),
                         cases[i].has_error);
    }
}

static void reviews_say_who_decided(void **state)
{
    json_t *flagged = sample_of(IDV_EVENT_REVIEW_FLAGGED, *state);
    json_t *rejected = sample_of(IDV_EVENT_REVIEW_REJECTED, *state);

    assert_string_equal(text(flagged, "object"), "session_review");
    assert_true(json_is_null(json_object_get(flagged, "decision_evidence")));
    assert_non_null(
        text(json_object_get(rejected, "decision_evidence"), "decided_by"));
}

static void grants_are_revoked_where_the_event_says_so(void **state)
{
    json_t *created = sample_of(IDV_EVENT_GRANT_CREATED, *state);
    json_t *revoked = sample_of(IDV_EVENT_GRANT_REVOKED, *state);

    assert_string_equal(text(created, "object"), "trust_reuse_grant");
    assert_string_equal(text(created, "target_org_id"),
                        "org_00000000000000000000000001");
    assert_true(json_is_null(json_object_get(created, "revoked_at")));
    assert_string_equal(text(revoked, "revoked_reason"),
                        "TARGET_OPERATOR_REVOKED");
    assert_non_null(text(revoked, "revoked_at"));
}

static void consent_has_the_members_of_the_event(void **state)
{
    static const char *const members[] = {
        "object", "source_org_id", "target_org_id", "verified_person_id",
        "revoked_at", "revoked_reason", "test"};
    json_t *consent = sample_of(IDV_EVENT_CONSENT_REVOKED, *state);

    assert_int_equal(json_object_size(consent),
                     sizeof(members) / sizeof(*members));
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
        assert_non_null(json_object_get(consent, members[i]));
    assert_string_equal(text(consent, "object"), "trust_reuse_consent");
    assert_string_equal(text(consent, "revoked_reason"),
                        "USER_REVOKED_CONSENT");
    assert_true(idv_id_is(IDV_ID_VERIFIED_PERSON,
                          idv_event_sample_object_id(consent)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(every_type_has_a_marked_object),
        pooled_test(sessions_fit_their_event),
        pooled_test(reviews_say_who_decided),
        pooled_test(grants_are_revoked_where_the_event_says_so),
        pooled_test(consent_has_the_members_of_the_event),
    };

    return unit_run("domain/event_sample", tests);
}
