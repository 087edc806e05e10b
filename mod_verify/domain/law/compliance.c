/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/compliance.h"

#include <stddef.h>
#include <string.h>

#include "core/word_list.h"

/* --- age tiers --- */

static const struct {
    const char *value;
    const char *upper;
    int age;
} tiers[IDV_TIER_COUNT] = {
#define X(name, value, age) [IDV_TIER_##name] = {value, #name, age},
    IDV_AGE_TIERS(X)
#undef X
};

const char *idv_tier_value(idv_age_tier_t tier)
{
    return tiers[tier].value;
}

const char *idv_tier_upper(idv_age_tier_t tier)
{
    return tiers[tier].upper;
}

int idv_tier_age(idv_age_tier_t tier)
{
    return tiers[tier].age;
}

idv_age_tier_t idv_tier_parse(const char *value)
{
    for (int i = IDV_TIER_NONE + 1; value && i < IDV_TIER_COUNT; i++)
        if (!strcmp(tiers[i].value, value))
            return i;
    return IDV_TIER_NONE;
}

idv_age_tier_t idv_tier_demanded(int age)
{
    if (age <= 0)
        return IDV_TIER_NONE;
    for (int i = IDV_TIER_NONE + 1; i < IDV_TIER_COUNT; i++)
        if (tiers[i].age >= age)
            return i;
    return IDV_TIER_COUNT - 1;
}

idv_age_tier_t idv_tier_reached(int age)
{
    idv_age_tier_t reached = IDV_TIER_NONE;

    for (int i = IDV_TIER_NONE + 1; i < IDV_TIER_COUNT; i++)
        if (tiers[i].age <= age)
            reached = i;
    return reached;
}

int idv_tier_satisfies(idv_age_tier_t have, idv_age_tier_t want)
{
    return have >= want;
}

/* --- use cases --- */

static const char *const use_cases[IDV_USE_CASE_COUNT] = {
#define X(name, value) [IDV_USE_CASE_##name] = value,
    IDV_USE_CASES(X)
#undef X
};

const char *idv_use_case_value(idv_use_case_t use_case)
{
    return use_cases[use_case];
}

static const char *const articles[IDV_ARTICLE_COUNT] = {
#define X(name, value) [IDV_ARTICLE_##name] = value,
    IDV_ARTICLES(X)
#undef X
};

const char *idv_article_value(idv_article_t article)
{
    return articles[article];
}

idv_article_t idv_article_parse(const char *value)
{
    int found = idv_word_find(articles, IDV_ARTICLE_COUNT, value);

    return found < 0 ? IDV_ARTICLE_NONE : found;
}

int idv_article_belongs(idv_article_t article, idv_use_case_t use_case)
{
    static const struct {
        idv_article_t first, last;
    } of[IDV_USE_CASE_COUNT] = {
        [IDV_USE_CASE_ALCOHOL_DELIVERY] = {IDV_ARTICLE_BEER,
                                           IDV_ARTICLE_SPIRITS},
        [IDV_USE_CASE_ALCOHOL_IN_PERSON] = {IDV_ARTICLE_BEER,
                                            IDV_ARTICLE_SPIRITS},
        [IDV_USE_CASE_TOBACCO_NICOTINE] = {IDV_ARTICLE_CIGARETTE,
                                           IDV_ARTICLE_VAPE},
        [IDV_USE_CASE_CANNABIS_DISPENSARY] = {IDV_ARTICLE_MEDICAL,
                                              IDV_ARTICLE_ADULT_USE},
        [IDV_USE_CASE_CANNABIS_DELIVERY] = {IDV_ARTICLE_MEDICAL,
                                            IDV_ARTICLE_ADULT_USE},
        [IDV_USE_CASE_GAMBLING_ONLINE] = {IDV_ARTICLE_LOTTERY,
                                          IDV_ARTICLE_CASINO},
        [IDV_USE_CASE_GAMBLING_IN_PERSON] = {IDV_ARTICLE_LOTTERY,
                                             IDV_ARTICLE_CASINO},
        [IDV_USE_CASE_FIREARMS] = {IDV_ARTICLE_HANDGUN, IDV_ARTICLE_LONG_GUN},
    };

    return article == IDV_ARTICLE_NONE
        || (article >= of[use_case].first && article <= of[use_case].last);
}

