/* SPDX-License-Identifier: Apache-2.0 */
#include "store/method/chip_record.h"

#include <string.h>

#include "core/id.h"
#include "methods/passport/chip_dump.h"
#include "store/db/work_queue.h"

static const char type_of_json[] = "application/json";
static const char type_of_bytes[] = "application/octet-stream";

static idv_error_t *put(idv_db_t *db, const idv_chip_place_t *place,
                        const char *part, idv_bytes_t bytes, apr_pool_t *pool)
{
    int is_json = bytes.length > 0 && bytes.data[0] == '{';
    idv_evidence_t evidence = {part, is_json ? type_of_json : type_of_bytes, bytes};

    return idv_evidence_put(db, place->keyring, place->session, &evidence,
                            pool);
}

/* The bytes of PART; length 0: there is none. */
static idv_error_t *find(idv_db_t *db, const idv_chip_place_t *place,
                         const char *part, idv_bytes_t *bytes, apr_pool_t *pool)
{
    const char *const parts[] = {part, NULL};
    apr_array_header_t *found;

    *bytes = (idv_bytes_t){NULL, 0};
    IDV_TRY(idv_evidence_open(
        db,
        &(const idv_evidence_owner_t){.keyring = place->keyring,
                                      .session = place->session},
        parts, &found, pool));
    if (found->nelts > 0)
        *bytes = APR_ARRAY_IDX(found, 0, idv_evidence_t).bytes;
    return NULL;
}

/* --- the challenge --- */

/* States of a challenge. */
typedef enum {
    OPEN = 'o',  /* an app has it, and no dump has come since */
    BOUND = 'b', /* it is the dump's */
    SPENT = 's'  /* a dump came too late, or another after its own */
} challenge_state_t;

/* As it is kept: one byte of state, eight of time, the challenge. */
#define KEPT_SIZE (1 + 8 + IDV_CHIP_CHALLENGE_SIZE)

static idv_error_t *put_challenge(idv_db_t *db, const idv_chip_place_t *place,
                                  challenge_state_t state,
                                  const unsigned char *challenge,
                                  apr_pool_t *pool)
{
    unsigned char kept[KEPT_SIZE];

    kept[0] = (unsigned char)state;
    for (int i = 0; i < 8; i++)
        kept[1 + i] = (unsigned char)(place->now >> (8 * (7 - i)) & 0xff);
    memcpy(kept + 9, challenge, IDV_CHIP_CHALLENGE_SIZE);
    return put(db, place, IDV_CHIP_PART_CHALLENGE,
               (idv_bytes_t){kept, sizeof(kept)}, pool);
}

static idv_time_t time_of(const unsigned char *kept)
{
    idv_time_t time = 0;

    for (int i = 1; i <= 8; i++)
        time = time << 8 | kept[i];
    return time;
}

static idv_error_t *find_challenge(idv_db_t *db, const idv_chip_place_t *place,
                                   idv_bytes_t *kept, apr_pool_t *pool)
{
    IDV_TRY(find(db, place, IDV_CHIP_PART_CHALLENGE, kept, pool));
    if (kept->length != 0 && kept->length != KEPT_SIZE)
        return idv_error_internal(pool, "%s: malformed challenge",
                                  place->session->id);
    return NULL;
}

idv_error_t *idv_chip_challenge_make(idv_db_t *db,
                                     const idv_chip_place_t *place,
                                     idv_bytes_t *challenge, apr_pool_t *pool)
{
    unsigned char *bytes = apr_palloc(pool, IDV_CHIP_CHALLENGE_SIZE);

    idv_random_bytes(bytes, IDV_CHIP_CHALLENGE_SIZE);
    *challenge = (idv_bytes_t){bytes, IDV_CHIP_CHALLENGE_SIZE};
    return put_challenge(db, place, OPEN, bytes, pool);
}

/* Binds the open challenge to the dump that comes now. */
static idv_error_t *bind_challenge(idv_db_t *db, const idv_chip_place_t *place,
                                   int *has_challenge, apr_pool_t *pool)
{
    idv_bytes_t kept;

    *has_challenge = 0;
    IDV_TRY(find_challenge(db, place, &kept, pool));
    if (kept.length == 0)
        return NULL;
    *has_challenge = kept.data[0] == OPEN
                  && place->now < time_of(kept.data) + IDV_CHIP_CHALLENGE_TIME;
    return put_challenge(db, place, *has_challenge ? BOUND : SPENT,
                         kept.data + 9, pool);
}

idv_error_t *idv_chip_challenge_of_dump(idv_db_t *db,
                                        const idv_chip_place_t *place,
                                        idv_bytes_t *challenge,
                                        apr_pool_t *pool)
{
    idv_bytes_t kept;

    *challenge = (idv_bytes_t){NULL, 0};
    IDV_TRY(find_challenge(db, place, &kept, pool));
    if (kept.length > 0 && kept.data[0] == BOUND)
        *challenge = (idv_bytes_t){kept.data + 9, IDV_CHIP_CHALLENGE_SIZE};
    return NULL;
}

/* --- the dump and its relay --- */

