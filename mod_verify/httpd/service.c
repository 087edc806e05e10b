/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/service.h"

#include <ap_expr.h>
#include <apr_strings.h>
#include <http_config.h>
#include <httpd.h>
#include <http_core.h>
#include <http_log.h>
#include <http_protocol.h>

#include "api/body.h"
#include "api/error_response.h"
#include "api/idempotency.h"
#include "api/response.h"
#include "api/upload_gate.h"
#include "core/rate_window.h"
#include "httpd/authentication.h"
#include "httpd/configuration.h"
#include "httpd/counters.h"
#include "httpd/cross_origin.h"
#include "httpd/database.h"
#include "httpd/geo.h"
#include "httpd/rate_counter.h"
#include "httpd/request_state.h"
#include "out/address_guard.h"
#include "out/mail_message.h"

APLOG_USE_MODULE(verify);

/* Set in the parent before any child is there. */
static idv_watchdog_t *watchdog;
static const idv_rate_counter_t *rate_counter = &idv_rate_counter_shm;

idv_watchdog_t *idv_service_watchdog(void)
{
    return watchdog;
}

/* --- parent --- */

static void wake(const idv_services_t *services, unsigned work)
{
    (void)services;
    idv_watchdog_wake(watchdog, work);
}

#define CAPTCHA_SLACK                                                          \
    500                 /* ms that a request waits beyond the provider's time */
#define CAPTCHA_RETRY 5 /* seconds until it is worth another try */

static idv_error_t *check_captcha(const idv_request_t *request,
                                  const char *token)
{
    const idv_services_t *services = request->services;
    const idv_configuration_t *configuration = services->baton;
    idv_error_t *error;

    if (!configuration->captcha_secret) {
        error = idv_error_new(IDV_E_PUBLISHABLE_SESSION_CREATE_BLOCKED,
                              request->pool);
        error->message = "This service checks no captchas, so sessions are "
                         "created with secret keys only.";
        return error;
    }
    switch (idv_captcha_ask(
        idv_watchdog_captcha_channel(watchdog), token, request->r->useragent_ip,
        services->settings->captcha_timeout + CAPTCHA_SLACK, request->pool)) {
    case IDV_CAPTCHA_PASSED:
        return NULL;
    case IDV_CAPTCHA_REFUSED:
        return idv_error_param(request->pool, "captcha_token",
                               "Was not accepted; solve another captcha.");
    default:
        return idv_error_unavailable(request->pool, CAPTCHA_RETRY,
                                     "a captcha could not be checked");
    }
}

static void fill_services(server_rec *server, const idv_db_source_t *database)
{
    idv_configuration_t *configuration = idv_configuration_of(server);
    idv_services_t *services = &configuration->services;

    if (services->settings)
        return; /* shared with another server */
    services->settings = &configuration->settings;
    services->keyring = configuration->keyring;
    services->database = database;
    services->compliance = configuration->compliance;
    services->risk = configuration->risk;
    services->look_up_address = idv_geo_look_up;
    services->locate = idv_geo_locate;
    services->wake = wake;
    services->check_captcha = check_captcha;
    services->baton = configuration;
}

static const apr_array_header_t *ranges_of(const apr_array_header_t *networks,
                                           apr_pool_t *pool)
{
    apr_array_header_t *ranges =
        apr_array_make(pool, networks->nelts, sizeof(idv_address_range_t));

    for (int i = 0; i < networks->nelts; i++) {
        /* Parsed once already, when the directive was read. */
        if (idv_address_range_parse(APR_ARRAY_IDX(networks, i, const char *),
                                    apr_array_push(ranges), pool))
            apr_array_pop(ranges);
    }
    return ranges;
}

static const idv_captcha_config_t *
captcha_of(const idv_configuration_t *configuration, apr_pool_t *pool)
{
    const idv_settings_t *settings = &configuration->settings;
    idv_captcha_config_t *captcha;

    if (!configuration->captcha_secret)
        return NULL;
    captcha = apr_pcalloc(pool, sizeof(*captcha));
    captcha->url = settings->captcha_url ? settings->captcha_url
                                         : idv_captcha_url(settings->captcha);
    captcha->secret = configuration->captcha_secret;
    captcha->ca_file = settings->captcha_ca_file;
    captcha->timeout = settings->captcha_timeout;
    return captcha;
}

