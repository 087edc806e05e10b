/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_ACTION_RECORD_H
#define IDV_API_HTTP_ACTION_RECORD_H

/*
 * How a request leaves its trace in the record of what the team did
 * (store/account/operator_action.h): who calls, how he was let in, from where and by
 * which request is taken from the request, the rest is said by the handler.
 *
 * Whoever changes something for an operator, or shows him evidence, calls
 * idv_record_action() in the transaction of the change or, for a look, before
 * the evidence is answered. idv_write() (api/http/write.h) has done so already for
 * all that goes through it. A request that is replayed by its Idempotency-Key
 * is not recorded again.
 *
 *     static idv_error_t *decide(idv_db_t *db, void *baton, apr_pool_t *pool)
 *     {
 *         ...the change...
 *         return idv_record_action(db, work->request,
 *                                  &(idv_recorded_t){.action = "review.approve",
 *                                                    .object_id = session_id,
 *                                                    .reason = reason},
 *                                  pool);
 *     }
 *     ...
 *     idv_request_transaction(request, decide, &work)
 *
 * Nothing about persons who are verified belongs into it: ids, codes, numbers
 * and names of parameters do. A reason is recorded as the operator gave it; ask
 * for a code where persons could be named.
 *
 * Keys. What an API key does is recorded when it administers (endpoints, trust
 * reuse), not when it works (sessions): `is_administrative` says so.
 *
 * Threads: that of the request. Memory: the given pool. Failures: those of
 * store/db/db.h; then nothing was changed either.
 */
#include "api/http/request.h"

typedef struct {
    const char *action;    /* NULL: the request's own, "POST /v1/…/:id" */
    const char *object_id; /* NULL: the `id` of the path, if it has one */
    const char *reason;    /* NULL: none */
    const json_t *details; /* an object; NULL: what of the parameters may be
                            * told, by idv_record_parameters() */
    int is_administrative; /* flag: recorded of keys, too */
} idv_recorded_t;

/* Appends WHAT to the chain of REQUEST's organization (or of the server where
 * the path names none), on the connection DB of the change. Does nothing for a
 * key that does not administer. */
idv_error_t *idv_record_action(idv_db_t *db, const idv_request_t *request,
                               const idv_recorded_t *what,
                               apr_pool_t *pool) IDV_CHECKED;

/* What may be told of REQUEST's parameters: `parameters`, the names of all, and
 * the values of those that are flags, numbers or one of the service's own
 * words. NULL when there are none. Owned by POOL. */
json_t *idv_record_parameters(const idv_request_t *request, apr_pool_t *pool);

#endif
