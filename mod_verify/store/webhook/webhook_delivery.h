/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_WEBHOOK_DELIVERY_H
#define IDV_STORE_WEBHOOK_WEBHOOK_DELIVERY_H

/*
 * Webhook deliveries. One row is both the entry of the watchdog's queue
 * (idv_delivery_...) and the record that the endpoint's owner sees and repeats
 * (idv_webhook_delivery_...). store/webhook/webhook_recovery.h queues again what an
 * endpoint has missed.
 *
 * An event and an endpoint have one row at most, whose id follows from theirs
 * and begins with the event's time: an order of ids is an order of events.
 * Rows are written together with their event; see store/webhook/event.h.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an endpoint or a record that does not exist is
 * `resource_missing`.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"

/*
 * --- the queue ---
 *
 * A claimed delivery is leased: its row names the claimer, a process of a node,
 * and the end of the lease, and only the holder of that lease can settle it. A
 * lease that ends without a result may be claimed again, and the leases of a
 * dead process at once by its successor on the same node. So whatever dies in
 * between, a delivery may happen twice but is never lost.
 *
 * A claimer is named "<node>.<process>"; each of its claims has another end of
 * the lease.
 *
 * Claiming and settling are one statement each, which one function sends
 * without waiting and which idv_db_receive() ends.
 */

/* A delivery that the claimer has to make now. */
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
    idv_bytes_t sealed_former_secret; /* signs too; empty: none */
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

/* Sends the claim of deliveries that are due, in equal shares for the endpoints
 * that have some. */
idv_error_t *idv_delivery_claim_send(idv_db_t *db,
                                     const idv_delivery_claim_t *claim,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The *COUNT deliveries that CLAIM got, from the RESULT of its statement. */
void idv_delivery_claim_read(const idv_db_result_t *result,
                             const idv_delivery_claim_t *claim,
                             idv_delivery_t **deliveries, int *count,
                             apr_pool_t *pool);

/* The result of one attempt. Without a URL no attempt was made; a delivery that
 * is still pending then is given back as it was. */
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

/* Sends the record of COUNT results, in the order in which they came: the
 * endpoints' counts of failures in a row follow from that order. Results whose
 * lease CLAIMER has lost are passed over. */
idv_error_t *idv_delivery_settle_send(idv_db_t *db, const char *claimer,
                                      const idv_delivery_result_t *const *results,
                                      int count,
                                      apr_pool_t *pool) IDV_CHECKED;

/*
 * --- the records ---
 *
 * These functions take for granted that the endpoint is the caller's, which
 * store/webhook/webhook_endpoint.h answers; idv_webhook_delivery_list_near() alone
 * looks for itself.
 */

typedef struct {
    const char *id;
    const char *endpoint_id;
    const char *event_id;
    const char *event_type;
    const char *status;          /* pending, delivered, failed */
    int attempt;                 /* attempts made */
    idv_time_t next_attempt_at;  /* 0: none, or one is under way */
    const char *request_url;     /* NULL: never tried, endpoint gone */
    const char *request_headers; /* JSON object; NULL: never tried */
    const char *body;            /* the text that is sent; NULL: event gone */
    const char *response;        /* JSON object; NULL: none came */
    const char *last_error;      /* JSON object; NULL: none */
    idv_time_t delivered_at;     /* 0: not delivered */
    idv_time_t created;          /* of the event */
    idv_time_t updated;
} idv_webhook_delivery_t;

/* All values of `status`, and NULL behind them. */
extern const char *const idv_webhook_delivery_statuses[];

/* Which record. */
typedef struct {
    const char *organization_id;
    const char *endpoint_id;
    const char *id;
} idv_webhook_delivery_key_t;

/* The record, or `resource_missing`. */
idv_error_t *idv_webhook_delivery_find(idv_db_t *db,
                                       const idv_webhook_delivery_key_t *key,
                                       idv_webhook_delivery_t **delivery,
                                       apr_pool_t *pool) IDV_CHECKED;

/* A page of an endpoint's records; NULL for what is not asked for. */
typedef struct {
    const char *organization_id;
    const char *endpoint_id;
    idv_cursor_t cursor;
    const char *status;
    const char *event_type;
} idv_webhook_delivery_filter_t;

/* Newest first, as an array of idv_webhook_delivery_t *. */
idv_error_t *
idv_webhook_delivery_list(idv_db_t *db,
                          const idv_webhook_delivery_filter_t *filter,
                          apr_array_header_t **deliveries, int *has_more,
                          apr_pool_t *pool) IDV_CHECKED;

/* A page without filters of an endpoint in SCOPE, by one statement that reads
 * little: it finds the page only when the page is full, more records follow,
 * and its records are near each other among all of the organization's, as they
 * are where few endpoints get most of the events. Otherwise *DELIVERIES is
 * NULL, and idv_webhook_delivery_list() has to answer. */
idv_error_t *
idv_webhook_delivery_list_near(idv_db_t *db, const idv_scope_t *scope,
                               const idv_webhook_delivery_filter_t *filter,
                               apr_array_header_t **deliveries,
                               apr_pool_t *pool) IDV_CHECKED;

/* The answers of a delivery that went wrong: status codes FIRST to LAST; 0 is
 * that none came. */
typedef struct {
    int first, last;
} idv_webhook_answers_t;

/* Reads "404", "5xx" or "none"; only 3xx to 5xx can be asked for, what was
 * answered by 2xx is delivered. Else `parameter_invalid` at `http_status`. */
idv_error_t *idv_webhook_answers_read(const char *text,
                                      idv_webhook_answers_t *answers,
                                      apr_pool_t *pool) IDV_CHECKED;

/* A page of the records of all endpoints that an organization has, which are at
 * most IDV_WEBHOOK_ENDPOINTS_MAX; NULL for what is not asked for. */
typedef struct {
    idv_webhook_delivery_filter_t of; /* its endpoint may be NULL */
    const char *event_id; /* has the form of one; excludes `answers` */
    idv_time_t created_from;   /* at this time or later */
    idv_time_t created_before; /* always given, see lookup.h */
    /* Excludes a type and a status: the index does not have them. */
    const idv_webhook_answers_t *answers;
} idv_webhook_delivery_search_t;

/* Newest first. */
idv_error_t *
idv_webhook_delivery_list_all(idv_db_t *db,
                              const idv_webhook_delivery_search_t *search,
                              apr_array_header_t **deliveries, int *has_more,
                              apr_pool_t *pool) IDV_CHECKED;

/* Fills in the endpoint of KEY's delivery, of whichever endpoint it is; or
 * `resource_missing`. */
idv_error_t *idv_webhook_delivery_find_endpoint(idv_db_t *db,
                                                idv_webhook_delivery_key_t *key,
                                                apr_pool_t *pool) IDV_CHECKED;

/* Queues the delivery anew at NOW, whatever its state: the same record, with
 * no attempt made and nothing of the latest response; or `resource_missing`.
 * Wake the watchdog after the commit. */
idv_error_t *idv_webhook_delivery_requeue(idv_db_t *db,
                                          const idv_webhook_delivery_key_t *key,
                                          idv_time_t now,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
