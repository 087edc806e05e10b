/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/start/service.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <strings.h>

#include <ap_mpm.h>
#include <apr_hash.h>
#include <apr_uri.h>
#include <http_config.h>
#include <http_core.h>
#include <http_log.h>

#include "core/ip_address.h"
#include "httpd/access/operator_access.h"
#include "httpd/access/rate_limit.h"
#include "httpd/configuration/configuration.h"
#include "httpd/connection/connections.h"
#include "httpd/connection/reception.h"
#include "httpd/gate/gate_configuration.h"
#include "httpd/gate/gate_page.h"
#include "httpd/process/child_process.h"
#include "httpd/process/counters.h"
#include "httpd/process/database.h"
#include "httpd/request/geo.h"
#include "httpd/start/site_check.h"
#include "out/address_guard.h"
#include "out/mail_message.h"
#include "worker/process/retained.h"
#include "worker/process/span_channel.h"

/* How long a read waits for another thread to send it. */
#define READ_PATIENCE apr_time_from_msec(5)

APLOG_USE_MODULE(verify);

/* Set in the parent, before any child exists. */
static idv_watchdog_t *watchdog;

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

/* Milliseconds that a request waits beyond the time limit of the provider. */
#define CAPTCHA_SLACK 500
/* Seconds until a retry is worthwhile. */
#define CAPTCHA_RETRY 5

static void look_at_processes(const idv_services_t *services,
                              idv_processes_t *processes)
{
    (void)services;
    processes->parent_is_gone = idv_parent_process_is_gone();
    processes->watchdog = watchdog ? idv_watchdog_statistics(watchdog) : NULL;
}

static idv_error_t *check_captcha(const idv_request_t *request,
                                  const char *token)
{
    const idv_services_t *services = request->services;
    const idv_configuration_t *configuration = services->baton;
    idv_error_t *error;

    if (!configuration->captcha_secret) {
        error = idv_error_new(IDV_E_PUBLISHABLE_SESSION_CREATE_BLOCKED,
                              request->pool);
        error->message = "This service does not check captchas. Create the "
                         "session on your server with a secret key.";
        return error;
    }
    switch (idv_captcha_ask(
        idv_watchdog_captcha_channel(watchdog), token, request->r->useragent_ip,
        services->settings->captcha_timeout + CAPTCHA_SLACK, request->pool)) {
    case IDV_CAPTCHA_PASSED:
        return NULL;
    case IDV_CAPTCHA_REFUSED:
        return idv_error_param(request->pool, "captcha_token",
                               "was not accepted. Solve another captcha.");
    default:
        return idv_error_unavailable(request->pool, CAPTCHA_RETRY,
                                     "a captcha could not be checked");
    }
}

/* Bodies and images in progress, of all servers and children. */
static idv_admission_t admission;

const idv_admission_t *idv_service_admission(void)
{
    return admission.table ? &admission : NULL;
}

static int mpm_number(int query)
{
    int number;

    return ap_mpm_query(query, &number) == APR_SUCCESS && number > 0 ? number
                                                                     : 1;
}

static idv_error_t *prepare_admission(const idv_settings_t *settings,
                                      apr_pool_t *pconf)
{
    const idv_admission_workers_t workers = {
        .children = mpm_number(AP_MPMQ_MAX_DAEMONS),
        .threads = mpm_number(AP_MPMQ_MAX_THREADS),
        .can_wait = idv_reception_can_wait(),
    };
    void *memory;

    IDV_TRY(idv_retained_memory("places", IDV_PLACE_TABLE_VERSION,
                                sizeof(idv_place_table_t), &memory, pconf));
    admission.table = memory;
    idv_admission_limit(&admission, settings, &workers);
    return idv_place_table_prepare(admission.table, pconf);
}

static const apr_array_header_t *ranges_of(const apr_array_header_t *networks,
                                           apr_pool_t *pool)
{
    apr_array_header_t *ranges =
        apr_array_make(pool, networks->nelts, sizeof(idv_address_range_t));

    for (int i = 0; i < networks->nelts; i++) {
        /* Parsed successfully when the directive was read. */
        if (idv_address_range_parse(APR_ARRAY_IDX(networks, i, const char *),
                                    apr_array_push(ranges), pool))
            apr_array_pop(ranges);
    }
    return ranges;
}

static void fill_services(server_rec *server, const idv_db_source_t *database,
                          apr_pool_t *pconf)
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
    services->admission = &admission;
    services->webhook_allow =
        ranges_of(configuration->settings.webhook_allow, pconf);
    services->look_up_address = idv_geo_look_up;
    services->locate = idv_geo_locate;
    services->wake = wake;
    services->look_at_processes = look_at_processes;
    services->check_captcha = check_captcha;
    services->count_visitor = idv_rate_limit_visitor;
    services->visitor_page = idv_gate_page_text;
    services->operator_grants = idv_operator_grants;
    services->baton = configuration;
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

/* Time limit for sending an e-mail, from looking up the mail server to its last
 * response. */
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

