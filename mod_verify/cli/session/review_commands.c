/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include "domain/law/compliance_directory.h"
#include "domain/request/parameters.h"
#include "store/session/review.h"
#include "store/session/review_case.h"
#include "store/session/review_work.h"
#include "store/session/second_review.h"
#include "store/transaction/session_transition.h"

/* Reviews: sessions that wait for a person's decision, decisions, and their
 * record. */

/* --- the queue --- */

/* A time in Unix seconds, or null. New reference. */
static json_t *time_json(idv_time_t time)
{
    return time ? json_integer((json_int_t)idv_time_seconds(time))
                : json_null();
}

static json_t *item_json(const idv_review_item_t *item)
{
    return json_pack(
        "{s:s, s:s?, s:s?, s:o, s:o, s:b, s:b, s:s, s:s, s:s?, s:s?, s:s?, "
        "s:o, s:s}",
        "session_id", item->session_id, "client_reference_id",
        item->client_reference_id, "reason", item->reason, "opened_at",
        time_json(item->opened_at), "deadline", time_json(item->deadline),
        "escalated", item->escalated, "flagged", item->flagged, "type",
        item->type, "workflow_id", item->workflow_id, "node", item->node,
        "risk_tier", item->risk_tier, "claimed_by", item->claim.reviewer,
        "claim_expires_at", time_json(item->claim.expires_at), "cursor",
        item->cursor);
}

IDV_COMMAND(review_list)
{
    idv_review_filter_t filter = {
        .organization_id = idv_call_option(call, "org"),
        .cursor = idv_call_option(call, "cursor"),
        .unclaimed = idv_call_option(call, "unclaimed") != NULL,
        .now = idv_time_now(),
    };
    apr_array_header_t *items;
    int has_more;

    IDV_TRY(idv_call_limit(call, &filter.limit));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_review_queue(call->db, &filter, &items, &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < items->nelts; i++)
        json_array_append_new(
            *answer, item_json(&APR_ARRAY_IDX(items, i, idv_review_item_t)));
    return NULL;
}

/* --- claims --- */

/* The parameters and result of claiming or releasing a review. */
typedef struct {
    idv_review_claiming_t claiming;
    idv_review_claim_t claim;
} claim_work_t;

static idv_error_t *claim_work(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    claim_work_t *work = baton;

    return idv_review_claim(db, &work->claiming, &work->claim, pool);
}

/* The session in the first argument, for the reviewer of --by. */
static idv_error_t *read_claiming(idv_call_t *call,
                                  idv_review_claiming_t *claiming)
{
    idv_session_record_t *record;

    IDV_TRY(idv_call_text(call, "by", IDV_REVIEWER_MAX));
    IDV_TRY(idv_session_find_any(call->db, call->arguments[0], &record,
                                 call->pool));
    *claiming = (idv_review_claiming_t){
        .scope.organization_id = record->session->organization_id,
        .session_id = record->session->id,
        .reviewer = idv_call_option(call, "by"),
        .now = idv_time_now(),
    };
    call->organization_id = claiming->scope.organization_id;
    return NULL;
}

static json_t *claim_json(const idv_review_claiming_t *claiming,
                          const idv_review_claim_t *claim)
{
    return json_pack("{s:s, s:s, s:s?, s:o, s:o}", "object", "review_claim",
                     "session_id", claiming->session_id, "reviewer",
                     claim->reviewer, "claimed_at", time_json(claim->claimed),
                     "expires_at", time_json(claim->expires_at));
}

IDV_COMMAND(review_claim)
{
    claim_work_t work;

    IDV_TRY(read_claiming(call, &work.claiming));
    IDV_TRY(idv_db_transaction(call->db, claim_work, &work, call->pool));
    *answer = claim_json(&work.claiming, &work.claim);
    return NULL;
}

IDV_COMMAND(review_release)
{
    idv_review_claiming_t claiming;
    const idv_review_claim_t none = {0};

    IDV_TRY(read_claiming(call, &claiming));
    IDV_TRY(idv_review_release(call->db, &claiming, call->pool));
    *answer = claim_json(&claiming, &none);
    return NULL;
}

/* --- notes, assignments, the queue in numbers --- */

/* What is added to the case of a review: a note, or else an assignment. */
typedef struct {
    idv_review_claiming_t claiming;
    const char *text, *assignee;
} case_work_t;

static idv_error_t *case_work(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const case_work_t *work = baton;

    return work->text
             ? idv_review_add_note(db, &work->claiming, work->text, pool)
             : idv_review_assign(db, &work->claiming, work->assignee, pool);
}

static idv_error_t *change_case(idv_call_t *call, case_work_t *work)
{
    IDV_TRY(read_claiming(call, &work->claiming));
    return idv_db_transaction(call->db, case_work, work, call->pool);
}

