/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_SESSION_VISITOR_SESSION_H
#define IDV_API_SESSION_VISITOR_SESSION_H

/*
 * A session that the service itself creates for a visitor: of an age gate, or
 * of a login through OpenID Connect. The code of POST /v1/verification_sessions
 * creates it in process, with its billing, events and law, but without an API
 * key that anybody could present.
 *
 * Threads: one request, one thread. Memory: the pool of the request. Failures:
 * those of a creation; `access_denied` for a disabled organization.
 */
#include "api/http/request.h"

/* Makes REQUEST, from a visitor, one of the caller NAME ("gate shop") for the
 * organization. */
void idv_visitor_request_fill(idv_request_t *request, const char *name,
                              const char *organization_id);

typedef struct {
    const char *workflow_id;
    const char *session_type; /* "age" or "identity" */
    const char *jurisdiction; /* NULL: detected, or the workflow's */
    const char *back;         /* where the hosted page leads back to */
    const char *once; /* Idempotency-Key: the same one finds the session
                       * again, as long as such keys are kept */
} idv_visitor_session_t;

/* Creates the session for REQUEST, which idv_visitor_request_fill() has filled,
 * or finds it again: sets its id and the URL of its page, which is NULL if the
 * visitor does not have to open it. Replaces what REQUEST says of its route,
 * parameters and answer. */
idv_error_t *idv_visitor_session_open(idv_request_t *request,
                                      const idv_visitor_session_t *wanted,
                                      const char **id,
                                      const char **url) IDV_CHECKED;

#endif
