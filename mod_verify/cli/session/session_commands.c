/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <stdio.h>
#include <string.h>

#include "cli/command/table.h"
#include "cli/session/code_meaning.h"
#include "domain/request/parameters.h"
#include "domain/session/session_view.h"
#include "domain/session/session_way.h"
#include "store/session/decision_record.h"
#include "store/session/review_work.h"
#include "store/session/session_lookup.h"
#include "store/transaction/session_transition.h"
#include "store/workflow/workflow.h"

/* Sessions: list them, show one, and explain why it ended as it did. */

/* --- look-ups --- */

static const char *const statuses[] = {
#define X(name, value, open) value,
    IDV_SESSION_STATUSES(X)
#undef X
        NULL};
static const char *const risk_tiers[] = {"clear", "review", "block", "bot",
                                         NULL};

/* Members of the API's object that are about a person, or that the customer may
 * have derived from one. */
static const char *const personal[] = {
    "client_reference_id", "metadata",
    "custom_user_message", "user_message",
    "return_url",          "cancel_url",
    "verification_result", "jurisdiction_audit_ip_derived",
    "verified_person_id",  NULL};

/* The session as the API shows it, without personal data unless the operator
 * requested that. */
static json_t *api_session(const idv_call_t *call, const idv_session_t *session)
{
    const idv_session_view_t view = {
        .expand_results = idv_call_option(call, "results") != NULL,
        .expand_document = idv_call_option(call, "document") != NULL,
    };
    json_t *json =
        json_loads(idv_session_text(session, &view, call->pool), 0, NULL);

    if (!idv_call_option(call, "personal"))
        for (const char *const *name = personal; *name; name++)
            json_object_del(json, *name);
    return json;
}

/* The value of OPTION, which must be one of CHOICES; NULL if it was not
 * given. */
static idv_error_t *read_choice(const idv_call_t *call, const char *option,
                                const char *const *choices, const char **value)
{
    int index = -1;

    IDV_TRY(idv_call_choice(call, option, choices, &index));
    *value = index < 0 ? NULL : choices[index];
    return NULL;
}

static json_t *row_json(const idv_call_t *call,
                        const idv_session_record_t *record)
{
    const idv_session_t *session = record->session;
    json_t *row = json_pack(
        "{s:s, s:s, s:s, s:s, s:s?, s:s?, s:s?, s:s, s:I, s:I, s:I}", "id",
        session->id, "object", "verification_session", "status",
        idv_session_status_value(session->status), "type",
        idv_session_type_value(session->type), "node", session->runner.node,
        "last_error", session->last_error.code, "risk_tier", record->risk_tier,
        "workflow_id", session->workflow_id, "created",
        (json_int_t)idv_time_seconds(session->created), "updated",
        (json_int_t)idv_time_seconds(session->updated), "revision",
        (json_int_t)session->revision);

    if (idv_call_option(call, "personal"))
        json_object_set_new(row, "client_reference_id",
                            session->client_reference_id
                                ? json_string(session->client_reference_id)
                                : json_null());
    return row;
}

IDV_COMMAND(session_list)
{
    const idv_scope_t scope = {
        .organization_id = idv_call_option(call, "org"),
        .application_id = idv_call_option(call, "app"),
    };
    idv_session_filter_t filter = {
        .cursor.starting_after = idv_call_option(call, "starting-after"),
        .search = idv_call_option(call, "search"),
        .workflow_id = idv_call_option(call, "workflow"),
    };
    const apr_int64_t times[2] = {0, IDV_LATEST_SECOND};
    apr_int64_t since = 0, until = IDV_LATEST_SECOND;
    apr_array_header_t *records;
    int has_more;

    IDV_TRY(idv_call_limit(call, &filter.cursor.limit));
    IDV_TRY(read_choice(call, "status", statuses, &filter.status));
    IDV_TRY(read_choice(call, "risk-tier", risk_tiers, &filter.risk_tier));
    IDV_TRY(idv_call_text(call, "search", IDV_CLIENT_REFERENCE_ID_MAX));
    IDV_TRY(idv_call_number(call, "since", times, &since));
    IDV_TRY(idv_call_number(call, "until", times, &until));
    filter.created_from = since * IDV_SECOND;
    filter.created_before = until * IDV_SECOND;
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_session_list(
        call->db,
        &(const idv_session_query_t){.scope = scope, .filter = filter},
        &records, &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < records->nelts; i++)
        json_array_append_new(
            *answer,
            row_json(call, APR_ARRAY_IDX(records, i, idv_session_record_t *)));
    return NULL;
}

