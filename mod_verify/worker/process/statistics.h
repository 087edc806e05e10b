/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_PROCESS_STATISTICS_H
#define IDV_WORKER_PROCESS_STATISTICS_H

/*
 * Counters of the watchdog, for the status page and the metrics.
 *
 * One page of memory that httpd's parent maps before it forks: the watchdog
 * writes, the children read, and count the spans that they drop. It survives
 * restarts of the server and of the watchdog. Another version of the module finds
 * its counters by the names of the members, so counters never fall. Access is by
 * plain atomic loads and stores; the values of one reading can be from different
 * moments.
 */
#include <stdatomic.h>

#include "methods/mdl/mdl_deviations.h"
#include "methods/passport/deviations.h"

/* Every counter: IDV_COUNTER(member, "metric name", "help text"). */
#define IDV_STATISTICS_COUNTERS(IDV_COUNTER)                                   \
    IDV_COUNTER(starts, "watchdog_starts_total", "Starts of the watchdog.")    \
    IDV_COUNTER(deliveries_succeeded, "webhook_deliveries_succeeded_total",    \
                "Delivery attempts answered with 2xx.")                        \
    IDV_COUNTER(deliveries_retried, "webhook_deliveries_retried_total",        \
                "Delivery attempts that failed and will be repeated.")         \
    IDV_COUNTER(deliveries_failed, "webhook_deliveries_failed_total",          \
                "Deliveries that failed permanently.")                         \
    IDV_COUNTER(deliveries_recovered, "webhook_deliveries_recovered_total",    \
                "Deliveries queued by recoveries.")                            \
    IDV_COUNTER(address_refusals, "webhook_address_refusals_total",            \
                "Delivery attempts to forbidden addresses.")                   \
    IDV_COUNTER(sessions_expired, "sessions_expired_total",                    \
                "Sessions ended by their expiry.")                             \
    IDV_COUNTER(reviews_timed_out, "reviews_timed_out_total",                  \
                "Reviews rejected by their timeout.")                          \
    IDV_COUNTER(checks_resumed, "session_checks_resumed_total",                \
                "Sessions that waited for passive checks.")                    \
    IDV_COUNTER(handoffs_idle, "handoffs_idle_total",                          \
                "Sessions that idle phones lost.")                             \
    IDV_COUNTER(analyses_finished, "analyses_finished_total",                  \
                "Submissions analysed and decided.")                           \
    IDV_COUNTER(analyses_too_long, "analyses_too_long_total",                  \
                "Submissions with photos that took too long.")                 \
    IDV_COUNTER(analyses_overdue, "analyses_overdue_total",                    \
                "Submissions that gave up their place.")                       \
    IDV_COUNTER(analyses_crashed, "analyses_crashed_total",                    \
                "Submissions whose sandboxed reader ended abnormally.")        \
    IDV_COUNTER(mails_sent, "mails_sent_total",                                \
                "E-mails accepted by the mail server.")                        \
    IDV_COUNTER(mails_retried, "mails_retried_total",                          \
                "Failed e-mails that will be retried.")                        \
    IDV_COUNTER(mails_given_up, "mails_given_up_total",                        \
                "E-mails removed unsent.")                                     \
    IDV_COUNTER(rows_purged, "rows_purged_total",                              \
                "Rows removed because their retention ended.")                 \
    IDV_COUNTER(sessions_removed, "sessions_removed_total",                    \
                "Ended sessions removed because their retention ended.")       \
    IDV_COUNTER(credentials_removed, "credentials_removed_total",              \
                "Ended credentials removed because their retention ended.")    \
    IDV_COUNTER(database_failures, "watchdog_database_failures_total",         \
                "Statements of the watchdog that failed.")                     \
    IDV_COUNTER(spans_sent, "spans_sent_total",                                \
                "Spans that the trace collector accepted.")                    \
    IDV_COUNTER(spans_dropped, "spans_dropped_total",                          \
                "Spans dropped because the trace collector is slow or "        \
                "rejected them.")

/* Every value that rises and falls: IDV_GAUGE(member, "metric name", "help
 * text"). */
