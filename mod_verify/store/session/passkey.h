/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_PASSKEY_H
#define IDV_STORE_SESSION_PASSKEY_H

/*
 * Stored passkeys, by which persons redeem the VP token of a credential, and
 * the challenges of ceremonies under way (methods/passkey/webauthn.h).
 *
 * - A passkey belongs to one credential of one organization. It is removed with
 *   the credential, by an erasure, and by the operator.
 * - It is found by a digest of its credential ID, so that the database does not
 *   contain what a browser would need to offer it.
 * - A challenge is used once, and expires.
 * - Only the browser that gave the evidence of a session may save a passkey of
 *   it. Otherwise, somebody who passed the link of the session on could return
 *   with the verification of the person who followed it.
 * - A passkey with a signature counter that went back was copied. It is refused
 *   from then on, because nobody knows which copy is the person's.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, `passkey_invalid` and `passkey_unknown`.
 */
#include "methods/passkey/webauthn.h"
#include "store/session/session_record.h"

#define IDV_PASSKEY_CHALLENGE_TIME (5 * IDV_MINUTE)
#define IDV_PASSKEYS_MAX 10     /* of a credential */
#define IDV_PASSKEY_ID_SIZE 16  /* bytes of the digest */

/* --- who may save one --- */

/* Records that the browser GIVER gives evidence in SESSION. GIVER is a digest of
 * a secret that the browser keeps, or no data if it sent none. Call it in the
 * transaction that takes the evidence. */
idv_error_t *idv_passkey_note_giver(idv_db_t *db, const idv_session_t *session,
                                    idv_bytes_t giver,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Sets *MAY_SAVE if GIVER gave all evidence of SESSION, or if a sandbox session
 * has none. */
idv_error_t *idv_passkey_may_save(idv_db_t *db, const idv_session_t *session,
                                  idv_bytes_t giver, int *may_save,
                                  apr_pool_t *pool) IDV_CHECKED;

/* --- challenges --- */

typedef enum {
    IDV_PASSKEY_REGISTRATION,
    IDV_PASSKEY_ASSERTION
} idv_passkey_ceremony_t;

typedef struct {
    idv_passkey_ceremony_t ceremony;
    idv_bytes_t challenge;
    idv_bytes_t user_handle; /* of a registration */
    idv_time_t expires_at;
} idv_passkey_challenge_t;

/* Creates and stores a challenge for the ceremony in SESSION, in place of an
 * earlier one. A registration also gets the user handle of the person, or a
 * random one. */
idv_error_t *idv_passkey_challenge_issue(idv_db_t *db,
                                         const idv_session_t *session,
                                         idv_time_t now,
                                         idv_passkey_challenge_t *challenge,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Takes the challenge of the ceremony away; `passkey_invalid` if there is none,
 * or if it has expired at NOW. Not to be called in the transaction of its
 * consequences: a response that is refused also uses it up. */
idv_error_t *idv_passkey_challenge_take(idv_db_t *db,
                                        const idv_session_t *session,
                                        idv_time_t now,
                                        idv_passkey_challenge_t *challenge,
                                        apr_pool_t *pool) IDV_CHECKED;

/* --- passkeys --- */

/* A new passkey of the credential CREDENTIAL_ID. */
typedef struct {
    const char *organization_id;
    const char *credential_id; /* locked */
    idv_bytes_t user_handle;
    const idv_webauthn_credential_t *credential;
    idv_time_t now;
} idv_passkey_draft_t;

/* Stores DRAFT; `passkey_invalid` if it exists, or if the credential has
 * IDV_PASSKEYS_MAX. */
idv_error_t *idv_passkey_create(idv_db_t *db, const idv_passkey_draft_t *draft,
                                apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const char *organization_id;
    idv_bytes_t digest;
    const char *credential_id;
    idv_bytes_t user_handle;
    idv_bytes_t public_key;
} idv_passkey_t;

/* The passkey with the credential ID; `passkey_unknown` if the organization has
 * none that is accepted. */
idv_error_t *idv_passkey_find(idv_db_t *db, const char *organization_id,
                              idv_bytes_t credential_id,
                              idv_passkey_t *passkey,
                              apr_pool_t *pool) IDV_CHECKED;

/* One use of a passkey: its counter, and when. */
typedef struct {
    apr_uint32_t sign_count;
    idv_time_t now;
} idv_passkey_use_t;

/* Records a use with the counter SIGN_COUNT. *IS_CLONED is non-zero if the
 * counter went back; the passkey is then refused from now on, which must be
 * committed. `passkey_unknown` if it was refused meanwhile. */
idv_error_t *idv_passkey_use(idv_db_t *db, const idv_passkey_t *passkey,
                             const idv_passkey_use_t *use, int *is_cloned,
                             apr_pool_t *pool) IDV_CHECKED;

/* Removes the passkey with the id ID (its digest, hexadecimal) of any
 * organization; `resource_missing` if there is none. *CREDENTIAL_ID is its credential. */
idv_error_t *idv_passkey_remove(idv_db_t *db, const char *id,
                                const char **credential_id,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
