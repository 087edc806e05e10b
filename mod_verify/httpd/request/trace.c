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

static const char *random_id(apr_size_t count, apr_pool_t *pool)
{
    unsigned char bytes[TRACE_DIGITS / 2];

    idv_random_bytes(bytes, count / 2);
    return idv_hex(bytes, count / 2, pool);
}

void idv_trace_begin(request_rec *r)
{
    const char *parent = apr_table_get(r->headers_in, "traceparent");
    int is_sampled = 1;

    if (parent && is_well_formed(parent)) {
        apr_table_setn(r->notes, "verify-trace",
                       apr_pstrmemdup(r->pool, parent + TRACE_AT,
                                      TRACE_DIGITS));
        apr_table_setn(r->notes, "verify-parent",
                       apr_pstrmemdup(r->pool, parent + SPAN_AT, SPAN_DIGITS));
        /* The lowest bit of the last digit. */
        is_sampled = (strchr(digits, parent[LENGTH - 1]) - digits) & 1;
    } else {
        apr_table_setn(r->notes, "verify-trace",
                       random_id(TRACE_DIGITS, r->pool));
        apr_table_setn(r->notes, "verify-parent", "");
    }
    apr_table_setn(r->notes, "verify-span", random_id(SPAN_DIGITS, r->pool));
    if (is_sampled)
        apr_table_setn(r->subprocess_env, "verify-sampled", "1");
}

void idv_trace_route(request_rec *r, const char *path)
{
    apr_table_setn(r->notes, "verify-route", path);
}
