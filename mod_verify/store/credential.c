/* SPDX-License-Identifier: Apache-2.0 */
#include "store/credential.h"

#include <string.h>

#include <apr_encode.h>

#include "core/crypto.h"
#include "core/id.h"
#include "store/trust_reuse_grant.h"

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

static idv_error_t *find(idv_db_t *db, const char *id,
                         idv_credential_record_t **credential, apr_pool_t *pool)
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

idv_error_t *idv_person_show(idv_db_t *db, const char *person_id,
                             idv_person_record_t *person, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_VERIFIED_PERSON, person_id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_PERSON_SHOW,
                         IDV_DB_PARAMS(idv_db_text(person_id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    person->organization_id = idv_db_get_text(rows, 0, 0);
    person->created = idv_db_get_int(rows, 0, 1);
    person->erased_at = idv_db_get_int(rows, 0, 2);
    person->identifiers = idv_db_get_texts(rows, 0, 3, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_CREDENTIAL_LIST_OF_PERSON,
                         IDV_DB_PARAMS(idv_db_text(person->organization_id),
                                       idv_db_text(person_id),
                                       idv_db_int(IDV_CREDENTIALS_SHOWN)),
                         &rows, pool));
    person->credentials = read_records(rows, pool);
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

typedef struct {
    const char *id;
    idv_time_t now;
    idv_credential_record_t *credential;
    int grants;
} revocation_t;

static idv_error_t *revoke_all(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    revocation_t *work = baton;
    idv_grant_revoking_t revoking = {
        .id = work->id,
        .reason = IDV_GRANT_SOURCE_CREDENTIAL_REVOKED,
        .now = work->now,
    };

    IDV_TRY(find(db, work->id, &work->credential, pool));
    revoking.organization_id = work->credential->organization_id;
    IDV_TRY(idv_trust_reuse_revoke_credential(db, &revoking, pool));
    work->grants = revoking.revoked;
    IDV_TRY(idv_db_execute(db, IDV_SQL_CREDENTIAL_REVOKE,
                           IDV_DB_PARAMS(idv_db_text(revoking.organization_id),
                                         idv_db_text(work->id),
                                         idv_db_time(work->now)),
                           NULL, pool));
    return find(db, work->id, &work->credential, pool);
}

idv_error_t *idv_credential_revoke(idv_db_t *db, const char *id, idv_time_t now,
                                   idv_credential_record_t **credential,
                                   int *grants, apr_pool_t *pool)
{
    revocation_t work = {.id = id, .now = now};

    IDV_TRY(idv_db_transaction(db, revoke_all, &work, pool));
    *credential = work.credential;
    *grants = work.grants;
    return NULL;
}

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
    return find(db, idv_db_get_text(rows, 0, 0), credential, pool);
}
