/* SPDX-License-Identifier: Apache-2.0 */
#include "out/webhook_signature.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <openssl/crypto.h>

#define SECRET_PREFIX "whsec_"
#define MAX_SECRET_BYTES 256

/* HMAC-SHA256 over "<prefix><body>". */
static void sign(idv_bytes_t key, const char *prefix,
                 const idv_webhook_message_t *message, unsigned char *digest,
                 apr_pool_t *pool)
{
    apr_size_t prefix_length = strlen(prefix);
    char *text = apr_palloc(pool, prefix_length + message->body_length + 1);

    memcpy(text, prefix, prefix_length);
    memcpy(text + prefix_length, message->body, message->body_length);
    idv_hmac_sha256(key, text, prefix_length + message->body_length, digest);
}

const char *idv_webhook_sign(const idv_webhook_message_t *message,
                             const char *secret, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_bytes_t key = {(const unsigned char *)secret, strlen(secret)};
    const char *prefix =
        apr_psprintf(pool, "%" APR_INT64_T_FMT ".", message->timestamp);

    sign(key, prefix, message, digest, pool);
    return apr_psprintf(pool, "t=%" APR_INT64_T_FMT ",v1=%s",
                        message->timestamp,
                        idv_hex(digest, sizeof(digest), pool));
}

idv_error_t *idv_webhook_sign_standard(const idv_webhook_message_t *message,
                                       const char *secret, const char **value,
                                       apr_pool_t *pool)
{
    unsigned char bytes[MAX_SECRET_BYTES], digest[IDV_DIGEST_SIZE];
    const char *encoded = secret + strlen(SECRET_PREFIX);
    idv_bytes_t key = {bytes, 0};
    const char *prefix;

    if (strncmp(secret, SECRET_PREFIX, strlen(SECRET_PREFIX)) != 0
        || strlen(encoded) > MAX_SECRET_BYTES
        || apr_decode_base64_binary(bytes, encoded, APR_ENCODE_STRING,
                                    APR_ENCODE_NONE, &key.length)
               != APR_SUCCESS)
        return idv_error_internal(pool, "a signing secret is malformed");
    prefix = apr_psprintf(pool, "%s.%" APR_INT64_T_FMT ".", message->event_id,
                          message->timestamp);
    sign(key, prefix, message, digest, pool);
    OPENSSL_cleanse(bytes, sizeof(bytes));
    *value = apr_pstrcat(pool, "v1,",
                         apr_pencode_base64_binary(
                             pool, digest, sizeof(digest), APR_ENCODE_NONE,
                             NULL),
                         NULL);
    return NULL;
}
