/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/span_exporter.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json_writer.h"
#include "out/address_guard.h"

APLOG_USE_MODULE(verify);

#define EXPORT_DELAY IDV_SECOND
#define EXPORT_TIMEOUT (10 * IDV_SECOND)
#define LONGEST_PAUSE (30 * IDV_SECOND)
#define SPAN_BYTES 700 /* of its JSON, as a rule */
#define STATUS_ERROR 2 /* STATUS_CODE_ERROR of OTLP */

struct idv_span_exporter_t {
    idv_worker_t *worker;
    apr_pool_t *exchange; /* of the batch under way */
    idv_http_client_t *client;
    idv_http_request_t request;
    int channel;
    int is_reading;
    int sending;  /* the first of `spans` that are under way */
    int failures; /* batches in a row */
    int count;
    idv_event_timer_t timer;
    idv_span_t spans[IDV_SPANS_KEPT_MAX];
};

/* --- the message --- */

static const int kind_numbers[] = {
#define X(name, number) [IDV_SPAN_##name] = number,
    IDV_SPAN_KINDS(X)
#undef X
};

static void put_attribute(idv_json_writer_t *writer, const char *key,
                          const char *text)
{
    if (!*text)
        return;
    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "key", key);
    idv_json_open_object(writer, "value");
    idv_json_put_text(writer, "stringValue", text);
    idv_json_close_object(writer);
    idv_json_close_object(writer);
}

/* Integers are texts in the JSON of Protocol Buffers. */
static void put_status_code(idv_json_writer_t *writer, int status)
{
    if (!status)
        return;
    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "key", "http.response.status_code");
    idv_json_open_object(writer, "value");
    idv_json_put_text(writer, "intValue", apr_itoa(writer->pool, status));
    idv_json_close_object(writer);
    idv_json_close_object(writer);
}

/* The attributes of a span that depend on its kind, by the semantic conventions
 * of OpenTelemetry where these have a name for them. A request is called by its
 * method and its route. */
static void put_attributes(idv_json_writer_t *writer, const idv_span_t *span)
{
    static const char *const subjects[] = {
        [IDV_SPAN_NONE] = "",
        [IDV_SPAN_REQUEST] = "verify.request_id",
        [IDV_SPAN_DATABASE] = "",
        [IDV_SPAN_DELIVERY] = "verify.event_id",
        [IDV_SPAN_ANALYSIS] = "verify.session_id",
        [IDV_SPAN_READER] = "verify.session_id",
    };
    const char *space = strchr(span->name, ' ');

    idv_json_open_array(writer, "attributes");
    if (span->kind == IDV_SPAN_DATABASE) {
        put_attribute(writer, "db.system.name", "postgresql");
        put_attribute(writer, "db.operation.name", span->name);
    }
    if (span->kind == IDV_SPAN_REQUEST && space) {
        put_attribute(writer, "http.request.method",
                      apr_pstrmemdup(writer->pool, span->name,
                                     (apr_size_t)(space - span->name)));
        put_attribute(writer, "http.route", space + 1);
    }
    if (span->kind == IDV_SPAN_DELIVERY)
        put_attribute(writer, "http.request.method", "POST");
    put_status_code(writer, span->status);
    if (*subjects[span->kind])
        put_attribute(writer, subjects[span->kind], span->subject);
    idv_json_close_array(writer);
}

static void put_id(idv_json_writer_t *writer, const char *key,
                   const unsigned char *bytes, apr_size_t length)
{
    idv_json_put_text(writer, key, idv_hex(bytes, length, writer->pool));
}

static void put_time(idv_json_writer_t *writer, const char *key, apr_time_t time)
{
    idv_json_put_text(writer, key,
                      apr_psprintf(writer->pool, "%" APR_TIME_T_FMT "000",
                                   time));
}

static void put_span(idv_json_writer_t *writer, const idv_span_t *span)
{
    static const unsigned char none[IDV_SPAN_ID_BYTES];

    idv_json_open_object(writer, NULL);
    put_id(writer, "traceId", span->context.trace, IDV_TRACE_ID_BYTES);
    put_id(writer, "spanId", span->context.span, IDV_SPAN_ID_BYTES);
    if (memcmp(span->parent, none, IDV_SPAN_ID_BYTES) != 0)
        put_id(writer, "parentSpanId", span->parent, IDV_SPAN_ID_BYTES);
    idv_json_put_text(writer, "name", span->name);
    idv_json_put_integer(writer, "kind", kind_numbers[span->kind]);
    put_time(writer, "startTimeUnixNano", span->began);
    put_time(writer, "endTimeUnixNano", span->ended);
    put_attributes(writer, span);
    if (span->failed) {
        idv_json_open_object(writer, "status");
        idv_json_put_integer(writer, "code", STATUS_ERROR);
        idv_json_close_object(writer);
    }
    idv_json_close_object(writer);
}

