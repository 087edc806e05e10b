/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/credential.h"

#include <stdio.h>
#include <string.h>

#include "domain/value/civil_date.h"

/* --- what a session leaves behind --- */

/* The sandbox's credential: a person of full age, by the best method. */
static void fill_sandbox(const idv_session_t *session,
                         const idv_workflow_t *workflow,
                         idv_credential_t *credential)
{
    credential->method = idv_method_list_strongest(&workflow->methods);
    if (credential->method != IDV_METHOD_NONE)
        credential->assurance = idv_method_reach(credential->method);
    credential->age_tier = session->age_tier != IDV_TIER_NONE
                             ? session->age_tier
                             : IDV_TIER_COUNT - 1;
    credential->age_over = idv_tier_age(credential->age_tier);
    if (session->required_age > credential->age_over)
        credential->age_over = session->required_age;
    if (credential->method != IDV_METHOD_NONE)
        idv_method_list_add(&credential->methods, credential->method);
}

static void fill_fresh(const idv_session_t *session,
                       idv_credential_t *credential)
{
    int age = session->runner.facts.age;

    credential->assurance = session->runner.facts.assurance
                              ? session->runner.facts.assurance
                              : IDV_ASSURANCE_DECODED;
    credential->methods = session->runner.verified;
    credential->method = idv_method_list_strongest(&session->runner.verified);
    credential->age_over = age > 0 ? age : 0;
    credential->age_tier = idv_tier_reached(credential->age_over);
}

/* The end of the evidence's last day, in UTC; 0: it does not end. The text was
 * written by idv_date_format(). */
static idv_time_t evidence_end(const idv_session_t *session)
{
    const char *expiry = session->runner.facts.expiry;
    idv_date_t date;

    if (!expiry
        || sscanf(expiry, "%4d-%2d-%2d", &date.year, &date.month, &date.day)
               != 3
        || !idv_date_is_complete(date))
        return 0;
    return (idv_date_days(date) + 1) * IDV_DAY;
}

/* Until when the law lets the credential be kept: so many days, or an hour where it is
 * none, as what was found is kept. 0: it sets no limit. */
static idv_time_t retention_end(const idv_session_t *session)
{
    int limit = session->compliance.retention_limit;

    if (limit == 0)
        return 0;
    return session->completed_at
         + (limit > 1 ? (limit - 1) * IDV_DAY : IDV_HOUR);
}

void idv_credential_of(const idv_session_t *session,
                       const idv_workflow_t *workflow,
                       idv_credential_t *credential, int *minted)
{
    idv_time_t end = 0;

    memset(credential, 0, sizeof(*credential));
    credential->method = IDV_METHOD_NONE;
    *minted = 0;
    if (session->verification_path == IDV_PATH_SANDBOX) {
        fill_sandbox(session, workflow, credential);
    } else if (session->verification_path == IDV_PATH_FRESH) {
        fill_fresh(session, credential);
        end = evidence_end(session);
    }
    if (credential->method == IDV_METHOD_NONE)
        return;
    credential->strength = idv_method_strength(credential->method);
    credential->jurisdiction = session->jurisdiction.resolved;
    credential->verified_at = session->completed_at;
    credential->expires_at =
        credential->verified_at
        + IDV_MINUTE * idv_compliance_validity(&session->compliance);
    if (end && end < credential->expires_at)
        credential->expires_at = end;
    end = retention_end(session);
    if (end && end < credential->expires_at)
        credential->expires_at = end;
    *minted = credential->expires_at > credential->verified_at;
}

/* --- what satisfies a demand --- */

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
        && (demand->validity_minutes > 0
                ? now - credential->verified_at
                      <= demand->validity_minutes * IDV_MINUTE
                : is_fresh(credential, demand->validity_days, now))
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
