/* SPDX-License-Identifier: Apache-2.0 */
#include "store/document_sighting.h"

#include <string.h>

#include <apr_strings.h>

/* Sessions that are looked at for each digest: more than anybody can afford to
 * fail, to bury the one that did not. */
#define SESSIONS_MAX 1000

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
