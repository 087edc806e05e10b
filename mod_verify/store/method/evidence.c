/* SPDX-License-Identifier: Apache-2.0 */
#include "store/method/evidence.h"

#include <string.h>

#include <apr_strings.h>

#include "store/db/master_key.h"

/* Sessions that are looked at for each digest: more than anybody can afford to
 * fail, to bury the one that did not. */
#define SESSIONS_MAX 1000

/* --- parts --- */

static idv_seal_place_t key_place(const idv_session_t *session,
                                  apr_pool_t *pool)
{
    return idv_sealed_place(IDV_SEALED_DATA_KEY, session->id, pool);
}

static const char *part_context(const idv_session_t *session, const char *name,
                                apr_pool_t *pool)
{
    return apr_pstrcat(pool, "evidence:", session->id, ":", name, NULL);
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
    IDV_TRY(idv_keyring_open(keyring, key_place(session, pool),
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
    IDV_TRY(idv_keyring_seal(keyring, key_place(session, pool),
                             (idv_bytes_t){fresh, IDV_KEY_SIZE}, &wrapped,
                             pool));
    return idv_db_execute(
        db, IDV_SQL_EVIDENCE_INSERT_DATA_KEY,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_bytes(wrapped)), NULL,
        pool);
}

/* The session's data key, which is made when there is none. */
static idv_error_t *need_key(idv_db_t *db, const idv_keyring_t *keyring,
                             const idv_session_t *session,
                             const unsigned char **key, apr_pool_t *pool)
{
    IDV_TRY(find_key(db, keyring, session, key, pool));
    if (*key)
        return NULL;
    /* Another request may have been faster: then its key counts. */
    IDV_TRY(create_key(db, keyring, session, pool));
    return find_key(db, keyring, session, key, pool);
}

idv_error_t *idv_evidence_put(idv_db_t *db, const idv_keyring_t *keyring,
                              const idv_session_t *session,
                              const idv_evidence_t *evidence, apr_pool_t *pool)
{
    const unsigned char *key;
    idv_bytes_t sealed;

    IDV_TRY(need_key(db, keyring, session, &key, pool));
    IDV_TRY(idv_seal(key, part_context(session, evidence->part, pool),
                     evidence->bytes, &sealed, pool));
    return idv_db_execute(
        db, IDV_SQL_EVIDENCE_PUT,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_text(evidence->part),
                      idv_db_text(evidence->media_type), idv_db_bytes(sealed),
                      idv_db_time(idv_time_now())),
        NULL, pool);
}

idv_error_t *idv_evidence_remove(idv_db_t *db, const idv_session_t *session,
                                 const char *const *names, int count,
                                 apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_EVIDENCE_PURGE_PARTS,
                          IDV_DB_PARAMS(SESSION_PARAMS(session),
                                        idv_db_texts(names, count, pool)),
                          NULL, pool);
}

/* The names of parts of SESSION that STATEMENT collects. */
static idv_error_t *find_names(idv_db_t *db, idv_sql_t statement,
                               const idv_session_t *session,
                               const char *const **names, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, statement, IDV_DB_PARAMS(SESSION_PARAMS(session)),
                         &rows, pool));
    *names = idv_db_get_texts(rows, 0, 0, pool);
    return NULL;
}

idv_error_t *idv_evidence_names(idv_db_t *db, const idv_session_t *session,
                                const char *const **names, apr_pool_t *pool)
{
    return find_names(db, IDV_SQL_EVIDENCE_SIDES, session, names, pool);
}

idv_error_t *idv_evidence_believe(idv_db_t *db, const idv_session_t *session,
                                  idv_method_t method, apr_pool_t *pool)
{
    const idv_evidence_part_t *parts[IDV_METHOD_PARTS_MAX];
    const char *names[IDV_METHOD_PARTS_MAX];
    int count = idv_evidence_parts_of(method, parts);

    for (int i = 0; i < count; i++)
        names[i] = parts[i]->name;
    return idv_db_execute(db, IDV_SQL_EVIDENCE_BELIEVE,
                          IDV_DB_PARAMS(SESSION_PARAMS(session),
                                        idv_db_texts(names, count, pool)),
                          NULL, pool);
}

idv_error_t *idv_evidence_believed(idv_db_t *db, const idv_session_t *session,
                                   const char *const **names, apr_pool_t *pool)
{
    return find_names(db, IDV_SQL_EVIDENCE_BELIEVED, session, names, pool);
}

idv_error_t *idv_evidence_open(idv_db_t *db, const idv_evidence_owner_t *owner,
                               const char *const *names,
                               apr_array_header_t **parts, apr_pool_t *pool)
{
    const unsigned char *key;
    idv_db_result_t *rows;

    *parts = apr_array_make(pool, 2, sizeof(idv_evidence_t));
    IDV_TRY(find_key(db, owner->keyring, owner->session, &key, pool));
    if (!key)
        return NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_EVIDENCE_LIST,
                         IDV_DB_PARAMS(SESSION_PARAMS(owner->session),
                                       idv_db_text_list(names, pool)),
                         &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_evidence_t *part = apr_array_push(*parts);

        part->part = idv_db_get_text(rows, row, 0);
        part->media_type = idv_db_get_text(rows, row, 1);
        IDV_TRY(idv_open(key, part_context(owner->session, part->part, pool),
                         idv_db_get_bytes(rows, row, 2, pool), &part->bytes,
                         pool));
    }
    return NULL;
}

