/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/rate_limit.h"

#include <string.h>

#include <apr_strings.h>

#include "api/response.h"
#include "core/rate_window.h"
#include "httpd/counters.h"
#include "httpd/rate_counter.h"

#define LIMIT_HEADER "X-RateLimit-Limit"
#define REMAINING_HEADER "X-RateLimit-Remaining"
#define RESET_HEADER "X-RateLimit-Reset"

/* Set in the parent before any child is there. */
static const idv_rate_counter_t *rate_counter = &idv_rate_counter_shm;

idv_error_t *idv_rate_limit_post_config(const idv_settings_t *settings,
                                        apr_pool_t *pconf)
{
    rate_counter = strcmp(settings->rate_store, "shm") == 0
                     ? &idv_rate_counter_shm
                     : &idv_rate_counter_redis;
    return rate_counter->post_config(rate_counter, settings, pconf);
}

idv_error_t *idv_rate_limit_child_init(apr_pool_t *pchild)
{
    return rate_counter->child_init(rate_counter, pchild);
}

static void set_header(idv_request_t *request, const char *name,
                       apr_int64_t number)
{
    idv_respond_header(
        request, name,
        apr_psprintf(request->pool, "%" APR_INT64_T_FMT, number));
}

idv_error_t *idv_rate_limit_count(idv_request_t *request)
{
    const idv_settings_t *settings = request->services->settings;
    apr_int64_t limit = request->key->type == IDV_KEY_SECRET
                          ? settings->rate_limit_secret
                          : settings->rate_limit_publishable;
    idv_time_t end = idv_rate_window_end(request->now);
    apr_int64_t count;
    idv_error_t *error;

    IDV_TRY(rate_counter->take(rate_counter, request->key->id, request->now,
                               &count, request->pool));
    if (count == 0)
        idv_count(rate_uncounted);
    set_header(request, LIMIT_HEADER, limit);
    set_header(request, REMAINING_HEADER, count < limit ? limit - count : 0);
    set_header(request, RESET_HEADER, idv_time_seconds(end));
    if (count <= limit)
        return NULL;
    idv_count(rate_limited);
    error = idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, request->pool);
    error->retry_after =
        (int)((end - request->now + IDV_SECOND - 1) / IDV_SECOND);
    return error;
}

void idv_rate_limit_forget(idv_request_t *request)
{
    apr_table_t *headers = request->r->err_headers_out;

    apr_table_unset(headers, LIMIT_HEADER);
    apr_table_unset(headers, REMAINING_HEADER);
    apr_table_unset(headers, RESET_HEADER);
}
