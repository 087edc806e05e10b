/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/gate/gate_visit.h"

#include <string.h>

#include <apr_strings.h>
#include <httpd.h>
#include <http_config.h>
#include <http_log.h>
#include <http_protocol.h>
#include <http_request.h>

#include "api/http/body.h"
#include "api/http/response.h"
#include "api/session/visitor_session.h"
#include "core/query_string.h"
#include "httpd/access/rate_limit.h"
#include "httpd/configuration/configuration.h"
#include "httpd/gate/gate_page.h"
#include "httpd/process/counters.h"
#include "httpd/request/request_state.h"

APLOG_USE_MODULE(verify);

#define NONCE_BYTES 16

/* A request to one of a gate's own paths. */
typedef struct {
    request_rec *r;
    idv_gate_visitor_t *visitor;
    const idv_gate_t *gate;
    const idv_gate_visit_t *visit; /* of the cookie; NULL: no valid one */
    const json_t *query;
    const char *destination;
    int again; /* flag: the visitor requested a new one */
} call_t;

/* --- answers --- */

static void redirect(request_rec *r, const char *location)
{
    r->status = HTTP_SEE_OTHER;
    r->status_line = NULL;
    apr_table_setn(r->err_headers_out, "Location", location);
    apr_table_setn(r->err_headers_out, "Cache-Control", "no-store");
    apr_table_setn(r->err_headers_out, "Referrer-Policy", "no-referrer");
}

/* The path that starts a visit to DESTINATION. */
static const char *start_of(const idv_gate_t *gate, const char *destination,
                            const char *more, apr_pool_t *pool)
{
    return apr_pstrcat(pool, gate->start_path, "?", more,
                       "to=", ap_escape_urlencoded(pool, destination), NULL);
}

static const char *start_again(const call_t *call)
{
    return start_of(call->gate, call->destination, "again=1&", call->r->pool);
}

static void show(const call_t *call, idv_gate_page_t page, const char *next)
{
    idv_gate_page(call->r, call->visitor, page, next);
}

/* --- a refused request --- */

/* The page that caused R if it has the same origin, else the home page. */
static const char *page_of(request_rec *r, const idv_gate_visitor_t *visitor)
{
    const char *referer = apr_table_get(r->headers_in, "Referer");
    const char *origin = visitor->place.origin;
    apr_size_t length = origin ? strlen(origin) : 0;

    return origin && referer && strncmp(referer, origin, length) == 0
                && idv_gate_destination_is_safe(referer + length)
             ? referer + length
             : "/";
}

static idv_error_t *refusal(request_rec *r, const idv_gate_visitor_t *visitor)
{
    idv_error_t *error;

    if (visitor->lack == IDV_GATE_LACKS_DATABASE)
        return idv_error_unavailable(r->pool, 1, "a proof was not confirmed");
    error = idv_error_new(IDV_E_ACCESS_DENIED, r->pool);
    error->message = "The visitor has to be verified first. The Link header "
                     "says where.";
    return error;
}

static void refuse_program(request_rec *r, const idv_gate_visitor_t *visitor)
{
    idv_error_t *error = refusal(r, visitor);
    const char *start =
        start_of(visitor->gate, page_of(r, visitor), "", r->pool);

    r->status = idv_error_info(error->code)->status;
    r->status_line = NULL;
    idv_error_headers(r, error, r->err_headers_out);
    apr_table_setn(r->err_headers_out, "Link",
                   apr_pstrcat(r->pool, "<", start,
                               ">; rel=\"related\"; title=\"verification\"",
                               NULL));
    apr_table_setn(r->err_headers_out, "Cache-Control", "no-store");
    ap_set_content_type(r, "application/json");
    ap_rputs(idv_error_envelope(error, idv_request_state(r)->id, r->pool), r);
}

