/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/credential_record.h"

#include <string.h>

#include <apr_encode.h>

#include "core/id.h"

/* --- minting --- */

/* Makes concurrent minting for the same person wait until the end of this
 * transaction. */
static idv_error_t *take_turns(idv_db_t *db, const idv_session_record_t *record,
                               apr_pool_t *pool)
{
    if (!record->email_digest.data && !record->phone_digest.data)
        return NULL;
    return idv_db_execute(
        db, IDV_SQL_PERSON_TAKE_TURNS,
        IDV_DB_PARAMS(idv_db_text(record->session->organization_id),
                      idv_db_bytes(record->email_digest),
                      idv_db_bytes(record->phone_digest)),
        NULL, pool);
}

idv_error_t *idv_credential_mint(idv_db_t *db,
                                 const idv_credential_minting_t *minting,
                                 const char **id, const char **person_id,
                                 apr_pool_t *pool)
{
    const idv_session_record_t *record = minting->record;
    const idv_credential_t *credential = minting->credential;
    const char *organization = record->session->organization_id;
    idv_time_t now = minting->now, token_end = now + IDV_VP_TOKEN_VALIDITY;
    unsigned char token[IDV_DIGEST_SIZE], hash[IDV_DIGEST_SIZE];
    const char *hash_text;
    idv_db_result_t *rows;

    *id = idv_id_new(IDV_ID_CREDENTIAL, now, pool);
    hash_text = idv_credential_hash(minting->keyring, *id, pool);
    idv_sha256(hash_text, strlen(hash_text), hash);
    idv_issued_secret_digest(idv_vp_token_text(minting->keyring, *id, pool),
                             token);
    if (token_end > credential->expires_at)
        token_end = credential->expires_at;
    IDV_TRY(take_turns(db, record, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_CREDENTIAL_MINT,
        IDV_DB_PARAMS(
            idv_db_text(organization),
            idv_db_text(idv_id_new(IDV_ID_VERIFIED_PERSON, now, pool)),
            idv_db_bytes(record->email_digest),
            idv_db_bytes(record->phone_digest), idv_db_text(*id),
            idv_db_text(record->session->id),
            idv_db_text(idv_method_value(credential->method)),
            idv_db_text(idv_strength_value(credential->strength)),
            idv_db_text(idv_tier_value(credential->age_tier)),
            credential->age_over > 0 ? idv_db_int(credential->age_over)
                                     : idv_db_null(),
            idv_db_methods(&credential->methods, pool),
            idv_db_text(credential->jurisdiction),
            idv_db_time(credential->verified_at),
            idv_db_time(credential->expires_at), idv_db_time(now),
            idv_db_bytes((idv_bytes_t){token, sizeof(token)}),
            idv_db_time(token_end),
            idv_db_bytes((idv_bytes_t){hash, sizeof(hash)}),
            idv_db_text(idv_assurance_value(credential->assurance))),
        &rows, pool));
    *person_id = idv_db_get_text(rows, 0, 0);
    return NULL;
}

/* --- finding, for a session --- */

/* In the order of sql/fragments/credential_columns.sql. */
idv_error_t *idv_credential_row_read(const idv_db_result_t *rows, int row,
                                     idv_reusable_t *credential,
                                     apr_pool_t *pool)
{
    idv_credential_t *proof = &credential->proof;

    credential->id = idv_db_get_text(rows, row, 0);
    credential->verified_person_id = idv_db_get_text(rows, row, 1);
    proof->method = idv_method_parse(idv_db_get_text(rows, row, 2));
    proof->strength = idv_strength_parse(idv_db_get_text(rows, row, 3));
    proof->age_tier = idv_tier_parse(idv_db_get_text(rows, row, 4));
    proof->age_over = (int)idv_db_get_int(rows, row, 5);
    proof->jurisdiction = idv_db_get_text(rows, row, 7);
    proof->verified_at = idv_db_get_int(rows, row, 8);
    proof->expires_at = idv_db_get_int(rows, row, 9);
    proof->assurance = idv_assurance_parse(idv_db_get_text(rows, row, 10));
    return idv_db_get_methods(rows, row, 6, &proof->methods, pool);
}

static idv_error_t *read_credentials(const idv_db_result_t *rows,
                                     apr_array_header_t **credentials,
                                     apr_pool_t *pool)
{
    int count = idv_db_rows(rows);

    *credentials = apr_array_make(pool, count, sizeof(const idv_reusable_t *));
    for (int i = 0; i < count; i++) {
        idv_reusable_t *one = apr_pcalloc(pool, sizeof(*one));

        IDV_TRY(idv_credential_row_read(rows, i, one, pool));
        APR_ARRAY_PUSH(*credentials, const idv_reusable_t *) = one;
    }
    return NULL;
}

idv_error_t *idv_credentials_of_person(idv_db_t *db,
                                       const idv_person_query_t *query,
                                       idv_time_t now,
                                       apr_array_header_t **credentials,
                                       apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_VERIFIED_PERSON_FIND_BY_IDENTIFIER,
        IDV_DB_PARAMS(idv_db_text(query->organization_id), idv_db_time(now),
                      idv_db_bytes(query->email), idv_db_bytes(query->phone),
                      idv_db_int(IDV_REUSABLE_MAX)),
        &rows, pool));
    return read_credentials(rows, credentials, pool);
}

/* PARAMS: organization, now, the digest of what names a credential. */
static idv_error_t *find_by_digest(idv_db_t *db, idv_sql_t statement,
                                   const idv_db_param_t params[3],
                                   apr_array_header_t **credentials,
                                   apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(
        idv_db_query(db, statement, (idv_db_params_t){params, 3}, &rows, pool));
    return read_credentials(rows, credentials, pool);
}

