/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as a file of compliance rules. What has no faults must answer every
 * product type, in the country and in any region, with rules that make sense.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>

#include "domain/law/compliance_changes.h"

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check(const idv_compliance_rules_t *rules,
                  const idv_compliance_question_t *question, apr_pool_t *pool)
{
    idv_compliance_rule_t found;
    const idv_compliance_rule_t *rule = &found;
    const idv_compliance_t *session = &rule->compliance;

    idv_compliance_rules_find(rules, question, &found, pool);
    require(!session->prohibited == !rule->prohibited_reason);
    require(!session->physical_check_required == !session->user_message);
    require(session->age_tier == idv_tier_demanded(session->required_age));
    require(!session->prohibited || !session->required_age);
    require(rule->data_retention_days >= -1);
    require(rule->parental_consent_from < session->required_age
            || rule->parental_consent_from == -1);
    require(session->known || !session->prohibited);
    require(session->known || rule->note);
    require(session->credential_validity_days >= 0);
    require(idv_compliance_validity(session) > 0);
    require(!session->as_of == !session->rule_version);
}

static void look(const idv_compliance_rules_t *rules, const char *jurisdiction,
                 apr_pool_t *pool)
{
    static const idv_date_t days[] = {
        {1969, 1, 1}, {2026, 6, 15}, {9998, 12, 31}};

    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++)
        for (int j = IDV_ARTICLE_NONE; j < IDV_ARTICLE_COUNT; j++)
            for (size_t k = 0; k < sizeof(days) / sizeof(*days); k++) {
                const idv_compliance_question_t question = {
                    .jurisdiction = jurisdiction,
                    .use_case = (idv_use_case_t)i,
                    .article = (idv_article_t)j,
                    .channel = k ? IDV_CHANNEL_REMOTE : IDV_CHANNEL_IN_PERSON,
                    .day = days[k],
                };

                if (idv_article_belongs(question.article, question.use_case))
                    check(rules, &question, pool);
            }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int ready;
    idv_compliance_rules_t *rules;
    apr_array_header_t *faults;
    apr_pool_t *pool;
    json_t *json;

    if (!ready++)
        require(apr_initialize() == APR_SUCCESS);
    require(apr_pool_create(&pool, NULL) == APR_SUCCESS);
    if (!idv_json_parse((const char *)data, size, &json, pool)) {
        rules = idv_compliance_rules_new(pool);
        faults = apr_array_make(pool, 0, sizeof(idv_compliance_fault_t));
        idv_compliance_rules_add(rules, "DE.json", json, faults);
        require(faults->nelts <= IDV_COMPLIANCE_FAULTS_MAX);
        if (!faults->nelts) {
            look(rules, "DE", pool);
            look(rules, "DE-BY", pool);
            look(rules, "FR", pool);
            idv_compliance_rules_changes(rules, (idv_date_t){2020, 1, 1},
                                         (idv_date_t){2030, 1, 1}, pool);
        }
    }
    apr_pool_destroy(pool);
    return 0;
}