static void refuse_person(request_rec *r, idv_gate_visitor_t *visitor)
{
    const idv_gate_t *gate = visitor->gate;
    const char *wanted = visitor->destination;

    switch (visitor->lack) {
    case IDV_GATE_LACKS_AGE:
        idv_gate_page(r, visitor, IDV_GATE_PAGE_NOT_ENOUGH,
                      start_of(gate, wanted, "again=1&", r->pool));
        break;
    case IDV_GATE_LACKS_PLACE:
        idv_gate_page(r, visitor, IDV_GATE_PAGE_PLACE, "/");
        break;
    case IDV_GATE_LACKS_HTTPS:
        idv_gate_page(r, visitor, IDV_GATE_PAGE_INSECURE, "/");
        break;
    case IDV_GATE_LACKS_DATABASE:
        idv_gate_page(r, visitor, IDV_GATE_PAGE_AWAY, wanted);
        break;
    default:
        redirect(r, start_of(gate, wanted, "", r->pool));
        break;
    }
}

/* Only a refusal by httpd leads here. */
static int answer_denied(request_rec *r, const idv_gate_t *gate)
{
    idv_gate_visitor_t *visitor = idv_request_state(r)->visitor;

    if (!r->prev || !visitor || visitor->gate != gate
        || visitor->lack == IDV_GATE_LACKS_NOTHING)
        return HTTP_NOT_FOUND;
    apr_table_unset(r->err_headers_out, "WWW-Authenticate");
    apr_table_mergen(r->err_headers_out, "Vary", "Cookie");
    idv_count(gate_refusals);
    if (visitor->is_navigation)
        refuse_person(r, visitor);
    else
        refuse_program(r, visitor);
    return OK;
}

/* --- sessions --- */

/* Creates the session of the visit or finds it again. */
static idv_error_t *create(const call_t *call, const char **id,
                           const char **url)
{
    const idv_gate_t *gate = call->gate;
    const idv_visitor_session_t wanted = {
        .workflow_id = gate->workflow_id,
        .session_type = gate->session_type,
        .jurisdiction = gate->jurisdiction,
        .back = apr_pstrcat(call->r->pool, call->visitor->place.origin,
                            gate->return_path, NULL),
        .once = call->visit->nonce,
    };

    return idv_visitor_session_open(call->visitor->request, &wanted, id, url);
}

static void explain(const call_t *call, const idv_error_t *error)
{
    ap_log_rerror(APLOG_MARK, APLOG_ERR, 0, call->r,
                  "IDV0103: the gate %s cannot create a session: %s%s%s: %s",
                  call->gate->name, idv_error_info(error->code)->code,
                  error->param ? " at " : "", error->param ? error->param : "",
                  idv_error_cause(error));
}

static void show_error(const call_t *call, const idv_error_t *error)
{
    switch (error->code) {
    case IDV_E_RATE_LIMIT_EXCEEDED:
        idv_error_headers(call->r, error, call->r->err_headers_out);
        show(call, IDV_GATE_PAGE_LIMIT, start_again(call));
        break;
    case IDV_E_USE_CASE_PROHIBITED:
    case IDV_E_COMPLIANCE_UNKNOWN:
        show(call, IDV_GATE_PAGE_PLACE, "/");
        break;
    default:
        explain(call, error);
        show(call, IDV_GATE_PAGE_AWAY, start_again(call));
        break;
    }
}

/* --- steps of a visit --- */

static idv_error_t *send_visit(const call_t *call)
{
    const char *cookie;

    IDV_TRY(idv_gate_visit_seal(&call->visitor->place, call->visit, &cookie,
                                call->r->pool));
    idv_gate_set_cookie(call->r, call->gate->visit_cookie, cookie,
                        IDV_GATE_VISIT_VALIDITY / IDV_SECOND);
    return NULL;
}

/* Lets in a visitor who has been verified. */
static idv_error_t *let_in(const call_t *call,
                           const idv_gate_standing_t *standing)
{
    IDV_TRY(idv_gate_visitor_prove(call->visitor, call->visit->session_id,
                                   standing));
    idv_count(gate_proofs);
    idv_gate_set_cookie(call->r, call->gate->visit_cookie, "", 0);
    redirect(call->r, call->destination);
    return NULL;
}

/* The page for a session that has ended or waits for somebody else. */
static void show_end(const call_t *call, idv_session_status_t status)
{
    switch (status) {
    case IDV_STATUS_UNDER_REVIEW:
        show(call, IDV_GATE_PAGE_REVIEW, call->gate->return_path);
        break;
    case IDV_STATUS_FAILED:
        show(call, IDV_GATE_PAGE_FAILED, start_again(call));
        break;
    default:
        show(call, IDV_GATE_PAGE_STOPPED, start_again(call));
        break;
    }
}

