/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_ADDRESS_GUARD_H
#define IDV_OUT_ADDRESS_GUARD_H

/*
 * Which addresses this server may be made to dial by a customer.
 *
 * One table names every special-purpose range of IPv4 and IPv6 (the two IANA
 * registries of RFC 6890, multicast, and the deprecated forms that stacks still
 * understand). The longest matching prefix decides. An address that carries an
 * IPv4 address (mapped, compatible, translated, 6to4, Teredo) is refused when
 * the embedded address is refused, whatever else is said of it.
 *
 * The administrator can open ranges (VerifyWebhookAllow). An allowed range
 * opens exactly the addresses in it: 127.0.0.0/8 does not open
 * ::ffff:127.0.0.1.
 *
 * Memory: nothing is allocated but error values. Threads: pure functions.
 */
#include <sys/socket.h>

#include <apr_tables.h>

#include "core/error.h"

/* A prefix of IPv4 or IPv6; the bits behind it are zero. */
typedef struct {
    int family; /* AF_INET or AF_INET6 */
    unsigned char bytes[16];
    int prefix_length;
} idv_address_range_t;

/* Reads "192.0.2.0/24", "2001:db8::/32" or a single address. Bits set behind
 * the prefix are an error, because they mean that something else was meant. */
idv_error_t *idv_address_range_parse(const char *text,
                                     idv_address_range_t *range,
                                     apr_pool_t *pool) IDV_CHECKED;

/* NULL when ADDRESS may be dialled; otherwise what it is ("loopback"), for the
 * log. ALLOWED: array of idv_address_range_t, or NULL. Families other than
 * IPv4 and IPv6 are always refused. */
const char *idv_address_refusal(const struct sockaddr *address,
                                const apr_array_header_t *allowed);

/* Like idv_address_refusal(), for HOST of a URL, without brackets, as far as it
 * can be told without a name server: NULL for an address that may be dialled
 * and for any name but `localhost` and those below it (RFC 6761, 6.3), which
 * are refused when neither 127.0.0.1 nor ::1 may be dialled. */
const char *idv_address_host_refusal(const char *host,
                                     const apr_array_header_t *allowed);

#endif
