/* SPDX-License-Identifier: Apache-2.0 */
#include "store/webhook/webhook_delivery.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "core/id.h"
#include "domain/webhook/event.h"
#include "store/webhook/webhook_endpoint.h"

/* --- the queue --- */

void idv_delivery_claim_read(const idv_db_result_t *result,
                             const idv_delivery_claim_t *claim,
                             idv_delivery_t **out, int *count, apr_pool_t *pool)
{
    int rows = idv_db_rows(result);
    idv_delivery_t *delivery =
        apr_pcalloc(pool, ((apr_size_t)rows + 1) * sizeof(*delivery));

    *out = delivery;
    *count = rows;
    for (int row = 0; row < rows; row++, delivery++) {
        delivery->organization_id = idv_db_get_text(result, row, 0);
        delivery->id = idv_db_get_text(result, row, 1);
        delivery->endpoint_id = idv_db_get_text(result, row, 2);
        delivery->event_id = idv_db_get_text(result, row, 3);
        delivery->attempt = (int)idv_db_get_int(result, row, 4);
        delivery->leased_until = claim->leased_until;
        delivery->endpoint_enabled = idv_db_get_bool(result, row, 5);
        delivery->url = idv_db_get_text(result, row, 6);
        delivery->sealed_secret = idv_db_get_bytes(result, row, 7, pool);
        delivery->body = idv_db_get_text(result, row, 8);
        delivery->sealed_former_secret =
            idv_db_get_bytes(result, row, 9, pool);
        delivery->trace = idv_db_get_trace(result, row, 10, pool);
    }
}

idv_error_t *idv_delivery_claim_send(idv_db_t *db,
                                     const idv_delivery_claim_t *claim,
                                     apr_pool_t *pool)
{
    apr_size_t size = (apr_size_t)claim->room_count + 1;
    const char **endpoints = apr_palloc(pool, size * sizeof(*endpoints));
    idv_time_t *rooms = apr_palloc(pool, size * sizeof(*rooms));

    for (int i = 0; i < claim->room_count; i++) {
        endpoints[i] = claim->rooms[i].endpoint_id;
        rooms[i] = claim->rooms[i].room;
    }
    return idv_db_send(
        db,
        claim->repeated ? IDV_SQL_DELIVERY_CLAIM_DUE
                        : IDV_SQL_DELIVERY_CLAIM_NEW,
        IDV_DB_PARAMS(idv_db_int(claim->leased_until),
                      idv_db_text(claim->claimer), idv_db_int(claim->limit),
                      idv_db_texts(endpoints, claim->room_count, pool),
                      idv_db_ints(rooms, claim->room_count, pool),
                      idv_db_int(claim->default_room),
                      idv_db_text(claim->after_endpoint),
                      idv_db_int(claim->now), idv_db_text(claim->node),
                      idv_db_int(claim->lost_lease)),
        pool);
}

/* One member of all results, as a text[]. */
#define COLUMN(results, count, member, pool)                                   \
    column(results, count, offsetof(idv_delivery_result_t, member), pool)

static idv_db_param_t column(const idv_delivery_result_t *const *results,
                             int count, apr_size_t offset, apr_pool_t *pool)
{
    const char **texts =
        apr_palloc(pool, ((apr_size_t)count + 1) * sizeof(char *));

    for (int i = 0; i < count; i++)
        texts[i] = *(const char *const *)(const void *)(
            (const char *)results[i] + offset);
    return idv_db_texts(texts, count, pool);
}

