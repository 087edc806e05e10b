/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_ADDRESS_H
#define IDV_API_ADDRESS_H

/*
 * IP addresses as the risk engine sees them, of a parameter or of a client.
 *
 * Memory: results live in the given pool. Threads: thread-safe.
 */
#include <sys/socket.h>

#include "api/request.h"

/* Reads an IPv4 or IPv6 address; a mapped one (RFC 4291, 2.5.5.2) becomes IPv4.
 * Zero when TEXT is none; *ADDRESS has family 0 then. */
int idv_address_parse(const char *text, struct sockaddr_storage *address);

/* The text by which uses of ADDRESS are counted: of IPv6, the network of the
 * subscriber; NULL for family 0. */
const char *idv_address_counted(const struct sockaddr_storage *address,
                                apr_pool_t *pool);

/* The same for the client at IP, as httpd writes it; a text that is no address
 * (of a Unix socket, or with a zone) is its own. */
const char *idv_address_client(const char *ip, apr_pool_t *pool);

/* What is known of ADDRESS; nothing for family 0. */
void idv_address_judge(const idv_services_t *services,
                       const struct sockaddr_storage *address,
                       idv_address_facts_t *facts, apr_pool_t *pool);

#endif
