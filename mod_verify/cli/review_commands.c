/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <string.h>

#include "domain/limits.h"
#include "store/session_transition.h"

#define REVIEWS_A_QUERY 100

static json_t *review_json(const idv_session_t *session)
{
    return json_pack(
        "{s:s, s:s?, s:s?, s:I, s:I, s:b}", "session_id", session->id,
        "client_reference_id", session->client_reference_id, "reason",
        session->runner.review_reason, "opened_at",
        (json_int_t)idv_time_seconds(session->review_opened_at), "deadline",
        (json_int_t)idv_time_seconds(session->review_deadline), "escalated",
        session->runner.review_escalated);
}

IDV_COMMAND(idv_command_review_list)
{
    idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    idv_session_filter_t filter = {
        .cursor = {.limit = REVIEWS_A_QUERY},
        .status = idv_session_status_value(IDV_STATUS_UNDER_REVIEW),
    };
    apr_array_header_t *records;
    int has_more;

    IDV_TRY(idv_call_organization(call));
    *answer = json_array();
    do {
        IDV_TRY(idv_session_list(call->db, &scope, &filter, &records, &has_more,
                                 call->pool));
        for (int i = 0; i < records->nelts; i++) {
            const idv_session_t *session =
                APR_ARRAY_IDX(records, i, idv_session_record_t *)->session;

            filter.cursor.starting_after = session->id;
            json_array_append_new(*answer, review_json(session));
        }
    } while (has_more);
    return NULL;
}

static const struct {
    const char *name;
    idv_session_input_type_t input;
} decisions[] = {
    {"approve", IDV_INPUT_REVIEW_APPROVE},
    {"reject", IDV_INPUT_REVIEW_REJECT},
    {"escalate", IDV_INPUT_REVIEW_ESCALATE},
};

static idv_error_t *find_decision(const idv_call_t *call,
                                  idv_session_input_type_t *input)
{
    for (size_t i = 0; i < sizeof(decisions) / sizeof(*decisions); i++)
        if (strcmp(decisions[i].name, call->arguments[1]) == 0) {
            *input = decisions[i].input;
            return NULL;
        }
    return idv_error_param(call->pool, "DECISION",
                           "Expected approve, reject or escalate.");
}

IDV_COMMAND(idv_command_review_decide)
{
    idv_session_input_t input = {
        .decided_by = idv_call_option(call, "by"),
        .reason = idv_call_option(call, "note"),
    };
    idv_session_transition_result_t result;
    idv_session_transition_t transition = {
        .session_id = call->arguments[0],
        .input = &input,
        .now = idv_time_now(),
        .keyring = call->keyring,
    };
    idv_session_record_t *record;

    IDV_TRY(find_decision(call, &input.type));
    IDV_TRY(idv_call_text(call, "by", IDV_REVIEWER_MAX));
    IDV_TRY(idv_call_text(call, "note", IDV_REVIEW_REASON_MAX));
    IDV_TRY(idv_session_find_any(call->db, call->arguments[0], &record,
                                 call->pool));
    transition.scope.organization_id = record->session->organization_id;
    IDV_TRY(idv_session_transition(call->db, &transition, &result, call->pool));
    *answer = json_loads(
        idv_session_text(result.record->session, NULL, call->pool), 0, NULL);
    return NULL;
}
