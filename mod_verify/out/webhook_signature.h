/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_WEBHOOK_SIGNATURE_H
#define IDV_OUT_WEBHOOK_SIGNATURE_H

/*
 * The two signatures of a delivery, from one signing secret.
 *
 * `Service-Signature: t=<seconds>,v1=<hex>` is the HMAC-SHA256 of
 * "<seconds>.<body>" in lower-case hexadecimal. The key is the secret as the
 * customer sees it, all characters of "whsec_...", as documented ("keyed with
 * the endpoint's signing secret") and as common verifiers of this header form
 * do.
 *
 * `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,<base64>` follow
 * Standard Webhooks 1.0: the HMAC-SHA256 of "<id>.<seconds>.<body>". The key is
 * the base64-decoded part of the secret after "whsec_". The id is the event's;
 * receivers deduplicate by it. This header can contain several signatures
 * separated by spaces: while a replaced secret still signs, its signature
 * follows that of the current one. Service-Signature contains only one.
 *
 * Memory: a signer holds keyed OpenSSL contexts, wiped and freed with its pool,
 * and no other copy of the secret. Threads: one at a time per signer.
 */
#include "core/clock.h"
#include "core/crypto.h"

/* The signed content. */
typedef struct {
    const char *event_id;
    const char *body;
    apr_size_t body_length;
    apr_int64_t timestamp; /* Unix seconds */
} idv_webhook_message_t;

typedef struct idv_webhook_signer_t idv_webhook_signer_t;

/* Fails unless SECRET is "whsec_" and base64; errors live in SCRATCH. */
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