/* Adds to OBJECT the nodes that SESSION passed. */
static idv_error_t *add_path(const idv_call_t *call,
                             const idv_session_t *session, json_t *object)
{
    idv_workflow_t *workflow;

    IDV_TRY(idv_workflow_of_session(call->db, session, &workflow, call->pool));
    json_object_set(object, "path",
                    idv_session_way_json(session, workflow, call->pool));
    return NULL;
}

IDV_COMMAND(session_show)
{
    idv_session_record_t *record;

    if (idv_call_option(call, "document") && !idv_call_option(call, "personal"))
        return idv_error_param(call->pool, "document",
                               "Data of a document is personal: add "
                               "--personal.");
    IDV_TRY(idv_session_find_any(call->db, call->arguments[0], &record,
                                 call->pool));
    *answer = api_session(call, record->session);
    json_object_set_new(*answer, "organization_id",
                        json_string(record->session->organization_id));
    json_object_set_new(*answer, "node",
                        record->session->runner.node
                            ? json_string(record->session->runner.node)
                            : json_null());
    return add_path(call, record->session, *answer);
}

/* --- explanations --- */

static const char *text_at(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

/* --- as JSON --- */

/* Sets the member TOLD of OBJECT to the meaning of the code in its member NAME,
 * if the code is known. */
static void add_meaning(json_t *object, const char *name, idv_code_kind_t kind,
                        const char *told)
{
    const char *meaning = idv_code_meaning(kind, text_at(object, name));

    if (meaning)
        json_object_set_new(object, told, json_string(meaning));
}

static json_t *decision_json(const idv_decision_record_t *record)
{
    json_t *json = json_pack(
        "{s:i, s:s, s:s, s:I}", "submission", record->submission, "method",
        record->method, "verdict", record->verdict, "decided_at",
        (json_int_t)idv_time_seconds(record->decided));
    json_t *check;
    size_t i;

    json_object_update(json, record->record);
    add_meaning(json, "error", IDV_CODE_FAILURE, "error_meaning");
    add_meaning(json, "hint", IDV_CODE_HINT, "hint_meaning");
    add_meaning(json, "session_error", IDV_CODE_FAILURE,
                "session_error_meaning");
    json_array_foreach (json_object_get(json, "checks"), i, check)
        add_meaning(check, "reason", IDV_CODE_REASON, "meaning");
    return json;
}

/* The findings of passive checks. A session that such a node has ended has no
 * submission. */
static json_t *assessment_json(const json_t *assessment)
{
    const json_t *details = json_object_get(assessment, "signal_details");
    const json_t *signal;
    json_t *signals = json_array();
    size_t i;

    json_array_foreach (details, i, signal)
        if (json_is_true(json_object_get(signal, "triggered")))
            json_array_append_new(
                signals,
                json_pack("{s:O, s:O, s:O}", "name",
                          json_object_get(signal, "name"), "points",
                          json_object_get(signal, "points"), "reason",
                          json_object_get(signal, "reason")));
    return json_pack("{s:O, s:O, s:O, s:O, s:o}", "id",
                     json_object_get(assessment, "id"), "risk_level",
                     json_object_get(assessment, "risk_level"), "risk_score",
                     json_object_get(assessment, "risk_score"), "created",
                     json_object_get(assessment, "created"), "signals", signals);
}

static idv_error_t *add_assessments(const idv_call_t *call,
                                    const idv_session_t *session,
                                    json_t *object)
{
    json_t *list, *told = json_array();
    const json_t *assessment;
    size_t i;

    json_object_set_new(object, "risk_assessments", told);
    IDV_TRY(idv_review_assessments(call->db, session, &list, call->pool));
    json_array_foreach (list, i, assessment)
        json_array_append_new(told, assessment_json(assessment));
    return NULL;
}

/* Members of every session; personal data is left out. */
static json_t *session_json(const idv_session_t *session)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s?, s:s, s:s?, s:s?, s:s?, s:I}", "session_id",
        session->id, "object", "session_explanation", "organization_id",
        session->organization_id, "application_id", session->application_id,
        "status", idv_session_status_value(session->status), "last_error",
        session->last_error.code, "workflow_id", session->workflow_id,
        "workflow_version_id", session->workflow_version_id, "created",
        (json_int_t)idv_time_seconds(session->created));
}

