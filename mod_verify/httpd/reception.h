/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_RECEPTION_H
#define IDV_HTTPD_RECEPTION_H

/*
 * Waits for the heads and bodies that clients send, and for clients that read
 * their answers, without occupying a thread, under an MPM that can do so
 * (event, from httpd 2.4.63 on: AP_MPMQ_CAN_WAITIO). Under other MPMs nothing
 * here has an effect, and the thread of a request waits.
 *
 * The head of a request. httpd gives a connection to a thread with its first
 * byte and has the thread wait for the rest, so that slow clients occupy
 * threads until mod_reqtimeout ends them. Here a connection of a server in
 * service comes to httpd when its TLS handshake is done and the head is
 * complete; until then an input filter keeps what was received. A head has
 * VerifyHeadTime; then httpd gets what there is and answers 408 by itself. In a
 * child as many connections may wait as it has threads, and half as many of one
 * address (of IPv6 a /64) for longer than a second: one more ends the one that
 * has waited longest. A head that comes at once, as most do, waits nowhere.
 * httpd never waits for more of a head than it was given: one that is longer
 * than IDV_REQUEST_HEAD_MAX, or that has no end where httpd looks for it, is
 * answered with 400.
 *
 * The body. The handler hook returns SUSPENDED for a request that it has parked
 * here. As httpd 2.4 has no way to resume what is suspended, a hook around its
 * own process_connection turns that into "wait until it can be read", and goes
 * on with the request when httpd comes back (idv_request_hook_resume()).
 *
 * An answer that its client reads slowly is parked likewise, until the connection
 * can be written to.
 *
 * The next request. When all threads of a child are busy, httpd ends connections
 * that it keeps alive, and loses a request that has just come on one of them. So
 * a connection of HTTP/1 that has nothing more to send waits here for its next
 * request, for KeepAliveTimeout, and httpd has a request that comes wait for a
 * thread. Where KeepAliveTimeout is longer than Timeout, which the MPM applies to
 * all that waits here, httpd keeps the connection as ever.
 *
 * A silent client wakes nobody, so one thread of the child looks at all
 * connections that wait, and shuts down the receiving half of the sockets of
 * those that are late (of those that do not read, both halves): they become
 * readable, and a thread answers the request as any other. HTTP/2 connections,
 * once established, are left to mod_http2. Connections of all kinds are counted
 * by address (httpd/connections.h).
 *
 * Threads: a connection belongs to one thread or waits; the list of waiting
 * connections is the child's, under a lock. Memory: the connection's pool.
 * Failures: only a child's start can fail.
 */
#include <httpd.h>

#include "core/error.h"

/* Registers filter and hooks; with the module's other hooks. */
void idv_reception_register(void);

/* Whether clients are awaited without a thread here; from post_config on. */
int idv_reception_can_wait(void);

/* Prepares a child; before its first connection. */
idv_error_t *idv_reception_child_init(apr_pool_t *pchild) IDV_CHECKED;

/* httpd has read the head of R; what it reads from now on is the body. */
void idv_reception_note_head(const request_rec *r);

/* Whether the client of R can be awaited without a thread. */
int idv_reception_can_park(const request_rec *r);

/* Has the body of R awaited without a thread where it can be: then the handler
 * hook has to return SUSPENDED at once. R is late at DEADLINE. */
int idv_reception_park(request_rec *r, apr_time_t deadline);

/* The same for a client that has to read before more of its answer can be sent. */
int idv_reception_park_sending(request_rec *r, apr_time_t deadline);

#endif
