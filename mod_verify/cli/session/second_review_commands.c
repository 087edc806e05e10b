/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include "cli/session/evidence_output.h"
#include "domain/request/parameters.h"
#include "store/session/second_review.h"

/* Second, blind reviews: the queue, their evidence, decisions, and who was
 * right. The rules are those of store/session/second_review.h, as in the
 * dashboard. */

/* Deciding is the only reason to look at evidence here. */
#define LOOK_REASON "review"

static const char *const states[] = {"open", "disagreed", NULL};

/* The reviewer of --by, and the review in the first argument, if there is
 * one. */
static idv_error_t *read_asking(const idv_call_t *call,
                                idv_second_review_asking_t *asking)
{
    IDV_TRY(idv_call_text(call, "by", IDV_REVIEWER_MAX));
    IDV_TRY(idv_call_organization(call));
    *asking = (idv_second_review_asking_t){
        .organization_id = idv_call_option(call, "org"),
        .id = call->arguments[0],
        .reviewer = idv_call_option(call, "by"),
        .now = idv_time_now(),
    };
    return NULL;
}

IDV_COMMAND(second_review_list)
{
    idv_second_review_asking_t asking;
    idv_cursor_t cursor = {.starting_after =
                               idv_call_option(call, "starting-after")};
    apr_array_header_t *items;
    int has_more, state = 0;

    IDV_TRY(idv_call_limit(call, &cursor.limit));
    IDV_TRY(idv_call_choice(call, "state", states, &state));
    IDV_TRY(read_asking(call, &asking));
    IDV_TRY(idv_second_review_page(
        call->db,
        &(const idv_second_review_query_t){
            .asking = &asking, .disagreed = state, .cursor = cursor},
        &items, &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < items->nelts; i++)
        json_array_append_new(*answer, idv_second_review_json(&APR_ARRAY_IDX(
                                           items, i, idv_second_review_t)));
    return NULL;
}

typedef struct {
    idv_second_review_asking_t asking;
    json_t *subject;
} showing_t;

static idv_error_t *show(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    showing_t *showing = baton;

    return idv_second_review_subject(db, &showing->asking, &showing->subject,
                                     pool);
}

IDV_COMMAND(second_review_show)
{
    showing_t showing = {0};

    IDV_TRY(read_asking(call, &showing.asking));
    IDV_TRY(idv_db_transaction(call->db, show, &showing, call->pool));
    *answer = showing.subject;
    return NULL;
}

IDV_COMMAND(second_review_evidence)
{
    idv_second_review_look_t look = {.side = call->arguments[1],
                                     .keyring = call->keyring};
    idv_evidence_t *picture;

    IDV_TRY(read_asking(call, &look.asking));
    IDV_TRY(idv_second_review_look(call->db, &look, &picture, call->pool));
    call->reason = LOOK_REASON;
    return idv_call_put_picture(call, picture, answer);
}

/* --- decisions --- */

/* The decision in the second argument, which must end the review. */
static idv_error_t *read_decision(const idv_call_t *call,
                                  idv_decision_t *decision)
{
    *decision = idv_decision_parse(call->arguments[1]);
    return *decision == IDV_DECISION_APPROVE || *decision == IDV_DECISION_REJECT
             ? NULL
             : idv_error_param(call->pool, "DECISION",
                               "Expected approve or reject.");
}

/* As in the dashboard, there is no note, so reasons that need one are
 * refused. */
IDV_COMMAND(second_review_decide)
{
    const char *reason = idv_call_option(call, "reason");
    idv_second_review_asking_t asking;
    idv_second_review_t review;
    idv_decision_t decision;
    idv_error_t *error;

    IDV_TRY(read_decision(call, &decision));
    error = idv_review_reason_check(decision, reason, "-", call->pool);
    if (error && error->param)
        error->param = "reason";
    IDV_TRY(error);
    IDV_TRY(read_asking(call, &asking));
    IDV_TRY(idv_second_review_decide(
        call->db, &asking,
        &(const idv_second_decision_t){.decision = decision, .reason = reason},
        &review, call->pool));
    *answer = idv_second_review_json(&review);
    return NULL;
}

IDV_COMMAND(second_review_settle)
{
    idv_second_review_asking_t asking;
    idv_second_review_t review;
    idv_decision_t decision;

    IDV_TRY(read_decision(call, &decision));
    IDV_TRY(read_asking(call, &asking));
    IDV_TRY(idv_second_review_settle(call->db, &asking, decision, &review,
                                     call->pool));
    *answer = idv_second_review_json(&review);
    return NULL;
}

static const char *const list_columns[] = {
    "id", "deadline_at", "session_id", "first_decision", "second_decision",
    NULL};

const idv_command_t idv_second_review_commands[] = {
    {.noun = "second-review",
     .verb = "list",
     .options = {"org! ORG", "by! WHO", "state open|disagreed", "limit N",
                 "starting-after SRV_ID"},
     .run = second_review_list,
     .columns = list_columns,
     .help = "list the sessions that WHO may review a second time without\n"
             "      knowing the first decision, newest first; with disagreed, those\n"
             "      with two different decisions that are not settled"},
    {.noun = "second-review",
     .verb = "show",
     .arguments = "SRV_ID",
     .options = {"org! ORG", "by! WHO"},
     .run = second_review_show,
     .help = "print the data for the decision: checks, signals and the names\n"
             "      of the evidence, but neither the first decision nor the\n"
             "      person"},
    {.noun = "second-review",
     .verb = "evidence",
     .changes = 1,
     .told = "side",
     .needs_keyring = 1,
     .arguments = "SRV_ID SIDE",
     .options = {"org! ORG", "by! WHO", "output! FILE"},
     .run = second_review_evidence,
     .help =
         "write a picture of the evidence to a new file that only you\n"
             "      can read. The access is recorded"},
    {.noun = "second-review",
     .verb = "decide",
     .changes = 1,
     .arguments = "SRV_ID approve|reject",
     .options = {"org! ORG", "by! WHO", "reason! CODE"},
     .run = second_review_decide,
     .help = "decide, with a CODE of review decide, and print the first\n"
             "      decision"},
    {.noun = "second-review",
     .verb = "settle",
     .changes = 1,
     .arguments = "SRV_ID approve|reject",
     .options = {"org! ORG", "by! WHO"},
     .run = second_review_settle,
     .help = "settle two different decisions, as a third person. The session\n"
             "      does not change"},
    {0},
};
