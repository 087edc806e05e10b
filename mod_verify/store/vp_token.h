/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_VP_TOKEN_H
#define IDV_STORE_VP_TOKEN_H

/*
 * VP tokens: what a verified person keeps to skip a later verification.
 *
 * A token is `vpt_` and the HMAC of its credential's id under a key of the
 * server, so that it can be shown again to the person without being kept; the
 * store knows its SHA-256 alone. It is valid for IDV_VP_TOKEN_VALIDITY, and
 * never longer than its credential.
 *
 * Memory: tokens are wiped with their pool.
 */
#include "domain/session.h"
#include "store/db.h"

#define IDV_VP_TOKEN_VALIDITY (90 * IDV_DAY)

/* The token of a credential. */
const char *idv_vp_token_text(const idv_keyring_t *keyring,
                              const char *credential_id, apr_pool_t *pool);

/* Non-zero for a text that looks like a token; no other is one. */
int idv_vp_token_is_shaped(const char *text);

/* The SHA-256 by which a token is found, into DIGEST. */
void idv_vp_token_digest(const char *token, unsigned char *digest);

/* The valid credential that a session minted, and its method; *ID is NULL when
 * there is none. */
idv_error_t *idv_credential_of_session(idv_db_t *db,
                                       const idv_session_t *session,
                                       const char **id, idv_method_t *method,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The valid token of the valid credential that a session minted; NULL when
 * there is none. */
idv_error_t *idv_vp_token_of_session(idv_db_t *db, const idv_keyring_t *keyring,
                                     const idv_session_t *session,
                                     const char **token,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
