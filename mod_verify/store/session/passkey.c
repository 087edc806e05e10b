/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/passkey.h"

#include <string.h>

#include <apr_encode.h>

#define SESSION_PARAMS(session)                                                \
    idv_db_text((session)->organization_id), idv_db_text((session)->id)

/* --- who may save one --- */

static idv_db_param_t giver_param(idv_bytes_t giver)
{
    return idv_db_bytes(giver.data ? giver
                                   : (idv_bytes_t){(const unsigned char *)"", 0});
}

idv_error_t *idv_passkey_note_giver(idv_db_t *db, const idv_session_t *session,
                                    idv_bytes_t giver, apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_PASSKEY_NOTE_GIVER,
        IDV_DB_PARAMS(SESSION_PARAMS(session), giver_param(giver)), NULL, pool);
}

idv_error_t *idv_passkey_may_save(idv_db_t *db, const idv_session_t *session,
                                  idv_bytes_t giver, int *may_save,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_PASSKEY_MAY_SAVE,
        IDV_DB_PARAMS(SESSION_PARAMS(session), giver_param(giver)), &rows,
        pool));
    *may_save = idv_db_rows(rows) && idv_db_get_bool(rows, 0, 0);
    return NULL;
}

/* --- challenges --- */

static const char *const ceremonies[] = {
    [IDV_PASSKEY_REGISTRATION] = "registration",
    [IDV_PASSKEY_ASSERTION] = "assertion",
};

static idv_bytes_t random_bytes(apr_size_t length, apr_pool_t *pool)
{
    unsigned char *bytes = apr_palloc(pool, length);

    idv_random_bytes(bytes, length);
    return (idv_bytes_t){bytes, length};
}

/* An authenticator has one passkey for a relying party and a user handle. So a
 * later one of the same person takes the place of an earlier one. */
static idv_error_t *find_user(idv_db_t *db, const idv_session_t *session,
                              idv_bytes_t *user_handle, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_PASSKEY_FIND_USER,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    *user_handle = idv_db_rows(rows)
                     ? idv_db_get_bytes(rows, 0, 0, pool)
                     : random_bytes(IDV_WEBAUTHN_USER_SIZE, pool);
    return NULL;
}

idv_error_t *idv_passkey_challenge_issue(idv_db_t *db,
                                         const idv_session_t *session,
                                         idv_time_t now,
                                         idv_passkey_challenge_t *challenge,
                                         apr_pool_t *pool)
{
    challenge->challenge = random_bytes(IDV_WEBAUTHN_CHALLENGE_SIZE, pool);
    challenge->user_handle = (idv_bytes_t){NULL, 0};
    challenge->expires_at = now + IDV_PASSKEY_CHALLENGE_TIME;
    if (challenge->ceremony == IDV_PASSKEY_REGISTRATION)
        IDV_TRY(find_user(db, session, &challenge->user_handle, pool));
    return idv_db_execute(
        db, IDV_SQL_PASSKEY_CHALLENGE_PUT,
        IDV_DB_PARAMS(SESSION_PARAMS(session),
                      idv_db_text(ceremonies[challenge->ceremony]),
                      idv_db_bytes(challenge->challenge),
                      idv_db_bytes(challenge->user_handle),
                      idv_db_time(challenge->expires_at)),
        NULL, pool);
}

static idv_error_t *invalid(const char *message, apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_PASSKEY_INVALID, pool);

    error->message = message;
    return error;
}

idv_error_t *idv_passkey_challenge_take(idv_db_t *db,
                                        const idv_session_t *session,
                                        idv_time_t now,
                                        idv_passkey_challenge_t *challenge,
                                        apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_PASSKEY_CHALLENGE_TAKE,
        IDV_DB_PARAMS(SESSION_PARAMS(session),
                      idv_db_text(ceremonies[challenge->ceremony]),
                      idv_db_time(now)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return invalid("The challenge of the passkey has expired or was used. "
                       "Begin again.",
                       pool);
    challenge->challenge = idv_db_get_bytes(rows, 0, 0, pool);
    challenge->user_handle = idv_db_get_bytes(rows, 0, 1, pool);
    return NULL;
}

/* --- passkeys --- */

static idv_bytes_t digest_of(idv_bytes_t credential_id, apr_pool_t *pool)
{
    unsigned char *digest = apr_palloc(pool, IDV_DIGEST_SIZE);

    idv_sha256(credential_id.data, credential_id.length, digest);
    return (idv_bytes_t){digest, IDV_PASSKEY_ID_SIZE};
}

idv_error_t *idv_passkey_create(idv_db_t *db, const idv_passkey_draft_t *draft,
                                apr_pool_t *pool)
{
    const idv_webauthn_credential_t *credential = draft->credential;
    idv_bytes_t digest = digest_of(credential->id, pool);
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_PASSKEY_INSERT,
        IDV_DB_PARAMS(idv_db_text(draft->organization_id),
                      idv_db_bytes(digest), idv_db_text(draft->credential_id),
                      idv_db_bytes(draft->user_handle),
                      idv_db_bytes(credential->public_key),
                      idv_db_int(credential->sign_count),
                      idv_db_time(draft->now), idv_db_int(IDV_PASSKEYS_MAX)),
        &rows, pool));
    return idv_db_rows(rows) == 0
             ? invalid("The passkey exists already, or the verification has "
                       "the maximum number of passkeys.",
                       pool)
             : NULL;
}

idv_error_t *idv_passkey_find(idv_db_t *db, const char *organization_id,
                              idv_bytes_t credential_id,
                              idv_passkey_t *passkey, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    passkey->organization_id = organization_id;
    passkey->digest = digest_of(credential_id, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_PASSKEY_FIND,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_bytes(passkey->digest)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_PASSKEY_UNKNOWN, pool);
    passkey->credential_id = idv_db_get_text(rows, 0, 0);
    passkey->user_handle = idv_db_get_bytes(rows, 0, 1, pool);
    passkey->public_key = idv_db_get_bytes(rows, 0, 2, pool);
    return NULL;
}

idv_error_t *idv_passkey_use(idv_db_t *db, const idv_passkey_t *passkey,
                             const idv_passkey_use_t *use, int *is_cloned,
                             apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_PASSKEY_USE,
                         IDV_DB_PARAMS(idv_db_text(passkey->organization_id),
                                       idv_db_bytes(passkey->digest),
                                       idv_db_int(use->sign_count),
                                       idv_db_time(use->now)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_PASSKEY_UNKNOWN, pool);
    *is_cloned = !idv_db_get_bool(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_passkey_remove(idv_db_t *db, const char *id,
                                const char **credential_id, apr_pool_t *pool)
{
    const apr_size_t length = 2 * IDV_PASSKEY_ID_SIZE;
    unsigned char digest[IDV_PASSKEY_ID_SIZE];
    idv_bytes_t bytes = {digest, sizeof(digest)};
    idv_db_result_t *rows;

    if (strlen(id) != length || strspn(id, "0123456789abcdef") != length
        || apr_decode_base16_binary(digest, id, (apr_ssize_t)length,
                                    APR_ENCODE_NONE, NULL)
               != APR_SUCCESS)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_PASSKEY_REMOVE,
                         IDV_DB_PARAMS(idv_db_bytes(bytes)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *credential_id = idv_db_get_text(rows, 0, 0);
    return NULL;
}
