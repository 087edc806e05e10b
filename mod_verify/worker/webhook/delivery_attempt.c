/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/webhook/delivery_attempt.h"

#include <string.h>

#include <apr_date.h>
#include <apr_hash.h>
#include <apr_lib.h>
#include <apr_strings.h>
#include <apr_time.h>

#include "core/json_writer.h"
#include "store/db/master_key.h"

#define RETRY_AFTER_MAX IDV_DAY
#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define RECORD_EXPECTED 1024       /* bytes of a record in addition to the
                                    * body */

/* --- the request: signers --- */

typedef struct {
    apr_pool_t *pool;
    idv_bytes_t sealed, sealed_former;
    idv_webhook_signer_t *signer;
    idv_webhook_signer_t *former; /* signs too, until the overlap ends; or NULL */
} entry_t;

/* Where a signer lives, and where what it is made of is wiped. */
typedef struct {
    apr_pool_t *result, *scratch;
} pools_t;

struct idv_delivery_signers_t {
    const idv_keyring_t *keys;
    apr_pool_t *parent, *pool; /* all entries are in the second one */
    apr_hash_t *by_endpoint;   /* of entry_t */
};

static void forget_all(idv_delivery_signers_t *signers)
{
    if (signers->pool)
        apr_pool_destroy(signers->pool);
    apr_pool_create(&signers->pool, signers->parent);
    signers->by_endpoint = apr_hash_make(signers->pool);
}

idv_delivery_signers_t *idv_delivery_signers_create(const idv_keyring_t *keys,
                                                    apr_pool_t *pool)
{
    idv_delivery_signers_t *signers = apr_pcalloc(pool, sizeof(*signers));

    signers->keys = keys;
    signers->parent = pool;
    forget_all(signers);
    return signers;
}

static idv_error_t *make_signer(const idv_keyring_t *keys,
                                idv_seal_place_t place, idv_bytes_t sealed,
                                idv_webhook_signer_t **signer, pools_t pools)
{
    idv_bytes_t secret;

    IDV_TRY(idv_keyring_open(keys, place, sealed, &secret, pools.scratch));
    return idv_webhook_signer_create(secret, signer, pools.result,
                                     pools.scratch);
}

/* Puts the signers of a delivery into ENTRY. If a former secret cannot sign,
 * the delivery is still sent; *FORMER_FAULT says why. */
static idv_error_t *make_signers(const idv_keyring_t *keys,
                                 const idv_delivery_t *delivery,
                                 entry_t *entry, idv_error_t **former_fault,
                                 apr_pool_t *scratch)
{
    const pools_t pools = {entry->pool, scratch};
    const char *id = delivery->endpoint_id;

    IDV_TRY(make_signer(
        keys, idv_sealed_place(IDV_SEALED_WEBHOOK_SECRET, id, scratch),
        entry->sealed, &entry->signer, pools));
    if (entry->sealed_former.length)
        *former_fault = make_signer(
            keys, idv_sealed_place(IDV_SEALED_FORMER_SECRET, id, scratch),
            entry->sealed_former, &entry->former, pools);
    return NULL;
}

static idv_error_t *add(idv_delivery_signers_t *signers,
                        const idv_delivery_t *delivery, entry_t **out,
                        idv_error_t **former_fault, apr_pool_t *scratch)
{
    apr_pool_t *pool;
    entry_t *entry;
    idv_error_t *error;

    if (apr_hash_count(signers->by_endpoint) >= IDV_SIGNERS_KEPT)
        forget_all(signers);
    apr_pool_create(&pool, signers->pool);
    entry = apr_pcalloc(pool, sizeof(*entry));
    entry->pool = pool;
    entry->sealed = idv_bytes_copy(delivery->sealed_secret, pool);
    entry->sealed_former = idv_bytes_copy(delivery->sealed_former_secret, pool);
    error = make_signers(signers->keys, delivery, entry, former_fault, scratch);
    if (error) {
        apr_pool_destroy(pool);
        return error;
    }
    apr_hash_set(signers->by_endpoint, apr_pstrdup(pool, delivery->endpoint_id),
                 APR_HASH_KEY_STRING, entry);
    *out = entry;
    return NULL;
}

static int is_same(idv_bytes_t one, idv_bytes_t other)
{
    return one.length == other.length
        && (!one.length || memcmp(one.data, other.data, one.length) == 0);
}

static int is_current(const entry_t *entry, const idv_delivery_t *delivery)
{
    return is_same(entry->sealed, delivery->sealed_secret)
        && is_same(entry->sealed_former, delivery->sealed_former_secret);
}

static idv_error_t *find(idv_delivery_signers_t *signers,
                         idv_delivery_request_t *request, const entry_t **out,
                         apr_pool_t *scratch)
{
    const idv_delivery_t *delivery = request->delivery;
    entry_t *entry = apr_hash_get(signers->by_endpoint, delivery->endpoint_id,
                                  APR_HASH_KEY_STRING);

    if (entry && !is_current(entry, delivery)) {
        apr_hash_set(signers->by_endpoint, delivery->endpoint_id,
                     APR_HASH_KEY_STRING, NULL);
        apr_pool_destroy(entry->pool);
        entry = NULL;
    }
    if (!entry)
        IDV_TRY(add(signers, delivery, &entry, &request->former_fault,
                    scratch));
    *out = entry;
    return NULL;
}

/* --- the request --- */

