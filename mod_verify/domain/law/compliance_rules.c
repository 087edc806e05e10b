/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/compliance_rules.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "domain/law/compliance_set.h"
#include "domain/value/jurisdiction.h"

typedef idv_compliance_jurisdiction_t jurisdiction_t;
typedef idv_compliance_country_t country_t;

/* --- a jurisdiction --- */

/* The content of one level of a document. */
typedef struct {
    apr_array_header_t *all;
    apr_array_header_t *products[IDV_USE_CASE_COUNT]; /* NULL: nothing */
} level_t;

static void read_level(const idv_compliance_place_t *place,
                       const json_t *document, level_t *level)
{
    json_t *rules = json_object_get(document, "rules"), *rule;
    idv_compliance_place_t at_all = idv_compliance_place_below(place, "all");
    idv_compliance_place_t at_rules =
        idv_compliance_place_below(place, "rules");
    const char *key;

    memset(level, 0, sizeof(*level));
    idv_compliance_entries_read(&at_all, json_object_get(document, "all"),
                                IDV_USE_CASE_NONE, &level->all);
    if (rules && !json_is_object(rules))
        idv_compliance_complain(&at_rules, "Expected an object.");
    json_object_foreach (rules, key, rule) {
        idv_compliance_place_t here =
            idv_compliance_place_below(&at_rules, key);
        idv_use_case_t use_case = idv_use_case_parse(key);

        if (use_case == IDV_USE_CASE_NONE)
            idv_compliance_complain(&here, "Unknown product type.");
        else
            idv_compliance_entries_read(&here, rule, use_case,
                                        &level->products[use_case]);
    }
}

/* Lays the COUNT levels over each other. */
static void make_calendars(const idv_compliance_place_t *place,
                           const level_t *const *levels, int count,
                           jurisdiction_t *jurisdiction)
{
    idv_compliance_place_t at_rules =
        idv_compliance_place_below(place, "rules");

    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++) {
        idv_compliance_place_t here =
            idv_compliance_place_below(&at_rules, idv_use_case_value(i));
        idv_compliance_layer_t layers[IDV_COMPLIANCE_LAYERS_MAX];

        for (int j = 0; j < count; j++)
            layers[j] = (idv_compliance_layer_t){
                .all = levels[j]->all, .product = levels[j]->products[i]};
        jurisdiction->calendars[i] =
            idv_compliance_calendar_make(&here, layers, count, i);
    }
}

/* Complains of members that KNOWN, ending with NULL, does not list. */
static void check_members(const idv_compliance_place_t *place,
                          const json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;

    json_object_foreach ((json_t *)object, key, value) {
        idv_compliance_place_t here = idv_compliance_place_below(place, key);
        int i = 0;

        while (known[i] && strcmp(known[i], key) != 0)
            i++;
        if (!known[i])
            idv_compliance_complain(&here, "Unknown member.");
    }
}

static void check_name(const idv_compliance_place_t *place,
                       const json_t *object)
{
    idv_compliance_place_t here = idv_compliance_place_below(place, "name");

    idv_compliance_text(&here, json_object_get(object, "name"));
}

static int is_region_code(const char *country, const char *code,
                          apr_pool_t *pool)
{
    const char *whole = apr_pstrcat(pool, country, "-", code, NULL);
    const char *normal = idv_jurisdiction_normalize(whole, pool);

    return normal && strcmp(normal, whole) == 0;
}

static void read_region(const idv_compliance_place_t *place,
                        const json_t *region, const level_t *inherited,
                        jurisdiction_t *out)
{
    static const char *const known[] = {"name", "all", "rules", NULL};
    const level_t *levels[] = {inherited, NULL};
    level_t own = {0};

    if (json_is_object(region)) {
        check_members(place, region, known);
        check_name(place, region);
        read_level(place, region, &own);
    } else {
        idv_compliance_complain(place, "Expected an object.");
    }
    levels[1] = &own;
    make_calendars(place, levels, 2, out);
}

static int compare_codes(const void *a, const void *b)
{
    return strcmp(((const jurisdiction_t *)a)->code,
                  ((const jurisdiction_t *)b)->code);
}

static void read_regions(const idv_compliance_place_t *place, const char *code,
                         const json_t *document, const level_t *level,
                         country_t *country)
{
    json_t *regions = json_object_get(document, "regions"), *region;
    idv_compliance_place_t at_regions =
        idv_compliance_place_below(place, "regions");
    const char *key;

    if (regions && !json_is_object(regions))
        idv_compliance_complain(&at_regions, "Expected an object.");
    json_object_foreach (regions, key, region) {
        idv_compliance_place_t here =
            idv_compliance_place_below(&at_regions, key);
        jurisdiction_t *jurisdiction = apr_array_push(country->regions);

        if (!is_region_code(code, key, place->scratch))
            idv_compliance_complain(&here,
                                    "Not a region code of ISO 3166-2.");
        jurisdiction->code = apr_pstrdup(place->pool, key);
        read_region(&here, region, level, jurisdiction);
    }
    qsort(country->regions->elts, (size_t)country->regions->nelts,
          sizeof(jurisdiction_t), compare_codes);
}

