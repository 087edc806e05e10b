/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/reviews: the queue of held sessions, ended
 * reviews, the details of one, claims and decisions;
 * …/sessions/:id/evidence/:side: viewing the evidence.
 *
 * A reviewer is identified by the id of the request's key, which is the
 * operator's name, as in the record of flagged sessions. The rules of claims
 * and decisions are in store/session/review_work.h, which verifyctl also uses.
 */
#include <string.h>

#include "api/http/action_record.h"
#include "api/http/response.h"
#include "api/http/sending.h"
#include "api/http/write.h"
#include "core/json.h"
#include "domain/session/session_view.h"
#include "store/session/review.h"
#include "store/session/review_case.h"
#include "store/session/review_work.h"
#include "store/transaction/session_transition.h"
#include "worker/watchdog/watchdog.h"

#define EXPECTED_LENGTH 4000
#define CURSOR_MAX 64
#define LIMIT_DEFAULT 25
#define REASON_MAX 64
#define HOURS_MAX 168
#define OVERRULED_MAX 100

/* --- lists --- */

static const char *const states[] = {"open", "decided", NULL};

typedef struct {
    apr_int64_t limit;
    const char *state; /* one of `states`; NULL: open */
    const char *cursor;
    int unclaimed;
    const char *workflow_id, *reason, *assignee;
    apr_int64_t due_within_hours; /* 0: not given */
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PARAMETER(INTEGER, list_input_t, limit, 0, 1, IDV_PAGE_LIMIT_MAX),
    IDV_PARAMETER_OF(STRING, list_input_t, state, 0, states),
    IDV_PARAMETER(STRING, list_input_t, cursor, 0, 1, CURSOR_MAX),
    IDV_PARAMETER(BOOLEAN, list_input_t, unclaimed, 0, 0, 0),
    IDV_PARAMETER(ID, list_input_t, workflow_id, 0, IDV_ID_WORKFLOW, 0),
    IDV_PARAMETER(STRING, list_input_t, reason, 0, 1, REASON_MAX),
    IDV_PARAMETER(STRING, list_input_t, assignee, 0, 1, IDV_REVIEWER_MAX),
    IDV_PARAMETER(INTEGER, list_input_t, due_within_hours, 0, 1, HOURS_MAX),
    {0},
};

typedef struct {
    idv_review_filter_t filter;
    apr_array_header_t *items;
    int has_more;
} listing_t;

/* Lists ended reviews: one more than fits the page, which shows whether there
 * are more. */
static idv_error_t *list_decided(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;
    const idv_review_filter_t *filter = &listing->filter;

    IDV_TRY(
        idv_review_list_ended(db,
                              &(const idv_ended_reviews_query_t){
                                  .organization_id = filter->organization_id,
                                  .after = filter->cursor,
                                  .limit = filter->limit + 1},
                              &listing->items, pool));
    listing->has_more = listing->items->nelts > filter->limit;
    if (listing->has_more)
        apr_array_pop(listing->items);
    return NULL;
}

static idv_error_t *respond_decided(idv_request_t *request, listing_t *listing)
{
    const idv_review_filter_t *filter = &listing->filter;
    const char *cursor = filter->cursor;
    const char *of_open = filter->unclaimed     ? "unclaimed"
                        : filter->workflow_id   ? "workflow_id"
                        : filter->reason        ? "reason"
                        : filter->assignee      ? "assignee"
                        : filter->due_before    ? "due_within_hours"
                                                : NULL;
    idv_json_writer_t page;

    if (of_open)
        return idv_error_param(request->pool, of_open,
                               "is only available for open reviews. Omit it or "
                               "`state`.");
    if (cursor && !idv_id_is(IDV_ID_REVIEW_ENTRY, cursor))
        return idv_error_param(request->pool, "cursor",
                               "must be the cursor of an entry.");
    IDV_TRY(idv_request_with_database(request, list_decided, listing));
    idv_page_open(request, listing->has_more, &page);
    for (int i = 0; i < listing->items->nelts; i++) {
        const idv_review_row_t *row =
            &APR_ARRAY_IDX(listing->items, i, idv_review_row_t);
        json_t *entry = idv_json_own(idv_review_entry_json(row), request->pool);

        json_object_set_new(entry, "client_reference_id",
                            row->client_reference_id
                                ? json_string(row->client_reference_id)
                                : json_null());
        json_object_set_new(entry, "cursor", json_string(row->id));
        idv_json_put_value(&page, NULL, entry);
    }
    return idv_page_close(request, &page);
}

