/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/issued_secret.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <openssl/crypto.h>

#include "core/id.h"
#include "domain/value/identifier.h"

#define RANDOM_BYTES 32

/* RFC 4648, 5. */
static const char base64url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789-_";

void idv_issued_secret_digest(const char *secret, unsigned char *digest)
{
    idv_sha256(secret, strlen(secret), digest);
}

/* The text of the three parts, of which PART alone is wiped here. */
static const char *join(const char *beginning, const char *middle, char *part,
                        apr_pool_t *pool)
{
    char *secret = apr_pstrcat(pool, beginning, middle, part, NULL);

    OPENSSL_cleanse(part, strlen(part));
    idv_wipe_with_pool(secret, strlen(secret), pool);
    return secret;
}

static char *random_part(apr_pool_t *pool)
{
    return (char *)idv_random_token(RANDOM_BYTES, pool);
}

/* The HMAC of TEXT under the server's key. */
static void mark(const idv_keyring_t *keyring, const char *text,
                 unsigned char digest[IDV_DIGEST_SIZE])
{
    idv_bytes_t key = {keyring->secret, IDV_KEY_SIZE};

    idv_hmac_sha256(key, text, strlen(text), digest);
}

/* The id of an organization without its prefix, as other secrets contain it. */
static const char *organization_part(const char *organization_id)
{
    return organization_id + strlen(idv_id_prefix(IDV_ID_ORGANIZATION));
}

typedef struct {
    const char *separator;
    idv_id_type_t type;
} form_t;

/* Takes "<id of the type><mark><organization>..." apart; *REST is what follows.
 * Zero if SECRET does not have this form. */
static int take_apart(const char *secret, const form_t *form,
                      const char *parts[2], const char **rest, apr_pool_t *pool)
{
    const char *at = strstr(secret, form->separator);

    if (!at)
        return 0;
    *rest = at + strlen(form->separator);
    if (strlen(*rest) <= IDV_ID_BODY_LENGTH)
        return 0;
    parts[0] = apr_pstrmemdup(pool, secret, (apr_size_t)(at - secret));
    parts[1] =
        apr_pstrcat(pool, idv_id_prefix(IDV_ID_ORGANIZATION),
                    apr_pstrmemdup(pool, *rest, IDV_ID_BODY_LENGTH), NULL);
    *rest += IDV_ID_BODY_LENGTH;
    return idv_id_is(form->type, parts[0])
        && idv_id_is(IDV_ID_ORGANIZATION, parts[1]);
}

/* --- API keys --- */

#define KEY_RANDOM_MIN 32
#define KEY_MAX 128 /* characters */

static const struct {
    const char *name;
    const char *prefix;
} key_types[IDV_KEY_TYPE_COUNT] = {
#define X(name, value, prefix) [IDV_KEY_##name] = {value, prefix},
    IDV_KEY_TYPES(X)
#undef X
};

const char *idv_key_type_name(idv_key_type_t type)
{
    return key_types[type].name;
}

idv_key_type_t idv_key_type_of_name(const char *name)
{
    return strcmp(name, key_types[IDV_KEY_SECRET].name) == 0
             ? IDV_KEY_SECRET
             : IDV_KEY_PUBLISHABLE;
}

const char *idv_api_key_new(idv_key_type_t type, apr_pool_t *pool)
{
    return join(key_types[type].prefix, "", random_part(pool), pool);
}

int idv_api_key_is_well_formed(const char *text, idv_key_type_t *type)
{
    size_t length = strlen(text);

    if (length > KEY_MAX || strspn(text, base64url) != length)
        return 0;
    for (int i = 0; i < IDV_KEY_TYPE_COUNT; i++) {
        size_t prefix = strlen(key_types[i].prefix);

        if (strncmp(text, key_types[i].prefix, prefix) == 0
            && length >= prefix + KEY_RANDOM_MIN) {
            *type = i;
            return 1;
        }
    }
    return 0;
}

/* --- client secrets --- */

#define CLIENT_SECRET_MARK "_secret_"
#define CLIENT_SECRET_MAX 256 /* characters */

const char *idv_client_secret_new(const char *session_id,
                                  const char *organization_id, apr_pool_t *pool)
{
    const char *beginning =
        apr_pstrcat(pool, session_id, CLIENT_SECRET_MARK, NULL);

    return join(beginning, organization_part(organization_id),
                random_part(pool), pool);
}

idv_error_t *idv_client_secret_parse(const char *secret,
                                     const char **session_id,
                                     const char **organization_id,
                                     apr_pool_t *pool)
{
    const char *parts[2], *rest;

    if (strlen(secret) > CLIENT_SECRET_MAX
        || !take_apart(secret,
                       &(const form_t){.separator = CLIENT_SECRET_MARK,
                                       .type = IDV_ID_SESSION},
                       parts, &rest, pool))
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
    *session_id = parts[0];
    *organization_id = parts[1];
    return NULL;
}

/* --- tokens of handoffs --- */

#define HANDOFF_BYTES 16
#define HANDOFF_DIGITS 22 /* base64url of these */

const char *idv_handoff_token_new(const char *organization_id,
                                  apr_pool_t *pool)
{
    return join(organization_part(organization_id), "",
                (char *)idv_random_token(HANDOFF_BYTES, pool), pool);
}

