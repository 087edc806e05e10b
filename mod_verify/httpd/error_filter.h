/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_ERROR_FILTER_H
#define IDV_HTTPD_ERROR_FILTER_H

/*
 * Turns the error pages that httpd writes itself (a request line it cannot
 * read, a refused Require, a time-out) into the error envelope, for requests
 * of the API. An `ErrorDocument` with an address of the administrator's wins;
 * conf/verify.conf sets it back to the default for the API.
 */
#include <apr_pools.h>

/* Registers the filter and the hook that inserts it. */
void idv_error_filter_register(void);

#endif
