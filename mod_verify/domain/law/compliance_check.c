/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/compliance_check.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json_writer.h"
#include "domain/value/jurisdiction.h"

#define AS_OF_FIRST_YEAR 2020
#define AS_OF_LAST_YEAR 2099
#define EXPECTED_LENGTH 1500 /* bytes of the result for one product */

const idv_parameter_t idv_compliance_check_parameters[] = {
    IDV_PARAMETER_AS(STRING, idv_compliance_check_t, use_cases, use_cases_text,
                     IDV_REQUIRED, 1, 1024),
    IDV_PARAMETER(JURISDICTION, idv_compliance_check_t, jurisdiction, 0, 1,
                  255),
    IDV_PARAMETER_AS(STRING, idv_compliance_check_t, article, article_text, 0,
                     1, 64),
    IDV_PARAMETER_AS(STRING, idv_compliance_check_t, channel, channel_text, 0,
                     1, 64),
    IDV_PARAMETER(STRING, idv_compliance_check_t, as_of, 0, 1, 64),
    {0},
};

/* --- the question --- */

static idv_error_t *add_use_case(idv_compliance_check_t *check,
                                 const char *name, apr_pool_t *pool)
{
    idv_use_case_t use_case = idv_use_case_parse(name);

    if (use_case == IDV_USE_CASE_NONE)
        return idv_error_param(
            pool, "use_cases",
            "must be product types separated by commas, such as "
            "`gambling_online,alcohol_delivery`.");
    for (int i = 0; i < check->count; i++)
        if (check->use_cases[i] == use_case)
            return idv_error_param(pool, "use_cases",
                                   "lists `%s` twice. List it once.", name);
    if (check->count == IDV_COMPLIANCE_CHECK_MAX)
        return idv_error_param(pool, "use_cases",
                               "must have at most %d product types.",
                               IDV_COMPLIANCE_CHECK_MAX);
    check->use_cases[check->count++] = use_case;
    return NULL;
}

static idv_error_t *check_use_cases(idv_compliance_check_t *check,
                                    apr_pool_t *pool)
{
    const char *text = check->use_cases_text, *comma;

    for (; (comma = strchr(text, ',')); text = comma + 1)
        IDV_TRY(add_use_case(check, apr_pstrmemdup(pool, text, comma - text),
                             pool));
    return add_use_case(check, text, pool);
}

static idv_error_t *check_article(idv_compliance_check_t *check,
                                  apr_pool_t *pool)
{
    check->article = idv_article_parse(check->article_text);
    return check->article != IDV_ARTICLE_NONE
             ? NULL
             : idv_error_param(pool, "article",
                               "must be an article of a product type.");
}

static idv_error_t *check_channel(idv_compliance_check_t *check,
                                  apr_pool_t *pool)
{
    check->channel = idv_channel_parse(check->channel_text);
    return strcmp(idv_channel_value(check->channel), check->channel_text) == 0
             ? NULL
             : idv_error_param(pool, "channel",
                               "must be `in_person` or `remote`.");
}

static idv_error_t *check_day(idv_compliance_check_t *check, apr_pool_t *pool)
{
    if (idv_date_parse(check->as_of, &check->day, pool)
        || !idv_date_is_complete(check->day)
        || check->day.year < AS_OF_FIRST_YEAR
        || check->day.year > AS_OF_LAST_YEAR)
        return idv_error_param(pool, "as_of",
                               "must be a date (YYYY-MM-DD) from %d to %d.",
                               AS_OF_FIRST_YEAR, AS_OF_LAST_YEAR);
    return NULL;
}

idv_error_t *idv_compliance_check_value(void *input, const char *name,
                                        apr_pool_t *pool)
{
    if (strcmp(name, "use_cases") == 0)
        return check_use_cases(input, pool);
    if (strcmp(name, "article") == 0)
        return check_article(input, pool);
    if (strcmp(name, "channel") == 0)
        return check_channel(input, pool);
    if (strcmp(name, "as_of") == 0)
        return check_day(input, pool);
    return NULL;
}

idv_error_t *idv_compliance_check_article(const idv_compliance_check_t *check,
                                          apr_pool_t *pool)
{
    int has_article = 0, has_channel = 0;

    for (int i = 0; i < check->count; i++) {
        idv_use_case_t use_case = check->use_cases[i];

        has_article |= idv_article_belongs(check->article, use_case);
        has_channel |= idv_channel_belongs(check->channel, use_case);
    }
    if (!has_article)
        return idv_error_param(pool, "article",
                               "must be an article of one of the requested "
                               "product types.");
    return has_channel
             ? NULL
             : idv_error_param(pool, "channel",
                               "must be omitted: none of the requested "
                               "product types has channels.");
}

/* --- the answer --- */

static void put_methods(idv_json_writer_t *object, idv_method_set_t methods)
{
    idv_json_open_array(object, "allowed_methods");
    for (idv_method_t method = 0; method < IDV_METHOD_COUNT; method++)
        if (methods & IDV_METHOD_BIT(method))
            idv_json_put_text(object, NULL, idv_method_value(method));
    idv_json_close_array(object);
}

