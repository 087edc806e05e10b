/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_WEBHOOK_DELIVERY_H
#define IDV_STORE_WEBHOOK_WEBHOOK_DELIVERY_H

/*
 * Webhook deliveries. One row is both the entry in the watchdog's queue
 * (idv_delivery_...) and the record that the endpoint's owner sees and repeats
 * (idv_webhook_delivery_...). store/webhook/webhook_recovery.h requeues what an
 * endpoint has missed.
 *
 * There is at most one row per event and endpoint; its id is derived from
 * theirs and starts with the event's time, so ids are in the order of events.
 * Rows are written together with their event; see store/webhook/event.h.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an unknown endpoint or record is
 * `resource_missing`.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"

/*
 * --- the queue ---
 *
 * A claimed delivery is leased: its row names the claimer (a process of a node)
 * and the end of the lease, and only the holder of that lease can settle it. An
 * expired lease can be claimed again; the leases of a dead process can be
 * claimed at once by its successor on the same node. So whatever crashes in
 * between, a delivery may happen twice but is never lost.
 *
 * A claimer is named "<node>.<process>"; each of its claims has a different
 * lease end.
 *
 * Claiming and settling are one statement each, sent by one function without
 * waiting and completed by idv_db_receive().
 */

/* A delivery that the claimer must make now. */
typedef struct {
    const char *organization_id;
    const char *id;
    const char *endpoint_id;
    const char *event_id;
    int attempt;              /* number of earlier attempts */
    idv_time_t leased_until;
    int endpoint_enabled;     /* 0 also if the endpoint was deleted */
    const char *url;          /* NULL if the endpoint was deleted */
    idv_bytes_t sealed_secret;
    idv_bytes_t sealed_former_secret; /* also signs; empty: none */
    const char *body;         /* NULL if the event was deleted */
    const idv_trace_context_t *trace; /* that the event belongs to, or NULL */
} idv_delivery_t;

/* How many deliveries of an endpoint can be claimed. */
typedef struct {
    const char *endpoint_id;
    int room;
} idv_delivery_room_t;

typedef struct {
    const char *claimer;
    const char *node;                 /* prefix of this node's claimers */
    idv_time_t now;
    idv_time_t leased_until;
    idv_time_t lost_lease;            /* of a claim without a result; 0: none */
    int repeated;                     /* flag: retries; 0: first attempts */
    int limit;                        /* maximum deliveries */
    const idv_delivery_room_t *rooms; /* endpoints with a limit of their own
                                       * ... */
    int room_count;
    int default_room;                 /* ... and the limit of all others */
    const char *after_endpoint;       /* start after it; "": first */
} idv_delivery_claim_t;

/* Sends a claim for due deliveries, shared equally between the endpoints that
 * have some. */