IDV_COMMAND(review_note)
{
    case_work_t work = {.text = idv_call_option(call, "text")};

    IDV_TRY(idv_call_text(call, "text", IDV_REVIEW_REASON_MAX));
    IDV_TRY(change_case(call, &work));
    *answer = json_pack("{s:s, s:s}", "object", "review_note", "session_id",
                        work.claiming.session_id);
    return NULL;
}

IDV_COMMAND(review_assign)
{
    case_work_t work = {.assignee = idv_call_option(call, "to")};

    IDV_TRY(idv_call_text(call, "to", IDV_REVIEWER_MAX));
    IDV_TRY(change_case(call, &work));
    *answer = json_pack("{s:s, s:s, s:s?}", "object", "review_assignment",
                        "session_id", work.claiming.session_id, "assignee",
                        work.assignee);
    return NULL;
}

IDV_COMMAND(review_queue)
{
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_review_summary(call->db, idv_call_option(call, "org"),
                               idv_time_now(), answer, call->pool));
    *answer = json_deep_copy(*answer);
    return NULL;
}

/* --- details --- */

static json_t *entries_json(const apr_array_header_t *entries)
{
    json_t *array = json_array();

    for (int i = 0; i < entries->nelts; i++)
        json_array_append_new(
            array, idv_review_entry_json(
                       &APR_ARRAY_IDX(entries, i, idv_review_row_t)));
    return array;
}

IDV_COMMAND(review_show)
{
    idv_session_record_t *record;

    IDV_TRY(idv_session_find_any(call->db, call->arguments[0], &record,
                                 call->pool));
    IDV_TRY(idv_review_detail(call->db, record->session, idv_time_now(), answer,
                              call->pool));
    json_object_set_new(*answer, "session_id",
                        json_string(record->session->id));
    json_object_set_new(*answer, "organization_id",
                        json_string(record->session->organization_id));
    json_object_set_new(
        *answer, "status",
        json_string(idv_session_status_value(record->session->status)));
    return NULL;
}

IDV_COMMAND(review_ended)
{
    apr_array_header_t *entries;
    int limit;

    IDV_TRY(idv_call_limit(call, &limit));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_review_list_ended(
        call->db,
        &(const idv_ended_reviews_query_t){
            .organization_id = idv_call_option(call, "org"),
            .after = idv_call_option(call, "starting-after"),
            .limit = limit},
        &entries, call->pool));
    *answer = entries_json(entries);
    return NULL;
}

/* --- decisions --- */

static idv_error_t *find_decision(const idv_call_t *call,
                                  idv_decision_t *decision)
{
    *decision = idv_decision_parse(call->arguments[1]);
    return *decision == IDV_DECISION_NONE
             ? idv_error_param(call->pool, "DECISION",
                               "Expected approve, reject or escalate.")
             : NULL;
}

/* A decision and the session that it decides. */
typedef struct {
    idv_review_claiming_t claiming;
    idv_decision_t decision;
} decision_work_t;

static idv_error_t *may_decide(idv_db_t *db, void *baton,
                               idv_session_record_t *after, apr_pool_t *pool)
{
    const decision_work_t *work = baton;

    (void)after;
    return idv_review_may_decide(db, &work->claiming, work->decision, pool);
}

/* The law that an approval must satisfy, from the directory that the server
 * gets under the same name. */
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
                               "faults), and approvals must be checked "
                               "against them.",
                               faults->nelts);
    *law = rules;
    return NULL;
}

/* The result of a decision, without anything about the person. */
static json_t *decided_json(const idv_session_t *session,
                            idv_decision_t decision)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s?, s:o, s:o}", "id", session->id,
        "object", "verification_session", "organization_id",
        session->organization_id, "decision", idv_review_decisions[decision],
        "status", idv_session_status_value(session->status), "last_error",
        session->last_error.code, "review_deadline_at",
        time_json(session->review_deadline), "completed_at",
        time_json(session->completed_at));
}

IDV_COMMAND(review_decide)
{
    static const idv_session_input_type_t inputs[IDV_DECISION_COUNT] = {
        [IDV_DECISION_APPROVE] = IDV_INPUT_REVIEW_APPROVE,
        [IDV_DECISION_REJECT] = IDV_INPUT_REVIEW_REJECT,
        [IDV_DECISION_ESCALATE] = IDV_INPUT_REVIEW_ESCALATE,
    };
    idv_session_input_t input = {
        .decided_by = idv_call_option(call, "by"),
        .reason = idv_call_option(call, "note"),
        .reason_code = idv_call_option(call, "reason"),
    };
    decision_work_t work;
    idv_session_transition_result_t result;
    idv_session_transition_t transition = {
        .session_id = call->arguments[0],
        .input = &input,
        .condition = may_decide,
        .baton = &work,
        .now = idv_time_now(),
        .keyring = call->keyring,
    };

    IDV_TRY(find_decision(call, &work.decision));
    input.type = inputs[work.decision];
    IDV_TRY(idv_call_text(call, "note", IDV_REVIEW_REASON_MAX));
    IDV_TRY(read_claiming(call, &work.claiming));
    if (idv_session_input_is_held_to_law(input.type))
        IDV_TRY(read_law(call, &transition.compliance));
    transition.scope = work.claiming.scope;
    IDV_TRY(idv_session_transition(call->db, &transition, &result, call->pool));
    *answer = decided_json(result.record->session, work.decision);
    return NULL;
}

