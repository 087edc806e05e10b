/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/gate/gate_access.h"

#include <stdatomic.h>
#include <string.h>

#include <ap_expr.h>
#include <ap_provider.h>
#include <apr_lib.h>
#include <apr_strings.h>
#include <http_config.h>
#include <http_core.h>
#include <http_log.h>
#include <http_protocol.h>
#include <http_request.h>
#include <mod_auth.h>
#include <util_filter.h>

#include "httpd/configuration/configuration.h"
#include "httpd/gate/gate_visitor.h"
#include "httpd/process/counters.h"
#include "httpd/request/request_state.h"

APLOG_USE_MODULE(verify);

#define AGE_HEADER "Verify-Age"
#define GATE_HEADER "Verify-Gate"

/* --- Require --- */

/* Makes httpd answer STATUS with the gate's path, should it refuse the
 * request. */
static void lead_to_gate(request_rec *r, const idv_gate_visitor_t *visitor)
{
    ap_custom_response(r, HTTP_FORBIDDEN, visitor->gate->denied_path);
    /* If a login was sent and is wrong, the browser must ask for it again.
     * Programs that handle a challenge do not send navigations. */
    if (visitor->is_navigation
        && !apr_table_get(r->headers_in, "Authorization"))
        ap_custom_response(r, HTTP_UNAUTHORIZED, visitor->gate->denied_path);
}

static int is_skipped(request_rec *r, const idv_gate_section_t *section)
{
    const char *fault = NULL;

    return section->skip && ap_expr_exec(r, section->skip, &fault) > 0
        && !fault;
}

static authz_status check_demand(request_rec *r, const char *line,
                                 const void *demand)
{
    const idv_gate_section_t *section = idv_gate_section_of(r);
    const idv_gate_t *gate =
        section->gate ? idv_gate_find(r->server, section->gate) : NULL;
    idv_gate_visitor_t *visitor;

    (void)line;
    if (!gate || !idv_configuration_in_service(r->server)) {
        ap_log_rerror(APLOG_MARK, APLOG_ERR, 0, r,
                      "IDV0102: Require verified-age or verified-identity "
                      "without a gate: write VerifyGateUse NAME in the same "
                      "section, and VerifyGate NAME in this server");
        return AUTHZ_GENERAL_ERROR;
    }
    if (is_skipped(r, section)) {
        idv_count(gate_skips);
        return AUTHZ_GRANTED;
    }
    visitor = idv_gate_visitor(r, gate);
    if (idv_gate_visitor_meets(visitor, demand)) {
        if (!visitor->is_granted)
            idv_count(gate_admissions);
        visitor->is_granted = 1;
        return AUTHZ_GRANTED;
    }
    /* mod_dir refuses a folder whose index it may not read. */
    for (request_rec *request = r; request; request = request->main)
        lead_to_gate(request, visitor);
    return AUTHZ_DENIED;
}

static const char *parse_age(cmd_parms *command, const char *line,
                             const void **parsed)
{
    idv_gate_demand_t *demand = apr_pcalloc(command->pool, sizeof(*demand));
    const char *fault =
        idv_gate_demand_parse(ap_getword_conf(command->pool, &line), demand);

    if (!fault && *line)
        fault = "takes one word, an age or lawful";
    *parsed = demand;
    idv_gate_note_require(command);
    return fault
             ? apr_pstrcat(command->pool, "Require verified-age: ", fault, NULL)
             : NULL;
}

static const char *parse_identity(cmd_parms *command, const char *line,
                                  const void **parsed)
{
    static const idv_gate_demand_t demand = {.kind = IDV_GATE_IDENTITY};

    if (*ap_getword_conf(command->pool, &line))
        return "Require verified-identity: takes no words";
    *parsed = &demand;
    idv_gate_note_require(command);
    return NULL;
}

static const authz_provider age_provider = {check_demand, parse_age};
static const authz_provider identity_provider = {check_demand, parse_identity};

/* --- variables of backends --- */

/* Whether NAME may become the variable of OURS in a backend: CGI and its
 * successors turn everything but letters and digits into underscores. */
static int is_alike(const char *name, const char *ours)
{
    for (; *name && *ours; name++, ours++)
        if (apr_isalnum(*ours) ? apr_tolower(*name) != apr_tolower(*ours)
                               : apr_isalnum(*name))
            return 0;
    return !*name && !*ours;
}

typedef struct {
    apr_table_t *headers;
    apr_array_header_t *names;
} forged_t;

static int note_forged(void *baton, const char *name, const char *value)
{
    forged_t *forged = baton;

    (void)value;
    if (is_alike(name, AGE_HEADER) || is_alike(name, GATE_HEADER))
        APR_ARRAY_PUSH(forged->names, const char *) = name;
    return 1;
}

static void remove_forged(apr_table_t *headers, apr_pool_t *pool)
{
    forged_t forged = {headers, apr_array_make(pool, 2, sizeof(char *))};

    apr_table_do(note_forged, &forged, headers, NULL);
    for (int i = 0; i < forged.names->nelts; i++)
        apr_table_unset(headers, APR_ARRAY_IDX(forged.names, i, const char *));
}