idv_error_t *idv_credentials_of_token(idv_db_t *db,
                                      const idv_credential_query_t *query,
                                      apr_array_header_t **credentials,
                                      apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const idv_db_param_t params[] = {
        idv_db_text(query->organization_id), idv_db_time(query->now),
        idv_db_bytes((idv_bytes_t){digest, sizeof(digest)})};

    if (!idv_vp_token_is_shaped(query->text)) {
        *credentials = apr_array_make(pool, 1, sizeof(const idv_reusable_t *));
        return NULL;
    }
    idv_issued_secret_digest(query->text, digest);
    return find_by_digest(db, IDV_SQL_VERIFIED_PERSON_FIND_BY_TOKEN, params,
                          credentials, pool);
}

idv_error_t *idv_credentials_of_hash(idv_db_t *db,
                                     const idv_credential_query_t *query,
                                     apr_array_header_t **credentials,
                                     apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const idv_db_param_t params[] = {
        idv_db_text(query->organization_id), idv_db_time(query->now),
        idv_db_bytes((idv_bytes_t){digest, sizeof(digest)})};

    idv_sha256(query->text, strlen(query->text), digest);
    return find_by_digest(db, IDV_SQL_VERIFIED_PERSON_FIND_BY_HASH, params,
                          credentials, pool);
}

idv_error_t *idv_credential_lock(idv_db_t *db, const char *organization_id,
                                 const char *credential_id, idv_time_t now,
                                 apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_CREDENTIAL_LOCK,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_time(now),
                                       idv_db_text(credential_id)),
                         &rows, pool));
    return idv_db_rows(rows) == 1 ? NULL
                                  : idv_error_new(IDV_E_NO_MATCHING_VP, pool);
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

/* --- the operator's view --- */

/* In the order of sql/fragments/credential_record.sql. */
static idv_credential_record_t *read_record(const idv_db_result_t *rows,
                                            int row, apr_pool_t *pool)
{
    idv_credential_record_t *record = apr_pcalloc(pool, sizeof(*record));

    record->organization_id = idv_db_get_text(rows, row, 0);
    record->id = idv_db_get_text(rows, row, 1);
    record->verified_person_id = idv_db_get_text(rows, row, 2);
    record->session_id = idv_db_get_text(rows, row, 3);
    record->method = idv_db_get_text(rows, row, 4);
    record->strength = idv_db_get_text(rows, row, 5);
    record->assurance = idv_db_get_text(rows, row, 6);
    record->age_tier = idv_db_get_text(rows, row, 7);
    record->verified_at = idv_db_get_int(rows, row, 8);
    record->expires_at = idv_db_get_int(rows, row, 9);
    record->revoked_at = idv_db_get_int(rows, row, 10);
    record->shared = idv_db_get_bool(rows, row, 11);
    record->tokens = idv_db_get_json(rows, row, 12, pool);
    record->passkeys = idv_db_get_json(rows, row, 13, pool);
    return record;
}

static apr_array_header_t *read_records(const idv_db_result_t *rows,
                                        apr_pool_t *pool)
{
    int count = idv_db_rows(rows);
    apr_array_header_t *records =
        apr_array_make(pool, count, sizeof(idv_credential_record_t *));

    for (int i = 0; i < count; i++)
        APR_ARRAY_PUSH(records, idv_credential_record_t *) =
            read_record(rows, i, pool);
    return records;
}

idv_error_t *idv_credential_find(idv_db_t *db, const char *id,
                                 idv_credential_record_t **credential,
                                 apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_CREDENTIAL, id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_CREDENTIAL_FIND_ANY,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *credential = read_record(rows, 0, pool);
    return NULL;
}

idv_error_t *idv_credential_list_of_person(idv_db_t *db,
                                           const char *organization_id,
                                           const char *person_id,
                                           apr_array_header_t **credentials,
                                           apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_CREDENTIAL_LIST_OF_PERSON,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_text(person_id),
                                       idv_db_int(IDV_CREDENTIALS_SHOWN)),
                         &rows, pool));
    *credentials = read_records(rows, pool);
    return NULL;
}

idv_error_t *idv_credential_list_minted(idv_db_t *db, const char *session_id,
                                        apr_array_header_t **credentials,
                                        apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_CREDENTIAL_LIST_MINTED,
                         IDV_DB_PARAMS(idv_db_text(session_id),
                                       idv_db_int(IDV_CREDENTIALS_SHOWN)),
                         &rows, pool));
    *credentials = read_records(rows, pool);
    return NULL;
}

/* --- revoking --- */

idv_error_t *idv_vp_token_revoke(idv_db_t *db, const char *id, idv_time_t now,
                                 idv_credential_record_t **credential,
                                 apr_pool_t *pool)
{
    const apr_size_t length = 2 * IDV_DIGEST_SIZE;
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_bytes_t bytes = {digest, sizeof(digest)};
    idv_db_result_t *rows;

    if (strlen(id) != length || strspn(id, "0123456789abcdef") != length
        || apr_decode_base16_binary(digest, id, (apr_ssize_t)length,
                                    APR_ENCODE_NONE, NULL)
               != APR_SUCCESS)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_VP_TOKEN_REVOKE,
                         IDV_DB_PARAMS(idv_db_bytes(bytes), idv_db_time(now)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return idv_credential_find(db, idv_db_get_text(rows, 0, 0), credential, pool);
}
