/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers as rows keep them: what they have in common is short, and whatever
 * they say comes back to the byte.
 */
#include "unit/unit.h"

#include "domain/session/session_view.h"
#include "store/session/session_answer.h"

/* As a creation leaves it. */
static const char created[] =
    "{\"id\":\"vks_01m84w4dfmzqgwzbvpswvcxw50\","
    "\"object\":\"verification_session\",\"status\":\"created\","
    "\"type\":\"age\",\"methods\":[\"document_capture\"],"
    "\"current_method\":null,\"client_reference_id\":\"order 1\","
    "\"return_url\":null,\"cancel_url\":null,\"client_secret\":null,"
    "\"metadata\":{\"order\":\"1000\"},\"expires_at\":1795546452,"
    "\"completed_at\":null,\"cancelled_at\":null,\"created\":1795460052,"
    "\"updated\":1795460052,\"verification_path\":null,"
    "\"active_device\":null,\"device_locked_at\":null,"
    "\"age_tier\":\"min_age_18\",\"jurisdiction\":\"US-MD\","
    "\"jurisdiction_audit_declared\":\"US-MD\","
    "\"jurisdiction_audit_ip_derived\":null,"
    "\"jurisdiction_audit_resolved\":\"US-MD\","
    "\"jurisdiction_audit_source\":\"explicit\","
    "\"jurisdiction_audit_mismatch\":null,"
    "\"physical_check_required\":false,\"user_message\":null,"
    "\"compliance\":{\"jurisdiction\":\"US-MD\","
    "\"age_tier\":\"min_age_18\",\"mdl_acceptance_status\":\"unknown\","
    "\"mdl_legally_recognized\":false,\"physical_check_required\":false,"
    "\"user_message\":null,\"governing_regulator\":null,"
    "\"rule_version\":null,\"as_of\":null},\"requires_email_otp\":false}";

/* Rows are kept for ever: this form belongs to its version. */
static void has_a_version_of_its_form(void **state)
{
    const char *packed = idv_session_answer_pack(created, *state);

    assert_int_equal(IDV_SESSION_TEXT_VERSION, 3);
    assert_string_equal(
        packed,
        "\x01" "01m84w4dfmzqgwzbvpswvcxw50" "\x02" "created" "\x03\x05\x06"
        "\"order 1\"\x07\"order\":\"1000\"\x0e" "1795546452" "\x0f"
        "1795460052" "\x12" "1795460052" "\x13\x16,\x17\"US-MD\"\x18\"US-MD\""
        "\x19\"US-MD\"\x1a\"explicit\"\x1b{\x17\"US-MD\",\"age_tier\":\x16"
        "\x1cunknown\x1dnull\x1enull,\"as_of\":null\x1f");
    assert_string_equal(idv_session_answer_unpack(packed, *state), created);
}

static void is_a_fifth_as_long(void **state)
{
    const char *packed = idv_session_answer_pack(created, *state);

    assert_true(strlen(packed) * 9 < strlen(created) * 2);
}

static void comes_back(const char *text, apr_pool_t *pool)
{
    assert_string_equal(
        idv_session_answer_unpack(idv_session_answer_pack(text, pool), pool),
        text);
}

/* Also what ends within a part, or has one where none was meant. */
static void comes_back_to_the_byte(void **state)
{
    static const char *const texts[] = {
        "",
        "{}",
        "\"",
        "{\"id\":\"vks",
        "{\"id\":\"vks_",
        "[\t{\n\"a\" :\r[ ] } ]",
        "{\"a\":\"\\u0001\\t,\\\"rule_version\\\":\",\"b\":\"\xc3\xbc\x7f\"}",
        "{\"metadata\":{\"a\":\"\",\"rule_version\":null}}",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        comes_back(texts[i], *state);
    for (size_t from = 0; from < sizeof(created); from++) {
        char *text = apr_pstrdup(*state, created);

        comes_back(text + from, *state);
        text[from] = '\0';
        comes_back(text, *state);
    }
}

/* Rows of before were not packed. */
static void leaves_json_as_it_is(void **state)
{
    static const char spaced[] = "{\"a\":\n\t\"b\"\r\n}";

    assert_int_equal(IDV_SESSION_TEXT_VERSION_LEAST, 2);
    assert_string_equal(idv_session_answer_unpack(created, *state), created);
    assert_string_equal(idv_session_answer_unpack(spaced, *state), spaced);
    assert_null(idv_session_answer_unpack(NULL, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(has_a_version_of_its_form),
        pooled_test(is_a_fifth_as_long),
        pooled_test(comes_back_to_the_byte),
        pooled_test(leaves_json_as_it_is),
    };

    return unit_run("store/session_answer", tests);
}