static const char *const channels[IDV_CHANNEL_COUNT] = {
#define X(name, value) [IDV_CHANNEL_##name] = value,
    IDV_CHANNELS(X)
#undef X
};

const char *idv_channel_value(idv_channel_t channel)
{
    return channels[channel];
}

idv_channel_t idv_channel_parse(const char *value)
{
    int found = idv_word_find(channels, IDV_CHANNEL_COUNT, value);

    return found < 0 ? IDV_CHANNEL_IN_PERSON : found;
}

int idv_channel_belongs(idv_channel_t channel, idv_use_case_t use_case)
{
    return channel == IDV_CHANNEL_IN_PERSON
        || use_case == IDV_USE_CASE_TOBACCO_NICOTINE;
}

idv_use_case_t idv_use_case_parse(const char *value)
{
    int found = idv_word_find(use_cases, IDV_USE_CASE_COUNT, value);

    return found < 0 ? IDV_USE_CASE_NONE : found;
}

/* --- rules --- */

static const char *const acceptances[IDV_MDL_ACCEPTANCE_COUNT] = {
#define X(name, value) [IDV_MDL_ACCEPTANCE_##name] = value,
    IDV_MDL_ACCEPTANCES(X)
#undef X
};

const char *idv_mdl_acceptance_value(idv_mdl_acceptance_t acceptance)
{
    return acceptances[acceptance];
}

idv_mdl_acceptance_t idv_mdl_acceptance_parse(const char *value)
{
    int found = idv_word_find(acceptances, IDV_MDL_ACCEPTANCE_COUNT, value);

    return found < 0 ? IDV_MDL_ACCEPTANCE_UNKNOWN : found;
}

static const char *const confidences[IDV_CONFIDENCE_COUNT] = {
#define X(name, value) [IDV_CONFIDENCE_##name] = value,
    IDV_CONFIDENCES(X)
#undef X
};

const char *idv_confidence_value(idv_confidence_t confidence)
{
    return confidences[confidence];
}

idv_confidence_t idv_confidence_parse(const char *value)
{
    int found = idv_word_find(confidences, IDV_CONFIDENCE_COUNT, value);

    return found < 0 ? IDV_CONFIDENCE_LOW : found;
}

static const char *const unknown_actions[IDV_UNKNOWN_ACTION_COUNT] = {
#define X(name, value) [IDV_UNKNOWN_##name] = value,
    IDV_UNKNOWN_ACTIONS(X)
#undef X
};

const char *idv_unknown_action_value(idv_unknown_action_t action)
{
    return unknown_actions[action];
}

int idv_unknown_action_parse(const char *value)
{
    return idv_word_find(unknown_actions, IDV_UNKNOWN_ACTION_COUNT, value);
}

idv_unknown_action_t idv_unknown_action_default(idv_use_case_t use_case)
{
    static const idv_unknown_action_t actions[IDV_USE_CASE_COUNT] = {
        [IDV_USE_CASE_CANNABIS_DISPENSARY] = IDV_UNKNOWN_REVIEW,
        [IDV_USE_CASE_CANNABIS_DELIVERY] = IDV_UNKNOWN_REVIEW,
        [IDV_USE_CASE_GAMBLING_ONLINE] = IDV_UNKNOWN_REVIEW,
        [IDV_USE_CASE_GAMBLING_IN_PERSON] = IDV_UNKNOWN_REVIEW,
        [IDV_USE_CASE_ADULT_CONTENT] = IDV_UNKNOWN_REVIEW,
        [IDV_USE_CASE_FIREARMS] = IDV_UNKNOWN_REVIEW,
    };

    return actions[use_case];
}

static const char *const penalties[IDV_PENALTY_COUNT] = {
#define X(name, value) [IDV_PENALTY_##name] = value,
    IDV_PENALTY_TYPES(X)
#undef X
};

const char *idv_penalty_value(idv_penalty_t penalty)
{
    return penalties[penalty];
}

idv_penalty_t idv_penalty_parse(const char *value)
{
    int found = idv_word_find(penalties, IDV_PENALTY_COUNT, value);

    return found < 0 ? IDV_PENALTY_NONE : found;
}

static int verifies(idv_method_t method)
{
    return idv_method_kind(method) == IDV_METHOD_PRIMARY
        || idv_method_kind(method) == IDV_METHOD_LAYER;
}