static void put_age(idv_json_writer_t *object, idv_age_tier_t tier, int age)
{
    idv_json_put_text(object, "required_age_tier", idv_tier_value(tier));
    idv_json_put_positive(object, "required_age", age);
}

static void put_number(idv_json_writer_t *object, const char *key, int number)
{
    if (number < 0)
        idv_json_put_null(object, key);
    else
        idv_json_put_integer(object, key, number);
}

/* UNKNOWN: it is null unless it is set. */
static void put_consent(idv_json_writer_t *object, int is_required,
                        int is_unknown)
{
    if (is_unknown && !is_required)
        idv_json_put_null(object, "consent_required");
    else
        idv_json_put_boolean(object, "consent_required", is_required);
}

void idv_compliance_rule_write(idv_json_writer_t *object,
                               const idv_compliance_rule_t *rule)
{
    const idv_compliance_t *compliance = &rule->compliance;
    int minutes = compliance->credential_validity_minutes;

    idv_json_put_boolean(object, "known", compliance->known);
    idv_json_put_text(object, "confidence",
                      idv_confidence_value(rule->confidence));
    idv_json_put_text(object, "note", rule->note);
    idv_json_put_boolean(object, "prohibited", compliance->prohibited);
    idv_json_put_text(object, "prohibited_reason", rule->prohibited_reason);
    put_age(object, compliance->age_tier, compliance->required_age);
    idv_json_put_text(object, "born_before", compliance->born_before);
    put_number(object, "parental_consent_from", rule->parental_consent_from);
    idv_json_put_positive(object, "consent_age", rule->consent_age);
    idv_json_put_positive(object, "civil_age", rule->civil_age);
    put_methods(object, idv_compliance_methods(compliance));
    idv_json_put_text(object, "mdl_acceptance_status",
                      idv_mdl_acceptance_value(compliance->mdl_acceptance));
    idv_json_put_boolean(object, "physical_check_required",
                         compliance->physical_check_required);
    idv_json_put_text(object, "governing_regulator",
                      compliance->governing_regulator);
    put_consent(object, rule->consent_required > 0, rule->consent_required < 0);
    idv_json_put_text(object, "penalty_description", rule->penalty_description);
    idv_json_put_text(object, "penalty_type",
                      idv_penalty_value(rule->penalty_type));
    /* Part of a day does not count as a day. */
    idv_json_put_integer(object, "credential_validity_days",
                         idv_compliance_validity(compliance) / (24 * 60));
    idv_json_put_positive(object, "credential_validity_minutes", minutes);
    put_number(object, "data_retention_days", rule->data_retention_days);
    idv_json_put_text(object, "in_force_from", rule->in_force_from);
    idv_json_put_text(object, "in_force_until", rule->in_force_until);
    idv_json_put_text(object, "rule_version", compliance->rule_version);
}

const char *idv_compliance_rule_text(const idv_compliance_rule_t *rule,
                                     apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_compliance_rule_write(&object, rule);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

static void write_restriction(idv_json_writer_t *object, const char *key,
                              const idv_restriction_t *all)
{
    idv_json_open_object(object, key);
    put_age(object, all->age_tier, all->required_age);
    put_methods(object, all->methods);
    idv_json_put_boolean(object, "any_prohibited", all->prohibited_count > 0);
    idv_json_open_array(object, "prohibited_use_cases");
    for (int i = 0; i < all->prohibited_count; i++)
        idv_json_put_text(object, NULL, idv_use_case_value(all->prohibited[i]));
    idv_json_close_array(object);
    idv_json_put_boolean(object, "any_unknown", all->unknown_count > 0);
    idv_json_open_array(object, "unknown_use_cases");
    for (int i = 0; i < all->unknown_count; i++)
        idv_json_put_text(object, NULL, idv_use_case_value(all->unknown[i]));
    idv_json_close_array(object);
    put_consent(object, all->consent_required, all->consent_unknown);
    put_number(object, "data_retention_days", all->data_retention_days);
    idv_json_close_object(object);
}

static const char disclaimer[] =
    "A collection of rules with sources, not legal advice. Have the rules of "
    "your products and places checked before you rely on them.";

/* The common start of both answers. */
static void open_answer(idv_json_writer_t *object, const char *name,
                        const idv_compliance_check_t *check, apr_pool_t *pool)
{
    char day[IDV_DATE_TEXT_SIZE];

    idv_json_writer_init(object, EXPECTED_LENGTH * (check->count + 1), pool);
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "object", name);
    idv_json_put_text(object, "jurisdiction", check->jurisdiction);
    idv_json_put_text(object, "jurisdiction_source", check->source);
    idv_json_put_text(object, "as_of", idv_date_format(check->day, day));
    idv_json_put_text(object, "article", idv_article_value(check->article));
    idv_json_put_text(object, "channel",
                      check->channel_text ? idv_channel_value(check->channel)
                                          : NULL);
    idv_json_put_text(object, "disclaimer", disclaimer);
    idv_json_open_array(object, "results");
}

