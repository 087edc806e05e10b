/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_STATUS_H
#define IDV_HTTPD_STATUS_H

/*
 * What the service tells about itself: a section on the page of mod_status,
 * and the counters in the text format of Prometheus for `SetHandler
 * verify-metrics`. Both show this node; neither asks the database.
 */
#include <httpd.h>

/* Registers the section, when mod_status is loaded. */
void idv_status_register(void);

/* Handler hook for `verify-metrics`. */
int idv_metrics_handler(request_rec *r);

#endif
