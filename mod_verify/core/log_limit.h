/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_LOG_LIMIT_H
#define IDV_CORE_LOG_LIMIT_H

/*
 * Rate limit for repeated log messages: one line a minute per cause, with the
 * number of suppressed ones.
 *
 * A cause is a tag that identifies the location, and a text that says what
 * failed but not for whom. The number of suppressed lines is reported with the
 * next line of the cause or, after a minute without one, by
 * idv_log_limit_rest(). At most IDV_LOG_CAUSES causes are tracked at a time.
 * While the table is full and no cause is a minute old, all others share one
 * line a minute.
 *
 * Pure bookkeeping: the time is passed in. Threads: one. Memory: only the
 * structure, all zero at first. Failures: none.
 */
#include "core/clock.h"

#define IDV_LOG_CAUSES 32
#define IDV_LOG_PAUSE IDV_MINUTE /* between two lines of a cause */
#define IDV_LOG_TAG_SIZE 8       /* bytes, with the NUL */
#define IDV_LOG_TEXT_SIZE 160    /* bytes, with the NUL; longer texts are
                                  * truncated */

typedef struct {
    char tag[IDV_LOG_TAG_SIZE]; /* "": unused */
    char text[IDV_LOG_TEXT_SIZE];
    idv_time_t written;
    apr_int64_t left_out; /* lines suppressed since then */
} idv_log_cause_t;

typedef struct {
    idv_log_cause_t causes[IDV_LOG_CAUSES];
    idv_log_cause_t others; /* shared by causes without an entry */
} idv_log_limit_t;

/* Non-zero if a line for TAG and TEXT should be written at NOW (monotonic).
 * *LEFT_OUT is then the number of its lines suppressed since the last one. */
int idv_log_limit_admit(idv_log_limit_t *limit, const char *tag,
                        const char *text, idv_time_t now,
                        apr_int64_t *left_out);

/* Non-zero if *REST was set to a cause with suppressed lines and no line for a
 * minute. Report it now; it is removed. */
int idv_log_limit_rest(idv_log_limit_t *limit, idv_time_t now,
                       idv_log_cause_t *rest);

#endif