idv_error_t *idv_delivery_settle_send(idv_db_t *db, const char *claimer,
                                      const idv_delivery_result_t *const *results,
                                      int count, apr_pool_t *pool)
{
    idv_time_t *leases = apr_palloc(pool, (apr_size_t)count * sizeof(*leases));
    idv_time_t *nexts = apr_palloc(pool, (apr_size_t)count * sizeof(*nexts));

    for (int i = 0; i < count; i++) {
        leases[i] = results[i]->leased_until;
        nexts[i] = results[i]->next_attempt_at;
    }
    return idv_db_send(
        db, IDV_SQL_DELIVERY_SETTLE,
        IDV_DB_PARAMS(idv_db_int(idv_time_now()), idv_db_text(claimer),
                      COLUMN(results, count, organization_id, pool),
                      COLUMN(results, count, id, pool),
                      idv_db_ints(leases, count, pool),
                      COLUMN(results, count, status, pool),
                      idv_db_ints(nexts, count, pool),
                      COLUMN(results, count, request_url, pool),
                      COLUMN(results, count, request_headers, pool),
                      COLUMN(results, count, response, pool),
                      COLUMN(results, count, last_error, pool)),
        pool);
}

/* --- the records --- */

const char *const idv_webhook_delivery_statuses[] = {"pending", "delivered",
                                                     "failed", NULL};

/* How many records of an organization are looked at for each of a page. */
#define NEAR_FACTOR 20

static idv_webhook_delivery_t *read_delivery(const idv_db_result_t *rows,
                                             int row, apr_pool_t *pool)
{
    idv_webhook_delivery_t *delivery = apr_pcalloc(pool, sizeof(*delivery));

    delivery->id = idv_db_get_text(rows, row, 0);
    delivery->endpoint_id = idv_db_get_text(rows, row, 1);
    delivery->event_id = idv_db_get_text(rows, row, 2);
    delivery->event_type = idv_db_get_text(rows, row, 3);
    delivery->status = idv_db_get_text(rows, row, 4);
    delivery->attempt = (int)idv_db_get_int(rows, row, 5);
    delivery->next_attempt_at = idv_db_get_int(rows, row, 6);
    delivery->request_url = idv_db_get_text(rows, row, 7);
    delivery->request_headers = idv_db_get_text(rows, row, 8);
    delivery->body = idv_db_get_text(rows, row, 9);
    delivery->response = idv_db_get_text(rows, row, 10);
    delivery->last_error = idv_db_get_text(rows, row, 11);
    delivery->delivered_at = idv_db_get_int(rows, row, 12);
    delivery->created = idv_db_get_int(rows, row, 13);
    delivery->updated = idv_db_get_int(rows, row, 14);
    return delivery;
}

