/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/face/provider_answer.h"

#include <math.h>
#include <string.h>

#include <apr_encode.h>

#include "core/json.h"
#include "core/json_writer.h"
#include "methods/trust/web_signature.h"

enum {
    NONCE_BYTES = 32,
    TEXT_MAX = 120, /* bytes of a text in an answer */
    QUESTION_LENGTH = 4096 /* expected, in addition to the pictures */
};

static const char no_answer[] = "does not have the agreed form";

/* --- the question --- */

const char *idv_provider_name_fault(const char *name, apr_pool_t *pool)
{
    json_t *text = json_string(name); /* NULL unless it is UTF-8 */
    apr_size_t length = strlen(name);

    (void)pool;
    for (apr_size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
            length = 0;
    if (!text)
        return "not in UTF-8";
    json_decref(text);
    return length > 0 && length <= IDV_PROVIDER_NAME_MAX
             ? NULL
             : "not a name of 1 to 80 bytes";
}

static const char *digest_of(const idv_provider_evidence_t *evidence,
                             apr_pool_t *pool)
{
    unsigned char digests[IDV_LIVENESS_PARTS * IDV_DIGEST_SIZE];
    unsigned char whole[IDV_DIGEST_SIZE];

    for (int i = 0; i < evidence->count; i++)
        idv_sha256(evidence->pictures[i].file.data,
                   evidence->pictures[i].file.length,
                   digests + i * IDV_DIGEST_SIZE);
    idv_sha256(digests, (apr_size_t)evidence->count * IDV_DIGEST_SIZE, whole);
    return idv_hex(whole, sizeof(whole), pool);
}

/* The length of the pictures in base64, with their JSON syntax. */
static apr_size_t room_for(const idv_provider_evidence_t *evidence)
{
    apr_size_t room = QUESTION_LENGTH;

    for (int i = 0; i < evidence->count; i++)
        room += evidence->pictures[i].file.length / 3 * 4 + 100;
    return room;
}

static void put_pictures(idv_json_writer_t *writer,
                         const idv_provider_evidence_t *evidence,
                         apr_pool_t *pool)
{
    idv_json_open_array(writer, "pictures");
    for (int i = 0; i < evidence->count; i++) {
        const idv_provider_picture_t *picture = &evidence->pictures[i];
        apr_size_t length;
        const char *text = apr_pencode_base64_binary(
            pool, picture->file.data, (apr_ssize_t)picture->file.length,
            APR_ENCODE_NONE, &length);

        idv_wipe_with_pool((void *)text, length, pool);
        idv_json_open_object(writer, NULL);
        idv_json_put_text(writer, "name", picture->part);
        idv_json_put_text(writer, "jpeg", text);
        idv_json_close_object(writer);
    }
    idv_json_close_array(writer);
}

idv_error_t *idv_provider_question_write(const idv_provider_evidence_t *evidence,
                                         idv_provider_question_t *question,
                                         idv_bytes_t *text, apr_pool_t *pool)
{
    const idv_liveness_challenge_t *challenge = evidence->challenge;
    idv_json_writer_t writer;
    apr_size_t length;

    if (evidence->count > IDV_LIVENESS_PARTS)
        return idv_error_internal(pool, "more pictures than a challenge has");
    question->nonce = idv_random_token(NONCE_BYTES, pool);
    question->challenge = challenge->id;
    question->evidence = digest_of(evidence, pool);
    idv_json_writer_init(&writer, room_for(evidence), pool);
    idv_json_open_object(&writer, NULL);
    idv_json_put_integer(&writer, "version", 1);
    idv_json_put_text(&writer, "nonce", question->nonce);
    idv_json_put_text(&writer, "challenge", question->challenge);
    idv_json_put_text(&writer, "evidence_sha256", question->evidence);
    idv_json_open_array(&writer, "prompts");
    for (int i = 0; i < IDV_LIVENESS_STEPS; i++)
        idv_json_put_text(&writer, NULL,
                          idv_liveness_prompt_value(challenge->prompts[i]));
    idv_json_close_array(&writer);
    put_pictures(&writer, evidence, pool);
    idv_json_close_object(&writer);
    text->data = (const unsigned char *)idv_json_writer_text(&writer, &length);
    text->length = length;
    return NULL;
}

/* --- the answer --- */

/* A text of 1 to TEXT_MAX bytes without control characters; else NULL. */
static const char *text_of(const json_t *object, const char *key)
{
    const json_t *member = json_object_get(object, key);
    const char *text = json_string_value(member);
    size_t length = json_string_length(member);

    if (!text || length == 0 || length > TEXT_MAX)
        return NULL;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return NULL;
    return text;
}

static int is_equal(const json_t *payload, const char *key, const char *text)
{
    const char *given = text_of(payload, key);

    return given && strcmp(given, text) == 0;
}

static int is_of_now(const json_t *payload, idv_time_t now)
{
    const json_t *issued = json_object_get(payload, "iat");
    json_int_t seconds = json_integer_value(issued);
    json_int_t most = IDV_PROVIDER_CLOCK_MOST / IDV_SECOND;
    json_int_t current = now / IDV_SECOND;

    return json_is_integer(issued) && seconds >= current - most
        && seconds <= current + most;
}

static int read_result(const json_t *payload, idv_provider_answer_t *answer)
{
    static const char *const values[] = {
#define X(name, value) [IDV_CHECK_##name] = value,
        IDV_CHECK_RESULTS(X)
#undef X
    };
    const char *text = text_of(payload, "result");

    for (size_t i = 0; text && i < sizeof(values) / sizeof(*values); i++)
        if (strcmp(values[i], text) == 0) {
            answer->result = (idv_check_result_t)i;
            return 1;
        }
    return 0;
}

static int read_score(const json_t *payload, idv_provider_answer_t *answer)
{
    const json_t *score = json_object_get(payload, "score");

    answer->score = -1;
    if (!score || json_is_null(score))
        return 1;
    answer->score = json_number_value(score);
    return json_is_number(score) && answer->score >= 0 && answer->score <= 1;
}

/* Non-zero if the evaluation is absent, or has all its members. */
static int read_evaluation(const json_t *payload, idv_provider_answer_t *answer,
                           apr_pool_t *pool)
{
    static const char *const members[] = {"standard", "level", "laboratory"};
    const json_t *given = json_object_get(payload, "evaluation");
    json_t *evaluation;
    const char *date = text_of(given, "valid_until");
    idv_date_t day;

    if (!given || json_is_null(given))
        return 1;
    if (!date || idv_date_parse(date, &day, pool))
        return 0;
    evaluation = idv_json_own(json_object(), pool);
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
        const char *text = text_of(given, members[i]);

        if (!text
            || json_object_set_new(evaluation, members[i], json_string(text)))
            return 0;
    }
    if (json_object_set_new(evaluation, "valid_until", json_string(date)))
        return 0;
    answer->evaluation = evaluation;
    return 1;
}

