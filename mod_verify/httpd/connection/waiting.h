/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_CONNECTION_WAITING_H
#define IDV_HTTPD_CONNECTION_WAITING_H

/*
 * The connections of a child that wait without a thread, for one of these:
 *
 * - a head or the next request; httpd finds a thread when bytes arrive
 * - the body of a request
 * - a client that reads its answer
 *
 * A silent client causes no event. So one thread of the child checks all
 * waiting connections and shuts down the receiving half of the sockets of those
 * that are late (both halves if the client does not read). They become
 * readable, and a thread continues with them like with any other.
 *
 * Threads: a connection belongs to one thread or waits; the list of waiting
 * connections is the child's, under a lock. Memory: the connection's pool.
 * Failures: only a child's start can fail.
 */
#include <apr_ring.h>
#include <httpd.h>
#include <util_filter.h>

#include "core/error.h"
#include "core/http_syntax.h"
#include "httpd/connection/connections.h"

/* A connection of a client, from its first byte on. */
typedef struct idv_connection_t idv_connection_t;
struct idv_connection_t {
    APR_RING_ENTRY(idv_connection_t) link;
    conn_rec *c;
    const char *address; /* for counting */
    idv_counted_t *counted;
    int is_listed;       /* it is in the child's list */
    int is_late;         /* its time is up, or it had to make room */
    apr_time_t deadline; /* of the current wait */
    apr_time_t begun;    /* of the head */
    request_rec *parked; /* waiting for its client; NULL: it waits for a head */
    int is_resting;      /* between two requests */
    int is_back;         /* the next request has come before it rested */
    int is_sending;      /* waits until its client reads, parked or resting */
    apr_interval_time_t idle_time; /* longest rest; 0: httpd does the waiting */
    int is_inside;       /* httpd's own hooks run below this module's */
    int is_transparent;  /* left to other modules, as HTTP/2 is */
    /* Bytes that have arrived but that httpd has not read, those on their way
     * there, and the head at their start. */
    ap_filter_t *filter;
    apr_bucket_brigade *received, *arriving;
    idv_request_head_t head;
    int is_begun;  /* a request has started */
    int is_given;  /* httpd has been given its head, and nothing after it */
    int is_told;   /* mod_reqtimeout knows that the head or body was read */
    int has_ended; /* no more data: the client closed or timed out */
};

/* Prepares a child with THREADS threads; before its first connection. */
idv_error_t *idv_waiting_child_init(int threads,
                                    apr_pool_t *pchild) IDV_CHECKED;

/* Non-zero if the next request on CONNECTION comes within a moment, for which the
 * thread waits if few others do so. */
int idv_waiting_linger(const idv_connection_t *connection);

/* Makes CONNECTION wait until it is readable (writable, if a response is being
 * sent) or reaches its deadline. Returns OK, for httpd. */
int idv_waiting_add(idv_connection_t *connection);

/* Takes CONNECTION off the list, if it is there. */
void idv_waiting_remove(idv_connection_t *connection);

/* Has the thread of the child look at all connections soon. */
void idv_waiting_look(void);

#endif
