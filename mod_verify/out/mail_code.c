/* SPDX-License-Identifier: Apache-2.0 */
#include "out/mail_code.h"

#include <string.h>
#include <strings.h>

#include <apr_escape.h>
#include <apr_strings.h>

#include "core/crypto.h"
#include "core/utf8.h"

#define NAME_BYTES 200 /* of an organization's name that are shown */

/* What it says in each language; the first is that of everybody else. Subject:
 * code, organization. */
typedef struct {
    const char *language;
    const char *subject;
    const char *greeting;
    const char *purpose; /* organization */
    const char *time;    /* minutes */
    const char *warning; /* organization */
    const char *unasked;
} texts_t;

static const texts_t all_texts[] = {
    {"en", "%s is your code for %s", "Hello,",
     "with this code you confirm your e-mail address to %s:",
     "It is good for %d minutes.",
     "Enter it only on the page where you asked for it. Nobody of %s will ever "
     "ask you for it.",
     "If you did not ask for a code, there is nothing to do: without it nobody "
     "can use your address."},
    {"de", "%s ist Ihr Code f\xc3\xbcr %s", "Guten Tag,",
     "mit diesem Code best\xc3\xa4tigen Sie %s Ihre E-Mail-Adresse:",
     "Er gilt %d Minuten lang.",
     "Geben Sie ihn nur auf der Seite ein, auf der Sie ihn angefordert haben. "
     "Niemand von %s wird Sie je danach fragen.",
     "Wenn Sie keinen Code angefordert haben, m\xc3\xbcssen Sie nichts tun: Ohne "
     "ihn kann niemand Ihre Adresse verwenden."},
};

#define LANGUAGES ((int)(sizeof(all_texts) / sizeof(*all_texts)))

/* The texts in the first of the languages in WISHES that there are any in. */
static const texts_t *texts_for(const char *wishes)
{
    while (wishes && *wishes) {
        size_t length;

        wishes += strspn(wishes, " \t,");
        length = strcspn(wishes, "-,; \t");
        for (int i = 0; length > 0 && i < LANGUAGES; i++)
            if (strlen(all_texts[i].language) == length
                && strncasecmp(wishes, all_texts[i].language, length) == 0)
                return &all_texts[i];
        wishes += strcspn(wishes, ",");
    }
    return &all_texts[0];
}

/* NAME in one line, without what could end a sentence of ours early. */
static const char *shown(const char *name, apr_pool_t *pool)
{
    char *text = apr_pstrmemdup(pool, name, idv_utf8_prefix(name, NAME_BYTES));

    for (char *c = text; *c; c++)
        if ((*c >= 0 && *c < ' ') || *c == 0x7f)
            *c = ' ';
    return text;
}

static char *wiped(char *text, apr_pool_t *pool)
{
    idv_wipe_with_pool(text, strlen(text), pool);
    return text;
}

/* Format strings that are chosen at run time are the constants above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static char *filled(const char *format, const char *text, apr_pool_t *pool)
{
    return apr_psprintf(pool, format, text);
}

void idv_mail_code_write(const idv_mail_code_t *mail,
                         idv_mail_message_t *message, apr_pool_t *pool)
{
    const texts_t *texts = texts_for(mail->wishes);
    const char *name = shown(mail->organization, pool);
    const char *escaped = apr_pescape_entity(pool, name, 0);
    const char *time = apr_psprintf(pool, texts->time, mail->minutes);

    message->subject =
        wiped(apr_psprintf(pool, texts->subject, mail->code, name), pool);
    message->text = wiped(
        apr_pstrcat(pool, texts->greeting, "\n\n",
                    filled(texts->purpose, name, pool), "\n\n    ", mail->code,
                    "\n\n", time, " ", filled(texts->warning, name, pool),
                    "\n\n", texts->unasked, "\n\n@", mail->host, " #",
                    mail->code, "\n", NULL),
        pool);
    message->html = wiped(
        apr_pstrcat(pool, "<!doctype html>\n<html lang=\"", texts->language,
                    "\">\n<head><meta charset=\"utf-8\">\n<title>", escaped,
                    "</title></head>\n<body>\n<p>", texts->greeting,
                    "</p>\n<p>", filled(texts->purpose, escaped, pool),
                    "</p>\n<p><strong style=\"font-size:2em;"
                    "letter-spacing:0.1em\">",
                    mail->code, "</strong></p>\n<p>", time, " ",
                    filled(texts->warning, escaped, pool), "</p>\n<p>",
                    texts->unasked, "</p>\n<p>@", mail->host, " #", mail->code,
                    "</p>\n</body>\n</html>\n", NULL),
        pool);
}

#pragma GCC diagnostic pop