static int has_target(const apr_array_header_t *targets, const idv_gate_t *gate)
{
    for (int i = 0; i < targets->nelts; i++) {
        const idv_gate_target_t *target =
            &APR_ARRAY_IDX(targets, i, idv_gate_target_t);

        if (strcmp(target->name, gate->name) == 0
            && strcmp(target->organization_id, gate->organization_id) == 0
            && strcmp(target->workflow_id, gate->workflow_id) == 0)
            return 1;
    }
    return 0;
}

/* The gates of all servers from FIRST on, each once, since virtual hosts
 * inherit those of the main server. */
static const apr_array_header_t *gates_of(const server_rec *first,
                                          apr_pool_t *pool)
{
    apr_array_header_t *targets =
        apr_array_make(pool, 1, sizeof(idv_gate_target_t));

    for (const server_rec *server = first; server; server = server->next) {
        const apr_array_header_t *gates =
            idv_configuration_of(server)->settings.gates;

        for (int i = 0; i < gates->nelts; i++) {
            const idv_gate_t *gate =
                APR_ARRAY_IDX(gates, i, const idv_gate_t *);

            if (!has_target(targets, gate))
                APR_ARRAY_PUSH(targets, idv_gate_target_t) =
                    (idv_gate_target_t){gate->name, gate->organization_id,
                                        gate->workflow_id};
        }
    }
    return targets;
}

static idv_error_t *start_watchdog(server_rec *server, apr_pool_t *pconf)
{
    const idv_configuration_t *configuration = idv_configuration_of(server);
    const idv_settings_t *settings = &configuration->settings;
    idv_watchdog_config_t config = {0};

    config.conninfo = settings->database;
    config.keys = configuration->keyring;
    config.webhook_allow = configuration->services.webhook_allow;
    config.webhook_ca_file = settings->webhook_ca_file;
    config.webhook_in_flight = (int)settings->webhook_in_flight;
    config.webhook_endpoint_in_flight =
        (int)settings->webhook_endpoint_in_flight;
    config.reload_grace = settings->reload_grace * IDV_SECOND;
    config.captcha = captcha_of(configuration, pconf);
    config.liveness_provider = configuration->liveness_provider;
    IDV_TRY(mail_of(configuration, &config.mail, pconf));
    config.trace_collector = settings->trace_collector;
    config.analyze_program = settings->analyzer;
    config.analyze_models = settings->models;
    config.accept_test_issuers = settings->test_issuers;
    config.risk_policy = &configuration->risk->policy;
    config.compliance = configuration->compliance;
    config.gates = gates_of(server, pconf);
    config.sighting_retention = settings->document_sightings * IDV_DAY;
    config.risk_retention = settings->risk_retention * IDV_DAY;
    config.session_retention = settings->session_retention * IDV_DAY;
    config.credential_retention = settings->credential_retention * IDV_DAY;
    config.event_retention = settings->event_retention * IDV_DAY;
    config.recovery_retention = settings->recovery_retention * IDV_DAY;
    config.idempotency_retention = settings->idempotency_retention * IDV_HOUR;
    return idv_watchdog_start(&config, server, &watchdog, pconf);
}

/* Whether HOST, a name or an address, is this machine. */
static int is_loopback(const char *host)
{
    struct sockaddr_storage address;

    if (strcasecmp(host, "localhost") == 0)
        return 1;
    if (!idv_address_parse(host, &address))
        return 0;
    if (address.ss_family == AF_INET)
        return ntohl(((struct sockaddr_in *)&address)->sin_addr.s_addr) >> 24
            == IN_LOOPBACKNET;
    return IN6_IS_ADDR_LOOPBACK(&((struct sockaddr_in6 *)&address)->sin6_addr);
}

/* Without TLS, browsers do not give the page a camera, and anyone on the
 * network path can read its secrets. */
static void warn_of_plain_address(server_rec *server, const apr_uri_t *uri)
{
    if (uri->scheme && strcasecmp(uri->scheme, "http") == 0 && uri->hostname
        && !is_loopback(uri->hostname))
        ap_log_error(APLOG_MARK, APLOG_WARNING, 0, server,
                     "IDV0930: VerifyPublicURL is %s, without TLS: browsers "
                     "do not let such a page use the camera, and others on "
                     "the network can read what people send",
                     idv_configuration_of(server)->settings.public_url);
}

static void warn_of_address(server_rec *server, apr_pool_t *scratch)
{
    const idv_settings_t *settings = &idv_configuration_of(server)->settings;
    apr_uri_t uri;

    if (apr_uri_parse(scratch, settings->public_url, &uri) != APR_SUCCESS)
        return;
    warn_of_plain_address(server, &uri);
    if (strcmp(uri.hostname, "localhost") == 0)
        ap_log_error(APLOG_MARK, APLOG_WARNING, 0, server,
                     "IDV0765: VerifyPublicURL is %s, which leads people to "
                     "their own machines. Write Define VERIFY_PUBLIC_URL "
                     "before verify.conf", settings->public_url);
}

/* Warns of settings that are only for trials, at configtest and each start.
 * Warns once for a setting of the whole process, and once for each address. */
