/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/start/configuration_check.h"

#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_strings.h>
#include <http_log.h>
#include <openssl/err.h>
#include <openssl/x509_vfy.h>

#include "core/keyring.h"
#include "domain/law/compliance_directory.h"
#include "domain/method/analysis_models.h"
#include "domain/method/analysis_protocol.h"
#include "httpd/configuration/configuration.h"
#include "httpd/gate/gate_configuration.h"
#include "httpd/process/database.h"
#include "httpd/start/site_check.h"
#include "out/mail_client.h"
#include "worker/method/liveness_provider.h"

APLOG_USE_MODULE(verify);

/* The server being checked. */
typedef struct {
    apr_pool_t *pconf;
    apr_pool_t *temporary;
    server_rec *server;
    idv_configuration_t *configuration;
    const idv_configuration_t *first; /* checked before; NULL: none */
} checking_t;

/* Logs FAULT of the directive NAME with the location of the directive: in the
 * checked server, else in OTHER. */
static int complain_of(const checking_t *checking, int index, const char *name,
                       const idv_configuration_t *other, const char *fault)
{
    const ap_directive_t *origin = checking->configuration->origins[index];

    if (!origin)
        origin = other->origins[index];
    if (origin)
        ap_log_error(APLOG_MARK, APLOG_EMERG, 0, checking->server,
                     "IDV0001: %s (%s:%d): %s", name, origin->filename,
                     origin->line_num, fault);
    else
        ap_log_error(APLOG_MARK, APLOG_EMERG, 0, checking->server,
                     "IDV0002: %s (not set): %s", name, fault);
    return HTTP_INTERNAL_SERVER_ERROR;
}

static int complain(const checking_t *checking, int index, const char *name,
                    const char *fault)
{
    return complain_of(checking, index, name, checking->configuration, fault);
}

/* The fault of the file at PATH, or NULL. */
typedef const char *file_check_t(const char *path, apr_pool_t *pool);

/* A certificate file must be PEM that a TLS library accepts, and must not be
 * empty: with an empty file nothing would be trusted. */
static const char *check_authorities(const char *path, apr_pool_t *pool)
{
    X509_STORE *store = X509_STORE_new();
    int is_read = store && X509_STORE_load_file(store, path) == 1;

    (void)pool;
    X509_STORE_free(store);
    ERR_clear_error();
    return is_read ? NULL : "contains no certificate in PEM form";
}

/* The model directory must be complete: a reader that lacks a model cannot read
 * any document. */
static const char *check_models(const char *path, apr_pool_t *pool)
{
    struct stat status;
    const char *missing;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return "is not a directory";
    missing = idv_analysis_model_missing(path, pool);
    return missing ? apr_psprintf(pool,
                                  "contains no readable %s. Get the models "
                                  "with `make models` or the model packages",
                                  missing)
                   : NULL;
}

static const char *check_program(const char *path, apr_pool_t *pool)
{
    (void)pool;
    return access(path, X_OK) == 0 ? NULL : "cannot be executed";
}

static int check_files(const checking_t *checking)
{
    const idv_settings_t *settings = &checking->configuration->settings;
    const struct {
        int index;
        const char *name, *path;
        file_check_t *check;
    } files[] = {
        {IDV_AT_models, "VerifyModels", settings->models, check_models},
        {IDV_AT_analyzer, "VerifyAnalyzer", settings->analyzer, check_program},
        {IDV_AT_webhook_ca_file, "VerifyWebhookCAFile",
         settings->webhook_ca_file, check_authorities},
        {IDV_AT_captcha_ca_file, "VerifyCaptchaCAFile",
         settings->captcha_ca_file, check_authorities},
        {IDV_AT_smtp_ca_file, "VerifySMTPCAFile", settings->smtp_ca_file,
         check_authorities},
        {IDV_AT_liveness_ca_file, "VerifyLivenessProviderCAFile",
         settings->liveness_ca_file, check_authorities},
        {IDV_AT_rate_store_ca_file, "VerifyRateStoreCAFile",
         settings->rate_store_ca_file, check_authorities},
    };

    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        const char *path = files[i].path, *fault = NULL;

        if (path)
            fault = access(path, R_OK) == 0
                      ? files[i].check(path, checking->temporary)
                      : apr_psprintf(checking->temporary, "cannot be read: %s",
                                     strerror(errno));
        if (fault)
            return complain(
                checking, files[i].index, files[i].name,
                apr_psprintf(checking->temporary, "%s %s", path, fault));
    }
    return OK;
}

