/* SPDX-License-Identifier: Apache-2.0 */
/* The findings format: what is written reads back, and nothing else reads. */
#include "unit/mdl_fixture.h"

#include "methods/mdl/mdl_findings.h"

static idv_mdl_findings_t *proved(apr_pool_t *pool)
{
    idv_mdl_findings_t *findings = idv_mdl_findings_create(pool);
    idv_mdl_age_t *age = apr_array_push(findings->ages);

    for (int name = 0; name < IDV_MDL_CHECK_ISSUER_REVOCATION; name++)
        idv_mdl_pass(findings, name);
    *age = (idv_mdl_age_t){ 21, 1 };
    findings->is_encrypted = 1;
    findings->device_algorithm = findings->issuer_algorithm = "ES256";
    findings->handover = IDV_HANDOVER_DC_API_1_0;
    findings->doc_type = "org.iso.18013.5.1.mDL";
    findings->issuer_country = "US";
    findings->issuer_region = "MD";
    findings->issuer_serial = "4d";
    findings->issuer_fingerprint = "00ff";
    findings->anchor_fingerprint = "11ee";
    findings->anchor_list = "vical 12";
    findings->issuer_not_after = 1;
    findings->signed_at = 2;
    findings->valid_from = 3;
    findings->valid_until = 4;
    findings->status_list_address = "https://s.example/1";
    findings->status_list_index = 412;
    findings->identifier_list_address = "https://s.example/2";
    findings->identifier = BYTES("\1\2");
    findings->person.family_name = "M\xc3\xbcller";
    findings->person.birth_date = (idv_date_t){ 1980, 3, 4 };
    findings->person.portrait = BYTES("\xff\xd8\xff");
    APR_ARRAY_PUSH(findings->crl_addresses, const char *) =
        "http://crl.example/1";
    return findings;
}

static const char *written(const idv_mdl_findings_t *findings, apr_pool_t *pool)
{
    const char *text;
    apr_size_t length;

    assert_null(idv_mdl_findings_write(findings, &text, &length, pool));
    assert_int_equal(strlen(text), length);
    return text;
}

static idv_error_t *read_text(const char *text, idv_mdl_findings_t **findings,
                              apr_pool_t *pool)
{
    return idv_mdl_findings_read(text, strlen(text), findings, pool);
}

static void findings_read_back_as_written(void **state)
{
    idv_mdl_findings_t *findings = proved(*state), *back;
    const char *text = written(findings, *state);

    assert_null(read_text(text, &back, *state));
    assert_string_equal(written(back, *state), text);
    assert_string_equal(back->person.family_name, "M\xc3\xbcller");
    assert_int_equal(back->person.portrait.length, 3);
    assert_int_equal(back->handover, IDV_HANDOVER_DC_API_1_0);
    assert_int_equal(back->person.birth_date.day, 4);
    assert_int_equal(back->person.issue_date.year, 0);
    assert_true(idv_mdl_is_proved(back));
}

static void every_reason_reads_back(void **state)
{
    idv_mdl_findings_t *back;

    for (int reason = 1; reason < IDV_MDL_REASON_COUNT; reason++) {
        idv_mdl_findings_t *findings = idv_mdl_findings_create(*state);

        assert_int_equal(idv_mdl_reason_find(idv_mdl_reason_code(reason)),
                         reason);
        if (idv_mdl_reason_check(reason) >= IDV_MDL_CHECK_ISSUER_REVOCATION)
            continue; /* of the decision */
        if (idv_mdl_reason_is_of_form(reason))
            continue; /* by itself it stops nothing */
        findings->fault = "somewhere";
        idv_mdl_fail(findings, reason);
        assert_null(read_text(written(findings, *state), &back, *state));
        assert_int_equal(
            idv_mdl_find_check(back, idv_mdl_reason_check(reason))->reason,
            reason);
        assert_false(idv_mdl_is_proved(back));
    }
    for (int reason = 1; reason < IDV_MDL_REASON_COUNT; reason++) {
        idv_mdl_findings_t *findings = proved(*state);

        if (!idv_mdl_reason_is_of_form(reason))
            continue; /* a deviation leaves all of it proved */
        idv_mdl_fail(findings, reason);
        assert_null(read_text(written(findings, *state), &back, *state));
        assert_true(idv_mdl_is_proved(back));
        assert_non_null(back->person.family_name);
        /* ... and is one of several. */
        idv_mdl_fail(findings, IDV_MDL_REASON_ISSUER_SELF_SIGNED);
        idv_mdl_fail(findings, IDV_MDL_REASON_ISSUER_SELF_SIGNED);
        assert_null(read_text(written(findings, *state), &back, *state));
        assert_int_equal(back->checks->nelts,
                         proved(*state)->checks->nelts
                             + (reason != IDV_MDL_REASON_ISSUER_SELF_SIGNED));
    }
    for (int name = 0; name < IDV_MDL_CHECK_COUNT; name++)
        assert_int_equal(idv_mdl_check_find(idv_mdl_check_code(name)), name);
    for (int fault = 1; fault < IDV_PROFILE_COUNT; fault++)
        assert_int_equal(
            idv_profile_fault_find(idv_profile_fault_code(fault)), fault);
}

