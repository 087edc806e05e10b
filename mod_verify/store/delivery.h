/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DELIVERY_H
#define IDV_STORE_DELIVERY_H

/*
 * Webhook deliveries as the watchdog's queue: claim, settle, give back.
 *
 * A claimed delivery is leased: it carries the claimer, a process of a node,
 * and the end of the lease, and only who still holds that lease can settle it.
 * A lease that ends without a result may be claimed again, and those of a
 * process at once by its successor on the same node, so whatever dies in
 * between, a delivery may happen twice but never not at all.
 *
 * A claimer is named "<node>.<process>"; each of its claims has another end of
 * the lease.
 *
 * Each is one statement, sent by one function and read, once its result has
 * been received, by another. Memory: results in the pool that is given.
 */
#include "store/db.h"

/* A delivery that this node has to make now. */
typedef struct {
    const char *organization_id;
    const char *id;
    const char *endpoint_id;
    const char *event_id;
    int attempt;              /* attempts made before */
    idv_time_t leased_until;
    int endpoint_enabled;     /* 0 also when the endpoint is gone */
    const char *url;          /* NULL when the endpoint is gone */
    idv_bytes_t sealed_secret;
    const char *body;         /* NULL when the event is gone */
} idv_delivery_t;

/* How many deliveries of an endpoint may be claimed. */
typedef struct {
    const char *endpoint_id;
    int room;
} idv_delivery_room_t;

typedef struct {
    const char *claimer;
    const char *node;                 /* what claimers of the node begin with */
    idv_time_t now;
    idv_time_t leased_until;
    idv_time_t lost_lease;            /* of a claim without result; 0: none */
    int repeated;                     /* due attempts; 0: first ones */
    int limit;                        /* deliveries in all */
    const idv_delivery_room_t *rooms; /* endpoints that differ ... */
    int room_count;
    int default_room;                 /* ... from all others */
    const char *after_endpoint;       /* begin behind it; "": first */
} idv_delivery_claim_t;

/* Claims deliveries that are due, in equal shares for the endpoints that have
 * some. */
idv_error_t *idv_delivery_claim_send(idv_db_t *db,
                                     const idv_delivery_claim_t *claim,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Those that CLAIM got. */
void idv_delivery_claim_read(const idv_db_result_t *result,
                             const idv_delivery_claim_t *claim,
                             idv_delivery_t **deliveries, int *count,
                             apr_pool_t *pool);

/* The result of one attempt; without a URL none was made, and when the delivery
 * is still pending then, it is given back as it was. */
typedef struct {
    const char *organization_id;
    const char *id;
    idv_time_t leased_until;
    const char *status;          /* delivered, pending or failed */
    idv_time_t next_attempt_at;  /* 0: none */
    const char *request_url;
    const char *request_headers; /* JSON texts; "" for none */
    const char *response;
    const char *last_error;
} idv_delivery_result_t;

/* Records COUNT results, in the order in which they came: the endpoints' counts
 * of failures in a row follow from it. What CLAIMER has no lease of any more is
 * passed over. */
idv_error_t *idv_delivery_settle_send(idv_db_t *db, const char *claimer,
                                      const idv_delivery_result_t *const *results,
                                      int count,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
