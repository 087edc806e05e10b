/* SPDX-License-Identifier: Apache-2.0 */
#include "store/verified_person.h"

#include <string.h>

#include <apr_strings.h>

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

/* In the order of sql/fragments/credential_columns.sql. */
static const idv_reusable_t *read_credential(const idv_db_result_t *rows,
                                             int row, apr_pool_t *pool)
{
    idv_reusable_t *one = apr_pcalloc(pool, sizeof(*one));
    const char *const *methods = idv_db_get_texts(rows, row, 6, pool);

    one->id = idv_db_get_text(rows, row, 0);
    one->verified_person_id = idv_db_get_text(rows, row, 1);
    one->proof.method = idv_method_parse(idv_db_get_text(rows, row, 2));
    one->proof.strength = idv_strength_parse(idv_db_get_text(rows, row, 3));
    one->proof.age_tier = idv_tier_parse(idv_db_get_text(rows, row, 4));
    one->proof.age_over = (int)idv_db_get_int(rows, row, 5);
    for (; methods && *methods; methods++)
        idv_method_list_add(&one->proof.methods, idv_method_parse(*methods));
    one->proof.jurisdiction = idv_db_get_text(rows, row, 7);
    one->proof.verified_at = idv_db_get_int(rows, row, 8);
    one->proof.expires_at = idv_db_get_int(rows, row, 9);
    return one;
}

static apr_array_header_t *read_credentials(const idv_db_result_t *rows,
                                            apr_pool_t *pool)
{
    int count = idv_db_rows(rows);
    apr_array_header_t *credentials =
        apr_array_make(pool, count, sizeof(const idv_reusable_t *));

    for (int i = 0; i < count; i++)
        APR_ARRAY_PUSH(credentials, const idv_reusable_t *) =
            read_credential(rows, i, pool);
    return credentials;
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
    *credentials = read_credentials(rows, pool);
    return NULL;
}
