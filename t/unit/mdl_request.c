/* SPDX-License-Identifier: Apache-2.0 */
/* What was asked of a wallet goes to the analyzer and arrives there as it was. */
#include "unit/mdl_fixture.h"

#include "methods/mdl/mdl_request.h"

static const unsigned char scalar[32] = { 1, 2, 3 };
static const char *const doc_types[] = { IDV_MDL_DOC_TYPE };
static const idv_mdl_element_t elements[] = {
    { IDV_MDL_NAME_SPACE, "age_over_21", 0 },
    { IDV_MDL_NAME_SPACE, "birth_date", 1 },
};
static const idv_mdl_query_t queries[] = {
    { "mdl", IDV_MDL_DOC_TYPE, elements, 2 },
    { NULL, IDV_AGE_ATTESTATION_DOC_TYPE, elements, 1 },
};

static idv_mdl_request_t example(void)
{
    static const idv_trust_anchor_t anchors[] = {
        { { scalar, 32 }, 0, 0, doc_types, 1, "vical 12" },
        { { scalar, 5 }, 1, 1, NULL, 0, NULL },
    };

    return (idv_mdl_request_t){
        .channel = IDV_MDL_DC_API,
        .accepted = IDV_HANDOVER_BIT(DC_API_1_0)
                    | IDV_HANDOVER_BIT(DC_API_DRAFT_24),
        .parts = { .client_id = "x509_hash:1", .nonce = "n",
                   .origin = "https://verify.example",
                   .transcript = { scalar, 3 } },
        .state = "st\"ate",
        .encryption_key = { scalar, 32 },
        .encryption_key_id = "1",
        .queries = queries,
        .query_count = 2,
        .trust = { anchors, 2, 0 },
    };
}

static const char *written(const idv_mdl_request_t *request, apr_pool_t *pool)
{
    const char *text;
    apr_size_t length;

    assert_null(idv_mdl_request_write(request, &text, &length, pool));
    assert_int_equal(strlen(text), length);
    return text;
}

static void requests_read_back_as_written(void **state)
{
    idv_mdl_request_t request = example(), *back;
    const char *text = written(&request, *state);

    assert_null(
        idv_mdl_request_read(text, strlen(text), 77, &back, *state));
    assert_string_equal(written(back, *state), text);
    assert_int_equal(back->channel, IDV_MDL_DC_API);
    assert_int_equal(back->accepted, request.accepted);
    assert_string_equal(back->state, "st\"ate");
    assert_null(back->parts.response_uri);
    assert_int_equal(back->reader_key.length, 0);
    assert_memory_equal(back->encryption_key.data, scalar, 32);
    assert_int_equal(back->query_count, 2);
    assert_null(back->queries[1].id);
    assert_true(back->queries[0].elements[1].is_optional);
    assert_int_equal(back->trust.anchor_count, 2);
    assert_string_equal(back->trust.anchors[0].doc_types[0],
                        IDV_MDL_DOC_TYPE);
    assert_string_equal(back->trust.anchors[0].list, "vical 12");
    assert_true(back->trust.anchors[1].is_signer);
    assert_true(back->trust.anchors[1].is_pinned);
    assert_false(back->trust.anchors[0].is_pinned);
    assert_true(back->trust.now == 77);
}

static void every_channel_and_handover_reads_back(void **state)
{
    idv_mdl_request_t request = example(), *back;

    for (int channel = 0; channel < IDV_MDL_CHANNEL_COUNT; channel++)
        for (int handover = 0; handover < IDV_HANDOVER_COUNT; handover++) {
            const char *text;

            request.channel = channel;
            request.accepted = 1u << handover;
            text = written(&request, *state);
            assert_null(
                idv_mdl_request_read(text, strlen(text), 1, &back, *state));
            assert_int_equal(back->channel, channel);
            assert_int_equal(back->accepted, 1u << handover);
        }
}

static void deviations_are_refused(void **state)
{
    static const char *const rows[][2] = {
        { "\"dc_api\"", "\"other\"" },
        { "\"dc_api\"", "null" },
        { "\"dc_api_1_0\"", "\"dc_api_3_0\"" },
        { "[\"dc_api_1_0\"", "[1" },
        { "\"nonce\":\"n\"", "\"nonce\":1" },
        { "\"nonce\":\"n\",", "" },
        { "\"reader_key\":null", "\"reader_key\":\"+\"" },
        { "\"reader_key\":null", "\"reader_key\":false" },
        { "\"is_optional\":true", "\"is_optional\":1" },
        { "\"age_over_21\"", "\"\"" },
        { "\"age_over_21\"", "null" },
        { "\"is_signer\":true", "\"is_signer\":null" },
        { "\"is_pinned\":true", "\"is_pinned\":1" },
        { "\"is_pinned\":true,", "" },
        { "\"queries\":[", "\"queries\":[[]," },
        { "\"anchors\":[", "\"anchors\":[7," },
        { "\"anchors\":", "\"anchor\":" },
    };
    idv_mdl_request_t request = example(), *back;
    const char *text = written(&request, *state);

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *place = strstr(text, rows[i][0]), *altered;

        if (!place)
            fail_msg("%s is not there", rows[i][0]);
        altered = apr_pstrcat(
            *state, apr_pstrmemdup(*state, text, (apr_size_t)(place - text)),
            rows[i][1], place + strlen(rows[i][0]), NULL);
        if (!idv_mdl_request_read(altered, strlen(altered), 1, &back, *state))
            fail_msg("%s for %s was read", rows[i][1], rows[i][0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(requests_read_back_as_written),
        pooled_test(every_channel_and_handover_reads_back),
        pooled_test(deviations_are_refused),
    };

    return unit_run("mdl_request", tests);
}
