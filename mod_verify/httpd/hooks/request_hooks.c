/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/hooks/request_hooks.h"

#include <string.h>

#include <ap_expr.h>
#include <apr_strings.h>
#include <http_core.h>
#include <http_log.h>
#include <http_request.h>

#include "api/http/admission.h"
#include "api/http/body.h"
#include "api/http/response.h"
#include "api/http/sending.h"
#include "api/http/write.h"
#include "domain/value/issued_secret.h"
#include "httpd/access/authentication.h"
#include "httpd/access/operator_access.h"
#include "httpd/access/rate_limit.h"
#include "httpd/configuration/configuration.h"
#include "httpd/connection/reception.h"
#include "httpd/hooks/response_filters.h"
#include "httpd/process/counters.h"
#include "httpd/request/request_state.h"
#include "httpd/request/trace.h"
#include "store/session/session_lookup.h"

APLOG_USE_MODULE(verify);

/* Seconds that a request may keep its place beyond the time limit of its body.
 * If a place is kept longer, its process is assumed to have been killed. */
#define HANDLING_TIME 5
#define TARGET_PATH_MAX 1024 /* bytes; paths of routes are far shorter */

/* Creation with a publishable key is deprecated. Every response says so, even
 * if no handler sees the request or the key is no longer valid, because the
 * form of the token decides. */
static void note_deprecation(request_rec *r)
{
    const char *token = idv_bearer_token(r);
    idv_key_type_t type;

    if (r->method_number == M_POST && token && r->parsed_uri.path
        && strcmp(r->parsed_uri.path, "/v1/verification_sessions") == 0
        && idv_api_key_is_well_formed(token, &type)
        && type == IDV_KEY_PUBLISHABLE)
        apr_table_setn(r->err_headers_out, "Service-Deprecation",
                       "publishable-key-session-create");
}

int idv_request_hook_post_read_request(request_rec *r)
{
    idv_reception_note_head(r);
    if (!idv_configuration_in_service(r->server))
        return DECLINED;
    idv_request_state(r);
    note_deprecation(r);
    idv_cross_origin_note(r, &idv_configuration_of(r->server)->settings);
    return DECLINED;
}

int idv_request_hook_translate_name(request_rec *r)
{
    const core_dir_config *core = ap_get_core_module_config(r->per_dir_config);
    const char *fault = NULL;

    /* Recorded here because httpd forgets the <Location> before the next
     * hook. */
    if (!r->main && !r->prev && core && core->expr_handler
        && idv_configuration_in_service(r->server)
        && idv_handler_is_verify(
            ap_expr_str_exec(r, core->expr_handler, &fault))) {
        idv_request_state(r)->is_verify = 1;
        /* httpd would look for a file of that name, and log the whole name. */
        if (strlen(r->uri) > TARGET_PATH_MAX)
            return HTTP_REQUEST_URI_TOO_LARGE;
    }
    return DECLINED;
}

/* Closes the connection after the request. Otherwise httpd's own responses, and
 * their thread, would wait for a body only to discard it. */
static void leave_body(request_rec *r)
{
    if (idv_configuration_in_service(r->server) && !r->connection->master
        && ap_request_has_body(r))
        r->connection->keepalive = AP_CONN_CLOSE;
}

int idv_request_hook_default_handler(request_rec *r)
{
    leave_body(r);
    return DECLINED;
}

/* OK for the paths of the service, which do not map to files. */
static int keep_from_files(request_rec *r)
{
    return idv_configuration_in_service(r->server)
                && idv_request_state(r)->is_verify && !r->main && !r->prev
             ? OK
             : DECLINED;
}

/* Skips the directory walk, and leaves TRACE to the service. */
int idv_request_hook_map_to_storage(request_rec *r)
{
    if (strcmp(r->uri, "*") == 0)
        leave_body(r);
    return keep_from_files(r);
}

/* With MultiViews, mod_negotiation would look for variants of a file. */
int idv_request_hook_type_checker(request_rec *r)
{
    return keep_from_files(r);
}

static void take_key(idv_request_t *request)
{
    const idv_request_state_t *state = idv_request_state(request->r);

    request->key = state->key;
    request->guard = state->guard;
}

/* Looks up a guessed key. Sets *CHANGED if the key differs from the guess; then
 * its limit may differ too. */
static idv_error_t *confirm(idv_request_t *request, int *changed)
{
    idv_error_t *error = idv_authenticate_confirm(
        request->r, request->services->database, changed);

    if (error) {
        request->guard = NULL; /* it has failed and is not checked again */
        idv_rate_limit_forget(request);
        return error;
    }
    take_key(request);
    return idv_rate_limit_check(request);
}

static int is_guess(const idv_request_t *request)
{
    return request->guard && !request->guard->passed;
}

/* A restricted key is refused only on the basis of its current row. */
static idv_error_t *check_scope(idv_request_t *request)
{
    idv_key_scope_t scope = request->route->scope;
    idv_error_t *error;
    int changed;

    if (request->key->type != IDV_KEY_SECRET
        || idv_key_scopes_have(request->key->scopes, scope))
        return NULL;
    if (is_guess(request))
        IDV_TRY(confirm(request, &changed));
    error = idv_error_new(IDV_E_KEY_SCOPE_REQUIRED, request->pool);
    error->message =
        apr_psprintf(request->pool,
                     "This key is restricted and lacks the scope %s.",
                     idv_key_scope_names[scope]);
    return error;
}