/* of one e-mail, from look-up to end */
#define MAIL_TIMEOUT (60 * IDV_SECOND)

static idv_error_t *mail_of(const idv_configuration_t *configuration,
                            const idv_mail_client_config_t **out,
                            apr_pool_t *pool)
{
    const idv_settings_t *settings = &configuration->settings;
    idv_mail_client_config_t *mail;
    idv_mailbox_t from;

    if (!settings->smtp)
        return NULL;
    IDV_TRY(idv_mailbox_parse(settings->smtp_from, &from, pool));
    mail = apr_pcalloc(pool, sizeof(*mail));
    mail->url = settings->smtp;
    mail->from = from.address;
    mail->user = settings->smtp_user;
    mail->password = configuration->smtp_password;
    mail->ca_file = settings->smtp_ca_file;
    mail->tls = idv_mail_tls_parse(settings->smtp_tls);
    mail->timeout = MAIL_TIMEOUT;
    *out = mail;
    return NULL;
}

static idv_error_t *start_watchdog(server_rec *server, apr_pool_t *pconf)
{
    const idv_configuration_t *configuration = idv_configuration_of(server);
    const idv_settings_t *settings = &configuration->settings;
    idv_watchdog_config_t config = IDV_WATCHDOG_CONFIG_DEFAULTS;

    config.conninfo = settings->database;
    config.keys = configuration->keyring;
    config.webhook_allow = ranges_of(settings->webhook_allow, pconf);
    config.webhook_ca_file = settings->webhook_ca_file;
    config.webhook_in_flight = (int)settings->webhook_in_flight;
    config.webhook_endpoint_in_flight =
        (int)settings->webhook_endpoint_in_flight;
    config.captcha = captcha_of(configuration, pconf);
    IDV_TRY(mail_of(configuration, &config.mail, pconf));
    config.analyze_program = settings->analyzer;
    config.analyze_models = settings->models;
    config.accept_test_issuers = settings->test_issuers;
    config.risk_policy = &configuration->risk->policy;
    config.risk_retention = settings->risk_retention * IDV_DAY;
    config.event_retention = settings->event_retention * IDV_DAY;
    config.recovery_retention = settings->recovery_retention * IDV_DAY;
    config.idempotency_retention = settings->idempotency_retention * IDV_HOUR;
    return idv_watchdog_start(&config, server, &watchdog, pconf);
}

static idv_error_t *prepare(server_rec *first, apr_pool_t *pconf)
{
    const char *store = idv_configuration_of(first)->settings.rate_store;

    rate_counter = strcmp(store, "shm") == 0 ? &idv_rate_counter_shm
                                             : &idv_rate_counter_redis;
    IDV_TRY(idv_counters_init(pconf));
    IDV_TRY(rate_counter->post_config(
        rate_counter, &idv_configuration_of(first)->settings, pconf));
    return start_watchdog(first, pconf);
}

int idv_service_post_config(apr_pool_t *pconf, apr_pool_t *plog,
                            apr_pool_t *ptemp, server_rec *servers)
{
    server_rec *first = NULL;
    const idv_db_source_t *database = NULL;
    idv_error_t *error;

    (void)plog;
    (void)ptemp;
    if (ap_state_query(AP_SQ_MAIN_STATE) == AP_SQ_MS_CREATE_PRE_CONFIG)
        return OK;
    for (server_rec *server = servers; server; server = server->next) {
        if (!idv_configuration_in_service(server))
            continue;
        if (!first) {
            first = server;
            database = idv_database_source(
                server, &idv_configuration_of(server)->settings, pconf);
        }
        fill_services(server, database);
    }
    ap_add_version_component(pconf, "mod_verify/" VERIFY_VERSION);
    error = first ? prepare(first, pconf) : NULL;
    if (!error)
        return OK;
    ap_log_error(APLOG_MARK, APLOG_EMERG, 0, first,
                 "IDV0050: the service cannot start: %s",
                 idv_error_cause(error));
    return HTTP_INTERNAL_SERVER_ERROR;
}

/* --- child --- */

