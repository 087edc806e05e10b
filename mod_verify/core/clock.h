/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_CLOCK_H
#define IDV_CORE_CLOCK_H

/*
 * Points in time, as the whole project keeps them: Unix milliseconds in UTC.
 *
 * The interface shows most of them as Unix seconds and some as ISO 8601. Code
 * that decides (domain, methods) never asks the system: it gets `now` passed.
 *
 * Memory: texts live in the given pool. Threads: thread-safe. Nothing fails.
 */
#include <stdint.h>

#include "core/error.h"

/* Unix milliseconds; 0 stands for "none". */
typedef apr_int64_t idv_time_t;

#define IDV_SECOND ((idv_time_t)1000)
#define IDV_MINUTE (60 * IDV_SECOND)
#define IDV_HOUR (60 * IDV_MINUTE)
#define IDV_DAY (24 * IDV_HOUR)

/* The last Unix second of the year 9999: no parameter means a later one. */
#define IDV_LATEST_SECOND ((apr_int64_t)253402300799)

/* The system's clock. */
idv_time_t idv_time_now(void);

/* Milliseconds of a clock that nobody sets, for how long something takes: since
 * some moment, the same for all processes of the machine. Safe in signal
 * handlers, as the next one. */
idv_time_t idv_time_steady(void);

/* Milliseconds of processor time that this process has used. Whoever limits work
 * by them decides the same on a busy machine as on a quiet one. */
idv_time_t idv_processor_time_used(void);

/* The pause before something that has failed is tried again: FIRST
 * milliseconds, doubled with each of FAILURES before the last one, LONGEST at
 * most. */
idv_time_t idv_time_backoff(idv_time_t first, idv_time_t longest, int failures);

/* Up to a tenth of DELAY, to be added to it, so that those who wait for the
 * same do not come back all at once. RANDOM is any value, evenly spread. */
idv_time_t idv_time_jitter(idv_time_t delay, uint32_t random);

/* The beginning of the day in UTC. */
idv_time_t idv_time_day(idv_time_t time);

/* Whole Unix seconds, rounded down. */
apr_int64_t idv_time_seconds(idv_time_t time);

/* ISO 8601 in UTC with milliseconds, 2026-01-31T12:00:00.000Z. */
const char *idv_time_iso8601(idv_time_t time, apr_pool_t *pool);

#endif
