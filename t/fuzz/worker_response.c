/* SPDX-License-Identifier: Apache-2.0 */
/* What a receiver answers: the first line is a Retry-After header and the name
 * of another one, the rest a body, which ends up with that in the delivery
 * record; and what an administrator writes as an address range. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>
#include <apr_strings.h>

#include "out/address_guard.h"
#include "worker/webhook/delivery_attempt.h"

static const idv_time_t now = 1700000000000;

static void check_retry_after(const char *value)
{
    idv_delivery_attempt_t attempt = {.attempt = 1,
                                      .result = IDV_HTTP_STATUS,
                                      .status_code = 503,
                                      .retry_after = value};
    idv_time_t asked = idv_retry_after_parse(value, now), next;

    if (asked < 0 || asked > IDV_DAY)
        abort();
    if (idv_delivery_decide(&attempt, now, 7, &next) != IDV_DELIVERY_RETRY
        || next < now + 5 * IDV_MINUTE || next > now + 10 * IDV_MINUTE)
        abort();
}

static void check_record(const char *name, const char *body, apr_size_t length,
                         apr_pool_t *pool)
{
    apr_table_t *headers = apr_table_make(pool, 1);
    idv_http_response_t response = {.status_code = 200,
                                    .headers = headers,
                                    .body = body,
                                    .body_length = length};
    const char *text;
    json_t *json;

    apr_table_setn(headers, name, name);
    text = idv_delivery_record_response(&response, pool);
    if (idv_json_parse(text, strlen(text), &json, pool)
        || !json_is_string(json_object_get(json, "body")))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool;
    idv_address_range_t range;
    const uint8_t *end;
    const char *line;
    apr_size_t length;

    apr_initialize();
    if (apr_pool_create(&pool, NULL) != APR_SUCCESS)
        abort();
    end = size ? memchr(data, '\n', size) : NULL;
    length = end ? (apr_size_t)(end - data) : size;
    line = apr_pstrmemdup(pool, (const char *)data, length);
    check_retry_after(line);
    if (!idv_address_range_parse(line, &range, pool)
        && (range.prefix_length < 0 || range.prefix_length > 128))
        abort();
    if (end)
        check_record(line, (const char *)end + 1, size - length - 1, pool);
    apr_pool_destroy(pool);
    return 0;
}
