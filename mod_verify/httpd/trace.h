/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_TRACE_H
#define IDV_HTTPD_TRACE_H

/*
 * Traces of requests: which trace a request belongs to (W3C Trace Context, the
 * header `traceparent`), for the log and for span records that an OpenTelemetry
 * collector reads. The records are lines of a CustomLog; conf/manual/monitor.md has the
 * format.
 *
 * Every request is a span. Its trace is the caller's, or begins here where the
 * header is missing or malformed (section 3.2.2: then it is passed over whole).
 * Of a request there are the notes
 *
 *     verify-trace   32 hexadecimal digits
 *     verify-span    16, new for each request
 *     verify-parent  the caller's span; empty in a trace that begins here
 *     verify-route   the path of the route, with :id for ids; not set before it
 *                    is found
 *
 * and in the environment of the request verify-sampled, set where the caller's
 * flags have the trace recorded, and in a trace that begins here. A caller's ids
 * say nothing about anybody and are believed as they are: they decide nothing.
 *
 * Threads: the request's. Memory: the request's pool. Failures: none.
 */
#include <httpd.h>

/* Sets the notes of R, the first of its subrequests and redirects. */
void idv_trace_begin(request_rec *r);

/* R is for the route PATH, "/v1/verification_sessions/:id". */
void idv_trace_route(request_rec *r, const char *path);

#endif