/* TEXT with its first OLD replaced. */
static const char *altered(const char *text, const char *old,
                           const char *replacement, apr_pool_t *pool)
{
    const char *place = strstr(text, old);

    if (!place)
        fail_msg("%s is not in %s", old, text);
    return apr_pstrcat(pool, apr_pstrmemdup(pool, text, place - text),
                       replacement, place + strlen(old), NULL);
}

static void any_deviation_is_refused(void **state)
{
    static const char *const rows[][2] = {
        { "\"is_encrypted\":true", "\"is_encrypted\":1" },
        { "\"is_encrypted\":true,", "" },
        { "\"is_encrypted\":true", "\"is_encrypted\":true,\"more\":1" },
        { "\"ES256\"", "7" },
        { "\"ES256\"", "\"ES256ES256ES256ES256ES256ES256ES256ES256\"" },
        { "\"dc_api_1_0\"", "\"dc_api_2_0\"" },
        { "\"dc_api_1_0\"", "null" },
        { "\"handover_variant\":null",
          "\"handover_variant\":\"origin_with_slash\"" },
        { "\"handover_variant\":null", "\"handover_variant\":\"as_agreed\"" },
        { "\"issuer_profile\":null", "\"issuer_profile\":\"country\"" },
        { "\"issuer_profile\":null", "\"issuer_profile\":\"terms\"" },
        { "\"anchor_fingerprint\":\"11ee\"", "\"anchor_fingerprint\":null" },
        { "\"doc_type\":\"org.iso.18013.5.1.mDL\"", "\"doc_type\":null" },
        { "\"fault\":null", "\"fault\":\"somewhere\"" },
        { "\"signed_at\":2", "\"signed_at\":-2" },
        { "\"signed_at\":2", "\"signed_at\":2.0" },
        { "\"signed_at\":2", "\"signed_at\":null" },
        { "\"1980-03-04\"", "\"1980-03\"" },
        { "\"1980-03-04\"", "\"1980-02-30\"" },
        { "\"AQI\"", "\"AQJ\"" },
        { "\"AQI\"", "\"\"" },
        { "\"US\"", "\"USA\"" },
        { "\"US\"", "\"\"" },
        { "\"US\"", "\"U\\n\"" },
        { "{\"over\":21,\"is_true\":true}", "{\"over\":21}" },
        { "{\"over\":21,\"is_true\":true}", "21" },
        { "\"over\":21", "\"over\":100" },
        { "\"over\":21", "\"over\":-1" },
        { "\"http://crl.example/1\"", "null" },
        { "\"http://crl.example/1\"", "\"\"" },
        { "\"name\":\"digests\",\"result\":\"passed\"",
          "\"name\":\"digests\",\"result\":\"failed\"" },
        { "\"name\":\"digests\",\"result\":\"passed\",\"reason\":null",
          "\"name\":\"digests\",\"result\":\"failed\",\"reason\":"
          "\"under_age\"" },
        { "\"name\":\"digests\"", "\"name\":\"digest\"" },
        { "\"name\":\"digests\"", "\"name\":\"device_key\"" },
        { "\"name\":\"digests\"", "\"name\":\"age\"" },
        { "{\"name\":\"digests\"",
          "{\"name\":\"device_key\",\"result\":\"passed\",\"reason\":null},"
          "{\"name\":\"digests\"" },
        { "{\"name\":\"digests\",\"result\":\"passed\",\"reason\":null},",
          "" },
        /* A failed check, and personal data all the same. */
        { "\"name\":\"digests\",\"result\":\"passed\",\"reason\":null",
          "\"name\":\"digests\",\"result\":\"failed\",\"reason\":"
          "\"digest_wrong\"" },
    };
    const char *text = written(proved(*state), *state);
    idv_mdl_findings_t *back;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        idv_error_t *error = read_text(
            altered(text, rows[i][0], rows[i][1], *state), &back, *state);

        if (!error)
            fail_msg("%s for %s was read", rows[i][1], rows[i][0]);
        assert_null(strstr(error->detail, "ller"));
    }
}

