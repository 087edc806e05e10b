/* SPDX-License-Identifier: Apache-2.0 */
/* Who uses a VP token: what can be compared, what the results say of it, and
 * what there is to doubt. */
#include "unit/unit.h"

#include "domain/risk/risk_assessment.h"
#include "domain/risk/risk_data.h"
#include "domain/session/session_results.h"
#include "domain/session/session_risk.h"
#include "domain/transition/session_step.h"

#define NOW ((idv_time_t)1800000000 * IDV_SECOND)

static void compares_persons(void **state)
{
    static const struct {
        idv_same_person_facts_t facts;
        idv_same_person_t same;
    } cases[] = {
        {{0, 0, 0}, IDV_SAME_PERSON_UNKNOWN},
        {{1, 0, 0}, IDV_SAME_PERSON_YES},
        {{2, 0, 0}, IDV_SAME_PERSON_YES},
        {{0, 1, 0}, IDV_SAME_PERSON_NO},
        {{1, 1, 0}, IDV_SAME_PERSON_NO},
        {{1, 0, 1}, IDV_SAME_PERSON_UNKNOWN},
        {{1, 1, 1}, IDV_SAME_PERSON_NO},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(idv_same_person(&cases[i].facts), cases[i].same);
}

static const json_t *last_of(const char *results, size_t count,
                             apr_pool_t *pool)
{
    json_t *all = idv_json_own(json_loads(results, 0, NULL), pool);

    assert_int_equal(json_array_size(all), count);
    return json_array_get(all, count - 1);
}

static void says_so_in_the_results(void **state)
{
    static const struct {
        idv_same_person_t same;
        size_t checks;
        int passed;
    } cases[] = {
        {IDV_SAME_PERSON_UNKNOWN, 0, 0},
        {IDV_SAME_PERSON_YES, 1, 1},
        {IDV_SAME_PERSON_NO, 1, 0},
    };
    apr_pool_t *pool = *state;
    const char *results = NULL;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const json_t *last, *checks;

        results = idv_vp_token_results(results, cases[i].same, NOW, pool);
        last = last_of(results, i + 1, pool);
        checks = json_object_get(last, "checks");
        assert_string_equal(json_string_value(json_object_get(last, "method")),
                            "vp_token");
        assert_int_equal(json_array_size(checks), cases[i].checks);
        if (cases[i].checks)
            assert_int_equal(json_is_true(json_object_get(
                                 json_array_get(checks, 0), "passed")),
                             cases[i].passed);
    }
    for (int i = 0; i < 2 * IDV_SESSION_RESULTS_MAX; i++)
        results = idv_vp_token_results(results, IDV_SAME_PERSON_NO, NOW, pool);
    last_of(results, IDV_SESSION_RESULTS_MAX, pool);
}

static idv_risk_assessment_t doubts(const idv_session_t *session,
                                    const idv_session_token_t *token,
                                    apr_pool_t *pool)
{
    idv_risk_assessment_t assessment;
    idv_risk_facts_t facts;

    idv_session_doubts_facts(session, token, &facts);
    idv_risk_assess(idv_risk_policy_default(), &facts, &assessment, pool);
    return assessment;
}

static void doubts_what_it_should(void **state)
{
    idv_session_t session = {.jurisdiction = {.declared = "DE",
                                              .ip_derived = "US",
                                              .mismatch = 1}};
    idv_session_token_t token = {0};
    idv_risk_assessment_t seen = doubts(&session, &token, *state);

    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        assert_int_equal(seen.fired[i], -1);
    session.identifiers_claimed = 1;
    seen = doubts(&session, &token, *state);
    assert_int_equal(seen.fired[IDV_RISK_SIGNAL_CLAIMED_IP_MISMATCH], 1);
    assert_int_equal(seen.fired[IDV_RISK_SIGNAL_VP_TOKEN_VELOCITY], -1);
    session.jurisdiction.mismatch = 0;
    token = (idv_session_token_t){"crd_1", IDV_SAME_PERSON_UNKNOWN, 10};
    seen = doubts(&session, &token, *state);
    assert_int_equal(seen.fired[IDV_RISK_SIGNAL_CLAIMED_IP_MISMATCH], -1);
    assert_int_equal(seen.fired[IDV_RISK_SIGNAL_VP_TOKEN_OTHER_PERSON], -1);
    assert_int_equal(seen.fired[IDV_RISK_SIGNAL_VP_TOKEN_VELOCITY], 0);
    token = (idv_session_token_t){"crd_1", IDV_SAME_PERSON_NO, 11};
    seen = doubts(&session, &token, *state);
    assert_int_equal(seen.fired[IDV_RISK_SIGNAL_VP_TOKEN_OTHER_PERSON], 1);
    assert_int_equal(seen.fired[IDV_RISK_SIGNAL_VP_TOKEN_VELOCITY], 1);
    token.same_person = IDV_SAME_PERSON_YES;
    seen = doubts(&session, &token, *state);
    assert_int_equal(seen.fired[IDV_RISK_SIGNAL_VP_TOKEN_OTHER_PERSON], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(compares_persons),
        pooled_test(says_so_in_the_results),
        pooled_test(doubts_what_it_should),
    };

    return unit_run("domain/session_risk", tests);
}
