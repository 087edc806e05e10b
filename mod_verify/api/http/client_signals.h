/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_CLIENT_SIGNALS_H
#define IDV_API_HTTP_CLIENT_SIGNALS_H

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
#include "api/http/request.h"
#include "core/ip_address.h"

/* What is known of ADDRESS; nothing for family 0. */
void idv_address_judge(const idv_services_t *services,
                       const struct sockaddr_storage *address,
                       idv_address_facts_t *facts, apr_pool_t *pool);

#define IDV_DEVICE_ID_MAX 255 /* Unicode characters */

/* What the widget says of the browser. */
typedef struct {
    const char *device_id; /* NULL: it did not say */
    const char *time_zone; /* NULL: it did not say */
    int webdriver;         /* flag; -1: it did not say */
} idv_person_device_t;

/* Fills SIGNALS with what REQUEST, one of the widget, shows. DEVICE may be
 * NULL: the request says nothing of it. */
void idv_person_signals(const idv_request_t *request,
                        const idv_person_device_t *device,
                        idv_session_signals_t *signals);

#endif
