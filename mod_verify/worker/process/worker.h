/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_PROCESS_WORKER_H
#define IDV_WORKER_PROCESS_WORKER_H

/*
 * Resources shared by the parts of the watchdog (see
 * worker/watchdog/watchdog_process.h): configuration, event loop, counters, log,
 * database connection, and HTTP clients in the event loop.
 *
 * The connection is opened when first needed and reopened after a loss. While
 * the database is unavailable, idv_worker_database() refuses without trying,
 * for a time that doubles up to half a minute; the loss and the return are
 * logged once each. A database that this node cannot use (store/db/schema.h)
 * counts as unavailable and is logged once. Statements run synchronously: they
 * take about a millisecond, during which the kernel buffers the deliveries'
 * sockets. Deliveries have their own connection, with a copy of the structure,
 * and do not wait for this one.
 *
 * Threads: only the watchdog's loop. Memory: that of the watchdog's process.
 * Failures: database failures are logged here, once a minute per cause
 * (core/log_limit.h), so that parts only log what could not be done.
 */
#include <httpd.h>
#include <http_log.h>

#include "core/log_limit.h"
#include "out/http_client.h"
#include "store/db/db.h"
#include "worker/process/event_loop.h"
#include "worker/process/statistics.h"
#include "worker/process/watchdog_config.h"

/* How much longer than the deadline of an exchange its lease is, so that the
 * result is still recorded under the lease. */
#define IDV_LEASE_SLACK (60 * IDV_SECOND)

/* How often parts poll for work queued by other nodes. */
#define IDV_POLL_INTERVAL IDV_SECOND

/* The logged state of the database, shared by all connections. */
typedef struct {
    int away;           /* connections that could not be opened */
    int is_fault_known; /* the database is available but unusable */
} idv_outage_t;

typedef struct idv_worker_t {
    const idv_watchdog_config_t *config;
    server_rec *server; /* for the log */
    apr_pool_t *pool;   /* of the process */
    idv_event_loop_t *loop;
    idv_statistics_t *statistics;
    const char *node; /* the owner of leases: this server process */
    const idv_departing_t *departing;
    int is_departing; /* flag: the successor has leases under the same name */
    idv_log_limit_t *log_limit; /* shared by copies of the structure */
    idv_outage_t *outage;       /* shared by copies of the structure */
    /* The connection and its state, maintained by idv_worker_database() and
     * idv_worker_database_failed(). Other parts only read `db`, which is NULL
     * after a loss. */
    apr_pool_t *db_pool;
    idv_db_t *db;
    idv_time_t retry_at;   /* monotonic */
    idv_time_t checked_at; /* monotonic; last check that the database is
                            * usable */
    int failures;
} idv_worker_t;

/* The database connection, or NULL while there is none. */
idv_db_t *idv_worker_database(idv_worker_t *worker);

/* Reports a failed statement: logs it (core/log_limit.h) and drops a lost
 * connection. */
void idv_worker_database_failed(idv_worker_t *worker, const idv_error_t *error);

/* Non-zero while watchdogs of earlier generations depart: leases of this node
 * may be theirs and must not be taken over. */
int idv_worker_has_predecessor(const idv_worker_t *worker);

/* An HTTP client in the event loop, which watches its descriptors and
 * deadlines. CONFIG is copied. An exchange that cannot be watched ends by its
 * timeout and is logged. */
idv_error_t *idv_worker_http_client_create(
    idv_worker_t *worker, const idv_http_client_config_t *config,
    idv_http_client_t **client, apr_pool_t *pool) IDV_CHECKED;

/* One line of the error log. NUMBER is "IDV" and four digits, unique per call
 * site. */
#define idv_worker_log(worker, level, number, format, ...)                     \
    ap_log_error(APLOG_MARK, level, 0, (worker)->server,                       \
                 number ": " format __VA_OPT__(, ) __VA_ARGS__)

/* The end of a log line NUMBER about ERROR, in the event loop's scratch pool;
 * NULL if the line must be suppressed now. */
const char *idv_worker_admit_line(idv_worker_t *worker, const char *number,
                                  const idv_error_t *error);

/* Logs ERROR, once a minute per cause, with the number of suppressed lines.
 * FORMAT says what failed. */
#define idv_worker_log_failure(worker, number, error, format, ...)             \
    do {                                                                       \
        const char *line_end = idv_worker_admit_line(worker, number, error);   \
                                                                               \
        if (line_end)                                                          \
            idv_worker_log(worker, APLOG_ERR, number,                          \
                           format ": %s%s" __VA_OPT__(, ) __VA_ARGS__,         \
                           idv_error_cause(error), line_end);                  \
    } while (0)

/* Logs the numbers of suppressed lines of causes that no longer occur. */
void idv_worker_log_rest(idv_worker_t *worker);

#endif
