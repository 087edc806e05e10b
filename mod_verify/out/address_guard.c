/* SPDX-License-Identifier: Apache-2.0 */
#include "out/address_guard.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

/* Where an address carries an IPv4 address. */
enum { NONE = -1, TEREDO_CLIENT = -2 };

/* The policy of a range. */
enum { REFUSED, PUBLIC };

/* The registries, as of RFC 9637 and RFC 9602: family, range, verdict, offset
 * of the embedded IPv4 address, name. More specific rows win. */
static const struct {
    int family;
    const char *address;
    int prefix_length;
    int verdict;
    int embedded;
    const char *name;
} special_ranges[] = {
    {AF_INET, "0.0.0.0", 0, PUBLIC, NONE, "public"},
    {AF_INET, "0.0.0.0", 8, REFUSED, NONE, "this network"},
    {AF_INET, "10.0.0.0", 8, REFUSED, NONE, "private use"},
    {AF_INET, "100.64.0.0", 10, REFUSED, NONE, "carrier-grade NAT"},
    {AF_INET, "127.0.0.0", 8, REFUSED, NONE, "loopback"},
    {AF_INET, "169.254.0.0", 16, REFUSED, NONE, "link-local"},
    {AF_INET, "172.16.0.0", 12, REFUSED, NONE, "private use"},
    {AF_INET, "192.0.0.0", 24, REFUSED, NONE, "IETF protocol assignments"},
    {AF_INET, "192.0.2.0", 24, REFUSED, NONE, "documentation"},
    {AF_INET, "192.31.196.0", 24, REFUSED, NONE, "AS112"},
    {AF_INET, "192.52.193.0", 24, REFUSED, NONE, "AMT"},
    {AF_INET, "192.88.99.0", 24, REFUSED, NONE, "6to4 relay anycast"},
    {AF_INET, "192.168.0.0", 16, REFUSED, NONE, "private use"},
    {AF_INET, "192.175.48.0", 24, REFUSED, NONE, "AS112"},
    {AF_INET, "198.18.0.0", 15, REFUSED, NONE, "benchmarking"},
    {AF_INET, "198.51.100.0", 24, REFUSED, NONE, "documentation"},
    {AF_INET, "203.0.113.0", 24, REFUSED, NONE, "documentation"},
    {AF_INET, "224.0.0.0", 4, REFUSED, NONE, "multicast"},
    {AF_INET, "240.0.0.0", 4, REFUSED, NONE, "reserved"},
    {AF_INET, "255.255.255.255", 32, REFUSED, NONE, "limited broadcast"},

    {AF_INET6, "::", 0, REFUSED, NONE, "not global unicast"},
    {AF_INET6, "2000::", 3, PUBLIC, NONE, "public"},
    {AF_INET6, "::", 128, REFUSED, NONE, "unspecified"},
    {AF_INET6, "::1", 128, REFUSED, NONE, "loopback"},
    {AF_INET6, "::", 96, REFUSED, 12, "IPv4-compatible"},
    {AF_INET6, "::ffff:0:0", 96, REFUSED, 12, "IPv4-mapped"},
    {AF_INET6, "::ffff:0:0:0", 96, REFUSED, 12, "IPv4-translated"},
    {AF_INET6, "64:ff9b::", 96, PUBLIC, 12, "NAT64"},
    {AF_INET6, "64:ff9b:1::", 48, REFUSED, 12, "local-use NAT64"},
    {AF_INET6, "100::", 64, REFUSED, NONE, "discard only"},
    {AF_INET6, "100:0:0:1::", 64, REFUSED, NONE, "dummy prefix"},
    {AF_INET6, "2001::", 23, REFUSED, NONE, "IETF protocol assignments"},
    {AF_INET6, "2001::", 32, REFUSED, TEREDO_CLIENT, "Teredo"},
    {AF_INET6, "2001:2::", 48, REFUSED, NONE, "benchmarking"},
    {AF_INET6, "2001:10::", 28, REFUSED, NONE, "ORCHID"},
    {AF_INET6, "2001:20::", 28, REFUSED, NONE, "ORCHIDv2"},
    {AF_INET6, "2001:db8::", 32, REFUSED, NONE, "documentation"},
    {AF_INET6, "2002::", 16, REFUSED, 2, "6to4"},
    {AF_INET6, "2620:4f:8000::", 48, REFUSED, NONE, "AS112"},
    {AF_INET6, "3fff::", 20, REFUSED, NONE, "documentation"},
    {AF_INET6, "5f00::", 16, REFUSED, NONE, "segment routing"},
    {AF_INET6, "fc00::", 7, REFUSED, NONE, "unique local"},
    {AF_INET6, "fe80::", 10, REFUSED, NONE, "link-local"},
    {AF_INET6, "fec0::", 10, REFUSED, NONE, "site-local"},
    {AF_INET6, "ff00::", 8, REFUSED, NONE, "multicast"},
};

#define SPECIAL_RANGES (sizeof(special_ranges) / sizeof(special_ranges[0]))