static idv_error_t *list_open(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_review_queue(db, &listing->filter, &listing->items,
                            &listing->has_more, pool);
}

static void write_claim(idv_json_writer_t *object,
                        const idv_review_claim_t *claim, const char *reader)
{
    if (!claim->reviewer) {
        idv_json_put_null(object, "claim");
        return;
    }
    idv_json_open_object(object, "claim");
    idv_json_put_text(object, "reviewer", claim->reviewer);
    idv_json_put_boolean(object, "is_own",
                         strcmp(claim->reviewer, reader) == 0);
    idv_json_put_seconds(object, "claimed_at", claim->claimed);
    idv_json_put_seconds(object, "expires_at", claim->expires_at);
    idv_json_close_object(object);
}

static void write_item(idv_json_writer_t *object, const idv_review_item_t *item,
                       const char *reader)
{
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "object", "review");
    idv_json_put_text(object, "session_id", item->session_id);
    idv_json_put_text(object, "application_id", item->application_id);
    idv_json_put_text(object, "type", item->type);
    idv_json_put_text(object, "client_reference_id", item->client_reference_id);
    idv_json_put_text(object, "workflow_id", item->workflow_id);
    idv_json_put_text(object, "node", item->node);
    idv_json_put_text(object, "reason", item->reason);
    idv_json_put_text(object, "risk_tier", item->risk_tier);
    idv_json_put_boolean(object, "flagged", item->flagged);
    idv_json_put_boolean(object, "escalated", item->escalated);
    idv_json_put_seconds(object, "opened_at", item->opened_at);
    idv_json_put_seconds(object, "deadline_at", item->deadline);
    write_claim(object, &item->claim, reader);
    idv_json_put_text(object, "assignee", item->assignee);
    idv_json_put_text(object, "cursor", item->cursor);
    idv_json_close_object(object);
}

idv_error_t *idv_review_api_list(idv_request_t *request)
{
    list_input_t input = {.limit = LIMIT_DEFAULT};
    listing_t listing = {0};
    idv_json_writer_t page;

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    listing.filter = (idv_review_filter_t){
        .organization_id = request->organization_id,
        .cursor = input.cursor,
        .unclaimed = input.unclaimed,
        .workflow_id = input.workflow_id,
        .reason = input.reason,
        .assignee = input.assignee,
        .due_before = input.due_within_hours
                        ? request->now + input.due_within_hours * IDV_HOUR
                        : 0,
        .limit = (int)input.limit,
        .now = request->now,
    };
    if (input.state && strcmp(input.state, "decided") == 0)
        return respond_decided(request, &listing);
    IDV_TRY(idv_request_with_database(request, list_open, &listing));
    idv_page_open(request, listing.has_more, &page);
    for (int i = 0; i < listing.items->nelts; i++)
        write_item(&page, &APR_ARRAY_IDX(listing.items, i, idv_review_item_t),
                   request->key->id);
    return idv_page_close(request, &page);
}

/* --- the queue in numbers --- */

static idv_error_t *summarize(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_request_t *request = ((void **)baton)[0];
    json_t **summary = ((void **)baton)[1];

    IDV_TRY(idv_review_summary(db, request->organization_id, request->now,
                               summary, pool));
    json_incref(*summary);
    return NULL;
}

idv_error_t *idv_review_api_summary(idv_request_t *request)
{
    json_t *summary, *member;
    void *baton[] = {request, &summary};
    idv_json_writer_t object;
    const char *name;

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, summarize, baton));
    idv_json_own(summary, request->pool);
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "review_queue");
    json_object_foreach (summary, name, member)
        idv_json_put_value(&object, name, member);
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}

/* --- one session --- */

typedef struct {
    idv_scope_t scope;
    const char *id;
    idv_time_t now;
    idv_session_record_t *record;
    json_t *detail;
    json_t *failed_checks;
    const char *assignee;
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;

    IDV_TRY(idv_session_find(db, &retrieval->scope, retrieval->id,
                             &retrieval->record, pool));
    IDV_TRY(idv_review_failed_checks(db, retrieval->record->session,
                                     &retrieval->failed_checks, pool));
    json_incref(retrieval->failed_checks);
    IDV_TRY(idv_review_assignee(db, retrieval->record->session,
                                &retrieval->assignee, pool));
    return idv_review_detail(db, retrieval->record->session, retrieval->now,
                             &retrieval->detail, pool);
}

