/* SPDX-License-Identifier: Apache-2.0 */
#include "out/trust_reuse_notice.h"

#include <string.h>

#include <apr_escape.h>
#include <apr_strings.h>
#include <apr_time.h>

#include "core/crypto.h"

#define NAME_BYTES 200 /* of an organization's name that are shown */

/* Both forms of the e-mail say the same sentences. */
#define OPENING                                                                \
    "on %s, %s accepted a verification that you had completed earlier. "       \
    "You had agreed that it may be used again, so you were not asked for a "   \
    "document this time."
#define CONFIRMED                                                              \
    "It was confirmed that %s. No document, picture, name or "                 \
    "date of birth was passed on."
#define CHOICE                                                                 \
    "You can stop this at any time, for this organization or for all of them:"
#define SECRET                                                                 \
    "Whoever has this link can stop the sharing. Please do not pass it on."
#define CLOSING "This message was sent automatically."

static const char text_form[] =
    "Hello,\n\n" OPENING "\n\n" CONFIRMED "\n\n" CHOICE "\n\n%s\n\n" SECRET
    "\n\n" CLOSING "\n";

static const char html_form[] =
    "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n"
    "<title>%s</title></head>\n<body>\n<p>Hello,</p>\n<p>" OPENING
    "</p>\n<p>" CONFIRMED "</p>\n<p>" CHOICE
    "</p>\n<p><a href=\"%s\">Stop sharing</a></p>\n<p>" SECRET
    "</p>\n<p>" CLOSING "</p>\n</body>\n</html>\n";

static const char *moment(idv_time_t time, apr_pool_t *pool)
{
    apr_time_exp_t parts;

    apr_time_exp_gmt(&parts, apr_time_from_msec(time));
    return apr_psprintf(pool, "%d %s %d at %02d:%02d UTC", parts.tm_mday,
                        apr_month_snames[parts.tm_mon], parts.tm_year + 1900,
                        parts.tm_hour, parts.tm_min);
}

static const char *confirmed(const idv_trust_reuse_notice_t *notice,
                             apr_pool_t *pool)
{
    int age = idv_tier_age(notice->age_tier);

    if (age == 0)
        return "your identity was verified";
    return apr_psprintf(
        pool, "%syou are at least %d years old",
        notice->identity ? "your identity was verified and that " : "", age);
}

void idv_trust_reuse_notice_write(const idv_trust_reuse_notice_t *notice,
                                  idv_mail_message_t *message, apr_pool_t *pool)
{
    const char *name = idv_mail_line(notice->organization, NAME_BYTES, pool);
    const char *when = moment(notice->granted_at, pool);
    const char *what = confirmed(notice, pool);
    const char *escaped = apr_pescape_entity(pool, name, 0);
    char *text = apr_psprintf(pool, text_form, when, name, what, notice->link);
    char *html = apr_psprintf(pool, html_form, escaped, when, escaped, what,
                              apr_pescape_entity(pool, notice->link, 0));

    idv_wipe_with_pool(text, strlen(text), pool);
    idv_wipe_with_pool(html, strlen(html), pool);
    message->subject =
        apr_pstrcat(pool, name, " accepted your earlier verification", NULL);
    message->text = text;
    message->html = html;
}
