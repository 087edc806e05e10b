/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_IP_ADDRESS_H
#define IDV_CORE_IP_ADDRESS_H

/*
 * IP addresses as text, and the text by which their uses are counted.
 *
 * Memory: results live in the given pool. Threads: pure. Nothing fails but the
 * reading.
 */
#include <sys/socket.h>

#include <apr_pools.h>

/* Reads an IPv4 or IPv6 address; a mapped one (RFC 4291, 2.5.5.2) becomes IPv4.
 * Zero when TEXT is none; *ADDRESS has family 0 then. */
int idv_address_parse(const char *text, struct sockaddr_storage *address);

/* The text by which uses of ADDRESS are counted: of IPv6, the network of the
 * subscriber; NULL for family 0. */
const char *idv_address_counted(const struct sockaddr_storage *address,
                                apr_pool_t *pool);

/* Like idv_address_counted(), for the client at IP, as httpd writes it; a text
 * that is no address (of a Unix socket, or with a zone) is returned as such. */
const char *idv_address_client(const char *ip, apr_pool_t *pool);

#endif