/* The detected age is not shown, nor do customers see it. For a decision, the
 * required age and whether the person has reached it are enough. The stored age
 * is the lowest possible one, so it can never show that the person has not. */
static void write_age(idv_json_writer_t *object, const idv_session_t *session)
{
    int is_enough = session->runner.facts.age >= session->required_age;
    int is_too_young = idv_session_is_too_young(session);

    if (session->required_age > 0)
        idv_json_put_integer(object, "required_age", session->required_age);
    else
        idv_json_put_null(object, "required_age");
    if (session->required_age > 0 && (is_enough || is_too_young))
        idv_json_put_boolean(object, "is_old_enough", !is_too_young);
    else
        idv_json_put_null(object, "is_old_enough");
}

idv_error_t *idv_review_api_retrieve(idv_request_t *request)
{
    retrieval_t retrieval = {.scope = idv_request_scope(request),
                             .id = idv_request_path(request, "id"),
                             .now = request->now};
    const idv_session_t *session;
    idv_json_writer_t object;
    const char *name;
    json_t *member;

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    idv_json_own(retrieval.detail, request->pool);
    idv_json_own(retrieval.failed_checks, request->pool);
    session = retrieval.record->session;
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "review");
    idv_json_put_text(&object, "session_id", session->id);
    idv_json_put_text(&object, "reason", session->runner.review_reason);
    idv_json_put_text(&object, "node", session->runner.node);
    idv_json_put_text(&object, "held_method", session->runner.held_method);
    idv_json_put_text(&object, "risk_tier", retrieval.record->risk_tier);
    idv_json_put_boolean(&object, "flagged", session->runner.review_flagged);
    idv_json_put_boolean(&object, "escalated",
                         session->runner.review_escalated);
    idv_json_put_seconds(&object, "opened_at", session->review_opened_at);
    idv_json_put_seconds(&object, "deadline_at", session->review_deadline);
    write_age(&object, session);
    idv_json_put_value(&object, "failed_checks", retrieval.failed_checks);
    idv_json_put_text(&object, "assignee", retrieval.assignee);
    json_object_foreach (retrieval.detail, name, member)
        idv_json_put_value(&object, name, member);
    idv_json_put_raw(&object, "session",
                     idv_session_text(session, NULL, request->pool));
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}

/* --- claims --- */

typedef struct {
    idv_review_claiming_t claiming;
    idv_review_claim_t claim;
} claim_work_t;

static claim_work_t make_claim(const idv_request_t *request)
{
    return (claim_work_t){
        .claiming = {.scope = idv_request_scope(request),
                     .session_id = idv_request_path(request, "id"),
                     .reviewer = request->key->id,
                     .now = request->now},
    };
}

static const char *claim_text(const claim_work_t *work, apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "review_claim");
    idv_json_put_text(&object, "session_id", work->claiming.session_id);
    write_claim(&object, &work->claim, work->claiming.reviewer);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

static idv_error_t *claim(idv_db_t *db, void *baton, const char **answer,
                          apr_pool_t *pool)
{
    claim_work_t *work = baton;

    IDV_TRY(idv_review_claim(db, &work->claiming, &work->claim, pool));
    *answer = claim_text(work, pool);
    return NULL;
}

