/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_ISSUED_SECRET_H
#define IDV_DOMAIN_VALUE_ISSUED_SECRET_H

/*
 * Secrets issued by this service: their formats, their creation, and checks of
 * the format before any lookup.
 *
 *     API key          svc_sk_<random> or svc_pk_<random>
 *     client secret    <session id>_secret_<organization><random>
 *     handoff token    <organization><random>, in the link for a phone
 *     signing secret   whsec_<random>, of a webhook endpoint
 *     VP token         vpt_<HMAC>, of a credential
 *     revoking link    <grant id>_revoke_<organization><HMAC>, of a grant
 *
 * Random parts are 32 bytes (handoff tokens: 16) from OpenSSL's generator, in
 * URL-safe base64 without padding (signing secrets: in base64). Of keys, client
 * secrets and tokens only the SHA-256 is stored (idv_issued_secret_digest()),
 * which is sufficient for this much entropy; signing secrets are stored sealed.
 * VP tokens and links are HMACs under a key of the server, which recomputes
 * them instead of storing them. Client secrets and links name their
 * organization, so that a person's request reaches the right shard.
 *
 * Memory: results are wiped with their pool. Threads: thread-safe.
 */
#include "core/keyring.h"

/* Writes the SHA-256 for looking up SECRET to DIGEST, IDV_DIGEST_SIZE bytes. */
void idv_issued_secret_digest(const char *secret, unsigned char *digest);

/* --- API keys --- */

/* Type, name, prefix. Keys issued before the sandbox flag existed have `test_`
 * or `live_` after the prefix; they authenticate like any other. */
#define IDV_KEY_TYPES(X)                                                       \
    X(SECRET, "secret", "svc_sk_")                                             \
    X(PUBLISHABLE, "publishable", "svc_pk_")

typedef enum {
#define X(name, value, prefix) IDV_KEY_##name,
    IDV_KEY_TYPES(X)
#undef X
    IDV_KEY_TYPE_COUNT
} idv_key_type_t;

/* "secret" or "publishable". */
const char *idv_key_type_name(idv_key_type_t type);

/* The type with a NAME given by idv_key_type_name(). */
idv_key_type_t idv_key_type_of_name(const char *name);

/* The text of a new key. */
const char *idv_api_key_new(idv_key_type_t type, apr_pool_t *pool);

/* Non-zero if TEXT has the form of a key; sets TYPE. */
int idv_api_key_is_well_formed(const char *text, idv_key_type_t *type);

/* --- client secrets --- */

/* A new client secret for a session. */
const char *idv_client_secret_new(const char *session_id,
                                  const char *organization_id,
                                  apr_pool_t *pool);

/* Splits a client secret; `client_secret_invalid` if it does not have the right
 * form. */
idv_error_t *idv_client_secret_parse(const char *secret,
                                     const char **session_id,
                                     const char **organization_id,
                                     apr_pool_t *pool) IDV_CHECKED;

/* --- tokens of handoffs --- */

/* A new token; short, because a phone scans it. */
const char *idv_handoff_token_new(const char *organization_id,
                                  apr_pool_t *pool);

/* The organization of a token; `handoff_invalid` if it does not have the right
 * form. */
idv_error_t *idv_handoff_token_parse(const char *token,
                                     const char **organization_id,
                                     apr_pool_t *pool) IDV_CHECKED;

/* --- signing secrets --- */

/* Maximum bytes of a decoded secret. */
#define IDV_WEBHOOK_SECRET_BYTES_MAX 256

/* A new signing secret. */
const char *idv_webhook_secret_new(apr_pool_t *pool);

/* Decodes SECRET into BYTES (IDV_WEBHOOK_SECRET_BYTES_MAX bytes, wiped by the
 * caller), to which KEY refers; internal error if it does not have the right
 * form. */
idv_error_t *idv_webhook_secret_decode(idv_bytes_t secret, unsigned char *bytes,
                                       idv_bytes_t *key,
                                       apr_pool_t *pool) IDV_CHECKED;

/* --- VP tokens and hashes of credentials --- */

/* The token of a credential. */
const char *idv_vp_token_text(const idv_keyring_t *keyring,
                              const char *credential_id, apr_pool_t *pool);

/* Non-zero if TEXT has the form of a token. */
int idv_vp_token_is_shaped(const char *text);

/* The `credential_hash` of a credential: 64 hexadecimal digits, an HMAC of its
 * id, so that it can be shown whenever its session's results are. It identifies
 * a credential to its organization and is not a secret of the person. */
const char *idv_credential_hash(const idv_keyring_t *keyring,
                                const char *credential_id, apr_pool_t *pool);

/* --- revocation links for persons --- */

/* The secret for a grant of the accepting organization. It is in the fragment
 * of the link, so that it appears in no log; the page sends it as a Bearer
 * token. */
const char *idv_trust_reuse_link_secret(const idv_keyring_t *keyring,
                                        const char *organization_id,
                                        const char *grant_id, apr_pool_t *pool);

/* The grant and organization named by SECRET; `client_secret_invalid` if it is
 * NULL or not one of ours. */
idv_error_t *idv_trust_reuse_link_parse(const idv_keyring_t *keyring,
                                        const char *secret,
                                        const char **organization_id,
                                        const char **grant_id,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
