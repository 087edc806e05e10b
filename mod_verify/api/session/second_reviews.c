/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/second_reviews: decided reviews that
 * somebody decides again without knowing the first decision;
 * …/review_agreement: how often the two agree. The rules are in
 * store/session/second_review.h.
 *
 * Until the second decision is made, no answer reveals the first one, who made
 * it, or the session it was about: its id appears nowhere, and times are shown
 * as days. Only the evidence and the checks may still identify it
 * (store/session/second_review.h).
 */
#include <string.h>

#include "api/http/action_record.h"
#include "api/http/response.h"
#include "api/http/sending.h"
#include "api/http/write.h"
#include "store/session/second_review.h"

/* --- lists --- */

static const char *const states[] = {"open", "disagreed", NULL};

typedef struct {
    idv_page_t page;
    const char *state;
} list_input_t;

/* Like IDV_PAGE_PARAMETERS, but for two kinds of ids. */
static const idv_parameter_t list_parameters[] = {
    IDV_PARAMETER_AS(INTEGER, list_input_t, limit, page.limit, 0, 1,
                     IDV_PAGE_LIMIT_MAX),
    IDV_PARAMETER_AS(STRING, list_input_t, starting_after, page.starting_after,
                     0, 1, IDV_ID_SIZE),
    IDV_PARAMETER_AS(STRING, list_input_t, ending_before, page.ending_before, 0,
                     1, IDV_ID_SIZE),
    IDV_PARAMETER_OF(STRING, list_input_t, state, 0, states),
    {0},
};

static idv_error_t *check_cursor(const char *id, const char *param,
                                 apr_pool_t *pool)
{
    return !id || idv_second_review_is_id(id)
             ? NULL
             : idv_error_param(pool, param,
                               "must be the id of a second review.");
}

static idv_error_t *check_page(const idv_page_t *page, apr_pool_t *pool)
{
    IDV_TRY(check_cursor(page->starting_after, "starting_after", pool));
    IDV_TRY(check_cursor(page->ending_before, "ending_before", pool));
    return idv_page_check(page, pool);
}

static idv_second_review_asking_t make_asking(const idv_request_t *request)
{
    return (idv_second_review_asking_t){
        .organization_id = request->organization_id,
        .id = idv_request_path(request, "id"),
        .reviewer = request->key->id,
        .now = request->now,
    };
}

typedef struct {
    idv_second_review_asking_t asking;
    int disagreed;
    idv_cursor_t cursor;
    apr_array_header_t *items;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_second_review_page(
        db,
        &(const idv_second_review_query_t){.asking = &listing->asking,
                                           .disagreed = listing->disagreed,
                                           .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

idv_error_t *idv_second_review_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT, .state = states[0]};
    listing_t listing = {.asking = make_asking(request)};
    idv_json_writer_t page;

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(check_page(&input.page, request->pool));
    listing.cursor = idv_page_cursor(&input.page);
    listing.disagreed = strcmp(input.state, states[1]) == 0;
    IDV_TRY(idv_request_with_database(request, list, &listing));
    idv_page_open(request, listing.has_more, &page);
    for (int i = 0; i < listing.items->nelts; i++)
        idv_json_put_value(
            &page, NULL,
            idv_json_own(idv_second_review_json(&APR_ARRAY_IDX(
                             listing.items, i, idv_second_review_t)),
                         request->pool));
    return idv_page_close(request, &page);
}

/* --- one of them --- */

typedef struct {
    idv_second_review_asking_t asking;
    json_t *subject;
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;

    return idv_second_review_subject(db, &retrieval->asking,
                                     &retrieval->subject, pool);
}

idv_error_t *idv_second_review_api_retrieve(idv_request_t *request)
{
    retrieval_t retrieval = {.asking = make_asking(request)};

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_transaction(request, find, &retrieval));
    return idv_respond_text(
        request, HTTP_OK,
        idv_json_text(idv_json_own(retrieval.subject, request->pool),
                      request->pool));
}

/* --- its evidence --- */

/* Deciding is the only reason to look at evidence here. */
static const char *const look_reasons[] = {"review", NULL};

typedef struct {
    const char *reason;
} look_input_t;

static const idv_parameter_t look_parameters[] = {
    IDV_PARAMETER_OF(STRING, look_input_t, reason, IDV_REQUIRED, look_reasons),
    {0},
};

typedef struct {
    idv_request_t *request;
    idv_second_review_look_t look;
    const char *reason;
    idv_evidence_t *picture;
} look_t;