/* ExportTraceServiceRequest of the first COUNT spans. */
static const char *message_of(const idv_span_exporter_t *exporter, int count,
                              apr_size_t *length)
{
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, (apr_size_t)count * SPAN_BYTES,
                         exporter->exchange);
    idv_json_open_object(&writer, NULL);
    idv_json_open_array(&writer, "resourceSpans");
    idv_json_open_object(&writer, NULL);
    idv_json_open_object(&writer, "resource");
    idv_json_open_array(&writer, "attributes");
    put_attribute(&writer, "service.name", "mod_verify");
    put_attribute(&writer, "service.version", VERIFY_VERSION);
    put_attribute(&writer, "service.instance.id", exporter->worker->node);
    idv_json_close_array(&writer);
    idv_json_close_object(&writer);
    idv_json_open_array(&writer, "scopeSpans");
    idv_json_open_object(&writer, NULL);
    idv_json_open_object(&writer, "scope");
    idv_json_put_text(&writer, "name", "mod_verify");
    idv_json_close_object(&writer);
    idv_json_open_array(&writer, "spans");
    for (int i = 0; i < count; i++)
        put_span(&writer, &exporter->spans[i]);
    idv_json_close_array(&writer);
    idv_json_close_object(&writer);
    idv_json_close_array(&writer);
    idv_json_close_object(&writer);
    idv_json_close_array(&writer);
    idv_json_close_object(&writer);
    return idv_json_writer_text(&writer, length);
}

/* --- batches --- */

static void read_spans(void *baton, int fd, unsigned events);

/* Watches the channel while there is room for what it has. */
static void look_at_channel(idv_span_exporter_t *exporter)
{
    idv_event_loop_t *loop = exporter->worker->loop;
    int has_room = exporter->count < IDV_SPANS_KEPT_MAX;
    idv_error_t *error;

    if (!exporter->is_reading)
        return;
    if (!has_room) {
        idv_event_loop_forget(loop, exporter->channel);
        return;
    }
    error = idv_event_loop_watch(loop, exporter->channel, IDV_EVENT_READABLE,
                                 read_spans, exporter);
    if (error)
        idv_worker_log_failure(exporter->worker, "IDV0972", error,
                               "the spans of requests cannot be read");
}

static void forget_batch(idv_span_exporter_t *exporter)
{
    exporter->count -= exporter->sending;
    memmove(exporter->spans, exporter->spans + exporter->sending,
            (apr_size_t)exporter->count * sizeof(*exporter->spans));
    exporter->sending = 0;
    look_at_channel(exporter);
}

/* Non-zero if the collector may accept the same batch later (OTLP/HTTP,
 * "Retryable Response Codes"). */
static int may_repeat(const idv_http_response_t *response)
{
    int status = response->status_code;

    return !status || status == 408 || status == 429 || status >= 500;
}

static void note_failure(idv_span_exporter_t *exporter,
                         const idv_http_response_t *response)
{
    if (exporter->failures++ == 0)
        idv_worker_log(exporter->worker, APLOG_WARNING, "IDV0973",
                       "the trace collector does not accept spans: %s, "
                       "status %d",
                       idv_http_result_code(response->result),
                       response->status_code);
}

static void schedule(idv_span_exporter_t *exporter, idv_time_t delay)
{
    if (exporter->count && !exporter->sending)
        idv_event_loop_schedule(exporter->worker->loop, &exporter->timer, delay);
}

static void on_exported(void *baton, const idv_http_response_t *response)
{
    idv_span_exporter_t *exporter = baton;
    idv_statistics_t *statistics = exporter->worker->statistics;

    if (response->result == IDV_HTTP_OK) {
        idv_statistics_add(statistics, spans_sent, exporter->sending);
        if (exporter->failures)
            idv_worker_log(exporter->worker, APLOG_NOTICE, "IDV0974",
                           "the trace collector accepts spans again");
        exporter->failures = 0;
        forget_batch(exporter);
        schedule(exporter, exporter->count < IDV_SPAN_BATCH_MAX ? EXPORT_DELAY
                                                                : 0);
        return;
    }
    note_failure(exporter, response);
    if (may_repeat(response)) {
        exporter->sending = 0;
    } else {
        idv_statistics_add(statistics, spans_dropped, exporter->sending);
        forget_batch(exporter);
    }
    schedule(exporter, idv_time_backoff(EXPORT_DELAY, LONGEST_PAUSE,
                                        exporter->failures - 1));
}

