/* SPDX-License-Identifier: Apache-2.0 */
/* The signed answer of a provider of liveness checks, and what follows of it. */
#include "unit/trust_publisher.h"

#include "core/json.h"
#include "methods/face/provider_answer.h"

#define NOW ((idv_time_t)1790000000 * IDV_SECOND)

static const idv_liveness_challenge_t challenge = {.id = "lvc_1"};

/* The question about two pictures. */
static idv_provider_question_t question_of(apr_pool_t *pool)
{
    static const idv_provider_picture_t pictures[] = {
        {"still", {(const unsigned char *)"one", 3}},
        {"step_1_1", {(const unsigned char *)"two", 3}}};
    const idv_provider_evidence_t evidence = {&challenge, pictures, 2};
    idv_provider_question_t question;
    idv_bytes_t text;
    json_t *asked;

    assert_null(idv_provider_question_write(&evidence, &question, &text, pool));
    assert_null(idv_json_parse((const char *)text.data, text.length, &asked,
                               pool));
    assert_int_equal(json_object_size(asked), 6);
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(asked, "pictures"), 1),
                            "jpeg")),
                        "dHdv");
    assert_int_equal(strlen(question.nonce), 43);
    return question;
}

static const char *base64url(const void *bytes, apr_size_t length,
                             apr_pool_t *pool)
{
    return apr_pencode_base64_binary(pool, bytes, (apr_ssize_t)length,
                                     APR_ENCODE_BASE64URL, NULL);
}

static idv_bytes_t sign(const char *payload, const char *header, EVP_PKEY *key,
                        apr_pool_t *pool)
{
    const char *text =
        apr_pstrcat(pool, base64url(header, strlen(header), pool), ".",
                    base64url(payload, strlen(payload), pool), NULL);
    idv_bytes_t signature = sign_raw(
        key, (idv_bytes_t){(const unsigned char *)text, strlen(text)}, pool);

    text = apr_pstrcat(pool, text, ".",
                       base64url(signature.data, signature.length, pool), NULL);
    return (idv_bytes_t){(const unsigned char *)text, strlen(text)};
}

/* An answer to QUESTION with these MEMBERS. */
static const char *payload_of(const idv_provider_question_t *question,
                              const char *members, apr_pool_t *pool)
{
    return apr_psprintf(pool,
                        "{\"nonce\":\"%s\",\"challenge\":\"%s\","
                        "\"evidence_sha256\":\"%s\",%s}",
                        question->nonce, question->challenge,
                        question->evidence, members);
}

#define RIGHT                                                                  \
    "\"iat\":1790000000,\"result\":\"passed\",\"provider\":{\"name\":\"N\","   \
    "\"version\":\"1\"}"

static void an_answer_to_the_question_counts(void **state)
{
    EVP_PKEY *key = new_key("P-256", *state);
    idv_provider_question_t question = question_of(*state);
    idv_provider_answer_t answer;
    const char *payload = payload_of(
        &question,
        RIGHT ",\"score\":0.25,\"more\":1,\"evaluation\":{\"standard\":\"S\","
              "\"level\":\"2\",\"laboratory\":\"L\",\"else\":1,"
              "\"valid_until\":\"2027-01-01\"}",
        *state);

    idv_provider_answer_read(sign(payload, "{\"alg\":\"ES256\"}", key, *state),
                             &question, key, NOW, &answer, *state);
    assert_null(answer.fault);
    assert_int_equal(answer.result, IDV_CHECK_PASSED);
    assert_true(answer.score > 0.24 && answer.score < 0.26);
    assert_string_equal(answer.version, "1");
    assert_int_equal(json_object_size(answer.evaluation), 4);
}

static void refuses_payload(const char *members, const char *fault,
                            apr_pool_t *pool)
{
    EVP_PKEY *key = new_key("P-256", pool);
    idv_provider_question_t question = question_of(pool);
    idv_provider_answer_t answer;

    idv_provider_answer_read(sign(payload_of(&question, members, pool),
                                  "{\"alg\":\"ES256\"}", key, pool),
                             &question, key, NOW, &answer, pool);
    assert_string_equal(answer.fault, fault);
    assert_int_equal(answer.result, IDV_CHECK_UNDETERMINED);
}