static apr_status_t close_geo_database(void *database)
{
    MMDB_close(database);
    return APR_SUCCESS;
}

/* Opens a MaxMind database. If PATH is NULL, there is none. */
static int open_address_database(const checking_t *checking, int index,
                                 const char *name, const char *path,
                                 MMDB_s **out)
{
    MMDB_s *database;
    int status;

    if (!path)
        return OK;
    database = apr_pcalloc(checking->pconf, sizeof(*database));
    status = MMDB_open(path, MMDB_MODE_MMAP, database);
    if (status != MMDB_SUCCESS)
        return complain(checking, index, name,
                        apr_psprintf(checking->temporary, "%s: %s", path,
                                     MMDB_strerror(status)));
    apr_pool_cleanup_register(checking->pconf, database, close_geo_database,
                              apr_pool_cleanup_null);
    *out = database;
    return OK;
}

static int open_address_databases(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    const idv_settings_t *settings = &configuration->settings;
    int result = open_address_database(
        checking, IDV_AT_geo_database, "VerifyGeoDatabase",
        settings->geo_database, &configuration->geo_database);

    if (result != OK)
        return result;
    return open_address_database(
        checking, IDV_AT_risk_anonymizers, "VerifyRiskAnonymizers",
        settings->risk_anonymizers, &configuration->anonymizers);
}

/* --- what is read from files --- */

/* A site may have many virtual hosts, and what is read takes 8 MB: a server that
 * names the same files as the first one shares it. */

static int same_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static const idv_risk_data_t *find_risk_data(const checking_t *checking)
{
    const idv_settings_t *own = &checking->configuration->settings;
    const idv_settings_t *first =
        checking->first ? &checking->first->settings : NULL;

    return first && same_texts(own->risk_policy, first->risk_policy)
                && same_texts(own->risk_disposable_domains,
                              first->risk_disposable_domains)
                && same_texts(own->risk_free_domains, first->risk_free_domains)
             ? checking->first->risk
             : NULL;
}

typedef struct {
    int index;
    const char *name, *path;
    const idv_email_domains_t **domains;
} domain_list_t;

/* Reading a list takes ten times as much memory as the list itself. The
 * temporary pool lives until the watchdog is forked, which would keep that
 * memory permanently, so reading uses a pool of its own. */
static int load_domains(const checking_t *checking, const domain_list_t *list)
{
    apr_pool_t *scratch;
    idv_error_t *error;
    int result = OK;

    if (!list->path)
        return OK;
    apr_pool_create(&scratch, checking->temporary);
    error = idv_email_domains_read(list->path, list->domains, checking->pconf,
                                   scratch);
    if (error)
        result =
            complain(checking, list->index, list->name, idv_error_cause(error));
    apr_pool_destroy(scratch);
    return result;
}

static int load_risk_data(const checking_t *checking)
{
    const idv_settings_t *settings = &checking->configuration->settings;
    idv_risk_data_t *data = apr_pcalloc(checking->pconf, sizeof(*data));
    const domain_list_t lists[] = {
        {IDV_AT_risk_disposable_domains, "VerifyRiskDisposableDomains",
         settings->risk_disposable_domains, &data->disposable_domains},
        {IDV_AT_risk_free_domains, "VerifyRiskFreeDomains",
         settings->risk_free_domains, &data->free_domains},
    };
    idv_error_t *error = NULL;

    checking->configuration->risk = find_risk_data(checking);
    if (checking->configuration->risk)
        return OK;
    data->policy = *idv_risk_policy_default();
    if (settings->risk_policy)
        error = idv_risk_policy_read(settings->risk_policy, &data->policy,
                                     checking->temporary);
    if (error)
        return complain(checking, IDV_AT_risk_policy, "VerifyRiskPolicy",
                        idv_error_cause(error));
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        int result = load_domains(checking, &lists[i]);

        if (result != OK)
            return result;
    }
    checking->configuration->risk = data;
    return OK;
}

static const idv_compliance_rules_t *find_rules(const checking_t *checking)
{
    const idv_settings_t *own = &checking->configuration->settings;
    const idv_settings_t *first =
        checking->first ? &checking->first->settings : NULL;

    return first && same_texts(own->compliance_rules, first->compliance_rules)
                && same_texts(own->compliance_overlay,
                              first->compliance_overlay)
                && same_texts(own->compliance_unknown,
                              first->compliance_unknown)
             ? checking->first->compliance
             : NULL;
}

