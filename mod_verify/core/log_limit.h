/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_LOG_LIMIT_H
#define IDV_CORE_LOG_LIMIT_H

/*
 * Which lines of a log are written when something fails over and over: of each
 * cause one a minute, and how many others there were.
 *
 * A cause is a tag, which names the place, and a text, which names what went
 * wrong but not to whom. What was left out is told with the next line of the
 * cause, or, when there is none for a minute, by idv_log_limit_rest(). At most
 * IDV_LOG_CAUSES causes are known at a time; while that many are known and none
 * is a minute old, all others share a line a minute.
 *
 * Pure bookkeeping: the time is passed in. Threads: one. Memory: the structure
 * alone; all zero at first. Failures: none.
 */
#include "core/clock.h"

#define IDV_LOG_CAUSES 32
#define IDV_LOG_PAUSE IDV_MINUTE /* between two lines of a cause */
#define IDV_LOG_TAG_SIZE 8       /* bytes, with the end */
#define IDV_LOG_TEXT_SIZE 160    /* the same; of longer ones the beginning */

typedef struct {
    char tag[IDV_LOG_TAG_SIZE]; /* "": a free place */
    char text[IDV_LOG_TEXT_SIZE];
    idv_time_t written;
    apr_int64_t left_out; /* lines since then */
} idv_log_cause_t;

typedef struct {
    idv_log_cause_t causes[IDV_LOG_CAUSES];
    idv_log_cause_t others; /* of all for which there is no place */
} idv_log_limit_t;

/* Non-zero when a line of TAG about TEXT is to be written at NOW, monotonic;
 * then *LEFT_OUT is how many of the cause were not since the last one. */
int idv_log_limit_admit(idv_log_limit_t *limit, const char *tag,
                        const char *text, idv_time_t now,
                        apr_int64_t *left_out);

/* Non-zero when *REST is a cause of which lines were left out, and no more came
 * for a minute: it is to be told of now, and forgotten with that. */
int idv_log_limit_rest(idv_log_limit_t *limit, idv_time_t now,
                       idv_log_cause_t *rest);

#endif
