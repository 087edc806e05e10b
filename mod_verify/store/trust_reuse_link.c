/* SPDX-License-Identifier: Apache-2.0 */
#include "store/trust_reuse_link.h"

#include <string.h>

#include <apr_strings.h>
#include <openssl/crypto.h>

#include "core/id.h"

#define MARK "_revoke_"
#define HMAC_DIGITS ((apr_size_t)2 * IDV_DIGEST_SIZE)

const char *idv_trust_reuse_link_secret(const idv_keyring_t *keyring,
                                        const char *organization_id,
                                        const char *grant_id, apr_pool_t *pool)
{
    idv_bytes_t key = {keyring->secret, IDV_KEY_SIZE};
    const char *text = apr_pstrcat(pool, "trust_reuse_link:", organization_id,
                                   ":", grant_id, NULL);
    unsigned char digest[IDV_DIGEST_SIZE];
    char *encoded, *secret;

    idv_hmac_sha256(key, text, strlen(text), digest);
    encoded = (char *)idv_hex(digest, sizeof(digest), pool);
    secret = apr_pstrcat(pool, grant_id, MARK,
                         organization_id
                             + strlen(idv_id_prefix(IDV_ID_ORGANIZATION)),
                         encoded, NULL);
    OPENSSL_cleanse(digest, sizeof(digest));
    OPENSSL_cleanse(encoded, strlen(encoded));
    idv_wipe_with_pool(secret, strlen(secret), pool);
    return secret;
}

idv_error_t *idv_trust_reuse_link_parse(const idv_keyring_t *keyring,
                                        const char *secret,
                                        const char **organization_id,
                                        const char **grant_id, apr_pool_t *pool)
{
    const char *mark = secret ? strstr(secret, MARK) : NULL, *rest, *expected;

    if (!mark
        || strlen(mark + strlen(MARK)) != IDV_ID_BODY_LENGTH + HMAC_DIGITS)
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
    rest = mark + strlen(MARK);
    *grant_id = apr_pstrmemdup(pool, secret, (apr_size_t)(mark - secret));
    *organization_id =
        apr_pstrcat(pool, idv_id_prefix(IDV_ID_ORGANIZATION),
                    apr_pstrmemdup(pool, rest, IDV_ID_BODY_LENGTH), NULL);
    if (!idv_id_is(IDV_ID_TRUST_REUSE_GRANT, *grant_id)
        || !idv_id_is(IDV_ID_ORGANIZATION, *organization_id))
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
    expected = idv_trust_reuse_link_secret(keyring, *organization_id, *grant_id,
                                           pool);
    return idv_equal_constant_time(rest + IDV_ID_BODY_LENGTH,
                                   strstr(expected, MARK) + strlen(MARK)
                                       + IDV_ID_BODY_LENGTH,
                                   HMAC_DIGITS)
             ? NULL
             : idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
}
