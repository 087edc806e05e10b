/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_IP_ADDRESS_H
#define IDV_CORE_IP_ADDRESS_H

/*
 * IP addresses as text, and the text under which their uses are counted.
 *
 * Memory: results live in the given pool. Threads: pure. Failures: only of
 * parsing.
 */
#include <sys/socket.h>

#include <apr_pools.h>

/* Parses an IPv4 or IPv6 address; a mapped one (RFC 4291, 2.5.5.2) becomes
 * IPv4. Zero if TEXT is not an address; *ADDRESS then has family 0. */
int idv_address_parse(const char *text, struct sockaddr_storage *address);

/* The text under which uses of ADDRESS are counted: for IPv6 the subscriber's
 * network; NULL for family 0. */
const char *idv_address_counted(const struct sockaddr_storage *address,
                                apr_pool_t *pool);

/* Like idv_address_counted(), for the client at IP in httpd's notation. Text
 * that is not an address (of a Unix socket, or with a zone) is returned
 * unchanged. */
const char *idv_address_client(const char *ip, apr_pool_t *pool);

#endif
