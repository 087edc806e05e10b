/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_CONNECTION_RECEPTION_H
#define IDV_HTTPD_CONNECTION_RECEPTION_H

/*
 * Waits for the heads and bodies that clients send, and for clients that read
 * their answers, without occupying a thread. This needs an MPM that supports it
 * (event, from httpd 2.4.63 on: AP_MPMQ_CAN_WAITIO). Under other MPMs nothing
 * here has an effect, and the thread of a request waits.
 *
 * The head of a request. httpd gives a connection to a thread at its first byte
 * and makes the thread wait for the rest, so slow clients occupy threads until
 * mod_reqtimeout ends them. Here a connection of a server in service reaches
 * httpd when its TLS handshake is done and the head is complete; until then an
 * input filter keeps the received bytes. A head has VerifyHeadTime; then httpd
 * gets whatever there is and answers 408 by itself. As many connections of a
 * child may wait as it has threads, and half as many of one address (an IPv4
 * address or an IPv6 /64) for longer than a second. If there are more, the one
 * that has waited longest is ended. A head that arrives at once, as most do,
 * never waits. httpd never waits for the rest of a head: if the head is longer
 * than IDV_REQUEST_HEAD_MAX, or has no end where httpd looks for it, the answer
 * is 400.
 *
 * The body. The handler hook returns SUSPENDED for a request that it has parked
 * here. httpd 2.4 cannot resume a suspended request, so a hook around its own
 * process_connection turns that into "wait until readable", and continues the
 * request when httpd comes back.
 *
 * The answer. If its client reads slowly, an answer is parked in the same way,
 * until the connection is writable.
 *
 * The next request. When all threads of a child are busy, httpd ends kept-alive
 * connections, and loses a request that has just arrived on one of them. So an
 * HTTP/1 connection with nothing left to send waits here for its next request,
 * for KeepAliveTimeout, and httpd makes an arriving request wait for a thread.
 * If KeepAliveTimeout is longer than Timeout, which the MPM applies to
 * everything that waits here, httpd keeps the connection as usual.
 *
 * HTTP/2 connections, once established, are left to mod_http2. Connections of
 * all kinds are counted by address (httpd/connection/connections.h); those that
 * wait are in one list (httpd/connection/waiting.h), and
 * httpd/connection/received.h keeps the received bytes.
 *
 * Threads: a connection belongs to one thread or waits. Memory: the
 * connection's pool. Failures: only a child's start can fail.
 */
#include <httpd.h>

#include "core/error.h"

/* Continues a request that was parked. When it has ended, R is gone. */
typedef void idv_resume_t(request_rec *r);

/* Registers filter and hooks, with the module's other hooks, and the function
 * that continues parked requests. */
void idv_reception_register(idv_resume_t *resume_parked);

/* Whether clients can be awaited without a thread here; from post_config on. */
int idv_reception_can_wait(void);

/* Prepares a child; before its first connection. */
idv_error_t *idv_reception_child_init(apr_pool_t *pchild) IDV_CHECKED;

/* Notes that httpd has read the head of R; from now on it reads the body. */
void idv_reception_note_head(const request_rec *r);

/* Whether the client of R can be awaited without a thread. */
int idv_reception_can_park(const request_rec *r);

/* Parks R until its body arrives, if possible: then the result is non-zero and
 * the handler hook must return SUSPENDED at once. R is late at DEADLINE. */
int idv_reception_park(request_rec *r, apr_time_t deadline);

/* The same for a client that has to read before more of its answer can be
 * sent. */
int idv_reception_park_sending(request_rec *r, apr_time_t deadline);

#endif