IDV_COMMAND(session_explain)
{
    idv_session_record_t *record;
    apr_array_header_t *decisions;
    json_t *list = json_array();

    IDV_TRY(idv_session_find_any(call->db, call->arguments[0], &record,
                                 call->pool));
    IDV_TRY(idv_decision_record_list(call->db, record->session, &decisions,
                                     call->pool));
    for (int i = 0; i < decisions->nelts; i++)
        json_array_append_new(list,
                              decision_json(&APR_ARRAY_IDX(
                                  decisions, i, idv_decision_record_t)));
    *answer = session_json(record->session);
    json_object_set_new(*answer, "decisions", list);
    add_meaning(*answer, "last_error", IDV_CODE_FAILURE, "last_error_meaning");
    IDV_TRY(add_assessments(call, record->session, *answer));
    return add_path(call, record->session, *answer);
}

/* --- as a table --- */

/* Prints the member NAME of OBJECT on a line of its own, or nothing if there is
 * none. */
static void print_meaning(FILE *out, const char *lead, const json_t *object,
                          const char *name)
{
    const char *text = text_at(object, name);

    if (*text)
        fprintf(out, "  %s%s\n", lead, text);
}

/* Which checks prevented success, and what that means, since the table holds
 * only codes. */
static void print_objections(FILE *out, const json_t *checks)
{
    const json_t *check;
    size_t i;

    json_array_foreach (checks, i, check)
        if (strcmp(text_at(check, "result"), "passed") != 0
            && *text_at(check, "reason"))
            fprintf(out, "  %s %s: %s\n", text_at(check, "check"),
                    text_at(check, "result"),
                    *text_at(check, "meaning") ? text_at(check, "meaning")
                                               : text_at(check, "reason"));
}

static void print_assessments(FILE *out, const json_t *assessments)
{
    const json_t *assessment, *signal;
    size_t i, at;

    json_array_foreach (assessments, i, assessment) {
        fprintf(out, "\nPassive checks: %s risk, %d of 100 points\n",
                text_at(assessment, "risk_level"),
                (int)json_integer_value(
                    json_object_get(assessment, "risk_score")));
        json_array_foreach (json_object_get(assessment, "signals"), at, signal)
            fprintf(out, "  %s, %d points: %s\n", text_at(signal, "name"),
                    (int)json_integer_value(json_object_get(signal, "points")),
                    text_at(signal, "reason"));
    }
}

static void print_decision(FILE *out, const json_t *decision, apr_pool_t *pool)
{
    static const char *const checks[] = {"check", "result", "reason", NULL};
    static const char *const basis[] = {"kind", "id", "version", NULL};
    const json_t *doubts = json_object_get(decision, "doubts"), *doubt;
    idv_time_t decided =
        IDV_SECOND * json_integer_value(json_object_get(decision, "decided_at"));
    const char *taken = text_at(decision, "session_verdict");
    size_t i;

    fprintf(out, "\n%d. %s: %s  %s %s%s\n",
            (int)json_integer_value(json_object_get(decision, "submission")),
            text_at(decision, "method"), text_at(decision, "verdict"),
            idv_time_iso8601(decided, pool), text_at(decision, "error"),
            text_at(decision, "hint"));
    /* Records of earlier versions lack it. */
    if (*taken && strcmp(taken, text_at(decision, "verdict")) != 0)
        fprintf(out, "  the session took it as %s: %s\n", taken,
                text_at(decision, "session_error"));
    print_meaning(out, "> ", decision, "error_meaning");
    print_meaning(out, "> ", decision, "hint_meaning");
    if (!*text_at(decision, "error"))
        print_meaning(out, "> ", decision, "session_error_meaning");
    json_array_foreach (doubts, i, doubt)
        fprintf(out, "  in doubt: %s\n", json_string_value(doubt));
    print_objections(out, json_object_get(decision, "checks"));
    fputc('\n', out);
    idv_table_print(out, json_object_get(decision, "checks"), checks, pool);
    fputc('\n', out);
    idv_table_print(out, json_object_get(decision, "basis"), basis, pool);
}

static void print_path(const json_t *path, FILE *out, apr_pool_t *pool)
{
    static const char *const columns[] = {"node", "type", "entered_at", "exits",
                                          NULL};

    fputc('\n', out);
    idv_table_print(out, json_object_get(path, "nodes"), columns, pool);
    if (json_is_false(json_object_get(path, "is_whole")))
        fputs("The path was not recorded completely.\n", out);
}

