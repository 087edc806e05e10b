/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_CLIENT_SIGNALS_H
#define IDV_API_HTTP_CLIENT_SIGNALS_H

/*
 * What a request reveals about its client to limits and the risk engine: the IP
 * address of a parameter or of the client and, for widget requests, the
 * person's address and device. The client's address is r->useragent_ip, so
 * mod_remoteip is respected. Signals hold HMACs of address and device, never
 * the values themselves.
 *
 * Memory: results live in the given pool, signals in the request's. Threads:
 * thread-safe. Nothing fails.
 */
#include "api/http/request.h"
#include "core/ip_address.h"

/* Looks ADDRESS up; finds nothing for family 0. */
void idv_address_judge(const idv_services_t *services,
                       const struct sockaddr_storage *address,
                       idv_address_facts_t *facts, apr_pool_t *pool);

#define IDV_DEVICE_ID_MAX 255 /* Unicode characters */

/* What the widget reports about the browser. */
typedef struct {
    const char *device_id; /* NULL: not reported */
    const char *time_zone; /* NULL: not reported */
    int webdriver;         /* flag; -1: not reported */
    int virtual_camera;    /* the same */
} idv_person_device_t;

#define IDV_PERSON_DEVICE_UNKNOWN                                              \
    {                                                                          \
        .webdriver = -1, .virtual_camera = -1                                  \
    }

/* Fills SIGNALS from REQUEST, a request of the widget. DEVICE may be NULL if
 * the request does not describe it. */
void idv_person_signals(const idv_request_t *request,
                        const idv_person_device_t *device,
                        idv_session_signals_t *signals);

#endif
