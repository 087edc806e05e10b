/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_ISSUED_SECRET_H
#define IDV_DOMAIN_VALUE_ISSUED_SECRET_H

/*
 * The secrets that this service issues: what each of them looks like, how one is
 * made, and how one is recognized before anybody is asked whether it is good.
 *
 *     API key          svc_sk_<random> or svc_pk_<random>
 *     client secret    <session id>_secret_<organization><random>
 *     handoff token    <organization><random>, of a link for a phone
 *     signing secret   whsec_<random>, of a webhook endpoint
 *     VP token         vpt_<HMAC>, of a credential
 *     revoking link    <grant id>_revoke_<organization><HMAC>, of a grant
 *
 * Random parts are 32 bytes from OpenSSL's generator, of handoff tokens 16, in
 * URL-safe base64 without padding (signing secrets: in base64). Of keys, client
 * secrets and tokens only
 * the SHA-256 is kept (idv_issued_secret_digest()), which is enough for that
 * much entropy; signing secrets are kept sealed. VP tokens and links are HMACs
 * under a key of the server: it makes them again instead of keeping them. Client
 * secrets and links name their organization, so that a person's request leads to
 * the right shard.
 *
 * Memory: what is made is wiped with its pool. Threads: thread-safe.
 */
#include "core/keyring.h"

/* The SHA-256 by which SECRET is found, into DIGEST of IDV_DIGEST_SIZE bytes. */
void idv_issued_secret_digest(const char *secret, unsigned char *digest);

/* --- API keys --- */

/* Type, name, prefix. Keys that were issued before the sandbox flag existed have
 * `test_` or `live_` behind the prefix; they authenticate as any other. */
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

/* The type named NAME, which idv_key_type_name() gave. */
idv_key_type_t idv_key_type_of_name(const char *name);

/* The text of a new key. */
const char *idv_api_key_new(idv_key_type_t type, apr_pool_t *pool);

/* Non-zero when TEXT has the form of a key, and then its type. */
int idv_api_key_is_well_formed(const char *text, idv_key_type_t *type);

/* --- client secrets --- */

/* A new client secret of a session. */
const char *idv_client_secret_new(const char *session_id,
                                  const char *organization_id,
                                  apr_pool_t *pool);

/* Takes a client secret apart; `client_secret_invalid` when it has not the form
 * of one. */
idv_error_t *idv_client_secret_parse(const char *secret,
                                     const char **session_id,
                                     const char **organization_id,
                                     apr_pool_t *pool) IDV_CHECKED;

/* --- tokens of handoffs --- */

/* A new token; short, because it is photographed. */
const char *idv_handoff_token_new(const char *organization_id,
                                  apr_pool_t *pool);

/* Whose token it is; `handoff_invalid` when it has not the form of one. */
idv_error_t *idv_handoff_token_parse(const char *token,
                                     const char **organization_id,
                                     apr_pool_t *pool) IDV_CHECKED;

/* --- signing secrets --- */

/* Bytes of the longest that is decoded. */
#define IDV_WEBHOOK_SECRET_BYTES_MAX 256

/* A new signing secret. */
const char *idv_webhook_secret_new(apr_pool_t *pool);

/* The bytes that SECRET stands for, into BYTES of
 * IDV_WEBHOOK_SECRET_BYTES_MAX bytes, which KEY refers to and the caller wipes;
 * an internal error when it has not the form. */
idv_error_t *idv_webhook_secret_decode(idv_bytes_t secret, unsigned char *bytes,
                                       idv_bytes_t *key,
                                       apr_pool_t *pool) IDV_CHECKED;

/* --- VP tokens and hashes of credentials --- */

/* The token of a credential. */
const char *idv_vp_token_text(const idv_keyring_t *keyring,
                              const char *credential_id, apr_pool_t *pool);

/* Non-zero for a text that looks like a token; no other is one. */
int idv_vp_token_is_shaped(const char *text);

/* The `credential_hash` of a credential: 64 hexadecimal digits, an HMAC of its
 * id, so that it can be shown whenever its session's results are. It names a
 * credential to its organization and is no secret of the person. */
const char *idv_credential_hash(const idv_keyring_t *keyring,
                                const char *credential_id, apr_pool_t *pool);

/* --- links by which persons revoke --- */

/* The secret for a grant of the accepting organization. It stands in the
 * fragment of the link, so that no log holds it, and the page sends it as a
 * Bearer token. */
const char *idv_trust_reuse_link_secret(const idv_keyring_t *keyring,
                                        const char *organization_id,
                                        const char *grant_id, apr_pool_t *pool);

/* Whose grant SECRET names; `client_secret_invalid` when it is NULL or not one
 * of ours. */
idv_error_t *idv_trust_reuse_link_parse(const idv_keyring_t *keyring,
                                        const char *secret,
                                        const char **organization_id,
                                        const char **grant_id,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
