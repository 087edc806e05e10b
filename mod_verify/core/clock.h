/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_CLOCK_H
#define IDV_CORE_CLOCK_H

/*
 * Points in time: Unix milliseconds in UTC, everywhere in the project.
 *
 * The API shows most of them as Unix seconds and some as ISO 8601. Code that
 * decides (domain, methods) never reads the system clock; it is passed `now`.
 *
 * Memory: texts live in the given pool. Threads: thread-safe. Failures: none.
 */
#include <stdint.h>

#include "core/error.h"

/* Unix milliseconds; 0 means "none". */
typedef apr_int64_t idv_time_t;

#define IDV_SECOND ((idv_time_t)1000)
#define IDV_MINUTE (60 * IDV_SECOND)
#define IDV_HOUR (60 * IDV_MINUTE)
#define IDV_DAY (24 * IDV_HOUR)

/* The last Unix second of the year 9999; no parameter accepts a later one. */
#define IDV_LATEST_SECOND ((apr_int64_t)253402300799)

/* The system clock. */
idv_time_t idv_time_now(void);

/* Milliseconds of a monotonic clock, for measuring durations. The epoch is
 * arbitrary but the same for all processes of the machine. Async-signal-safe,
 * as is the next one. */
idv_time_t idv_time_steady(void);

/* Milliseconds of processor time used by this process. A limit based on it
 * behaves the same on a busy machine as on an idle one. */
idv_time_t idv_processor_time_used(void);

/* The delay before a retry: FIRST milliseconds, doubled for each of FAILURES
 * except the last, at most LONGEST. */
idv_time_t idv_time_backoff(idv_time_t first, idv_time_t longest, int failures);

/* A random addition of up to a tenth of DELAY, so that waiters do not all
 * return at the same time. RANDOM is a uniformly distributed value. */
idv_time_t idv_time_jitter(idv_time_t delay, uint32_t random);

/* The start of the UTC day. */
idv_time_t idv_time_day(idv_time_t time);

/* Whole Unix seconds, rounded down. */
apr_int64_t idv_time_seconds(idv_time_t time);

/* ISO 8601 in UTC with milliseconds, 2026-01-31T12:00:00.000Z. */
const char *idv_time_iso8601(idv_time_t time, apr_pool_t *pool);

#endif
