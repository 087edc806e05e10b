/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/reuse.h"

static int is_fresh(const idv_credential_t *credential, int days,
                    idv_time_t now)
{
    return days <= 0 || now - credential->verified_at <= days * IDV_DAY;
}

/* The exact age where it is known, else the tier. */
static int is_old_enough(const idv_reuse_demand_t *demand,
                         const idv_credential_t *credential)
{
    if (demand->required_age > 0 && credential->age_over > 0)
        return credential->age_over >= demand->required_age;
    return idv_tier_satisfies(credential->age_tier, demand->age_tier);
}

int idv_reuse_satisfies(const idv_reuse_demand_t *demand,
                        const idv_credential_t *credential, idv_time_t now)
{
    return credential->expires_at > now
        && idv_strength_satisfies(credential->strength, demand->min_strength)
        && credential->assurance >= demand->min_assurance
        && is_fresh(credential, demand->max_age_days, now)
        && is_fresh(credential, demand->validity_days, now)
        && !(demand->mdl_refused && credential->method == IDV_METHOD_MDL)
        && is_old_enough(demand, credential);
}

static int has_methods(const idv_method_list_t *demanded,
                       const apr_array_header_t *credentials)
{
    idv_method_list_t passed = {0};

    for (int i = 0; i < credentials->nelts; i++) {
        const idv_credential_t *proof =
            &APR_ARRAY_IDX(credentials, i, const idv_reusable_t *)->proof;

        for (int m = 0; m < proof->methods.count; m++)
            idv_method_list_add(&passed, proof->methods.items[m]);
    }
    for (int m = 0; m < demanded->count; m++)
        if (!idv_method_list_has(&passed, demanded->items[m]))
            return 0;
    return 1;
}

apr_array_header_t *idv_reuse_filter(const idv_reuse_demand_t *demand,
                                     const apr_array_header_t *credentials,
                                     idv_time_t now, apr_pool_t *pool)
{
    apr_array_header_t *matches = apr_array_make(
        pool, credentials->nelts, sizeof(const idv_reusable_t *));

    for (int i = 0; i < credentials->nelts; i++) {
        const idv_reusable_t *one =
            APR_ARRAY_IDX(credentials, i, const idv_reusable_t *);

        if (idv_reuse_satisfies(demand, &one->proof, now))
            APR_ARRAY_PUSH(matches, const idv_reusable_t *) = one;
    }
    if (!has_methods(&demand->methods, matches))
        apr_array_clear(matches);
    return matches;
}

const idv_reusable_t *idv_reuse_choose(const idv_reuse_demand_t *demand,
                                       const apr_array_header_t *credentials,
                                       idv_time_t now, apr_pool_t *pool)
{
    apr_array_header_t *matches =
        idv_reuse_filter(demand, credentials, now, pool);
    const idv_reusable_t *best = NULL;

    for (int i = 0; i < matches->nelts; i++) {
        const idv_reusable_t *one =
            APR_ARRAY_IDX(matches, i, const idv_reusable_t *);

        if (!best || one->proof.strength > best->proof.strength)
            best = one;
    }
    return best;
}