static int prefix_matches(const unsigned char *a, const unsigned char *b,
                          int length)
{
    int whole = length / 8, rest = length % 8;

    if (memcmp(a, b, (size_t)whole) != 0)
        return 0;
    return rest == 0 || ((a[whole] ^ b[whole]) >> (8 - rest)) == 0;
}

static int is_allowed(int family, const unsigned char *bytes,
                      const apr_array_header_t *allowed)
{
    if (!allowed)
        return 0;
    for (int i = 0; i < allowed->nelts; i++) {
        const idv_address_range_t *range =
            &APR_ARRAY_IDX(allowed, i, idv_address_range_t);

        if (range->family == family &&
            prefix_matches(bytes, range->bytes, range->prefix_length))
            return 1;
    }
    return 0;
}

/* The row with the longest matching prefix; each family has a row /0. */
static size_t find_special_range(int family, const unsigned char *bytes)
{
    size_t best = SPECIAL_RANGES;

    for (size_t i = 0; i < SPECIAL_RANGES; i++) {
        unsigned char range[16];

        if (special_ranges[i].family != family ||
            inet_pton(family, special_ranges[i].address, range) != 1 ||
            !prefix_matches(bytes, range, special_ranges[i].prefix_length))
            continue;
        if (best == SPECIAL_RANGES || special_ranges[i].prefix_length >
                                          special_ranges[best].prefix_length)
            best = i;
    }
    return best;
}

static const char *refusal_of_bytes(int family, const unsigned char *bytes,
                                    const apr_array_header_t *allowed)
{
    size_t found = find_special_range(family, bytes);
    int embedded;

    if (special_ranges[found].verdict == REFUSED &&
        !is_allowed(family, bytes, allowed))
        return special_ranges[found].name;
    embedded = special_ranges[found].embedded;
    if (embedded == TEREDO_CLIENT) {
        unsigned char client[4];

        /* RFC 4380, section 4: the client's address is obfuscated. */
        for (int i = 0; i < 4; i++)
            client[i] = bytes[12 + i] ^ 0xff;
        return refusal_of_bytes(AF_INET, client, allowed);
    }
    if (embedded != NONE)
        return refusal_of_bytes(AF_INET, bytes + embedded, allowed);
    return NULL;
}

const char *idv_address_refusal(const struct sockaddr *address,
                                const apr_array_header_t *allowed)
{
    unsigned char bytes[16];

    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *ipv4 = (const void *)address;

        memcpy(bytes, &ipv4->sin_addr, 4);
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *ipv6 = (const void *)address;

        memcpy(bytes, &ipv6->sin6_addr, 16);
    } else {
        return "unknown address family";
    }
    return refusal_of_bytes(address->sa_family, bytes, allowed);
}

/* RFC 6761, 6.3. */
static int is_localhost(const char *host)
{
    static const char name[] = "localhost";
    size_t length = strlen(host), own = sizeof(name) - 1;

    return length >= own && strcasecmp(host + length - own, name) == 0
        && (length == own || host[length - own - 1] == '.');
}

const char *idv_address_host_refusal(const char *host,
                                     const apr_array_header_t *allowed)
{
    unsigned char bytes[16];
    int family = strchr(host, ':') ? AF_INET6 : AF_INET;

    if (is_localhost(host))
        return idv_address_host_refusal("127.0.0.1", allowed)
                 ? idv_address_host_refusal("::1", allowed)
                 : NULL;
    return inet_pton(family, host, bytes) == 1
             ? refusal_of_bytes(family, bytes, allowed)
             : NULL;
}

/* Digits only, without the signs and spaces that strtol forgives. */
static int parse_prefix_length(const char *text, int maximum)
{
    int value = 0;

    if (!*text || strlen(text) > 3)
        return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        value = value * 10 + (*text - '0');
    }
    return value <= maximum ? value : -1;
}

idv_error_t *idv_address_range_parse(const char *text,
                                     idv_address_range_t *range,
                                     apr_pool_t *pool)
{
    const char *slash = strchr(text, '/');
    const char *address =
        slash ? apr_pstrmemdup(pool, text, (apr_size_t)(slash - text)) : text;
    int bits;

    memset(range, 0, sizeof(*range));
    range->family = strchr(address, ':') ? AF_INET6 : AF_INET;
    bits = range->family == AF_INET6 ? 128 : 32;
    if (inet_pton(range->family, address, range->bytes) != 1)
        return idv_error_param(pool, NULL,
                               "not an IPv4 or IPv6 address or prefix");
    range->prefix_length = slash ? parse_prefix_length(slash + 1, bits) : bits;
    if (range->prefix_length < 0)
        return idv_error_param(pool, NULL, "the prefix length must be 0 to %d",
                               bits);
    for (int bit = range->prefix_length; bit < bits; bit++)
        if (range->bytes[bit / 8] & (0x80 >> (bit % 8)))
            return idv_error_param(pool, NULL,
                                   "bits after the prefix are set");
    return NULL;
}