static idv_error_t *put_relay(idv_db_t *db, const idv_chip_place_t *place,
                              const idv_chip_relay_t *relay, apr_pool_t *pool)
{
    idv_bytes_t text;

    IDV_TRY(idv_chip_relay_write(relay, &text, pool));
    return put(db, place, IDV_CHIP_PART_RELAY, text, pool);
}

idv_error_t *idv_chip_dump_put(idv_db_t *db, const idv_chip_place_t *place,
                               idv_bytes_t dump, int *has_challenge,
                               apr_pool_t *pool)
{
    IDV_TRY(put(db, place, IDV_CHIP_PART_DUMP, dump, pool));
    IDV_TRY(put_relay(db, place, idv_chip_relay_create(pool), pool));
    return bind_challenge(db, place, has_challenge, pool);
}

idv_error_t *idv_chip_relay_find(idv_db_t *db, const idv_chip_place_t *place,
                                 idv_chip_relay_t **relay, apr_pool_t *pool)
{
    idv_bytes_t text;

    *relay = NULL;
    IDV_TRY(find(db, place, IDV_CHIP_PART_RELAY, &text, pool));
    return text.length > 0 ? idv_chip_relay_read(text, relay, pool) : NULL;
}

idv_error_t *idv_chip_relay_ask(idv_db_t *db, const idv_chip_place_t *place,
                                const idv_chip_relay_t *relay, apr_pool_t *pool)
{
    const char *const parts[] = {IDV_CHIP_PART_DUMP, IDV_CHIP_PART_RELAY, NULL};
    const idv_session_t *session = place->session;

    IDV_TRY(put_relay(db, place, relay, pool));
    return idv_db_execute(
        db, IDV_SQL_ANALYSIS_JOB_INSERT,
        IDV_DB_PARAMS(
            idv_db_text(session->organization_id), idv_db_text(session->id),
            idv_db_text(idv_id_new(IDV_ID_ANALYSIS_JOB, place->now, pool)),
            idv_db_text(idv_method_value(IDV_METHOD_NFC_PASSPORT)),
            idv_db_int(IDV_NO_SUBMISSION), idv_db_text_list(parts, pool),
            idv_db_time(place->now), idv_db_trace_param(idv_db_trace(db))),
        NULL, pool);
}

/* --- steps --- */

/* As they are kept: the SHA-256 of the record that was asked about, the text.
 */

idv_error_t *idv_chip_step_put(idv_db_t *db, const idv_chip_place_t *place,
                               idv_bytes_t relay, idv_bytes_t step,
                               apr_pool_t *pool)
{
    apr_size_t length = IDV_DIGEST_SIZE + step.length;
    unsigned char *kept = apr_palloc(pool, length);

    idv_sha256(relay.data, relay.length, kept);
    memcpy(kept + IDV_DIGEST_SIZE, step.data, step.length);
    return put(db, place, IDV_CHIP_PART_STEP, (idv_bytes_t){kept, length},
               pool);
}

idv_error_t *idv_chip_step_find(idv_db_t *db, const idv_chip_place_t *place,
                                const idv_chip_relay_t *relay,
                                idv_chip_relay_step_t **step, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_bytes_t record, kept;

    *step = NULL;
    IDV_TRY(idv_chip_relay_write(relay, &record, pool));
    IDV_TRY(find(db, place, IDV_CHIP_PART_STEP, &kept, pool));
    idv_sha256(record.data, record.length, digest);
    if (kept.length <= IDV_DIGEST_SIZE
        || memcmp(kept.data, digest, IDV_DIGEST_SIZE) != 0)
        return NULL;
    kept.data += IDV_DIGEST_SIZE;
    kept.length -= IDV_DIGEST_SIZE;
    return idv_chip_relay_step_read(kept, step, pool);
}

/* --- the printed zone --- */

static int is_passport(const idv_document_findings_t *findings)
{
    return findings->readable
        && findings->document->kind == IDV_DOCUMENT_PASSPORT
        && findings->document->source != IDV_DOCUMENT_SOURCE_PDF417_AAMVA;
}

idv_error_t *idv_printed_zone_put(idv_db_t *db, const idv_chip_place_t *place,
                                  const idv_document_findings_t *findings,
                                  apr_pool_t *pool)
{
    apr_size_t length;
    const char *text;

    if (!is_passport(findings))
        return NULL;
    IDV_TRY(idv_document_findings_write(findings, &text, &length, pool));
    return put(db, place, IDV_CHIP_PART_ZONE,
               (idv_bytes_t){(const unsigned char *)text, length}, pool);
}

idv_error_t *idv_printed_zone_find(idv_db_t *db, const idv_chip_place_t *place,
                                   const idv_document_t **document,
                                   apr_pool_t *pool)
{
    idv_document_findings_t *findings;
    idv_bytes_t text;

    *document = NULL;
    IDV_TRY(find(db, place, IDV_CHIP_PART_ZONE, &text, pool));
    if (text.length == 0)
        return NULL;
    IDV_TRY(idv_document_findings_read((const char *)text.data, text.length,
                                       &findings, pool));
    if (is_passport(findings))
        *document = findings->document;
    return NULL;
}
