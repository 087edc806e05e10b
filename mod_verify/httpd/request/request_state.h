/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_REQUEST_REQUEST_STATE_H
#define IDV_HTTPD_REQUEST_REQUEST_STATE_H

/*
 * State shared by the hooks of one request: its id and time, the authenticated
 * key, and the error behind a status that a hook returned.
 *
 * Subrequests and internal redirects share the state of the first request.
 *
 * Threads: only the request's thread uses the state. Memory: it lives in the
 * pool of the first request, which outlives those that share it. Failures:
 * none.
 */
#include <httpd.h>

#include "core/clock.h"
#include "core/trace.h"
#include "store/account/api_key.h"

typedef struct {
    const char *id; /* req_…; also r->log_id */
    idv_time_t now;
    idv_api_key_t *key;    /* NULL: not authenticated */
    idv_db_guard_t *guard; /* must pass before the key is trusted; NULL: a
                            * browser's */
    int distrusted;        /* flag: look the key up, do not use the cache */
    struct idv_request_t *request; /* its body is being received; NULL: none */
    int is_verify;            /* flag: SetHandler verify applies to its path */
    const idv_error_t *error; /* the error to report if httpd answers with a
                               * status */
    idv_span_t span; /* of the request */
    const idv_trace_context_t *trace; /* of what it does; NULL: not recorded */
    /* The visitor of a gate; NULL: no gate was involved. */
    struct idv_gate_visitor_t *visitor;
    const char *cookies; /* the Cookie header as it was sent; NULL: still in the
                          * request */
} idv_request_state_t;

/* The state of R; created at the first call. */
idv_request_state_t *idv_request_state(request_rec *r);

/* Non-zero if HANDLER (may be NULL) is that of `SetHandler verify`. */
int idv_handler_is_verify(const char *handler);

/* Non-zero if R belongs to the API: `SetHandler verify` applies to it, or,
 * before httpd has looked, would apply to its path, and its server is in
 * service. */
int idv_request_is_ours(request_rec *r);

/* Non-zero if the Host of R is a name of its server: ServerName, a ServerAlias,
 * or the address that was connected to. Other names may lead here as well if
 * their owners want that, so they prove nothing. */
int idv_request_has_own_name(const request_rec *r);

/* Writes ERROR's detail to the log, if it has one. */
void idv_request_log_error(request_rec *r, const idv_error_t *error);

#endif