static idv_error_t *ready_child(server_rec *servers, apr_pool_t *pchild)
{
    const idv_db_source_t *source = NULL;
    idv_key_cache_t *cache = NULL;

    for (server_rec *server = servers; server; server = server->next) {
        idv_configuration_t *configuration = idv_configuration_of(server);

        if (!idv_configuration_in_service(server) || configuration->key_cache)
            continue;
        if (!source) {
            source = configuration->services.database;
            IDV_TRY(idv_database_child_init(source, pchild));
            IDV_TRY(idv_key_cache_create(&cache, pchild));
        }
        configuration->key_cache = cache;
        IDV_TRY(idv_session_create_cache_create(
            &configuration->services.session_create_cache, pchild));
    }
    return rate_counter->child_init(rate_counter, pchild);
}

void idv_service_child_init(apr_pool_t *pchild, server_rec *servers)
{
    idv_error_t *error = ready_child(servers, pchild);

    if (error) {
        ap_log_error(APLOG_MARK, APLOG_EMERG, 0, servers,
                     "IDV0051: a child cannot start: %s",
                     idv_error_cause(error));
        exit(APEXIT_CHILDFATAL);
    }
}

/* --- one request --- */

#define TARGET_PATH_MAX 1024 /* bytes; no route's path is nearly as long */

static int is_verify(const char *handler)
{
    return handler && strcmp(handler, "verify") == 0;
}

/* On every answer to such a creation, also when it is refused before a handler
 * sees it or its key is good no more: what the token looks like decides. */
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

int idv_service_post_read_request(request_rec *r)
{
    if (!idv_configuration_in_service(r->server))
        return DECLINED;
    idv_request_state(r);
    note_deprecation(r);
    idv_cross_origin_note(r, &idv_configuration_of(r->server)->settings);
    return DECLINED;
}

int idv_service_translate_name(request_rec *r)
{
    const core_dir_config *core = ap_get_core_module_config(r->per_dir_config);
    const char *fault = NULL;

    /* httpd forgets the <Location> between this hook and the next. */
    if (!r->main && !r->prev && core && core->expr_handler
        && idv_configuration_in_service(r->server)
        && is_verify(ap_expr_str_exec(r, core->expr_handler, &fault))) {
        idv_request_state(r)->is_verify = 1;
        /* httpd would look for a file of that name, and log it whole. */
        if (strlen(r->uri) > TARGET_PATH_MAX)
            return HTTP_REQUEST_URI_TOO_LARGE;
    }
    return DECLINED;
}

int idv_service_map_to_storage(request_rec *r)
{
    /* No file stands behind these paths: spare the walk through directories,
     * and answer TRACE ourselves. */
    return idv_configuration_in_service(r->server)
                && idv_request_state(r)->is_verify && !r->main && !r->prev
             ? OK
             : DECLINED;
}

static void rate_headers(idv_request_t *request, apr_int64_t limit,
                         apr_int64_t count, idv_time_t end)
{
    apr_pool_t *pool = request->pool;

    idv_respond_header(request, "X-RateLimit-Limit",
                       apr_psprintf(pool, "%" APR_INT64_T_FMT, limit));
    idv_respond_header(request, "X-RateLimit-Remaining",
                       apr_psprintf(pool, "%" APR_INT64_T_FMT,
                                    count < limit ? limit - count : 0));
    idv_respond_header(
        request, "X-RateLimit-Reset",
        apr_psprintf(pool, "%" APR_INT64_T_FMT, idv_time_seconds(end)));
}

static void forget_rate_headers(idv_request_t *request)
{
    static const char *const names[] = {
        "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        apr_table_unset(request->r->err_headers_out, names[i]);
}

static idv_error_t *count_key(idv_request_t *request)
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
    rate_headers(request, limit, count, end);
    if (count <= limit)
        return NULL;
    idv_count(rate_limited);
    error = idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, request->pool);
    error->retry_after =
        (int)((end - request->now + IDV_SECOND - 1) / IDV_SECOND);
    return error;
}

static void take_key(idv_request_t *request)
{
    const idv_request_state_t *state = idv_request_state(request->r);

    request->key = state->key;
    request->guard = state->guard;
}