/* Whether the client wants a proxy to drop the headers of a gate, as it does
 * with those that Connection lists (RFC 9110, 7.6.1). */
static int wants_silence(request_rec *r)
{
    const char *list = apr_table_get(r->headers_in, "Connection");

    return list
        && (ap_find_token(r->pool, list, AGE_HEADER)
            || ap_find_token(r->pool, list, GATE_HEADER));
}

/* Also in virtual hosts without gates: they may lead to the same backend. */
static int post_read_request(request_rec *r)
{
    if (!idv_gates_are_in_use())
        return DECLINED;
    remove_forged(r->headers_in, r->pool);
    return wants_silence(r) ? HTTP_BAD_REQUEST : DECLINED;
}

/* Sets the headers of R for its backend, after removing those of the client. */
static void set_headers(request_rec *r, const idv_gate_visitor_t *visitor)
{
    remove_forged(r->headers_in, r->pool);
    if (!visitor || !visitor->is_granted
        || !idv_configuration_of(r->server)->settings.gate_headers)
        return;
    apr_table_setn(r->headers_in, AGE_HEADER,
                   apr_itoa(r->pool, visitor->proof->age));
    apr_table_setn(r->headers_in, GATE_HEADER, visitor->gate->name);
}

static void tell_backend(request_rec *r, const idv_gate_visitor_t *visitor)
{
    apr_table_setn(r->subprocess_env, "VERIFY_AGE",
                   apr_itoa(r->pool, visitor->proof->age));
    apr_table_setn(r->subprocess_env, "VERIFY_GATE", visitor->gate->name);
    set_headers(r, visitor);
}

/* --- caches --- */

static int is_shared(const char *directive)
{
    return strcasecmp(directive, "public") == 0
        || strcasecmp(directive, "private") == 0
        || strncasecmp(directive, "s-maxage", 8) == 0
        || strncasecmp(directive, "stale-while-revalidate", 22) == 0;
}

/* Appends to MADE the cache directives in HEADERS except those for shared
 * caches. */
static const char *keep_directives(apr_table_t *headers, const char *made,
                                   apr_pool_t *pool)
{
    const char *found = apr_table_get(headers, "Cache-Control");
    char *state, *list = apr_pstrdup(pool, found ? found : "");

    for (char *word = apr_strtok(list, ", ", &state); word;
         word = apr_strtok(NULL, ", ", &state))
        if (!is_shared(word))
            made = apr_pstrcat(pool, made, ", ", word, NULL);
    apr_table_unset(headers, "Cache-Control");
    apr_table_unset(headers, "CDN-Cache-Control");
    apr_table_unset(headers, "Surrogate-Control");
    return made;
}

/* Makes the response of R private. Safe to repeat. The headers of scripts are
 * among those of errors (ap_scan_script_header_err_core()), and httpd sends
 * both tables. */
static void make_private(request_rec *r)
{
    const char *made = keep_directives(r->headers_out, "private", r->pool);
    const char *vary;

    made = keep_directives(r->err_headers_out, made, r->pool);
    apr_table_setn(r->headers_out, "Cache-Control", made);
    vary = apr_table_get(r->headers_out, "Vary");
    if (!vary || !ap_find_token(r->pool, vary, "Cookie"))
        apr_table_mergen(r->headers_out, "Vary", "Cookie");
}

static ap_filter_rec_t *private_filter;

/* The headers of a proxied response arrive with its first brigade. */
static apr_status_t filter_private(ap_filter_t *f, apr_bucket_brigade *brigade)
{
    make_private(f->r);
    ap_remove_output_filter(f);
    return ap_pass_brigade(f->next, brigade);
}

/* Whether a gate guards R, or a request that httpd redirected here internally.
 * A response that was permitted without a proof must not be cached for others
 * either. The gate's paths and the service set their own headers. */
static int is_guarded(request_rec *r)
{
    return r->uri && idv_gate_server_has_any(r->server)
        && strncmp(r->uri, IDV_GATE_ROOT, strlen(IDV_GATE_ROOT)) != 0
        && !idv_handler_is_verify(r->handler)
        && (idv_gate_section_of(r)->gate
            || (!r->main && idv_request_state(r)->visitor));
}

static void insert_filter(request_rec *r)
{
    if (!r->main && is_guarded(r))
        ap_add_output_filter_handle(private_filter, NULL, r, r->connection);
}

/* --- trailers --- */

static ap_filter_rec_t *trailer_filter;

/* Undoes what trailers have added to the headers of R. */
static void restore_headers(request_rec *r)
{
    if (!apr_is_empty_table(r->trailers_in))
        set_headers(r, is_guarded(r) ? idv_request_state(r)->visitor : NULL);
}

/* With `MergeTrailers on`, httpd appends the trailers of a body to the headers
 * at its end, and some handlers read the body before they send the headers. */