/* Starts a visit, for a known or a new browser. */
static void begin_visit(call_t *call)
{
    idv_gate_visit_t *visit = apr_pcalloc(call->r->pool, sizeof(*visit));

    visit->began = call->visitor->request->now;
    visit->nonce = idv_random_token(NONCE_BYTES, call->r->pool);
    visit->destination = call->destination;
    call->visit = visit;
}

/* The first request of a browser gets the cookie and is redirected to
 * itself. */
static idv_error_t *offer_cookie(call_t *call)
{
    if (json_object_get(call->query, "cookie")) {
        show(call, IDV_GATE_PAGE_COOKIES,
             start_of(call->gate, call->destination, "", call->r->pool));
        return NULL;
    }
    begin_visit(call);
    IDV_TRY(send_visit(call));
    redirect(call->r, start_of(call->gate, call->destination,
                               call->again ? "cookie=1&again=1&" : "cookie=1&",
                               call->r->pool));
    return NULL;
}

static idv_error_t *lead_to_session(call_t *call)
{
    idv_gate_visit_t *visit =
        apr_pmemdup(call->r->pool, call->visit, sizeof(*visit));
    idv_request_t *request = call->visitor->request;
    int is_known = visit->session_id != NULL;
    const char *url;

    if (!is_known)
        IDV_TRY(idv_rate_limit_visitor(
            request, "gate", request->services->settings->gate_sessions));
    IDV_TRY(create(call, &visit->session_id, &url));
    if (!is_known)
        idv_count(gate_sessions);
    visit->destination = call->destination;
    call->visit = visit;
    IDV_TRY(send_visit(call));
    redirect(call->r, url ? url : call->gate->return_path);
    return NULL;
}

/* Whether the visitor can continue the session with STANDING. Sets *IS_OVER if
 * the visitor must be told how it ended. */
static int is_open(const call_t *call, const idv_gate_standing_t *standing,
                   int *is_over)
{
    int is_there = standing->workflow_id != NULL;
    int is_reviewed = standing->status == IDV_STATUS_UNDER_REVIEW;

    *is_over =
        is_there && standing->status != IDV_STATUS_VERIFIED
        && (is_reviewed
            || (!idv_session_status_open(standing->status) && !call->again));
    return is_there && !is_reviewed
        && idv_session_status_open(standing->status);
}

static idv_error_t *start(call_t *call)
{
    idv_gate_standing_t standing;
    int is_over;

    if (call->visitor->proof && !call->again) {
        redirect(call->r, call->destination);
        return NULL;
    }
    if (!call->visit)
        return offer_cookie(call);
    if (!call->visit->session_id)
        return lead_to_session(call);
    IDV_TRY(idv_gate_visitor_standing(call->visitor, call->visit->session_id,
                                      &standing));
    if (standing.in_force)
        return let_in(call, &standing);
    if (!is_open(call, &standing, &is_over))
        begin_visit(call);
    if (!is_over)
        return lead_to_session(call);
    show_end(call, standing.status);
    return NULL;
}

static idv_error_t *come_back(call_t *call)
{
    idv_gate_standing_t standing;
    int is_over;

    if (!call->visit && call->visitor->proof)
        redirect(call->r, "/");
    else if (!call->visit)
        show(call, IDV_GATE_PAGE_ELSEWHERE, start_again(call));
    else if (!call->visit->session_id)
        redirect(call->r, start_again(call));
    if (!call->visit || !call->visit->session_id)
        return NULL;
    IDV_TRY(idv_gate_visitor_standing(call->visitor, call->visit->session_id,
                                      &standing));
    if (standing.in_force)
        return let_in(call, &standing);
    if (is_open(call, &standing, &is_over))
        show(call, IDV_GATE_PAGE_OPEN,
             start_of(call->gate, call->destination, "", call->r->pool));
    else
        show_end(call, standing.status);
    return NULL;
}

/* --- the paths --- */

typedef idv_error_t *step_t(call_t *call);

