/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/verification_sessions: retrieving, listing and cancelling; creating is in
 * verification_session_create.c. /v1/session_reviews: putting a hold on a
 * verified session, which the operator ends by a decision (verifyctl review).
 */
#include <string.h>

#include "api/http/action_record.h"
#include "api/http/response.h"
#include "api/http/write.h"
#include "core/id.h"
#include "domain/request/parameters.h"
#include "domain/risk/risk.h"
#include "domain/session/session_view.h"
#include "store/session/credential_record.h"
#include "store/session/review_work.h"
#include "store/transaction/session_transition.h"
#include "worker/watchdog/watchdog.h"

/* --- retrieval --- */

typedef struct {
    idv_scope_t scope;
    const char *id;
    idv_session_record_t *record;
    int with_credential;
    const char *credential_id; /* minted by the session; NULL: none valid */
    idv_method_t method;       /* of the credential */
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;

    IDV_TRY(idv_session_find(db, &retrieval->scope, retrieval->id,
                             &retrieval->record, pool));
    if (!retrieval->with_credential
        || retrieval->record->session->status != IDV_STATUS_VERIFIED)
        return NULL;
    return idv_credential_of_session(db, retrieval->record->session,
                                     &retrieval->credential_id,
                                     &retrieval->method, pool);
}

typedef struct {
    const json_t *expand;
} retrieve_input_t;

static const char *const expansions[] = {"results", "document", "workflow",
                                         NULL};

static const idv_parameter_t retrieve_parameters[] = {
    IDV_PARAMETER_OF(STRINGS, retrieve_input_t, expand, 0, expansions),
    {0},
};

static int asks_for(const json_t *expand, const char *name)
{
    size_t index;
    json_t *value;

    json_array_foreach (expand, index, value)
        if (strcmp(json_string_value(value), name) == 0)
            return 1;
    return 0;
}

/* A publishable key sees only the session whose secret the request contains,
 * and no evidence. */
static idv_error_t *check_publishable(const idv_request_t *request,
                                      const idv_session_record_t *record)
{
    const char *secret = apr_table_get(request->r->headers_in,
                                       "X-Service-Session-Secret");

    if (!secret || !idv_client_secret_matches(record, secret, request->now))
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, request->pool);
    return NULL;
}

/* How the answers of sessions are read without looking up the key first. NULL
 * in its guard: the key was looked up. */
static idv_session_answer_reader_t answer_reader(const idv_request_t *request)
{
    return (idv_session_answer_reader_t){.group = request->services->read_group,
                                         .guard = request->guard,
                                         .trace = request->trace};
}

/* The session as it is stored; NULL: look it up. */
static idv_error_t *find_answer(const idv_request_t *request,
                                const retrieval_t *retrieval,
                                const char **answer)
{
    const idv_session_answer_reader_t reader = answer_reader(request);

    *answer = NULL;
    return reader.guard
             ? idv_session_find_answer(&reader, &retrieval->scope,
                                       retrieval->id, answer, request->pool)
             : NULL;
}

idv_error_t *idv_session_api_retrieve(idv_request_t *request)
{
    retrieval_t retrieval = {.scope = idv_request_scope(request),
                             .id = idv_request_path(request, "id")};
    int publishable = request->key->type == IDV_KEY_PUBLISHABLE;
    retrieve_input_t input = {0};
    idv_session_view_t view = {0};
    const char *answer;

    IDV_TRY(idv_request_parameters(request, retrieve_parameters, &input, NULL));
    if (publishable && input.expand)
        return idv_error_new(IDV_E_PUBLISHABLE_KEY_SCOPE, request->pool);
    if (!publishable && !input.expand) {
        IDV_TRY(find_answer(request, &retrieval, &answer));
        if (answer)
            return idv_respond_text(request, HTTP_OK, answer);
    }
    view.expand_results = asks_for(input.expand, "results");
    retrieval.with_credential = view.expand_results;
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    if (publishable)
        IDV_TRY(check_publishable(request, retrieval.record));
    if (retrieval.credential_id) {
        view.credential_method = retrieval.method;
        view.credential_hash =
            idv_credential_hash(request->services->keyring,
                                retrieval.credential_id, request->pool);
    }
    view.expand_document = asks_for(input.expand, "document");
    view.expand_workflow = asks_for(input.expand, "workflow");
    return idv_respond_text(
        request, HTTP_OK,
        idv_session_text(retrieval.record->session, &view, request->pool));
}