/* Logs each fault on its own line, so that all can be fixed in one go. */
static int load_compliance_rules(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    const char *directory = configuration->settings.compliance_rules;
    idv_compliance_rules_t *rules;
    apr_array_header_t *faults;
    idv_error_t *error;
    int result = OK;

    configuration->compliance = find_rules(checking);
    if (!directory || configuration->compliance)
        return OK;
    error = idv_compliance_overlaid_read(
        directory, configuration->settings.compliance_overlay, &rules, &faults,
        checking->pconf);
    if (error)
        return complain(checking, IDV_AT_compliance_rules,
                        "VerifyComplianceRules", idv_error_cause(error));
    for (int i = 0; i < faults->nelts; i++) {
        const idv_compliance_fault_t *fault =
            &APR_ARRAY_IDX(faults, i, idv_compliance_fault_t);

        result = complain(
            checking, IDV_AT_compliance_rules, "VerifyComplianceRules",
            apr_psprintf(checking->temporary, "%s/%s: %s: %s", directory,
                         fault->file, *fault->pointer ? fault->pointer : "/",
                         fault->message));
    }
    if (rules && configuration->settings.compliance_unknown)
        idv_compliance_rules_set_unknown(
            rules, (idv_unknown_action_t)idv_unknown_action_parse(
                       configuration->settings.compliance_unknown));
    configuration->compliance = rules;
    return result;
}

static int load_keyring(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    idv_error_t *error;

    if (!configuration->settings.master_key_file)
        return complain(checking, IDV_AT_database, "VerifyDatabase",
                        "a server in service needs VerifyMasterKeyFile");
    error = idv_keyring_load(configuration->settings.master_key_file,
                             &configuration->keyring, checking->pconf);
    return error ? complain(checking, IDV_AT_master_key_file,
                            "VerifyMasterKeyFile", idv_error_cause(error))
                 : OK;
}

static int read_secret(const checking_t *checking, int index, const char *name,
                       const char *path, const char **secret)
{
    idv_error_t *error = idv_secret_file_read(path, secret, checking->pconf);

    return error ? complain(checking, index, name, idv_error_cause(error)) : OK;
}

/* Checks the secret file of a feature that is switched off, so that its faults
 * are reported now and not on the day when the feature is needed. */
static int check_idle_secret(const checking_t *checking, int index,
                             const char *name, const char *path)
{
    const char *unused;

    return path ? read_secret(checking, index, name, path, &unused) : OK;
}

static int load_captcha_secret(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    const idv_settings_t *settings = &configuration->settings;

    if (!settings->captcha)
        return check_idle_secret(checking, IDV_AT_captcha_secret_file,
                                 "VerifyCaptchaSecretFile",
                                 settings->captcha_secret_file);
    if (!settings->captcha_secret_file)
        return complain(checking, IDV_AT_captcha, "VerifyCaptcha",
                        "needs VerifyCaptchaSecretFile");
    return read_secret(checking, IDV_AT_captcha_secret_file,
                       "VerifyCaptchaSecretFile", settings->captcha_secret_file,
                       &configuration->captcha_secret);
}

static int check_mail(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    const idv_settings_t *settings = &configuration->settings;
    const char *fault = NULL;

    if (!settings->smtp)
        return check_idle_secret(checking, IDV_AT_smtp_password_file,
                                 "VerifySMTPPasswordFile",
                                 settings->smtp_password_file);
    if (!settings->smtp_from)
        fault = "needs VerifySMTPFrom";
    else if (!settings->public_url)
        fault = "needs VerifyPublicURL for the links in e-mails";
    else if (!settings->smtp_user != !settings->smtp_password_file)
        fault = "set both VerifySMTPUser and VerifySMTPPasswordFile, or "
                "neither";
    else if (settings->smtp_user && strcmp(settings->smtp_tls, "required") != 0
             && strncmp(settings->smtp, "smtps:", 6) != 0)
        fault = "passwords are only sent encrypted. Set VerifySMTPTLS required";
    if (fault)
        return complain(checking, IDV_AT_smtp, "VerifySMTP", fault);
    if (!settings->smtp_user)
        return OK;
    return read_secret(checking, IDV_AT_smtp_password_file,
                       "VerifySMTPPasswordFile", settings->smtp_password_file,
                       &configuration->smtp_password);
}

