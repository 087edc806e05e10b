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
#define EXPECTED_LENGTH 1000 /* bytes of the result for one product */

/* What is asked. */
typedef struct {
    const char *use_cases_text;
    const char *jurisdiction;
    int count;
    idv_use_case_t use_cases[USE_CASES_MAX];
    const char *source;
} question_t;

static const idv_parameter_t parameters[] = {
    IDV_PARAMETER_AS(STRING, question_t, use_cases, use_cases_text,
                     IDV_REQUIRED, 1, 1024),
    IDV_PARAMETER(JURISDICTION, question_t, jurisdiction, 0, 1, 255),
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

static idv_error_t *check_value(void *input, const char *name, apr_pool_t *pool)
{
    question_t *question = input;
    const char *text = question->use_cases_text, *comma;

    if (strcmp(name, "use_cases") != 0)
        return NULL;
    for (; (comma = strchr(text, ',')); text = comma + 1)
        IDV_TRY(add_use_case(question, apr_pstrmemdup(pool, text, comma - text),
                             pool));
    return add_use_case(question, text, pool);
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
    question->source = "explicit";
    return question->jurisdiction ? NULL
                                  : detect_jurisdiction(request, question);
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
    int days = compliance->credential_validity_days;

    idv_json_open_object(result, NULL);
    idv_json_put_text(result, "use_case", idv_use_case_value(use_case));
    idv_json_put_text(result, "jurisdiction", question->jurisdiction);
    idv_json_put_boolean(result, "prohibited", compliance->prohibited);
    idv_json_put_text(result, "prohibited_reason", rule->prohibited_reason);
    put_age(result, compliance->age_tier, compliance->required_age);
    put_methods(result, idv_compliance_methods(compliance));
    idv_json_put_text(result, "mdl_acceptance_status",
                      idv_mdl_acceptance_value(compliance->mdl_acceptance));
    idv_json_put_text(result, "governing_regulator",
                      compliance->governing_regulator);
    idv_json_put_boolean(result, "consent_required", rule->consent_required);
    idv_json_put_text(result, "penalty_description", rule->penalty_description);
    idv_json_put_text(result, "penalty_type",
                      idv_penalty_value(rule->penalty_type));
    idv_json_put_integer(result, "credential_validity_days",
                         days > 0 ? days : IDV_CREDENTIAL_VALIDITY_DAYS);
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

    idv_restriction_init(&all);
    idv_json_writer_init(&object, EXPECTED_LENGTH * (question->count + 1),
                         pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "compliance_check");
    idv_json_put_text(&object, "jurisdiction", question->jurisdiction);
    idv_json_put_text(&object, "jurisdiction_source", question->source);
    idv_json_open_array(&object, "results");
    for (int i = 0; i < question->count; i++) {
        idv_use_case_t use_case = question->use_cases[i];
        const idv_compliance_rule_t *rule =
            idv_compliance_rules_find(rules, question->jurisdiction, use_case);

        write_result(&object, question, use_case, rule);
        idv_restriction_add(&all, use_case, rule);
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
