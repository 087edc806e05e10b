/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <apr_strings.h>

#include "out/mail_message.h"
#include "out/mail_notice.h"

#define DATE ((idv_time_t)1795271105000) /* Saturday, 21 November 2026 */

static const idv_mail_message_t simple = {
    .from = {"Verification", "verify@example.com"},
    .to = "specimen@example.org",
    .id = "eml_1",
    .date = DATE,
    .subject = "Hello",
    .text = "One\n.\nTwo",
    .html = "<p>One</p>",
};

static const char *written(const idv_mail_message_t *message, apr_pool_t *pool)
{
    const char *text = NULL;

    assert_null(idv_mail_message_write(message, &text, pool));
    return text;
}

static void has(const char *text, const char *wanted)
{
    if (!strstr(text, wanted))
        fail_msg("no '%s' in:\n%s", wanted, text);
}

/* What must hold of every message: lines with CR LF, none too long, ASCII, and
 * one header of each kind. */
static void is_well_formed(const char *text, apr_pool_t *pool)
{
    static const char *const fields[] = {"From", "To", "Subject", "Date",
                                         "Message-ID", "Auto-Submitted",
                                         "MIME-Version"};
    const char *header =
        apr_pstrmemdup(pool, text, (apr_size_t)(strstr(text, "\r\n\r\n") - text));
    size_t column = 0;

    for (const char *c = text; *c; c++) {
        assert_true((unsigned char)*c < 0x7f);
        if (*c == '\r')
            assert_int_equal(c[1], '\n');
        if (*c == '\n')
            assert_true(c > text && c[-1] == '\r');
        column = *c == '\n' ? 0 : column + 1;
        assert_in_range(column, 0, 79); /* with the CR */
    }
    header = apr_pstrcat(pool, "\r\n", header, NULL);
    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
        const char *field = apr_pstrcat(pool, "\r\n", fields[i], ": ", NULL);
        const char *place = strstr(header, field);

        assert_non_null(place);
        assert_null(strstr(place + 1, field));
    }
    assert_null(strstr(header, "\r\nBcc"));
}

static void writes_a_message(void **state)
{
    const char *text = written(&simple, *state);

    is_well_formed(text, *state);
    has(text, "From: \"Verification\"\r\n <verify@example.com>\r\n"
              "To: specimen@example.org\r\nSubject: Hello\r\n"
              "Date: Sat, 21 Nov 2026 14:25:05 +0000\r\n"
              "Message-ID: <eml_1@example.com>\r\n"
              "Auto-Submitted: auto-generated\r\n"
              "MIME-Version: 1.0\r\n"
              "Content-Type: multipart/alternative;\r\n"
              " boundary=\"=_eml_1\"\r\n\r\n"
              "--=_eml_1\r\nContent-Type: text/plain; charset=UTF-8\r\n"
              "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
              "One\r\n.\r\nTwo\r\n--=_eml_1\r\n"
              "Content-Type: text/html; charset=UTF-8\r\n");
    has(text, "<p>One</p>\r\n--=_eml_1--\r\n");
    assert_string_equal(written(&simple, *state), text);
}

static void encodes_names_and_subjects(void **state)
{
    idv_mail_message_t message = simple;
    const char *text;

    message.from.name = "Prüfstelle \"Süd\"";
    message.subject = "Österreich";
    text = written(&message, *state);
    is_well_formed(text, *state);
    has(text, "From: =?UTF-8?B?UHLDvGZzdGVsbGUgIlPDvGQi?=\r\n <verify@");
    has(text, "Subject: =?UTF-8?B?w5ZzdGVycmVpY2g=?=\r\n");
    message.from.name = "A \"B\" \\C, D";
    message.subject = "=?UTF-8?B?QQ==?=";
    text = written(&message, *state);
    has(text, "From: \"A \\\"B\\\" \\\\C, D\"\r\n <verify@");
    has(text, "Subject: =?UTF-8?B?PT9VVEYtOD9CP1FRPT0/PQ==?=\r\n");
}