static int country_index(const char *code)
{
    return (code[0] - 'A') * IDV_COMPLIANCE_LETTERS + code[1] - 'A';
}

/* The code of the country, checked; NULL after a fault. */
static const char *country_of(const idv_compliance_place_t *place,
                              const json_t *document)
{
    const char *code = json_string_value(json_object_get(document, "country"));
    idv_compliance_place_t here = idv_compliance_place_below(place, "country");

    if (!code || strlen(code) != 2 || !idv_country_by_alpha2(code)) {
        idv_compliance_complain(
            &here, "Not a country code of ISO 3166-1 alpha-2.");
        return NULL;
    }
    if (strcmp(place->file, apr_pstrcat(place->scratch, code, ".json", NULL))
        != 0)
        idv_compliance_complain(&here,
                                "The name of the file must be the code of its "
                                "country.");
    return code;
}

static const char *version_of(const idv_compliance_place_t *place,
                              const json_t *document)
{
    idv_compliance_place_t here =
        idv_compliance_place_below(place, "rule_version");
    const char *text =
        idv_compliance_text(&here, json_object_get(document, "rule_version"));

    return text ? apr_pstrdup(place->pool, text) : NULL;
}

static int is_whole(const json_t *rule)
{
    return !json_object_get(rule, "article")
        && json_object_get(rule, "prohibited")
        && json_object_get(rule, "minimum_age");
}

/* Whether RULES, one or several, say of the product as a whole what has to be
 * said. */
static int says_whole(const json_t *rules)
{
    size_t index;
    json_t *rule;

    if (is_whole(rules))
        return 1;
    json_array_foreach (rules, index, rule)
        if (is_whole(rule))
            return 1;
    return 0;
}

/* A country says something of every product type, if only "unknown". */
static void check_complete(const idv_compliance_place_t *place,
                           const json_t *document)
{
    const json_t *rules = json_object_get(document, "rules");
    idv_compliance_place_t at_rules =
        idv_compliance_place_below(place, "rules");

    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++) {
        idv_compliance_place_t here =
            idv_compliance_place_below(&at_rules, idv_use_case_value(i));
        const json_t *rule = json_object_get(rules, idv_use_case_value(i));

        if (!rule)
            idv_compliance_complain(
                &here, "A country needs a rule for every product type.");
        else if (!says_whole(rule))
            idv_compliance_complain(
                &here, "A country's rule must say whether the product is "
                       "prohibited, and from which age it is allowed.");
    }
}

static void read_document(idv_compliance_rules_t *rules,
                          idv_compliance_place_t *place, const json_t *document)
{
    static const char *const known[] = {"$schema",      "country", "name",
                                        "rule_version", "all",     "rules",
                                        "regions",      NULL};
    country_t *country = apr_pcalloc(rules->pool, sizeof(*country));
    const char *code = country_of(place, document);
    level_t level;
    const level_t *levels[] = {&level};

    place->rule_version = version_of(place, document);
    check_members(place, document, known);
    check_name(place, document);
    check_complete(place, document);
    if (!code)
        return;
    country->regions = apr_array_make(rules->pool, 0, sizeof(jurisdiction_t));
    read_level(place, document, &level);
    make_calendars(place, levels, 1, &country->jurisdiction);
    read_regions(place, code, document, &level, country);
    rules->countries[country_index(code)] = country;
}

void idv_compliance_rules_add(idv_compliance_rules_t *rules, const char *name,
                              const json_t *document,
                              apr_array_header_t *faults)
{
    idv_compliance_place_t place = {
        .pool = rules->pool, .file = name, .faults = faults, .pointer = ""};

    apr_pool_create(&place.scratch, rules->pool);
    if (json_is_object(document))
        read_document(rules, &place, document);
    else
        idv_compliance_complain(&place, "Expected an object.");
    apr_pool_destroy(place.scratch);
}

/* --- use --- */

idv_compliance_rules_t *idv_compliance_rules_new(apr_pool_t *pool)
{
    idv_compliance_rules_t *rules = apr_pcalloc(pool, sizeof(*rules));

    rules->pool = pool;
    for (int i = 0; i < IDV_USE_CASE_COUNT; i++)
        rules->unknown[i] = idv_unknown_action_default((idv_use_case_t)i);
    return rules;
}

void idv_compliance_rules_set_unknown(idv_compliance_rules_t *rules,
                                      idv_unknown_action_t action)
{
    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++)
        rules->unknown[i] = action;
}

static const country_t *country_in(const idv_compliance_rules_t *rules,
                                   const char *jurisdiction)
{
    return rules ? rules->countries[country_index(jurisdiction)] : NULL;
}

/* The law of CODE, a region, or of its country. */
static const jurisdiction_t *region_in(const country_t *country,
                                       const char *code)
{
    const jurisdiction_t wanted = {.code = code};
    const jurisdiction_t *found =
        bsearch(&wanted, country->regions->elts,
                (size_t)country->regions->nelts, sizeof(wanted), compare_codes);

    return found ? found : &country->jurisdiction;
}