idv_error_t *idv_handoff_token_parse(const char *token,
                                     const char **organization_id,
                                     apr_pool_t *pool)
{
    size_t length = strlen(token);

    if (length != IDV_ID_BODY_LENGTH + HANDOFF_DIGITS
        || strspn(token, base64url) != length)
        return idv_error_new(IDV_E_HANDOFF_INVALID, pool);
    *organization_id =
        apr_pstrcat(pool, idv_id_prefix(IDV_ID_ORGANIZATION),
                    apr_pstrmemdup(pool, token, IDV_ID_BODY_LENGTH), NULL);
    return idv_id_is(IDV_ID_ORGANIZATION, *organization_id)
             ? NULL
             : idv_error_new(IDV_E_HANDOFF_INVALID, pool);
}

/* --- signing secrets --- */

#define WEBHOOK_SECRET_PREFIX "whsec_"
#define WEBHOOK_SECRET_PREFIX_LENGTH (sizeof(WEBHOOK_SECRET_PREFIX) - 1)

const char *idv_webhook_secret_new(apr_pool_t *pool)
{
    unsigned char bytes[RANDOM_BYTES];
    char *encoded;

    idv_random_bytes(bytes, sizeof(bytes));
    encoded = (char *)apr_pencode_base64_binary(pool, bytes, sizeof(bytes),
                                                APR_ENCODE_NONE, NULL);
    OPENSSL_cleanse(bytes, sizeof(bytes));
    return join(WEBHOOK_SECRET_PREFIX, "", encoded, pool);
}

idv_error_t *idv_webhook_secret_decode(idv_bytes_t secret, unsigned char *bytes,
                                       idv_bytes_t *key, apr_pool_t *pool)
{
    const char *text = (const char *)secret.data;
    apr_size_t length = secret.length;

    key->data = bytes;
    if (length <= WEBHOOK_SECRET_PREFIX_LENGTH
        || length - WEBHOOK_SECRET_PREFIX_LENGTH > IDV_WEBHOOK_SECRET_BYTES_MAX
        || memcmp(text, WEBHOOK_SECRET_PREFIX, WEBHOOK_SECRET_PREFIX_LENGTH)
               != 0
        || apr_decode_base64_binary(
               bytes, text + WEBHOOK_SECRET_PREFIX_LENGTH,
               (apr_ssize_t)(length - WEBHOOK_SECRET_PREFIX_LENGTH),
               APR_ENCODE_NONE, &key->length)
               != APR_SUCCESS)
        return idv_error_internal(pool, "a signing secret is malformed");
    return NULL;
}

/* --- VP tokens and hashes of credentials --- */

#define VP_TOKEN_PREFIX "vpt_"
#define VP_TOKEN_DIGITS 43 /* base64url of IDV_DIGEST_SIZE bytes */

const char *idv_vp_token_text(const idv_keyring_t *keyring,
                              const char *credential_id, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    char *encoded;

    mark(keyring, apr_pstrcat(pool, "vp_token:", credential_id, NULL), digest);
    encoded = (char *)apr_pencode_base64_binary(
        pool, digest, sizeof(digest), APR_ENCODE_URL | APR_ENCODE_NOPADDING,
        NULL);
    OPENSSL_cleanse(digest, sizeof(digest));
    return join(VP_TOKEN_PREFIX, "", encoded, pool);
}

int idv_vp_token_is_shaped(const char *text)
{
    size_t prefix = strlen(VP_TOKEN_PREFIX);

    return strncmp(text, VP_TOKEN_PREFIX, prefix) == 0
        && strspn(text + prefix, base64url) == VP_TOKEN_DIGITS
        && !text[prefix + VP_TOKEN_DIGITS];
}

const char *idv_credential_hash(const idv_keyring_t *keyring,
                                const char *credential_id, apr_pool_t *pool)
{
    idv_bytes_t digest =
        idv_identifier_digest(keyring, "credential", credential_id, pool);

    return idv_hex(digest.data, digest.length, pool);
}

/* --- links by which persons revoke --- */

#define LINK_MARK "_revoke_"
#define LINK_DIGITS ((apr_size_t)2 * IDV_DIGEST_SIZE)

const char *idv_trust_reuse_link_secret(const idv_keyring_t *keyring,
                                        const char *organization_id,
                                        const char *grant_id, apr_pool_t *pool)
{
    const char *beginning = apr_pstrcat(pool, grant_id, LINK_MARK, NULL);
    unsigned char digest[IDV_DIGEST_SIZE];
    char *encoded;

    mark(keyring,
         apr_pstrcat(pool, "trust_reuse_link:", organization_id, ":", grant_id,
                     NULL),
         digest);
    encoded = (char *)idv_hex(digest, sizeof(digest), pool);
    OPENSSL_cleanse(digest, sizeof(digest));
    return join(beginning, organization_part(organization_id), encoded, pool);
}

idv_error_t *idv_trust_reuse_link_parse(const idv_keyring_t *keyring,
                                        const char *secret,
                                        const char **organization_id,
                                        const char **grant_id, apr_pool_t *pool)
{
    const char *parts[2], *digits, *expected;

    if (!secret
        || !take_apart(secret,
                       &(const form_t){.separator = LINK_MARK,
                                       .type = IDV_ID_TRUST_REUSE_GRANT},
                       parts, &digits, pool)
        || strlen(digits) != LINK_DIGITS)
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
    *grant_id = parts[0];
    *organization_id = parts[1];
    expected = idv_trust_reuse_link_secret(keyring, parts[1], parts[0], pool);
    return idv_equal_constant_time(
               digits, expected + strlen(expected) - LINK_DIGITS, LINK_DIGITS)
             ? NULL
             : idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
}
