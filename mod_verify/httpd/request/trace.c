/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/request/trace.h"

#include <string.h>

#include <apr_strings.h>

#include "core/crypto.h"

#define TRACE_DIGITS 32
#define SPAN_DIGITS 16
/* "00-<trace>-<span>-<flags>", 3.2.2 */
#define TRACE_AT 3
#define SPAN_AT (TRACE_AT + TRACE_DIGITS + 1)
#define FLAGS_AT (SPAN_AT + SPAN_DIGITS + 1)
#define LENGTH (FLAGS_AT + 2)

static const char digits[] = "0123456789abcdef";

/* COUNT lower-case hexadecimal digits, not all zero. */
static int is_id(const char *text, apr_size_t count)
{
    return strspn(text, digits) >= count && strspn(text, "0") < count;
}

/* Future versions may append more after another "-". */
static int is_well_formed(const char *parent)
{
    apr_size_t length = strlen(parent);

    return length >= LENGTH && strspn(parent, digits) == 2
        && memcmp(parent, "ff", 2) != 0 && parent[TRACE_AT - 1] == '-'
        && strspn(parent + TRACE_AT, digits) == TRACE_DIGITS
        && is_id(parent + TRACE_AT, TRACE_DIGITS)
        && parent[SPAN_AT - 1] == '-'
        && strspn(parent + SPAN_AT, digits) == SPAN_DIGITS
        && is_id(parent + SPAN_AT, SPAN_DIGITS) && parent[FLAGS_AT - 1] == '-'
        && strspn(parent + FLAGS_AT, digits) == 2
        && (length == LENGTH
            || (memcmp(parent, "00", 2) != 0 && parent[LENGTH] == '-'));
}

/* COUNT digits of ID, which has as many. */
static void read_id(unsigned char *bytes, const char *id, apr_size_t count)
{
    for (apr_size_t i = 0; i < count / 2; i++)
        bytes[i] = (unsigned char)((strchr(digits, id[2 * i]) - digits) << 4
                                   | (strchr(digits, id[2 * i + 1]) - digits));
}

/* The trace of the caller, which SPAN continues; non-zero if it is to be
 * recorded. */
static int continue_trace(request_rec *r, const char *parent, idv_span_t *span)
{
    read_id(span->context.trace, parent + TRACE_AT, TRACE_DIGITS);
    read_id(span->parent, parent + SPAN_AT, SPAN_DIGITS);
    apr_table_setn(r->notes, "verify-parent",
                   apr_pstrmemdup(r->pool, parent + SPAN_AT, SPAN_DIGITS));
    /* The lowest bit of the last digit. */
    return (strchr(digits, parent[LENGTH - 1]) - digits) & 1;
}

void idv_trace_begin(request_rec *r, idv_span_t *span)
{
    const char *parent = apr_table_get(r->headers_in, "traceparent");
    int is_sampled = 1;

    idv_random_bytes((unsigned char *)&span->context, IDV_TRACE_CONTEXT_BYTES);
    if (parent && is_well_formed(parent)) {
        is_sampled = continue_trace(r, parent, span);
    } else {
        apr_table_setn(r->notes, "verify-parent", "");
    }
    apr_table_setn(r->notes, "verify-trace",
                   idv_hex(span->context.trace, IDV_TRACE_ID_BYTES, r->pool));
    apr_table_setn(r->notes, "verify-span",
                   idv_hex(span->context.span, IDV_SPAN_ID_BYTES, r->pool));
    if (!is_sampled)
        return;
    apr_table_setn(r->subprocess_env, "verify-sampled", "1");
    span->began = r->request_time;
    span->kind = idv_trace_is_recorded() ? IDV_SPAN_REQUEST : IDV_SPAN_NONE;
}

void idv_trace_route(request_rec *r, const char *path)
{
    apr_table_setn(r->notes, "verify-route", path);
}

/* Called by its method and route: a path could contain an id, and a method that
 * no route has, anything. */
void idv_trace_end(const request_rec *r, idv_span_t *span, const char *id)
{
    const char *route = apr_table_get(r->notes, "verify-route");

    while (r->next)
        r = r->next;
    apr_cpystrn(span->name,
                route ? apr_pstrcat(r->pool, r->method, " ", route, NULL)
                      : "HTTP",
                sizeof(span->name));
    span->status = r->status;
    idv_span_set_subject(span, id);
    idv_span_end(span, r->status >= HTTP_INTERNAL_SERVER_ERROR);
}
