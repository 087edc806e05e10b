/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_CONNECTION_CONNECTIONS_H
#define IDV_HTTPD_CONNECTION_CONNECTIONS_H

/*
 * The open connections of a child, counted by client address.
 *
 * A child of the event MPM has room for ThreadsPerChild connections and for
 * AsyncRequestWorkerFactor more for each idle thread. Idle connections count,
 * and when there is no room left, httpd accepts no more. So one client with
 * many idle connections could block the service for all others.
 *
 * An address (an IPv4 address or an IPv6 /64) may hold
 * VerifyConnectionsPerAddress connections of a child, by default a quarter of
 * the room. The rules:
 * - When half of the room is used, an address over its share loses those of its
 *   connections that were not used for a second.
 * - At three quarters, answers over HTTP/1 to such an address end their
 *   connections, with `Connection: close`. It also loses connections without an
 *   answer yet, and HTTP/2 connections, if they were not used for a tenth of a
 *   second.
 * - At seven eighths, any connection that was not used for a second is ended,
 *   because httpd would soon accept no more.
 * - The connection with the longest idle time is ended first. A connection is
 *   in use while a request is under way, over HTTP/2 on any of its streams.
 *   HTTP/2 frames outside of requests, such as PING, do not count.
 * - A connection with unread bytes stays, so that no request is lost. To end a
 *   connection, the receiving half of its socket is shut down, and the protocol
 *   closes it in order (HTTP/2 with GOAWAY).
 * - A proxy that mod_remoteip trusts has no share, since it acts for many
 *   clients. It is recognized by its first request for another address.
 *
 * While httpd accepts no connections because a child has no room, each answer
 * over HTTP/1 ends its connection, with `Connection: close`.
 *
 * Threads: all functions may be called from all threads of a child. Memory: of
 * the connections; addresses are kept by malloc while they have connections.
 * Failures: only at the child's start. If there is no memory for an address,
 * its connection is not counted.
 */
#include <httpd.h>

#include "core/error.h"
#include "core/settings.h"

typedef struct idv_counted_t idv_counted_t;

/* Prepares a child to count with SETTINGS, before its first connection. Without
 * this call nothing is counted. */
idv_error_t *idv_connections_child_init(const idv_settings_t *settings,
                                        apr_pool_t *pchild) IDV_CHECKED;

/* Counts C, a connection of the client ADDRESS, and makes room if there is too
 * little. NULL: not counted. */
idv_counted_t *idv_connections_add(conn_rec *c, const char *address);

/* Stops counting it; call it before its socket is closed. May be called again,
 * or with NULL. */
void idv_connections_remove(idv_counted_t *counted);

/* Marks COUNTED as used by R until R ends. NULL: nothing happens. */
void idv_connections_use(idv_counted_t *counted, request_rec *r);

/* Whether there are so many connections that idv_connections_trim() may end
 * some. */
int idv_connections_are_many(void);

/* Makes room if there is too little; called from time to time while there are
 * many connections. */
void idv_connections_trim(void);

/* Warns about httpd settings that would make the SERVERS in service lose
 * requests of kept connections, or refuse connections; at configtest and at
 * each start. Memory of SCRATCH. */
void idv_connections_check(server_rec *servers, apr_pool_t *scratch);

#endif
