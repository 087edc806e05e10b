/* SPDX-License-Identifier: Apache-2.0 */
#include "store/vp_token.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <openssl/crypto.h>

#define PREFIX "vpt_"
#define DIGEST_CHARACTERS 43 /* base64url of IDV_DIGEST_SIZE bytes */

const char *idv_vp_token_text(const idv_keyring_t *keyring,
                              const char *credential_id, apr_pool_t *pool)
{
    idv_bytes_t key = {keyring->secret, IDV_KEY_SIZE};
    const char *text = apr_pstrcat(pool, "vp_token:", credential_id, NULL);
    unsigned char digest[IDV_DIGEST_SIZE];
    char *encoded, *token;

    idv_hmac_sha256(key, text, strlen(text), digest);
    encoded = (char *)apr_pencode_base64_binary(
        pool, digest, sizeof(digest), APR_ENCODE_URL | APR_ENCODE_NOPADDING,
        NULL);
    token = apr_pstrcat(pool, PREFIX, encoded, NULL);
    OPENSSL_cleanse(digest, sizeof(digest));
    OPENSSL_cleanse(encoded, strlen(encoded));
    idv_wipe_with_pool(token, strlen(token), pool);
    return token;
}

int idv_vp_token_is_shaped(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789-_";

    if (strncmp(text, PREFIX, sizeof(PREFIX) - 1) != 0)
        return 0;
    text += sizeof(PREFIX) - 1;
    return strspn(text, digits) == DIGEST_CHARACTERS
        && !text[DIGEST_CHARACTERS];
}

void idv_vp_token_digest(const char *token, unsigned char *digest)
{
    idv_sha256(token, strlen(token), digest);
}

idv_error_t *idv_credential_of_session(idv_db_t *db,
                                       const idv_session_t *session,
                                       const char **id, idv_method_t *method,
                                       apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *id = NULL;
    *method = IDV_METHOD_NONE;
    IDV_TRY(idv_db_query(db, IDV_SQL_CREDENTIAL_FIND_OF_SESSION,
                         IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                       idv_db_text(session->id),
                                       idv_db_time(idv_time_now())),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    *id = idv_db_get_text(rows, 0, 0);
    *method = idv_method_parse(idv_db_get_text(rows, 0, 1));
    return NULL;
}

idv_error_t *idv_vp_token_of_session(idv_db_t *db, const idv_keyring_t *keyring,
                                     const idv_session_t *session,
                                     const char **token, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *token = NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_CREDENTIAL_FIND_TOKEN_OF_SESSION,
                         IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                       idv_db_text(session->id),
                                       idv_db_time(idv_time_now())),
                         &rows, pool));
    if (idv_db_rows(rows))
        *token =
            idv_vp_token_text(keyring, idv_db_get_text(rows, 0, 0), pool);
    return NULL;
}
