/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/compliance/check: what the law says about product types. Informational;
 * the same rules decide when a session is created.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/response.h"
#include "core/json_writer.h"
#include "domain/compliance_rules.h"
#include "domain/jurisdiction.h"

#define USE_CASES_MAX 10
#define AS_OF_FIRST_YEAR 2020
#define AS_OF_LAST_YEAR 2099
#define EXPECTED_LENGTH 1000 /* bytes of the result for one product */

/* What is asked. */
typedef struct {
    const char *use_cases_text;
    const char *jurisdiction;
    const char *article_text;
    const char *as_of; /* NULL until it is known: today */
    idv_article_t article;
    idv_date_t day;
    int count;
    idv_use_case_t use_cases[USE_CASES_MAX];
    const char *source;
} question_t;

static const idv_parameter_t parameters[] = {
    IDV_PARAMETER_AS(STRING, question_t, use_cases, use_cases_text,
                     IDV_REQUIRED, 1, 1024),
    IDV_PARAMETER(JURISDICTION, question_t, jurisdiction, 0, 1, 255),
    IDV_PARAMETER_AS(STRING, question_t, article, article_text, 0, 1, 64),
    IDV_PARAMETER(STRING, question_t, as_of, 0, 1, 64),
    {0},
};

/* --- the question --- */

static idv_error_t *add_use_case(question_t *question, const char *name,
                                 apr_pool_t *pool)
{
    idv_use_case_t use_case = idv_use_case_parse(name);

    if (use_case == IDV_USE_CASE_NONE)
        return idv_error_param(pool, "use_cases",
                               "Expected product types, separated by commas.");
    for (int i = 0; i < question->count; i++)
        if (question->use_cases[i] == use_case)
            return idv_error_param(pool, "use_cases", "%s is listed twice.",
                                   name);
    if (question->count == USE_CASES_MAX)
        return idv_error_param(pool, "use_cases",
                               "At most %d product types can be checked.",
                               USE_CASES_MAX);
    question->use_cases[question->count++] = use_case;
    return NULL;
}

static idv_error_t *check_use_cases(question_t *question, apr_pool_t *pool)
{
    const char *text = question->use_cases_text, *comma;

    for (; (comma = strchr(text, ',')); text = comma + 1)
        IDV_TRY(add_use_case(question, apr_pstrmemdup(pool, text, comma - text),
                             pool));
    return add_use_case(question, text, pool);
}

static idv_error_t *check_article(question_t *question, apr_pool_t *pool)
{
    question->article = idv_article_parse(question->article_text);
    return question->article != IDV_ARTICLE_NONE
             ? NULL
             : idv_error_param(pool, "article", "No such article.");
}

static idv_error_t *check_day(question_t *question, apr_pool_t *pool)
{
    if (idv_date_parse(question->as_of, &question->day, pool)
        || !idv_date_is_complete(question->day)
        || question->day.year < AS_OF_FIRST_YEAR
        || question->day.year > AS_OF_LAST_YEAR)
        return idv_error_param(pool, "as_of",
                               "Expected a day, YYYY-MM-DD, from %d to %d.",
                               AS_OF_FIRST_YEAR, AS_OF_LAST_YEAR);
    return NULL;
}

static idv_error_t *check_value(void *input, const char *name, apr_pool_t *pool)
{
    if (strcmp(name, "use_cases") == 0)
        return check_use_cases(input, pool);
    if (strcmp(name, "article") == 0)
        return check_article(input, pool);
    if (strcmp(name, "as_of") == 0)
        return check_day(input, pool);
    return NULL;
}

/* An article narrows those products that it is one of, and one at least. */
static idv_error_t *check_belonging(const question_t *question,
                                    apr_pool_t *pool)
{
    for (int i = 0; i < question->count; i++)
        if (idv_article_belongs(question->article, question->use_cases[i]))
            return NULL;
    return idv_error_param(pool, "article",
                           "Is no article of the product types asked for.");
}

static idv_error_t *detect_jurisdiction(const idv_request_t *request,
                                        question_t *question)
{
    idv_location_t location = {0};

    request->services->locate(request, &location);
    question->jurisdiction =
        location.geo_header ? location.geo_header : location.ip_database;
    question->source = "auto_detected";
    return question->jurisdiction
             ? NULL
             : idv_error_new(IDV_E_JURISDICTION_UNRESOLVABLE, request->pool);
}

static idv_error_t *read_question(const idv_request_t *request,
                                  question_t *question)
{
    IDV_TRY(idv_request_parameters(request, parameters, question, check_value));
    IDV_TRY(check_belonging(question, request->pool));
    question->source = "explicit";
    if (!question->jurisdiction)
        IDV_TRY(detect_jurisdiction(request, question));
    if (!question->as_of)
        question->day =
            idv_jurisdiction_date(question->jurisdiction, request->now);
    return NULL;
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

static void write_result(idv_json_writer_t *result, const question_t *question,
                         idv_use_case_t use_case,
                         const idv_compliance_rule_t *rule)
{
    const idv_compliance_t *compliance = &rule->compliance;
    int minutes = compliance->credential_validity_minutes;

    idv_json_open_object(result, NULL);
    idv_json_put_text(result, "use_case", idv_use_case_value(use_case));
    idv_json_put_text(result, "jurisdiction", question->jurisdiction);
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

static const char *answer(const idv_compliance_rules_t *rules,
                          const question_t *question, apr_pool_t *pool)
{
    idv_restriction_t all;
    idv_json_writer_t object;
    char day[IDV_DATE_TEXT_SIZE];

    idv_restriction_init(&all);
    idv_json_writer_init(&object, EXPECTED_LENGTH * (question->count + 1),
                         pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "compliance_check");
    idv_json_put_text(&object, "jurisdiction", question->jurisdiction);
    idv_json_put_text(&object, "jurisdiction_source", question->source);
    idv_json_put_text(&object, "as_of", idv_date_format(question->day, day));
    idv_json_put_text(&object, "article",
                      idv_article_value(question->article));
    idv_json_open_array(&object, "results");
    for (int i = 0; i < question->count; i++) {
        idv_use_case_t use_case = question->use_cases[i];
        idv_compliance_question_t asked = {
            .jurisdiction = question->jurisdiction,
            .use_case = use_case,
            .article = idv_article_belongs(question->article, use_case)
                         ? question->article
                         : IDV_ARTICLE_NONE,
            .day = question->day,
        };
        idv_compliance_rule_t rule;

        idv_compliance_rules_find(rules, &asked, &rule, pool);
        write_result(&object, question, use_case, &rule);
        idv_restriction_add(&all, use_case, &rule);
    }
    idv_json_close_array(&object);
    write_restriction(&object, "most_restrictive", &all);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

idv_error_t *idv_compliance_api_check(idv_request_t *request)
{
    question_t question = {0};

    IDV_TRY(read_question(request, &question));
    return idv_respond_text(
        request, HTTP_OK,
        answer(request->services->compliance, &question, request->pool));
}