/* --- lists --- */

typedef struct {
    idv_page_t page;
    const char *status;
    const char *client_reference_id;
    const char *search;
    const char *risk_tier;
    const char *workflow_id;
    apr_int64_t created_gte, created_lt;
    const json_t *expand;
} list_input_t;

/* The others need look-ups for each session. */
static const char *const list_expansions[] = {"workflow", NULL};

static const char *const statuses[] = {
#define X(name, value, open) value,
    IDV_SESSION_STATUSES(X)
#undef X
    NULL,
};

static const char *const risk_tiers[] = {
#define X(name, value) value,
    IDV_RISK_TIERS(X)
#undef X
    NULL,
};

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t, IDV_ID_SESSION),
    IDV_PARAMETER_OF(STRING, list_input_t, status, 0, statuses),
    IDV_PARAMETER(STRING, list_input_t, client_reference_id, 0, 1, 255),
    IDV_PARAMETER(STRING, list_input_t, search, 0, 1, 255),
    IDV_PARAMETER_OF(STRING, list_input_t, risk_tier, 0, risk_tiers),
    IDV_PARAMETER(ID, list_input_t, workflow_id, 0, IDV_ID_WORKFLOW, 0),
    IDV_PARAMETER(INTEGER, list_input_t, created_gte, 0, 0, IDV_LATEST_SECOND),
    IDV_PARAMETER(INTEGER, list_input_t, created_lt, 0, 0, IDV_LATEST_SECOND),
    IDV_PARAMETER_OF(STRINGS, list_input_t, expand, 0, list_expansions),
    {0},
};

typedef struct {
    idv_session_query_t query;
    idv_session_view_t view;
    apr_array_header_t *records;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_session_list(db, &listing->query, &listing->records,
                            &listing->has_more, pool);
}

static apr_array_header_t *texts_of(const listing_t *listing, apr_pool_t *pool)
{
    const apr_array_header_t *records = listing->records;
    apr_array_header_t *texts =
        apr_array_make(pool, records->nelts, sizeof(const char *));

    for (int i = 0; i < records->nelts; i++)
        APR_ARRAY_PUSH(texts, const char *) = idv_session_text(
            APR_ARRAY_IDX(records, i, idv_session_record_t *)->session,
            &listing->view, pool);
    return texts;
}

static idv_error_t *respond_with(idv_request_t *request, listing_t *listing)
{
    const idv_session_answer_reader_t reader = answer_reader(request);
    apr_array_header_t *answers = NULL;

    if (reader.guard && !listing->view.expand_workflow)
        IDV_TRY(idv_session_list_answers(&reader, &listing->query, &answers,
                                         &listing->has_more, request->pool));
    if (!answers) {
        IDV_TRY(idv_request_with_database(request, list, listing));
        answers = texts_of(listing, request->pool);
    }
    return idv_page_respond(request, answers, listing->has_more);
}

idv_error_t *idv_session_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT,
                          .created_lt = IDV_LATEST_SECOND};
    listing_t listing = {.query = {.scope = idv_request_scope(request)}};

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    listing.query.filter = (idv_session_filter_t){
        .cursor = idv_page_cursor(&input.page),
        .status = input.status,
        .client_reference_id = input.client_reference_id,
        .risk_tier = input.risk_tier,
        .workflow_id = input.workflow_id,
        .search = input.search,
        .created_from = input.created_gte * IDV_SECOND,
        .created_before = input.created_lt * IDV_SECOND,
    };
    listing.view.expand_workflow = asks_for(input.expand, "workflow");
    request->is_search = input.search != NULL;
    return respond_with(request, &listing);
}

