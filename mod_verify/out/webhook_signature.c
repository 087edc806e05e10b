/* SPDX-License-Identifier: Apache-2.0 */
#include "out/webhook_signature.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "domain/value/issued_secret.h"

struct idv_webhook_signer_t {
    EVP_MAC_CTX *whole; /* keyed with all characters of the secret */
    EVP_MAC_CTX *bytes; /* keyed with the bytes that they encode in base64 */
};

static apr_status_t free_context(void *context)
{
    EVP_MAC_CTX_free(context);
    return APR_SUCCESS;
}

static idv_error_t *create_context(idv_bytes_t key, EVP_MAC_CTX **out,
                                   apr_pool_t *pool, apr_pool_t *scratch)
{
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256",
                                         0),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = hmac ? EVP_MAC_CTX_new(hmac) : NULL;

    EVP_MAC_free(hmac);
    if (context)
        apr_pool_cleanup_register(pool, context, free_context,
                                  apr_pool_cleanup_null);
    if (!context || EVP_MAC_init(context, key.data, key.length, params) != 1)
        return idv_error_internal(scratch, "HMAC-SHA256 is not available");
    *out = context;
    return NULL;
}

idv_error_t *idv_webhook_signer_create(idv_bytes_t secret,
                                       idv_webhook_signer_t **out,
                                       apr_pool_t *pool, apr_pool_t *scratch)
{
    idv_webhook_signer_t *signer = apr_pcalloc(pool, sizeof(*signer));
    unsigned char bytes[IDV_WEBHOOK_SECRET_BYTES_MAX];
    idv_bytes_t key = {0};
    idv_error_t *error;

    IDV_TRY(create_context(secret, &signer->whole, pool, scratch));
    error = idv_webhook_secret_decode(secret, bytes, &key, scratch);
    if (!error)
        error = create_context(key, &signer->bytes, pool, scratch);
    OPENSSL_cleanse(bytes, sizeof(bytes));
    if (!error)
        *out = signer;
    return error;
}

/* HMAC over "<prefix><body>". */
static idv_error_t *sign(EVP_MAC_CTX *context, const char *prefix,
                         const idv_webhook_message_t *message,
                         unsigned char *digest, apr_pool_t *pool)
{
    size_t length;

    if (EVP_MAC_init(context, NULL, 0, NULL) != 1
        || EVP_MAC_update(context, (const unsigned char *)prefix,
                          strlen(prefix)) != 1
        || EVP_MAC_update(context, (const unsigned char *)message->body,
                          message->body_length) != 1
        || EVP_MAC_final(context, digest, &length, IDV_DIGEST_SIZE) != 1)
        return idv_error_internal(pool, "signing failed");
    return NULL;
}

idv_error_t *idv_webhook_sign(const idv_webhook_signer_t *signer,
                              const idv_webhook_message_t *message,
                              const char **value, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const char *time =
        apr_psprintf(pool, "%" APR_INT64_T_FMT ".", message->timestamp);

    IDV_TRY(sign(signer->whole, time, message, digest, pool));
    *value = apr_psprintf(pool, "t=%" APR_INT64_T_FMT ",v1=%s",
                          message->timestamp,
                          idv_hex(digest, sizeof(digest), pool));
    return NULL;
}

idv_error_t *idv_webhook_sign_standard(const idv_webhook_signer_t *signer,
                                       const idv_webhook_message_t *message,
                                       const char **value, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const char *prefix = apr_psprintf(pool, "%s.%" APR_INT64_T_FMT ".",
                                      message->event_id, message->timestamp);

    IDV_TRY(sign(signer->bytes, prefix, message, digest, pool));
    *value = apr_pstrcat(pool, "v1,",
                         apr_pencode_base64_binary(
                             pool, digest, sizeof(digest), APR_ENCODE_NONE,
                             NULL),
                         NULL);
    return NULL;
}
