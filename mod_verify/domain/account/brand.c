/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/account/brand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>
#include <openssl/evp.h>

#define LEAST_CONTRAST 4.5
#define NAME_MAX_CHARACTERS 100
#define PARTY_MAX_CHARACTERS 300
#define ADDRESS_MAX 2048
#define LOGO_URI_MAX 65536

/* The part of the luminance that a channel from 0 to 255 has (WCAG 2.2,
 * "relative luminance"). */
static double linear(unsigned channel)
{
    double share = channel / 255.0;

    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

double idv_brand_contrast(const char *accent)
{
    unsigned red, green, blue;

    if (!accent || accent[0] != '#' || strlen(accent) != 7)
        return 0;
    for (int i = 1; i < 7; i++)
        if (!apr_isxdigit(accent[i]))
            return 0;
    if (sscanf(accent + 1, "%2x%2x%2x", &red, &green, &blue) != 3)
        return 0;
    return 1.05
         / (0.2126 * linear(red) + 0.7152 * linear(green)
            + 0.0722 * linear(blue) + 0.05);
}

static idv_error_t *check_accent(const char *text, apr_pool_t *pool)
{
    double contrast = idv_brand_contrast(text);

    if (contrast == 0)
        return idv_error_param(pool, "accent", "must be a colour, such as "
                                               "`#1d4f91`.");
    if (contrast < LEAST_CONTRAST)
        return idv_error_param(pool, "accent",
                               "has a contrast of %.1f to 1 with white text. "
                               "Use a darker colour, with at least 4.5 to 1.",
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

/* A text in one line of at most LIMIT characters. */
static idv_error_t *check_line(const char *member, const char *text, int limit,
                               apr_pool_t *pool)
{
    int characters = 0;

    for (const char *c = text; *c && characters <= limit; c++) {
        characters += ((unsigned char)*c & 0xc0) != 0x80;
        if ((unsigned char)*c < ' ')
            return idv_error_param(pool, member,
                                   "must not contain control characters.");
    }
    if (characters < 1 || characters > limit)
        return idv_error_param(pool, member, "must have 1 to %d characters.",
                               limit);
    return NULL;
}

static idv_error_t *check_name(const char *text, apr_pool_t *pool)
{
    return check_line("name", text, NAME_MAX_CHARACTERS, pool);
}

static idv_error_t *check_controller(const char *text, apr_pool_t *pool)
{
    return check_line("controller", text, PARTY_MAX_CHARACTERS, pool);
}

static idv_error_t *check_operator(const char *text, apr_pool_t *pool)
{
    return check_line("operator", text, PARTY_MAX_CHARACTERS, pool);
}

static idv_error_t *check_logo(const char *text, apr_pool_t *pool)
{
    static const char *const kinds[] = {"data:image/png;base64,",
                                        "data:image/svg+xml;base64,",
                                        "data:image/webp;base64,", NULL};

    if (strlen(text) > LOGO_URI_MAX || !begins_with(text, kinds))
        return idv_error_param(pool, "logo",
                               "must be a PNG, SVG or WebP picture of at most "
                               "%d bytes.", IDV_BRAND_LOGO_MAX);
    return NULL;
}

static idv_error_t *check_support(const char *text, apr_pool_t *pool)
{
    static const char *const kinds[] = {"https://", "mailto:", "tel:", NULL};

    if (strlen(text) > ADDRESS_MAX || !begins_with(text, kinds))
        return idv_error_param(pool, "support",
                               "must be an https:, mailto: or tel: address.");
    return NULL;
}

static idv_error_t *check_privacy(const char *text, apr_pool_t *pool)
{
    static const char *const kinds[] = {"https://", NULL};

    if (strlen(text) > ADDRESS_MAX || !begins_with(text, kinds))
        return idv_error_param(pool, "privacy_url",
                               "must be an https: address.");
    return NULL;
}

static idv_error_t *check_theme(const char *text, apr_pool_t *pool)
{
    if (strcmp(text, "light") != 0 && strcmp(text, "dark") != 0
        && strcmp(text, "auto") != 0)
        return idv_error_param(pool, "theme",
                               "must be light, dark or auto.");
    return NULL;
}

static const struct {
    const char *name;
    idv_error_t *(*check)(const char *text, apr_pool_t *pool);
} members[] = {
    {"name", check_name},       {"logo", check_logo},
    {"accent", check_accent},   {"support", check_support},
    {"privacy_url", check_privacy}, {"theme", check_theme},
    {"controller", check_controller}, {"operator", check_operator},
};

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
    if (strcmp(name, "result_days") == 0 && !json_is_null(value))
        return check_result_days(value, pool);
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

idv_error_t *idv_brand_check(const json_t *brand, apr_pool_t *pool)
{
    const char *name;
    const json_t *value;

    if (!json_is_object(brand))
        return idv_error_param(pool, NULL, "A brand is an object.");
    json_object_foreach((json_t *)brand, name, value)
        IDV_TRY(check_member(name, value, pool));
    return NULL;
}

/* The media type of a picture by its first bytes; NULL: none that is taken. */
static const char *type_of(idv_bytes_t bytes, apr_pool_t *pool)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    const char *text = apr_pstrmemdup(pool, (const char *)bytes.data,
                                      bytes.length);

    if (bytes.length > sizeof(png) && memcmp(bytes.data, png, sizeof(png)) == 0)
        return "image/png";
    if (bytes.length > 12 && memcmp(bytes.data, "RIFF", 4) == 0
        && memcmp(bytes.data + 8, "WEBP", 4) == 0)
        return "image/webp";
    return strlen(text) == bytes.length && strstr(text, "<svg")
             ? "image/svg+xml" : NULL;
}

idv_error_t *idv_brand_logo(idv_bytes_t bytes, const char **uri,
                            apr_pool_t *pool)
{
    const char *type =
        bytes.length && bytes.length <= IDV_BRAND_LOGO_MAX
            ? type_of(bytes, pool) : NULL;
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