idv_error_t *idv_evidence_open_picture(idv_db_t *db,
                                       const idv_evidence_owner_t *owner,
                                       const char *name,
                                       idv_evidence_t **picture,
                                       apr_pool_t *pool)
{
    const char *names[] = {name, NULL};
    apr_array_header_t *parts;

    IDV_TRY(idv_evidence_open(db, owner, names, &parts, pool));
    *picture = parts->nelts ? &APR_ARRAY_IDX(parts, 0, idv_evidence_t) : NULL;
    return *picture
                && strncmp((*picture)->media_type, "image/", strlen("image/"))
                       == 0
             ? NULL
             : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

/* --- alongside the evidence --- */

static const char *kept_context(const idv_session_t *session, const char *name,
                                apr_pool_t *pool)
{
    return apr_pstrcat(pool, "kept:", session->id, ":", name, NULL);
}

idv_error_t *idv_evidence_seal(idv_db_t *db, const idv_evidence_place_t *place,
                               idv_bytes_t plain, idv_bytes_t *sealed,
                               apr_pool_t *pool)
{
    const unsigned char *key;

    IDV_TRY(need_key(db, place->keyring, place->session, &key, pool));
    return idv_seal(key, kept_context(place->session, place->name, pool), plain,
                    sealed, pool);
}

idv_error_t *idv_evidence_unseal(idv_db_t *db,
                                 const idv_evidence_place_t *place,
                                 idv_bytes_t sealed, idv_bytes_t *plain,
                                 apr_pool_t *pool)
{
    const unsigned char *key;

    IDV_TRY(find_key(db, place->keyring, place->session, &key, pool));
    if (!key)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return idv_open(key, kept_context(place->session, place->name, pool),
                    sealed, plain, pool);
}

/* --- sightings --- */

/* HMAC of TEXT, with its NUL, and of the SHA-256 of BYTES. */
static idv_bytes_t digest_of(const idv_keyring_t *keyring, const char *text,
                             idv_bytes_t bytes, apr_pool_t *pool)
{
    apr_size_t length = strlen(text) + 1;
    unsigned char *whole = apr_palloc(pool, length + IDV_DIGEST_SIZE);
    unsigned char *digest = apr_palloc(pool, IDV_DIGEST_SIZE);

    memcpy(whole, text, length);
    idv_sha256(bytes.data, bytes.length, whole + length);
    idv_hmac_sha256((idv_bytes_t){keyring->document, IDV_KEY_SIZE}, whole,
                    length + IDV_DIGEST_SIZE, digest);
    return (idv_bytes_t){digest, IDV_DIGEST_SIZE};
}

static idv_bytes_t picture_digest(const idv_keyring_t *keyring,
                                  const idv_document_sighting_t *sighting,
                                  int index, apr_pool_t *pool)
{
    idv_bytes_t picture = sighting->pictures[index];

    if (!picture.data)
        return picture;
    return digest_of(keyring,
                     apr_pstrcat(pool, "picture:", sighting->organization_id,
                                 NULL),
                     picture, pool);
}

/* Codes differ in the blanks and hyphens of a number. */
static const char *bare_number(const char *number, apr_pool_t *pool)
{
    char *bare = apr_pstrdup(pool, number), *out = bare;

    for (; *number; number++)
        if (*number != ' ' && *number != '-')
            *out++ = *number;
    *out = '\0';
    return bare;
}

static idv_bytes_t document_digest(const idv_keyring_t *keyring,
                                   const idv_document_sighting_t *sighting,
                                   apr_pool_t *pool)
{
    const idv_document_t *document = sighting->document;
    const char *region = document->issuing_region;
    const char *number;

    if (!document->number || !document->issuing_country)
        return (idv_bytes_t){NULL, 0};
    number = bare_number(document->number, pool);
    return digest_of(keyring,
                     apr_pstrcat(pool, "document:", sighting->organization_id,
                                 ":", document->issuing_country, "-",
                                 region ? region : "", NULL),
                     (idv_bytes_t){(const unsigned char *)number,
                                   strlen(number)},
                     pool);
}

idv_error_t *idv_document_sighting_note(idv_db_t *db,
                                        const idv_keyring_t *keyring,
                                        const idv_document_sighting_t *sighting,
                                        idv_document_sightings_t *seen,
                                        apr_pool_t *pool)
{
    idv_db_param_t first =
        idv_db_bytes(picture_digest(keyring, sighting, 0, pool));
    idv_db_param_t second =
        idv_db_bytes(picture_digest(keyring, sighting, 1, pool));
    idv_db_param_t document =
        idv_db_bytes(document_digest(keyring, sighting, pool));
    idv_db_result_t *rows;

    IDV_TRY(idv_db_execute(
        db, IDV_SQL_DOCUMENT_SIGHTING_NOTE,
        IDV_DB_PARAMS(idv_db_text(sighting->organization_id),
                      idv_db_text(sighting->session_id), first, second,
                      document, idv_db_time(sighting->now)),
        NULL, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_DOCUMENT_SIGHTING_FIND,
        IDV_DB_PARAMS(idv_db_text(sighting->organization_id),
                      idv_db_text(sighting->session_id), first, second,
                      document, idv_db_int(sighting->since),
                      idv_db_int(SESSIONS_MAX)),
        &rows, pool));
    seen->picture_of_another_session = idv_db_get_bool(rows, 0, 0);
    seen->document_of_another_person = idv_db_get_bool(rows, 0, 1);
    return NULL;
}
