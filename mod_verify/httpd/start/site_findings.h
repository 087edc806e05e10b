/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_START_SITE_FINDINGS_H
#define IDV_HTTPD_START_SITE_FINDINGS_H

/*
 * The warnings of the site check: each names a directive, its file and line,
 * the paths that it affects, its effect and the remedy. A directive is reported
 * once for all paths.
 *
 * Threads: only the parent, while it reads the configuration. Memory: the
 * site's. Failures: none.
 */
#include "httpd/configuration/site.h"

/* A remedy of many findings. */
extern const char idv_site_include_after[];

/* Prepares SITE for idv_site_note(). */
void idv_site_findings_begin(idv_site_t *site);

/* Notes that DIRECTIVE does DOES to PATH and that the remedy is to write
 * WRITE. */
void idv_site_note(const idv_site_t *site, const char *path,
                   const ap_directive_t *directive, const char *does,
                   const char *write);

/* Logs all findings, in the log of SERVER. */
void idv_site_findings_tell(const idv_site_t *site, server_rec *server);

#endif
