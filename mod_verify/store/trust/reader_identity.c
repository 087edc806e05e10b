/* SPDX-License-Identifier: Apache-2.0 */
#include "store/trust/reader_identity.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "core/id.h"
#include "store/db/master_key.h"

/* Columns of fragments/reader_columns.sql and those after it. */
enum {
    ORGANIZATION_ID,
    ID,
    KIND,
    STATUS,
    KEY_TYPE,
    CHAIN,
    REGISTRATION,
    METADATA,
    NOT_AFTER,
    CREATED_AT,
    UPDATED_AT,
    SEALED_KEY
};

/* --- rows --- */

static idv_error_t *read_chain(const idv_db_result_t *rows, int row,
                               idv_reader_identity_t *identity,
                               apr_pool_t *pool)
{
    const char *const *texts = idv_db_get_texts(rows, row, CHAIN, pool);
    int count = 0;

    for (; texts && texts[count]; count++) {
        idv_bytes_t *der = &identity->chain[count];

        if (count == IDV_READER_CHAIN_MAX)
            return idv_error_internal(pool, "a stored chain is too long");
        der->data = apr_pdecode_base64_binary(pool, texts[count],
                                              APR_ENCODE_STRING,
                                              APR_ENCODE_NONE, &der->length);
        if (!der->data)
            return idv_error_internal(pool, "a stored chain is malformed");
    }
    identity->chain_length = count;
    return NULL;
}

static idv_error_t *read_record(const idv_db_result_t *rows, int row,
                                idv_reader_record_t *record, apr_pool_t *pool)
{
    const char *owner = idv_db_get_text(rows, row, ORGANIZATION_ID);
    int kind = idv_reader_kind_parse(idv_db_get_text(rows, row, KIND));

    memset(record, 0, sizeof(*record));
    record->id = idv_db_get_text(rows, row, ID);
    record->status = idv_db_get_text(rows, row, STATUS);
    record->key_type = idv_db_get_text(rows, row, KEY_TYPE);
    record->created = idv_db_get_int(rows, row, CREATED_AT);
    record->updated = idv_db_get_int(rows, row, UPDATED_AT);
    record->identity.organization_id = *owner ? owner : NULL;
    record->identity.registration = idv_db_get_text(rows, row, REGISTRATION);
    if (!idv_db_is_null(rows, row, METADATA))
        record->identity.metadata = idv_db_get_bytes(rows, row, METADATA, pool);
    record->identity.not_after = idv_db_get_int(rows, row, NOT_AFTER);
    if (kind < 0)
        return idv_error_internal(pool, "%s: an unknown kind",
                                  record->id);
    record->identity.kind = (idv_reader_kind_t)kind;
    return read_chain(rows, row, &record->identity, pool);
}

/* The first of ROWS, which may have a column with the sealed key, opened when
 * KEYRING is not NULL; *RECORD is NULL when there are no rows. */
static idv_error_t *read_first(const idv_db_result_t *rows,
                               const idv_keyring_t *keyring,
                               idv_reader_record_t **record, apr_pool_t *pool)
{
    idv_reader_record_t *found;

    *record = NULL;
    if (idv_db_rows(rows) == 0)
        return NULL;
    found = apr_palloc(pool, sizeof(*found));
    IDV_TRY(read_record(rows, 0, found, pool));
    if (keyring && !idv_db_is_null(rows, 0, SEALED_KEY))
        IDV_TRY(idv_keyring_open(
            keyring, idv_sealed_place(IDV_SEALED_READER_KEY, found->id, pool),
            idv_db_get_bytes(rows, 0, SEALED_KEY, pool),
            &found->identity.private_key, pool));
    *record = found;
    return NULL;
}

/* --- looking up --- */

idv_error_t *idv_reader_identity_find(idv_db_t *db,
                                      const idv_reader_query_t *query,
                                      const idv_reader_identity_t **identity,
                                      apr_pool_t *pool)
{
    idv_reader_record_t *record;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_READER_IDENTITY_FIND_ACTIVE,
        IDV_DB_PARAMS(idv_db_text(query->organization_id),
                      idv_db_text(idv_reader_kind_value(query->kind))),
        &rows, pool));
    IDV_TRY(read_first(rows, query->keyring, &record, pool));
    *identity = record ? &record->identity : NULL;
    return NULL;
}

