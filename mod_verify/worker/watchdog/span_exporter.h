/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_SPAN_EXPORTER_H
#define IDV_WORKER_WATCHDOG_SPAN_EXPORTER_H

/*
 * Sends spans to an OpenTelemetry collector: OTLP 1.x over HTTP, in JSON. They
 * come from the children (worker/process/span_channel.h) and from the watchdog
 * itself. Batches of up to IDV_SPAN_BATCH_MAX go out once a second, or as soon
 * as one is full.
 *
 * If the collector fails (no response, 408, 429, 5xx), the batch is repeated
 * after a time that doubles up to half a minute. Meanwhile up to
 * IDV_SPANS_KEPT_MAX spans are kept, then the channel fills, and then spans are
 * dropped: no other work waits for the collector. Any other status drops the
 * batch. The metrics count what was sent and dropped, and the first failure is
 * logged.
 *
 * The collector's address is the administrator's, so it may be private, and
 * without TLS.
 *
 * Threads: the watchdog's loop. Memory: fixed, in the given pool, and one batch
 * of text. Failures: only to create it.
 */
#include "worker/process/span_channel.h"
#include "worker/process/worker.h"

#define IDV_SPAN_BATCH_MAX 512
#define IDV_SPANS_KEPT_MAX 4096

typedef struct idv_span_exporter_t idv_span_exporter_t;

/* Reads spans from CHANNEL and becomes the sink of this process. The
 * configuration must name a collector. */
idv_error_t *idv_span_exporter_create(idv_worker_t *worker, int channel,
                                      idv_span_exporter_t **exporter,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Reads no more spans and sends those that are there, as far as there is time
 * for it. */
void idv_span_exporter_stop(idv_span_exporter_t *exporter);

/* Non-zero while a batch is under way. */
int idv_span_exporter_in_flight(const idv_span_exporter_t *exporter);

#endif
