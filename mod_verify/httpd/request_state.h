/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_REQUEST_STATE_H
#define IDV_HTTPD_REQUEST_STATE_H

/*
 * What the hooks of one request tell each other: its id and moment, the key
 * that authenticated, and the error that a hook returned as a bare status.
 *
 * Subrequests and internal redirects share the state of the first request.
 *
 * Threads: the state is used by the request's thread alone. Memory: it lives in
 * the pool of the first request, which outlives those that share it. Failures:
 * none.
 */
#include <httpd.h>

#include "core/clock.h"
#include "store/account/api_key.h"

typedef struct {
    const char *id; /* req_…; also r->log_id */
    idv_time_t now;
    idv_api_key_t *key;        /* NULL: not authenticated */
    idv_db_guard_t *guard;     /* has to pass for the key; NULL: a browser's */
    int distrusted;            /* the key is to be looked up, not guessed */
    struct idv_request_t *request; /* whose body is received; NULL: none */
    int is_verify;             /* SetHandler verify holds for its path */
    const idv_error_t *error;  /* what to say when httpd answers an error */
    /* What a gate knows of the visitor; NULL: no gate was asked. */
    struct idv_gate_visitor_t *visitor;
} idv_request_state_t;

/* The state of R; made at the first call. */
idv_request_state_t *idv_request_state(request_rec *r);

/* Non-zero when HANDLER, which may be NULL, is that of `SetHandler verify`. */
int idv_handler_is_verify(const char *handler);

/* Non-zero when R belongs to the API: `SetHandler verify` holds for it, or,
 * before httpd has looked, its path would and its server is in service. */
int idv_request_is_ours(request_rec *r);

/* Non-zero when the Host that R was sent to is a name that its server has: its
 * ServerName, a ServerAlias, or the address that was connected to. Another name
 * may lead here as well, when somebody who owns it wants that; it is no proof. */
int idv_request_has_own_name(const request_rec *r);

/* Writes ERROR's detail to the log, when it has one. */
void idv_request_log_error(request_rec *r, const idv_error_t *error);

#endif
