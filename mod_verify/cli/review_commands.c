/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <string.h>

#include "domain/parameters.h"
#include "domain/session_view.h"
#include "store/review.h"
#include "store/session_transition.h"

/* Reviews: what waits for a person's decision, the decision, its record. */

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

IDV_COMMAND(review_list)
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

/* A time as Unix seconds, or null. New reference. */
static json_t *time_json(idv_time_t time)
{
    return time ? json_integer((json_int_t)idv_time_seconds(time))
                : json_null();
}

static json_t *entries_json(const apr_array_header_t *entries)
{
    json_t *array = json_array();

    for (int i = 0; i < entries->nelts; i++) {
        const idv_review_row_t *entry =
            &APR_ARRAY_IDX(entries, i, idv_review_row_t);

        json_array_append_new(
            array, json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?, s:o, s:o}", "id",
                             entry->id, "object", "review_entry", "session_id",
                             entry->session_id, "action", entry->action, "by",
                             entry->actor, "note", entry->note, "deadline",
                             time_json(entry->deadline), "created",
                             time_json(entry->created)));
    }
    return array;
}

IDV_COMMAND(review_show)
{
    idv_session_record_t *record;
    apr_array_header_t *entries;

    IDV_TRY(idv_session_find_any(call->db, call->arguments[0], &record,
                                 call->pool));
    IDV_TRY(idv_review_list_of_session(call->db, record->session, &entries,
                                       call->pool));
    *answer = json_pack(
        "{s:s, s:s, s:s, s:o}", "session_id", record->session->id,
        "organization_id", record->session->organization_id, "status",
        idv_session_status_value(record->session->status), "entries",
        entries_json(entries));
    return NULL;
}

IDV_COMMAND(review_ended)
{
    apr_array_header_t *entries;
    int limit;

    IDV_TRY(idv_call_limit(call, &limit));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_review_list_ended(
        call->db, idv_call_option(call, "org"),
        idv_call_option(call, "starting-after"), limit, &entries,
        call->pool));
    *answer = entries_json(entries);
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

/* The law that an approval is held to, of the directory whose path the server
 * is given by the same name. */
static idv_error_t *read_law(const idv_call_t *call,
                             const idv_compliance_rules_t **law)
{
    idv_compliance_rules_t *rules;
    apr_array_header_t *faults;

    IDV_TRY(idv_compliance_directory_read(call->compliance_rules, &rules,
                                          &faults, call->pool));
    if (!rules)
        return idv_error_param(call->pool, NULL,
                               "The compliance rules are not usable (%d "
                               "faults), and an approval is held to them.",
                               faults->nelts);
    *law = rules;
    return NULL;
}

IDV_COMMAND(review_decide)
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
    if (idv_session_input_is_held_to_law(input.type))
        IDV_TRY(read_law(call, &transition.compliance));
    transition.scope.organization_id = record->session->organization_id;
    call->organization_id = record->session->organization_id;
    IDV_TRY(idv_session_transition(call->db, &transition, &result, call->pool));
    *answer = json_loads(
        idv_session_text(result.record->session, NULL, call->pool), 0, NULL);
    return NULL;
}

const idv_command_t idv_review_commands[] = {
    {.noun = "review",
     .verb = "list",
     .options = {"org! ORG"},
     .run = review_list,
     .help = "list the open reviews of an organization"},
    {.noun = "review",
     .verb = "ended",
     .options = {"org! ORG", "limit N", "starting-after ENTRY_ID"},
     .run = review_ended,
     .help = "list how reviews of an organization ended, newest first"},
    {.noun = "review",
     .verb = "show",
     .arguments = "SESSION_ID",
     .run = review_show,
     .help = "print what was done about a session's reviews, by whom and why"},
    {.noun = "review",
     .verb = "decide",
     .changes = 1,
     .arguments = "SESSION_ID approve|reject|escalate",
     .options = {"by! WHO", "note TEXT"},
     .needs_keyring = 1,
     .run = review_decide,
     .help = "approve, reject or escalate a session under review"},
    {0},
};
