/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/compliance/check: what the law says about product types. Informational;
 * the same rules decide when a session is created.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/parameters.h"
#include "api/response.h"
#include "domain/compliance_rules.h"
#include "domain/jurisdiction.h"

#define USE_CASES_MAX 10

typedef struct {
    const char *use_cases;
    const char *jurisdiction;
} input_t;

static const idv_parameter_t parameters[] = {
    IDV_PARAMETER(STRING, input_t, use_cases, IDV_REQUIRED, 1, 1024),
    IDV_PARAMETER(STRING, input_t, jurisdiction, 0, 1, 255),
    {0},
};

/* What is asked. */
typedef struct {
    int count;
    idv_use_case_t use_cases[USE_CASES_MAX];
    const char *jurisdiction;
    const char *source;
} question_t;

/* What holds for all products together; the methods of those that are not
 * prohibited. */
typedef struct {
    int any_permitted;
    int required_age;
    idv_age_tier_t age_tier;
    idv_method_set_t methods;
    int consent_required;
    int data_retention_days; /* -1: no limit is known */
    json_t *prohibited;
} restriction_t;

/* --- the question --- */

static idv_error_t *add_use_case(const idv_request_t *request, const char *name,
                                 question_t *question)
{
    idv_use_case_t use_case = idv_use_case_parse(name);

    if (use_case == IDV_USE_CASE_NONE)
        return idv_error_param(request->pool, "use_cases",
                               "Expected product types, separated by commas.");
    for (int i = 0; i < question->count; i++)
        if (question->use_cases[i] == use_case)
            return idv_error_param(request->pool, "use_cases",
                                   "%s is listed twice.", name);
    if (question->count == USE_CASES_MAX)
        return idv_error_param(request->pool, "use_cases",
                               "At most %d product types can be checked.",
                               USE_CASES_MAX);
    question->use_cases[question->count++] = use_case;
    return NULL;
}

static idv_error_t *read_use_cases(const idv_request_t *request,
                                   const char *text, question_t *question)
{
    const char *comma;

    for (; (comma = strchr(text, ',')); text = comma + 1)
        IDV_TRY(add_use_case(request,
                             apr_pstrmemdup(request->pool, text, comma - text),
                             question));
    return add_use_case(request, text, question);
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

typedef struct {
    const idv_request_t *request;
    input_t input;
    question_t *question;
} reading_t;

static idv_error_t *read_value(void *baton, const char *name)
{
    reading_t *reading = baton;
    const idv_request_t *request = reading->request;

    if (strcmp(name, "use_cases") == 0)
        return read_use_cases(request, reading->input.use_cases,
                              reading->question);
    return idv_jurisdiction_parse(reading->input.jurisdiction, name,
                                  &reading->question->jurisdiction,
                                  request->pool);
}

static idv_error_t *read_question(const idv_request_t *request,
                                  question_t *question)
{
    reading_t reading = {request, {0}, question};

    IDV_TRY(idv_parameters_read_each(request, parameters, &reading.input,
                                     read_value, &reading));
    question->source = "explicit";
    return question->jurisdiction ? NULL
                                  : detect_jurisdiction(request, question);
}

/* --- the answer --- */

static json_t *methods_json(idv_method_set_t methods)
{
    idv_method_list_t list = {0};

    for (idv_method_t method = 0; method < IDV_METHOD_COUNT; method++)
        if (methods & IDV_METHOD_BIT(method))
            idv_method_list_add(&list, method);
    return idv_method_list_json(&list);
}

static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void put_text(json_t *object, const char *key, const char *text)
{
    put(object, key, idv_json_string_or_null(text));
}

static void put_age(json_t *object, idv_age_tier_t tier, int age)
{
    put_text(object, "required_age_tier", idv_tier_value(tier));
    put(object, "required_age", idv_json_integer_or_null(age));
}

static json_t *result_json(const question_t *question, idv_use_case_t use_case,
                           const idv_compliance_rule_t *rule)
{
    const idv_compliance_t *compliance = &rule->compliance;
    int days = compliance->credential_validity_days;
    json_t *result = json_object();

    put_text(result, "use_case", idv_use_case_value(use_case));
    put_text(result, "jurisdiction", question->jurisdiction);
    put(result, "prohibited", json_boolean(compliance->prohibited));
    put_text(result, "prohibited_reason", rule->prohibited_reason);
    put_age(result, compliance->age_tier, compliance->required_age);
    put(result, "allowed_methods",
        methods_json(idv_compliance_methods(compliance)));
    put_text(result, "mdl_acceptance_status",
             idv_mdl_acceptance_value(compliance->mdl_acceptance));
    put_text(result, "governing_regulator", compliance->governing_regulator);
    put(result, "consent_required", json_boolean(rule->consent_required));
    put_text(result, "penalty_description", rule->penalty_description);
    put_text(result, "penalty_type", idv_penalty_value(rule->penalty_type));
    put(result, "credential_validity_days",
        json_integer(days > 0 ? days : IDV_CREDENTIAL_VALIDITY_DAYS));
    put_text(result, "rule_version", compliance->rule_version);
    return result;
}

static void restrict_by(restriction_t *all, idv_use_case_t use_case,
                        const idv_compliance_rule_t *rule)
{
    const idv_compliance_t *compliance = &rule->compliance;
    idv_method_set_t methods = idv_compliance_methods(compliance);
    int days = rule->data_retention_days;

    all->consent_required |= rule->consent_required;
    if (days >= 0 &&
        (all->data_retention_days < 0 || days < all->data_retention_days))
        all->data_retention_days = days;
    if (compliance->prohibited) {
        json_array_append_new(all->prohibited,
                              json_string(idv_use_case_value(use_case)));
        return;
    }
    all->methods = all->any_permitted ? all->methods & methods : methods;
    all->any_permitted = 1;
    if (compliance->age_tier > all->age_tier)
        all->age_tier = compliance->age_tier;
    if (compliance->required_age > all->required_age)
        all->required_age = compliance->required_age;
}

static json_t *restriction_json(const restriction_t *all)
{
    json_t *object = json_object();

    put_age(object, all->age_tier, all->required_age);
    put(object, "allowed_methods", methods_json(all->methods));
    put(object, "any_prohibited",
        json_boolean(json_array_size(all->prohibited)));
    put(object, "prohibited_use_cases", all->prohibited);
    put(object, "consent_required", json_boolean(all->consent_required));
    put(object, "data_retention_days",
        all->data_retention_days < 0 ? json_null()
                                     : json_integer(all->data_retention_days));
    return object;
}

static json_t *answer(const idv_compliance_rules_t *rules,
                      const question_t *question)
{
    restriction_t all = {.data_retention_days = -1, .prohibited = json_array()};
    json_t *results = json_array(), *object = json_object();

    for (int i = 0; i < question->count; i++) {
        idv_use_case_t use_case = question->use_cases[i];
        const idv_compliance_rule_t *rule =
            idv_compliance_rules_find(rules, question->jurisdiction, use_case);

        json_array_append_new(results, result_json(question, use_case, rule));
        restrict_by(&all, use_case, rule);
    }
    put_text(object, "object", "compliance_check");
    put_text(object, "jurisdiction", question->jurisdiction);
    put_text(object, "jurisdiction_source", question->source);
    put(object, "results", results);
    put(object, "most_restrictive", restriction_json(&all));
    return object;
}

idv_error_t *idv_compliance_api_check(idv_request_t *request)
{
    question_t question = {0};

    IDV_TRY(read_question(request, &question));
    return idv_respond_json(request, HTTP_OK,
                            answer(request->services->compliance, &question));
}
