/* SPDX-License-Identifier: Apache-2.0 */
/* Which credentials satisfy what is demanded. */
#include "unit/unit.h"

#include "domain/session/credential.h"

#define NOW ((idv_time_t)1800000000 * IDV_SECOND)

/* A credential of 18 years by document, verified ten days ago. */
static idv_reusable_t document(void)
{
    idv_reusable_t one = {
        .id = "cred_1",
        .proof = {.method = IDV_METHOD_DOCUMENT_CAPTURE,
                  .strength = IDV_STRENGTH_DOCUMENT_CAPTURE,
                  .assurance = IDV_ASSURANCE_CONSISTENT,
                  .age_tier = IDV_TIER_MIN_AGE_18,
                  .age_over = 19,
                  .verified_at = NOW - 10 * IDV_DAY,
                  .expires_at = NOW + IDV_DAY},
    };

    idv_method_list_add(&one.proof.methods, IDV_METHOD_DOCUMENT_CAPTURE);
    return one;
}

static idv_reusable_t licence(void)
{
    idv_reusable_t one = document();

    one.id = "cred_2";
    one.proof.method = IDV_METHOD_MDL;
    one.proof.strength = IDV_STRENGTH_MDL;
    one.proof.methods.count = 0;
    idv_method_list_add(&one.proof.methods, IDV_METHOD_MDL);
    return one;
}

static apr_array_header_t *both(const idv_reusable_t *a,
                                const idv_reusable_t *b, apr_pool_t *pool)
{
    apr_array_header_t *all = apr_array_make(pool, 2, sizeof(a));

    APR_ARRAY_PUSH(all, const idv_reusable_t *) = a;
    if (b)
        APR_ARRAY_PUSH(all, const idv_reusable_t *) = b;
    return all;
}

static void judges_one_credential(void **state)
{
    const idv_credential_t proof = document().proof;
    const struct {
        idv_reuse_demand_t demand;
        int satisfied;
    } cases[] = {
        {{0}, 1},
        {{.min_strength = IDV_STRENGTH_FACIAL_AGE}, 1},
        {{.min_strength = IDV_STRENGTH_DOCUMENT_CAPTURE}, 1},
        {{.min_strength = IDV_STRENGTH_MDL}, 0},
        {{.min_assurance = IDV_ASSURANCE_DECODED}, 1},
        {{.min_assurance = IDV_ASSURANCE_CONSISTENT}, 1},
        {{.min_assurance = IDV_ASSURANCE_SIGNED}, 0},
        {{.max_age_days = 10}, 1},
        {{.max_age_days = 9}, 0},
        {{.validity_days = 10}, 1},
        {{.validity_days = 9}, 0},
        {{.validity_days = 9, .validity_minutes = 10 * 24 * 60}, 1},
        {{.validity_days = 99, .validity_minutes = 60}, 0},
        {{.age_tier = IDV_TIER_MIN_AGE_16}, 1},
        {{.age_tier = IDV_TIER_MIN_AGE_18}, 1},
        {{.age_tier = IDV_TIER_MIN_AGE_21}, 0},
        {{.age_tier = IDV_TIER_MIN_AGE_21, .required_age = 19}, 1},
        {{.age_tier = IDV_TIER_MIN_AGE_21, .required_age = 20}, 0},
        {{.mdl_refused = 1}, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(idv_reuse_satisfies(&cases[i].demand, &proof, NOW),
                         cases[i].satisfied);
}

static void holds_to_the_tier_without_facts(void **state)
{
    idv_credential_t proof = document().proof;
    idv_reuse_demand_t demand = {.age_tier = IDV_TIER_MIN_AGE_21,
                                 .required_age = 19};

    (void)state;
    proof.age_over = 0;
    assert_false(idv_reuse_satisfies(&demand, &proof, NOW));
    proof.age_tier = IDV_TIER_MIN_AGE_21;
    assert_true(idv_reuse_satisfies(&demand, &proof, NOW));
}

static void ends_with_the_credential(void **state)
{
    idv_credential_t proof = document().proof;
    idv_reuse_demand_t demand = {0};

    (void)state;
    proof.expires_at = NOW;
    assert_false(idv_reuse_satisfies(&demand, &proof, NOW));
    proof.expires_at = NOW + 1;
    assert_true(idv_reuse_satisfies(&demand, &proof, NOW));
    proof.method = IDV_METHOD_MDL;
    demand.mdl_refused = 1;
    assert_false(idv_reuse_satisfies(&demand, &proof, NOW));
}

static void chooses_the_strongest(void **state)
{
    apr_pool_t *pool = *state;
    const idv_reusable_t a = document(), b = licence();
    idv_reuse_demand_t demand = {0};
    apr_array_header_t *all = both(&a, &b, pool);

    assert_ptr_equal(idv_reuse_choose(&demand, all, NOW, pool), &b);
    demand.mdl_refused = 1;
    assert_ptr_equal(idv_reuse_choose(&demand, all, NOW, pool), &a);
    demand.min_strength = IDV_STRENGTH_EUDI_PID;
    assert_null(idv_reuse_choose(&demand, all, NOW, pool));
}

static void wants_all_methods_of_what_satisfies(void **state)
{
    apr_pool_t *pool = *state;
    const idv_reusable_t a = document(), b = licence();
    idv_reuse_demand_t demand = {0};

    idv_method_list_add(&demand.methods, IDV_METHOD_DOCUMENT_CAPTURE);
    idv_method_list_add(&demand.methods, IDV_METHOD_MDL);
    assert_int_equal(
        idv_reuse_filter(&demand, both(&a, &b, pool), NOW, pool)->nelts, 2);
    assert_int_equal(
        idv_reuse_filter(&demand, both(&a, NULL, pool), NOW, pool)->nelts, 0);
    demand.min_strength = IDV_STRENGTH_MDL; /* a is too weak to count */
    assert_int_equal(
        idv_reuse_filter(&demand, both(&a, &b, pool), NOW, pool)->nelts, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(judges_one_credential),
        pooled_test(holds_to_the_tier_without_facts),
        pooled_test(ends_with_the_credential),
        pooled_test(chooses_the_strongest),
        pooled_test(wants_all_methods_of_what_satisfies),
    };

    return unit_run("domain/credential", tests);
}