idv_error_t *idv_delivery_claim_send(idv_db_t *db,
                                     const idv_delivery_claim_t *claim,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The *COUNT deliveries claimed by CLAIM, from the RESULT of its statement. */
void idv_delivery_claim_read(const idv_db_result_t *result,
                             const idv_delivery_claim_t *claim,
                             idv_delivery_t **deliveries, int *count,
                             apr_pool_t *pool);

/* The result of an attempt. Without a URL no attempt was made; if the delivery
 * is then still pending, it is released unchanged. */
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

/* Sends the record of COUNT results in the order of their arrival, which
 * determines the endpoints' counts of consecutive failures. Results whose lease
 * CLAIMER has lost are skipped. */
idv_error_t *idv_delivery_settle_send(idv_db_t *db, const char *claimer,
                                      const idv_delivery_result_t *const *results,
                                      int count,
                                      apr_pool_t *pool) IDV_CHECKED;

/*
 * --- the records ---
 *
 * These functions assume that the endpoint is in the caller's scope; check it
 * with store/webhook/webhook_endpoint.h. Only idv_webhook_delivery_list_near()
 * checks itself.
 */

typedef struct {
    const char *id;
    const char *endpoint_id;
    const char *event_id;
    const char *event_type;
    const char *status;          /* pending, delivered, failed */
    int attempt;                 /* number of attempts */
    idv_time_t next_attempt_at;  /* 0: none, or an attempt is running */
    const char *request_url;     /* NULL: never tried, endpoint deleted */
    const char *request_headers; /* JSON object; NULL: never tried */
    const char *body;            /* the text sent; NULL: event deleted */
    const char *response;        /* JSON object; NULL: no response */
    const char *last_error;      /* JSON object; NULL: none */
    idv_time_t delivered_at;     /* 0: not delivered */
    idv_time_t created;          /* of the event */
    idv_time_t updated;
} idv_webhook_delivery_t;

/* All values of `status`, NULL-terminated. */
extern const char *const idv_webhook_delivery_statuses[];

/* Identifies a record. */
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

/* A query for a page of an endpoint's records; NULL: no filter. */
typedef struct {
    const char *organization_id;
    const char *endpoint_id;
    idv_cursor_t cursor;
    const char *status;
    const char *event_type;
} idv_webhook_delivery_filter_t;

/* Newest first, an array of idv_webhook_delivery_t *. */
idv_error_t *
idv_webhook_delivery_list(idv_db_t *db,
                          const idv_webhook_delivery_filter_t *filter,
                          apr_array_header_t **deliveries, int *has_more,
                          apr_pool_t *pool) IDV_CHECKED;

/* An unfiltered page of an endpoint in SCOPE, with one cheap statement. It
 * finds the page only if the page is full, more records follow, and its records
 * are close to each other among the organization's, as is usual if few
 * endpoints get most of the events. Otherwise *DELIVERIES is NULL; use
 * idv_webhook_delivery_list(). */
idv_error_t *
idv_webhook_delivery_list_near(idv_db_t *db, const idv_scope_t *scope,
                               const idv_webhook_delivery_filter_t *filter,
                               apr_array_header_t **deliveries,
                               apr_pool_t *pool) IDV_CHECKED;

/* Responses of failed deliveries: status codes FIRST to LAST; 0 means no
 * response. FAILING: only attempts since the endpoint last succeeded, which its
 * `consecutive_failures` counts. */
typedef struct {
    int first, last;
    int failing;
} idv_webhook_answers_t;

/* Parses "404", "5xx", "none" or "failing"; only 3xx to 5xx are valid, because
 * 2xx is delivered. Otherwise `parameter_invalid` at `http_status`. */
idv_error_t *idv_webhook_answers_read(const char *text,
                                      idv_webhook_answers_t *answers,
                                      apr_pool_t *pool) IDV_CHECKED;

/* A query for a page of the records of all endpoints of an organization, at
 * most IDV_WEBHOOK_ENDPOINTS_MAX; NULL: no filter. */
typedef struct {
    idv_webhook_delivery_filter_t of; /* its endpoint may be NULL */
    const char *event_id; /* a well-formed id; excludes `answers` */
    idv_time_t created_from;   /* at this time or later */
    idv_time_t created_before; /* required, see lookup.h */
    /* Excludes type and status, which its index does not contain. */
    const idv_webhook_answers_t *answers;
} idv_webhook_delivery_search_t;

/* Newest first. */
idv_error_t *
idv_webhook_delivery_list_all(idv_db_t *db,
                              const idv_webhook_delivery_search_t *search,
                              apr_array_header_t **deliveries, int *has_more,
                              apr_pool_t *pool) IDV_CHECKED;

/* Fills in the endpoint of KEY's delivery, of any endpoint; or
 * `resource_missing`. */
idv_error_t *idv_webhook_delivery_find_endpoint(idv_db_t *db,
                                                idv_webhook_delivery_key_t *key,
                                                apr_pool_t *pool) IDV_CHECKED;

/* Requeues the delivery at NOW in any state: the same record, with no attempts
 * and without the latest response; or `resource_missing`. Wake the watchdog
 * after the commit. */
idv_error_t *idv_webhook_delivery_requeue(idv_db_t *db,
                                          const idv_webhook_delivery_key_t *key,
                                          idv_time_t now,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
