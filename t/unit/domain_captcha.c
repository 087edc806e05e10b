/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "domain/account/captcha.h"

static void judges_answers(void **state)
{
    static const struct {
        const char *answer;
        idv_captcha_verdict_t verdict;
    } cases[] = {
        {"{\"success\":true}", IDV_CAPTCHA_PASSED},
        {"{\"success\":true,\"score\":0.5,\"error-codes\":[]}",
         IDV_CAPTCHA_PASSED},
        {"{\"success\":true,\"score\":0.49}", IDV_CAPTCHA_REFUSED},
        {"{\"success\":false}", IDV_CAPTCHA_REFUSED},
        {"{\"success\":false,\"error-codes\":[\"timeout-or-duplicate\"]}",
         IDV_CAPTCHA_REFUSED},
        {"{\"success\":false,\"error-codes\":[7,\"invalid-input-secret\"]}",
         IDV_CAPTCHA_FAILED},
        {"{\"success\":\"true\"}", IDV_CAPTCHA_FAILED},
        {"{\"success\":1}", IDV_CAPTCHA_FAILED},
        {"{}", IDV_CAPTCHA_FAILED},
        {"[true]", IDV_CAPTCHA_FAILED},
        {"", IDV_CAPTCHA_FAILED},
        {"{\"success\":true}{", IDV_CAPTCHA_FAILED},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_bytes_t answer = {(const unsigned char *)cases[i].answer,
                              strlen(cases[i].answer)};

        assert_int_equal(idv_captcha_judge(answer, *state), cases[i].verdict);
    }
}

static void knows_its_providers(void **state)
{
    (void)state;
    assert_non_null(idv_captcha_url("turnstile"));
    assert_non_null(idv_captcha_url("hcaptcha"));
    assert_non_null(idv_captcha_url("recaptcha"));
    assert_null(idv_captcha_url("Turnstile"));
    assert_null(idv_captcha_url(""));
}

static void writes_the_form(void **state)
{
    assert_string_equal(idv_captcha_form("a&b", "c d", "::1", *state),
                        "secret=a%26b&response=c+d&remoteip=%3a%3a1");
    assert_string_equal(idv_captcha_form("s", "t", NULL, *state),
                        "secret=s&response=t");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(judges_answers),
        pooled_test(knows_its_providers),
        pooled_test(writes_the_form),
    };

    return unit_run("domain/captcha", tests);
}
