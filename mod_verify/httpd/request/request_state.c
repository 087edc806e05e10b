/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/request/request_state.h"

#include <pthread.h>

#include <apr_strings.h>
#include <http_config.h>
#include <http_core.h>
#include <http_log.h>

#include "core/id.h"
#include "core/log_limit.h"
#include "httpd/configuration/configuration.h"
#include "httpd/request/trace.h"

APLOG_USE_MODULE(verify);

idv_request_state_t *idv_request_state(request_rec *r)
{
    idv_request_state_t *state =
        ap_get_module_config(r->request_config, &verify_module);

    if (state)
        return state;
    if (r->main) {
        state = idv_request_state(r->main);
    } else if (r->prev) {
        state = idv_request_state(r->prev);
    } else {
        state = apr_pcalloc(r->pool, sizeof(*state));
        state->now = idv_time_now();
        state->id = idv_id_new(IDV_ID_REQUEST, state->now, r->pool);
        idv_trace_begin(r, &state->span);
        state->trace = idv_span_context(&state->span);
    }
    r->log_id = state->id;
    ap_set_module_config(r->request_config, &verify_module, state);
    return state;
}

int idv_handler_is_verify(const char *handler)
{
    return handler && strcmp(handler, "verify") == 0;
}

static int is_below(const char *uri, const char *root)
{
    apr_size_t length = strlen(root);

    return strncmp(uri, root, length) == 0
        && strchr("/?", uri[length]) != NULL;
}

int idv_request_is_ours(request_rec *r)
{
    core_dir_config *core = r->per_dir_config
        ? ap_get_core_module_config(r->per_dir_config) : NULL;

    if (core && core->handler)
        return idv_handler_is_verify(core->handler);
    if (!idv_configuration_in_service(r->server))
        return 0;
    /* The <Location> has matched, even if the target is written differently:
     * with a host or extra slashes. */
    if (idv_request_state(r)->is_verify)
        return 1;
    /* A request line that httpd could not parse has no path. If httpd stopped
     * after the request line, the path has not been matched against
     * <Location>. */
    return !r->unparsed_uri || is_below(r->unparsed_uri, "/v1")
        || is_below(r->unparsed_uri, "/verify")
        || is_below(r->unparsed_uri, "/dashboard");
}

static int is_among(const char *name, const apr_array_header_t *names,
                    int are_patterns)
{
    for (int i = 0; names && i < names->nelts; i++) {
        const char *known = APR_ARRAY_IDX(names, i, const char *);

        if (are_patterns ? ap_strcasecmp_match(name, known) == 0
                         : strcasecmp(name, known) == 0)
            return 1;
    }
    return 0;
}

int idv_request_has_own_name(const request_rec *r)
{
    const server_rec *server = r->server;
    const char *name = r->hostname;

    if (!name)
        return 0;
    return (server->server_hostname
            && strcasecmp(name, server->server_hostname) == 0)
        || is_among(name, server->names, 0)
        || is_among(name, server->wild_names, 1)
        || (r->connection->local_ip
            && strcasecmp(name, r->connection->local_ip) == 0);
}

/* Whether a line about ERROR may be logged now. A service that lacks a resource
 * refuses every request that needs it, so this child limits the lines per
 * cause; the next line reports how many were omitted. */
static int admit_line(const idv_error_t *error, apr_int64_t *left_out)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static idv_log_limit_t limit;
    int admitted;

    *left_out = 0;
    if (error->code != IDV_E_SERVICE_UNAVAILABLE)
        return 1;
    pthread_mutex_lock(&mutex);
    admitted = idv_log_limit_admit(&limit, "503", error->detail,
                                   idv_time_steady(), left_out);
    pthread_mutex_unlock(&mutex);
    return admitted;
}

void idv_request_log_error(request_rec *r, const idv_error_t *error)
{
    apr_int64_t left_out;
    const char *others = "";

    if (!error->detail || !admit_line(error, &left_out))
        return;
    if (left_out)
        others = apr_psprintf(r->pool,
                              "; %" APR_INT64_T_FMT
                              " lines like this one were omitted",
                              left_out);
    ap_log_rerror(APLOG_MARK,
                  error->code == IDV_E_INTERNAL ? APLOG_ERR : APLOG_WARNING,
                  0, r, "IDV0020: %s: %s%s", idv_error_info(error->code)->code,
                  error->detail, others);
}
