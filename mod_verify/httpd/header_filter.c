/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/header_filter.h"

#include <http_protocol.h>
#include <http_request.h>
#include <util_filter.h>

#include "httpd/request_state.h"

/* What only the service knows the right value of. */
static const char *const own_headers[] = {
#define IDV_WEB_HEADER(name, value) name,
#include "api/web_headers.def"
#undef IDV_WEB_HEADER
    "Access-Control-Allow-Origin",
    "Access-Control-Allow-Methods",
    "Access-Control-Allow-Headers",
    "Access-Control-Expose-Headers",
    "Access-Control-Max-Age",
    "X-Request-Id",
};

enum { OWN_HEADERS = sizeof(own_headers) / sizeof(*own_headers) };

/* NULL: the service has not set it. */
typedef struct {
    const char *values[OWN_HEADERS];
} noted_t;

static ap_filter_rec_t *note_filter, *restore_filter;

static apr_status_t note(ap_filter_t *f, apr_bucket_brigade *brigade)
{
    noted_t *noted = f->ctx;
    request_rec *r = f->r;

    for (int i = 0; i < OWN_HEADERS; i++) {
        noted->values[i] = apr_table_get(r->err_headers_out, own_headers[i]);
        /* Where httpd answers an error, it has made the one of the other. */
        if (!noted->values[i])
            noted->values[i] = apr_table_get(r->headers_out, own_headers[i]);
    }
    ap_remove_output_filter(f);
    return ap_pass_brigade(f->next, brigade);
}

static apr_status_t restore(ap_filter_t *f, apr_bucket_brigade *brigade)
{
    const noted_t *noted = f->ctx;
    request_rec *r = f->r;

    for (int i = 0; i < OWN_HEADERS; i++) {
        if (!noted->values[i])
            continue;
        apr_table_unset(r->headers_out, own_headers[i]);
        apr_table_setn(r->err_headers_out, own_headers[i], noted->values[i]);
    }
    ap_remove_output_filter(f);
    return ap_pass_brigade(f->next, brigade);
}

static void insert_filters(request_rec *r)
{
    noted_t *noted;

    if (!idv_request_is_ours(r))
        return;
    noted = apr_pcalloc(r->pool, sizeof(*noted));
    ap_add_output_filter_handle(note_filter, noted, r, r->connection);
    ap_add_output_filter_handle(restore_filter, noted, r, r->connection);
}

void idv_header_filter_register(void)
{
    /* Behind the filter that makes errors, before and behind mod_headers'. */
    note_filter = ap_register_output_filter("VERIFY_HEADERS_NOTE", note, NULL,
                                            AP_FTYPE_RESOURCE + 1);
    restore_filter = ap_register_output_filter(
        "VERIFY_HEADERS", restore, NULL, AP_FTYPE_CONTENT_SET + 1);
    ap_hook_insert_filter(insert_filters, NULL, NULL, APR_HOOK_LAST);
    ap_hook_insert_error_filter(insert_filters, NULL, NULL, APR_HOOK_LAST);
}