idv_error_t *idv_webhook_delivery_find(idv_db_t *db,
                                       const idv_webhook_delivery_key_t *key,
                                       idv_webhook_delivery_t **delivery,
                                       apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_WEBHOOK_DELIVERY, key->id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_DELIVERY_FIND,
                         IDV_DB_PARAMS(idv_db_text(key->organization_id),
                                       idv_db_text(key->endpoint_id),
                                       idv_db_text(key->id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *delivery = read_delivery(rows, 0, pool);
    return NULL;
}

/* The value asked for, or all of them; ALL ends with NULL. */
static idv_db_param_t one_or_all(const char *value, const char *const *all,
                                 apr_pool_t *pool)
{
    return value ? idv_db_texts(&value, 1, pool) : idv_db_text_list(all, pool);
}

static apr_array_header_t *read_page(const idv_cursor_page_t *page,
                                     apr_pool_t *pool)
{
    apr_array_header_t *deliveries =
        apr_array_make(pool, page->count, sizeof(idv_webhook_delivery_t *));

    for (int i = 0; i < page->count; i++)
        APR_ARRAY_PUSH(deliveries, idv_webhook_delivery_t *) =
            read_delivery(page->rows, idv_cursor_row(page, i), pool);
    return deliveries;
}

idv_error_t *idv_webhook_delivery_list(
    idv_db_t *db, const idv_webhook_delivery_filter_t *filter,
    apr_array_header_t **deliveries, int *has_more, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(cursor, IDV_SQL_DELIVERY_LIST,
                             IDV_SQL_DELIVERY_LIST_NEWER),
        IDV_DB_PARAMS(
            idv_db_text(filter->organization_id),
            idv_db_text(filter->endpoint_id),
            one_or_all(filter->event_type, idv_event_type_values, pool),
            one_or_all(filter->status, idv_webhook_delivery_statuses, pool),
            IDV_CURSOR_PARAMS(cursor, IDV_ID_WEBHOOK_DELIVERY, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, cursor);
    *has_more = page.has_more;
    *deliveries = read_page(&page, pool);
    return NULL;
}

idv_error_t *
idv_webhook_delivery_list_near(idv_db_t *db, const idv_scope_t *scope,
                               const idv_webhook_delivery_filter_t *filter,
                               apr_array_header_t **deliveries,
                               apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    *deliveries = NULL;
    if (filter->status || filter->event_type || cursor->ending_before
        || !idv_id_is(IDV_ID_WEBHOOK_ENDPOINT, filter->endpoint_id))
        return NULL;
    IDV_TRY(idv_db_query(
        db, IDV_SQL_DELIVERY_LIST_NEAR,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(filter->endpoint_id),
                      idv_cursor_param(cursor), idv_cursor_limit(cursor),
                      idv_db_int(NEAR_FACTOR * (cursor->limit + 1)),
                      idv_db_text(scope->application_id)),
        &rows, pool));
    page = idv_cursor_page(rows, cursor);
    if (page.has_more)
        *deliveries = read_page(&page, pool);
    return NULL;
}

/* --- of all endpoints --- */

#define ANSWER_LAST 599

idv_error_t *idv_webhook_answers_read(const char *text,
                                      idv_webhook_answers_t *answers,
                                      apr_pool_t *pool)
{
    int hundred = (text[0] - '0') * 100;

    *answers = (idv_webhook_answers_t){0};
    if (strcmp(text, "none") == 0)
        return NULL;
    if (strcmp(text, "failing") == 0) {
        *answers = (idv_webhook_answers_t){0, ANSWER_LAST, 1};
        return NULL;
    }
    if (text[0] < '3' || text[0] > '5' || strlen(text) != 3)
        hundred = 0;
    if (hundred && strcmp(text + 1, "xx") == 0)
        *answers = (idv_webhook_answers_t){hundred, hundred + 99, 0};
    else if (hundred && apr_isdigit(text[1]) && apr_isdigit(text[2]))
        answers->first = answers->last = atoi(text);
    else
        return idv_error_param(
            pool, "http_status",
            "must be a status from 300 to 599, `3xx`, `4xx`, "
            "`5xx`, `none` or `failing`.");
    return NULL;
}

static idv_cursor_range_t range_of(const idv_webhook_delivery_search_t *search,
                                   apr_pool_t *pool)
{
    return idv_cursor_range(&search->of.cursor, IDV_ID_WEBHOOK_DELIVERY,
                            search->created_from, search->created_before, pool);
}

/* The ids of the endpoints that SEARCH is about. */
static idv_error_t *endpoints_of(idv_db_t *db,
                                 const idv_webhook_delivery_search_t *search,
                                 idv_db_param_t *ids, apr_pool_t *pool)
{
    const idv_scope_t scope = {.organization_id = search->of.organization_id};
    const idv_cursor_t all = {.limit = IDV_WEBHOOK_ENDPOINTS_MAX};
    const char *texts[IDV_WEBHOOK_ENDPOINTS_MAX];
    apr_array_header_t *endpoints;
    int count = 0, more;

    IDV_TRY(idv_webhook_endpoint_list(
        db, &(const idv_page_query_t){.scope = scope, .cursor = all},
        &endpoints, &more, pool));
    for (int i = 0; i < endpoints->nelts; i++) {
        const char *id =
            APR_ARRAY_IDX(endpoints, i, idv_webhook_endpoint_t *)->id;

        if (!search->of.endpoint_id || strcmp(search->of.endpoint_id, id) == 0)
            texts[count++] = id;
    }
    *ids = idv_db_texts(texts, count, pool);
    return NULL;
}

static idv_error_t *query_answers(idv_db_t *db,
                                  const idv_webhook_delivery_search_t *search,
                                  idv_db_param_t endpoints,
                                  idv_db_result_t **rows, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &search->of.cursor;
    idv_cursor_range_t range = range_of(search, pool);

    return idv_db_query(
        db,
        idv_cursor_statement(cursor, IDV_SQL_DELIVERY_LIST_ALL_OF_ANSWER,
                             IDV_SQL_DELIVERY_LIST_ALL_OF_ANSWER_NEWER),
        IDV_DB_PARAMS(idv_db_text(search->of.organization_id), endpoints,
                      idv_db_int(search->answers->first),
                      idv_db_int(search->answers->last),
                      idv_db_text(range.lower), idv_db_text(range.upper),
                      idv_cursor_limit(cursor),
                      idv_db_bool(search->answers->failing)),
        rows, pool);
}

/* The statements for kinds and for one event differ in their last parameter. */
static idv_error_t *query_kinds(idv_db_t *db,
                                const idv_webhook_delivery_search_t *search,
                                idv_db_param_t endpoints,
                                idv_db_result_t **rows, apr_pool_t *pool)
{
    const idv_webhook_delivery_filter_t *of = &search->of;
    idv_cursor_range_t range = range_of(search, pool);
    const idv_db_param_t params[] = {
        idv_db_text(of->organization_id),
        endpoints,
        one_or_all(of->event_type, idv_event_type_values, pool),
        one_or_all(of->status, idv_webhook_delivery_statuses, pool),
        idv_db_text(range.lower),
        idv_db_text(range.upper),
        idv_cursor_limit(&of->cursor),
        idv_db_text(search->event_id),
    };
    int count = sizeof(params) / sizeof(*params);

    if (search->event_id)
        return idv_db_query(db,
                            idv_cursor_statement(
                                &of->cursor, IDV_SQL_DELIVERY_LIST_ALL_OF_EVENT,
                                IDV_SQL_DELIVERY_LIST_ALL_OF_EVENT_NEWER),
                            (idv_db_params_t){params, count}, rows, pool);
    return idv_db_query(
        db,
        idv_cursor_statement(&of->cursor, IDV_SQL_DELIVERY_LIST_ALL_OF_KIND,
                             IDV_SQL_DELIVERY_LIST_ALL_OF_KIND_NEWER),
        (idv_db_params_t){params, count - 1}, rows, pool);
}

idv_error_t *idv_webhook_delivery_list_all(
    idv_db_t *db, const idv_webhook_delivery_search_t *search,
    apr_array_header_t **deliveries, int *has_more, apr_pool_t *pool)
{
    idv_db_param_t endpoints;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(endpoints_of(db, search, &endpoints, pool));
    IDV_TRY(search->answers
                ? query_answers(db, search, endpoints, &rows, pool)
                : query_kinds(db, search, endpoints, &rows, pool));
    page = idv_cursor_page(rows, &search->of.cursor);
    *has_more = page.has_more;
    *deliveries = read_page(&page, pool);
    return NULL;
}

idv_error_t *idv_webhook_delivery_find_endpoint(idv_db_t *db,
                                                idv_webhook_delivery_key_t *key,
                                                apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_DELIVERY_FIND_ENDPOINT,
                         IDV_DB_PARAMS(idv_db_text(key->organization_id),
                                       idv_db_text(key->id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    key->endpoint_id = idv_db_get_text(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_webhook_delivery_requeue(idv_db_t *db,
                                          const idv_webhook_delivery_key_t *key,
                                          idv_time_t now, apr_pool_t *pool)
{
    apr_int64_t changed;

    if (!idv_id_is(IDV_ID_WEBHOOK_DELIVERY, key->id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(
        idv_db_execute(db, IDV_SQL_DELIVERY_REQUEUE,
                       IDV_DB_PARAMS(idv_db_text(key->organization_id),
                                     idv_db_text(key->endpoint_id),
                                     idv_db_text(key->id), idv_db_time(now)),
                       &changed, pool));
    return changed ? NULL : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}
