/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/account/brand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>
#include <openssl/evp.h>

#include "domain/account/logo.h"
#include "domain/value/shown_name.h"
#include "domain/value/url.h"

#define LEAST_CONTRAST 4.5
#define NAME_MAX_CHARACTERS 100
#define PARTY_MAX_CHARACTERS 300
#define ADDRESS_MAX 2048
#define LOGO_URI_MAX 65536
#define WORDING_MAX 8192        /* bytes of all texts together */
#define WORD_MAX_CHARACTERS 200

/* The widget's letters and lines in its light scheme that need the most contrast
 * with the background: --edge of widget.css, 3:1 (WCAG 2.2, 1.4.11). With that,
 * all texts have 4.5:1. */
#define EDGE "#6f7e90"
#define LEAST_EDGE_CONTRAST 3.0

/* The part of the luminance that a channel from 0 to 255 has (WCAG 2.2,
 * "relative luminance"). */
static double linear(unsigned channel)
{
    double share = channel / 255.0;

    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

/* The relative luminance of "#rrggbb", 0 to 1; -1 for anything else. */
static double luminance(const char *color)
{
    unsigned red, green, blue;

    if (!color || color[0] != '#' || strlen(color) != 7)
        return -1;
    for (int i = 1; i < 7; i++)
        if (!apr_isxdigit(color[i]))
            return -1;
    if (sscanf(color + 1, "%2x%2x%2x", &red, &green, &blue) != 3)
        return -1;
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/* The contrast of COLOR with the lighter LIGHT; 0 if one is not a colour. */
static double contrast_of(const char *color, const char *light)
{
    double dark = luminance(color), bright = luminance(light);

    return dark < 0 || bright < 0 ? 0 : (bright + 0.05) / (dark + 0.05);
}

double idv_brand_contrast(const char *accent)
{
    return contrast_of(accent, "#ffffff");
}

static idv_error_t *check_accent(const char *text, apr_pool_t *pool)
{
    double contrast = idv_brand_contrast(text);

    if (contrast == 0)
        return idv_error_param(pool, "accent", "must be a color, such as "
                                               "`#1d4f91`.");
    if (contrast < LEAST_CONTRAST)
        return idv_error_param(pool, "accent",
                               "has a contrast of %.1f to 1 with white text. "
                               "Use a darker color, with at least 4.5 to 1.",
                               contrast);
    return NULL;
}

/* A text without control characters, which begins with one of PREFIXES. */
static int begins_with(const char *text, const char *const *prefixes)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c <= ' ')
            return 0;
    for (int i = 0; prefixes[i]; i++)
        if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
            return text[strlen(prefixes[i])] != '\0';
    return 0;
}

static idv_error_t *check_name(const char *text, apr_pool_t *pool)
{
    return idv_shown_name_check("name", text, NAME_MAX_CHARACTERS, pool);
}

static idv_error_t *check_controller(const char *text, apr_pool_t *pool)
{
    return idv_shown_name_check("controller", text, PARTY_MAX_CHARACTERS, pool);
}

static idv_error_t *check_operator(const char *text, apr_pool_t *pool)
{
    return idv_shown_name_check("operator", text, PARTY_MAX_CHARACTERS, pool);
}

#define DATA "data:"
#define BASE64 ";base64,"

/* Whether URI, of base64, has a picture of the type that it says. */
static int is_picture(const char *uri, apr_pool_t *pool)
{
    const char *text = strstr(uri, BASE64) + strlen(BASE64);
    size_t length = strlen(text);
    unsigned char *bytes = apr_palloc(pool, length + 1);
    int count = length % 4 ? -1
                           : EVP_DecodeBlock(bytes, (const unsigned char *)text,
                                             (int)length);
    const char *type;

    /* What fills up the last four letters became zeros. */
    for (; count > 0 && length && text[length - 1] == '='; length--)
        count--;
    if (count <= 0)
        return 0;
    type = idv_logo_type((idv_bytes_t){bytes, (apr_size_t)count}, pool);
    return type
        && strncmp(uri, apr_pstrcat(pool, DATA, type, BASE64, NULL),
                   (size_t)(text - uri)) == 0;
}

