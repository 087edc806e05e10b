/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_law.h"

#include <apr_strings.h>

#include "domain/law/compliance_check.h"

const idv_compliance_t *idv_session_law(const idv_compliance_rules_t *rules,
                                        const idv_session_t *session,
                                        const idv_workflow_t *workflow,
                                        idv_time_t now, apr_pool_t *pool)
{
    const char *jurisdiction = session->jurisdiction.resolved;
    idv_compliance_question_t question;
    idv_compliance_t *law;

    if (!rules || !jurisdiction || workflow->use_case == IDV_USE_CASE_NONE)
        return NULL;
    question = idv_workflow_question(workflow, jurisdiction, now);
    law = apr_pcalloc(pool, sizeof(*law));
    idv_compliance_rules_look_up(rules, &question, law, pool);
    return law->rule_version || law->on_unknown ? law : NULL;
}

void idv_session_hold_to_law(idv_session_t *session,
                             const idv_workflow_t *workflow,
                             const idv_compliance_t *law)
{
    idv_age_tier_t own = workflow->required_age_tier;
    int legal =
        law->required_age ? law->required_age : idv_tier_age(law->age_tier);

    session->compliance = *law;
    session->age_tier = law->age_tier > own ? law->age_tier : own;
    session->required_age =
        legal > idv_tier_age(own) ? legal : idv_tier_age(own);
    session->methods.count = 0;
    for (int i = 0; i < workflow->methods.count; i++)
        if (idv_compliance_allows(law, workflow->methods.items[i]))
            idv_method_list_add(&session->methods, workflow->methods.items[i]);
}

const char *idv_session_law_text(const idv_compliance_rules_t *rules,
                                 const idv_session_t *session,
                                 const idv_workflow_t *workflow,
                                 idv_time_t now, apr_pool_t *pool)
{
    const char *jurisdiction = session->jurisdiction.resolved;
    idv_compliance_question_t question;
    idv_compliance_rule_t rule;
    idv_json_writer_t object;

    if (!rules || !jurisdiction || workflow->use_case == IDV_USE_CASE_NONE)
        return NULL;
    question = idv_workflow_question(workflow, jurisdiction, now);
    idv_compliance_rules_find(rules, &question, &rule, pool);
    idv_json_writer_init(&object, 4096, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "use_case",
                      idv_use_case_value(workflow->use_case));
    idv_json_put_text(&object, "jurisdiction", jurisdiction);
    idv_compliance_rule_write(&object, &rule);
    idv_json_open_array(&object, "parts");
    for (const idv_compliance_basis_t *part = rule.basis; part;
         part = part->inherited)
        idv_json_put_raw(&object, NULL, part->text);
    idv_json_close_array(&object);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}
