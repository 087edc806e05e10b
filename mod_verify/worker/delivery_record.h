/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_DELIVERY_RECORD_H
#define IDV_WORKER_DELIVERY_RECORD_H

/*
 * What the delivery record says of an attempt, as the JSON texts that the API
 * shows.
 *
 * A receiver's response is a stranger's: its body is cut, what is no UTF-8 in
 * it is replaced, NULs as well. Memory: texts live in the given pool.
 */
#include "store/webhook_delivery.h"
#include "worker/delivery_schedule.h"

/* delivered, pending or failed. */
const char *idv_delivery_record_status(idv_delivery_verdict_t verdict);

/* {"status_code", "headers", "body", "duration_ms"}; "" when nothing came. */
const char *idv_delivery_record_response(const idv_http_response_t *response,
                                         apr_pool_t *pool);

/* {"code", "message"}; "" after a success. */
const char *idv_delivery_record_error(const idv_http_response_t *response,
                                      apr_pool_t *pool);

/* The same for a delivery whose endpoint must not be called any more. */
const char *idv_delivery_record_endpoint_disabled(void);

/* The request's headers without the signatures. */
const char *idv_delivery_record_request_headers(const idv_delivery_t *delivery,
                                                apr_int64_t timestamp,
                                                apr_pool_t *pool);

#endif
