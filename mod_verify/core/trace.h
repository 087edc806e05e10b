/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_TRACE_H
#define IDV_CORE_TRACE_H

/*
 * Spans of distributed traces (OpenTelemetry Trace API 1.x; ids as in W3C Trace
 * Context). A span is one piece of work with its times. It belongs to a trace
 * and names the span that caused it, possibly in another process.
 *
 * Spans are recorded only in a process that has a sink, and only below a
 * context that is recorded. Otherwise every function costs a comparison.
 *
 * A database connection has the context of whom it works for
 * (idv_db_set_trace()): its statements become spans below it, and events and jobs
 * keep it, so that their deliveries and readers, which run later in the
 * watchdog, continue the trace.
 *
 * A span contains no personal data: its name is a route, a statement, or a kind
 * of work, and its subject an id.
 *
 * Threads: a span belongs to one at a time; the sink is set before threads exist
 * and is called by all of them. Memory: none is allocated. Failures: none; a sink
 * drops what it cannot take.
 */
#include <apr_time.h>

#define IDV_TRACE_ID_BYTES 16
#define IDV_SPAN_ID_BYTES 8
#define IDV_SPAN_NAME_MAX 103   /* bytes; longer names are cut */
#define IDV_SPAN_SUBJECT_MAX 47 /* likewise */

/* A span in its trace, as others refer to it. No padding: databases keep it as
 * IDV_TRACE_CONTEXT_BYTES bytes. */
typedef struct {
    unsigned char trace[IDV_TRACE_ID_BYTES];
    unsigned char span[IDV_SPAN_ID_BYTES];
} idv_trace_context_t;

#define IDV_TRACE_CONTEXT_BYTES (IDV_TRACE_ID_BYTES + IDV_SPAN_ID_BYTES)

/* Kinds of spans: X(NAME, number of SpanKind in OTLP). The number of
 * IDV_SPAN_NONE marks a span that is not recorded. */
#define IDV_SPAN_KINDS(X)                                                      \
    X(NONE, 0)                                                                 \
    X(REQUEST, 2)  /* a request to this service */                             \
    X(DATABASE, 3) /* a statement */                                           \
    X(DELIVERY, 3) /* an attempt to deliver a webhook */                       \
    X(ANALYSIS, 5) /* evidence that the watchdog took from the queue */        \
    X(READER, 1)   /* the work of verify-analyze */

typedef enum {
#define X(name, number) IDV_SPAN_##name,
    IDV_SPAN_KINDS(X)
#undef X
} idv_span_kind_t;

/* A span, as it also goes from process to process. */
typedef struct {
    idv_trace_context_t context;
    unsigned char parent[IDV_SPAN_ID_BYTES]; /* all zero: none */
    apr_time_t began, ended;                 /* microseconds since 1970 */
    int kind;                                /* idv_span_kind_t */
    int status; /* of HTTP; 0: not known or not HTTP */
    int failed; /* flag */
    char name[IDV_SPAN_NAME_MAX + 1];
    char subject[IDV_SPAN_SUBJECT_MAX + 1]; /* an id; "": none */
} idv_span_t;

typedef void idv_span_sink_t(void *baton, const idv_span_t *span);

/* Sets what takes the ended spans of this process; SINK is NULL: nothing is
 * recorded. */
void idv_trace_set_sink(idv_span_sink_t *sink, void *baton);

/* Non-zero if this process records spans. */
int idv_trace_is_recorded(void);

/* Begins SPAN below PARENT; if that is NULL, the span is not recorded. NAME is
 * copied. */
void idv_span_begin(idv_span_t *span, const idv_trace_context_t *parent,
                    idv_span_kind_t kind, const char *name);

/* Begins SPAN and a trace with it. */
void idv_span_begin_trace(idv_span_t *span, idv_span_kind_t kind,
                          const char *name);

/* Says what SPAN is about: an id, which is copied. */
void idv_span_set_subject(idv_span_t *span, const char *id);

/* The context of SPAN, for work below it; NULL if it is not recorded. */
const idv_trace_context_t *idv_span_context(const idv_span_t *span);

/* Ends SPAN and gives it to the sink, once. */
void idv_span_end(idv_span_t *span, int failed);

#endif
