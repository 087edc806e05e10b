/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_ADDRESS_GUARD_H
#define IDV_OUT_ADDRESS_GUARD_H

/*
 * Decides which addresses a customer can make this server dial.
 *
 * One table lists every special-purpose range of IPv4 and IPv6 (the two IANA
 * registries of RFC 6890, multicast, and the deprecated forms that stacks still
 * understand). The longest matching prefix decides. An address that embeds an
 * IPv4 address (mapped, compatible, translated, 6to4, Teredo) is refused if the
 * embedded address is refused, whatever else applies to it.
 *
 * The administrator can allow ranges (VerifyWebhookAllow). An allowed range
 * allows exactly its own addresses: 127.0.0.0/8 does not allow
 * ::ffff:127.0.0.1.
 *
 * Memory: only error values are allocated. Threads: pure functions.
 */
#include <sys/socket.h>

#include <apr_tables.h>

#include "core/error.h"

/* An IPv4 or IPv6 prefix; the bits after it are zero. */
typedef struct {
    int family; /* AF_INET or AF_INET6 */
    unsigned char bytes[16];
    int prefix_length;
} idv_address_range_t;

/* Parses "192.0.2.0/24", "2001:db8::/32" or a single address. Bits set after
 * the prefix are an error, because they indicate a mistake. */
idv_error_t *idv_address_range_parse(const char *text,
                                     idv_address_range_t *range,
                                     apr_pool_t *pool) IDV_CHECKED;

/* NULL if ADDRESS may be dialled; otherwise its kind ("loopback"), for the log.
 * ALLOWED: array of idv_address_range_t, or NULL. Families other than IPv4 and
 * IPv6 are always refused. */
const char *idv_address_refusal(const struct sockaddr *address,
                                const apr_array_header_t *allowed);

/* Like idv_address_refusal(), for HOST of a URL (without brackets), as far as
 * possible without a name server. NULL for an address that may be dialled and
 * for any name except `localhost` and its subdomains (RFC 6761, 6.3), which are
 * refused if neither 127.0.0.1 nor ::1 may be dialled. */
const char *idv_address_host_refusal(const char *host,
                                     const apr_array_header_t *allowed);

#endif
