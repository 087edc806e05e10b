/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_DELIVERY_REQUEST_H
#define IDV_WORKER_DELIVERY_REQUEST_H

/*
 * What is sent for a delivery: body, headers, signatures.
 *
 * The signers of endpoints are kept from one delivery to the next. A signer
 * belongs to a sealed secret: when an endpoint's has changed, a new one is made
 * and the old one wiped. At most IDV_SIGNERS_KEPT are known; one more, and all
 * are forgotten.
 *
 * Memory: signers in pools of their own below the given one. Threads: one.
 */
#include "out/http_client.h"
#include "out/webhook_signature.h"
#include "store/webhook_delivery.h"

#define IDV_SIGNERS_KEPT 1024

typedef struct idv_delivery_signers_t idv_delivery_signers_t;

/* None is known; KEYS open what they are made from. */
idv_delivery_signers_t *
idv_delivery_signers_create(const idv_keyring_t *keys, apr_pool_t *pool);

typedef struct {
    apr_pool_t *pool;
    const idv_delivery_t *delivery;
    apr_int64_t timestamp;      /* Unix seconds */
    idv_http_request_t http;    /* is made from the other three */
} idv_delivery_request_t;

/* Makes `http` of REQUEST, in its pool. An opened secret is wiped with SCRATCH,
 * where errors are, too. */
idv_error_t *idv_delivery_request_make(idv_delivery_signers_t *signers,
                                       idv_delivery_request_t *request,
                                       apr_pool_t *scratch) IDV_CHECKED;

#endif
