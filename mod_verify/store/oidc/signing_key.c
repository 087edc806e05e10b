/* SPDX-License-Identifier: Apache-2.0 */
#include "store/oidc/signing_key.h"

#include "store/db/master_key.h"

enum { ID, ALGORITHM, SEALED_KEY, PUBLIC_KEY, CREATED_AT, SIGNS_FROM, ENDS_AT };

idv_error_t *idv_oidc_key_list(idv_db_t *db, idv_time_t now,
                               apr_array_header_t **keys, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_OIDC_KEY_LIST,
                         IDV_DB_PARAMS(idv_db_time(now)), &rows, pool));
    *keys = apr_array_make(pool, idv_db_rows(rows) + 1, sizeof(idv_oidc_key_t));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_oidc_key_t *key = apr_array_push(*keys);

        key->id = idv_db_get_text(rows, row, ID);
        key->algorithm =
            idv_web_algorithm_parse(idv_db_get_text(rows, row, ALGORITHM));
        key->sealed_key = idv_db_get_bytes(rows, row, SEALED_KEY, pool);
        key->public_key = idv_db_get_text(rows, row, PUBLIC_KEY);
        key->created = idv_db_get_int(rows, row, CREATED_AT);
        key->signs_from = idv_db_get_int(rows, row, SIGNS_FROM);
        key->ends = idv_db_get_int(rows, row, ENDS_AT);
    }
    return NULL;
}

/* The key of KEYS that signs with ALGORITHM at NOW; NULL: none. */
static const idv_oidc_key_t *choose(const apr_array_header_t *keys,
                                    idv_web_algorithm_t algorithm,
                                    idv_time_t now)
{
    for (int i = 0; i < keys->nelts; i++) {
        const idv_oidc_key_t *key = &APR_ARRAY_IDX(keys, i, idv_oidc_key_t);

        if (key->algorithm == algorithm && key->signs_from <= now)
            return key;
    }
    return NULL;
}

idv_error_t *idv_oidc_key_open(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_oidc_key_wish_t *wish,
                               idv_web_key_t *key, apr_pool_t *pool)
{
    const idv_oidc_key_t *found;
    apr_array_header_t *keys;
    idv_bytes_t pem;

    IDV_TRY(idv_oidc_key_list(db, wish->now, &keys, pool));
    found = choose(keys, wish->algorithm, wish->now);
    if (!found)
        return idv_error_internal(pool,
                                  "there is no key for %s: run verifyctl "
                                  "oidc key rotate",
                                  idv_web_algorithm_value(wish->algorithm));
    IDV_TRY(idv_keyring_open(
        keyring, idv_sealed_place(IDV_SEALED_OIDC_KEY, found->id, pool),
        found->sealed_key, &pem, pool));
    return idv_web_key_read(pem, key, pool);
}

/* Creates a key that signs from SIGNS_FROM on; sets *ID. */
static idv_error_t *create(idv_db_t *db, const idv_oidc_rotation_t *rotation,
                           idv_time_t signs_from, const char **id,
                           apr_pool_t *pool)
{
    idv_bytes_t pem, sealed;
    idv_web_key_t key;
    const char *text;

    IDV_TRY(idv_web_key_create(rotation->algorithm, &pem, pool));
    IDV_TRY(idv_web_key_read(pem, &key, pool));
    IDV_TRY(idv_web_key_text(&key, &text, pool));
    IDV_TRY(idv_keyring_seal(
        rotation->keyring,
        idv_sealed_place(IDV_SEALED_OIDC_KEY, key.id, pool), pem, &sealed,
        pool));
    *id = key.id;
    return idv_db_execute(
        db, IDV_SQL_OIDC_KEY_CREATE,
        IDV_DB_PARAMS(idv_db_text(key.id),
                      idv_db_text(idv_web_algorithm_value(key.algorithm)),
                      idv_db_bytes(sealed), idv_db_text(text),
                      idv_db_time(rotation->now), idv_db_time(signs_from)),
        NULL, pool);
}

static idv_error_t *lock(idv_db_t *db, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    return idv_db_query(db, IDV_SQL_OIDC_KEY_LOCK, IDV_DB_NO_PARAMS, &rows,
                        pool);
}