/* --- agreement of reviewers --- */

/* The figures, with the share of decisions that are decided again. */
static idv_error_t *tell_agreement(idv_call_t *call, int percent,
                                   json_t **answer)
{
    const char *organization_id = idv_call_option(call, "org");

    IDV_TRY(idv_second_review_percent(call->db, organization_id, &percent,
                                      call->pool));
    IDV_TRY(idv_second_review_agreement(call->db, organization_id, answer,
                                        call->pool));
    json_object_set_new(*answer, "object", json_string("review_agreement"));
    json_object_set_new(*answer, "percent", json_integer(percent));
    return NULL;
}

IDV_COMMAND(review_agreement)
{
    return tell_agreement(call, -1, answer);
}

IDV_COMMAND(review_sample)
{
    const apr_int64_t bounds[2] = {0, 100};
    apr_int64_t percent = -1;

    IDV_TRY(idv_call_number(call, "percent", bounds, &percent));
    return tell_agreement(call, (int)percent, answer);
}

static const char *const queue_columns[] = {
    "session_id", "deadline",   "reason",           "node",   "risk_tier",
    "escalated",  "claimed_by", "claim_expires_at", NULL};
static const char *const entry_columns[] = {
    "session_id", "action", "by", "reason_code", "created", NULL};

const idv_command_t idv_review_commands[] = {
    {.noun = "review",
     .verb = "list",
     .options = {"org! ORG", "unclaimed?", "limit N", "cursor CURSOR"},
     .run = review_list,
     .columns = queue_columns,
     .help = "list the open reviews of an organization, the next deadline\n"
             "      first. --cursor of the last entry gets the next ones"},
    {.noun = "review",
     .verb = "claim",
     .changes = 1,
     .tells_reviewer = 1,
     .arguments = "SESSION_ID",
     .options = {"by! WHO"},
     .run = review_claim,
     .help = "reserve a session for one reviewer for ten minutes"},
    {.noun = "review",
     .verb = "release",
     .changes = 1,
     .tells_reviewer = 1,
     .arguments = "SESSION_ID",
     .options = {"by! WHO"},
     .run = review_release,
     .help = "release a claimed session"},
    {.noun = "review",
     .verb = "queue",
     .options = {"org! ORG"},
     .run = review_queue,
     .help = "count the open reviews of an organization by deadline,\n"
             "      workflow and reason"},
    {.noun = "review",
     .verb = "assign",
     .changes = 1,
     .tells_reviewer = 1,
     .arguments = "SESSION_ID",
     .options = {"by! WHO", "to WHO"},
     .run = review_assign,
     .help = "assign a review to a reviewer; without --to, to nobody"},
    {.noun = "review",
     .verb = "note",
     .changes = 1,
     .tells_reviewer = 1,
     .arguments = "SESSION_ID",
     .options = {"by! WHO", "text! TEXT"},
     .run = review_note,
     .help = "add a note to a review. Only operators see it"},
    {.noun = "review",
     .verb = "ended",
     .options = {"org! ORG", "limit N", "starting-after ENTRY_ID"},
     .run = review_ended,
     .columns = entry_columns,
     .help = "list how reviews of an organization ended, newest first"},
    {.noun = "review",
     .verb = "show",
     .arguments = "SESSION_ID",
     .run = review_show,
     .help = "print what was done in a session's reviews, by whom and why,\n"
             "      and what is known about the session: checks, assessments,\n"
             "      other sessions"},
    {.noun = "review",
     .verb = "decide",
     .changes = 1,
     .arguments = "SESSION_ID approve|reject|escalate",
     .options = {"by! WHO", "note TEXT", "reason CODE"},
     .needs_keyring = 1,
     .run = review_decide,
     .help = "approve, reject or escalate a session under review, and print\n"
             "      the result. CODE is, to approve, evidence_convincing,\n"
             "      signal_explained, person_known or other_approval; to reject,\n"
             "      document_forged, document_of_another, document_not_accepted,\n"
             "      face_differs, person_not_present, evidence_unreadable,\n"
             "      too_young, fraud_suspected or other_rejection; to escalate,\n"
             "      second_opinion, legal_question or other_escalation. The other_\n"
             "      codes need a --note"},
    {.noun = "review",
     .verb = "agreement",
     .options = {"org! ORG"},
     .run = review_agreement,
     .help = "print how often blind second reviews agree with the first ones"},
    {.noun = "review",
     .verb = "sample",
     .changes = 1,
     .options = {"org! ORG", "percent! N"},
     .run = review_sample,
     .help = "send N percent of decisions to a blind second review"},
    {0},
};