/* The parent reads the files because the watchdog could not read the key. */
static int load_liveness_provider(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    const idv_settings_t *settings = &configuration->settings;
    const idv_liveness_provider_files_t files = {
        settings->liveness_certificate, settings->liveness_key_file,
        settings->liveness_signer};
    idv_liveness_provider_config_t *provider;
    idv_error_t *error;

    if (!settings->liveness_provider)
        return check_idle_secret(checking, IDV_AT_liveness_key_file,
                                 "VerifyLivenessProviderKeyFile",
                                 settings->liveness_key_file);
    if (!settings->liveness_provider_name || !files.certificate || !files.key
        || !files.signer)
        return complain(checking, IDV_AT_liveness_provider,
                        "VerifyLivenessProvider",
                        "needs VerifyLivenessProviderName, ...Signer, "
                        "...Certificate and ...KeyFile");
    provider = apr_pcalloc(checking->pconf, sizeof(*provider));
    provider->url = settings->liveness_provider;
    provider->name = settings->liveness_provider_name;
    provider->ca_file = settings->liveness_ca_file;
    provider->timeout = settings->liveness_timeout;
    error = idv_liveness_provider_load(&files, provider, checking->pconf);
    if (error)
        return complain(checking, IDV_AT_liveness_provider,
                        "VerifyLivenessProvider", idv_error_cause(error));
    configuration->liveness_provider = provider;
    return OK;
}

/* Reads the password only to report faults of its file; rate_limit.c reads it
 * again. */
static int check_rate_store(const checking_t *checking)
{
    return check_idle_secret(
        checking, IDV_AT_rate_store_password_file,
        "VerifyRateStorePasswordFile",
        checking->configuration->settings.rate_store_password_file);
}

/* Minimum of days before sessions are permanently removed, so that a typing
 * error does not remove them all. Data with a retention of its own is removed
 * earlier (t/store/removal.t). */
#define RETENTION_LEAST 30

static int check_retention(const checking_t *checking)
{
    const idv_settings_t *settings = &checking->configuration->settings;
    const struct {
        int index;
        const char *name;
        int days;
    } retentions[] = {
        {IDV_AT_session_retention, "VerifySessionRetention",
         settings->session_retention},
        {IDV_AT_credential_retention, "VerifyCredentialRetention",
         settings->credential_retention},
    };

    for (size_t i = 0; i < sizeof(retentions) / sizeof(*retentions); i++) {
        if (retentions[i].days && retentions[i].days < RETENTION_LEAST)
            return complain(checking, retentions[i].index, retentions[i].name,
                            apr_psprintf(checking->temporary,
                                         "must be 0 (no limit) or at least %d "
                                         "days", RETENTION_LEAST));
    }
    return OK;
}

/* Refuses a limit that contradicts another one, which may be a default. */
static int check_order(const checking_t *checking)
{
    const idv_configuration_t *configuration = checking->configuration;
    const idv_settings_t *settings = &configuration->settings;
    int daily_is_set = configuration->origins[IDV_AT_trust_reuse_daily] != NULL;

    if (settings->database_share > settings->database_connections)
        return complain(checking, IDV_AT_database_share, "VerifyDatabaseShare",
                        apr_psprintf(checking->temporary,
                                     "is more than VerifyDatabaseConnections, "
                                     "%d", (int)settings->database_connections));
    if (settings->trust_reuse_daily >= settings->trust_reuse_hourly)
        return OK;
    return complain(checking,
                    daily_is_set ? IDV_AT_trust_reuse_daily
                                 : IDV_AT_trust_reuse_hourly,
                    daily_is_set ? "VerifyTrustReuseDaily"
                                 : "VerifyTrustReuseHourly",
                    "the limit per day (VerifyTrustReuseDaily) is lower than "
                    "the limit per hour (VerifyTrustReuseHourly)");
}

static int check_public_url(const checking_t *checking)
{
    if (checking->configuration->settings.public_url)
        return OK;
    return complain(checking, IDV_AT_public_url, "VerifyPublicURL",
                    "required, because people are sent to this address. Set "
                    "VerifyPublicURL, or write Define VERIFY_PUBLIC_URL "
                    "https://... before verify.conf");
}

/* The syntax was checked when the directive was read. */
static int compile_operator_name(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    const char *text = configuration->settings.operator_name, *fault;
    ap_expr_info_t *name;

    if (!text)
        return OK;
    name = apr_pcalloc(checking->pconf, sizeof(*name));
    name->flags = AP_EXPR_FLAG_STRING_RESULT;
    name->module_index = APLOG_MODULE_INDEX;
    fault = ap_expr_parse(checking->pconf, checking->temporary, name, text,
                          NULL);
    configuration->operator_name = name;
    return fault ? complain(checking, IDV_AT_operator_name,
                            "VerifyOperatorName", fault)
                 : OK;
}