/* The query for the product INDEX of CHECK. */
static idv_compliance_question_t
question_of(const idv_compliance_check_t *check, int index)
{
    idv_use_case_t use_case = check->use_cases[index];

    return (idv_compliance_question_t){
        .jurisdiction = check->jurisdiction,
        .use_case = use_case,
        .article = idv_article_belongs(check->article, use_case)
                     ? check->article
                     : IDV_ARTICLE_NONE,
        .channel = idv_channel_belongs(check->channel, use_case)
                     ? check->channel
                     : IDV_CHANNEL_IN_PERSON,
        .day = check->day,
    };
}

/* Puts the members of the answer to ASKED that differ from WHOLE, if any. */
static void put_difference(idv_json_writer_t *object, const char *key,
                           const idv_compliance_rules_t *rules,
                           const idv_compliance_question_t *asked,
                           const json_t *whole)
{
    apr_pool_t *pool = object->pool;
    idv_compliance_rule_t rule;
    json_t *members, *value;
    const char *name;
    void *next;

    idv_compliance_rules_find(rules, asked, &rule, pool);
    members = idv_json_load(idv_compliance_rule_text(&rule, pool), pool);
    json_object_foreach_safe(
        members, next, name,
        value) if (json_equal(value, json_object_get(whole, name)))
        json_object_del(members, name);
    if (json_object_size(members))
        idv_json_put_value(object, key, members);
}

/* How articles and channels that the query does not name would change the
 * answer RULE to ASKED. */
static void put_breakdown(idv_json_writer_t *object,
                          const idv_compliance_rules_t *rules,
                          const idv_compliance_check_t *check,
                          const idv_compliance_question_t *asked,
                          const idv_compliance_rule_t *rule)
{
    json_t *whole = idv_json_load(idv_compliance_rule_text(rule, object->pool),
                                  object->pool);
    idv_compliance_question_t other = *asked;

    if (asked->article == IDV_ARTICLE_NONE) {
        idv_json_open_object(object, "articles");
        for (int i = IDV_ARTICLE_NONE + 1; i < IDV_ARTICLE_COUNT; i++) {
            other.article = (idv_article_t)i;
            if (idv_article_belongs(other.article, asked->use_case))
                put_difference(object, idv_article_value(other.article), rules,
                               &other, whole);
        }
        idv_json_close_object(object);
        other.article = asked->article;
    }
    other.channel = IDV_CHANNEL_REMOTE;
    if (check->channel_text
        || !idv_channel_belongs(other.channel, asked->use_case))
        return;
    idv_json_open_object(object, "channels");
    put_difference(object, idv_channel_value(other.channel), rules, &other,
                   whole);
    idv_json_close_object(object);
}

const char *idv_compliance_sources_text(const idv_compliance_rules_t *rules,
                                        const idv_compliance_check_t *check,
                                        apr_pool_t *pool)
{
    idv_json_writer_t object;

    open_answer(&object, "compliance_sources", check, pool);
    for (int i = 0; i < check->count; i++) {
        const idv_compliance_question_t asked = question_of(check, i);
        idv_compliance_rule_t rule;

        idv_compliance_rules_find(rules, &asked, &rule, pool);
        idv_json_open_object(&object, NULL);
        idv_json_put_text(&object, "use_case",
                          idv_use_case_value(asked.use_case));
        idv_json_open_array(&object, "parts");
        for (const idv_compliance_basis_t *part = rule.basis; part;
             part = part->inherited)
            idv_json_put_raw(&object, NULL, part->text);
        idv_json_close_array(&object);
        idv_json_close_object(&object);
    }
    idv_json_close_array(&object);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

const char *idv_compliance_check_text(const idv_compliance_rules_t *rules,
                                      const idv_compliance_check_t *check,
                                      apr_pool_t *pool)
{
    idv_restriction_t all;
    idv_json_writer_t object;

    idv_restriction_init(&all);
    open_answer(&object, "compliance_check", check, pool);
    for (int i = 0; i < check->count; i++) {
        const idv_compliance_question_t asked = question_of(check, i);
        idv_compliance_rule_t rule;

        idv_compliance_rules_find(rules, &asked, &rule, pool);
        idv_json_open_object(&object, NULL);
        idv_json_put_text(&object, "use_case",
                          idv_use_case_value(asked.use_case));
        idv_json_put_text(&object, "jurisdiction", check->jurisdiction);
        idv_compliance_rule_write(&object, &rule);
        put_breakdown(&object, rules, check, &asked, &rule);
        idv_json_close_object(&object);
        idv_restriction_add(&all, asked.use_case, &rule);
    }
    idv_json_close_array(&object);
    write_restriction(&object, "most_restrictive", &all);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}
