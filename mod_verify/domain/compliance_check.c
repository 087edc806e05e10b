/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/compliance_check.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json_writer.h"
#include "domain/jurisdiction.h"

#define AS_OF_FIRST_YEAR 2020
#define AS_OF_LAST_YEAR 2099
#define EXPECTED_LENGTH 1000 /* bytes of the result for one product */

const idv_parameter_t idv_compliance_check_parameters[] = {
    IDV_PARAMETER_AS(STRING, idv_compliance_check_t, use_cases, use_cases_text,
                     IDV_REQUIRED, 1, 1024),
    IDV_PARAMETER(JURISDICTION, idv_compliance_check_t, jurisdiction, 0, 1,
                  255),
    IDV_PARAMETER_AS(STRING, idv_compliance_check_t, article, article_text, 0,
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
        return idv_error_param(pool, "use_cases",
                               "Expected product types, separated by commas.");
    for (int i = 0; i < check->count; i++)
        if (check->use_cases[i] == use_case)
            return idv_error_param(pool, "use_cases", "%s is listed twice.",
                                   name);
    if (check->count == IDV_COMPLIANCE_CHECK_MAX)
        return idv_error_param(pool, "use_cases",
                               "At most %d product types can be checked.",
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
             : idv_error_param(pool, "article", "No such article.");
}

static idv_error_t *check_day(idv_compliance_check_t *check, apr_pool_t *pool)
{
    if (idv_date_parse(check->as_of, &check->day, pool)
        || !idv_date_is_complete(check->day)
        || check->day.year < AS_OF_FIRST_YEAR
        || check->day.year > AS_OF_LAST_YEAR)
        return idv_error_param(pool, "as_of",
                               "Expected a day, YYYY-MM-DD, from %d to %d.",
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
    if (strcmp(name, "as_of") == 0)
        return check_day(input, pool);
    return NULL;
}

idv_error_t *idv_compliance_check_article(const idv_compliance_check_t *check,
                                          apr_pool_t *pool)
{
    for (int i = 0; i < check->count; i++)
        if (idv_article_belongs(check->article, check->use_cases[i]))
            return NULL;
    return idv_error_param(pool, "article",
                           "Is no article of the product types asked for.");
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

static void write_result(idv_json_writer_t *result,
                         const idv_compliance_check_t *check,
                         idv_use_case_t use_case,
                         const idv_compliance_rule_t *rule)
{
    const idv_compliance_t *compliance = &rule->compliance;
    int minutes = compliance->credential_validity_minutes;

    idv_json_open_object(result, NULL);
    idv_json_put_text(result, "use_case", idv_use_case_value(use_case));
    idv_json_put_text(result, "jurisdiction", check->jurisdiction);
    idv_json_put_boolean(result, "prohibited", compliance->prohibited);
    idv_json_put_text(result, "prohibited_reason", rule->prohibited_reason);
    put_age(result, compliance->age_tier, compliance->required_age);
    idv_json_put_text(result, "born_before", compliance->born_before);
    idv_json_put_positive(result, "consent_age", rule->consent_age);
    idv_json_put_positive(result, "civil_age", rule->civil_age);
    put_methods(result, idv_compliance_methods(compliance));
    idv_json_put_text(result, "mdl_acceptance_status",
                      idv_mdl_acceptance_value(compliance->mdl_acceptance));
    idv_json_put_text(result, "governing_regulator",
                      compliance->governing_regulator);
    idv_json_put_boolean(result, "consent_required", rule->consent_required);
    idv_json_put_text(result, "penalty_description", rule->penalty_description);
    idv_json_put_text(result, "penalty_type",
                      idv_penalty_value(rule->penalty_type));
    /* A part of a day is no day. */
    idv_json_put_integer(result, "credential_validity_days",
                         idv_compliance_validity(compliance) / (24 * 60));
    idv_json_put_positive(result, "credential_validity_minutes", minutes);
    idv_json_put_text(result, "in_force_from", rule->in_force_from);
    idv_json_put_text(result, "in_force_until", rule->in_force_until);
    idv_json_put_text(result, "rule_version", compliance->rule_version);
    idv_json_close_object(result);
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
    idv_json_put_boolean(object, "consent_required", all->consent_required);
    if (all->data_retention_days < 0)
        idv_json_put_null(object, "data_retention_days");
    else
        idv_json_put_integer(object, "data_retention_days",
                             all->data_retention_days);
    idv_json_close_object(object);
}

/* What both answers begin with. */
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
    idv_json_open_array(object, "results");
}

/* What the law says of the product INDEX of CHECK. */
static void find_rule(const idv_compliance_rules_t *rules,
                      const idv_compliance_check_t *check, int index,
                      idv_compliance_rule_t *rule, apr_pool_t *pool)
{
    idv_use_case_t use_case = check->use_cases[index];
    const idv_compliance_question_t asked = {
        .jurisdiction = check->jurisdiction,
        .use_case = use_case,
        .article = idv_article_belongs(check->article, use_case)
                     ? check->article
                     : IDV_ARTICLE_NONE,
        .day = check->day,
    };

    idv_compliance_rules_find(rules, &asked, rule, pool);
}

const char *idv_compliance_sources_text(const idv_compliance_rules_t *rules,
                                        const idv_compliance_check_t *check,
                                        apr_pool_t *pool)
{
    idv_json_writer_t object;

    open_answer(&object, "compliance_sources", check, pool);
    for (int i = 0; i < check->count; i++) {
        idv_compliance_rule_t rule;

        find_rule(rules, check, i, &rule, pool);
        idv_json_open_object(&object, NULL);
        idv_json_put_text(&object, "use_case",
                          idv_use_case_value(check->use_cases[i]));
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
        idv_compliance_rule_t rule;

        find_rule(rules, check, i, &rule, pool);
        write_result(&object, check, check->use_cases[i], &rule);
        idv_restriction_add(&all, check->use_cases[i], &rule);
    }
    idv_json_close_array(&object);
    write_restriction(&object, "most_restrictive", &all);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}