static apr_status_t filter_trailers(ap_filter_t *f, apr_bucket_brigade *brigade,
                                    ap_input_mode_t mode, apr_read_type_e block,
                                    apr_off_t length)
{
    apr_status_t status = ap_get_brigade(f->next, brigade, mode, block, length);

    if (status == APR_SUCCESS && !APR_BRIGADE_EMPTY(brigade)
        && APR_BUCKET_IS_EOS(APR_BRIGADE_LAST(brigade)))
        restore_headers(f->r);
    return status;
}

/* The body may also have been read before, for example by a login form. */
static void insert_trailer_filter(request_rec *r)
{
    if (r->main || !idv_gates_are_in_use())
        return;
    restore_headers(r);
    ap_add_input_filter_handle(trailer_filter, NULL, r, r->connection);
}

/* --- once access is granted --- */

/* Undoes lead_to_gate(): a later 403 has another cause. */
static void forget_gate(request_rec *r)
{
    core_request_config *core = ap_get_core_module_config(r->request_config);

    if (!core || !core->response_code_strings)
        return;
    core->response_code_strings[ap_index_of_response(HTTP_FORBIDDEN)] = NULL;
    core->response_code_strings[ap_index_of_response(HTTP_UNAUTHORIZED)] = NULL;
}

/* Whether caches may store the part of R that was already sent, and serve it to
 * others. */
static int was_sent_shared(request_rec *r)
{
    const char *sent = apr_table_get(r->headers_out, "Cache-Control");

    return r->sent_bodyct
        && !(sent
             && (ap_find_token(r->pool, sent, "private")
                 || ap_find_token(r->pool, sent, "no-store")));
}

/* Makes the response that includes R private. Server-side includes send the
 * beginning of a page before they read what the page includes there. */
static int make_whole_private(request_rec *r)
{
    request_rec *whole = r;

    while (whole->main)
        whole = whole->main;
    if (was_sent_shared(whole)) {
        ap_log_rerror(APLOG_MARK, APLOG_ERR, 0, r,
                      "IDV0104: %s includes guarded content, but caches may "
                      "keep that page: write VerifyGateUse in its section",
                      whole->uri);
        return HTTP_FORBIDDEN;
    }
    for (; r; r = r->main)
        make_private(r);
    return DECLINED;
}

/* Warns once per child that the gate of R is open. The check of the
 * configuration does not see sections around it, nor .htaccess files. */
static void warn_of_satisfy(request_rec *r)
{
    static atomic_flag is_told = ATOMIC_FLAG_INIT;

    if (ap_satisfies(r) != SATISFY_ANY || atomic_flag_test_and_set(&is_told))
        return;
    ap_log_rerror(APLOG_MARK, APLOG_WARNING, 0, r,
                  "IDV0107: %s was served without proof, because Satisfy Any "
                  "applies to it, in its section, one around it or a .htaccess "
                  "file: unless you want that, write Satisfy All in the section "
                  "of the gate",
                  r->uri);
}

static int fixups(request_rec *r)
{
    const idv_gate_visitor_t *visitor;

    if (idv_gates_are_in_use())
        idv_gate_hide_cookies(r);
    if (!is_guarded(r))
        return DECLINED;
    visitor = idv_request_state(r)->visitor;
    if (idv_gate_section_of(r)->requires && !(visitor && visitor->is_granted))
        warn_of_satisfy(r);
    if (visitor && visitor->lack != IDV_GATE_LACKS_NOTHING)
        forget_gate(r);
    if (visitor && visitor->is_granted)
        tell_backend(r, visitor);
    return make_whole_private(r);
}

void idv_gate_access_register(apr_pool_t *pool)
{
    ap_register_auth_provider(pool, AUTHZ_PROVIDER_GROUP, "verified-age",
                              AUTHZ_PROVIDER_VERSION, &age_provider,
                              AP_AUTH_INTERNAL_PER_CONF);
    ap_register_auth_provider(pool, AUTHZ_PROVIDER_GROUP, "verified-identity",
                              AUTHZ_PROVIDER_VERSION, &identity_provider,
                              AP_AUTH_INTERNAL_PER_CONF);
    ap_hook_post_read_request(post_read_request, NULL, NULL, APR_HOOK_FIRST);
    ap_hook_fixups(fixups, NULL, NULL, APR_HOOK_REALLY_LAST);
    ap_hook_insert_filter(insert_filter, NULL, NULL, APR_HOOK_LAST);
    ap_hook_insert_error_filter(insert_filter, NULL, NULL, APR_HOOK_LAST);
    ap_hook_insert_filter(insert_trailer_filter, NULL, NULL, APR_HOOK_LAST);
    /* After the handler and mod_expires have set headers, before mod_headers
     * and caches. */
    private_filter = ap_register_output_filter(
        "VERIFY_GATE_PRIVATE", filter_private, NULL, AP_FTYPE_CONTENT_SET - 1);
    /* Next to the protocol, before every filter that reads ahead. */
    trailer_filter = ap_register_input_filter(
        "VERIFY_GATE_TRAILERS", filter_trailers, NULL, AP_FTYPE_PROTOCOL - 1);
}