static idv_error_t *check_key(idv_request_t *request)
{
    int changed;

    IDV_TRY(idv_authenticate_key(request->r, request->services->database));
    take_key(request);
    idv_rate_limit_count(request);
    /* A limit that may have been raised since must not refuse a request. */
    if (idv_rate_limit_is_exceeded(request) && is_guess(request))
        IDV_TRY(confirm(request, &changed));
    else
        IDV_TRY(idv_rate_limit_check(request));
    if (request->route->credential == IDV_CREDENTIAL_SECRET
        && request->key->type != IDV_KEY_SECRET)
        return idv_error_new(IDV_E_PUBLISHABLE_KEY_SCOPE, request->pool);
    return check_scope(request);
}

static idv_error_t *take_client_secret(idv_request_t *request)
{
    request->client_secret = idv_bearer_token(request->r);
    return request->client_secret
             ? NULL
             : idv_error_new(IDV_E_CLIENT_SECRET_INVALID, request->pool);
}

static idv_error_t *find_session(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_request_t *request = baton;
    idv_session_record_t *record;

    IDV_TRY(idv_session_authorize(
        db,
        &(const idv_session_claim_t){.secret = request->client_secret,
                                     .id = idv_request_path(request, "id"),
                                     .now = request->now},
        &record, pool));
    request->caller_id = record->session->id;
    request->caller_organization_id = record->session->organization_id;
    return NULL;
}

/* Checks a client secret before the body is received. The handler checks it
 * again in its unit of work, but that is too late to keep unauthorized callers
 * from sending long bodies. */
static idv_error_t *check_client_secret(idv_request_t *request)
{
    IDV_TRY(take_client_secret(request));
    return ap_request_has_body(request->r)
             ? idv_request_with_database(request, find_session, request)
             : NULL;
}

static idv_error_t *check_link(idv_request_t *request)
{
    IDV_TRY(take_client_secret(request));
    return idv_trust_reuse_link_parse(
        request->services->keyring, request->client_secret,
        &request->caller_organization_id, &request->caller_id, request->pool);
}

static idv_error_t *check_upload(idv_request_t *request)
{
    IDV_TRY(take_client_secret(request));
    return idv_upload_admit(request);
}

static idv_error_t *check_nothing(idv_request_t *request)
{
    (void)request;
    return NULL;
}

static idv_error_t *check_credential(idv_request_t *request)
{
    static idv_error_t *(*const checks[])(idv_request_t *) = {
        [IDV_CREDENTIAL_NONE] = check_nothing,
        [IDV_CREDENTIAL_ANY_ORIGIN] = check_nothing,
        [IDV_CREDENTIAL_SECRET] = check_key,
        [IDV_CREDENTIAL_PUBLISHABLE_OR_SECRET] = check_key,
        [IDV_CREDENTIAL_CLIENT_SECRET] = check_client_secret,
        [IDV_CREDENTIAL_LINK] = check_link,
        [IDV_CREDENTIAL_UPLOAD_CLIENT_SECRET] = check_upload,
        [IDV_CREDENTIAL_OPERATOR] = idv_operator_admit,
    };

    /* Below an operator's path, no route accepts a key. */
    if (request->for_operator)
        return idv_operator_admit(request);
    return checks[request->route->credential](request);
}

static idv_error_t *find_route(idv_request_t *request)
{
    idv_route_match_t match;
    idv_error_t *error = idv_route_find(request->r->method, request->r->uri,
                                        &match, request->pool);

    request->route = match.route;
    request->for_operator = match.for_operator;
    request->organization_id = match.organization_id;
    request->application_id = match.application_id;
    memcpy(request->path_parameters, match.parameters,
           sizeof(match.parameters));
    if (match.route)
        idv_trace_route(request->r, match.route->pattern);
    if (error && match.allow)
        idv_respond_header(request, "Allow", match.allow);
    return error;
}

/* Decides everything that precedes the body: the response to OPTIONS, or an
 * error that makes reading the body unnecessary. */
static idv_error_t *open_request(idv_request_t *request)
{
    idv_error_t *error = find_route(request);

    if (request->for_operator)
        idv_operator_set_headers(request->r->err_headers_out);
    if (error && error->code == IDV_E_METHOD_NOT_ALLOWED
        && request->r->method_number == M_OPTIONS)
        return idv_respond_text(request, HTTP_NO_CONTENT, "");
    if (!error)
        error = check_credential(request);
    return error ? error : idv_body_begin(request);
}

static idv_error_t *run_handler(idv_request_t *request)
{
    request->has_run = 1;
    IDV_TRY(request->route->handler(request));
    return request->response.status
             ? NULL
             : idv_error_internal(request->pool, "a handler did not answer");
}

/* Waiting for a body requires a place, and a key that was looked up rather than
 * guessed. */
