/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/webhook_endpoints/:id/deliveries: the records of deliveries, and
 * repeating one; /v1/webhook_endpoints/:id/test: sending a test event. For
 * operators …/webhook_deliveries, those of all endpoints, and
 * …/deliveries/:delivery_id/diagnosis: why a receiver rejects a signature.
 *
 * Each of them finds the endpoint first. Outside the scope of the key, neither
 * an endpoint nor its deliveries exist.
 */
#include "api/http/response.h"
#include "api/http/write.h"
#include "core/id.h"
#include "domain/webhook/event.h"
#include "domain/webhook/signature_diagnosis.h"
#include "store/webhook/event.h"
#include "store/webhook/webhook_delivery.h"
#include "store/webhook/webhook_endpoint.h"
#include "worker/watchdog/watchdog.h"
#include "worker/webhook/delivery_attempt.h"

#define EXPECTED_LENGTH 2000 /* of a record */

/* The state of these routes. */
typedef struct {
    const idv_request_t *request;
    idv_scope_t scope;
    idv_webhook_delivery_key_t key;
    idv_webhook_endpoint_t *endpoint;
    idv_webhook_delivery_t *delivery;
    idv_event_type_t type; /* of a test event */
} work_t;

static work_t make_work(const idv_request_t *request)
{
    idv_scope_t scope = idv_request_scope(request);

    return (work_t){
        .request = request,
        .scope = scope,
        .key = {scope.organization_id, idv_request_path(request, "id"),
                idv_request_path(request, "delivery_id")},
        .type = IDV_EVENT_SESSION_VERIFIED,
    };
}

static idv_error_t *find_endpoint(idv_db_t *db, work_t *work, apr_pool_t *pool)
{
    return idv_webhook_endpoint_find(db, &work->scope, work->key.endpoint_id,
                                     &work->endpoint, pool);
}

/* --- records --- */

static void write_delivery(idv_json_writer_t *object,
                           const idv_webhook_delivery_t *delivery)
{
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "id", delivery->id);
    idv_json_put_text(object, "object", "webhook_delivery");
    idv_json_put_text(object, "webhook_endpoint_id", delivery->endpoint_id);
    idv_json_put_text(object, "event_id", delivery->event_id);
    idv_json_put_text(object, "event_type", delivery->event_type);
    idv_json_put_text(object, "status", delivery->status);
    idv_json_put_integer(object, "attempt", delivery->attempt);
    idv_json_put_integer(object, "max_attempts", IDV_DELIVERY_MAX_ATTEMPTS);
    idv_json_put_seconds(object, "next_attempt_at", delivery->next_attempt_at);
    idv_json_open_object(object, "request");
    idv_json_put_text(object, "url", delivery->request_url);
    idv_json_put_raw(object, "headers",
                     delivery->request_headers ? delivery->request_headers
                                               : "{}");
    idv_json_put_text(object, "body", delivery->body);
    idv_json_close_object(object);
    idv_json_put_raw(object, "response", delivery->response);
    idv_json_put_raw(object, "last_error", delivery->last_error);
    idv_json_put_seconds(object, "delivered_at", delivery->delivered_at);
    idv_json_put_seconds(object, "created", delivery->created);
    idv_json_put_seconds(object, "updated", delivery->updated);
    idv_json_close_object(object);
}

static const char *delivery_text(const idv_webhook_delivery_t *delivery,
                                 apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    write_delivery(&object, delivery);
    return idv_json_writer_text(&object, NULL);
}

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    work_t *work = baton;

    IDV_TRY(find_endpoint(db, work, pool));
    return idv_webhook_delivery_find(db, &work->key, &work->delivery, pool);
}

idv_error_t *idv_webhook_delivery_api_retrieve(idv_request_t *request)
{
    work_t work = make_work(request);

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &work));
    return idv_respond_text(request, HTTP_OK,
                            delivery_text(work.delivery, request->pool));
}

static idv_error_t *retry(idv_db_t *db, void *baton, const char **answer,
                          apr_pool_t *pool)
{
    work_t *work = baton;

    IDV_TRY(find_endpoint(db, work, pool));
    IDV_TRY(
        idv_webhook_delivery_requeue(db, &work->key, work->request->now, pool));
    IDV_TRY(idv_webhook_delivery_find(db, &work->key, &work->delivery, pool));
    *answer = delivery_text(work->delivery, pool);
    return NULL;
}

idv_error_t *idv_webhook_delivery_api_retry(idv_request_t *request)
{
    work_t work = make_work(request);
    idv_write_t write = {.status = HTTP_OK,
                         .work = retry,
                         .baton = &work,
                         .told_id = "delivery_id",
                         .wake = IDV_WORK_DELIVERIES};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

/* --- lists --- */

typedef struct {
    idv_page_t page;
    const char *status;
    const char *event_type;
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t, IDV_ID_WEBHOOK_DELIVERY),
    IDV_PARAMETER_OF(STRING, list_input_t, status, 0,
                     idv_webhook_delivery_statuses),
    IDV_PARAMETER_OF(STRING, list_input_t, event_type, 0,
                     idv_event_type_values),
    {0},
};

