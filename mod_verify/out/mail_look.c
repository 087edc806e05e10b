/* SPDX-License-Identifier: Apache-2.0 */
#include "out/mail_look.h"

#include <string.h>
#include <strings.h>

#include <apr_escape.h>
#include <apr_strings.h>

#include "core/crypto.h"
#include "core/json.h"
#include "core/utf8.h"
#include "domain/account/brand.h"

#define NAME_BYTES 200 /* of an organization's name that are shown */
#define DEFAULT_ACCENT "#1d4f91"

static const char *const tags[] = {
#define X(name, tag) tag,
    IDV_MAIL_LANGUAGES(X)
#undef X
};

idv_mail_language_t idv_mail_language(const char *wishes)
{
    while (wishes && *wishes) {
        size_t length;

        wishes += strspn(wishes, " \t,");
        length = strcspn(wishes, "-,; \t");
        for (int i = 0; length > 0 && i < IDV_MAIL_LANGUAGE_COUNT; i++)
            if (strlen(tags[i]) == length
                && strncasecmp(wishes, tags[i], length) == 0)
                return (idv_mail_language_t)i;
        wishes += strcspn(wishes, ",");
    }
    return (idv_mail_language_t)0;
}

const char *idv_mail_wiped(char *text, apr_pool_t *pool)
{
    idv_wipe_with_pool(text, strlen(text), pool);
    return text;
}

/* A line end could end a sentence of ours early. */
const char *idv_mail_name(const idv_mail_look_t *look, apr_pool_t *pool)
{
    char *text = apr_pstrmemdup(pool, look->name,
                                idv_utf8_prefix(look->name, NAME_BYTES));

    for (char *c = text; *c; c++)
        if ((*c >= 0 && *c < ' ') || *c == 0x7f)
            *c = ' ';
    return text;
}

/* --- the page --- */

/* Mail programs that know dark schemes replace the colors by these; others
 * invert the page by themselves. The accent may be too dark for letters there.
 */
static const char dark_style[] =
    "@media (prefers-color-scheme:dark){"
    ".ground{background:#0e141b!important}"
    ".card,.name{background:#171f29!important;color:#e9eef4!important}"
    ".small{color:#a9b6c5!important}}";

static const char *accent_of(const idv_mail_look_t *look, apr_pool_t *pool)
{
    const json_t *brand = look->brand ? idv_json_load(look->brand, pool) : NULL;
    const char *accent = json_string_value(json_object_get(brand, "accent"));

    return accent && idv_brand_contrast(accent) > 0 ? accent : DEFAULT_ACCENT;
}

const char *idv_mail_page(const idv_mail_look_t *look,
                          idv_mail_language_t language, const char *content,
                          apr_pool_t *pool)
{
    const char *name = apr_pescape_entity(pool, idv_mail_name(look, pool), 0);
    const char *accent = accent_of(look, pool);

    return idv_mail_wiped(
        apr_pstrcat(
            pool, "<!doctype html>\n<html lang=\"", tags[language], "\" dir=\"",
            language == IDV_MAIL_AR ? "rtl" : "ltr",
            "\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
            name, "</title>\n<style>", dark_style,
            "</style>\n</head>\n"
            "<body class=\"ground\" style=\"margin:0;background:#eef2f6\">\n"
            "<div class=\"ground\" style=\"padding:24px 12px;"
            "background:#eef2f6\">\n"
            "<div class=\"card\" style=\"max-width:32em;margin:0 auto;"
            "padding:24px;border-top:6px solid ",
            accent,
            ";border-radius:8px;background:#ffffff;color:#14202e;"
            "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,"
            "sans-serif\">\n"
            "<p class=\"name\" style=\"margin:0 0 20px;font-size:20px;"
            "font-weight:bold;color:",
            accent, "\">", name, "</p>\n", content,
            "</div>\n</div>\n</body>\n</html>\n", NULL),
        pool);
}

const char *idv_mail_button(const idv_mail_look_t *look, const char *url,
                            const char *label, apr_pool_t *pool)
{
    return idv_mail_wiped(
        apr_pstrcat(pool, "<p style=\"margin:24px 0\"><a href=\"",
                    apr_pescape_entity(pool, url, 0),
                    "\" style=\"display:inline-block;padding:12px 20px;"
                    "border-radius:8px;background:",
                    accent_of(look, pool),
                    ";color:#ffffff;font-weight:bold;text-decoration:none\">",
                    label, "</a></p>\n", NULL),
        pool);
}
