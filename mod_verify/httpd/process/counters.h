/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_PROCESS_COUNTERS_H
#define IDV_HTTPD_PROCESS_COUNTERS_H

/*
 * The counters of this node's children, shown by httpd/hooks/metrics.h.
 *
 * Counters are plain atomic numbers in shared memory, which only rise; with each
 * bucket of durations there is the trace of a request in it (an exemplar). A
 * restart keeps them by the names of counters and routes, not by index, so
 * another version of the module finds its own.
 *
 * Threads and processes: everything may be called from all children once the
 * parent has called idv_counters_init(); before that, counting does nothing.
 * Failures: only idv_counters_init(), if the memory cannot be mapped.
 */
#include <httpd.h>
#include <stdatomic.h>

#include "api/http/routes.h"
#include "core/error.h"
#include "core/trace.h"

/* IDV_COUNTER(member, "metric", "help") */
#define IDV_COUNTERS(IDV_COUNTER)                                              \
    IDV_COUNTER(authentication_failures, "authentication_failures_total",      \
                "Requests refused for their API key.")                         \
    IDV_COUNTER(rate_limited, "rate_limited_requests_total",                   \
                "Requests over the limit of their key.")                       \
    IDV_COUNTER(rate_shared, "rate_shared_requests_total",                     \
                "Requests counted with others: VerifyRateLimitKeys is low.")   \
    IDV_COUNTER(database_waits, "database_waits_total",                        \
                "Requests that waited for a database connection.")             \
    IDV_COUNTER(database_timeouts, "database_wait_timeouts_total",             \
                "Requests refused because no connection became free.")         \
    IDV_COUNTER(searches_refused, "searches_refused_total",                    \
                "Searches refused for others of their organization.")          \
    IDV_COUNTER(database_reconnects, "database_reconnects_total",              \
                "Connections made again because the server had closed them.")  \
    IDV_COUNTER(connections_ended, "idle_connections_ended_total",             \
                "Idle connections of clients ended to make room for others.")  \
    IDV_COUNTER(gate_admissions, "gate_admissions_total",                      \
                "Guarded requests let in with a proof.")                       \
    IDV_COUNTER(gate_skips, "gate_skips_total",                                \
                "Guarded requests let in by VerifyGateSkip.")                  \
    IDV_COUNTER(gate_refusals, "gate_refusals_total",                          \
                "Guarded requests sent to a gate or refused.")                 \
    IDV_COUNTER(gate_sessions, "gate_sessions_total",                          \
                "Sessions created for visitors of gates.")                     \
    IDV_COUNTER(gate_proofs, "gate_proofs_total",                              \
                "Visitors of gates who came back verified.")

#define IDV_STATUS_CLASSES 6 /* index: status / 100 */

#define IDV_DURATION_BUCKETS 12 /* one more is open */

/* Their upper bounds in milliseconds. */
extern const int idv_duration_bounds[IDV_DURATION_BUCKETS];

/* A recent request of a bucket whose trace is sent to a collector. VERSION is
 * odd while a child writes; 0: there is none. */
typedef struct {
    atomic_llong version;
    atomic_llong trace[3]; /* an idv_trace_context_t */
    atomic_llong duration; /* microseconds */
    atomic_llong ended;    /* milliseconds since 1970 */
} idv_exemplar_t;

/* The counters in shared memory. Every member must be an atomic_llong, because
 * a restart keeps the structure as a list of named values. */
typedef struct {
#define IDV_COUNTER(member, name, help) atomic_llong member;
    IDV_COUNTERS(IDV_COUNTER)
#undef IDV_COUNTER
    atomic_llong durations[IDV_DURATION_BUCKETS + 1];
    atomic_llong duration_sum; /* microseconds */
    idv_exemplar_t exemplars[IDV_DURATION_BUCKETS + 1];
    /* By index in the table of routes; the last is for unknown paths. */
    atomic_llong requests[][IDV_STATUS_CLASSES];
} idv_counters_t;

/* The counters of the node; NULL before idv_counters_init(). */
extern idv_counters_t *idv_counters;

/* Finds or creates the shared memory; in the parent, in post_config. */
idv_error_t *idv_counters_init(apr_pool_t *pool) IDV_CHECKED;

/* Adds one to the counter MEMBER. */
#define idv_count(member)                                                      \
    do {                                                                       \
        if (idv_counters)                                                      \
            atomic_fetch_add_explicit(&idv_counters->member, 1,                \
                                      memory_order_relaxed);                   \
    } while (0)

/* Counts an answer with STATUS that took MICROSECONDS; ROUTE is NULL for an
 * unknown path, TRACE if no collector gets it. */
void idv_count_request(const idv_route_t *route, int status,
                       apr_int64_t microseconds,
                       const idv_trace_context_t *trace);

/* A copy of an exemplar. */
typedef struct {
    idv_trace_context_t trace;
    apr_int64_t duration; /* microseconds */
    apr_int64_t ended;    /* milliseconds since 1970 */
} idv_exemplar_copy_t;

/* Zero if the bucket of durations BUCKET has no exemplar at the moment. */
int idv_exemplar_read(int bucket, idv_exemplar_copy_t *copy);

#endif