static const char *query_text(const call_t *call, const char *name)
{
    return json_string_value(json_object_get(call->query, name));
}

static const char *destination_of(const call_t *call)
{
    const char *wanted = query_text(call, "to");

    if (wanted && idv_gate_destination_is_safe(wanted))
        return wanted;
    return call->visit ? call->visit->destination : "/";
}

/* Only requests whose response a person sees may create sessions and set
 * cookies. */
static int answer_step(request_rec *r, const idv_gate_t *gate, step_t *step)
{
    idv_gate_visitor_t *visitor = idv_gate_visitor(r, gate);
    call_t call = {
        .r = r, .visitor = visitor, .gate = gate, .destination = "/"};
    idv_error_t *error;
    json_t *query;

    if (!visitor->place.origin) {
        show(&call, IDV_GATE_PAGE_INSECURE, "/");
        return OK;
    }
    if (!visitor->is_navigation || r->header_only) {
        refuse_program(r, visitor);
        return OK;
    }
    if (!idv_query_string_parse(r->args, &query, r->pool))
        call.query = query;
    call.visit = idv_gate_visit_open(
        &visitor->place, idv_gate_sent_cookie(r, gate->visit_cookie),
        visitor->request->now, r->pool);
    call.destination = destination_of(&call);
    call.again = json_object_get(call.query, "again") != NULL;
    error = step(&call);
    if (error)
        show_error(&call, error);
    return OK;
}

static int is_gates(const request_rec *r)
{
    return r->uri && strncmp(r->uri, IDV_GATE_ROOT, strlen(IDV_GATE_ROOT)) == 0
        && idv_gate_server_has_any(r->server);
}

static int handle(request_rec *r)
{
    const apr_array_header_t *gates;

    if (!is_gates(r))
        return DECLINED;
    /* Bodies are not read here and must not be parsed as a request. */
    if (ap_request_has_body(r) || (r->prev && ap_request_has_body(r->prev)))
        idv_body_abandon(r);
    r->allowed = AP_METHOD_BIT << M_GET;
    if (r->method_number != M_GET)
        return HTTP_METHOD_NOT_ALLOWED;
    gates = idv_configuration_of(r->server)->settings.gates;
    for (int i = 0; i < gates->nelts; i++) {
        const idv_gate_t *gate = APR_ARRAY_IDX(gates, i, const idv_gate_t *);

        if (strcmp(r->uri, gate->denied_path) == 0)
            return answer_denied(r, gate);
        if (strcmp(r->uri, gate->start_path) == 0)
            return answer_step(r, gate, start);
        if (strcmp(r->uri, gate->return_path) == 0)
            return answer_step(r, gate, come_back);
    }
    return HTTP_NOT_FOUND;
}

/* These paths do not map to a file or another server. */
static int translate_name(request_rec *r)
{
    if (!is_gates(r))
        return DECLINED;
    r->filename = apr_pstrdup(r->pool, r->uri);
    return OK;
}

static int map_to_storage(request_rec *r)
{
    return is_gates(r) ? OK : DECLINED;
}

/* Variants of a file (MultiViews) do not apply either. A request with a handler
 * is not sent to the FallbackResource of mod_dir. */
static int check_type(request_rec *r)
{
    if (!is_gates(r))
        return DECLINED;
    r->handler = "verify-gate";
    return OK;
}

/* Admits everyone to the verification itself, whatever the site requires. */
static int check_access(request_rec *r)
{
    return is_gates(r) ? OK : DECLINED;
}

void idv_gate_visit_register(void)
{
    ap_hook_translate_name(translate_name, NULL, NULL, APR_HOOK_REALLY_FIRST);
    ap_hook_map_to_storage(map_to_storage, NULL, NULL, APR_HOOK_REALLY_FIRST);
    ap_hook_check_access_ex(check_access, NULL, NULL, APR_HOOK_REALLY_FIRST,
                            AP_AUTH_INTERNAL_PER_URI);
    ap_hook_type_checker(check_type, NULL, NULL, APR_HOOK_REALLY_FIRST);
    ap_hook_handler(handle, NULL, NULL, APR_HOOK_REALLY_FIRST);
}
