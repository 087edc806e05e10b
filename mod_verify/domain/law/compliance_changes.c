/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/compliance_changes.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "domain/law/compliance_set.h"

typedef idv_compliance_jurisdiction_t jurisdiction_t;
typedef idv_compliance_country_t country_t;

typedef struct {
    idv_compliance_day_t after, until;
    const char *jurisdiction;
    const country_t *country; /* of the region that is looked at, else NULL */
    apr_array_header_t *changes;
} listing_t;

/* Whether the country changes on that day in the same way. */
static int is_inherited(const listing_t *listing,
                        const idv_compliance_change_t *change,
                        idv_compliance_day_t day)
{
    const idv_compliance_timeline_t *timeline =
        listing->country
            ? listing->country->jurisdiction.calendars[change->use_case]
                  ->timelines[change->channel][change->article]
            : NULL;

    for (int i = 0; timeline && i < timeline->count; i++)
        if (timeline->spans[i].from == day)
            return 1;
    return 0;
}

static int same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether A and B say the same, whenever they hold. */
static int is_same(const idv_compliance_rule_t *a,
                   const idv_compliance_rule_t *b)
{
    const idv_compliance_t *x = &a->compliance, *y = &b->compliance;

    return idv_compliance_compare(x, y) == 0
        && x->excluded_methods == y->excluded_methods
        && x->mdl_acceptance == y->mdl_acceptance && x->known == y->known
        && same_text(x->born_before, y->born_before)
        && same_text(x->user_message, y->user_message)
        && same_text(x->governing_regulator, y->governing_regulator)
        && same_text(x->rule_version, y->rule_version)
        && same_text(a->prohibited_reason, b->prohibited_reason)
        && same_text(a->penalty_description, b->penalty_description)
        && a->penalty_type == b->penalty_type
        && a->consent_required == b->consent_required
        && a->data_retention_days == b->data_retention_days
        && a->parental_consent_from == b->parental_consent_from
        && a->consent_age == b->consent_age && a->civil_age == b->civil_age;
}

/* Adds the changes of the product, article and channel of WHAT. */
static void list_timeline(const listing_t *listing,
                          const idv_compliance_calendar_t *calendar,
                          const idv_compliance_change_t *what)
{
    const idv_compliance_timeline_t *timeline =
        calendar->timelines[what->channel][what->article];

    for (int i = 1; timeline && i < timeline->count; i++) {
        idv_compliance_day_t day = timeline->spans[i].from;
        idv_compliance_change_t *change;

        if (day <= listing->after || day > listing->until
            || is_inherited(listing, what, day)
            || is_same(&timeline->spans[i - 1].rule, &timeline->spans[i].rule))
            continue;
        change = apr_array_push(listing->changes);
        *change = *what;
        change->day = timeline->spans[i - 1].rule.in_force_until;
        change->before = &timeline->spans[i - 1].rule;
        change->after = &timeline->spans[i].rule;
    }
}

static void list_pending(const listing_t *listing,
                         const idv_compliance_calendar_t *calendar,
                         const idv_compliance_change_t *what)
{
    const idv_compliance_rule_t *pending =
        calendar->pending[what->channel][what->article];
    idv_compliance_change_t *change;

    if (!pending
        || (listing->country
            && listing->country->jurisdiction.calendars[what->use_case]
                   ->pending[what->channel][what->article]))
        return;
    change = apr_array_push(listing->changes);
    *change = *what;
    change->before = idv_compliance_calendar_find(
        calendar, what->article, what->channel, listing->until);
    change->after = pending;
}

static void list_jurisdiction(const listing_t *listing,
                              const jurisdiction_t *jurisdiction)
{
    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++)
        for (int c = 0; c < IDV_CHANNEL_COUNT; c++)
            for (int j = IDV_ARTICLE_NONE; j < IDV_ARTICLE_COUNT; j++) {
                const idv_compliance_change_t what = {
                    .jurisdiction = listing->jurisdiction,
                    .use_case = (idv_use_case_t)i,
                    .article = (idv_article_t)j,
                    .channel = (idv_channel_t)c,
                };

                list_timeline(listing, jurisdiction->calendars[i], &what);
                list_pending(listing, jurisdiction->calendars[i], &what);
            }
}

