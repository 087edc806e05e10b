/* SPDX-License-Identifier: Apache-2.0 */
#include "store/request/idempotency.h"

#include <string.h>

#include <apr_strings.h>

#include "store/db/master_key.h"

/* The prefix of a key in its HMAC; no other text for an HMAC of the server
 * starts with it. */
#define KEY_DOMAIN "mod_verify idempotency key v1"

/* The place of the key is part of it, so that equal keys of different
 * organizations or routes are not seen to be equal. */
void idv_idempotency_set_key(idv_idempotency_t *request, const char *text,
                             apr_pool_t *pool)
{
    const idv_bytes_t secret = {request->keyring->secret, IDV_KEY_SIZE};
    const char *place =
        apr_pstrcat(pool, KEY_DOMAIN, "\n", request->organization_id, "\n",
                    request->application_id ? request->application_id : "",
                    "\n", request->route, "\n", text, NULL);
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_hmac_sha256(secret, place, strlen(place), digest);
    request->key = idv_hex(digest, sizeof(digest), pool);
    request->former_key = text;
}

/* The binding of a sealed response: it opens only in its own row, that of
 * KEY. */
static idv_seal_place_t seal_place(const idv_idempotency_t *request,
                                   const char *key, apr_pool_t *pool)
{
    const char *id =
        apr_pstrcat(pool, request->organization_id, ":",
                    request->application_id ? request->application_id : "", ":",
                    request->route, ":", key, NULL);

    return idv_sealed_place(IDV_SEALED_RESPONSE, id, pool);
}

idv_error_t *idv_idempotency_seal(const idv_idempotency_t *request,
                                  const char *body, idv_sealed_answer_t *sealed,
                                  apr_pool_t *pool)
{
    idv_bytes_t plain = {(const unsigned char *)body, strlen(body)};

    IDV_TRY(idv_keyring_seal(request->keyring,
                             seal_place(request, request->key, pool), plain,
                             &sealed->response, pool));
    return idv_keyring_seal(request->keyring,
                            seal_place(request, request->former_key, pool),
                            plain, &sealed->former_response, pool);
}

#define SCOPE_PARAMS(request)                                                  \
    idv_db_text((request)->organization_id),                                   \
        idv_db_text((request)->application_id ? (request)->application_id      \
                                              : ""),                           \
        idv_db_text((request)->route), idv_db_text((request)->key)

idv_error_t *idv_idempotency_find(idv_db_t *db,
                                  const idv_idempotency_t *request,
                                  idv_stored_answer_t **out, apr_pool_t *pool)
{
    idv_stored_answer_t *answer;
    idv_bytes_t digest, plain;
    idv_db_result_t *rows;

    *out = NULL;
    IDV_TRY(idv_db_query(
        db, IDV_SQL_IDEMPOTENCY_FIND,
        IDV_DB_PARAMS(SCOPE_PARAMS(request), idv_db_text(request->former_key),
                      idv_db_int(request->now - request->retention)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    digest = idv_db_get_bytes(rows, 0, 0, pool);
    if (digest.length != IDV_DIGEST_SIZE
        || !idv_equal_constant_time(digest.data, request->request_digest,
                                    IDV_DIGEST_SIZE))
        return idv_error_new(IDV_E_IDEMPOTENCY_KEY_REUSE, pool);
    IDV_TRY(
        idv_keyring_open(request->keyring,
                         seal_place(request, idv_db_get_text(rows, 0, 3), pool),
                         idv_db_get_bytes(rows, 0, 2, pool), &plain, pool));
    answer = apr_pcalloc(pool, sizeof(*answer));
    answer->status = (int)idv_db_get_int(rows, 0, 1);
    answer->body = (const char *)plain.data;
    *out = answer;
    return NULL;
}

idv_error_t *idv_idempotency_error(idv_error_t *error, idv_db_t *db,
                                   apr_pool_t *pool)
{
    if (error && idv_db_lock_timed_out(db))
        return idv_error_new(IDV_E_IDEMPOTENCY_IN_PROGRESS, pool);
    return error;
}

idv_error_t *idv_idempotency_store(idv_db_t *db,
                                   const idv_idempotency_t *request,
                                   const idv_stored_answer_t *answer,
                                   int *stored, apr_pool_t *pool)
{
    idv_sealed_answer_t sealed;
    apr_int64_t changed = 0;
    idv_error_t *error;

    IDV_TRY(idv_idempotency_seal(request, answer->body, &sealed, pool));
    error = idv_db_execute(
        db, IDV_SQL_IDEMPOTENCY_INSERT,
        IDV_DB_PARAMS(SCOPE_PARAMS(request), idv_db_text(request->former_key),
                      idv_db_bytes((idv_bytes_t){request->request_digest,
                                                 IDV_DIGEST_SIZE}),
                      idv_db_int(answer->status), idv_db_bytes(sealed.response),
                      idv_db_bytes(sealed.former_response),
                      idv_db_time(request->now),
                      idv_db_int(request->now - request->retention),
                      idv_db_text(answer->subject_id)),
        &changed, pool);
    *stored = changed == 1;
    return idv_idempotency_error(error, db, pool);
}