int idv_compliance_allows(const idv_compliance_t *rule, idv_method_t method)
{
    if (!verifies(method))
        return 1;
    if (rule->excluded_methods & IDV_METHOD_BIT(method))
        return 0;
    return method != IDV_METHOD_MDL
        || rule->mdl_acceptance != IDV_MDL_ACCEPTANCE_NOT_RECOGNIZED;
}

static int years(const idv_compliance_t *rule)
{
    return rule->required_age ? rule->required_age
                              : idv_tier_age(rule->age_tier);
}

/* How little a digital licence is recognized; 0: nothing is known. */
static int refusal(const idv_compliance_t *rule)
{
    static const int refusals[IDV_MDL_ACCEPTANCE_COUNT] = {
        [IDV_MDL_ACCEPTANCE_SUPPLEMENTARY] = 1,
        [IDV_MDL_ACCEPTANCE_NOT_RECOGNIZED] = 2,
    };

    return refusals[rule->mdl_acceptance];
}

static int exclusions(const idv_compliance_t *rule)
{
    int count = 0;

    for (idv_method_t method = 0; method < IDV_METHOD_COUNT; method++)
        count += (rule->excluded_methods & IDV_METHOD_BIT(method)) != 0;
    return count;
}

int idv_compliance_validity(const idv_compliance_t *rule)
{
    int days = rule->credential_validity_days ? rule->credential_validity_days
                                              : IDV_CREDENTIAL_VALIDITY_DAYS;

    return rule->credential_validity_minutes ? rule->credential_validity_minutes
                                             : days * 24 * 60;
}

static int shortness(const idv_compliance_t *rule)
{
    return -idv_compliance_validity(rule);
}

/* Above zero when the day before which A wants persons to be born is the
 * earlier one, or the only one. */
static int closeness(const idv_compliance_t *a, const idv_compliance_t *b)
{
    if (!a->born_before || !b->born_before)
        return (a->born_before != NULL) - (b->born_before != NULL);
    return -strcmp(a->born_before, b->born_before);
}

int idv_compliance_compare(const idv_compliance_t *a, const idv_compliance_t *b)
{
    const int differences[] = {
        (a->prohibited != 0) - (b->prohibited != 0),
        (int)a->on_unknown - (int)b->on_unknown,
        years(a) - years(b),
        closeness(a, b),
        (a->physical_check_required != 0) - (b->physical_check_required != 0),
        refusal(a) - refusal(b),
        exclusions(a) - exclusions(b),
        shortness(a) - shortness(b),
    };

    for (size_t i = 0; i < sizeof(differences) / sizeof(*differences); i++)
        if (differences[i])
            return differences[i];
    return 0;
}

idv_method_set_t idv_compliance_methods(const idv_compliance_t *rule)
{
    idv_method_set_t allowed = 0;

    if (rule->prohibited)
        return 0;
    for (idv_method_t method = 0; method < IDV_METHOD_COUNT; method++)
        if (verifies(method) && idv_compliance_allows(rule, method))
            allowed |= IDV_METHOD_BIT(method);
    return allowed;
}

/* --- several products --- */

void idv_restriction_init(idv_restriction_t *all)
{
    memset(all, 0, sizeof(*all));
    all->data_retention_days = -1;
}

void idv_restriction_add(idv_restriction_t *all, idv_use_case_t use_case,
                         const idv_compliance_rule_t *rule)
{
    const idv_compliance_t *compliance = &rule->compliance;
    idv_method_set_t methods = idv_compliance_methods(compliance);
    int days = rule->data_retention_days;

    all->consent_unknown |= rule->consent_required < 0;
    all->consent_required |= rule->consent_required > 0;
    if (days >= 0
        && (all->data_retention_days < 0 || days < all->data_retention_days))
        all->data_retention_days = days;
    if (!compliance->known)
        all->unknown[all->unknown_count++] = use_case;
    if (compliance->prohibited) {
        all->prohibited[all->prohibited_count++] = use_case;
        return;
    }
    all->methods = all->any_permitted ? all->methods & methods : methods;
    all->any_permitted = 1;
    if (compliance->age_tier > all->age_tier)
        all->age_tier = compliance->age_tier;
    if (compliance->required_age > all->required_age)
        all->required_age = compliance->required_age;
}