static idv_error_t *admit_waiting(idv_request_t *request)
{
    int changed;

    if (is_guess(request))
        IDV_TRY(confirm(request, &changed));
    if (request->key) {
        request->caller_id = request->key->id;
        request->caller_organization_id = request->key->organization_id;
    }
    IDV_TRY(idv_admission_take(request, idv_body_place_kind(request),
                               request->services->settings->small_body_time
                                   + HANDLING_TIME));
    idv_body_ask(request);
    return NULL;
}

static idv_error_t *run(idv_request_t *request)
{
    idv_error_t *error = idv_body_finish(request);

    if (idv_body_place_kind(request) != IDV_PLACE_UPLOAD)
        idv_admission_give(request);
    if (!error)
        error = run_handler(request);
    return error && error->code == IDV_E_PARAMETER_INVALID
             ? idv_idempotency_refusal(request, error)
             : error;
}

/* Reads the body and runs the handler. *ANSWERED is SUSPENDED while the request
 * waits for the body without a thread, otherwise the result of
 * idv_body_advance(). */
static idv_error_t *receive(idv_request_t *request, int *answered)
{
    idv_body_progress_t progress;
    idv_error_t *error;

    while (1) {
        error = idv_body_advance(request, &progress, answered);
        if (error || *answered != OK || progress == IDV_BODY_ARRIVED)
            break;
        if (idv_body_is_close(request)) {
            idv_body_wait(request);
            continue;
        }
        error = admit_waiting(request);
        if (error)
            break;
        if (idv_reception_park(request->r, idv_body_deadline(request))) {
            *answered = SUSPENDED;
            break;
        }
        idv_body_wait(request);
    }
    if (error) {
        idv_body_abandon(request->r);
        return error;
    }
    return *answered == OK ? run(request) : NULL;
}

/* Confirms the key before anything is answered. A handler that ran on a wrong
 * guess has not written anything, so it can run again. */
static idv_error_t *confirm_last(idv_request_t *request, idv_error_t *error)
{
    int changed;

    if (!is_guess(request))
        return error;
    IDV_TRY(confirm(request, &changed));
    return changed && request->has_run ? run_handler(request) : error;
}

/* Sends the response, or continues to. Returns SUSPENDED while it waits for the
 * client to read, without a thread. */
static int send_answer(idv_request_t *request)
{
    while (idv_sending_advance(request) == IDV_SENDING_AWAITED) {
        if (idv_reception_park_sending(request->r,
                                       idv_sending_deadline(request)))
            return SUSPENDED;
        idv_sending_wait(request);
    }
    idv_admission_give(request);
    if (request->response.failure)
        idv_request_log_error(request->r, request->response.failure);
    return OK;
}

static int answer(idv_request_t *request, idv_error_t *error)
{
    error = confirm_last(request, error);
    if (!error)
        error = idv_sending_admit(request);
    if (error) {
        idv_request_log_error(request->r, error);
        idv_respond_error(request, error);
    }
    idv_count_request(request->route, request->response.status,
                      apr_time_now() - request->r->request_time,
                      request->trace);
    return send_answer(request);
}

/* The return value of the handler hook. */
static int proceed(idv_request_t *request)
{
    int answered = OK;
    idv_error_t *error;

    if (request->sending)
        return send_answer(request);
    error = receive(request, &answered);
    return answered == OK ? answer(request, error) : answered;
}

int idv_request_hook_handler(request_rec *r)
{
    idv_request_state_t *state;
    idv_request_t *request;
    idv_error_t *error;

    if (!idv_handler_is_verify(r->handler))
        return DECLINED;
    if (!idv_configuration_in_service(r->server)) {
        ap_log_rerror(APLOG_MARK, APLOG_ERR, 0, r,
                      "IDV0052: SetHandler verify without VerifyDatabase");
        return HTTP_INTERNAL_SERVER_ERROR;
    }
    state = idv_request_state(r);
    request = apr_pcalloc(r->pool, sizeof(*request));
    request->r = r;
    request->pool = r->pool;
    request->can_park = idv_reception_can_park(r);
    state->request = request;
    request->id = state->id;
    request->now = state->now;
    request->trace = state->trace;
    request->services = &idv_configuration_of(r->server)->services;
    idv_respond_header(request, "X-Request-Id", request->id);
    error = open_request(request);
    if (!error && !request->response.status)
        return proceed(request);
    /* An unread body could be parsed as the next request, or be too long to
     * discard. */
    if (ap_request_has_body(r))
        idv_body_abandon(r);
    return answer(request, error);
}

void idv_request_hook_resume(request_rec *r)
{
    int result = proceed(idv_request_state(r)->request);

    if (result == SUSPENDED)
        return;
    /* As ap_process_async_request() does after a handler. */
    ap_die(result, r);
    ap_process_request_after_handler(r);
}

int idv_request_hook_log_transaction(request_rec *r)
{
    idv_request_state_t *state =
        ap_get_module_config(r->request_config, &verify_module);

    if (state && state->trace)
        idv_trace_end(r, &state->span, state->id);
    return DECLINED;
}
