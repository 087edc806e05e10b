/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/command/table.h"
#include "cli/session/evidence_output.h"
#include "domain/request/parameters.h"
#include "domain/session/session_way.h"
#include "store/session/review_work.h"
#include "store/session/session_funnel.h"
#include "store/session/session_timeline.h"
#include "store/workflow/workflow.h"

/* The history of a session, its path through the workflow and, while it is
 * held, the evidence; also the funnel of a day. */

static idv_error_t *find(const idv_call_t *call, idv_session_record_t **record)
{
    return idv_session_find_any(call->db, call->arguments[0], record,
                                call->pool);
}

/* --- timeline --- */

static json_t *entry_json(const idv_timeline_entry_t *entry)
{
    json_t *detail = json_loads(entry->body, JSON_DECODE_ANY, NULL);

    return json_pack("{s:I, s:s, s:o, s:s}", "at",
                     (json_int_t)idv_time_seconds(entry->at), "kind",
                     entry->kind, "detail", detail ? detail : json_null(),
                     "cursor", entry->cursor);
}

IDV_COMMAND(session_timeline)
{
    idv_timeline_filter_t filter = {.cursor = idv_call_option(call, "cursor")};
    idv_session_record_t *record;
    apr_array_header_t *entries;
    int has_more;

    IDV_TRY(idv_call_limit(call, &filter.limit));
    IDV_TRY(find(call, &record));
    filter.session = record->session;
    IDV_TRY(idv_session_timeline(call->db, &filter, &entries, &has_more,
                                 call->pool));
    *answer = json_array();
    for (int i = 0; i < entries->nelts; i++)
        json_array_append_new(*answer, entry_json(&APR_ARRAY_IDX(
                                           entries, i, idv_timeline_entry_t)));
    return NULL;
}

/* --- path --- */

IDV_COMMAND(session_path)
{
    idv_session_record_t *record;
    idv_workflow_t *workflow;
    const idv_session_t *session;

    IDV_TRY(find(call, &record));
    session = record->session;
    IDV_TRY(idv_workflow_of_session(call->db, session, &workflow, call->pool));
    *answer = json_pack("{s:s, s:s, s:s, s:s, s:s?}", "object", "session_path",
                        "session_id", session->id, "workflow_id",
                        session->workflow_id, "workflow_version_id",
                        session->workflow_version_id, "verified_person_id",
                        record->verified_person_id);
    json_object_update(*answer,
                       idv_session_way_json(session, workflow, call->pool));
    return NULL;
}

/* --- evidence --- */

/* The reason must be one of idv_review_look_reasons. */
/* LOOK by the options of the call, at the session of its first argument. */
static idv_error_t *read_look(idv_call_t *call, idv_review_look_t *look)
{
    idv_session_record_t *record;
    int reason = -1;

    IDV_TRY(idv_call_text(call, "by", IDV_REVIEWER_MAX));
    IDV_TRY(idv_call_choice(call, "reason", idv_review_look_reasons, &reason));
    IDV_TRY(find(call, &record));
    look->keyring = call->keyring;
    look->reason = idv_review_look_reasons[reason];
    look->claiming = (idv_review_claiming_t){
        .scope.organization_id = record->session->organization_id,
        .session_id = record->session->id,
        .reviewer = idv_call_option(call, "by"),
        .now = idv_time_now(),
    };
    call->organization_id = look->claiming.scope.organization_id;
    call->reason = look->reason;
    return NULL;
}

IDV_COMMAND(session_fields)
{
    idv_review_look_t look = {0};

    IDV_TRY(read_look(call, &look));
    IDV_TRY(idv_review_look_at_fields(call->db, &look, answer, call->pool));
    *answer = json_deep_copy(*answer);
    return NULL;
}

IDV_COMMAND(session_evidence)
{
    idv_review_look_t look = {.side = call->arguments[1]};
    idv_evidence_t *picture;
    idv_error_t *error;

    IDV_TRY(read_look(call, &look));
    error = idv_review_look(call->db, &look, &picture, call->pool);
    if (error && error->code == IDV_E_RESOURCE_MISSING)
        error->param = look.side;
    IDV_TRY(error);
    return idv_call_put_picture(call, picture, answer);
}

/* --- funnel --- */

