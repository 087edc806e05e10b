/* SPDX-License-Identifier: Apache-2.0 */
/* The findings on a chip as text: what a reader that was taken over may not
 * claim. */
#include "unit/unit.h"

#include "core/json.h"
#include "methods/document/mrz.h"
#include "methods/passport/passport_findings.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define NOW ((idv_time_t)1781524800000) /* 2026-06-15T12:00:00Z */

static const char fingerprint[] =
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static idv_passport_findings_t good_findings(apr_pool_t *pool)
{
    static idv_passport_certificate_t signer, csca;
    idv_passport_findings_t findings = {
        .readable = 1,
        .signer = &signer,
        .csca = &csca,
        .portrait = { IDV_PORTRAIT_JPEG2000, 84, 14999, 413, 531 },
        .reader = "app 1.0",
        .milliseconds = 3.5,
    };
    idv_mrz_text_t zone = { .layout = idv_mrz_layout_find(2, 44, 'P') };
    idv_document_t *document;

    signer = (idv_passport_certificate_t){ "DE", "0142fd5cf927", fingerprint,
                                           1577836800000, 2051222400000, NULL };
    csca = signer;
    csca.source = "german-master-list 2026-01-07";
    strcpy(zone.rows[0], "P<D<<MUSTER<<ERIKA<<<<<<<<<<<<<<<<<<<<<<<<<<");
    strcpy(zone.rows[1], "C01X00T478D<<6408125F2702283<<<<<<<<<<<<<<<4");
    assert_null(idv_mrz_parse(&zone, NOW, &document, pool));
    findings.document = document;
    for (int i = 0; i < IDV_PASSPORT_CHECKS_OF_READING; i++)
        idv_passport_checks_pass(&findings.checks, i);
    idv_passport_checks_object(
        &findings.checks,
        IDV_PASSPORT_REASON_ACTIVE_AUTHENTICATION_UNSUPPORTED);
    return findings;
}

static const char *text_of(const idv_passport_findings_t *findings,
                           apr_pool_t *pool)
{
    const char *text;
    apr_size_t length;

    assert_null(idv_passport_findings_write(findings, &text, &length, pool));
    assert_int_equal(strlen(text), length);
    return text;
}

static void findings_survive_their_text(void **state)
{
    apr_pool_t *pool = *state;
    idv_passport_findings_t findings = good_findings(pool), *back;
    const char *text = text_of(&findings, pool);

    assert_null(idv_passport_findings_read(text, strlen(text), &back, pool));
    assert_string_equal(text_of(back, pool), text);
    assert_memory_equal(&back->checks, &findings.checks,
                        sizeof(findings.checks));
    assert_string_equal(back->document->number, "C01X00T47");
    assert_string_equal(back->csca->source, "german-master-list 2026-01-07");
    assert_null(back->signer->source);
    assert_int_equal(back->portrait.offset, 84);
    memset(&findings, 0, sizeof(findings));
    findings.hint = IDV_PASSPORT_HINT_CHIP_INCOMPLETE;
    text = text_of(&findings, pool);
    assert_null(idv_passport_findings_read(text, strlen(text), &back, pool));
    assert_int_equal(back->hint, IDV_PASSPORT_HINT_CHIP_INCOMPLETE);
    assert_null(back->document);
}

/* Replaces the first FROM in the text of good findings. */
static const char *replaced(apr_pool_t *pool, const char *from, const char *to)
{
    idv_passport_findings_t findings = good_findings(pool);
    const char *text = text_of(&findings, pool);
    const char *at = strstr(text, from);

    if (!at)
        fail_msg("no %s in %s", from, text);
    return apr_pstrcat(pool, apr_pstrmemdup(pool, text, (apr_size_t)(at - text)),
                       to, at + strlen(from), NULL);
}

