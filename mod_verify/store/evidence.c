/* SPDX-License-Identifier: Apache-2.0 */
#include "store/evidence.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

static const char *key_context(const idv_session_t *session, apr_pool_t *pool)
{
    return apr_pstrcat(pool, "data_key:", session->id, NULL);
}

static const char *image_context(const idv_session_t *session, const char *side,
                                 apr_pool_t *pool)
{
    return apr_pstrcat(pool, "evidence:", session->id, ":", side, NULL);
}

#define SESSION_PARAMS(session)                                                \
    idv_db_text((session)->organization_id), idv_db_text((session)->id)

/* The session's data key (IDV_KEY_SIZE bytes), or NULL without one. */
static idv_error_t *find_key(idv_db_t *db, const idv_keyring_t *keyring,
                             const idv_session_t *session,
                             const unsigned char **key, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_bytes_t plain;

    *key = NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_EVIDENCE_FIND_DATA_KEY,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    IDV_TRY(idv_open(keyring->wrap, key_context(session, pool),
                     idv_db_get_bytes(rows, 0, 0, pool), &plain, pool));
    if (plain.length != IDV_KEY_SIZE)
        return idv_error_internal(pool, "%s: malformed data key", session->id);
    *key = plain.data;
    return NULL;
}

static idv_error_t *create_key(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_session_t *session, apr_pool_t *pool)
{
    unsigned char *fresh = apr_palloc(pool, IDV_KEY_SIZE);
    idv_bytes_t wrapped;

    idv_wipe_with_pool(fresh, IDV_KEY_SIZE, pool);
    idv_random_bytes(fresh, IDV_KEY_SIZE);
    IDV_TRY(idv_seal(keyring->wrap, key_context(session, pool),
                     (idv_bytes_t){fresh, IDV_KEY_SIZE}, &wrapped, pool));
    return idv_db_execute(
        db, IDV_SQL_EVIDENCE_INSERT_DATA_KEY,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_bytes(wrapped)), NULL,
        pool);
}

idv_error_t *idv_evidence_put(idv_db_t *db, const idv_keyring_t *keyring,
                              const idv_session_t *session,
                              const idv_evidence_t *evidence, apr_pool_t *pool)
{
    const unsigned char *key;
    idv_bytes_t sealed;

    IDV_TRY(find_key(db, keyring, session, &key, pool));
    if (!key) {
        /* Another request may have been faster: then its key counts. */
        IDV_TRY(create_key(db, keyring, session, pool));
        IDV_TRY(find_key(db, keyring, session, &key, pool));
    }
    IDV_TRY(idv_seal(key, image_context(session, evidence->side, pool),
                     evidence->bytes, &sealed, pool));
    return idv_db_execute(
        db, IDV_SQL_EVIDENCE_PUT,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_text(evidence->side),
                      idv_db_text(evidence->media_type), idv_db_bytes(sealed),
                      idv_db_time(idv_time_now())),
        NULL, pool);
}

idv_error_t *idv_evidence_open(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_session_t *session,
                               const char *const *sides,
                               apr_array_header_t **images, apr_pool_t *pool)
{
    const unsigned char *key;
    idv_db_result_t *rows;

    *images = apr_array_make(pool, 2, sizeof(idv_evidence_t));
    IDV_TRY(find_key(db, keyring, session, &key, pool));
    if (!key)
        return NULL;
    IDV_TRY(idv_db_query(
        db, IDV_SQL_EVIDENCE_LIST,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_text_list(sides, pool)),
        &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_evidence_t *image = apr_array_push(*images);

        image->side = idv_db_get_text(rows, row, 0);
        image->media_type = idv_db_get_text(rows, row, 1);
        IDV_TRY(idv_open(key, image_context(session, image->side, pool),
                         idv_db_get_bytes(rows, row, 2, pool), &image->bytes,
                         pool));
    }
    return NULL;
}