static idv_error_t *check_logo(const char *text, apr_pool_t *pool)
{
    static const char *const kinds[] = {DATA "image/png" BASE64,
                                        DATA "image/svg+xml" BASE64,
                                        DATA "image/webp" BASE64, NULL};

    if (strlen(text) > LOGO_URI_MAX || !begins_with(text, kinds)
        || !is_picture(text, pool))
        return idv_error_param(pool, "logo",
                               "must be a PNG, SVG or WebP picture of at most "
                               "%d bytes.", IDV_BRAND_LOGO_MAX);
    return NULL;
}

/* TEXT, which begins with https://, by the rule for return_url. */
static idv_error_t *check_url(const char *member, const char *text,
                              apr_pool_t *pool)
{
    const char *url;

    return idv_url_normalize(text, IDV_URL_REDIRECT, member, &url, pool);
}

static idv_error_t *check_support(const char *text, apr_pool_t *pool)
{
    static const char *const kinds[] = {"https://", "mailto:", "tel:", NULL};

    if (strlen(text) > ADDRESS_MAX || !begins_with(text, kinds))
        return idv_error_param(pool, "support",
                               "must be an https:, mailto: or tel: address.");
    return *text == 'h' ? check_url("support", text, pool) : NULL;
}

static idv_error_t *check_privacy(const char *text, apr_pool_t *pool)
{
    static const char *const kinds[] = {"https://", NULL};

    if (strlen(text) > ADDRESS_MAX || !begins_with(text, kinds))
        return idv_error_param(pool, "privacy_url",
                               "must be an https: address.");
    return check_url("privacy_url", text, pool);
}

static idv_error_t *check_background(const char *text, apr_pool_t *pool)
{
    if (luminance(text) < 0)
        return idv_error_param(pool, "background", "must be a color, such as "
                                                   "`#fbf7f0`.");
    if (contrast_of(EDGE, text) < LEAST_EDGE_CONTRAST)
        return idv_error_param(pool, "background",
                               "is too dark for the page's text. Use a lighter "
                               "color; the dark theme has its own background.");
    return NULL;
}

/* One of WORDS, which are separated by "|". */
static idv_error_t *check_word(const char *member, const char *text,
                               const char *words, apr_pool_t *pool)
{
    apr_size_t length = strchr(text, '|') ? 0 : strlen(text);

    for (const char *word = words; word; word = strchr(word, '|')) {
        word += *word == '|';
        if (length && strncmp(word, text, length) == 0
            && (word[length] == '|' || !word[length]))
            return NULL;
    }
    return idv_error_param(pool, member, "must be one of %s.", words);
}

static idv_error_t *check_theme(const char *text, apr_pool_t *pool)
{
    return check_word("theme", text, "light|dark|auto", pool);
}

static idv_error_t *check_font(const char *text, apr_pool_t *pool)
{
    return check_word("font", text, "system|serif|rounded", pool);
}

static idv_error_t *check_radius(const char *text, apr_pool_t *pool)
{
    return check_word("radius", text, "none|small|large", pool);
}

static idv_error_t *check_density(const char *text, apr_pool_t *pool)
{
    return check_word("density", text, "comfortable|compact", pool);
}

static const struct {
    const char *name;
    idv_error_t *(*check)(const char *text, apr_pool_t *pool);
} members[] = {
    {"name", check_name},       {"logo", check_logo},
    {"accent", check_accent},   {"support", check_support},
    {"privacy_url", check_privacy}, {"theme", check_theme},
    {"controller", check_controller}, {"operator", check_operator},
    {"background", check_background}, {"font", check_font},
    {"radius", check_radius}, {"density", check_density},
};

/* --- wording --- */

static const char *const languages[] = {"en", "de", "es", "fr", "it", "nl",
                                        "pl", "pt", "tr", "uk", "ar", NULL};

#define IDV_BRAND_WORD(key) key,
static const char *const words[] = {
#include "domain/account/brand_wording.def"
    NULL};
#undef IDV_BRAND_WORD

static int is_one_of(const char *text, const char *const *list)
{
    while (*list && strcmp(*list, text) != 0)
        list++;
    return *list != NULL;
}

