/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/vp_token_use.h"

#include "core/json.h"
#include "domain/session_step.h"

idv_same_person_t idv_same_person(const idv_same_person_facts_t *facts)
{
    if (facts->different > 0)
        return IDV_SAME_PERSON_NO;
    return facts->equal > 0 && !facts->claimed ? IDV_SAME_PERSON_YES
                                               : IDV_SAME_PERSON_UNKNOWN;
}

static json_t *checks_json(idv_same_person_t same)
{
    const idv_method_check_t *check =
        idv_session_check(IDV_SESSION_CHECK_VP_TOKEN_SAME_PERSON);

    switch (same) {
    case IDV_SAME_PERSON_YES:
        return json_pack("[{s:s, s:b, s:n}]", "name", check->name, "passed", 1,
                         "reason");
    case IDV_SAME_PERSON_NO:
        return json_pack("[{s:s, s:b, s:s}]", "name", check->name, "passed", 0,
                         "reason", check->reason);
    case IDV_SAME_PERSON_UNKNOWN:
        break;
    }
    return json_array();
}

const char *idv_vp_token_results(const char *results, idv_same_person_t same,
                                 idv_time_t now, apr_pool_t *pool)
{
    json_t *all = idv_json_own(
        results ? json_loads(results, 0, NULL) : json_array(), pool);

    while (json_array_size(all) >= IDV_SESSION_RESULTS_MAX)
        json_array_remove(all, 0);
    json_array_append_new(
        all, json_pack("{s:s, s:s, s:n, s:n, s:o, s:I}", "method", "vp_token",
                       "status", "passed", "hint", "error_code", "checks",
                       checks_json(same), "completed_at",
                       (json_int_t)idv_time_seconds(now)));
    return idv_json_text(all, pool);
}