static void what_is_not_agreed_does_not_count(void **state)
{
    static const char form[] = "does not have the agreed form";

    refuses_payload("\"iat\":1789999879", "is too old or from the future", *state);
    refuses_payload("\"iat\":1790000121", "is too old or from the future", *state);
    refuses_payload("\"iat\":\"1790000000\"", "is too old or from the future", *state);
    refuses_payload("\"iat\":1790000000,\"result\":\"passed\"", form, *state);
    refuses_payload("\"iat\":1790000000,\"result\":\"sure\",\"provider\":{"
                    "\"name\":\"N\",\"version\":\"1\"}",
                    form, *state);
    refuses_payload(RIGHT ",\"score\":1.5", form, *state);
    refuses_payload(RIGHT ",\"score\":\"1\"", form, *state);
    refuses_payload(RIGHT ",\"evaluation\":{\"standard\":\"S\"}", form, *state);
    refuses_payload(RIGHT ",\"evaluation\":{\"standard\":\"S\",\"level\":\"2\","
                          "\"laboratory\":\"L\",\"valid_until\":\"soon\"}",
                    form, *state);
}

static void another_question_has_another_answer(void **state)
{
    EVP_PKEY *key = new_key("P-256", *state);
    idv_provider_question_t mine = question_of(*state);
    idv_provider_question_t other = question_of(*state);
    idv_bytes_t text = sign(payload_of(&other, RIGHT, *state),
                            "{\"alg\":\"ES256\"}", key, *state);
    idv_provider_answer_t answer;

    idv_provider_answer_read(text, &other, key, NOW, &answer, *state);
    assert_null(answer.fault);
    idv_provider_answer_read(text, &mine, key, NOW, &answer, *state);
    assert_string_equal(answer.fault, "answers a different request");
    other.challenge = "lvc_2";
    idv_provider_answer_read(text, &other, key, NOW, &answer, *state);
    assert_string_equal(answer.fault, "answers a different request");
}

static void only_the_key_signs(void **state)
{
    EVP_PKEY *key = new_key("P-256", *state);
    idv_provider_question_t question = question_of(*state);
    const char *payload = payload_of(&question, RIGHT, *state);
    idv_provider_answer_t answer;

    idv_provider_answer_read(
        sign(payload, "{\"alg\":\"ES256\"}", new_key("P-256", *state), *state),
        &question, key, NOW, &answer, *state);
    assert_string_equal(answer.fault, "has a wrong signature");
    idv_provider_answer_read(sign(payload, "{\"alg\":\"ES384\"}", key, *state),
                             &question, key, NOW, &answer, *state);
    assert_string_equal(answer.fault, "has a wrong signature");
    for (int i = 0; i < 3; i++) {
        static const char *const headers[] = {
            "{\"alg\":\"none\"}", "{\"alg\":\"HS256\"}",
            "{\"alg\":\"ES256\",\"crit\":[\"x\"]}"};

        idv_provider_answer_read(sign(payload, headers[i], key, *state),
                                 &question, key, NOW, &answer, *state);
        assert_string_equal(answer.fault,
                            "is signed in an unknown way");
    }
    idv_provider_answer_read((idv_bytes_t){NULL, 0}, &question, key, NOW,
                             &answer, *state);
    assert_non_null(answer.fault);
}

static void a_name_is_what_a_person_can_read(void **state)
{
    assert_null(idv_provider_name_fault("Prüfer & Co", *state));
    assert_non_null(idv_provider_name_fault("", *state));
    assert_non_null(idv_provider_name_fault("a\nb", *state));
    assert_non_null(idv_provider_name_fault("\xff", *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(an_answer_to_the_question_counts),
        pooled_test(what_is_not_agreed_does_not_count),
        pooled_test(another_question_has_another_answer),
        pooled_test(only_the_key_signs),
        pooled_test(a_name_is_what_a_person_can_read),
    };

    return unit_run("face_provider_answer", tests);
}