/* TEXTS of LANGUAGE: its key -> text. */
static idv_error_t *check_texts(const char *language, const json_t *texts,
                                apr_pool_t *pool)
{
    const char *key;
    const json_t *text;

    if (!is_one_of(language, languages))
        return idv_error_param(pool, "wording",
                               "has an unknown language, `%s`.",
                               apr_pstrdup(pool, language));
    if (!json_is_object(texts))
        return idv_error_param(pool, "wording", "must be an object of objects.");
    json_object_foreach((json_t *)texts, key, text) {
        if (!is_one_of(key, words))
            return idv_error_param(pool, "wording",
                                   "cannot change `%s`. The manual lists the "
                                   "texts that it can change.",
                                   apr_pstrdup(pool, key));
        if (!json_is_string(text))
            return idv_error_param(pool, "wording", "must contain texts.");
        IDV_TRY(idv_shown_name_check("wording", json_string_value(text),
                           WORD_MAX_CHARACTERS, pool));
    }
    return NULL;
}

static idv_error_t *check_wording(const json_t *wording, apr_pool_t *pool)
{
    const char *language;
    const json_t *texts;

    if (!json_is_object(wording))
        return idv_error_param(pool, "wording", "must be an object of objects.");
    if (json_dumpb(wording, NULL, 0, JSON_COMPACT) > WORDING_MAX)
        return idv_error_param(pool, "wording", "must have at most %d bytes.",
                               WORDING_MAX);
    json_object_foreach((json_t *)wording, language, texts)
        IDV_TRY(check_texts(language, texts, pool));
    return NULL;
}

static idv_error_t *check_result_days(const json_t *value, apr_pool_t *pool)
{
    if (!json_is_integer(value) || json_integer_value(value) < 1
        || json_integer_value(value) > IDV_BRAND_RESULT_DAYS_MAX)
        return idv_error_param(pool, "result_days",
                               "must be a number of days from 1 to %d.",
                               IDV_BRAND_RESULT_DAYS_MAX);
    return NULL;
}

static idv_error_t *check_member(const char *name, const json_t *value,
                                 apr_pool_t *pool)
{
    if (strcmp(name, "result_days") == 0)
        return json_is_null(value) ? NULL : check_result_days(value, pool);
    if (strcmp(name, "wording") == 0)
        return json_is_null(value) ? NULL : check_wording(value, pool);
    for (apr_size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
        if (strcmp(members[i].name, name) != 0)
            continue;
        if (json_is_null(value))
            return NULL;
        if (!json_is_string(value))
            return idv_error_param(pool, members[i].name, "must be a text.");
        return members[i].check(json_string_value(value), pool);
    }
    return idv_error_param(pool, apr_pstrdup(pool, name), "is not a setting of "
                                                          "a brand.");
}

/* Links have the accent's colour, on the background. */
static idv_error_t *check_pair(const json_t *brand, apr_pool_t *pool)
{
    const char *accent = json_string_value(json_object_get(brand, "accent"));
    const char *background =
        json_string_value(json_object_get(brand, "background"));
    double contrast = accent && background ? contrast_of(accent, background)
                                           : LEAST_CONTRAST;

    if (contrast < LEAST_CONTRAST)
        return idv_error_param(pool, "background",
                               "has a contrast of %.1f to 1 with the accent "
                               "color. Use a lighter background or a darker "
                               "accent, with at least 4.5 to 1.", contrast);
    return NULL;
}

idv_error_t *idv_brand_check(const json_t *brand, apr_pool_t *pool)
{
    const char *name;
    const json_t *value;

    if (!json_is_object(brand))
        return idv_error_param(pool, NULL, "A brand is an object.");
    json_object_foreach((json_t *)brand, name, value)
        IDV_TRY(check_member(name, value, pool));
    return check_pair(brand, pool);
}

idv_error_t *idv_brand_logo(idv_bytes_t bytes, const char **uri,
                            apr_pool_t *pool)
{
    const char *type =
        bytes.length && bytes.length <= IDV_BRAND_LOGO_MAX
            ? idv_logo_type(bytes, pool) : NULL;
    unsigned char *encoded;

    if (!type)
        return idv_error_param(pool, "logo",
                               "must be a PNG, SVG or WebP picture of at most "
                               "%d bytes.", IDV_BRAND_LOGO_MAX);
    encoded = apr_palloc(pool, (bytes.length + 2) / 3 * 4 + 1);
    EVP_EncodeBlock(encoded, bytes.data, (int)bytes.length);
    *uri = apr_pstrcat(pool, "data:", type, ";base64,", (char *)encoded, NULL);
    return NULL;
}
