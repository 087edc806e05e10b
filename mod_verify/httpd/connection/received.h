/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_CONNECTION_RECEIVED_H
#define IDV_HTTPD_CONNECTION_RECEIVED_H

/*
 * The bytes of a connection that arrived before httpd reads them: the head of a
 * request is collected here without blocking, and an input filter passes it to
 * httpd once it is complete. httpd never waits for more of a head than it was
 * given.
 *
 * Threads: that of the connection. Memory: its pool. Failures: none; httpd
 * answers a partial head with 408 or 400.
 */
#include "httpd/connection/waiting.h"

/* Registers the filter. */
void idv_received_register(void);

/* Adds the filter to CONNECTION. */
void idv_received_open(idv_connection_t *connection);

/* Reads more of the head; 0 if it is still incomplete. */
int idv_received_head(idv_connection_t *connection);

/* Whether httpd has read all received data. */
int idv_received_is_drained(idv_connection_t *connection);

/* Tells mod_reqtimeout that httpd reads a head or body that was received here
 * earlier. */
void idv_received_tell_clock(idv_connection_t *connection);

/* Whether C speaks HTTP/1, as far as is known. */
int idv_received_is_http1(conn_rec *c);

#endif
