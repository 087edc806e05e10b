/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_CLIENT_SIGNALS_H
#define IDV_API_CLIENT_SIGNALS_H

/*
 * What a request shows of who is at its other end, as far as limits and the
 * risk engine may look at it: the IP address of a parameter or of the client,
 * and, of a request of the widget, the person's address and device. The
 * client's address is r->useragent_ip, so mod_remoteip counts. Signals hold
 * HMACs of address and device and never these themselves.
 *
 * Memory: results live in the given pool, signals in the request's. Threads:
 * thread-safe. Nothing fails.
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

/* Like idv_address_counted(), for the client at IP, as httpd writes it; a text
 * that is no address (of a Unix socket, or with a zone) is returned as such. */
const char *idv_address_client(const char *ip, apr_pool_t *pool);

/* What is known of ADDRESS; nothing for family 0. */
void idv_address_judge(const idv_services_t *services,
                       const struct sockaddr_storage *address,
                       idv_address_facts_t *facts, apr_pool_t *pool);

#define IDV_DEVICE_ID_MAX 255 /* Unicode characters */

/* What the widget says of the browser. */
typedef struct {
    const char *device_id; /* NULL: it did not say */
    int webdriver;         /* flag; -1: it did not say */
} idv_person_device_t;

/* Fills SIGNALS with what REQUEST, one of the widget, shows. DEVICE may be
 * NULL: the request says nothing of it. */
void idv_person_signals(const idv_request_t *request,
                        const idv_person_device_t *device,
                        idv_session_signals_t *signals);

#endif
