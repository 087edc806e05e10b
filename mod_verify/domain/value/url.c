/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/url.h"

#include <string.h>
#include <strings.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "core/utf8.h"
#include "domain/value/host_name.h"

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define HEXADECIMAL DIGITS "abcdefABCDEF"
#define HOST_MAX 253
/* Bytes of a host name in UTF-8 up to which it is converted. */
#define HOST_TEXT_MAX (4 * HOST_MAX)

/* RFC 3986: the characters of paths, queries and fragments, but '%'. */
static const char url_characters[] =
    LETTERS DIGITS "-._~!$&'()*+,;=:@/?";

/* The parts that decide; the text behind the authority is only scanned. */
typedef struct {
    int secure;         /* https */
    const char *host;   /* without brackets */
    size_t host_length;
    int literal;        /* the host stood in brackets */
    const char *rest;   /* path, query and fragment */
} parts_t;

static int starts_with(const char *text, const char *prefix)
{
    return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

/* A dotted quad without leading zeros, RFC 3986's IPv4address. */
static int is_ipv4(const char *host, size_t length, int *first)
{
    const char *end = host + length;

    for (int octet = 0; octet < 4; octet++) {
        int value = 0, digits = 0;

        while (host < end && apr_isdigit(*host) && digits < 3) {
            value = value * 10 + (*host++ - '0');
            digits++;
        }
        if (digits == 0 || value > 255
            || (digits > 1 && host[-digits] == '0'))
            return 0;
        if (octet == 0)
            *first = value;
        if (octet < 3 && (host == end || *host++ != '.'))
            return 0;
    }
    return host == end;
}

/* The fault of LABEL, SIZE characters in a name up to END. */
static const char *label_fault(const char *label, size_t size, const char *end)
{
    const char *stop = label + size;

    if (stop < end && *stop != '.')
        return "must have a host name of letters, digits, hyphens and dots.";
    if (size == 0)
        return "must not have an empty label or a final dot in the host name.";
    if (size > 63)
        return "must have a host name with labels of at most 63 characters.";
    if (label[0] == '-' || stop[-1] == '-')
        return "must not have a label that begins or ends with a hyphen in the "
               "host name.";
    return NULL;
}

/* The fault of a host name of labels of letters, digits and inner hyphens;
 * NULL: none. If the last label is a number, the name must be a dotted quad:
 * curl and browsers read "127.1" and "0x7f000001" as addresses. */
static const char *name_fault(const char *host, size_t length)
{
    const char *label = host, *end = host + length;

    if (length == 0)
        return "must have a host.";
    if (length > HOST_MAX)
        return "must have a host name of at most 253 characters.";
    for (;;) {
        size_t size = strspn(label, LETTERS DIGITS "-");
        const char *stop = label + size;
        const char *fault = label_fault(label, size, end);
        int first;

        if (fault)
            return fault;
        if (stop < end) {
            label = stop + 1;
            continue;
        }
        if ((strspn(label, DIGITS) >= size || starts_with(label, "0x"))
            && !is_ipv4(host, length, &first))
            return "must have an IPv4 address of four decimal numbers without "
                   "leading zeros.";
        return NULL;
    }
}

/* The inside of brackets, as inet_pton takes it but without zones. */
static int is_ipv6(const char *host, size_t length)
{
    int groups = 0, gap = 0;
    const char *end = host + length;

    while (host < end) {
        size_t digits = strspn(host, HEXADECIMAL);
        int first;

        if (host[0] == ':' && host[1] == ':' && !gap++) {
            host += 2;
            continue;
        }
        if (digits == 0)
            return 0;
        if (host[digits] == '.')
            return is_ipv4(host, (size_t)(end - host), &first)
                && (gap ? groups <= 5 : groups == 6);
        if (digits > 4 || ++groups > 8)
            return 0;
        host += digits;
        if (host < end && host[0] == ':' && host[1] != ':' && ++host == end)
            return 0;
    }
    return gap ? groups < 8 : groups == 8;
}

static int is_loopback(const parts_t *parts)
{
    int first = 0;

    if (parts->literal)
        return parts->host_length == 3 && !strncmp(parts->host, "::1", 3);
    if (is_ipv4(parts->host, parts->host_length, &first))
        return first == 127;
    if (parts->host_length < 9)
        return 0;
    /* RFC 6761, 6.3: localhost and the names below it */
    return !strncasecmp(parts->host + parts->host_length - 9, "localhost", 9)
        && (parts->host_length == 9
            || parts->host[parts->host_length - 10] == '.');
}

/* A port, empty or 1 to 65535, up to the end of the authority. */
static int read_port(const char *port, const char **rest)
{
    size_t digits = strspn(port, DIGITS);
    int value = 0;

    *rest = port + digits;
    if (digits > 5)
        return 0;
    for (size_t i = 0; i < digits; i++)
        value = value * 10 + (port[i] - '0');
    return value >= 1 && value <= 65535;
}

/* The host of an authority that begins with a bracket; sets *END behind it. */
static const char *read_literal(const char *authority, parts_t *parts,
                                const char **end)
{
    parts->literal = 1;
    parts->host = authority + 1;
    parts->host_length = strcspn(parts->host, "]/?#");
    *end = parts->host + parts->host_length;
    if (memchr(parts->host, '%', parts->host_length))
        return "must not have a zone in the IPv6 address.";
    if (**end != ']' || !is_ipv6(parts->host, parts->host_length))
        return "must have a valid IPv6 address in brackets.";
    ++*end;
    return NULL;
}

static const char *read_name(const char *authority, parts_t *parts,
                             const char **end)
{
    size_t length = strcspn(authority, "/?#");
    const char *colon = memchr(authority, ':', length);

    parts->host = authority;
    parts->host_length = strcspn(authority, ":/?#");
    *end = authority + parts->host_length;
    if (memchr(authority, '@', length))
        return "must not have user information.";
    if (colon
        && memchr(colon + 1, ':', length - (size_t)(colon + 1 - authority)))
        return "must have an IPv6 address in brackets.";
    return name_fault(parts->host, parts->host_length);
}

static const char *read_authority(const char *url, parts_t *parts)
{
    const char *end;
    const char *fault = *url == '[' ? read_literal(url, parts, &end)
                                    : read_name(url, parts, &end);

    if (fault)
        return fault;
    if (*end == ':' && !read_port(end + 1, &end))
        return "must have a port from 1 to 65535 after the colon.";
    if (*end && !strchr("/?#", *end))
        return "must have nothing but a port after the host.";
    parts->rest = end;
    return NULL;
}

/* Parses the rest of a URL after its authority; finds a fragment. */
static const char *read_rest(const char *rest, int *fragment)
{
    *fragment = 0;
    for (; *rest; rest++) {
        if (*rest == '#' && !*fragment) {
            *fragment = 1;
        } else if (*rest == '%') {
            if (strspn(rest + 1, HEXADECIMAL) < 2)
                return "has a broken percent-encoding.";
        } else if (!strchr(url_characters, *rest)) {
            return "has a character that must be percent-encoded.";
        }
    }
    return NULL;
}

/* The fault of URL as an origin, which ends with its host and port. */
static const char *check_origin(const char *url, const parts_t *parts)
{
    const char *port = parts->host + parts->host_length + parts->literal;

    if (*parts->rest)
        return "must end with the host or the port, without a slash.";
    if (url[strcspn(url, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")])
        return "must be in lower case.";
    if (*port == ':'
        && (port[1] == '0'
            || strcmp(port + 1, parts->secure ? "443" : "80") == 0))
        return "must not have the default port, nor one with leading zeros.";
    return NULL;
}

/* The fault of URL; NULL: none. */
static const char *find_fault(const char *url, idv_url_use_t use)
{
    parts_t parts = {0};
    int fragment;
    const char *fault;

    if (idv_utf8_length(url) > IDV_URL_MAX)
        return "must have at most 2048 characters.";
    parts.secure = starts_with(url, "https://");
    if (!parts.secure
        && (use == IDV_URL_WEBHOOK || !starts_with(url, "http://")))
        return "must be an absolute `https` URL.";
    fault = read_authority(url + (parts.secure ? 8 : 7), &parts);
    if (fault)
        return fault;
    if (!parts.secure && !is_loopback(&parts))
        return "must be an `https` URL. `http` is for loopback hosts only.";
    if (use == IDV_URL_ORIGIN)
        return check_origin(url, &parts);
    fault = read_rest(parts.rest, &fragment);
    if (!fault && fragment && use == IDV_URL_WEBHOOK)
        return "must not have a fragment.";
    return fault;
}

const char *idv_url_host(const char *url, apr_pool_t *pool)
{
    parts_t parts = {0};

    /* The URL was checked before, so its authority can be read. */
    (void)read_authority(strstr(url, "://") + 3, &parts);
    return apr_pstrmemdup(pool, parts.host, parts.host_length);
}

static int is_ascii(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] & 0x80)
            return 0;
    return 1;
}

idv_error_t *idv_url_normalize(const char *text, idv_url_use_t use,
                               const char *param, const char **url,
                               apr_pool_t *pool)
{
    const char *scheme_end = strstr(text, "://"), *host, *ascii;
    size_t length;

    *url = text;
    if (scheme_end) {
        host = scheme_end + 3;
        length = strcspn(host, ":/?#");
        if (length <= HOST_TEXT_MAX && !is_ascii(host, length)) {
            ascii =
                idv_host_name_ascii(apr_pstrmemdup(pool, host, length), pool);
            if (!ascii)
                return idv_error_param(pool, param, "%s",
                                       "must have a host name that IDNA "
                                       "allows.");
            *url = apr_pstrcat(
                pool, apr_pstrmemdup(pool, text, (size_t)(host - text)), ascii,
                host + length, NULL);
        }
    }
    return idv_url_check(*url, use, param, pool);
}

idv_error_t *idv_url_check(const char *url, idv_url_use_t use,
                           const char *param, apr_pool_t *pool)
{
    const char *fault = find_fault(url, use);

    return fault ? idv_error_param(pool, param, "%s", fault) : NULL;
}

int idv_url_port_is_valid(const char *port)
{
    enum { PORT_MAX = 65535, DIGITS_MAX = 5 };
    int number = 0;

    if (!port || !*port)
        return 1;
    if (strlen(port) > DIGITS_MAX)
        return 0;
    for (; *port; port++) {
        if (*port < '0' || *port > '9')
            return 0;
        number = 10 * number + (*port - '0');
    }
    return number >= 1 && number <= PORT_MAX;
}