static int compare_changes(const void *a, const void *b)
{
    const idv_compliance_change_t *x = a, *y = b;
    int order;

    if (!x->day || !y->day)
        order = !x->day - !y->day;
    else
        order = strcmp(x->day, y->day);
    if (!order)
        order = strcmp(x->jurisdiction, y->jurisdiction);
    if (!order)
        order = (int)x->use_case - (int)y->use_case;
    if (!order)
        order = (int)x->article - (int)y->article;
    return order ? order : (int)x->channel - (int)y->channel;
}

static const char *code_of(int index, apr_pool_t *pool)
{
    return apr_psprintf(pool, "%c%c", 'A' + index / IDV_COMPLIANCE_LETTERS,
                        'A' + index % IDV_COMPLIANCE_LETTERS);
}

apr_array_header_t *
idv_compliance_rules_changes(const idv_compliance_rules_t *rules,
                             idv_date_t after, idv_date_t until,
                             apr_pool_t *pool)
{
    listing_t listing = {
        .after = idv_date_days(after),
        .until = idv_date_days(until),
        .changes = apr_array_make(pool, 16, sizeof(idv_compliance_change_t)),
    };

    for (int i = 0; i < IDV_COMPLIANCE_COUNTRIES; i++) {
        const country_t *country = rules->countries[i];

        if (!country)
            continue;
        listing.jurisdiction = code_of(i, pool);
        listing.country = NULL;
        list_jurisdiction(&listing, &country->jurisdiction);
        listing.country = country;
        for (int j = 0; j < country->regions->nelts; j++) {
            const jurisdiction_t *region =
                &APR_ARRAY_IDX(country->regions, j, jurisdiction_t);

            listing.jurisdiction =
                apr_pstrcat(pool, code_of(i, pool), "-", region->code, NULL);
            list_jurisdiction(&listing, region);
        }
    }
    qsort(listing.changes->elts, (size_t)listing.changes->nelts,
          sizeof(idv_compliance_change_t), compare_changes);
    return listing.changes;
}

apr_array_header_t *
idv_compliance_rules_jurisdictions(const idv_compliance_rules_t *rules,
                                   apr_pool_t *pool)
{
    apr_array_header_t *codes = apr_array_make(pool, 64, sizeof(const char *));

    for (int i = 0; i < IDV_COMPLIANCE_COUNTRIES; i++) {
        const country_t *country = rules->countries[i];

        if (!country)
            continue;
        APR_ARRAY_PUSH(codes, const char *) = code_of(i, pool);
        for (int j = 0; j < country->regions->nelts; j++)
            APR_ARRAY_PUSH(codes, const char *) = apr_pstrcat(
                pool, code_of(i, pool), "-",
                APR_ARRAY_IDX(country->regions, j, jurisdiction_t).code, NULL);
    }
    return codes;
}

static void count_rules(const jurisdiction_t *jurisdiction,
                        idv_compliance_extent_t *extent)
{
    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++) {
        const idv_compliance_rule_t *last = idv_compliance_calendar_find(
            jurisdiction->calendars[i], IDV_ARTICLE_NONE, IDV_CHANNEL_IN_PERSON,
            IDV_COMPLIANCE_FOREVER);

        extent->rules++;
        extent->unknown += !last->compliance.rule_version;
    }
}

void idv_compliance_rules_extent(const idv_compliance_rules_t *rules,
                                 idv_compliance_extent_t *extent)
{
    memset(extent, 0, sizeof(*extent));
    for (int i = 0; i < IDV_COMPLIANCE_COUNTRIES; i++) {
        const country_t *country = rules->countries[i];

        if (!country)
            continue;
        extent->countries++;
        count_rules(&country->jurisdiction, extent);
        extent->regions += country->regions->nelts;
        for (int j = 0; j < country->regions->nelts; j++)
            count_rules(&APR_ARRAY_IDX(country->regions, j, jurisdiction_t),
                        extent);
    }
}
