/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_WEBHOOK_SIGNATURE_H
#define IDV_OUT_WEBHOOK_SIGNATURE_H

/*
 * The two signatures that every delivery carries, from one signing secret.
 *
 * `Service-Signature: t=<seconds>,v1=<hex>` is the HMAC-SHA256 of
 * "<seconds>.<body>" in lower-case hexadecimal, keyed with the secret as the
 * customer sees it, all characters of "whsec_...": that is what the interface
 * says ("keyed with the endpoint's signing secret") and what stock verifiers
 * of this header form do.
 *
 * `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,<base64>` follow
 * Standard Webhooks 1.0: the HMAC-SHA256 of "<id>.<seconds>.<body>", keyed
 * with the bytes that the secret's part behind "whsec_" encodes in base64. The
 * id is the event's, which is what receivers deduplicate on. That header may hold
 * several, separated by a space: while a secret that was replaced signs besides,
 * its signature follows that of the present one. Service-Signature holds one.
 *
 * Memory: a signer holds keyed contexts of OpenSSL, wiped and freed with its
 * pool, and nothing else of the secret. Threads: one at a time for a signer.
 */
#include "core/clock.h"
#include "core/crypto.h"

/* What is signed. */
typedef struct {
    const char *event_id;
    const char *body;
    apr_size_t body_length;
    apr_int64_t timestamp; /* Unix seconds */
} idv_webhook_message_t;

typedef struct idv_webhook_signer_t idv_webhook_signer_t;

/* Fails when SECRET is not "whsec_" and base64; errors are in SCRATCH. */
idv_error_t *idv_webhook_signer_create(idv_bytes_t secret,
                                       idv_webhook_signer_t **signer,
                                       apr_pool_t *pool,
                                       apr_pool_t *scratch) IDV_CHECKED;

/* The value of Service-Signature. */
idv_error_t *idv_webhook_sign(const idv_webhook_signer_t *signer,
                              const idv_webhook_message_t *message,
                              const char **value, apr_pool_t *pool) IDV_CHECKED;

/* The value of webhook-signature. */
idv_error_t *idv_webhook_sign_standard(const idv_webhook_signer_t *signer,
                                       const idv_webhook_message_t *message,
                                       const char **value,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