typedef struct {
    work_t work;
    idv_webhook_delivery_filter_t filter;
    apr_array_header_t *deliveries;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    IDV_TRY(idv_webhook_delivery_list_near(db, &listing->work.scope,
                                           &listing->filter,
                                           &listing->deliveries, pool));
    listing->has_more = listing->deliveries != NULL;
    if (listing->deliveries)
        return NULL;
    IDV_TRY(find_endpoint(db, &listing->work, pool));
    return idv_webhook_delivery_list(db, &listing->filter, &listing->deliveries,
                                     &listing->has_more, pool);
}

idv_error_t *idv_webhook_delivery_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT};
    listing_t listing = {.work = make_work(request)};
    idv_json_writer_t page;

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    listing.filter = (idv_webhook_delivery_filter_t){
        .organization_id = listing.work.scope.organization_id,
        .endpoint_id = listing.work.key.endpoint_id,
        .cursor = idv_page_cursor(&input.page),
        .status = input.status,
        .event_type = input.event_type,
    };
    IDV_TRY(idv_request_with_database(request, list, &listing));
    idv_page_open(request, listing.has_more, &page);
    for (int i = 0; i < listing.deliveries->nelts; i++)
        write_delivery(&page, APR_ARRAY_IDX(listing.deliveries, i,
                                            idv_webhook_delivery_t *));
    return idv_page_close(request, &page);
}

/* --- test events --- */

typedef struct {
    const char *event_type;
} test_input_t;

static const idv_parameter_t test_parameters[] = {
    IDV_PARAMETER_OF(STRING, test_input_t, event_type, 0,
                     idv_event_type_values),
    {0},
};

static idv_error_t *insert_test(idv_db_t *db, void *baton, const char **answer,
                                apr_pool_t *pool)
{
    work_t *work = baton;
    idv_time_t now = work->request->now;
    idv_event_sample_t sample = {work->scope.organization_id, now};
    idv_event_draft_t draft = {.organization_id = work->scope.organization_id,
                               .type = work->type,
                               .created = now};
    idv_event_text_t text;
    const char *delivery_id;
    idv_json_writer_t answered;
    json_t *object;

    IDV_TRY(find_endpoint(db, work, pool));
    draft.application_id = work->endpoint->application_id;
    object = idv_event_sample_json(&sample, work->type, pool);
    draft.object = idv_json_text(object, pool);
    draft.object_id = idv_event_sample_object_id(object);
    IDV_TRY(idv_event_insert_test(
        db,
        &(const idv_event_test_t){.draft = &draft,
                                  .endpoint_id = work->endpoint->id},
        &text, &delivery_id, pool));
    idv_json_writer_init(&answered, EXPECTED_LENGTH, pool);
    idv_json_open_object(&answered, NULL);
    idv_json_put_text(&answered, "id", text.id);
    idv_json_put_text(&answered, "object", "event");
    idv_json_put_text(&answered, "type", idv_event_type_value(work->type));
    idv_json_put_seconds(&answered, "created", now);
    idv_json_put_text(&answered, "delivery_id", delivery_id);
    idv_json_close_object(&answered);
    *answer = idv_json_writer_text(&answered, NULL);
    return NULL;
}

idv_error_t *idv_webhook_delivery_api_test(idv_request_t *request)
{
    work_t work = make_work(request);
    test_input_t input = {0};
    idv_write_t write = {.status = HTTP_OK,
                         .work = insert_test,
                         .baton = &work,
                         .told_id = "event_id",
                         .wake = IDV_WORK_DELIVERIES};

    IDV_TRY(idv_request_parameters(request, test_parameters, &input, NULL));
    if (input.event_type)
        work.type = idv_event_type_parse(input.event_type);
    return idv_write(request, &write);
}

/* --- of all endpoints --- */

typedef struct {
    idv_page_t page;
    const char *webhook_endpoint_id;
    const char *status;
    const char *event_type;
    const char *event_id;
    const char *http_status;
    apr_int64_t created_gte, created_lt;
} search_input_t;

static const idv_parameter_t search_parameters[] = {
    IDV_PAGE_PARAMETERS(search_input_t, IDV_ID_WEBHOOK_DELIVERY),
    IDV_PARAMETER(ID, search_input_t, webhook_endpoint_id, 0,
                  IDV_ID_WEBHOOK_ENDPOINT, 0),
    IDV_PARAMETER_OF(STRING, search_input_t, status, 0,
                     idv_webhook_delivery_statuses),
    IDV_PARAMETER_OF(STRING, search_input_t, event_type, 0,
                     idv_event_type_values),
    IDV_PARAMETER(ID, search_input_t, event_id, 0, IDV_ID_EVENT, 0),
    IDV_PARAMETER(STRING, search_input_t, http_status, 0, 3, 7),
    IDV_PARAMETER(INTEGER, search_input_t, created_gte, 0, 0,
                  IDV_LATEST_SECOND),
    IDV_PARAMETER(INTEGER, search_input_t, created_lt, 0, 0, IDV_LATEST_SECOND),
    {0},
};

