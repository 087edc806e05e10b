/* SPDX-License-Identifier: Apache-2.0 */
#include "core/trace.h"

#include <string.h>

#include <apr_strings.h>

#include "core/crypto.h"

_Static_assert(sizeof(idv_trace_context_t) == IDV_TRACE_CONTEXT_BYTES,
               "a context has no padding");

static struct {
    idv_span_sink_t *take;
    void *baton;
} sink;

void idv_trace_set_sink(idv_span_sink_t *take, void *baton)
{
    sink.take = take;
    sink.baton = baton;
}

int idv_trace_is_recorded(void)
{
    return sink.take != NULL;
}

static void begin(idv_span_t *span, idv_span_kind_t kind, const char *name)
{
    idv_random_bytes(span->context.span, IDV_SPAN_ID_BYTES);
    span->began = apr_time_now();
    span->kind = kind;
    span->status = 0;
    span->subject[0] = '\0';
    apr_cpystrn(span->name, name, sizeof(span->name));
}

void idv_span_begin(idv_span_t *span, const idv_trace_context_t *parent,
                    idv_span_kind_t kind, const char *name)
{
    span->kind = IDV_SPAN_NONE;
    if (!sink.take || !parent)
        return;
    memcpy(span->context.trace, parent->trace, IDV_TRACE_ID_BYTES);
    memcpy(span->parent, parent->span, IDV_SPAN_ID_BYTES);
    begin(span, kind, name);
}

void idv_span_begin_trace(idv_span_t *span, idv_span_kind_t kind,
                          const char *name)
{
    span->kind = IDV_SPAN_NONE;
    if (!sink.take)
        return;
    idv_random_bytes(span->context.trace, IDV_TRACE_ID_BYTES);
    memset(span->parent, 0, IDV_SPAN_ID_BYTES);
    begin(span, kind, name);
}

void idv_span_set_subject(idv_span_t *span, const char *id)
{
    if (span->kind != IDV_SPAN_NONE && id)
        apr_cpystrn(span->subject, id, sizeof(span->subject));
}

const idv_trace_context_t *idv_span_context(const idv_span_t *span)
{
    return span->kind == IDV_SPAN_NONE ? NULL : &span->context;
}

void idv_span_end(idv_span_t *span, int failed)
{
    if (span->kind == IDV_SPAN_NONE || !sink.take)
        return;
    span->ended = apr_time_now();
    span->failed = failed;
    sink.take(sink.baton, span);
    span->kind = IDV_SPAN_NONE;
}
