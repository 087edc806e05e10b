/* SPDX-License-Identifier: Apache-2.0 */
/* The small vocabularies: tiers, strengths, methods, events. */
#include "unit/unit.h"

#include "domain/law/compliance.h"
#include "domain/method/method.h"
#include "domain/webhook/event.h"

static void orders_tiers(void **state)
{
    (void)state;
    assert_int_equal(idv_tier_parse("min_age_18"), IDV_TIER_MIN_AGE_18);
    assert_int_equal(idv_tier_parse("min_age_19"), IDV_TIER_NONE);
    assert_int_equal(idv_tier_parse(NULL), IDV_TIER_NONE);
    assert_null(idv_tier_value(IDV_TIER_NONE));
    assert_int_equal(idv_tier_age(IDV_TIER_MIN_AGE_21), 21);
    assert_int_equal(idv_tier_demanded(0), IDV_TIER_NONE);
    assert_int_equal(idv_tier_demanded(13), IDV_TIER_MIN_AGE_13);
    assert_int_equal(idv_tier_demanded(19), IDV_TIER_MIN_AGE_21);
    assert_int_equal(idv_tier_demanded(25), IDV_TIER_MIN_AGE_21);
    assert_int_equal(idv_tier_reached(12), IDV_TIER_NONE);
    assert_int_equal(idv_tier_reached(20), IDV_TIER_MIN_AGE_18);
    assert_true(idv_tier_satisfies(IDV_TIER_MIN_AGE_21, IDV_TIER_MIN_AGE_18));
    assert_false(idv_tier_satisfies(IDV_TIER_MIN_AGE_16, IDV_TIER_MIN_AGE_18));
}

static void ranks_strengths(void **state)
{
    (void)state;
    for (int i = 1; i < IDV_STRENGTH_COUNT; i++) {
        assert_int_equal(idv_strength_parse(idv_strength_value(i)), i);
        assert_true(idv_strength_satisfies(i, i - 1));
        assert_false(idv_strength_satisfies(i - 1, i));
    }
    assert_string_equal(idv_strength_upper(IDV_STRENGTH_MDL), "MDL");
    assert_int_equal(idv_strength_parse("selfie_match"),
                     IDV_STRENGTH_DOCUMENT_CAPTURE);
    assert_int_equal(idv_strength_parse("student"),
                     IDV_STRENGTH_SELF_ATTESTATION);
    assert_int_equal(idv_strength_parse("ip_analysis"), IDV_STRENGTH_NONE);
    assert_int_equal(idv_strength_parse("MDL"), IDV_STRENGTH_NONE);
    assert_int_equal(idv_strength_parse(NULL), IDV_STRENGTH_NONE);
}

static void knows_methods(void **state)
{
    apr_pool_t *pool = *state;
    idv_method_list_t list = {0}, loaded;
    json_t *json;

    for (int i = 0; i < IDV_METHOD_COUNT; i++)
        assert_int_equal(idv_method_parse(idv_method_value(i)), i);
    assert_string_equal(idv_method_upper(IDV_METHOD_MDL), "MDL");
    assert_null(idv_method_value(IDV_METHOD_NONE));

    idv_method_list_add(&list, IDV_METHOD_MDL);
    idv_method_list_add(&list, IDV_METHOD_SELFIE_MATCH);
    idv_method_list_add(&list, IDV_METHOD_MDL);
    assert_int_equal(list.count, 2);
    json = idv_json_own(idv_method_list_json(&list), pool);
    assert_null(idv_method_list_load(json, &loaded, pool));
    assert_memory_equal(&list, &loaded, sizeof(list));
    json_array_append_new(json, json_string("telepathy"));
    assert_non_null(idv_method_list_load(json, &loaded, pool));
}

static void names_use_cases_and_acceptances(void **state)
{
    (void)state;
    for (int i = 1; i < IDV_USE_CASE_COUNT; i++)
        assert_int_equal(idv_use_case_parse(idv_use_case_value(i)), i);
    assert_int_equal(idv_use_case_parse("cheese"), IDV_USE_CASE_NONE);
    for (int i = 0; i < IDV_MDL_ACCEPTANCE_COUNT; i++)
        assert_int_equal(
            idv_mdl_acceptance_parse(idv_mdl_acceptance_value(i)), i);
}

static idv_error_t *subscription(const char *text, apr_pool_t *pool)
{
    return idv_event_subscription_check(
        idv_json_own(json_loads(text, JSON_DECODE_ANY, NULL), pool),
        "enabled_events", pool);
}

static void checks_subscriptions(void **state)
{
    apr_pool_t *pool = *state;
    idv_error_t *error;

    assert_null(subscription("[\"*\"]", pool));
    assert_null(subscription("[\"session_review.flagged\"]", pool));
    assert_string_equal(subscription("[]", pool)->param, "enabled_events");
    assert_string_equal(subscription("\"*\"", pool)->param, "enabled_events");
    error = subscription("[\"session_review.flagged\",\"*\"]", pool);
    assert_string_equal(error->param, "enabled_events[1]");
    error = subscription("[\"session_review.flagged\",3]", pool);
    assert_string_equal(error->param, "enabled_events[1]");
    error = subscription("[\"session_review.flagged\","
                         "\"session_review.flagged\"]", pool);
    assert_string_equal(error->param, "enabled_events[1]");
}

static void builds_event_objects(void **state)
{
    apr_pool_t *pool = *state;

    assert_string_equal(idv_event_body("evt_1", IDV_EVENT_SESSION_FAILED, 1999,
                                       "{\"id\":\"vks_1\"}", pool),
                        "{\"id\":\"evt_1\",\"object\":\"event\","
                        "\"type\":\"verification_session.failed\","
                        "\"created\":1,\"data\":{\"object\":"
                        "{\"id\":\"vks_1\"}}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(orders_tiers),
        pooled_test(ranks_strengths),
        pooled_test(knows_methods),
        pooled_test(names_use_cases_and_acceptances),
        pooled_test(checks_subscriptions),
        pooled_test(builds_event_objects),
    };

    return unit_run("domain/values", tests);
}
