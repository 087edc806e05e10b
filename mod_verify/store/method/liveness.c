/* SPDX-License-Identifier: Apache-2.0 */
#include "store/method/liveness.h"

#include <string.h>

#include <apr_escape.h>
#include <apr_strings.h>

#include "core/id.h"

#define SESSION_PARAMS(session)                                                \
    idv_db_text((session)->organization_id), idv_db_text((session)->id)

/* Each step is revealed when the one before it has arrived. */
static void tell(idv_liveness_record_t *record)
{
    idv_liveness_challenge_t *challenge = &record->challenge;

    challenge->told[0] = record->created;
    for (int i = 1; i < IDV_LIVENESS_STEPS; i++)
        challenge->told[i] = challenge->arrived[i - 1];
}

static void set_prompts(idv_liveness_record_t *record, apr_int64_t number)
{
    idv_liveness_prompts_of((apr_uint32_t)number, record->challenge.prompts);
    for (int i = 0; record->assisted && i < IDV_LIVENESS_STEPS; i++)
        record->challenge.prompts[i] = IDV_LIVENESS_NEUTRAL;
}

static idv_db_param_t parts_from(int first, apr_pool_t *pool)
{
    const char *names[IDV_LIVENESS_PARTS];

    for (int i = first; i < IDV_LIVENESS_PARTS; i++)
        names[i] = idv_liveness_part_name(i);
    return idv_db_texts(names + first, IDV_LIVENESS_PARTS - first, pool);
}

idv_error_t *idv_liveness_begin(idv_db_t *db, const idv_session_t *session,
                                const idv_liveness_wish_t *wish,
                                idv_liveness_record_t **out, apr_pool_t *pool)
{
    idv_liveness_record_t *record = apr_pcalloc(pool, sizeof(*record));
    unsigned char bytes[sizeof(apr_uint32_t)];
    apr_uint32_t number;

    idv_random_bytes(bytes, sizeof(bytes));
    memcpy(&number, bytes, sizeof(number));
    record->challenge.id =
        idv_id_new(IDV_ID_LIVENESS_CHALLENGE, wish->now, pool);
    record->created = wish->now;
    record->assisted = wish->assisted;
    record->provider = wish->provider;
    set_prompts(record, number);
    tell(record);
    *out = record;
    return idv_db_execute(
        db, IDV_SQL_LIVENESS_CHALLENGE_BEGIN,
        IDV_DB_PARAMS(SESSION_PARAMS(session),
                      idv_db_text(record->challenge.id), idv_db_int(number),
                      idv_db_bool(wish->assisted), idv_db_time(wish->now),
                      parts_from(0, pool), idv_db_text(wish->provider)),
        NULL, pool);
}

idv_error_t *idv_liveness_find(idv_db_t *db, const idv_session_t *session,
                               idv_liveness_record_t **out, apr_pool_t *pool)
{
    idv_liveness_record_t *record;
    idv_db_result_t *rows;

    *out = NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_LIVENESS_CHALLENGE_FIND,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    record = *out = apr_pcalloc(pool, sizeof(*record));
    record->challenge.id = idv_db_get_text(rows, 0, 0);
    record->assisted = idv_db_get_bool(rows, 0, 2);
    record->created = idv_db_get_int(rows, 0, 3);
    record->passed = idv_db_get_bool(rows, 0, 4);
    for (int i = 0; i < IDV_LIVENESS_STEPS; i++)
        record->challenge.arrived[i] = idv_db_get_int(rows, 0, 5 + i);
    record->provider = idv_db_get_text(rows, 0, 5 + IDV_LIVENESS_STEPS);
    set_prompts(record, idv_db_get_int(rows, 0, 1));
    tell(record);
    return NULL;
}

idv_error_t *idv_liveness_arrive(idv_db_t *db, const idv_session_t *session,
                                 idv_liveness_record_t *record,
                                 const idv_liveness_arrival_t *arrival,
                                 apr_pool_t *pool)
{
    record->challenge.arrived[arrival->step - 1] = arrival->now;
    tell(record);
    return idv_db_execute(db, IDV_SQL_LIVENESS_CHALLENGE_ARRIVE,
                          IDV_DB_PARAMS(SESSION_PARAMS(session),
                                        idv_db_text(record->challenge.id),
                                        idv_db_int(arrival->step),
                                        idv_db_time(arrival->now)),
                          NULL, pool);
}

idv_error_t *idv_liveness_pass(idv_db_t *db, const idv_session_t *session,
                               const idv_liveness_record_t *record,
                               apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_LIVENESS_CHALLENGE_PASS,
                          IDV_DB_PARAMS(SESSION_PARAMS(session),
                                        idv_db_text(record->challenge.id)),
                          NULL, pool);
}

idv_error_t *idv_liveness_forget_pictures(idv_db_t *db,
                                          const idv_session_t *session,
                                          int keep_still, apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_EVIDENCE_PURGE_PARTS,
        IDV_DB_PARAMS(
            SESSION_PARAMS(session),
            parts_from(keep_still ? IDV_LIVENESS_STILL + 1 : 0, pool)),
        NULL, pool);
}

/* --- marks --- */

/* HMAC of the organization, with its NUL, and the SHA-256 of PICTURE, in hex.
 */
static const char *mark_of(const idv_keyring_t *keyring,
                           const char *organization_id, idv_bytes_t picture,
                           apr_pool_t *pool)
{
    const char *text = apr_pstrcat(pool, "frame:", organization_id, NULL);
    apr_size_t length = strlen(text) + 1;
    unsigned char *whole = apr_palloc(pool, length + IDV_DIGEST_SIZE);
    unsigned char digest[IDV_DIGEST_SIZE];

    memcpy(whole, text, length);
    idv_sha256(picture.data, picture.length, whole + length);
    idv_hmac_sha256((idv_bytes_t){keyring->document, IDV_KEY_SIZE}, whole,
                    length + IDV_DIGEST_SIZE, digest);
    return apr_pescape_hex(pool, digest, sizeof(digest), 0);
}

idv_error_t *idv_frame_sighting_note(idv_db_t *db, const idv_keyring_t *keyring,
                                     const idv_frame_sighting_t *sighting,
                                     int *repeated, apr_pool_t *pool)
{
    const idv_session_t *session = sighting->session;
    const char *marks[IDV_LIVENESS_PARTS];
    idv_db_result_t *rows;

    for (int i = 0; i < sighting->count; i++)
        marks[i] = mark_of(keyring, session->organization_id,
                           sighting->pictures[i], pool);
    IDV_TRY(
        idv_db_execute(db, IDV_SQL_DOCUMENT_SIGHTING_NOTE_FRAMES,
                       IDV_DB_PARAMS(SESSION_PARAMS(session),
                                     idv_db_texts(marks, sighting->count, pool),
                                     idv_db_time(sighting->now)),
                       NULL, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_DOCUMENT_SIGHTING_FIND_FRAMES,
        IDV_DB_PARAMS(SESSION_PARAMS(session),
                      idv_db_texts(marks, sighting->count, pool),
                      idv_db_int(sighting->since), idv_db_int(sighting->begun)),
        &rows, pool));
    *repeated = idv_db_get_bool(rows, 0, 0);
    return NULL;
}
