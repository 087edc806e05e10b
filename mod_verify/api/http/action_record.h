/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_ACTION_RECORD_H
#define IDV_API_HTTP_ACTION_RECORD_H

/*
 * Records a request in the operator action log
 * (store/account/operator_action.h). The request supplies the caller, the means
 * of authentication, the address and the request id; the handler supplies the
 * rest.
 *
 * A handler that changes something for an operator calls idv_record_action() in
 * the transaction of the change. A handler that shows evidence calls it before
 * it answers. idv_write() (api/http/write.h) makes this call itself. A request
 * that is replayed by its Idempotency-Key is not recorded again.
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
 * Record ids, codes, numbers and names of parameters; never data about verified
 * persons. A reason is recorded as the operator gave it; ask for a code where a
 * free text could name a person.
 *
 * Keys. Administrative requests of an API key (endpoints, trust reuse) are
 * recorded, its routine work (sessions) is not: see `is_administrative`.
 *
 * Threads: that of the request. Memory: the given pool. Failures: those of
 * store/db/db.h; after a failure nothing has changed.
 */
#include "api/http/request.h"

typedef struct {
    const char *action;    /* NULL: the request's own, "POST /v1/…/:id" */
    const char *object_id; /* NULL: the `id` of the path, if it has one */
    const char *reason;    /* NULL: none */
    const json_t *details; /* an object; NULL: the parameters that may be
                            * logged, see idv_record_parameters() */
    int is_administrative; /* flag: also recorded for keys */
} idv_recorded_t;

/* Appends WHAT to the chain of REQUEST's organization, or to the server's if
 * the path names no organization. DB is the connection of the change. Does
 * nothing for a key unless the action is administrative. */
idv_error_t *idv_record_action(idv_db_t *db, const idv_request_t *request,
                               const idv_recorded_t *what,
                               apr_pool_t *pool) IDV_CHECKED;

/* The parameters of REQUEST that may be logged: `parameters`, the names of all,
 * and the values that are flags, numbers or fixed words of the service. NULL if
 * there are none. Owned by POOL. */
json_t *idv_record_parameters(const idv_request_t *request, apr_pool_t *pool);

#endif