static idv_error_t *check_key(idv_request_t *request)
{
    IDV_TRY(idv_authenticate_key(request->r, request->services->database));
    take_key(request);
    IDV_TRY(count_key(request));
    if (request->route->credential == IDV_CREDENTIAL_SECRET
        && request->key->type != IDV_KEY_SECRET)
        return idv_error_new(IDV_E_PUBLISHABLE_KEY_SCOPE, request->pool);
    return NULL;
}

static idv_error_t *take_client_secret(idv_request_t *request)
{
    request->client_secret = idv_bearer_token(request->r);
    return request->client_secret
        ? NULL : idv_error_new(IDV_E_CLIENT_SECRET_INVALID, request->pool);
}

static idv_error_t *check_credential(idv_request_t *request)
{
    switch (request->route->credential) {
    case IDV_CREDENTIAL_NONE:
        return NULL;
    case IDV_CREDENTIAL_CLIENT_SECRET:
        return take_client_secret(request);
    case IDV_CREDENTIAL_UPLOAD_CLIENT_SECRET:
        IDV_TRY(take_client_secret(request));
        return idv_upload_admit(request);
    default:
        return check_key(request);
    }
}

static idv_error_t *find_route(idv_request_t *request)
{
    idv_route_match_t match;
    idv_error_t *error = idv_route_find(request->r->method, request->r->uri,
                                        &match, request->pool);

    request->route = match.route;
    memcpy(request->path_parameters, match.parameters,
           sizeof(match.parameters));
    if (error && match.allow)
        idv_respond_header(request, "Allow", match.allow);
    return error;
}

static idv_error_t *run_handler(idv_request_t *request)
{
    request->has_run = 1;
    IDV_TRY(request->route->handler(request));
    return request->response.status
             ? NULL
             : idv_error_internal(request->pool, "a handler did not answer");
}

static idv_error_t *answer(idv_request_t *request, int *answered)
{
    idv_error_t *error = find_route(request);

    if (error && error->code == IDV_E_METHOD_NOT_ALLOWED
        && request->r->method_number == M_OPTIONS)
        return idv_respond_text(request, HTTP_NO_CONTENT, "");
    if (!error)
        error = check_credential(request);
    if (error) {
        /* A body that nobody reads could be taken for the next request, or be
         * longer than is worth reading away. */
        if (ap_request_has_body(request->r))
            idv_body_abandon(request->r);
        return error;
    }
    error = idv_body_read(request, answered);
    if (!error && *answered == OK)
        error = run_handler(request);
    return error && error->code == IDV_E_PARAMETER_INVALID
             ? idv_idempotency_refusal(request, error)
             : error;
}

/* Says nothing before the key is known to be valid. A handler that worked with
 * another key than there is has written nothing, so it can run again. */
static idv_error_t *process(idv_request_t *request, int *answered)
{
    idv_error_t *error = answer(request, answered), *refusal;
    int changed;

    if (!request->guard || request->guard->passed || *answered != OK)
        return error;
    refusal = idv_authenticate_confirm(request->r, request->services->database,
                                       &changed);
    if (refusal) {
        forget_rate_headers(request);
        return refusal;
    }
    take_key(request);
    return changed && request->has_run ? run_handler(request) : error;
}

int idv_service_handler(request_rec *r)
{
    idv_request_t request = {.r = r, .pool = r->pool};
    const idv_request_state_t *state;
    idv_error_t *error;
    int answered = OK;

    if (!is_verify(r->handler))
        return DECLINED;
    if (!idv_configuration_in_service(r->server)) {
        ap_log_rerror(APLOG_MARK, APLOG_ERR, 0, r,
                      "IDV0052: SetHandler verify without VerifyDatabase");
        return HTTP_INTERNAL_SERVER_ERROR;
    }
    state = idv_request_state(r);
    request.id = state->id;
    request.now = state->now;
    request.services = &idv_configuration_of(r->server)->services;
    idv_respond_header(&request, "X-Request-Id", request.id);
    error = process(&request, &answered);
    if (answered != OK)
        return answered;
    if (error) {
        idv_request_log_error(r, error);
        idv_respond_error(&request, error);
    }
    idv_count_request(request.route, request.response.status,
                      apr_time_now() - r->request_time);
    return idv_response_send(&request);
}
