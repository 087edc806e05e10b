/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_HOOKS_METRICS_H
#define IDV_HTTPD_HOOKS_METRICS_H

/*
 * Metrics of the service, shown as a section on the page of mod_status and, in
 * the text format of Prometheus, by the handler of `SetHandler verify-metrics`:
 * the counters of this node's children (httpd/process/counters.h) and of the
 * watchdog (worker/process/statistics.h), and the bodies, answers and waits
 * under way (core/place_table.h). Both cover this node only; neither queries
 * the database.
 *
 * Threads: any of a child. Memory: the request's pool. Failures: none.
 */
#include <httpd.h>

/* Handler hook for `verify-metrics`. */
int idv_metrics_handler(request_rec *r);

/* Registers the section of the status page, if mod_status is loaded. */
void idv_metrics_register(void);

#endif