static void export(void *baton)
{
    static const char *const headers[] = {"Content-Type: application/json",
                                          NULL};
    idv_span_exporter_t *exporter = baton;

    if (exporter->sending || !exporter->count)
        return;
    apr_pool_clear(exporter->exchange);
    exporter->sending = exporter->count < IDV_SPAN_BATCH_MAX
                          ? exporter->count : IDV_SPAN_BATCH_MAX;
    exporter->request = (idv_http_request_t){
        .url = exporter->worker->config->trace_collector,
        .owner = "", /* the administrator's, no customer's */
        .headers = headers,
        .status_decides = 1,
    };
    exporter->request.body = message_of(exporter, exporter->sending,
                                        &exporter->request.body_length);
    idv_http_client_send(exporter->client, &exporter->request, on_exported,
                         exporter, exporter->exchange);
}

/* --- spans --- */

/* A full batch goes at once, unless the collector has failed: then the time of
 * the next attempt has been set. */
static void added(idv_span_exporter_t *exporter)
{
    int is_full =
        exporter->count >= IDV_SPAN_BATCH_MAX && !exporter->failures;

    if (is_full || !exporter->timer.scheduled)
        schedule(exporter, is_full ? 0 : EXPORT_DELAY);
}

static void read_spans(void *baton, int fd, unsigned events)
{
    idv_span_exporter_t *exporter = baton;

    (void)events;
    exporter->count +=
        idv_span_channel_read(fd, exporter->spans + exporter->count,
                              IDV_SPANS_KEPT_MAX - exporter->count);
    if (exporter->count == IDV_SPANS_KEPT_MAX)
        look_at_channel(exporter);
    added(exporter);
}

static void take_own(void *baton, const idv_span_t *span)
{
    idv_span_exporter_t *exporter = baton;

    if (exporter->count == IDV_SPANS_KEPT_MAX) {
        idv_statistics_add(exporter->worker->statistics, spans_dropped, 1);
        return;
    }
    exporter->spans[exporter->count++] = *span;
    added(exporter);
}

/* --- life --- */

/* Every address: the administrator has chosen it. */
static idv_error_t *all_addresses(apr_array_header_t **out, apr_pool_t *pool)
{
    apr_array_header_t *ranges =
        apr_array_make(pool, 2, sizeof(idv_address_range_t));

    IDV_TRY(idv_address_range_parse("0.0.0.0/0", apr_array_push(ranges), pool));
    IDV_TRY(idv_address_range_parse("::/0", apr_array_push(ranges), pool));
    *out = ranges;
    return NULL;
}

idv_error_t *idv_span_exporter_create(idv_worker_t *worker, int channel,
                                      idv_span_exporter_t **out,
                                      apr_pool_t *pool)
{
    idv_span_exporter_t *exporter = apr_pcalloc(pool, sizeof(*exporter));
    idv_http_client_config_t client_config = {
        .timeout = EXPORT_TIMEOUT,
        .kept_connections = 1,
        .allows_plain = 1,
    };
    apr_array_header_t *addresses;

    IDV_TRY(all_addresses(&addresses, pool));
    client_config.allowed = addresses;
    exporter->worker = worker;
    exporter->channel = channel;
    exporter->is_reading = 1;
    exporter->timer.callback = export;
    exporter->timer.baton = exporter;
    apr_pool_create(&exporter->exchange, pool);
    IDV_TRY(idv_worker_http_client_create(worker, &client_config,
                                          &exporter->client, pool));
    look_at_channel(exporter);
    idv_trace_set_sink(take_own, exporter);
    *out = exporter;
    return NULL;
}

void idv_span_exporter_stop(idv_span_exporter_t *exporter)
{
    if (exporter->is_reading)
        idv_event_loop_forget(exporter->worker->loop, exporter->channel);
    exporter->is_reading = 0;
    schedule(exporter, 0);
}

int idv_span_exporter_in_flight(const idv_span_exporter_t *exporter)
{
    return exporter->sending > 0;
}