static idv_error_t *look_at(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *work = baton;
    json_t *side =
        idv_json_own(json_pack("{s:s}", "side", work->look.side), pool);

    IDV_TRY(idv_second_review_look(db, &work->look, &work->picture, pool));
    return idv_record_action(
        db, work->request,
        &(idv_recorded_t){.reason = work->reason, .details = side}, pool);
}

idv_error_t *idv_second_review_api_look(idv_request_t *request)
{
    look_input_t input = {0};
    look_t work = {.request = request,
                   .look = {.asking = make_asking(request),
                            .side = idv_request_path(request, "side"),
                            .keyring = request->services->keyring}};

    IDV_TRY(idv_request_parameters(request, look_parameters, &input, NULL));
    work.reason = input.reason;
    /* Reserve first, or an access would be recorded even if the picture could
     * not be sent. */
    IDV_TRY(idv_sending_reserve(request));
    IDV_TRY(idv_request_transaction(request, look_at, &work));
    idv_respond_bytes(request, HTTP_OK, work.picture->media_type,
                      work.picture->bytes);
    return NULL;
}

/* --- decisions --- */

static const char *const outcomes[] = {"approve", "reject", NULL};

typedef struct {
    const char *decision;
    const char *reason_code;
} decide_input_t;

static const idv_parameter_t decide_parameters[] = {
    IDV_PARAMETER_OF(STRING, decide_input_t, decision, IDV_REQUIRED, outcomes),
    IDV_PARAMETER_OF(STRING, decide_input_t, reason_code, IDV_REQUIRED,
                     idv_review_reasons),
    {0},
};

static const idv_parameter_t settle_parameters[] = {
    IDV_PARAMETER_OF(STRING, decide_input_t, decision, IDV_REQUIRED, outcomes),
    {0},
};

typedef struct {
    idv_second_review_asking_t asking;
    idv_decision_t decision;
    const char *reason; /* NULL: it settles a disagreement */
} decision_work_t;

static idv_error_t *decide(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const decision_work_t *work = baton;
    idv_second_review_t review;

    if (work->reason)
        IDV_TRY(idv_second_review_decide(
            db, &work->asking,
            &(const idv_second_decision_t){.decision = work->decision,
                                           .reason = work->reason},
            &review, pool));
    else
        IDV_TRY(idv_second_review_settle(db, &work->asking, work->decision,
                                         &review, pool));
    *answer = idv_json_text(
        idv_json_own(idv_second_review_json(&review), pool), pool);
    return NULL;
}

static idv_error_t *write_decision(idv_request_t *request,
                                   const decide_input_t *input)
{
    decision_work_t work = {.asking = make_asking(request),
                            .decision = idv_decision_parse(input->decision),
                            .reason = input->reason_code};
    const idv_write_t write = {
        .status = HTTP_OK, .work = decide, .baton = &work};

    return idv_write(request, &write);
}

/* A second decision has no note, and so no reason that needs one: only a code
 * is stored, and nothing about a person. */
idv_error_t *idv_second_review_api_decide(idv_request_t *request)
{
    decide_input_t input = {0};

    IDV_TRY(idv_request_parameters(request, decide_parameters, &input, NULL));
    IDV_TRY(idv_review_reason_check(idv_decision_parse(input.decision),
                                    input.reason_code, "-", request->pool));
    return write_decision(request, &input);
}

idv_error_t *idv_second_review_api_settle(idv_request_t *request)
{
    decide_input_t input = {0};

    IDV_TRY(idv_request_parameters(request, settle_parameters, &input, NULL));
    return write_decision(request, &input);
}

/* --- figures --- */

typedef struct {
    const char *organization_id;
    json_t *figures;
} figures_t;

static idv_error_t *count(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    figures_t *work = baton;
    int percent = -1;

    IDV_TRY(idv_second_review_agreement(db, work->organization_id,
                                        &work->figures, pool));
    IDV_TRY(idv_second_review_percent(db, work->organization_id, &percent,
                                      pool));
    json_object_set_new(work->figures, "object",
                        json_string("review_agreement"));
    json_object_set_new(work->figures, "percent", json_integer(percent));
    return NULL;
}

idv_error_t *idv_second_review_api_agreement(idv_request_t *request)
{
    figures_t work = {.organization_id = request->organization_id};

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, count, &work));
    return idv_respond_text(
        request, HTTP_OK,
        idv_json_text(idv_json_own(work.figures, request->pool),
                      request->pool));
}