idv_error_t *idv_review_api_claim(idv_request_t *request)
{
    claim_work_t work = make_claim(request);
    const idv_write_t write = {
        .status = HTTP_OK, .work = claim, .baton = &work};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

/* The answer is the same for a session of another organization as for one that
 * does not exist. */
static idv_error_t *release(idv_db_t *db, void *baton, const char **answer,
                            apr_pool_t *pool)
{
    claim_work_t *work = baton;
    idv_session_record_t *record;

    IDV_TRY(idv_session_find(db, &work->claiming.scope,
                             work->claiming.session_id, &record, pool));
    IDV_TRY(idv_review_release(db, &work->claiming, pool));
    IDV_TRY(idv_review_claim_find(db, record->session, work->claiming.now,
                                  &work->claim, pool));
    *answer = claim_text(work, pool);
    return NULL;
}

idv_error_t *idv_review_api_release(idv_request_t *request)
{
    claim_work_t work = make_claim(request);
    const idv_write_t write = {
        .status = HTTP_OK, .work = release, .baton = &work};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

/* --- notes and assignments --- */

typedef struct {
    const char *text; /* of a note; NULL: this is an assignment */
    const char *assignee;
} case_input_t;

typedef struct {
    idv_review_claiming_t claiming;
    case_input_t input;
} case_work_t;

static const idv_parameter_t note_parameters[] = {
    IDV_PARAMETER(STRING, case_input_t, text, IDV_REQUIRED, 1,
                  IDV_REVIEW_REASON_MAX),
    {0},
};

static const idv_parameter_t assign_parameters[] = {
    IDV_PARAMETER(STRING, case_input_t, assignee, IDV_NULLABLE, 1,
                  IDV_REVIEWER_MAX),
    {0},
};

static idv_error_t *change_case(idv_db_t *db, void *baton, const char **answer,
                                apr_pool_t *pool)
{
    const case_work_t *work = baton;
    idv_json_writer_t object;

    if (work->input.text)
        IDV_TRY(
            idv_review_add_note(db, &work->claiming, work->input.text, pool));
    else
        IDV_TRY(
            idv_review_assign(db, &work->claiming, work->input.assignee, pool));
    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object",
                      work->input.text ? "review_note" : "review_assignment");
    idv_json_put_text(&object, "session_id", work->claiming.session_id);
    if (!work->input.text)
        idv_json_put_text(&object, "assignee", work->input.assignee);
    idv_json_close_object(&object);
    *answer = idv_json_writer_text(&object, NULL);
    return NULL;
}

static idv_error_t *write_case(idv_request_t *request,
                               const case_input_t *input)
{
    case_work_t work = {.claiming = make_claim(request).claiming,
                        .input = *input};
    const idv_write_t write = {
        .status = HTTP_OK, .work = change_case, .baton = &work};

    return idv_write(request, &write);
}

idv_error_t *idv_review_api_note(idv_request_t *request)
{
    case_input_t input = {0};

    IDV_TRY(idv_request_parameters(request, note_parameters, &input, NULL));
    return write_case(request, &input);
}

idv_error_t *idv_review_api_assign(idv_request_t *request)
{
    case_input_t input = {0};

    IDV_TRY(idv_request_parameters(request, assign_parameters, &input, NULL));
    return write_case(request, &input);
}

/* --- decisions --- */

typedef struct {
    const char *decision;
    const char *reason_code;
    const char *note;
    const json_t *overruled_checks; /* NULL: not stated */
} decide_input_t;

static const idv_parameter_t decide_parameters[] = {
    IDV_PARAMETER_OF(STRING, decide_input_t, decision, IDV_REQUIRED,
                     idv_review_decisions),
    IDV_PARAMETER_OF(STRING, decide_input_t, reason_code, IDV_REQUIRED,
                     idv_review_reasons),
    IDV_PARAMETER(STRING, decide_input_t, note, IDV_NULLABLE, 1,
                  IDV_REVIEW_REASON_MAX),
    IDV_PARAMETER(STRINGS, decide_input_t, overruled_checks, IDV_NULLABLE, 0,
                  OVERRULED_MAX),
    {0},
};

typedef struct {
    claim_work_t claim;
    idv_decision_t decision;
    const char *const *overruled;
    idv_session_transition_t transition;
} decision_work_t;

static idv_error_t *may_decide(idv_db_t *db, void *baton,
                               idv_session_record_t *after, apr_pool_t *pool)
{
    const decision_work_t *work = baton;

    (void)after;
    IDV_TRY(idv_review_may_decide(db, &work->claim.claiming, work->decision,
                                  pool));
    return idv_review_may_overrule(db, &work->claim.claiming, work->decision,
                                   work->overruled, pool);
}

/* The texts of LIST, NULL-terminated; NULL without a list. */
static const char *const *texts_of(const json_t *list, apr_pool_t *pool)
{
    const char **texts;
    json_t *text;
    size_t i;

    if (!list)
        return NULL;
    texts = apr_pcalloc(pool, (json_array_size(list) + 1) * sizeof(*texts));
    json_array_foreach (list, i, text)
        texts[i] = json_string_value(text);
    return texts;
}

static idv_error_t *decide(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    decision_work_t *work = baton;
    idv_session_transition_result_t result;

    IDV_TRY(idv_session_transition(db, &work->transition, &result, pool));
    *answer = idv_session_text(result.record->session, NULL, pool);
    return NULL;
}

idv_error_t *idv_review_api_decide(idv_request_t *request)
{
    static const idv_session_input_type_t inputs[IDV_DECISION_COUNT] = {
        [IDV_DECISION_APPROVE] = IDV_INPUT_REVIEW_APPROVE,
        [IDV_DECISION_REJECT] = IDV_INPUT_REVIEW_REJECT,
        [IDV_DECISION_ESCALATE] = IDV_INPUT_REVIEW_ESCALATE,
    };
    decide_input_t body = {0};
    decision_work_t work = {.claim = make_claim(request)};
    idv_session_input_t input = {.decided_by = request->key->id};
    const idv_write_t write = {.status = HTTP_OK,
                               .work = decide,
                               .baton = &work,
                               .wake = IDV_WORK_DELIVERIES};

    IDV_TRY(idv_request_parameters(request, decide_parameters, &body, NULL));
    work.decision = idv_decision_parse(body.decision);
    input.type = inputs[work.decision];
    input.reason = body.note;
    input.reason_code = body.reason_code;
    input.overruled = texts_of(body.overruled_checks, request->pool);
    work.overruled = input.overruled;
    work.transition = (idv_session_transition_t){
        .scope = work.claim.claiming.scope,
        .session_id = work.claim.claiming.session_id,
        .input = &input,
        .condition = may_decide,
        .baton = &work,
        .now = request->now,
        .keyring = request->services->keyring,
        .compliance = request->services->compliance,
    };
    return idv_write(request, &write);
}

/* --- evidence --- */

typedef struct {
    const char *reason;
} look_input_t;

static const idv_parameter_t look_parameters[] = {
    IDV_PARAMETER_OF(STRING, look_input_t, reason, IDV_REQUIRED,
                     idv_review_look_reasons),
    {0},
};

typedef struct {
    idv_request_t *request;
    idv_review_look_t look;
    idv_evidence_t *picture;
} look_t;

/* Opens one picture of a held session and records the access, in one
 * transaction. */
static idv_error_t *look(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *work = baton;
    json_t *side =
        idv_json_own(json_pack("{s:s}", "side", work->look.side), pool);

    IDV_TRY(idv_review_look(db, &work->look, &work->picture, pool));
    return idv_record_action(
        db, work->request,
        &(idv_recorded_t){.reason = work->look.reason, .details = side}, pool);
}

idv_error_t *idv_review_api_look(idv_request_t *request)
{
    look_input_t input = {0};
    look_t work = {.request = request,
                   .look = {.claiming = make_claim(request).claiming,
                            .side = idv_request_path(request, "side"),
                            .keyring = request->services->keyring}};

    IDV_TRY(idv_request_parameters(request, look_parameters, &input, NULL));
    work.look.reason = input.reason;
    /* Reserve first, or an access would be recorded even if the picture could
     * not be sent. */
    IDV_TRY(idv_sending_reserve(request));
    IDV_TRY(idv_request_transaction(request, look, &work));
    idv_respond_bytes(request, HTTP_OK, work.picture->media_type,
                      work.picture->bytes);
    return NULL;
}

typedef struct {
    idv_request_t *request;
    idv_review_look_t look;
    json_t *fields;
} fields_t;

/* Opens what was read of a held session and records the access, in one
 * transaction. */
static idv_error_t *look_at_fields(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    fields_t *work = baton;

    IDV_TRY(idv_review_look_at_fields(db, &work->look, &work->fields, pool));
    json_incref(work->fields);
    return idv_record_action(
        db, work->request,
        &(idv_recorded_t){.reason = work->look.reason, .details = NULL}, pool);
}

idv_error_t *idv_review_api_fields(idv_request_t *request)
{
    look_input_t input = {0};
    fields_t work = {.request = request,
                     .look = {.claiming = make_claim(request).claiming,
                              .keyring = request->services->keyring}};
    idv_json_writer_t object;
    const char *name;
    json_t *member;

    IDV_TRY(idv_request_parameters(request, look_parameters, &input, NULL));
    work.look.reason = input.reason;
    IDV_TRY(idv_request_transaction(request, look_at_fields, &work));
    idv_json_own(work.fields, request->pool);
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "document_fields");
    idv_json_put_text(&object, "session_id", work.look.claiming.session_id);
    json_object_foreach (work.fields, name, member)
        idv_json_put_value(&object, name, member);
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}
