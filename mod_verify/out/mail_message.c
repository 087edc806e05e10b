/* SPDX-License-Identifier: Apache-2.0 */
#include "out/mail_message.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <apr_tables.h>
#include <apr_time.h>

#include "core/crypto.h"
#include "core/utf8.h"

#define WORD_BYTES 36   /* of text in an encoded word, below 75 characters */
#define PLAIN_BYTES 60  /* of a header text that stands as it is */
#define QUOTED_LINE 76  /* RFC 2045, 6.7 */
#define HEADER_TEXT 300 /* bytes of a subject or a name that are kept */

/* Whether C is a control character of ASCII, whatever the locale. */
static int is_control(char c)
{
    return (c >= 0 && c < ' ') || c == 0x7f;
}

/* --- addresses --- */

/* Whether a character of an address could end it, or begin something else. */
static int is_harmful(char c)
{
    return is_control(c) || strchr(" <>()[]\\,;:\"", c);
}

static int is_address(const char *text)
{
    const char *at = strrchr(text, '@');

    if (!at || at == text || !at[1] || strlen(text) > IDV_MAIL_ADDRESS_MAX
        || strchr(text, '@') != at)
        return 0;
    for (const char *c = text; *c; c++)
        if (is_harmful(*c))
            return 0;
    return 1;
}

static int is_ascii(const char *text)
{
    for (; *text; text++)
        if (*text & 0x80)
            return 0;
    return 1;
}

/* The name that stands from TEXT to END, before the "<", without the quotation
 * marks around it. */
static const char *name_before(const char *text, const char *end,
                               apr_pool_t *pool)
{
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    if (end - text >= 2 && *text == '"' && end[-1] == '"') {
        text++;
        end--;
    }
    return text == end ? NULL
                       : apr_pstrmemdup(pool, text, (apr_size_t)(end - text));
}

idv_error_t *idv_mailbox_parse(const char *text, idv_mailbox_t *mailbox,
                               apr_pool_t *pool)
{
    const char *open = strchr(text, '<');
    apr_size_t length = strlen(text);

    mailbox->name = NULL;
    mailbox->address = text;
    if (open) {
        if (text[length - 1] != '>')
            return idv_error_param(pool, NULL, "Must be an email address, "
                                               "optionally with a name.");
        mailbox->name = name_before(text, open, pool);
        mailbox->address = apr_pstrmemdup(
            pool, open + 1, (apr_size_t)(text + length - open) - 2);
    }
    if (!is_address(mailbox->address) || !is_ascii(mailbox->address))
        return idv_error_param(pool, NULL, "Must be an email address, "
                                           "optionally with a name.");
    return NULL;
}

/* --- texts of header fields --- */

/* TEXT as one line: as many whole characters as fit into MAXIMUM bytes, and a
 * space for each control character. */
static const char *one_line(const char *text, apr_size_t maximum,
                            apr_pool_t *pool)
{
    char *line = apr_pstrmemdup(pool, text, idv_utf8_prefix(text, maximum));

    for (char *c = line; *c; c++)
        if (is_control(*c))
            *c = ' ';
    return line;
}

static const char *base64(const char *bytes, apr_size_t length,
                          apr_pool_t *pool)
{
    return apr_pencode_base64_binary(pool, (const unsigned char *)bytes,
                                     (apr_ssize_t)length, APR_ENCODE_NONE,
                                     NULL);
}

/* RFC 2047: words of whole characters, a line each. */
static const char *encoded_words(const char *text, apr_pool_t *pool)
{
    const char *words = "";

    while (*text) {
        apr_size_t length = idv_utf8_prefix(text, WORD_BYTES);

        if (length == 0) /* no UTF-8: any cut is as good */
            length = WORD_BYTES;
        words = apr_pstrcat(pool, words, *words ? "\r\n " : "", "=?UTF-8?B?",
                            base64(text, length, pool), "?=", NULL);
        text += length;
    }
    return words;
}

static int needs_encoding(const char *text)
{
    return !is_ascii(text) || strlen(text) > PLAIN_BYTES
        || strstr(text, "=?") != NULL;
}

static const char *subject_field(const char *subject, apr_pool_t *pool)
{
    const char *text = one_line(subject, HEADER_TEXT, pool);

    return needs_encoding(text) ? encoded_words(text, pool) : text;
}

