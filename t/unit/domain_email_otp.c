/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "domain/session/email_otp.h"
#include "domain/value/identifier.h"

static const idv_keyring_t keyring = {.identifier = {1}, .secret = {2}};
static unsigned char seed[IDV_EMAIL_OTP_SEED_SIZE] = {3};

static idv_email_otp_t otp_for(const char *session_id, const char *address,
                               apr_pool_t *pool)
{
    return (idv_email_otp_t){
        session_id,
        idv_identifier_digest(&keyring, "email", address, pool),
        {seed, sizeof(seed)}};
}

static void makes_the_same_code_again(void **state)
{
    apr_pool_t *pool = *state;
    const idv_email_otp_t one = otp_for("vks_1", "a@example.com", pool);
    const idv_email_otp_t others[] = {
        otp_for("vks_2", "a@example.com", pool),
        otp_for("vks_1", "b@example.com", pool),
    };
    const char *code = idv_email_otp_code(&keyring, &one, pool);
    const idv_keyring_t foreign = {.secret = {9}};

    assert_int_equal(strlen(code), 6);
    assert_int_equal(strspn(code, "0123456789"), 6);
    assert_string_equal(code, idv_email_otp_code(&keyring, &one, pool));
    for (int i = 0; i < 2; i++)
        assert_string_not_equal(
            code, idv_email_otp_code(&keyring, &others[i], pool));
    assert_string_not_equal(code, idv_email_otp_code(&foreign, &one, pool));
    seed[0]++;
    assert_string_not_equal(code, idv_email_otp_code(&keyring, &one, pool));
    seed[0]--;
}

/* Codes are spread over all numbers: each first digit comes as often as any
 * other, within six standard deviations of 2,000 draws. */
static void spreads_codes(void **state)
{
    apr_pool_t *pool = *state;
    int counts[10] = {0};

    for (int i = 0; i < 2000; i++) {
        const idv_email_otp_t otp =
            otp_for(apr_psprintf(pool, "vks_%d", i), "a@example.com", pool);

        counts[idv_email_otp_code(&keyring, &otp, pool)[0] - '0']++;
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(counts[i], 120, 280);
}

static void compares_what_was_typed(void **state)
{
    apr_pool_t *pool = *state;
    const idv_email_otp_t otp = otp_for("vks_1", "a@example.com", pool);
    const char *code = idv_email_otp_code(&keyring, &otp, pool);
    char *wrong = apr_pstrdup(pool, code);

    wrong[5] = wrong[5] == '9' ? '0' : wrong[5] + 1;
    assert_true(idv_email_otp_matches(&keyring, &otp, code, pool));
    assert_true(idv_email_otp_matches(
        &keyring, &otp, apr_psprintf(pool, " %.3s %s\n", code, code + 3),
        pool));
    assert_false(idv_email_otp_matches(&keyring, &otp, wrong, pool));
    assert_false(idv_email_otp_matches(&keyring, &otp, "", pool));
    assert_false(idv_email_otp_matches(
        &keyring, &otp, apr_pstrcat(pool, code, "0", NULL), pool));
}

static void hides_the_middle(void **state)
{
    apr_pool_t *pool = *state;

    assert_string_equal(idv_email_masked("anna@example.com", pool),
                        "a\xe2\x80\xa2\xe2\x80\xa2\xe2\x80\xa2@example.com");
    assert_string_equal(idv_email_masked("\xc3\xa4nna@example.com", pool),
                        "\xc3\xa4\xe2\x80\xa2\xe2\x80\xa2\xe2\x80\xa2"
                        "@example.com");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(makes_the_same_code_again),
        pooled_test(spreads_codes),
        pooled_test(compares_what_was_typed),
        pooled_test(hides_the_middle),
    };

    return unit_run("domain/email_otp", tests);
}