static int check_server(const checking_t *checking)
{
    static int (*const checks[])(const checking_t *) = {
        load_keyring,        check_public_url,       check_order,
        check_retention,
        check_files,         load_captcha_secret,    check_mail,
        check_rate_store,    open_address_databases, load_risk_data,
        load_compliance_rules, compile_operator_name,
        load_liveness_provider,
    };
    int result = OK;

    for (size_t i = 0; i < sizeof(checks) / sizeof(*checks) && result == OK;
         i++)
        result = checks[i](checking);
    return result;
}

static int check_driver(const checking_t *checking)
{
    const char *fault = idv_database_driver_fault(checking->pconf);

    return fault ? complain(checking, IDV_AT_database, "VerifyDatabase", fault)
                 : OK;
}

static int same_lists(const apr_array_header_t *a, const apr_array_header_t *b)
{
    int same = a->nelts == b->nelts;

    for (int i = 0; same && i < a->nelts; i++)
        same = same_texts(APR_ARRAY_IDX(a, i, const char *),
                          APR_ARRAY_IDX(b, i, const char *));
    return same;
}

/* Settings of the whole server process must be equal in all virtual hosts.
 * Otherwise those of the first one would silently apply to all. */
static int check_same(const checking_t *checking)
{
    const idv_settings_t *a = &checking->first->settings;
    const idv_settings_t *b = &checking->configuration->settings;
    const struct {
        int index;
        const char *name;
        int same;
    } settings[] = {
#define IDV_TEXT(directive, member, preset, check, help)                       \
    {IDV_AT_##member, #directive, same_texts(a->member, b->member)},
#define IDV_NUMBER(directive, member, preset, minimum, maximum, help)          \
    {IDV_AT_##member, #directive, a->member == b->member},
#define IDV_FLAG(directive, member, preset, help)                              \
    {IDV_AT_##member, #directive, a->member == b->member},
#define IDV_LIST(directive, member, check, help)                               \
    {IDV_AT_##member, #directive, same_lists(a->member, b->member)},
#define IDV_PROCESS_SETTINGS
#include "core/settings.def"
    };
    int result = OK;

    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
        if (!settings[i].same)
            result = complain_of(checking, settings[i].index, settings[i].name,
                                 checking->first,
                                 "applies to the whole server process, so all "
                                 "virtual hosts with the service must have the "
                                 "same value. Set it once, outside of virtual "
                                 "hosts");
    }
    return result;
}

/* Refuses `SetHandler verify` in a server without VerifyDatabase, which could
 * only answer with errors. */
static int check_out_of_service(server_rec *server, apr_pool_t *temporary)
{
    const ap_directive_t *handler = idv_site_handler(server, temporary);

    if (!handler)
        return OK;
    ap_log_error(APLOG_MARK, APLOG_EMERG, 0, server,
                 "IDV0766: SetHandler verify (%s:%d): needs VerifyDatabase in "
                 "the same server or outside of virtual hosts",
                 handler->filename, handler->line_num);
    return HTTP_INTERNAL_SERVER_ERROR;
}

int idv_configuration_check(apr_pool_t *pconf, apr_pool_t *plog,
                            apr_pool_t *temporary, server_rec *servers)
{
    const idv_configuration_t *first = NULL;

    (void)plog;
    for (server_rec *server = servers; server; server = server->next) {
        idv_configuration_t *configuration = idv_configuration_of(server);
        checking_t checking = {pconf, temporary, server, configuration, first};
        int result = OK;

        if (!configuration->settings.database)
            result = check_out_of_service(server, temporary);
        if (result != OK)
            return result;
        /* Virtual hosts without directives of their own share the main server's
         * configuration, which has already been checked. */
        if (!configuration->settings.database || configuration->keyring)
            continue;
        result = check_server(&checking);
        if (result == OK)
            result = first ? check_same(&checking)
                           : check_driver(&checking);
        if (result != OK)
            return result;
        if (!first)
            first = configuration;
        /* The check of the database tells a single ring which version seals. */
        configuration->keyring = first->keyring;
    }
    if (idv_gate_configuration_check(servers, temporary) != OK)
        return HTTP_INTERNAL_SERVER_ERROR;
    /* Memory that is freed but not returned to the system would be copied into
     * every process of the server. */
    malloc_trim(0);
    return OK;
}
