/* SPDX-License-Identifier: Apache-2.0 */
#include "store/delivery.h"

#include <stddef.h>

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
