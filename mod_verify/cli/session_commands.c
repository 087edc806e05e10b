/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "store/decision_record.h"
#include "store/session_lookup.h"

/* Sessions: why each ended as it did. */

/* --- as JSON --- */

static json_t *decision_json(const idv_decision_record_t *record)
{
    json_t *json = json_pack(
        "{s:i, s:s, s:s, s:I}", "submission", record->submission, "method",
        record->method, "verdict", record->verdict, "decided_at",
        (json_int_t)idv_time_seconds(record->decided));

    json_object_update(json, record->record);
    return json;
}

/* What every session has; personal data stays where it is. */
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
    return NULL;
}

/* --- as a table --- */

static const char *text_at(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static int width_of(const json_t *list, const char *name)
{
    size_t width = strlen(name), i;
    const json_t *item;

    json_array_foreach (list, i, item)
        if (strlen(text_at(item, name)) > width)
            width = strlen(text_at(item, name));
    return (int)width;
}

/* The columns NAMES, ending with NULL, of the objects in LIST. */
static void print_table(FILE *out, const json_t *list, const char *const *names)
{
    const json_t *item;
    size_t i;

    if (json_array_size(list) == 0)
        return;
    for (const char *const *name = names; *name; name++)
        fprintf(out, "  %-*s", width_of(list, *name), *name);
    fputc('\n', out);
    json_array_foreach (list, i, item) {
        for (const char *const *name = names; *name; name++)
            fprintf(out, "  %-*s", width_of(list, *name),
                    text_at(item, *name));
        fputc('\n', out);
    }
}

static void print_decision(FILE *out, const json_t *decision, apr_pool_t *pool)
{
    static const char *const checks[] = {"check", "result", "reason", NULL};
    static const char *const basis[] = {"kind", "id", "version", NULL};
    const json_t *doubts = json_object_get(decision, "doubts"), *doubt;
    idv_time_t decided =
        IDV_SECOND * json_integer_value(json_object_get(decision, "decided_at"));
    size_t i;

    fprintf(out, "\n%d. %s: %s  %s %s%s\n",
            (int)json_integer_value(json_object_get(decision, "submission")),
            text_at(decision, "method"), text_at(decision, "verdict"),
            idv_time_iso8601(decided, pool), text_at(decision, "error"),
            text_at(decision, "hint"));
    json_array_foreach (doubts, i, doubt)
        fprintf(out, "  in doubt: %s\n", json_string_value(doubt));
    print_table(out, json_object_get(decision, "checks"), checks);
    fputc('\n', out);
    print_table(out, json_object_get(decision, "basis"), basis);
}

static void print_explanation(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    const json_t *decisions = json_object_get(answer, "decisions"), *decision;
    size_t i;

    fprintf(out, "%s: %s %s\n", text_at(answer, "session_id"),
            text_at(answer, "status"), text_at(answer, "last_error"));
    if (json_array_size(decisions) == 0)
        fputs("\nNo submission was decided.\n", out);
    json_array_foreach (decisions, i, decision)
        print_decision(out, decision, pool);
}

const idv_command_t idv_session_commands[] = {
    {.noun = "session",
     .verb = "explain",
     .arguments = "SESSION_ID",
     .run = session_explain,
     .print = print_explanation,
     .help = "print the checks of each submission and the versions that its\n"
             "      decision rests on; as a table on a terminal"},
    {0},
};