static idv_error_t *remove_ended(idv_db_t *db, idv_time_t now,
                                 apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_OIDC_KEY_REMOVE_ENDED,
                          IDV_DB_PARAMS(idv_db_time(now)), NULL, pool);
}

idv_error_t *idv_oidc_keys_ensure(idv_db_t *db, const idv_keyring_t *keyring,
                                  idv_time_t now, apr_pool_t *pool)
{
    apr_array_header_t *keys;
    const char *id;

    IDV_TRY(lock(db, pool));
    IDV_TRY(idv_oidc_key_list(db, now, &keys, pool));
    for (int i = 0; i < IDV_WEB_ALGORITHM_COUNT; i++) {
        const idv_oidc_rotation_t first = {
            .keyring = keyring, .algorithm = i, .now = now};

        if (!choose(keys, i, now))
            IDV_TRY(create(db, &first, now, &id, pool));
    }
    return NULL;
}

idv_error_t *idv_oidc_key_rotate(idv_db_t *db,
                                 const idv_oidc_rotation_t *rotation,
                                 apr_pool_t *pool)
{
    idv_time_t now = rotation->now, signs_from = now, ends = now;
    apr_array_header_t *keys;
    const char *id;

    IDV_TRY(lock(db, pool));
    IDV_TRY(remove_ended(db, now, pool));
    IDV_TRY(idv_oidc_key_list(db, now, &keys, pool));
    if (choose(keys, rotation->algorithm, now) && rotation->lead) {
        signs_from = now + rotation->lead;
        ends = signs_from + IDV_OIDC_KEY_OVERLAP;
    }
    IDV_TRY(create(db, rotation, signs_from, &id, pool));
    return idv_db_execute(
        db, IDV_SQL_OIDC_KEY_REPLACE,
        IDV_DB_PARAMS(idv_db_text(idv_web_algorithm_value(rotation->algorithm)),
                      idv_db_text(id), idv_db_time(ends)),
        NULL, pool);
}

/* --- renewal --- */

/* Whether the newest of KEYS for ALGORITHM is old. */
static int is_old(const apr_array_header_t *keys, idv_web_algorithm_t algorithm,
                  idv_time_t now)
{
    idv_time_t newest = 0;

    for (int i = 0; i < keys->nelts; i++) {
        const idv_oidc_key_t *key = &APR_ARRAY_IDX(keys, i, idv_oidc_key_t);

        if (key->algorithm == algorithm && key->created > newest)
            newest = key->created;
    }
    return newest && newest <= now - IDV_OIDC_KEY_LIFE;
}

static idv_error_t *renew(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_oidc_renewal_t *renewal = baton;
    apr_array_header_t *keys;

    renewal->count = 0;
    IDV_TRY(lock(db, pool));
    IDV_TRY(idv_oidc_key_list(db, renewal->now, &keys, pool));
    for (int i = 0; i < IDV_WEB_ALGORITHM_COUNT; i++) {
        const idv_oidc_rotation_t rotation = {.keyring = renewal->keyring,
                                              .algorithm = i,
                                              .lead = IDV_OIDC_KEY_LEAD,
                                              .now = renewal->now};

        if (!is_old(keys, i, renewal->now))
            continue;
        IDV_TRY(idv_oidc_key_rotate(db, &rotation, pool));
        renewal->algorithms[renewal->count++] = i;
    }
    return NULL;
}

/* Another node may renew them at the same time, so a lock protects the second
 * look. */
idv_error_t *idv_oidc_keys_renew(idv_db_t *db, idv_oidc_renewal_t *renewal,
                                 apr_pool_t *pool)
{
    apr_array_header_t *keys;

    renewal->count = 0;
    IDV_TRY(remove_ended(db, renewal->now, pool));
    IDV_TRY(idv_oidc_key_list(db, renewal->now, &keys, pool));
    for (int i = 0; i < IDV_WEB_ALGORITHM_COUNT; i++)
        if (is_old(keys, i, renewal->now))
            return idv_db_transaction(db, renew, renewal, pool);
    return NULL;
}
