/* SPDX-License-Identifier: Apache-2.0 */
/* What one side encodes the other decodes, and nothing else. */
#include "unit/unit.h"

#include <apr_strings.h>

#include "domain/method/analysis_protocol.h"

static idv_bytes_t bytes_of(const char *text)
{
    return (idv_bytes_t){(const unsigned char *)text, strlen(text)};
}

static const idv_analysis_request_t example = {
    .method = "document_capture",
    .now = 1700000000123,
    .milliseconds = IDV_ANALYZE_MILLISECONDS,
    .part_count = 2,
    .parts = {{"front", {NULL, 1}}, {"back", {NULL, IDV_ANALYZE_PART_MAX}}}};

static void requests_come_back(void **state)
{
    idv_analysis_request_t decoded;
    idv_bytes_t head;

    assert_null(idv_analysis_request_encode(&example, &head, *state));
    assert_int_equal(idv_analysis_length_decode(head.data),
                     head.length - IDV_ANALYZE_LENGTH_SIZE);
    head.data += IDV_ANALYZE_LENGTH_SIZE;
    head.length -= IDV_ANALYZE_LENGTH_SIZE;
    assert_null(idv_analysis_request_decode(head, &decoded, *state));
    assert_string_equal(decoded.method, example.method);
    assert_int_equal(decoded.now, example.now);
    assert_int_equal(decoded.milliseconds, example.milliseconds);
    assert_int_equal(decoded.part_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(decoded.parts[i].name, example.parts[i].name);
        assert_int_equal(decoded.parts[i].bytes.length,
                         example.parts[i].bytes.length);
        assert_null(decoded.parts[i].bytes.data);
    }
}

#define EIGHT                                                                  \
    "{'name':'p','length':1},{'name':'p','length':1},"                         \
    "{'name':'p','length':1},{'name':'p','length':1},"                         \
    "{'name':'p','length':1},{'name':'p','length':1},"                         \
    "{'name':'p','length':1},{'name':'p','length':1},"

static void requests_keep_their_limits(void **state)
{
    static const char *const bad[] = {
        "", "{", "[]", "{}",
        "{'version':1,'method':'m','now':1,'parts':[{'name':'a','length':1}],"
        "'limits':{'milliseconds':1}}",
        "{'version':2,'now':1,'parts':[{'name':'a','length':1}],"
        "'limits':{'milliseconds':1}}",
        "{'version':2,'method':'m','now':1,'parts':[],"
        "'limits':{'milliseconds':1}}",
        "{'version':2,'method':'m','now':1,'parts':["
        EIGHT EIGHT EIGHT EIGHT "{'name':'z','length':1}],"
        "'limits':{'milliseconds':1}}",
        "{'version':2,'method':'m','now':1,'parts':[{'name':'','length':1}],"
        "'limits':{'milliseconds':1}}",
        "{'version':2,'method':'m','now':1,'parts':[{'length':1}],"
        "'limits':{'milliseconds':1}}",
        "{'version':2,'method':'m','now':1,'parts':[{'name':'a','length':0}],"
        "'limits':{'milliseconds':1}}",
        "{'version':2,'method':'m','now':1,"
        "'parts':[{'name':'a','length':20971521}],"
        "'limits':{'milliseconds':1}}",
        "{'version':2,'method':'m','now':1,'parts':[{'name':'a','length':-1}],"
        "'limits':{'milliseconds':1}}",
        "{'version':2,'method':'m','now':1,'parts':[{'name':'a','length':1}]}",
        "{'version':2,'method':'m','now':1,'parts':[{'name':'a','length':1}],"
        "'limits':{'milliseconds':0}}",
        "{'version':2,'method':'m','now':1,'parts':[{'name':'a','length':1}],"
        "'limits':{'milliseconds':20001}}",
    };
    const char *good =
        "{'version':2,'method':'m','now':1,"
        "'parts':[" EIGHT EIGHT EIGHT
        "{'name':'a','length':1},{'name':'b','length':1},"
        "{'name':'c','length':1},{'name':'d','length':1},"
        "{'name':'e','length':1},{'name':'f','length':1},"
        "{'name':'g','length':1},{'name':'h','length':20971520}],"
        "'limits':{'milliseconds':20000}}";
    idv_analysis_request_t decoded;

    for (size_t i = 0; i <= sizeof(bad) / sizeof(*bad); i++) {
        int is_good = i == sizeof(bad) / sizeof(*bad);
        char *text = apr_pstrdup(*state, is_good ? good : bad[i]);
        idv_error_t *error;

        for (char *c = text; *c; c++)
            *c = *c == '\'' ? '"' : *c;
        error = idv_analysis_request_decode(bytes_of(text), &decoded, *state);
        if ((error == NULL) != is_good)
            fail_msg("%s: %s", text, error ? error->detail : "taken");
        if (error)
            assert_int_equal(error->code, IDV_E_INTERNAL);
    }
}

static void refuses_a_header_that_is_too_long(void **state)
{
    idv_analysis_request_t request = example;
    char *name = apr_palloc(*state, IDV_ANALYZE_HEADER_MAX + 1);
    idv_bytes_t head;

    memset(name, 'a', IDV_ANALYZE_HEADER_MAX);
    name[IDV_ANALYZE_HEADER_MAX] = '\0';
    request.parts[0].name = name;
    assert_non_null(idv_analysis_request_encode(&request, &head, *state));
}