/* A quoted string, RFC 5322, 3.2.4. */
static const char *quoted(const char *text, apr_pool_t *pool)
{
    char *out = apr_palloc(pool, 2 * strlen(text) + 3), *end = out;

    *end++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *end++ = '\\';
        *end++ = *text;
    }
    *end++ = '"';
    *end = '\0';
    return out;
}

static const char *mailbox_field(const idv_mailbox_t *mailbox, apr_pool_t *pool)
{
    const char *name;

    if (!mailbox->name)
        return mailbox->address;
    name = one_line(mailbox->name, HEADER_TEXT, pool);
    return apr_pstrcat(pool,
                       needs_encoding(name) ? encoded_words(name, pool)
                                            : quoted(name, pool),
                       "\r\n <", mailbox->address, ">", NULL);
}

static const char *date_field(idv_time_t date, apr_pool_t *pool)
{
    apr_time_exp_t parts;

    apr_time_exp_gmt(&parts, apr_time_from_msec(date));
    return apr_psprintf(pool, "%s, %d %s %d %02d:%02d:%02d +0000",
                        apr_day_snames[parts.tm_wday], parts.tm_mday,
                        apr_month_snames[parts.tm_mon], parts.tm_year + 1900,
                        parts.tm_hour, parts.tm_min, parts.tm_sec);
}

/* --- bodies --- */

static int stands_for_itself(const char *c)
{
    if (*c == ' ' || *c == '\t')
        return c[1] && c[1] != '\n';
    return *c > ' ' && *c < 0x7f && *c != '=';
}

/* RFC 2045, 6.7. */
static const char *quoted_printable(const char *text, apr_pool_t *pool)
{
    static const char digits[] = "0123456789ABCDEF";
    /* Each byte becomes three at most; a line end is added before the 76th. */
    apr_size_t most = 3 * strlen(text);
    char *out = apr_palloc(pool, most + 3 * (most / (QUOTED_LINE - 4) + 1) + 1);
    char *end = out;
    int column = 0;

    for (; *text; text++) {
        int plain = stands_for_itself(text);

        if (*text == '\n') {
            *end++ = '\r';
            *end++ = '\n';
            column = 0;
            continue;
        }
        if (column + (plain ? 1 : 3) > QUOTED_LINE - 1) {
            memcpy(end, "=\r\n", 3);
            end += 3;
            column = 0;
        }
        if (plain) {
            *end++ = *text;
            column++;
            continue;
        }
        *end++ = '=';
        *end++ = digits[(unsigned char)*text >> 4];
        *end++ = digits[(unsigned char)*text & 15];
        column += 3;
    }
    *end = '\0';
    return out;
}

static const char *part(const char *boundary, const char *type,
                        const char *body, apr_pool_t *pool)
{
    return apr_pstrcat(pool, "--", boundary, "\r\n", "Content-Type: ", type,
                       "; charset=UTF-8\r\n",
                       "Content-Transfer-Encoding: quoted-printable\r\n\r\n",
                       quoted_printable(body, pool), "\r\n", NULL);
}

/* --- the message --- */

idv_error_t *idv_mail_message_write(const idv_mail_message_t *message,
                                    const char **out, apr_pool_t *pool)
{
    /* "=_" is in no quoted-printable text. */
    const char *boundary = apr_pstrcat(pool, "=_", message->id, NULL);
    const char *domain = strrchr(message->from.address, '@');

    if (!domain || !is_address(message->from.address)
        || !is_address(message->to))
        return idv_error_internal(pool, "a mail address is malformed");
    *out = apr_pstrcat(
        pool, "From: ", mailbox_field(&message->from, pool), "\r\n",
        "To: ", message->to, "\r\n",
        "Subject: ", subject_field(message->subject, pool), "\r\n",
        "Date: ", date_field(message->date, pool), "\r\n", "Message-ID: <",
        message->id, domain, ">\r\n", "Auto-Submitted: auto-generated\r\n",
        "MIME-Version: 1.0\r\n",
        "Content-Type: multipart/alternative;\r\n boundary=\"", boundary,
        "\"\r\n\r\n", part(boundary, "text/plain", message->text, pool),
        part(boundary, "text/html", message->html, pool), "--", boundary,
        "--\r\n", NULL);
    return NULL;
}
