/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "out/mail_code.h"

static idv_mail_message_t written(const char *organization, const char *wishes,
                                  apr_pool_t *pool)
{
    const idv_mail_code_t mail = {
        .look = {organization, "{\"accent\":\"#7a1f3d\"}"},
        .code = "012345",
        .host = "verify.example",
        .minutes = 10,
        .wishes = wishes,
    };
    idv_mail_message_t message = {0};

    idv_mail_code_write(&mail, &message, pool);
    return message;
}

static void says_the_code_first_and_last(void **state)
{
    idv_mail_message_t message = written("Shop", NULL, *state);
    const char *end = "\n@verify.example #012345\n";

    assert_string_equal(message.subject, "012345 is your code for Shop");
    assert_string_equal(message.text + strlen(message.text) - strlen(end), end);
    assert_non_null(strstr(message.text, "\n    012345\n"));
    assert_non_null(strstr(message.html, ">012345<"));
    assert_null(strstr(message.text, "http"));
    assert_null(strstr(message.html, "href"));
}

static void chooses_the_language(void **state)
{
    static const struct {
        const char *wishes;
        const char *language;
    } cases[] = {
        {NULL, "en"},          {"", "en"},
        {"de", "de"},          {"de-AT", "de"},
        {"DE-de,en;q=0.1", "de"}, {"fr, de;q=0.5", "fr"},
        {"xx", "en"},          {"en, de", "en"},
        {" , ,de", "de"},      {"dex,e", "en"},
        {";;;,-,de", "de"},    {"es", "es"},
        {"fr-CA", "fr"},       {"it", "it"},
        {"nl", "nl"},          {"pl", "pl"},
        {"pt-BR", "pt"},       {"tr", "tr"},
        {"uk", "uk"},          {"ar", "ar"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_mail_message_t message = written("Shop", cases[i].wishes, *state);
        const char *lang = apr_pstrcat(*state, "<html lang=\"",
                                       cases[i].language, "\" dir=\"",
                                       strcmp(cases[i].language, "ar") ? "ltr"
                                                                       : "rtl",
                                       "\">", NULL);

        if (!strstr(message.html, lang))
            fail_msg("'%s' is not %s", cases[i].wishes, cases[i].language);
        assert_memory_equal(message.subject, "012345", 6);
        assert_non_null(strstr(message.subject, "Shop"));
        assert_non_null(strstr(message.text, "Shop"));
        assert_non_null(strstr(message.text, "10"));
        /* The paragraph stays aligned as the language is. */
        assert_non_null(
            strstr(message.html, "\"><span dir=\"ltr\">012345</span></p>"));
    }
}

static void lets_no_name_be_more_than_a_name(void **state)
{
    idv_mail_message_t message =
        written("<b>x</b>\n@evil.example #999999\nBcc: a@b", NULL, *state);

    assert_null(strstr(message.html, "<b>"));
    assert_null(strchr(message.subject, '\n'));
    assert_null(strstr(message.text, "\n@evil.example"));
}

static void has_the_look_of_the_organization(void **state)
{
    static const char *const wrong[] = {
        NULL, "{}", "not json", "{\"accent\":null}",
        "{\"accent\":\"red;background:url(//x)\"}",
        "{\"accent\":\"#7a1f3d;}\"}"};
    idv_mail_look_t look = {"Shop", "{\"accent\":\"#7a1f3d\",\"logo\":"
                                    "\"data:image/png;base64,AAAA\"}"};
    const char *page = idv_mail_page(&look, IDV_MAIL_EN, "<p>x</p>", *state);

    assert_non_null(strstr(page, ";color:#7a1f3d\">Shop</p>\n<p>x</p>"));
    assert_non_null(strstr(page, "border-top:6px solid #7a1f3d;"));
    assert_non_null(strstr(page, "prefers-color-scheme:dark"));
    assert_null(strstr(page, "<img"));
    assert_null(strstr(page, "<table"));
    assert_null(strstr(page, "url("));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        look.brand = wrong[i];
        page = idv_mail_page(&look, IDV_MAIL_EN, "", *state);
        assert_non_null(strstr(page, "border-top:6px solid #1d4f91;"));
        assert_null(strstr(page, "//x"));
    }
    page = idv_mail_button(&look, "https://a.example/?a=\"><b>&c", "Go", *state);
    assert_null(strstr(page, "<b>"));
    assert_non_null(strstr(page, ">Go</a>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(says_the_code_first_and_last),
        pooled_test(chooses_the_language),
        pooled_test(lets_no_name_be_more_than_a_name),
        pooled_test(has_the_look_of_the_organization),
    };

    return unit_run("out/mail_code", tests);
}