/* On DAY the youngest who was born before a rule's day; they have to be so old
 * at least. */
static void count_years(idv_compliance_t *rule, idv_date_t day,
                        apr_pool_t *pool)
{
    idv_date_t before, youngest;
    int age;

    if (!rule->born_before || idv_date_parse(rule->born_before, &before, pool))
        return;
    youngest = idv_date_of_days(idv_date_days(before) - 1);
    age = idv_date_age(youngest, day).lowest;
    if (age > rule->required_age) {
        rule->required_age = age;
        rule->age_tier = idv_tier_demanded(age);
    }
}

/* The rule of CALENDAR for ARTICLE on the queried day. */
static void answer_article(const idv_compliance_calendar_t *calendar,
                           const idv_compliance_question_t *question,
                           idv_article_t article, idv_compliance_rule_t *rule,
                           apr_pool_t *pool)
{
    *rule = *idv_compliance_calendar_find(calendar, article, question->channel,
                                          idv_date_days(question->day));
    count_years(&rule->compliance, question->day, pool);
}

/* Makes RULE not known, as OTHER is. */
static void doubt(idv_compliance_rule_t *rule,
                  const idv_compliance_rule_t *other)
{
    if (rule->compliance.prohibited || !rule->compliance.known)
        return;
    rule->compliance.known = 0;
    rule->confidence = IDV_CONFIDENCE_LOW;
    rule->note = other->note;
}

/* The rule of CALENDAR for an article; without one, the strictest of all
 * articles. That is known if all are known, or if it prohibits. */
static void answer(const idv_compliance_calendar_t *calendar,
                   const idv_compliance_question_t *question,
                   idv_compliance_rule_t *rule, apr_pool_t *pool)
{
    idv_compliance_rule_t unknown = idv_compliance_nothing_known;
    int is_unknown = 0;

    answer_article(calendar, question, question->article, rule, pool);
    for (int i = IDV_ARTICLE_NONE + 1;
         question->article == IDV_ARTICLE_NONE && i < IDV_ARTICLE_COUNT; i++) {
        idv_compliance_rule_t other;

        if (!calendar->timelines[IDV_CHANNEL_IN_PERSON][i])
            continue;
        answer_article(calendar, question, (idv_article_t)i, &other, pool);
        if (!other.compliance.known) {
            is_unknown = 1;
            unknown = other;
        }
        if (idv_compliance_compare(&other.compliance, &rule->compliance) > 0)
            *rule = other;
    }
    if (is_unknown)
        doubt(rule, &unknown);
}

/* Of a country whose region is not known the highest age holds that one of its
 * regions sets. */
static void heed_regions(const country_t *country,
                         const idv_compliance_question_t *question,
                         idv_compliance_rule_t *rule, apr_pool_t *pool)
{
    for (int i = 0; i < country->regions->nelts; i++) {
        const jurisdiction_t *region =
            &APR_ARRAY_IDX(country->regions, i, jurisdiction_t);
        idv_compliance_rule_t other;

        answer(region->calendars[question->use_case], question, &other, pool);
        if (rule->compliance.prohibited || other.compliance.prohibited
            || other.compliance.required_age <= rule->compliance.required_age)
            continue;
        rule->compliance.required_age = other.compliance.required_age;
        rule->compliance.age_tier = other.compliance.age_tier;
        rule->compliance.rule_version = other.compliance.rule_version;
        rule->parental_consent_from = other.parental_consent_from;
        rule->in_force_from = other.in_force_from;
        rule->in_force_until = other.in_force_until;
        if (other.confidence < rule->confidence)
            rule->confidence = other.confidence;
        if (other.note)
            rule->note = other.note;
        rule->basis = other.basis;
    }
}

void idv_compliance_rules_find(const idv_compliance_rules_t *rules,
                               const idv_compliance_question_t *question,
                               idv_compliance_rule_t *rule, apr_pool_t *pool)
{
    const country_t *country = country_in(rules, question->jurisdiction);
    const char *region = question->jurisdiction + 2;
    char day[IDV_DATE_TEXT_SIZE];

    *rule = idv_compliance_nothing_known;
    rule->note = "No rules are loaded for this country.";
    if (country) {
        const jurisdiction_t *jurisdiction =
            *region ? region_in(country, region + 1) : &country->jurisdiction;

        answer(jurisdiction->calendars[question->use_case], question, rule,
               pool);
        if (!*region)
            heed_regions(country, question, rule, pool);
    }
    if (!rule->compliance.known && rules)
        rule->compliance.on_unknown = rules->unknown[question->use_case];
    if (!rule->compliance.known && !rule->note)
        rule->note = "It is not known whether this is lawful, or from which "
                     "age.";
    if (rule->compliance.rule_version)
        rule->compliance.as_of =
            apr_pstrdup(pool, idv_date_format(question->day, day));
}

void idv_compliance_rules_look_up(const void *rules,
                                  const idv_compliance_question_t *question,
                                  idv_compliance_t *out, apr_pool_t *pool)
{
    idv_compliance_rule_t rule;

    idv_compliance_rules_find(rules, question, &rule, pool);
    *out = rule.compliance;
}