static void breaks_long_texts(void **state)
{
    idv_mail_message_t message = simple;
    char *subject = apr_pcalloc(*state, 3001), *body = apr_pcalloc(*state, 9001);
    const char *text;

    for (int i = 0; i < 1000; i++) /* the euro sign: three bytes */
        memcpy(subject + 3 * i, "\xe2\x82\xac", 3);
    memset(body, 'x', 9000);
    message.subject = message.from.name = subject;
    message.text = message.html = body;
    text = written(&message, *state);
    is_well_formed(text, *state);
    /* No character is torn: each word is 12 whole ones. */
    has(text, "Subject: =?UTF-8?B?"
              "4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs?=\r\n =?UTF-8");
    has(text, "xxx=\r\nxxx");
    message.text = "end \ntab\t\n=3D caf\xc3\xa9\x01 ";
    text = written(&message, *state);
    has(text, "end=20\r\ntab=09\r\n=3D3D caf=C3=A9=01=20\r\n");
}

static void lets_nothing_be_injected(void **state)
{
    static const char evil[] =
        "x\r\nBcc: other@example.com\r\n\r\nbody\n.\r\n\tQUIT\x7f";
    idv_mail_message_t message = simple;
    const char *text;

    message.subject = message.from.name = message.text = message.html = evil;
    text = written(&message, *state);
    is_well_formed(text, *state);
    has(text, "Subject: x  Bcc: other@example.com    body .   QUIT \r\n");
    assert_null(strstr(text, "--=_eml_1--\r\n--"));
    /* A boundary cannot be written in a body. */
    message.text = "\n--=_eml_1--\n";
    has(written(&message, *state), "\r\n--=3D_eml_1--\r\n");
}

static void refuses_addresses_of_another_form(void **state)
{
    static const char *const wrong[] = {
        "", "a", "@b.example", "a@", "a@b@c.example", "a b@c.example",
        "a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example",
        "<a@b.example>", "a@b.example>", "\"a\"@b.example", "a@[127.0.0.1]"};
    idv_mail_message_t message = simple;
    const char *text;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        message.to = wrong[i];
        if (!idv_mail_message_write(&message, &text, *state))
            fail_msg("written to '%s'", wrong[i]);
        message.to = simple.to;
        message.from.address = wrong[i];
        if (!idv_mail_message_write(&message, &text, *state))
            fail_msg("written from '%s'", wrong[i]);
        message.from.address = simple.from.address;
    }
    message.to = "a@";
    for (int i = 0; i < 30; i++)
        message.to = apr_pstrcat(*state, message.to, "0123456789", NULL);
    assert_non_null(idv_mail_message_write(&message, &text, *state));
}

static void reads_mailboxes(void **state)
{
    static const char *const wrong[] = {
        "", "Name", "Name <>", "Name <a@b.example", "Name <a@b.example> x",
        "a@b\xc3\xbc.example", "<a b@c.example>", "N <a@b.example\r\n>"};
    idv_mailbox_t mailbox;

    assert_null(idv_mailbox_parse("a@b.example", &mailbox, *state));
    assert_null(mailbox.name);
    assert_string_equal(mailbox.address, "a@b.example");
    assert_null(idv_mailbox_parse("<a@b.example>", &mailbox, *state));
    assert_null(mailbox.name);
    assert_null(idv_mailbox_parse(" \"My Shop\" <a@b.example>", &mailbox, *state));
    assert_string_equal(mailbox.name, "My Shop");
    assert_string_equal(mailbox.address, "a@b.example");
    assert_null(idv_mailbox_parse("Prüfstelle <a@b.example>", &mailbox, *state));
    assert_string_equal(mailbox.name, "Prüfstelle");
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        if (!idv_mailbox_parse(wrong[i], &mailbox, *state))
            fail_msg("accepted: '%s'", wrong[i]);
}

/* --- the notice of a grant --- */

static idv_mail_message_t noticed(const idv_trust_reuse_notice_t *notice,
                                  apr_pool_t *pool)
{
    idv_mail_message_t message = simple;

    idv_trust_reuse_notice_write(notice, &message, pool);
    is_well_formed(written(&message, pool), pool);
    return message;
}

