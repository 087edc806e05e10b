/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/delivery_request.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>

typedef struct {
    apr_pool_t *pool;
    idv_bytes_t sealed;
    idv_webhook_signer_t *signer;
} entry_t;

struct idv_delivery_signers_t {
    const idv_keyring_t *keys;
    apr_pool_t *parent, *pool; /* the second one of all that is known */
    apr_hash_t *by_endpoint;   /* of entry_t */
};

static void forget_all(idv_delivery_signers_t *signers)
{
    if (signers->pool)
        apr_pool_destroy(signers->pool);
    apr_pool_create(&signers->pool, signers->parent);
    signers->by_endpoint = apr_hash_make(signers->pool);
}

idv_delivery_signers_t *
idv_delivery_signers_create(const idv_keyring_t *keys, apr_pool_t *pool)
{
    idv_delivery_signers_t *signers = apr_pcalloc(pool, sizeof(*signers));

    signers->keys = keys;
    signers->parent = pool;
    forget_all(signers);
    return signers;
}

static idv_error_t *open_secret(const idv_delivery_signers_t *signers,
                                const idv_delivery_t *delivery, entry_t *entry,
                                apr_pool_t *scratch)
{
    idv_bytes_t secret;

    IDV_TRY(idv_open(signers->keys->secret,
                     apr_pstrcat(scratch, "webhook_secret:",
                                 delivery->endpoint_id, NULL),
                     delivery->sealed_secret, &secret, scratch));
    return idv_webhook_signer_create(secret, &entry->signer, entry->pool,
                                     scratch);
}

static idv_error_t *add(idv_delivery_signers_t *signers,
                        const idv_delivery_t *delivery, entry_t **out,
                        apr_pool_t *scratch)
{
    apr_pool_t *pool;
    entry_t *entry;
    idv_error_t *error;

    if (apr_hash_count(signers->by_endpoint) >= IDV_SIGNERS_KEPT)
        forget_all(signers);
    apr_pool_create(&pool, signers->pool);
    entry = apr_pcalloc(pool, sizeof(*entry));
    entry->pool = pool;
    entry->sealed.data = apr_pmemdup(pool, delivery->sealed_secret.data,
                                     delivery->sealed_secret.length);
    entry->sealed.length = delivery->sealed_secret.length;
    error = open_secret(signers, delivery, entry, scratch);
    if (error) {
        apr_pool_destroy(pool);
        return error;
    }
    apr_hash_set(signers->by_endpoint, apr_pstrdup(pool, delivery->endpoint_id),
                 APR_HASH_KEY_STRING, entry);
    *out = entry;
    return NULL;
}

static int is_current(const entry_t *entry, idv_bytes_t sealed)
{
    return entry->sealed.length == sealed.length
        && memcmp(entry->sealed.data, sealed.data, sealed.length) == 0;
}

static idv_error_t *find(idv_delivery_signers_t *signers,
                         const idv_delivery_t *delivery,
                         const idv_webhook_signer_t **signer,
                         apr_pool_t *scratch)
{
    entry_t *entry = apr_hash_get(signers->by_endpoint, delivery->endpoint_id,
                                  APR_HASH_KEY_STRING);

    if (entry && !is_current(entry, delivery->sealed_secret)) {
        apr_hash_set(signers->by_endpoint, delivery->endpoint_id,
                     APR_HASH_KEY_STRING, NULL);
        apr_pool_destroy(entry->pool);
        entry = NULL;
    }
    if (!entry)
        IDV_TRY(add(signers, delivery, &entry, scratch));
    *signer = entry->signer;
    return NULL;
}

idv_error_t *idv_delivery_request_make(idv_delivery_signers_t *signers,
                                       idv_delivery_request_t *request,
                                       apr_pool_t *scratch)
{
    const idv_delivery_t *delivery = request->delivery;
    apr_pool_t *pool = request->pool;
    idv_webhook_message_t message = {delivery->event_id, delivery->body,
                                     strlen(delivery->body),
                                     request->timestamp};
    const char **headers = apr_pcalloc(pool, 7 * sizeof(*headers));
    const char *signature, *standard;
    const idv_webhook_signer_t *signer;

    IDV_TRY(find(signers, delivery, &signer, scratch));
    IDV_TRY(idv_webhook_sign(signer, &message, &signature, pool));
    IDV_TRY(idv_webhook_sign_standard(signer, &message, &standard, pool));
    headers[0] = "Content-Type: application/json";
    headers[1] = apr_pstrcat(pool, "Service-Webhook-Id: ", delivery->id, NULL);
    headers[2] = apr_pstrcat(pool, "Service-Signature: ", signature, NULL);
    headers[3] = apr_pstrcat(pool, "webhook-id: ", delivery->event_id, NULL);
    headers[4] = apr_psprintf(pool, "webhook-timestamp: %" APR_INT64_T_FMT,
                              request->timestamp);
    headers[5] = apr_pstrcat(pool, "webhook-signature: ", standard, NULL);
    request->http.url = delivery->url;
    request->http.owner = delivery->organization_id;
    request->http.headers = headers;
    request->http.body = delivery->body;
    request->http.body_length = message.body_length;
    return NULL;
}
