/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_REQUEST_TRACE_H
#define IDV_HTTPD_REQUEST_TRACE_H

/*
 * Request tracing (W3C Trace Context, the header `traceparent`), for the log
 * and for span records that an OpenTelemetry collector reads. The records are
 * lines of a CustomLog; conf/manual/monitor.md documents the format.
 *
 * Every request is a span. Its trace is the caller's, or begins here if the
 * header is missing or malformed (section 3.2.2: then it is ignored as a
 * whole). Each request has the notes
 *
 *     verify-trace   32 hexadecimal digits
 *     verify-span    16, new for each request
 *     verify-parent  the caller's span; empty in a trace that begins here
 *     verify-route   the path of the route, with :id for ids; not set before it
 *                    is found
 *
 * and the environment variable verify-sampled, set if the caller's flags
 * request recording or the trace begins here. A caller's ids are not checked:
 * they identify nobody and decide nothing.
 *
 * If a collector is configured, the request is also a span of core/trace.h, with
 * the same ids, and what it does becomes spans below it.
 *
 * Threads: the request's. Memory: the request's pool. Failures: none.
 */
#include <httpd.h>

#include "core/trace.h"

/* Sets the notes of R, the first of its subrequests and redirects, and begins
 * SPAN if it is to be recorded. */
void idv_trace_begin(request_rec *r, idv_span_t *span);

/* Sets the route of R, a PATH such as "/v1/verification_sessions/:id". */
void idv_trace_route(request_rec *r, const char *path);

/* Ends SPAN, of the request ID, when the response of R was sent. */
void idv_trace_end(const request_rec *r, idv_span_t *span, const char *id);

#endif