static void tells_of_a_grant(void **state)
{
    idv_trust_reuse_notice_t notice = {
        .look = {"Caf\xc3\xa9 <b>& Co\r\nBcc: x@example.com",
                 "{\"accent\":\"#7a1f3d\"}"},
        .age_tier = IDV_TIER_MIN_AGE_21,
        .granted_at = DATE,
        .link = "https://verify.example/verify/revoke#trg_secret",
    };
    idv_mail_message_t message = noticed(&notice, *state);

    assert_string_equal(message.subject,
                        "Caf\xc3\xa9 <b>& Co  Bcc: x@example.com accepted "
                        "your earlier verification");
    has(message.text, "on 2026-11-21 at 14:25 UTC, Caf\xc3\xa9 <b>& Co  Bcc");
    has(message.text, "confirmed that you are at least 21 years old.");
    has(message.text,
        "\n\nhttps://verify.example/verify/revoke#trg_secret\n\n");
    has(message.html, "Caf\xc3\xa9 &lt;b&gt;&amp; Co");
    assert_null(strstr(message.html, "<b>"));
    has(message.html,
        "<a href=\"https://verify.example/verify/revoke#trg_secret\" ");
    has(message.html, "background:#7a1f3d;");
    notice.identity = 1;
    message = noticed(&notice, *state);
    has(message.text, "that your identity was verified and that you are at");
    notice.age_tier = IDV_TIER_NONE;
    message = noticed(&notice, *state);
    has(message.text, "confirmed that your identity was verified. No");
}

static void tells_of_a_grant_in_each_language(void **state)
{
    static const char *const wishes[] = {"de-AT", "es", "fr", "it", "nl", "pl",
                                         "pt", "tr", "uk", "ar"};
    idv_trust_reuse_notice_t notice = {.look = {"Shop", NULL},
                                       .granted_at = DATE,
                                       .link = "https://verify.example/#x"};
    const char *english = noticed(&notice, *state).text;

    notice.wishes = "xx";
    assert_string_equal(noticed(&notice, *state).text, english);
    for (size_t i = 0; i < sizeof(wishes) / sizeof(*wishes); i++) {
        for (int kind = 0; kind < 3; kind++) {
            idv_mail_message_t message;

            notice.wishes = wishes[i];
            notice.identity = kind > 0;
            notice.age_tier = kind < 2 ? IDV_TIER_MIN_AGE_21 : IDV_TIER_NONE;
            message = noticed(&notice, *state);
            has(message.subject, "Shop");
            has(message.text, "Shop");
            has(message.text, "2026");
            has(message.text, "14:25 UTC");
            has(message.text, "\n\nhttps://verify.example/#x\n\n");
            has(message.html, apr_psprintf(*state, "<html lang=\"%.2s\"",
                                           wishes[i]));
            if (kind < 2)
                has(message.text, "21 ");
            assert_null(strstr(message.text, "sharing"));
            assert_null(strchr(message.text, '%'));
        }
    }
    notice.wishes = "de";
    has(noticed(&notice, *state).text, "am 21.11.2026, 14:25 UTC hat Shop eine");
}

static void cuts_long_names(void **state)
{
    char *name = apr_pcalloc(*state, 2001);
    idv_trust_reuse_notice_t notice = {.look = {name, NULL},
                                       .granted_at = DATE,
                                       .link = "https://verify.example/#x"};

    for (int i = 0; i < 1000; i++)
        memcpy(name + 2 * i, "\xc3\xa9", 2);
    noticed(&notice, *state);
    name[0] = 'x'; /* now a cut at an even place would tear a character */
    memmove(name + 1, "\xc3\xa9", 2);
    for (int i = 1; i < 999; i++)
        memcpy(name + 2 * i - 1, "\xc3\xa9", 2);
    name[1997] = '\0';
    assert_int_equal(strlen(noticed(&notice, *state).subject),
                     199 + strlen(" accepted your earlier verification"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(writes_a_message),
        pooled_test(encodes_names_and_subjects),
        pooled_test(breaks_long_texts),
        pooled_test(lets_nothing_be_injected),
        pooled_test(refuses_addresses_of_another_form),
        pooled_test(reads_mailboxes),
        pooled_test(tells_of_a_grant),
        pooled_test(tells_of_a_grant_in_each_language),
        pooled_test(cuts_long_names),
    };

    return unit_run("out/mail_message", tests);
}
