/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/csp_source.h"

#include <string.h>

#include <apr_strings.h>

/* A scheme, host and port; lengths, because the texts are parts of others. */
typedef struct {
    const char *scheme, *host, *port;
    size_t scheme_length, host_length, port_length; /* 0: none */
} place_t;

/* [scheme "://"] host [":" port] [path]. The port follows the last colon that
 * is not part of an IPv6 address. */
static void split(const char *text, place_t *place)
{
    const char *mark = strstr(text, "://"), *colon;

    memset(place, 0, sizeof(*place));
    place->host = text;
    if (mark) {
        place->scheme = text;
        place->scheme_length = (size_t)(mark - text);
        place->host = mark + 3;
    }
    place->host_length = strcspn(place->host, "/");
    colon = place->host + strcspn(place->host, "/]");
    if (*colon != ']')
        colon = place->host;
    colon += strcspn(colon, "/:");
    if (*colon != ':')
        return;
    place->port = colon + 1;
    place->port_length = strcspn(place->port, "/");
    place->host_length = (size_t)(colon - place->host);
}

static int is_text(const char *text, size_t length, const char *expected)
{
    return strlen(expected) == length
        && strncasecmp(text, expected, length) == 0;
}

static int is_same(const char *one, size_t length, const char *other,
                   size_t other_length)
{
    return length == other_length && strncasecmp(one, other, length) == 0;
}

/* A source with http also allows https. */
static int fits_scheme(const place_t *source, const place_t *own,
                       const place_t *origin)
{
    const place_t *asked = source->scheme_length ? source : own;

    return is_same(asked->scheme, asked->scheme_length, origin->scheme,
                   origin->scheme_length)
        || (is_text(asked->scheme, asked->scheme_length, "http")
            && is_text(origin->scheme, origin->scheme_length, "https"));
}

/* "*.shop.example" does not include "shop.example". */
static int fits_host(const place_t *source, const place_t *origin)
{
    size_t suffix;

    if (!source->host_length)
        return 0;
    if (is_text(source->host, source->host_length, "*"))
        return 1;
    if (strncmp(source->host, "*.", 2) != 0)
        return is_same(source->host, source->host_length, origin->host,
                       origin->host_length);
    suffix = source->host_length - 1;
    return origin->host_length > suffix
        && strncasecmp(origin->host + origin->host_length - suffix,
                       source->host + 1, suffix)
               == 0;
}

/* An origin does not name the default port of its scheme. */
static int is_default_port(const place_t *source, const place_t *origin)
{
    return (is_text(origin->scheme, origin->scheme_length, "https")
            && is_text(source->port, source->port_length, "443"))
        || (is_text(origin->scheme, origin->scheme_length, "http")
            && is_text(source->port, source->port_length, "80"));
}

static int fits_port(const place_t *source, const place_t *origin)
{
    if (source->port_length && is_text(source->port, source->port_length, "*"))
        return 1;
    if (!origin->port_length)
        return !source->port_length || is_default_port(source, origin);
    return is_same(source->port, source->port_length, origin->port,
                   origin->port_length);
}

/* Unlike a source, an origin has neither path nor query nor user information. */
static int is_origin(const char *text)
{
    static const char host_characters[] = "abcdefghijklmnopqrstuvwxyz"
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789-._:[]";
    const char *mark = strstr(text, "://");

    return mark && mark != text && mark[3]
        && mark[3 + strspn(mark + 3, host_characters)] == '\0';
}

int idv_csp_source_allows(const char *source, const char *own,
                          const char *origin)
{
    place_t asked, from, page;
    size_t length = strlen(source);

    if (!is_origin(origin))
        return 0;
    split(origin, &page);
    if (!page.host_length)
        return 0;
    if (strcmp(source, "'self'") == 0)
        return strcmp(own, origin) == 0;
    if (strcmp(source, "*") == 0)
        return is_text(page.scheme, page.scheme_length, "https")
            || is_text(page.scheme, page.scheme_length, "http");
    if (length > 1 && source[length - 1] == ':') {
        asked = (place_t){.scheme = source, .scheme_length = length - 1};
        return fits_scheme(&asked, &asked, &page);
    }
    split(source, &asked);
    split(own, &from);
    return fits_scheme(&asked, &from, &page) && fits_host(&asked, &page)
        && fits_port(&asked, &page);
}
