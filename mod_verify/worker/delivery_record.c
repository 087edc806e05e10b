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

/* JSON text that is written twice: at first nowhere, for its length. */
typedef struct {
    char *out; /* NULL: nowhere */
    apr_size_t length;
} writer_t;

static void put(writer_t *writer, const char *bytes, apr_size_t length)
{
    if (writer->out)
        memcpy(writer->out + writer->length, bytes, length);
    writer->length += length;
}

static void put_text(writer_t *writer, const char *text)
{
    put(writer, text, strlen(text));
}

/* A string of RFC 8259; what is no UTF-8 is replaced. */
static void put_string(writer_t *writer, const char *bytes, apr_size_t length)
{
    const unsigned char *in = (const unsigned char *)bytes;
    char escape[8];

    put(writer, "\"", 1);
    while (length) {
        apr_size_t good = sequence_length(in, length);

        if (!good) {
            put_text(writer, REPLACEMENT);
            good = 1;
        } else if (*in < 0x20) {
            apr_snprintf(escape, sizeof(escape), "\\u%04x", *in);
            put_text(writer, escape);
        } else {
            if (*in == '"' || *in == '\\')
                put(writer, "\\", 1);
            put(writer, (const char *)in, good);
        }
        in += good;
        length -= good;
    }
    put(writer, "\"", 1);
}

static void put_number(writer_t *writer, int number)
{
    char text[16];

    apr_snprintf(text, sizeof(text), "%d", number);
    put_text(writer, text);
}

static void put_headers(writer_t *writer, const apr_table_t *table)
{
    const apr_array_header_t *headers = apr_table_elts(table);

    for (int i = 0; i < headers->nelts; i++) {
        const apr_table_entry_t *entry =
            &APR_ARRAY_IDX(headers, i, apr_table_entry_t);

        if (i)
            put_text(writer, ",");
        put_string(writer, entry->key, strlen(entry->key));
        put_text(writer, ":");
        put_string(writer, entry->val, strlen(entry->val));
    }
}

static void put_response(writer_t *writer, const idv_http_response_t *response)
{
    put_text(writer, "{\"status_code\":");
    put_number(writer, response->status_code);
    put_text(writer, ",\"headers\":{");
    put_headers(writer, response->headers);
    put_text(writer, "},\"body\":");
    put_string(writer, response->body, response->body_length);
    put_text(writer, ",\"duration_ms\":");
    put_number(writer, response->duration_ms);
    put_text(writer, "}");
}

const char *idv_delivery_record_response(const idv_http_response_t *response,
                                         apr_pool_t *pool)
{
    writer_t writer = {NULL, 0};
    char *text;

    if (!response->status_code)
        return "";
    put_response(&writer, response);
    writer.out = text = apr_palloc(pool, writer.length + 1);
    writer.length = 0;
    put_response(&writer, response);
    text[writer.length] = '\0';
    return text;
}

const char *idv_delivery_record_error(const idv_http_response_t *response,
                                      apr_pool_t *pool)
{
    if (response->result == IDV_HTTP_OK)
        return "";
    return apr_psprintf(pool, "{\"code\":\"%s\",\"message\":\"%s\"}",
                        idv_http_result_code(response->result),
                        idv_http_result_message(response->result));
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
        "\"webhook-id\":\"%s\",\"webhook-timestamp\":\"%" APR_INT64_T_FMT "\"}",
        IDV_HTTP_USER_AGENT, delivery->id, delivery->event_id, timestamp);
}
