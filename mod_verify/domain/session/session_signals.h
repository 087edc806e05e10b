/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_SIGNALS_H
#define IDV_DOMAIN_SESSION_SESSION_SIGNALS_H

/*
 * Signals about a person's address and device from their last request, kept for
 * the passive checks of the session: a checks node can be reached while the
 * person is gone, after an analysis or a review.
 *
 * Signals contain no address or identifier, only HMACs under a server key and
 * derived findings. A session stores only what its checks use, nothing if it
 * has no checks, and deletes everything when it ends.
 *
 * Memory: the given pool. Threads: immutable.
 */
#include "core/crypto.h"
#include "core/json_writer.h"
#include "domain/method/method.h"

/* A flag of -1, NULL or no data: unknown. */
typedef struct {
    idv_bytes_t address;   /* HMAC of the part counted as one address */
    idv_bytes_t device;    /* HMAC of the widget's identifier */
    const char *place;     /* location of the address, "US" or "US-MD" */
    const char *time_zone; /* reported by the browser */
    int reserved, hosting, anonymizer, tor; /* flags of the address */
    int automated;                          /* flag from the user agent */
    int webdriver;                          /* flag reported by the browser */
    int virtual_camera;                     /* flag reported by the widget */
    const char *browser; /* its family, a constant; kept with the session and
                          * not among its signals */
} idv_session_signals_t;

/* Signals with everything unknown. */
void idv_session_signals_init(idv_session_signals_t *signals);

/* The signals that a session with METHODS stores when SEEN follows BEFORE
 * (NULL: no earlier request); NULL: none. The device, the time zone and the
 * flags of the browser persist once known, because only some requests carry
 * them. */
const idv_session_signals_t *
idv_session_signals_keep(const idv_method_list_t *methods,
                         const idv_session_signals_t *before,
                         const idv_session_signals_t *seen, apr_pool_t *pool);

/* The stored form and its parsing: writes SIGNALS (not NULL) under KEY, and
 * reads the JSON text back; null gives NULL. Internal error for anything that
 * idv_session_signals_write() did not write. */
void idv_session_signals_write(idv_json_writer_t *writer, const char *key,
                               const idv_session_signals_t *signals);
idv_error_t *idv_session_signals_read(const char *json,
                                      const idv_session_signals_t **signals,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
