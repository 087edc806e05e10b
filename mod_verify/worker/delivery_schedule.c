/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/delivery_schedule.h"

#include <string.h>

#include <apr_date.h>
#include <apr_time.h>

#define RETRY_AFTER_MAX IDV_DAY

/* Until attempt 2, 3, 4, 5. */
static const idv_time_t delays[IDV_DELIVERY_MAX_ATTEMPTS - 1] = {
    5 * IDV_MINUTE, 30 * IDV_MINUTE, 2 * IDV_HOUR, 8 * IDV_HOUR};

static idv_time_t parse_seconds(const char *digits)
{
    idv_time_t seconds = 0;

    for (; *digits >= '0' && *digits <= '9'; digits++)
        if (seconds <= RETRY_AFTER_MAX)
            seconds = seconds * 10 + (*digits - '0');
    if (*digits)
        return 0;
    return seconds > RETRY_AFTER_MAX / IDV_SECOND ? RETRY_AFTER_MAX
                                                  : seconds * IDV_SECOND;
}

idv_time_t idv_retry_after_parse(const char *value, idv_time_t now)
{
    apr_time_t date;
    idv_time_t delay;

    if (!value || !*value || strlen(value) > 64)
        return 0;
    if (*value >= '0' && *value <= '9')
        return parse_seconds(value);
    date = apr_date_parse_http(value);
    if (date == APR_DATE_BAD)
        return 0;
    delay = apr_time_as_msec(date) - now;
    if (delay <= 0)
        return 0;
    return delay < RETRY_AFTER_MAX ? delay : RETRY_AFTER_MAX;
}

/* A status is the receiver's word, also when the rest of its response was too
 * long or did not come in time. */
static int is_worth_repeating(const idv_delivery_attempt_t *attempt)
{
    int status = attempt->status_code;

    if (attempt->result != IDV_HTTP_STATUS && status / 100 != 3
        && status / 100 != 4)
        return 1;
    return status == 429 || status >= 500;
}

static idv_time_t delay_after(const idv_delivery_attempt_t *attempt,
                              idv_time_t now, uint32_t random)
{
    idv_time_t scheduled = delays[attempt->attempt - 1], delay = scheduled;
    idv_time_t jitter = scheduled / 10 * (idv_time_t)(random % 1001) / 1000;

    if (attempt->result == IDV_HTTP_STATUS
        && (attempt->status_code == 429 || attempt->status_code == 503)) {
        idv_time_t asked = idv_retry_after_parse(attempt->retry_after, now);

        if (asked > delay)
            delay = asked;
    }
    delay += jitter;
    return delay > 2 * scheduled ? 2 * scheduled : delay;
}

idv_delivery_verdict_t idv_delivery_decide(const idv_delivery_attempt_t *attempt,
                                           idv_time_t now, uint32_t random,
                                           idv_time_t *next)
{
    *next = 0;
    if (attempt->result == IDV_HTTP_OK)
        return IDV_DELIVERY_DELIVERED;
    if (!is_worth_repeating(attempt) || attempt->attempt < 1
        || attempt->attempt >= IDV_DELIVERY_MAX_ATTEMPTS)
        return IDV_DELIVERY_FAILED;
    *next = now + delay_after(attempt, now, random);
    return IDV_DELIVERY_RETRY;
}
