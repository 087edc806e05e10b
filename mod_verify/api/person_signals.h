/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_PERSON_SIGNALS_H
#define IDV_API_PERSON_SIGNALS_H

/*
 * What a request of the widget shows of the person's address and device, as
 * far as passive checks may look at it. The address is r->useragent_ip, so
 * mod_remoteip counts; it and the device's identifier leave this file as HMACs.
 *
 * Memory: in the request's pool.
 */
#include "api/request.h"

/* Unicode characters. */
#define IDV_DEVICE_ID_MAX 255

/* What the widget says of the browser. */
typedef struct {
    const char *device_id; /* NULL: it did not say */
    int webdriver;         /* flag; -1: it did not say */
} idv_person_device_t;

/* DEVICE may be NULL: the request says nothing. */
void idv_person_signals(const idv_request_t *request,
                        const idv_person_device_t *device,
                        idv_session_signals_t *signals);

#endif