#define IDV_STATISTICS_GAUGES(IDV_GAUGE)                                       \
    IDV_GAUGE(watchdog_pid, "watchdog_pid",                                    \
              "Process id of the running watchdog; 0 if none runs.")           \
    IDV_GAUGE(database_up, "watchdog_database_up",                             \
              "1 while the watchdog has its database connection.")             \
    IDV_GAUGE(database_refuses, "watchdog_database_refuses",                   \
              "1 if the database refused the watchdog's last report.")         \
    IDV_GAUGE(heartbeat_seconds, "watchdog_heartbeat_timestamp_seconds",       \
              "When the watchdog's loop last turned.")                         \
    IDV_GAUGE(deliveries_in_flight, "webhook_deliveries_in_flight",            \
              "Deliveries being sent now.")                                    \
    IDV_GAUGE(reader_up, "reader_up",                                          \
              "1 while this node's verify-analyze reads documents, 0 while "   \
              "they wait or are left to other nodes.")                         \
    IDV_GAUGE(gates_faulty, "gates_faulty",                                    \
              "Age gates whose organization or workflow can create no "        \
              "sessions.")                                                     \
    IDV_GAUGE(analyses_running, "analyses_running",                            \
              "Submissions being analysed now.")                               \
    IDV_GAUGE(deliveries_waiting, "webhook_deliveries_waiting",                \
              "Deliveries not tried yet, of all nodes, up to 100000.")         \
    IDV_GAUGE(deliveries_repeating, "webhook_deliveries_repeating",            \
              "Deliveries to be retried, of all nodes, up to 100000.")         \
    IDV_GAUGE(analyses_waiting, "analyses_waiting",                            \
              "Submissions not decided yet, of all nodes, up to 100000.")      \
    IDV_GAUGE(mails_waiting, "mails_waiting",                                  \
              "E-mails not sent yet, of all nodes, up to 100000.")             \
    IDV_GAUGE(trust_reuse_asked, "trust_reuse_asked_day",                      \
              "Creations of a day that looked up persons of others.")          \
    IDV_GAUGE(trust_reuse_met, "trust_reuse_met_day",                          \
              "Those of a day that found such a person.")                      \
    IDV_GAUGE(trust_reuse_unmet_most, "trust_reuse_unmet_day_most",            \
              "Those without a match, of the application with most.")          \
    IDV_GAUGE(trust_lists_ending, "trust_lists_ending",                        \
              "Trust lists whose next edition is due or late, up to 100.")     \
    IDV_GAUGE(trust_certificates_ending, "trust_certificates_ending",          \
              "Certificates of trust lists in use that end within 30 days, "   \
              "and of the operator's own lists those that have ended; of up "  \
              "to 100 lists.")                                                 \
    IDV_GAUGE(revocation_lists_ending, "revocation_lists_ending",              \
              "Imported revocation lists of trusted authorities that end "     \
              "within three days or have ended, up to 100.")                   \
    IDV_GAUGE(readers_ending, "reader_identities_ending",                      \
              "Reader identities whose certificate ends within 30 days or "    \
              "has ended, up to 100.")

/* Counters and gauges in shared memory. Every member must be an atomic long
 * long, because a restart preserves the structure as a list of named values. */
typedef struct {
#define IDV_STATISTIC(member, name, help) _Atomic long long member;
    IDV_STATISTICS_COUNTERS(IDV_STATISTIC)
    IDV_STATISTICS_GAUGES(IDV_STATISTIC)
#undef IDV_STATISTIC
    /* Deviations of chips from the standard, indexed as in
     * methods/passport/deviations.h. */
    _Atomic long long deviations[IDV_DEVIATIONS];
    /* Deviations of wallet documents' issuers, indexed as in
     * methods/mdl/mdl_deviations.h. */
    _Atomic long long wallet_deviations[IDV_MDL_DEVIATIONS];
} idv_statistics_t;

/* Adds COUNT to a counter, or one. */
#define idv_statistics_add(statistics, member, count)                          \
    atomic_fetch_add_explicit(&(statistics)->member, count,                    \
                              memory_order_relaxed)
#define idv_statistics_count(statistics, member)                               \
    idv_statistics_add(statistics, member, 1)

/* Sets a gauge. */
#define idv_statistics_set(statistics, member, value)                          \
    atomic_store_explicit(&(statistics)->member, (value), memory_order_relaxed)

/* Reads a counter or a gauge. */
#define idv_statistics_get(statistics, member)                                 \
    atomic_load_explicit(&(statistics)->member, memory_order_relaxed)

#endif
