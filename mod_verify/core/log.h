/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_LOG_H
#define IDV_CORE_LOG_H

/*
 * Log lines of the layers that do not know httpd. Whoever starts them gives a
 * sink: httpd's error log in the server, standard error in tools and tests.
 *
 * Every message has a tag of its own, IDV and four digits, never used at two
 * places and never again for another message: 0001-0199 httpd and api,
 * 0200-0399 worker and out, 0400-0499 store, 0500-0599 analyze. t/meta/
 * checks it. No personal data, secrets or keys, and no bytes of strangers.
 *
 * Threads: a sink may be called from any thread.
 */
#include <apr_pools.h>

typedef enum {
    IDV_LOG_ERROR,
    IDV_LOG_WARNING,
    IDV_LOG_NOTICE,
    IDV_LOG_INFO,
    IDV_LOG_DEBUG
} idv_log_level_t;

typedef struct {
    /* MESSAGE is one line that begins with its tag. */
    void (*write)(void *baton, idv_log_level_t level, const char *message);
    void *baton;
} idv_log_t;

/* Writes by printf rules, cut at 1 KiB. TAG is "IDVnnnn"; a NULL LOG is
 * silent. */
void idv_log(const idv_log_t *log, idv_log_level_t level, const char *tag,
             const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Lines on standard error. */
extern const idv_log_t idv_log_to_stderr;

#endif
