/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "store/attempt_limit.h"

#define ROWS_SHOWN 100
#define ROWS_MAX 10000
#define HOURS_DEFAULT 24

static json_t *asker_json(const idv_trust_reuse_asker_t *asker)
{
    return json_pack("{s:s, s:s, s:s, s:s?, s:I, s:I, s:I, s:I, s:o}", "object",
                     "trust_reuse_asks", "organization_id",
                     asker->organization_id, "application_id",
                     asker->application_id, "application_name", asker->name,
                     "asked", (json_int_t)asker->asked, "met",
                     (json_int_t)asker->met, "unmet",
                     (json_int_t)(asker->asked - asker->met),
                     "most_in_an_hour", (json_int_t)asker->most_in_an_hour,
                     "last_hour",
                     idv_json_integer_or_null(
                         idv_time_seconds(asker->last_asked)));
}

IDV_COMMAND(idv_command_trust_reuse_asks)
{
    const apr_int64_t counts[2] = {1, ROWS_MAX};
    const apr_int64_t lengths[2] = {
        1, IDV_TRUST_REUSE_TALLY_DAYS * (IDV_DAY / IDV_HOUR)};
    apr_int64_t limit = ROWS_SHOWN, hours = HOURS_DEFAULT;
    const char *organization = idv_call_option(call, "org");
    apr_array_header_t *askers;

    IDV_TRY(idv_call_number(call, "limit", counts, &limit));
    IDV_TRY(idv_call_number(call, "hours", lengths, &hours));
    if (organization)
        IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_trust_reuse_askers(call->db, organization,
                                   idv_time_now() - hours * IDV_HOUR,
                                   (int)limit, &askers, call->pool));
    *answer = json_array();
    for (int i = 0; i < askers->nelts; i++)
        json_array_append_new(*answer,
                              asker_json(&APR_ARRAY_IDX(
                                  askers, i, idv_trust_reuse_asker_t)));
    return NULL;
}
