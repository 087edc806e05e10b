/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_PROCESS_SPAN_CHANNEL_H
#define IDV_WORKER_PROCESS_SPAN_CHANNEL_H

/*
 * The way of spans (core/trace.h) from httpd's children to the watchdog: a pipe
 * of records of one size. The kernel writes each of them as a whole (pipe(7),
 * PIPE_BUF), so neither a process that dies nor two readers during a reload can
 * divide one. It is opened once per server process and has one descriptor for
 * both ends, so children of an older generation reach the new watchdog, and no
 * writer ever finds it without a reader.
 *
 * A full pipe drops the span: no request waits for its trace.
 *
 * Threads: any may write; the watchdog's loop reads. Memory: none. Failures:
 * those of the system when it is opened.
 */
#include "core/error.h"
#include "core/trace.h"

/* Opens the channel in the parent; closing it is up to the caller. */
idv_error_t *idv_span_channel_open(int *descriptor,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Writes SPAN; non-zero: it was dropped. */
int idv_span_channel_write(int descriptor, const idv_span_t *span);

/* Reads up to MAX spans that are there; their number. */
int idv_span_channel_read(int descriptor, idv_span_t *spans, int max);

#endif