static void print_explanation(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    const json_t *decisions = json_object_get(answer, "decisions"), *decision;
    size_t i;

    fprintf(out, "%s: %s %s\n", text_at(answer, "session_id"),
            text_at(answer, "status"), text_at(answer, "last_error"));
    print_meaning(out, "", answer, "last_error_meaning");
    print_path(json_object_get(answer, "path"), out, pool);
    print_assessments(out, json_object_get(answer, "risk_assessments"));
    if (json_array_size(decisions) == 0)
        fputs("\nNo submission has been decided.\n", out);
    json_array_foreach (decisions, i, decision)
        print_decision(out, decision, pool);
}

static const char *const list_columns[] = {
    "id",          "status",  "type",    "node",
    "risk_tier",   "last_error", "created", "client_reference_id",
    NULL};

/* --- ending and holding --- */

/* As in the dashboard, the rules about the owner of a review and about two
 * people also apply to ending it by a cancellation. */
static idv_error_t *may_cancel(idv_db_t *db, void *baton,
                               idv_session_record_t *after, apr_pool_t *pool)
{
    (void)after;
    return idv_review_may_decide(db, baton, IDV_DECISION_REJECT, pool);
}

/* Applies INPUT to the session and answers with its new state. */
static idv_error_t *change(idv_call_t *call, idv_session_input_t *input,
                           json_t **answer)
{
    idv_review_claiming_t claiming = {.reviewer = idv_call_option(call, "by"),
                                      .now = idv_time_now()};
    idv_session_transition_t transition = {
        .input = input,
        .condition = input->type == IDV_INPUT_CANCEL ? may_cancel : NULL,
        .baton = &claiming,
        .now = claiming.now,
        .keyring = call->keyring,
    };
    idv_session_transition_result_t result;
    idv_session_record_t *record;

    IDV_TRY(idv_call_text(call, "by", IDV_REVIEWER_MAX));
    IDV_TRY(idv_session_find_any(call->db, call->arguments[0], &record,
                                 call->pool));
    call->organization_id = record->session->organization_id;
    claiming.scope.organization_id = call->organization_id;
    claiming.session_id = record->session->id;
    transition.scope = claiming.scope;
    transition.session_id = claiming.session_id;
    input->decided_by = claiming.reviewer;
    IDV_TRY(idv_session_transition(call->db, &transition, &result, call->pool));
    *answer = json_pack(
        "{s:s, s:s, s:s}", "id", claiming.session_id, "object",
        "verification_session", "status",
        idv_session_status_value(result.record->session->status));
    return NULL;
}

IDV_COMMAND(session_cancel)
{
    idv_session_input_t input = {.type = IDV_INPUT_CANCEL};

    return change(call, &input, answer);
}

IDV_COMMAND(session_flag)
{
    idv_session_input_t input = {.type = IDV_INPUT_FLAG,
                                 .reason = idv_call_option(call, "reason")};

    IDV_TRY(idv_call_text(call, "reason", IDV_REVIEW_REASON_MAX));
    return change(call, &input, answer);
}

const idv_command_t idv_session_commands[] = {
    {.noun = "session",
     .verb = "list",
     .options = {"org! ORG", "app APP", "status STATUS", "risk-tier TIER",
                 "workflow WF_ID", "search TEXT", "since UNIX", "until UNIX",
                 "limit N", "starting-after SESSION_ID", "personal?"},
     .run = session_list,
     .columns = list_columns,
     .help = "list sessions, newest first. --search finds IDs by their\n"
             "      beginning and references by any part. --personal also shows\n"
             "      the customer's references"},
    {.noun = "session",
     .verb = "show",
     .arguments = "SESSION_ID",
     .options = {"personal?", "results?", "document?"},
     .run = session_show,
     .help = "print a session as the API returns it. --personal adds\n"
             "      personal data, --results the result of each submission,\n"
             "      --document the data of the document"},
    {.noun = "session",
     .verb = "explain",
     .arguments = "SESSION_ID",
     .run = session_explain,
     .print = print_explanation,
     .help = "print the nodes that a session went through, what passive\n"
             "      checks saw, the checks of each submission, the meaning of each\n"
             "      failed check, and the versions that the decision was based on;\n"
             "      as a table on a terminal"},
    {.noun = "session",
     .verb = "cancel",
     .changes = 1,
     .arguments = "SESSION_ID",
     .options = {"by! WHO"},
     .needs_keyring = 1,
     .run = session_cancel,
     .help = "end a session that is open or under review"},
    {.noun = "session",
     .verb = "flag",
     .changes = 1,
     .arguments = "SESSION_ID",
     .options = {"by! WHO", "reason TEXT"},
     .needs_keyring = 1,
     .run = session_flag,
     .help = "hold a verified session for a review"},
    {0},
};
