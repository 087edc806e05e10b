/* SPDX-License-Identifier: Apache-2.0 */
#include "out/mail_notice.h"

#include <apr_escape.h>
#include <apr_strings.h>
#include <apr_time.h>

typedef struct {
    const char *subject; /* organization */
    const char *date;    /* of strftime(), numbers only */
    const char *greeting;
    const char *opening; /* date, organization */
    const char *age;     /* years */
    const char *identity;
    const char *both; /* years */
    const char *nothing;
    const char *choice, *button;
    const char *secret, *closing;
} texts_t;

static const texts_t all_texts[IDV_MAIL_LANGUAGE_COUNT] = {
#define IDV_NOTICE_TEXTS(language, ...) [IDV_MAIL_##language] = {__VA_ARGS__},
#include "out/mail_notice_texts.def"
#undef IDV_NOTICE_TEXTS
};

static const char *moment(const char *format, idv_time_t time, apr_pool_t *pool)
{
    char text[64];
    apr_size_t length;
    apr_time_exp_t parts;

    apr_time_exp_gmt(&parts, apr_time_from_msec(time));
    apr_strftime(text, &length, sizeof(text), format, &parts);
    return apr_pstrcat(pool, text, " UTC", NULL);
}

/* Format strings that are chosen at run time are those of the table. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static const char *filled(const char *format, const char *text,
                          apr_pool_t *pool)
{
    return apr_psprintf(pool, format, text);
}

static const char *confirmed(const idv_trust_reuse_notice_t *notice,
                             const texts_t *texts, apr_pool_t *pool)
{
    int age = idv_tier_age(notice->age_tier);

    if (age == 0)
        return texts->identity;
    return apr_psprintf(pool, notice->identity ? texts->both : texts->age, age);
}

static const char *opening(const idv_trust_reuse_notice_t *notice,
                           const texts_t *texts, const char *name,
                           apr_pool_t *pool)
{
    return apr_psprintf(pool, texts->opening,
                        moment(texts->date, notice->granted_at, pool), name);
}

#pragma GCC diagnostic pop

static const char *html_of(const idv_trust_reuse_notice_t *notice,
                           idv_mail_language_t language, const char *name,
                           apr_pool_t *pool)
{
    const texts_t *texts = &all_texts[language];
    const char *escaped = apr_pescape_entity(pool, name, 0);
    const char *button =
        idv_mail_button(&notice->look, notice->link, texts->button, pool);
    char *content = apr_pstrcat(
        pool, "<p>", texts->greeting, "</p>\n<p>",
        opening(notice, texts, escaped, pool), "</p>\n<p>",
        confirmed(notice, texts, pool), " ", texts->nothing, "</p>\n<p>",
        texts->choice, "</p>\n", button, "<p>", texts->secret,
        "</p>\n<p class=\"small\" style=\"margin:24px 0 0;font-size:14px;"
        "color:#4d5b6c\">",
        texts->closing, "</p>\n", NULL);

    return idv_mail_page(&notice->look, language, idv_mail_wiped(content, pool),
                         pool);
}

void idv_trust_reuse_notice_write(const idv_trust_reuse_notice_t *notice,
                                  idv_mail_message_t *message, apr_pool_t *pool)
{
    idv_mail_language_t language = idv_mail_language(notice->wishes);
    const texts_t *texts = &all_texts[language];
    const char *name = idv_mail_name(&notice->look, pool);

    message->subject = filled(texts->subject, name, pool);
    message->text = idv_mail_wiped(
        apr_pstrcat(pool, texts->greeting, "\n\n",
                    opening(notice, texts, name, pool), "\n\n",
                    confirmed(notice, texts, pool), " ", texts->nothing, "\n\n",
                    texts->choice, "\n\n", notice->link, "\n\n", texts->secret,
                    "\n\n", texts->closing, "\n", NULL),
        pool);
    message->html = html_of(notice, language, name, pool);
}
