/* SPDX-License-Identifier: Apache-2.0 */
#include "core/clock.h"

#include <time.h>

#include <apr_strings.h>
#include <apr_time.h>

idv_time_t idv_time_now(void)
{
    return apr_time_as_msec(apr_time_now());
}

static idv_time_t read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (idv_time_t)now.tv_sec * IDV_SECOND + now.tv_nsec / 1000000;
}

idv_time_t idv_time_steady(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

idv_time_t idv_processor_time_used(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

idv_time_t idv_time_backoff(idv_time_t first, idv_time_t longest, int failures)
{
    idv_time_t pause = first;

    while (failures-- > 0 && pause < longest)
        pause *= 2;
    return pause < longest ? pause : longest;
}

idv_time_t idv_time_jitter(idv_time_t delay, uint32_t random)
{
    return delay / 10 * (idv_time_t)(random % 1001) / 1000;
}

idv_time_t idv_time_day(idv_time_t time)
{
    idv_time_t past = time % IDV_DAY;

    return time - past - (past < 0 ? IDV_DAY : 0);
}

apr_int64_t idv_time_seconds(idv_time_t time)
{
    return time / IDV_SECOND - (time % IDV_SECOND < 0);
}

const char *idv_time_iso8601(idv_time_t time, apr_pool_t *pool)
{
    apr_int64_t seconds = idv_time_seconds(time);
    apr_time_exp_t parts;

    /* Whole seconds: APR rounds those before 1970 towards it. */
    apr_time_exp_gmt(&parts, apr_time_from_sec(seconds));
    return apr_psprintf(pool, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
                        parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                        parts.tm_hour, parts.tm_min, parts.tm_sec,
                        (int)(time - seconds * IDV_SECOND));
}