IDV_COMMAND(session_funnel)
{
    const apr_int64_t bounds[2] = {0, IDV_LATEST_SECOND};
    const apr_int64_t lengths[2] = {1, 366 * 24};
    idv_funnel_query_t query = {.organization_id = idv_call_option(call, "org"),
                                .now = idv_time_now()};
    apr_int64_t since = (query.now - query.now % IDV_DAY) / IDV_SECOND;
    apr_int64_t hours = 0;

    IDV_TRY(idv_call_number(call, "since", bounds, &since));
    IDV_TRY(idv_call_number(call, "hours", lengths, &hours));
    IDV_TRY(idv_call_organization(call));
    query.from = since * IDV_SECOND;
    query.interval = hours * IDV_HOUR;
    if (idv_funnel_intervals(&query) > IDV_FUNNEL_INTERVALS_MAX)
        return idv_error_param(call->pool, "hours",
                               "That is more than 100 intervals.");
    return idv_session_funnel(call->db, &query, answer, call->pool);
}

/* --- on a terminal --- */

/* The subject of an entry, from the members that describe it best. */
static json_t *summary_of(const json_t *entry, apr_pool_t *pool)
{
    static const char *const names[] = {"type",  "method",     "verdict",
                                        "error", "hint",       "action",
                                        "by",    "reason_code"};
    const json_t *detail = json_object_get(entry, "detail");
    size_t deliveries = json_array_size(json_object_get(detail, "deliveries"));
    const char *text = "";

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const char *word = json_string_value(json_object_get(detail, names[i]));

        if (word)
            text = apr_pstrcat(pool, text, *text ? " " : "", word, NULL);
    }
    if (deliveries)
        text = apr_psprintf(pool, "%s (%d sent)", text, (int)deliveries);
    return json_string(text);
}

static void print_timeline(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    static const char *const columns[] = {"at", "kind", "what", "id", NULL};
    json_t *rows = json_array();
    const json_t *entry;
    size_t i;

    json_array_foreach (answer, i, entry)
        json_array_append_new(
            rows,
            json_pack("{s:O, s:O, s:o, s:O*}", "at",
                      json_object_get(entry, "at"), "kind",
                      json_object_get(entry, "kind"), "what",
                      summary_of(entry, pool), "id",
                      json_object_get(json_object_get(entry, "detail"), "id")));
    idv_table_print(out, rows, columns, pool);
    json_decref(rows);
}

const idv_command_t idv_session_history_commands[] = {
    {.noun = "session",
     .verb = "timeline",
     .arguments = "SESSION_ID",
     .options = {"limit N", "cursor CURSOR"},
     .run = session_timeline,
     .print = print_timeline,
     .help =
         "print what happened to a session, in order: events and their\n"
             "      deliveries, decisions and assessments. --cursor of the last\n"
             "      entry gets the next ones"},
    {.noun = "session",
     .verb = "path",
     .arguments = "SESSION_ID",
     .run = session_path,
     .help = "print which nodes of its workflow a session went through, and\n"
             "      whose session it is, if that is known"},
    {.noun = "session",
     .verb = "funnel",
     .options = {"org! ORG", "since UNIX", "hours N"},
     .run = session_funnel,
     .help =
         "count how the sessions of an organization ended and how far\n"
             "      each method brought people: today's sessions (UTC) or those\n"
             "      since a time, per interval of --hours, at most the newest\n"
             "      5,000"},
    {.noun = "session",
     .verb = "evidence",
     .changes = 1,
     .told = "side",
     .tells_reviewer = 1,
     .needs_keyring = 1,
     .arguments = "SESSION_ID SIDE",
     .options = {"by! WHO", "reason! review|complaint|law", "output! FILE"},
     .run = session_evidence,
     .help =
         "write a picture of a session under review into a new file that\n"
             "      only you can read. The reason review requires that WHO has\n"
             "      claimed the review. The access is recorded, with its reason"},
    {.noun = "session",
     .verb = "fields",
     .changes = 1,
     .tells_reviewer = 1,
     .needs_keyring = 1,
     .arguments = "SESSION_ID",
     .options = {"by! WHO", "reason! review|complaint|law"},
     .run = session_fields,
     .help = "print what was read of the document of a session under review,\n"
             "      by the rules of evidence"},
    {0},
};
