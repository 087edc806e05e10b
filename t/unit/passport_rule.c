/* SPDX-License-Identifier: Apache-2.0 */
/* What the rule of the session says of a whole passport, and what its files say
 * besides the zone. */
#include "unit/passport_whole.h"

/* --- what the rule says --- */

static void the_rule_has_its_say(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);
    idv_method_outcome_t *outcome;

    passport->rule.document.required_age = 62;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    assert_string_equal(outcome->last_error->code, "under_age");
    assert_true(flag(outcome, "identity_verified"));
    assert_false(flag(outcome, "age_verified"));
    passport->rule.document.required_age = 0;
    passport->rule.document.seen.document_of_another_person = 1;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_UNDETERMINED);
    assert_int_equal(outcome->doubts, 1u << IDV_DOUBT_DOCUMENT_REUSED);
    assert_string_equal(outcome->last_error->code, "document_reused");
    assert_false(flag(outcome, "identity_verified"));
    /* A document that has expired, with a certificate that has, too. */
    passport = new_passport(pool);
    let_signer_expire(passport);
    passport->rule.document.now = CHIP_NOW + 300 * IDV_DAY;
    outcome = decide(passport);
    assert_string_equal(outcome->last_error->code, "document_expired");
    passport->rule.document.accept_expired = 1;
    outcome = decide(passport);
    assert_string_equal(outcome->last_error->code,
                        "document_certificate_expired");
    passport->rule.accept_expired_certificates = 1;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    passport->rule.revocation = IDV_REVOCATION_UNKNOWN;
    passport->rule.accept_unknown_revocation = 1;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    assert_reason(outcome, R(REVOCATION_UNKNOWN));
    /* Data that were altered go before what they say. */
    passport->rule.document.required_age = 90;
    swap_portrait(passport);
    outcome = decide(passport);
    assert_string_equal(outcome->last_error->code, "document_unverified");
}

static void the_printed_zone_is_compared(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);
    idv_document_t printed = *read_passport(passport)->document;
    idv_method_outcome_t *outcome;

    assert_null(reason_in(decide(passport), C(PRINTED_ZONE)));
    passport->rule.printed = &printed;
    outcome = decide(passport);
    assert_string_equal(reason_in(outcome, C(PRINTED_ZONE)), "passed");
    printed.surname = "MUSTEB"; /* no check digit, no contradiction */
    assert_int_equal(decide(passport)->verdict, IDV_METHOD_PASSED);
    printed.number = "C01X00T48";
    outcome = decide(passport);
    assert_reason(outcome, R(PRINTED_ZONE_MISMATCH));
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    printed = *read_passport(passport)->document;
    printed.date_of_birth.day++;
    assert_reason(decide(passport), R(PRINTED_ZONE_MISMATCH));
    printed = *read_passport(passport)->document;
    printed.issuing_country = NULL;
    assert_reason(decide(passport), R(PRINTED_ZONE_MISMATCH));
}

/* --- what the files say --- */

/* The zone of a person of 106 years reads as that of one of 6; DG11 knows. */
static void details_settle_the_century(void **state)
{
    static const char zone[] = "P<D<<MUSTER<<ERIKA<<<<<<<<<<<<<<<<<<<<<<<<<<"
                               "C01X00T478D<<2001012F2702283<<<<<<<<<<<<<<<0";
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);

    passport->dump.files[IDV_CHIP_DG1] = chip_dg1(pool, zone);
    passport->dump.files[IDV_CHIP_DG11].length = 0;
    passport->dump.files[IDV_CHIP_COM].length = 0;
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    assert_string_equal(decide(passport)->last_error->code, "under_age");
    passport->dump.files[IDV_CHIP_DG11] =
        DER(pool, 0x6B, DER(pool, 0x5F2B, BYTES("19200101")));
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    assert_int_equal(decide(passport)->facts.age, 106);
    /* What is not signed settles nothing. */
    passport->dump.files[IDV_CHIP_DG11] =
        DER(pool, 0x6B, DER(pool, 0x5F2B, BYTES("18200101")));
    assert_int_equal(decide(passport)->facts.age, -1);
    assert_null(reason_in(decide(passport), C(DATE_OF_BIRTH_CROSS_CHECK)));
}

static void portraits_that_cannot_be_read_are_told(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);
    idv_method_outcome_t *outcome;

    passport->dump.files[IDV_CHIP_DG2] = BYTES("\x75\x02\x7f\x61");
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    outcome = decide(passport);
    assert_reason(outcome, R(PORTRAIT_UNREADABLE));
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    passport->dump.files[IDV_CHIP_DG2].length = 0;
    passport->dump.files[IDV_CHIP_COM].length = 0;
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    assert_null(reason_in(decide(passport), C(PORTRAIT)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(the_rule_has_its_say),
        pooled_test(the_printed_zone_is_compared),
        pooled_test(details_settle_the_century),
        pooled_test(portraits_that_cannot_be_read_are_told),
    };

    return unit_run("passport/rule", tests);
}