static const char *read_payload(const json_t *payload,
                                const idv_provider_question_t *question,
                                idv_time_t now, idv_provider_answer_t *answer,
                                apr_pool_t *pool)
{
    const json_t *provider = json_object_get(payload, "provider");

    if (!is_equal(payload, "nonce", question->nonce)
        || !is_equal(payload, "challenge", question->challenge)
        || !is_equal(payload, "evidence_sha256", question->evidence))
        return "answers a different request";
    if (!is_of_now(payload, now))
        return "is too old or from the future";
    answer->name = text_of(provider, "name");
    answer->version = text_of(provider, "version");
    if (!answer->name || !answer->version || !read_score(payload, answer)
        || !read_evaluation(payload, answer, pool)
        || !read_result(payload, answer))
        return no_answer;
    return NULL;
}

static const char *read_signed(idv_bytes_t text, EVP_PKEY *key,
                               json_t **payload, apr_pool_t *pool)
{
    idv_web_signature_t jws;
    const char *fault = idv_web_signature_fault(text, &jws, pool);

    if (fault)
        return fault;
    if (!idv_web_signature_is_by(&jws, key, pool))
        return "has a wrong signature";
    return idv_json_parse((const char *)jws.payload.data, jws.payload.length,
                          payload, pool)
             ? no_answer
             : NULL;
}

void idv_provider_answer_missing(const char *fault,
                                 idv_provider_answer_t *answer)
{
    memset(answer, 0, sizeof(*answer));
    answer->result = IDV_CHECK_UNDETERMINED;
    answer->fault = fault;
    answer->score = -1;
}

void idv_provider_answer_read(idv_bytes_t text,
                              const idv_provider_question_t *question,
                              EVP_PKEY *key, idv_time_t now,
                              idv_provider_answer_t *answer, apr_pool_t *pool)
{
    const char *fault;
    json_t *payload;

    idv_provider_answer_missing(NULL, answer);
    if (text.length == 0 || text.length > IDV_PROVIDER_ANSWER_MAX) {
        answer->fault = no_answer;
        return;
    }
    fault = read_signed(text, key, &payload, pool);
    if (!fault)
        fault = read_payload(payload, question, now, answer, pool);
    if (fault)
        idv_provider_answer_missing(fault, answer);
}