static void warn_of_trials(server_rec *first, apr_pool_t *scratch)
{
    apr_hash_t *known = apr_hash_make(scratch);

    if (idv_configuration_of(first)->settings.test_issuers)
        ap_log_error(APLOG_MARK, APLOG_WARNING, 0, first,
                     "IDV0174: VerifyTestIssuers is on: documents of test "
                     "issuers are accepted, also in live organizations");
    for (server_rec *server = first; server; server = server->next) {
        const char *url = idv_configuration_of(server)->settings.public_url;

        if (!idv_configuration_in_service(server)
            || apr_hash_get(known, url, APR_HASH_KEY_STRING))
            continue;
        apr_hash_set(known, url, APR_HASH_KEY_STRING, url);
        warn_of_address(server, scratch);
    }
}

/* Warns about directives of the site that harm the service. */
static void warn_of_site(server_rec *servers, apr_pool_t *scratch)
{
    idv_site_check(servers, scratch);
    /* These settings matter only if connections can wait without a thread. */
    if (idv_reception_can_wait())
        idv_connections_check(servers, scratch);
}

static idv_error_t *prepare(server_rec *first, apr_pool_t *pconf,
                            apr_pool_t *ptemp)
{
    warn_of_trials(first, ptemp);
    idv_parent_process_note();
    IDV_TRY(idv_counters_init(pconf));
    IDV_TRY(prepare_admission(&idv_configuration_of(first)->settings, pconf));
    IDV_TRY(idv_rate_limit_post_config(&idv_configuration_of(first)->settings,
                                       pconf));
    return start_watchdog(first, pconf);
}

void idv_service_test_config(apr_pool_t *pconf, server_rec *servers)
{
    server_rec *first = servers;
    apr_pool_t *scratch;

    while (first && !idv_configuration_in_service(first))
        first = first->next;
    if (!first)
        return;
    apr_pool_create(&scratch, pconf);
    warn_of_trials(first, scratch);
    warn_of_site(servers, scratch);
    apr_pool_destroy(scratch);
}

int idv_service_post_config(apr_pool_t *pconf, apr_pool_t *plog,
                            apr_pool_t *ptemp, server_rec *servers)
{
    server_rec *first = NULL;
    const idv_db_source_t *database = NULL;
    idv_error_t *error = NULL;

    (void)plog;
    if (ap_state_query(AP_SQ_MAIN_STATE) == AP_SQ_MS_CREATE_PRE_CONFIG)
        return OK;
    for (server_rec *server = servers; server; server = server->next) {
        if (!idv_configuration_in_service(server))
            continue;
        if (!first) {
            first = server;
            error = idv_database_source(
                server, &idv_configuration_of(server)->settings,
                idv_configuration_of(server)->keyring, &database, pconf);
        }
        fill_services(server, database, pconf);
    }
    ap_add_version_component(pconf, "mod_verify/" VERIFY_VERSION);
    warn_of_site(servers, ptemp);
    if (first && !error)
        error = prepare(first, pconf, ptemp);
    if (!error)
        return OK;
    ap_log_error(APLOG_MARK, APLOG_EMERG, 0, first,
                 "IDV0050: the service cannot start: %s",
                 idv_error_cause(error));
    return HTTP_INTERNAL_SERVER_ERROR;
}

/* --- child --- */

static void send_span(void *baton, const idv_span_t *span)
{
    if (idv_span_channel_write(idv_watchdog_span_channel(watchdog), span))
        idv_statistics_count(idv_watchdog_statistics(baton), spans_dropped);
}

static idv_error_t *ready_child(server_rec *servers, apr_pool_t *pchild)
{
    const idv_db_source_t *source = NULL;
    idv_key_cache_t *cache = NULL;
    idv_statement_group_t *commits = NULL, *reads = NULL;

    if (idv_watchdog_span_channel(watchdog) >= 0)
        idv_trace_set_sink(send_span, watchdog);
    for (server_rec *server = servers; server; server = server->next) {
        idv_configuration_t *configuration = idv_configuration_of(server);

        if (!idv_configuration_in_service(server) || configuration->key_cache)
            continue;
        if (!source) {
            source = configuration->services.database;
            IDV_TRY(idv_database_child_init(source, pchild));
            IDV_TRY(idv_key_cache_create(&cache, pchild));
            IDV_TRY(idv_statement_group_create(source, 0, &commits, pchild));
            IDV_TRY(idv_statement_group_create(source, READ_PATIENCE, &reads,
                                               pchild));
            IDV_TRY(idv_connections_child_init(&configuration->settings,
                                               pchild));
        }
        configuration->key_cache = cache;
        configuration->services.commit_group = commits;
        configuration->services.read_group = reads;
        IDV_TRY(idv_session_create_cache_create(
            &configuration->services.session_create_cache, pchild));
    }
    IDV_TRY(idv_reception_child_init(pchild));
    if (source)
        IDV_TRY(idv_parent_process_child_init(pchild));
    return idv_rate_limit_child_init(pchild);
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