/* However an answer is cut, its pieces end with it and not before. */
static void answers_come_back(void **state)
{
    const char *findings = "{\"readable\":false}";
    unsigned char whole[64];
    apr_size_t length = strlen(findings) + IDV_ANALYZE_LENGTH_SIZE;
    idv_analysis_answer_t answer;

    assert_null(idv_analysis_answer_encode(bytes_of(findings), whole, *state));
    memcpy(whole + IDV_ANALYZE_LENGTH_SIZE, findings, strlen(findings));
    for (apr_size_t at = 0; at < length; at++) {
        answer = idv_analysis_answer_decode((idv_bytes_t){whole, at});
        assert_int_equal(answer.state, IDV_ANALYSIS_ANSWER_PARTIAL);
        assert_in_range(answer.missing, 1, length - at);
    }
    answer = idv_analysis_answer_decode((idv_bytes_t){whole, length});
    assert_int_equal(answer.state, IDV_ANALYSIS_ANSWER_FINDINGS);
    assert_int_equal(answer.findings.length, strlen(findings));
    assert_memory_equal(answer.findings.data, findings, strlen(findings));
}

static void answers_keep_their_limits(void **state)
{
    static unsigned char most[IDV_ANALYZE_FINDINGS_MAX + 1];
    unsigned char head[IDV_ANALYZE_LENGTH_SIZE];
    const struct {
        apr_size_t length;
        idv_analysis_answer_state_t state;
    } cases[] = {
        {0, IDV_ANALYSIS_ANSWER_TOO_LONG},
        {1, IDV_ANALYSIS_ANSWER_PARTIAL},
        {IDV_ANALYZE_FINDINGS_MAX, IDV_ANALYSIS_ANSWER_PARTIAL},
        {IDV_ANALYZE_FINDINGS_MAX + 1, IDV_ANALYSIS_ANSWER_BROKEN},
        {0xffffffff, IDV_ANALYSIS_ANSWER_BROKEN},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_analysis_answer_t answer;

        idv_analysis_length_encode(cases[i].length, head);
        assert_int_equal(idv_analysis_length_decode(head), cases[i].length);
        answer = idv_analysis_answer_decode((idv_bytes_t){head, sizeof(head)});
        assert_int_equal(answer.state, cases[i].state);
        assert_int_equal(answer.missing,
                         answer.state == IDV_ANALYSIS_ANSWER_PARTIAL
                             ? cases[i].length
                             : 0);
    }
    assert_non_null(
        idv_analysis_answer_encode((idv_bytes_t){most, 0}, head, *state));
    assert_null(idv_analysis_answer_encode(
        (idv_bytes_t){most, IDV_ANALYZE_FINDINGS_MAX}, head, *state));
    assert_non_null(idv_analysis_answer_encode(
        (idv_bytes_t){most, IDV_ANALYZE_FINDINGS_MAX + 1}, head, *state));
}

static void readiness_comes_back(void **state)
{
    static const idv_analysis_readiness_t said[] = {
        {NULL, "rlimits,system_calls", ""},
        {NULL, "", "network_namespace,user"},
        {"no model", "", ""},
    };
    char most[IDV_ANALYZE_READY_MAX + 100];
    idv_analysis_readiness_t read, longest = {.fault = most};
    idv_bytes_t packet;

    for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++) {
        idv_analysis_readiness_decode(
            idv_analysis_readiness_encode(&said[i], *state), &read, *state);
        assert_int_equal(read.fault == NULL, said[i].fault == NULL);
        if (read.fault)
            assert_string_equal(read.fault, said[i].fault);
        assert_string_equal(read.layers, said[i].layers);
        assert_string_equal(read.missing, said[i].missing);
    }
    memset(most, 'a', sizeof(most) - 1);
    most[sizeof(most) - 1] = '\0';
    packet = idv_analysis_readiness_encode(&longest, *state);
    assert_int_equal(packet.length, IDV_ANALYZE_READY_MAX);
    /* A packet of another program, without a second line. */
    idv_analysis_readiness_decode(bytes_of("none"), &read, *state);
    assert_null(read.fault);
    assert_string_equal(read.layers, "none");
    assert_string_equal(read.missing, "");
}

static void kinds_come_back(void **state)
{
    (void)state;
    assert_int_equal(idv_analysis_kind(IDV_METHOD_MDL), IDV_ANALYSIS_SIGNED);
    assert_int_equal(idv_analysis_kind(IDV_METHOD_NFC_PASSPORT),
                     IDV_ANALYSIS_SIGNED);
    assert_int_equal(idv_analysis_kind(IDV_METHOD_DOCUMENT_CAPTURE),
                     IDV_ANALYSIS_PICTURES);
    assert_int_equal(idv_analysis_kind(IDV_METHOD_SELFIE_MATCH),
                     IDV_ANALYSIS_PICTURES);
    for (int i = 0; i < IDV_ANALYSIS_KIND_COUNT; i++)
        assert_int_equal(
            idv_analysis_kind_parse(idv_analysis_kind_value(i)), i);
    assert_int_equal(idv_analysis_kind_parse("signe"), IDV_ANALYSIS_KIND_COUNT);
    assert_int_equal(idv_analysis_kind_parse(""), IDV_ANALYSIS_KIND_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(requests_come_back),
        pooled_test(requests_keep_their_limits),
        pooled_test(refuses_a_header_that_is_too_long),
        pooled_test(answers_come_back),
        pooled_test(answers_keep_their_limits),
        pooled_test(readiness_comes_back),
        pooled_test(kinds_come_back),
    };

    return unit_run("domain/analysis_protocol", tests);
}
