/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_ACCOUNT_REPORT_HTML_H
#define IDV_CLI_ACCOUNT_REPORT_HTML_H

/*
 * The report for auditors (cli/account/report_commands.c) as a page of HTML
 * that loads nothing and can be printed.
 *
 * Memory: the given pool. Threads: pure. Failures: none.
 */
#include <apr_pools.h>
#include <jansson.h>

/* REPORT as HTML. */
const char *idv_report_html(const json_t *report, apr_pool_t *pool);

#endif
