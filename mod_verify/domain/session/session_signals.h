/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_SIGNALS_H
#define IDV_DOMAIN_SESSION_SESSION_SIGNALS_H

/*
 * What the last request of a person showed of address and device, for the
 * passive checks of its session: a checks node can be reached when the person
 * is gone, after an analysis or a review.
 *
 * Never an address or an identifier itself: HMACs under a key of the server,
 * and judgements. A session keeps what its checks look at and nothing when it
 * has none; it forgets all of it when it ends.
 *
 * Memory: in the given pool. Threads: immutable.
 */
#include "core/crypto.h"
#include "core/json_writer.h"
#include "domain/method/method.h"

/* -1 of a flag, NULL or no data: not known. */
typedef struct {
    idv_bytes_t address;   /* HMAC of what is counted as one address */
    idv_bytes_t device;    /* HMAC of the widget's identifier */
    const char *place;     /* "US" or "US-MD", where the address is */
    const char *time_zone; /* that the browser told */
    int reserved, hosting, anonymizer, tor; /* flags of the address */
    int automated;                          /* flag of the user agent */
    int webdriver;                          /* flag that the browser told */
} idv_session_signals_t;

/* Signals of which nothing is known. */
void idv_session_signals_init(idv_session_signals_t *signals);

/* What a session with METHODS keeps when a person with SEEN comes after one
 * with BEFORE (NULL: nobody did); NULL: it keeps nothing. A device that was
 * named once stays, and so do the time zone and the word of automation: only
 * the opening request carries them. */
const idv_session_signals_t *
idv_session_signals_keep(const idv_method_list_t *methods,
                         const idv_session_signals_t *before,
                         const idv_session_signals_t *seen, apr_pool_t *pool);

/* The form in which a session keeps them, and back: SIGNALS, which are not
 * NULL, under KEY, and what stands in such a JSON text; null is NULL. An
 * internal error for what idv_session_signals_write() did not write. */
void idv_session_signals_write(idv_json_writer_t *writer, const char *key,
                               const idv_session_signals_t *signals);
idv_error_t *idv_session_signals_read(const char *json,
                                      const idv_session_signals_t **signals,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
