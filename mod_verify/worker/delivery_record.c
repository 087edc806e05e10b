/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/delivery_record.h"

#include <string.h>

#include <apr_strings.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

const char *idv_delivery_record_status(idv_delivery_verdict_t verdict)
{
    static const char *const statuses[] = {
        [IDV_DELIVERY_DELIVERED] = "delivered",
        [IDV_DELIVERY_RETRY] = "pending",
        [IDV_DELIVERY_FAILED] = "failed",
    };

    return statuses[verdict];
}

/* Bytes of the well-formed UTF-8 sequence at TEXT (RFC 3629, section 4), 0
 * when there is none; NUL counts as none. */
static apr_size_t sequence_length(const unsigned char *text, apr_size_t left)
{
    unsigned char lead = text[0], low = 0x80, high = 0xbf;
    apr_size_t length;

    if (lead < 0x80)
        return lead != 0;
    length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || length > left)
        return 0;
    if (lead == 0xe0)
        low = 0xa0;
    else if (lead == 0xed)
        high = 0x9f;
    else if (lead == 0xf0)
        low = 0x90;
    else if (lead == 0xf4)
        high = 0x8f;
    if (text[1] < low || text[1] > high)
        return 0;
    for (apr_size_t i = 2; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

static const char *make_utf8(const char *bytes, apr_size_t length,
                             apr_pool_t *pool)
{
    const unsigned char *in = (const unsigned char *)bytes;
    char *text = apr_palloc(pool, length * strlen(REPLACEMENT) + 1);
    char *out = text;

    while (length) {
        apr_size_t good = sequence_length(in, length);

        if (good) {
            memcpy(out, in, good);
            out += good;
        } else {
            memcpy(out, REPLACEMENT, strlen(REPLACEMENT));
            out += strlen(REPLACEMENT);
            good = 1;
        }
        in += good;
        length -= good;
    }
    *out = '\0';
    return text;
}

static const char *dump(json_t *value, apr_pool_t *pool)
{
    const char *text = "";

    if (idv_json_dump(idv_json_own(value, pool), &text, NULL, pool))
        return "";
    return text;
}

const char *idv_delivery_record_response(const idv_webhook_response_t *response,
                                         apr_pool_t *pool)
{
    const apr_array_header_t *headers;
    json_t *object, *names;

    if (!response->status_code)
        return "";
    object = json_object();
    names = json_object();
    headers = apr_table_elts(response->headers);
    for (int i = 0; i < headers->nelts; i++) {
        const apr_table_entry_t *entry =
            &APR_ARRAY_IDX(headers, i, apr_table_entry_t);

        json_object_set_new(names, entry->key, json_string(entry->val));
    }
    json_object_set_new(object, "status_code",
                        json_integer(response->status_code));
    json_object_set_new(object, "headers", names);
    json_object_set_new(
        object, "body",
        json_string(make_utf8(response->body ? response->body : "",
                              response->body_length, pool)));
    json_object_set_new(object, "duration_ms",
                        json_integer(response->duration_ms));
    return dump(object, pool);
}

const char *idv_delivery_record_error(const idv_webhook_response_t *response,
                                      apr_pool_t *pool)
{
    if (response->result == IDV_WEBHOOK_OK)
        return "";
    return apr_psprintf(pool, "{\"code\":\"%s\",\"message\":\"%s\"}",
                        idv_webhook_result_code(response->result),
                        idv_webhook_result_message(response->result));
}

const char *idv_delivery_record_endpoint_disabled(void)
{
    return "{\"code\":\"endpoint_disabled\",\"message\":\"The endpoint was "
           "disabled or deleted before this attempt.\"}";
}

/* Ids need no escaping in JSON. */
const char *idv_delivery_record_request_headers(const idv_delivery_t *delivery,
                                                apr_int64_t timestamp,
                                                apr_pool_t *pool)
{
    return apr_psprintf(
        pool,
        "{\"Content-Type\":\"application/json\","
        "\"User-Agent\":\"%s\",\"Service-Webhook-Id\":\"%s\","
        "\"webhook-id\":\"%s\",\"webhook-timestamp\":\"%" APR_INT64_T_FMT
        "\"}",
        IDV_WEBHOOK_USER_AGENT, delivery->id, delivery->event_id, timestamp);
}
