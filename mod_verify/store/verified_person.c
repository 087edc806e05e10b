/* SPDX-License-Identifier: Apache-2.0 */
#include "store/verified_person.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/session_create.h"
#include "store/credential_row.h"
#include "store/vp_token.h"

idv_bytes_t idv_identifier_digest(const idv_keyring_t *keyring,
                                  const char *kind, const char *text,
                                  apr_pool_t *pool)
{
    idv_bytes_t key = {keyring->identifier, IDV_KEY_SIZE};
    unsigned char *digest;
    char *labelled;

    if (!text)
        return (idv_bytes_t){0};
    digest = apr_palloc(pool, IDV_DIGEST_SIZE);
    labelled = apr_pstrcat(pool, kind, ":", text, NULL);
    idv_wipe_with_pool(labelled, strlen(labelled), pool);
    idv_hmac_sha256(key, labelled, strlen(labelled), digest);
    return (idv_bytes_t){digest, IDV_DIGEST_SIZE};
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

idv_error_t *idv_verified_person_find(idv_db_t *db,
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

    IDV_TRY(idv_db_query(db, statement, params, 3, &rows, pool));
    return read_credentials(rows, credentials, pool);
}

idv_error_t *idv_verified_person_of_token(idv_db_t *db,
                                          const char *organization_id,
                                          const char *token, idv_time_t now,
                                          apr_array_header_t **credentials,
                                          apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const idv_db_param_t params[] = {
        idv_db_text(organization_id), idv_db_time(now),
        idv_db_bytes((idv_bytes_t){digest, sizeof(digest)})};

    if (!idv_vp_token_is_shaped(token)) {
        *credentials = apr_array_make(pool, 1, sizeof(const idv_reusable_t *));
        return NULL;
    }
    idv_vp_token_digest(token, digest);
    return find_by_digest(db, IDV_SQL_VERIFIED_PERSON_FIND_BY_TOKEN, params,
                          credentials, pool);
}

idv_error_t *idv_verified_person_compare(idv_db_t *db,
                                         const idv_person_query_t *query,
                                         const char *person_id,
                                         idv_same_person_facts_t *facts,
                                         apr_pool_t *pool)
{
    idv_db_result_t *rows;

    facts->equal = facts->different = 0;
    if (!person_id || (!query->email.data && !query->phone.data))
        return NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_VERIFIED_PERSON_COMPARE,
                         IDV_DB_PARAMS(idv_db_text(query->organization_id),
                                       idv_db_text(person_id),
                                       idv_db_bytes(query->email),
                                       idv_db_bytes(query->phone)),
                         &rows, pool));
    facts->equal = (int)idv_db_get_int(rows, 0, 0);
    facts->different = (int)idv_db_get_int(rows, 0, 1);
    return NULL;
}

const char *idv_credential_hash(const idv_keyring_t *keyring,
                                const char *credential_id, apr_pool_t *pool)
{
    idv_bytes_t digest = idv_identifier_digest(keyring, "credential",
                                               credential_id, pool);

    return idv_hex(digest.data, digest.length, pool);
}

idv_error_t *idv_verified_person_of_hash(idv_db_t *db,
                                         const char *organization_id,
                                         const char *hash, idv_time_t now,
                                         apr_array_header_t **credentials,
                                         apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const idv_db_param_t params[] = {
        idv_db_text(organization_id), idv_db_time(now),
        idv_db_bytes((idv_bytes_t){digest, sizeof(digest)})};

    idv_sha256(hash, strlen(hash), digest);
    return find_by_digest(db, IDV_SQL_VERIFIED_PERSON_FIND_BY_HASH, params,
                          credentials, pool);
}

idv_error_t *idv_reuse_attempt_count(idv_db_t *db,
                                     const idv_reuse_attempt_t *attempt,
                                     idv_time_t now, int *attempts,
                                     int *retry_after, apr_pool_t *pool)
{
    const idv_db_param_t params[] = {
        idv_db_text(attempt->organization_id),
        idv_db_bytes(attempt->digest),
        idv_db_int(now - attempt->window),
        idv_db_int(now),
        idv_db_int(attempt->limit),
    };
    idv_db_result_t *rows;
    idv_time_t oldest;

    *retry_after = 0;
    IDV_TRY(idv_db_query(db, IDV_SQL_REUSE_ATTEMPT_COUNT, params, 5, &rows,
                         pool));
    if (idv_db_rows(rows) == 1) {
        *attempts = (int)idv_db_get_int(rows, 0, 0);
        return NULL;
    }
    *attempts = attempt->limit + 1;
    IDV_TRY(idv_db_query(db, IDV_SQL_REUSE_ATTEMPT_OLDEST, params, 3, &rows,
                         pool));
    oldest = idv_db_rows(rows) ? idv_db_get_int(rows, 0, 0) : now;
    *retry_after =
        (int)((oldest + attempt->window - now + IDV_SECOND - 1) / IDV_SECOND);
    if (*retry_after < 1)
        *retry_after = 1;
    return NULL;
}

idv_error_t *idv_accept_existing_count(idv_db_t *db,
                                       const idv_person_query_t *query,
                                       idv_time_t now, int *attempts,
                                       int *retry_after, apr_pool_t *pool)
{
    const idv_reuse_attempt_t attempt = {
        .organization_id = query->organization_id,
        .digest = query->email.data ? query->email : query->phone,
        .window = IDV_ACCEPT_EXISTING_WINDOW,
        .limit = IDV_ACCEPT_EXISTING_ATTEMPTS_MAX,
    };

    return idv_reuse_attempt_count(db, &attempt, now, attempts, retry_after,
                                   pool);
}

idv_error_t *idv_credential_hold(idv_db_t *db, const char *organization_id,
                                 const char *credential_id, idv_time_t now,
                                 apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_CREDENTIAL_HOLD,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_time(now),
                                       idv_db_text(credential_id)),
                         &rows, pool));
    return idv_db_rows(rows) == 1 ? NULL
                                  : idv_error_new(IDV_E_NO_MATCHING_VP, pool);
}