static void sizes_are_bounded(void **state)
{
    idv_mdl_findings_t *findings = proved(*state), *back;
    unsigned char *picture = apr_pcalloc(*state, IDV_MDL_PORTRAIT_MAX + 1);
    char *long_name = apr_pcalloc(*state, 1000);

    findings->person.portrait =
        (idv_bytes_t){ picture, IDV_MDL_PORTRAIT_MAX };
    assert_null(read_text(written(findings, *state), &back, *state));
    assert_int_equal(back->person.portrait.length, IDV_MDL_PORTRAIT_MAX);
    findings->person.portrait.length++;
    assert_non_null(read_text(written(findings, *state), &back, *state));
    findings->person.portrait.length = 1;
    memset(long_name, 'x', 641);
    findings->person.family_name = long_name;
    assert_non_null(read_text(written(findings, *state), &back, *state));
    findings->person.family_name = NULL;
    for (int i = 1; i < IDV_MDL_AGES_MAX; i++)
        APR_ARRAY_PUSH(findings->ages, idv_mdl_age_t) =
            (idv_mdl_age_t){ i, 1 };
    assert_null(read_text(written(findings, *state), &back, *state));
    APR_ARRAY_PUSH(findings->ages, idv_mdl_age_t) = (idv_mdl_age_t){ 50, 1 };
    assert_non_null(read_text(written(findings, *state), &back, *state));
}

static void the_first_failure_of_a_check_stands(void **state)
{
    idv_mdl_findings_t *findings = idv_mdl_findings_create(*state);

    idv_mdl_pass(findings, IDV_MDL_CHECK_DIGESTS);
    idv_mdl_fail(findings, IDV_MDL_REASON_DIGEST_WRONG);
    idv_mdl_fail(findings, IDV_MDL_REASON_DIGEST_MISSING);
    idv_mdl_pass(findings, IDV_MDL_CHECK_DIGESTS);
    assert_int_equal(findings->checks->nelts, 1);
    assert_int_equal(
        idv_mdl_find_check(findings, IDV_MDL_CHECK_DIGESTS)->reason,
        IDV_MDL_REASON_DIGEST_WRONG);
}

/* Whoever did not get the request, or cannot write an answer, has not answered.
 * What costs an attempt is an answer. */
static void an_answer_has_a_form(void **state)
{
    static const char *const none[] = {
        "response_not_encrypted", "response_not_decrypted",
        "response_malformed",     "response_state_wrong",
        "response_version_unknown", "response_status_error",
        "document_missing",       "wallet_declined",
    };
    int count = 0;

    for (int reason = 1; reason < IDV_MDL_REASON_COUNT; reason++) {
        idv_mdl_findings_t *findings = idv_mdl_findings_create(*state);
        int is_none = 0;

        for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
            is_none |= strcmp(idv_mdl_reason_code(reason), none[i]) == 0;
        idv_mdl_fail(findings, reason);
        assert_int_equal(idv_mdl_is_answer(findings), !is_none);
        count += is_none;
    }
    assert_int_equal(count, 8);
    assert_true(idv_mdl_is_answer(proved(*state)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(findings_read_back_as_written),
        pooled_test(every_reason_reads_back),
        pooled_test(any_deviation_is_refused),
        pooled_test(sizes_are_bounded),
        pooled_test(an_answer_has_a_form),
        pooled_test(the_first_failure_of_a_check_stands),
    };

    return unit_run("mdl_findings", tests);
}
