/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_CONNECTIONS_H
#define IDV_HTTPD_CONNECTIONS_H

/*
 * The open connections of a child, counted by client address.
 *
 * A child of the event MPM has room for ThreadsPerChild connections and for
 * AsyncRequestWorkerFactor more for each idle thread. Idle connections count,
 * and when there is no room left, httpd accepts nobody. So one client that
 * opens many connections and does nothing could close the service to all
 * others.
 *
 * An address (of IPv6 a /64) may hold VerifyConnectionsPerAddress connections
 * of a child, by default a quarter of the room. The rules:
 * - From half of the room on, an address that has more than its share loses
 *   those of its connections that were not used for a second.
 * - From three quarters on, answers over HTTP/1 to such an address end their
 *   connections, with `Connection: close`. It loses its other connections that
 *   were not used for a tenth of a second: those without an answer yet, and
 *   those of HTTP/2.
 * - From seven eighths on, whoever has a connection that was not used for a
 *   second loses it, because httpd would accept nobody soon.
 * - The connection that was not used for the longest time goes first. It is
 *   used while a request is under way, over HTTP/2 any of its streams. Frames
 *   of HTTP/2 that belong to no request, such as PING, do not count.
 * - A connection with bytes that nobody has read yet stays, so that no request
 *   is lost. Those that go have the receiving half of their sockets shut down,
 *   and the protocol ends them in order (HTTP/2 with GOAWAY).
 * - A proxy that mod_remoteip trusts has no share: its address is that of many.
 *   It is known by its first request for somebody else.
 *
 * While httpd accepts nobody because a child has no room, each answer over
 * HTTP/1 ends its connection, with `Connection: close`.
 *
 * Threads: all functions may be called from all threads of a child. Memory: of
 * the connections; addresses are kept by malloc while they have connections.
 * Failures: only at the child's start. A connection for whose address there is
 * no memory is not counted.
 */
#include <httpd.h>

#include "core/error.h"
#include "core/settings.h"

typedef struct idv_counted_t idv_counted_t;

/* Prepares a child, before its first connection, to count with SETTINGS.
 * Without it, nothing is counted. */
idv_error_t *idv_connections_child_init(const idv_settings_t *settings,
                                        apr_pool_t *pchild) IDV_CHECKED;

/* Counts C, whose client is ADDRESS, and makes room where there is too little.
 * NULL: it is not counted. */
idv_counted_t *idv_connections_add(conn_rec *c, const char *address);

/* Counts it no longer; before its socket is closed. May be called again, or
 * with NULL. */
void idv_connections_remove(idv_counted_t *counted);

/* R, which came over COUNTED (NULL: nothing happens), uses it until it ends. */
void idv_connections_use(idv_counted_t *counted, request_rec *r);

/* Whether there are so many that idv_connections_trim() may end some. */
int idv_connections_are_many(void);

/* Makes room where there is too little; from time to time while there are many.
 */
void idv_connections_trim(void);

/* Warns of settings of httpd by which the SERVERS in service would lose
 * requests of kept connections, or refuse connections; at configtest and at
 * each start. Memory of SCRATCH. */
void idv_connections_check(server_rec *servers, apr_pool_t *scratch);

#endif