idv_error_t *idv_reader_identity_get(idv_db_t *db, const idv_keyring_t *keyring,
                                     const char *id,
                                     idv_reader_record_t **record,
                                     apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_READER_IDENTITY_FIND,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    IDV_TRY(read_first(rows, keyring, record, pool));
    return *record ? NULL : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

idv_error_t *idv_reader_identity_list(idv_db_t *db, const char *organization_id,
                                      apr_array_header_t **records,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_READER_IDENTITY_LIST,
                         IDV_DB_PARAMS(idv_db_text(organization_id)), &rows,
                         pool));
    *records = apr_array_make(pool, idv_db_rows(rows) + 1,
                              sizeof(idv_reader_record_t));
    for (int row = 0; row < idv_db_rows(rows); row++)
        IDV_TRY(read_record(rows, row, apr_array_push(*records), pool));
    return NULL;
}

/* --- changes --- */

static idv_db_param_t owner_of(const idv_reader_identity_t *identity)
{
    return idv_db_text(identity->organization_id ? identity->organization_id
                                                 : "");
}

idv_error_t *idv_reader_identity_create(idv_db_t *db,
                                        const idv_reader_draft_t *draft,
                                        idv_reader_record_t **record,
                                        apr_pool_t *pool)
{
    idv_time_t now = idv_time_now();
    const char *id = idv_id_new(IDV_ID_READER_IDENTITY, now, pool);
    idv_db_result_t *rows;
    idv_bytes_t sealed;

    IDV_TRY(idv_keyring_seal(draft->keyring,
                             idv_sealed_place(IDV_SEALED_READER_KEY, id, pool),
                             draft->identity->private_key, &sealed, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_READER_IDENTITY_CREATE,
        IDV_DB_PARAMS(owner_of(draft->identity), idv_db_text(id),
                      idv_db_text(idv_reader_kind_value(draft->identity->kind)),
                      idv_db_text(idv_reader_key_type_value(draft->type)),
                      idv_db_bytes(sealed), idv_db_time(now)),
        &rows, pool));
    IDV_TRY(read_first(rows, NULL, record, pool));
    return *record ? NULL
                   : idv_error_param(pool, "org", "No such organization.");
}

static idv_db_param_t chain_param(const idv_reader_identity_t *identity,
                                  apr_pool_t *pool)
{
    const char *texts[IDV_READER_CHAIN_MAX];

    for (int i = 0; i < identity->chain_length; i++)
        texts[i] = apr_pencode_base64_binary(
            pool, identity->chain[i].data,
            (apr_ssize_t)identity->chain[i].length, APR_ENCODE_NONE, NULL);
    return idv_db_texts(texts, identity->chain_length, pool);
}

static idv_error_t *retire(idv_db_t *db, const idv_reader_identity_t *identity,
                           const char *id, const char *but_id,
                           apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_READER_IDENTITY_RETIRE,
        IDV_DB_PARAMS(owner_of(identity),
                      idv_db_text(idv_reader_kind_value(identity->kind)),
                      idv_db_text(id), idv_db_text(but_id),
                      idv_db_time(idv_time_now())),
        NULL, pool);
}

static idv_error_t *install(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_reader_record_t *record = baton;
    const idv_reader_identity_t *identity = &record->identity;
    idv_db_result_t *rows;

    IDV_TRY(retire(db, identity, NULL, record->id, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_READER_IDENTITY_INSTALL,
        IDV_DB_PARAMS(owner_of(identity), idv_db_text(record->id),
                      chain_param(identity, pool),
                      idv_db_text(identity->registration),
                      idv_db_bytes(identity->metadata),
                      idv_db_time(identity->not_after),
                      idv_db_time(idv_time_now())),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return read_record(rows, 0, record, pool);
}

idv_error_t *idv_reader_identity_install(idv_db_t *db,
                                         idv_reader_record_t *record,
                                         apr_pool_t *pool)
{
    return idv_db_transaction(db, install, record, pool);
}

idv_error_t *idv_reader_identity_retire(idv_db_t *db,
                                        const idv_reader_record_t *record,
                                        apr_pool_t *pool)
{
    return retire(db, &record->identity, record->id, NULL, pool);
}