/* --- changes --- */

typedef struct {
    const idv_request_t *request;
    idv_session_transition_t transition;
    idv_session_transition_result_t result;
} change_t;

static idv_error_t *write_session(void *baton,
                                  const idv_session_record_t *record,
                                  const char **body, apr_pool_t *pool)
{
    (void)baton;
    *body = idv_session_text(record->session, NULL, pool);
    return NULL;
}

static idv_error_t *change(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    change_t *work = baton;
    idv_session_transition_result_t *result = &work->result;

    if (work->transition.idempotency) {
        IDV_TRY(idv_idempotency_find(db, work->transition.idempotency,
                                     &result->replay, pool));
        if (result->replay)
            return NULL;
    }
    IDV_TRY(idv_session_transition(db, &work->transition, result, pool));
    return result->replay ? NULL
                          : idv_record_action(db, work->request,
                                              &(idv_recorded_t){0}, pool);
}

/* Whether the operator may cancel a session that may be under review: under the
 * same rules as rejecting it. */
static idv_error_t *may_cancel(idv_db_t *db, void *baton,
                               idv_session_record_t *after, apr_pool_t *pool)
{
    const idv_request_t *request = baton;
    const idv_review_claiming_t claiming = {
        .scope.organization_id = after->session->organization_id,
        .session_id = after->session->id,
        .reviewer = request->key->id,
        .now = request->now,
    };

    return idv_review_may_decide(db, &claiming, IDV_DECISION_REJECT, pool);
}

/* Applies INPUT, from a server or an operator, to the session in the path and
 * answers with the session. */
static idv_error_t *change_and_respond(idv_request_t *request,
                                       const idv_session_input_t *input)
{
    change_t work = {
        .request = request,
        .transition = {.scope = idv_request_scope(request),
                       .session_id = idv_request_path(request, "id"),
                       .input = input,
                       .now = request->now,
                       .keyring = request->services->keyring,
                       .status = HTTP_OK,
                       .answer = write_session,
                       .baton = request},
    };
    idv_idempotency_t *idempotency;

    if (request->operator && input->type == IDV_INPUT_CANCEL)
        work.transition.condition = may_cancel;
    IDV_TRY(idv_idempotency_of_request(request, &idempotency));
    work.transition.idempotency = idempotency;
    IDV_TRY(idv_request_with_database(request, change, &work));
    if (work.result.replay)
        return idv_idempotency_replay(request, work.result.replay);
    if (work.result.queued.deliveries)
        request->services->wake(request->services, IDV_WORK_DELIVERIES);
    return idv_respond_text(request, HTTP_OK, work.result.body);
}

typedef struct {
    const char *reason;
} flag_input_t;

static const idv_parameter_t flag_parameters[] = {
    IDV_PARAMETER(STRING, flag_input_t, reason, IDV_NULLABLE, 1,
                  IDV_REVIEW_REASON_MAX),
    {0},
};

idv_error_t *idv_session_review_api_flag(idv_request_t *request)
{
    flag_input_t body = {0};
    idv_session_input_t input = {.type = IDV_INPUT_FLAG};

    IDV_TRY(idv_request_parameters(request, flag_parameters, &body, NULL));
    input.reason = body.reason;
    input.decided_by = request->key->id;
    return change_and_respond(request, &input);
}

idv_error_t *idv_session_api_cancel(idv_request_t *request)
{
    idv_session_input_t input = {.type = IDV_INPUT_CANCEL,
                                 .decided_by = request->key->id};

    IDV_TRY(idv_request_no_parameters(request));
    return change_and_respond(request, &input);
}
