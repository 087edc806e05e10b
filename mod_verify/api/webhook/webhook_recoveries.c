/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/webhook_endpoints/:id/recoveries: queues
 * again the events that an endpoint missed in a period. The routes order the
 * jobs and show their progress. The watchdog, which looks for jobs every
 * second, runs them (worker/watchdog/timers.h).
 */
#include "api/http/response.h"
#include "api/http/write.h"
#include "store/webhook/webhook_endpoint.h"
#include "store/webhook/webhook_recovery.h"

#define EXPECTED_LENGTH 500 /* of a recovery */

static void write_recovery(idv_json_writer_t *object,
                           const idv_webhook_recovery_t *recovery)
{
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "id", recovery->id);
    idv_json_put_text(object, "object", "webhook_recovery");
    idv_json_put_text(object, "webhook_endpoint_id", recovery->endpoint_id);
    idv_json_put_seconds(object, "since", recovery->since);
    idv_json_put_seconds(object, "until", recovery->until);
    idv_json_put_text(object, "status", recovery->status);
    idv_json_put_seconds(object, "examined_until", recovery->examined_until);
    idv_json_put_integer(object, "events_examined", recovery->events_examined);
    idv_json_put_integer(object, "deliveries_requeued",
                         recovery->deliveries_requeued);
    idv_json_put_integer(object, "deliveries_created",
                         recovery->deliveries_created);
    idv_json_put_seconds(object, "created", recovery->created);
    idv_json_put_seconds(object, "updated", recovery->updated);
    idv_json_put_seconds(object, "finished_at", recovery->finished_at);
    idv_json_close_object(object);
}

static const char *recovery_text(const idv_webhook_recovery_t *recovery,
                                 apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    write_recovery(&object, recovery);
    return idv_json_writer_text(&object, NULL);
}

/* --- ordering --- */

typedef struct {
    apr_int64_t since, until;
} create_input_t;

static const idv_parameter_t create_parameters[] = {
    IDV_PARAMETER(INTEGER, create_input_t, since, IDV_REQUIRED, 0,
                  IDV_LATEST_SECOND),
    IDV_PARAMETER(INTEGER, create_input_t, until, 0, 0, IDV_LATEST_SECOND),
    {0},
};

static idv_error_t *create(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const idv_webhook_recovery_order_t *order = baton;
    idv_webhook_recovery_t *recovery;

    IDV_TRY(idv_webhook_recovery_create(db, order, &recovery, pool));
    *answer = recovery_text(recovery, pool);
    return NULL;
}

idv_error_t *idv_webhook_recovery_api_create(idv_request_t *request)
{
    create_input_t input = {.until = IDV_LATEST_SECOND};
    idv_webhook_recovery_order_t order = {
        .scope = idv_request_scope(request),
        .endpoint_id = idv_request_path(request, "id"),
        .now = request->now,
    };
    const idv_write_t write = {.status = HTTP_CREATED,
                               .work = create,
                               .baton = &order,
                               .told_id = "recovery_id"};

    IDV_TRY(idv_request_parameters(request, create_parameters, &input, NULL));
    IDV_TRY(idv_webhook_recovery_window(input.since, input.until, request->now,
                                        order.window, request->pool));
    return idv_write(request, &write);
}

/* --- showing --- */

/* The owner of the recoveries in REQUEST, whose endpoint must exist. */
static idv_error_t *find_owner(idv_db_t *db, const idv_request_t *request,
                               idv_webhook_recovery_owner_t *owner,
                               apr_pool_t *pool)
{
    const idv_scope_t scope = idv_request_scope(request);
    idv_webhook_endpoint_t *endpoint;

    IDV_TRY(idv_webhook_endpoint_find(db, &scope,
                                      idv_request_path(request, "id"),
                                      &endpoint, pool));
    owner->organization_id = scope.organization_id;
    owner->endpoint_id = endpoint->id;
    return NULL;
}

typedef struct {
    const idv_request_t *request;
    idv_webhook_recovery_t *recovery;
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;
    const char *id = idv_request_path(retrieval->request, "recovery_id");
    idv_webhook_recovery_owner_t owner;

    IDV_TRY(find_owner(db, retrieval->request, &owner, pool));
    return idv_webhook_recovery_find(db, &owner, id, &retrieval->recovery,
                                     pool);
}

idv_error_t *idv_webhook_recovery_api_retrieve(idv_request_t *request)
{
    retrieval_t retrieval = {.request = request};

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    return idv_respond_text(request, HTTP_OK,
                            recovery_text(retrieval.recovery, request->pool));
}

static idv_error_t *read_recoveries(idv_db_t *db, idv_listing_t *listing,
                                    apr_pool_t *pool)
{
    idv_webhook_recovery_filter_t filter = {.cursor = listing->cursor};

    IDV_TRY(find_owner(db, listing->request, &filter.of, pool));
    return idv_webhook_recovery_list(db, &filter, &listing->items,
                                     &listing->has_more, pool);
}

static void write_listed(idv_json_writer_t *page, const void *element,
                         apr_pool_t *pool)
{
    (void)pool;
    write_recovery(page, *(idv_webhook_recovery_t *const *)element);
}

idv_error_t *idv_webhook_recovery_api_list(idv_request_t *request)
{
    static const idv_list_t recoveries = {IDV_ID_WEBHOOK_RECOVERY,
                                          read_recoveries, write_listed};

    return idv_list_respond(request, &recoveries);
}