/* The value of webhook-signature: that of the present secret comes first. */
static idv_error_t *sign_standard(const entry_t *entry,
                                  const idv_webhook_message_t *message,
                                  const char **value, apr_pool_t *pool)
{
    const char *former;

    IDV_TRY(idv_webhook_sign_standard(entry->signer, message, value, pool));
    if (!entry->former)
        return NULL;
    IDV_TRY(idv_webhook_sign_standard(entry->former, message, &former, pool));
    *value = apr_pstrcat(pool, *value, " ", former, NULL);
    return NULL;
}

idv_error_t *idv_delivery_request_make(idv_delivery_signers_t *signers,
                                       idv_delivery_request_t *request,
                                       apr_pool_t *scratch)
{
    const idv_delivery_t *delivery = request->delivery;
    apr_pool_t *pool = request->pool;
    idv_webhook_message_t message = {delivery->event_id, delivery->body,
                                     strlen(delivery->body),
                                     request->timestamp};
    const char **headers = apr_pcalloc(pool, 7 * sizeof(*headers));
    const char *signature, *standard;
    const entry_t *entry;

    request->former_fault = NULL;
    IDV_TRY(find(signers, request, &entry, scratch));
    IDV_TRY(idv_webhook_sign(entry->signer, &message, &signature, pool));
    IDV_TRY(sign_standard(entry, &message, &standard, pool));
    headers[0] = "Content-Type: application/json";
    headers[1] = apr_pstrcat(pool, "Service-Webhook-Id: ", delivery->id, NULL);
    headers[2] = apr_pstrcat(pool, "Service-Signature: ", signature, NULL);
    headers[3] = apr_pstrcat(pool, "webhook-id: ", delivery->event_id, NULL);
    headers[4] = apr_psprintf(pool, "webhook-timestamp: %" APR_INT64_T_FMT,
                              request->timestamp);
    headers[5] = apr_pstrcat(pool, "webhook-signature: ", standard, NULL);
    request->http.url = delivery->url;
    request->http.owner = delivery->organization_id;
    request->http.headers = headers;
    request->http.body = delivery->body;
    request->http.body_length = message.body_length;
    request->http.status_decides = 1;
    return NULL;
}

/* --- the verdict --- */

/* Between the end of an attempt and the next: attempts 2, 3, 4, 5. */
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

    if (attempt->result == IDV_HTTP_STATUS
        && (attempt->status_code == 429 || attempt->status_code == 503)) {
        idv_time_t asked = idv_retry_after_parse(attempt->retry_after, now);

        if (asked > delay)
            delay = asked;
    }
    delay += idv_time_jitter(scheduled, random);
    return delay > 2 * scheduled ? 2 * scheduled : delay;
}

idv_delivery_verdict_t
idv_delivery_decide(const idv_delivery_attempt_t *attempt, idv_time_t now,
                    uint32_t random, idv_time_t *next)
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

/* --- the record --- */

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

/* LENGTH untrusted BYTES as text, with invalid UTF-8 replaced; BYTES may be
 * NULL if LENGTH is 0. */
static const char *as_text(const char *bytes, apr_size_t length,
                           apr_pool_t *pool)
{
    const unsigned char *in = (const unsigned char *)(length ? bytes : "");
    const unsigned char *end = in + length;
    char *text = apr_palloc(pool, strlen(REPLACEMENT) * length + 1),
         *out = text;

    while (in < end) {
        apr_size_t good = sequence_length(in, (apr_size_t)(end - in));

        if (good) {
            memcpy(out, in, good);
            out += good;
            in += good;
        } else {
            memcpy(out, REPLACEMENT, strlen(REPLACEMENT));
            out += strlen(REPLACEMENT);
            in++;
        }
    }
    *out = '\0';
    return text;
}

static int is_token(const char *name)
{
    static const char others[] = "!#$%&'*+-.^_`|~";
    const char *c = name;

    while (apr_isalnum(*c) || (*c && strchr(others, *c)))
        c++;
    return c > name && !*c;
}

static void put_headers(idv_json_writer_t *writer, const apr_table_t *table,
                        apr_pool_t *scratch)
{
    const apr_array_header_t *headers = apr_table_elts(table);

    idv_json_open_object(writer, "headers");
    for (int i = 0; i < headers->nelts; i++) {
        const apr_table_entry_t *entry =
            &APR_ARRAY_IDX(headers, i, apr_table_entry_t);

        if (is_token(entry->key))
            idv_json_put_text(writer, entry->key,
                              as_text(entry->val, strlen(entry->val), scratch));
    }
    idv_json_close_object(writer);
}

const char *idv_delivery_record_response(const idv_http_response_t *response,
                                         apr_pool_t *pool)
{
    idv_json_writer_t writer;
    apr_pool_t *scratch;
    const char *text;

    if (!response->status_code)
        return "";
    apr_pool_create(&scratch, pool);
    idv_json_writer_init(&writer, RECORD_EXPECTED + response->body_length,
                         scratch);
    idv_json_open_object(&writer, NULL);
    idv_json_put_integer(&writer, "status_code", response->status_code);
    put_headers(&writer, response->headers, scratch);
    idv_json_put_text(&writer, "body",
                      as_text(response->body, response->body_length, scratch));
    idv_json_put_integer(&writer, "duration_ms", response->duration_ms);
    idv_json_close_object(&writer);
    text = apr_pstrdup(pool, idv_json_writer_text(&writer, NULL));
    apr_pool_destroy(scratch);
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