static void foreign_findings_are_refused(void **state)
{
    static const struct {
        const char *from, *to;
    } rows[] = {
        { "\"readable\":true", "\"readable\":1" },
        { "\"readable\":true", "\"readable\":false" },
        { "\"hint\":null", "\"hint\":\"chip_unreadable\"" },
        { "\"hint\":null", "\"hint\":\"blurred\"" },
        { "\"hint\":null", "\"hint\":null,\"more\":1" },
        { "\"zone\":{", "\"zone\":null,\"zone_\":{" },
        { "mrz_td3", "pdf417_aamva" },
        { "\"zone\":{\"readable\":true", "\"zone\":{\"readable\":false" },
        { "\"security_object\",\"reason\":null",
          "\"security_object\",\"reason\":\"signature_wrong\"" },
        { "\"security_object\",\"reason\":null",
          "\"security_object\",\"reason\":\"anything\"" },
        { "\"name\":\"security_object\"", "\"name\":\"expiry\"" },
        { "\"name\":\"security_object\"", "\"name\":\"chip_cloning\"" },
        { "\"name\":\"portrait\"", "\"name\":\"security_object\"" },
        { "\"name\":\"portrait\",\"reason\":null",
          "\"name\":\"portrait\",\"reason\":\"portrait_unreadable\"" },
        { "\"name\":\"certificate_chain\",\"reason\":null",
          "\"name\":\"certificate_chain\",\"reason\":\"csca_unknown\"" },
        { "\"country\":\"DE\"", "\"country\":\"D\"" },
        { "\"country\":\"DE\"", "\"country\":\"de\"" },
        { "0142fd5cf927", "0142FD5CF927" },
        { "\"serial\":\"0142fd5cf927\"", "\"serial\":null" },
        { fingerprint, "0123" },
        { "\"not_before\":1577836800000", "\"not_before\":1.5" },
        { "\"not_before\":1577836800000", "\"not_before\":9e17" },
        { "\"not_before\":1577836800000",
          "\"not_before\":-999999999999999" },
        { "\"source\":null", "\"source\":\"x\"" },
        { "\"source\":\"german-master-list 2026-01-07\"", "\"source\":null" },
        { "german-master-list", "german\\u0007list" },
        { "\"format\":\"jpeg2000\"", "\"format\":\"png\"" },
        { "\"offset\":84", "\"offset\":-1" },
        { "\"length\":14999", "\"length\":524289" },
        { "\"length\":14999", "\"length\":0" },
        { "\"width\":413", "\"width\":8193" },
        { "\"reader\":\"app 1.0\"", "\"reader\":7" },
        { "\"milliseconds\":3.5", "\"milliseconds\":-1" },
        { "\"milliseconds\":3.5", "\"milliseconds\":\"3\"" },
        { "{\"readable\"", "[{\"readable\"" },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *text = replaced(pool, rows[i].from, rows[i].to);
        idv_passport_findings_t *findings;
        idv_error_t *error =
            idv_passport_findings_read(text, strlen(text), &findings, pool);

        if (!error)
            fail_msg("%s", rows[i].to);
        assert_int_equal(error->code, IDV_E_INTERNAL);
        assert_null(strstr(error->detail, "C01X00T47"));
    }
}

static void findings_without_a_proof_are_refused(void **state)
{
    apr_pool_t *pool = *state;
    idv_passport_findings_t findings = good_findings(pool), *back;
    const char *text;

    findings.csca = NULL;
    text = text_of(&findings, pool);
    assert_non_null(
        idv_passport_findings_read(text, strlen(text), &back, pool));
    findings = good_findings(pool);
    findings.signer = NULL;
    text = text_of(&findings, pool);
    assert_non_null(
        idv_passport_findings_read(text, strlen(text), &back, pool));
    findings = good_findings(pool);
    findings.checks.is_made[IDV_PASSPORT_CHECK_ACTIVE_AUTHENTICATION] = 0;
    text = text_of(&findings, pool);
    assert_non_null(
        idv_passport_findings_read(text, strlen(text), &back, pool));
    assert_non_null(idv_passport_findings_read(
        text, IDV_PASSPORT_FINDINGS_MAX + 1, &back, pool));
}

/* --- the lists --- */

static void codes_are_found_again(void **state)
{
    (void)state;
    for (int i = 0; i < IDV_PASSPORT_CHECK_COUNT; i++)
        assert_int_equal(
            idv_passport_check_find(idv_passport_check_code(i)), i);
    for (int i = 1; i < IDV_PASSPORT_REASON_COUNT; i++) {
        assert_int_equal(
            idv_passport_reason_find(idv_passport_reason_code(i)), i);
        assert_int_not_equal(idv_passport_reason_state(i),
                             IDV_PASSPORT_PASSED);
        assert_true((int)idv_passport_reason_error(i)
                    < IDV_PASSPORT_ERROR_COUNT);
    }
    assert_int_equal(idv_passport_check_find("expiry"), -1);
    assert_int_equal(idv_passport_reason_find(""), -1);
    assert_null(idv_passport_reason_code(IDV_PASSPORT_REASON_NONE));
}

/* Every reason that makes a check fail stands before those that leave it in
 * doubt, and so weighs more. */
static void failures_weigh_more_than_doubts(void **state)
{
    idv_passport_checks_t checks = { .is_made = { 0 } };

    (void)state;
    for (int i = 2; i < IDV_PASSPORT_REASON_COUNT; i++)
        assert_true(idv_passport_reason_state(i - 1)
                    <= idv_passport_reason_state(i));
    assert_int_equal(
        idv_passport_checks_state(&checks, IDV_PASSPORT_CHECK_CHIP_CLONING),
        IDV_PASSPORT_NOT_MADE);
    idv_passport_checks_object(&checks,
                               IDV_PASSPORT_REASON_CHIP_NOT_PROVEN_GENUINE);
    idv_passport_checks_object(&checks, IDV_PASSPORT_REASON_CHIP_NOT_GENUINE);
    idv_passport_checks_object(&checks,
                               IDV_PASSPORT_REASON_CHIP_NOT_PROVEN_GENUINE);
    idv_passport_checks_pass(&checks, IDV_PASSPORT_CHECK_CHIP_CLONING);
    assert_int_equal(
        idv_passport_checks_state(&checks, IDV_PASSPORT_CHECK_CHIP_CLONING),
        IDV_PASSPORT_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(findings_survive_their_text),
        pooled_test(foreign_findings_are_refused),
        pooled_test(findings_without_a_proof_are_refused),
        pooled_test(codes_are_found_again),
        pooled_test(failures_weigh_more_than_doubts),
    };

    return unit_run("passport/findings", tests);
}