typedef struct {
    idv_webhook_delivery_search_t search;
    idv_webhook_answers_t answers;
    apr_array_header_t *deliveries;
    int has_more;
} search_t;

static idv_error_t *make_search(const idv_request_t *request,
                                const search_input_t *input, search_t *search)
{
    search->search = (idv_webhook_delivery_search_t){
        .of = {.organization_id = request->organization_id,
               .endpoint_id = input->webhook_endpoint_id,
               .cursor = idv_page_cursor(&input->page),
               .status = input->status,
               .event_type = input->event_type},
        .event_id = input->event_id,
        .created_from = input->created_gte * IDV_SECOND,
        .created_before = input->created_lt * IDV_SECOND,
    };
    if (!input->http_status)
        return NULL;
    if (input->status || input->event_type || input->event_id)
        return idv_error_param(
            request->pool, "http_status",
            "excludes `status`, `event_type` and `event_id`. Omit them.");
    search->search.answers = &search->answers;
    return idv_webhook_answers_read(input->http_status, &search->answers,
                                    request->pool);
}

static idv_error_t *run_search(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    search_t *search = baton;

    return idv_webhook_delivery_list_all(db, &search->search,
                                         &search->deliveries,
                                         &search->has_more, pool);
}

idv_error_t *idv_webhook_delivery_api_list_all(idv_request_t *request)
{
    search_input_t input = {.page = IDV_PAGE_DEFAULT,
                            .created_lt = IDV_LATEST_SECOND};
    search_t search = {0};
    idv_json_writer_t page;

    IDV_TRY(idv_request_parameters(request, search_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    IDV_TRY(make_search(request, &input, &search));
    IDV_TRY(idv_request_with_database(request, run_search, &search));
    idv_page_open(request, search.has_more, &page);
    for (int i = 0; i < search.deliveries->nelts; i++)
        write_delivery(&page, APR_ARRAY_IDX(search.deliveries, i,
                                            idv_webhook_delivery_t *));
    return idv_page_close(request, &page);
}

/* --- rejected signatures --- */

#define HEADER_MAX 1000
#define COMPUTED_MAX 200
#define RECEIVED_MAX 400000

typedef struct {
    const char *signature;
    const char *body;
    const char *computed;
} diagnosis_input_t;

static const idv_parameter_t diagnosis_parameters[] = {
    IDV_PARAMETER(STRING, diagnosis_input_t, signature, IDV_REQUIRED, 1,
                  HEADER_MAX),
    IDV_PARAMETER(STRING, diagnosis_input_t, body, IDV_NULLABLE, 0,
                  RECEIVED_MAX),
    IDV_PARAMETER(STRING, diagnosis_input_t, computed, IDV_NULLABLE, 1,
                  COMPUTED_MAX),
    {0},
};

typedef struct {
    work_t work;
    idv_signature_question_t question;
} diagnosis_t;

static idv_error_t *find_what_was_signed(idv_db_t *db, void *baton,
                                         apr_pool_t *pool)
{
    diagnosis_t *diagnosis = baton;
    work_t *work = &diagnosis->work;

    IDV_TRY(find(db, work, pool));
    diagnosis->question.sent = work->delivery->body;
    return idv_webhook_secret_find(
        db,
        &(const idv_webhook_secret_query_t){
            .keyring = work->request->services->keyring,
            .scope = work->scope,
            .id = work->key.endpoint_id},
        &diagnosis->question.secret, pool);
}

/* Nothing is recorded, since this does not change anything and reveals only
 * codes. */
idv_error_t *idv_webhook_delivery_api_diagnose(idv_request_t *request)
{
    diagnosis_input_t input = {0};
    diagnosis_t diagnosis = {.work = make_work(request)};
    idv_json_writer_t object;
    unsigned found;

    IDV_TRY(
        idv_request_parameters(request, diagnosis_parameters, &input, NULL));
    diagnosis.question.header = input.signature;
    diagnosis.question.received = input.body;
    diagnosis.question.computed = input.computed;
    diagnosis.question.now = request->now;
    IDV_TRY(
        idv_request_with_database(request, find_what_was_signed, &diagnosis));
    if (!diagnosis.question.sent) /* the event is gone */
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    found = idv_signature_diagnose(&diagnosis.question, request->pool);
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "signature_diagnosis");
    idv_json_open_array(&object, "findings");
    for (int i = 0; i < IDV_SIGNATURE_FINDING_COUNT; i++)
        if (found & (1u << i))
            idv_json_put_text(&object, NULL,
                              idv_signature_finding_name(
                                  (idv_signature_finding_t)i));
    idv_json_close_array(&object);
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}
