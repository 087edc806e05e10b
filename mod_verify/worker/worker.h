/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WORKER_H
#define IDV_WORKER_WORKER_H

/*
 * What the parts of the watchdog process share (worker/watchdog_process.h says
 * who they are): its configuration, event loop, counters, log, connection to
 * the database, and clients of HTTP in the event loop.
 *
 * The connection is opened when first needed and again after it was lost. While
 * the database is away, idv_worker_database() refuses without trying, for a
 * time that doubles up to half a minute; the loss and the return are logged
 * once each. A database that this node may not work with (store/db/schema.h)
 * counts as away, and is logged once. Statements run synchronously: they take a
 * millisecond, and the kernel keeps the sockets of the deliveries meanwhile.
 * Deliveries themselves have a connection of their own, with a copy of the
 * structure, and do not wait for it.
 *
 * Threads: the watchdog's loop only. Memory: of the watchdog's process.
 * Failures: of the database, logged here once a minute for each cause
 * (core/log_limit.h), so that parts only say what could not be done.
 */
#include <httpd.h>
#include <http_log.h>

#include "core/log_limit.h"
#include "out/http_client.h"
#include "store/db/db.h"
#include "worker/event_loop.h"
#include "worker/watchdog.h"

/* How much longer than the deadline of an exchange its lease is, so that the
 * end of the exchange is still recorded under the lease. */
#define IDV_LEASE_SLACK (60 * IDV_SECOND)

/* How often parts look for work that other nodes have queued. */
#define IDV_POLL_INTERVAL IDV_SECOND

/* What the log was told of the database, once for all connections. */
typedef struct {
    int away;           /* connections that could not be made */
    int is_fault_known; /* the database is there and cannot be worked with */
} idv_outage_t;

typedef struct idv_worker_t {
    const idv_watchdog_config_t *config;
    server_rec *server; /* for the log */
    apr_pool_t *pool;   /* of the process */
    idv_event_loop_t *loop;
    idv_statistics_t *statistics;
    const char *node; /* the owner of leases: this server process */
    const idv_departing_t *departing;
    int is_departing; /* the successor has leases under the same name */
    idv_log_limit_t *log_limit; /* shared by copies of the structure */
    idv_outage_t *outage;       /* likewise */
    /* The connection and its troubles: idv_worker_database() and
     * idv_worker_database_failed() keep these members. Other parts only look at
     * `db`, which is NULL once the connection was lost. */
    apr_pool_t *db_pool;
    idv_db_t *db;
    idv_time_t retry_at; /* monotonic */
    idv_time_t checked_at; /* monotonic; whether the database is fit */
    int failures;
} idv_worker_t;

/* The connection to the database, or NULL while there is none. */
idv_db_t *idv_worker_database(idv_worker_t *worker);

/* Says that a statement failed: logs it (core/log_limit.h) and, when the
 * connection is lost, gives it up. */
void idv_worker_database_failed(idv_worker_t *worker, const idv_error_t *error);

/* Non-zero while watchdogs of earlier generations depart: what is leased for
 * this node may be theirs, and must not be taken over. */
int idv_worker_has_predecessor(const idv_worker_t *worker);

/* An HTTP client in the event loop, which watches its descriptors and its
 * deadlines. CONFIG is copied. What cannot be watched ends by its timeout and
 * is logged. */
idv_error_t *idv_worker_http_client_create(
    idv_worker_t *worker, const idv_http_client_config_t *config,
    idv_http_client_t **client, apr_pool_t *pool) IDV_CHECKED;

/* One line of the error log. NUMBER is "IDV" and four digits, other ones in
 * each place. */
#define idv_worker_log(worker, level, number, format, ...)                     \
    ap_log_error(APLOG_MARK, level, 0, (worker)->server,                       \
                 number ": " format __VA_OPT__(, ) __VA_ARGS__)

/* What a line of NUMBER about ERROR has to end with, of the event loop's
 * scratch pool; NULL when it must not be written now. */
const char *idv_worker_admit_line(idv_worker_t *worker, const char *number,
                                  const idv_error_t *error);

/* The line about ERROR of what may fail over and over: once a minute for each
 * cause, with how many were left out. FORMAT says what failed. */
#define idv_worker_log_failure(worker, number, error, format, ...)             \
    do {                                                                       \
        const char *line_end = idv_worker_admit_line(worker, number, error);   \
                                                                               \
        if (line_end)                                                          \
            idv_worker_log(worker, APLOG_ERR, number,                          \
                           format ": %s%s" __VA_OPT__(, ) __VA_ARGS__,         \
                           idv_error_cause(error), line_end);                  \
    } while (0)

/* Tells of the lines that were left out of causes that do not come any more. */
void idv_worker_log_rest(idv_worker_t *worker);

#endif
