/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/configuration.h"

#include <stddef.h>
#include <unistd.h>

#include <apr_lib.h>
#include <apr_strings.h>
#include <apr_uri.h>
#include <http_log.h>
#include <libpq-fe.h>
#include <openssl/crypto.h>

#include "domain/compliance_directory.h"
#include "domain/captcha.h"
#include "domain/url.h"
#include "httpd/database.h"
#include "out/address_guard.h"
#include "out/mail_client.h"
#include "out/mail_message.h"
#include "out/redis_client.h"

APLOG_USE_MODULE(verify);

#define SECRET_LINE_MAX 1024
#define SUBMISSION_PORT 587 /* RFC 6409 */

/* Checks one word and may put another in its place; the result is what is
 * wrong with it, or NULL. */
typedef const char *check_t(cmd_parms *command, const char **word);

/* How a directive is read. */
typedef struct {
    int index;
    apr_size_t offset;
    check_t *check;
    int minimum, maximum;
} rule_t;

/* --- the rules for words --- */

static const char *check_conninfo(cmd_parms *command, const char **word)
{
    char *fault = NULL;
    PQconninfoOption *options = PQconninfoParse(*word, &fault);
    const char *message =
        options ? NULL
                : apr_psprintf(command->pool, "not a connection string: %s",
                               fault ? fault : "out of memory");

    PQconninfoFree(options);
    PQfreemem(fault);
    return message;
}

static const char *check_path(cmd_parms *command, const char **word)
{
    const char *path = ap_server_root_relative(command->pool, *word);

    if (!path)
        return "not a valid path";
    *word = path;
    return NULL;
}

static const char *check_url(cmd_parms *command, const char **word)
{
    apr_uri_t uri;
    apr_size_t length = strlen(*word);

    if (apr_uri_parse(command->temp_pool, *word, &uri) != APR_SUCCESS
        || !uri.scheme || !uri.hostname || !*uri.hostname || uri.query
        || uri.fragment
        || (strcmp(uri.scheme, "http") != 0
            && strcmp(uri.scheme, "https") != 0))
        return "not an http or https address without query and fragment";
    if ((*word)[length - 1] == '/')
        *word = apr_pstrmemdup(command->pool, *word, length - 1);
    return NULL;
}

static const char *check_captcha(cmd_parms *command, const char **word)
{
    (void)command;
    return idv_captcha_url(*word)
        ? NULL : "must be turnstile, hcaptcha or recaptcha";
}

/* libcurl's own port would be 25, which is between mail servers. */
static const char *check_smtp(cmd_parms *command, const char **word)
{
    apr_uri_t uri;
    int is_smtp;

    if (apr_uri_parse(command->temp_pool, *word, &uri) != APR_SUCCESS
        || !uri.scheme || !uri.hostname || !*uri.hostname || uri.user
        || uri.path || uri.query || uri.fragment)
        return "not smtp://host[:port] or smtps://host[:port]";
    is_smtp = strcmp(uri.scheme, "smtp") == 0;
    if (!is_smtp && strcmp(uri.scheme, "smtps") != 0)
        return "not smtp://host[:port] or smtps://host[:port]";
    if (is_smtp && !uri.port_str)
        *word = apr_psprintf(command->pool, "%s:%d", *word, SUBMISSION_PORT);
    return NULL;
}

static const char *check_smtp_tls(cmd_parms *command, const char **word)
{
    (void)command;
    return idv_mail_tls_parse(*word) == IDV_MAIL_TLS_MODE_COUNT
        ? "must be required, optional or off" : NULL;
}

static const char *check_mailbox(cmd_parms *command, const char **word)
{
    idv_mailbox_t mailbox;

    return idv_mailbox_parse(*word, &mailbox, command->temp_pool)
        ? "not an address such as \"Verification <verify@example.com>\"" : NULL;
}

static const char *check_user(cmd_parms *command, const char **word)
{
    (void)command;
    return **word ? NULL : "must not be empty";
}

static const char *check_network(cmd_parms *command, const char **word)
{
    idv_address_range_t range;
    idv_error_t *error =
        idv_address_range_parse(*word, &range, command->temp_pool);

    return error ? apr_psprintf(command->pool, "%s is not a network such as "
                                "192.0.2.0/24 or 2001:db8::/32", *word)
                 : NULL;
}

static const char *check_header(cmd_parms *command, const char **word)
{
    (void)command;
    for (const char *c = *word; *c; c++) {
        if (!apr_isalnum(*c) && !strchr("!#$%&'*+-.^_`|~", *c))
            return "not the name of a header field";
    }
    return **word ? NULL : "not the name of a header field";
}

static const char *check_rate_store(cmd_parms *command, const char **word)
{
    return strcmp(*word, "shm") == 0
             ? NULL : idv_redis_url_fault(*word, command->temp_pool);
}

static const char *check_source(cmd_parms *command, const char **word)
{
    if (strcmp(*word, "self") == 0 || strcmp(*word, "none") == 0)
        *word = apr_pstrcat(command->pool, "'", *word, "'", NULL);
    return strpbrk(*word, ";,\" \t") || !**word
        ? "not a source such as 'self' or https://shop.example" : NULL;
}

static const char *check_origin(cmd_parms *command, const char **word)
{
    idv_error_t *error =
        idv_url_check(*word, IDV_URL_ORIGIN, NULL, command->temp_pool);

    return error ? apr_psprintf(command->pool, "%s is not an origin such as "
                                "https://shop.example: %s", *word,
                                error->message)
                 : NULL;
}

/* --- reading --- */

static void *member_of(cmd_parms *command, const rule_t *rule, int part)
{
    idv_configuration_t *configuration =
        idv_configuration_of(command->server);

    configuration->origins[rule->index + part] = command->directive;
    return (char *)&configuration->settings + rule->offset;
}

static const char *refused(cmd_parms *command, const char *fault)
{
    return apr_psprintf(command->pool, "%s: %s", command->cmd->name, fault);
}

static const char *read_text(cmd_parms *command, void *unused,
                             const char *word)
{
    const rule_t *rule = command->info;
    const char *fault = rule->check(command, &word);

    (void)unused;
    if (fault)
        return refused(command, fault);
    *(const char **)member_of(command, rule, 0) = word;
    return NULL;
}

static const char *parse_number(cmd_parms *command, const char *word,
                                int minimum, int maximum, int *number)
{
    char *end;
    apr_int64_t value = apr_strtoi64(word, &end, 10);

    if (!apr_isdigit(*word) || *end || value < minimum || value > maximum)
        return apr_psprintf(command->pool,
                            "must be a number between %d and %d", minimum,
                            maximum);
    *number = (int)value;
    return NULL;
}

static const char *read_number(cmd_parms *command, void *unused,
                               const char *word)
{
    const rule_t *rule = command->info;
    int number;
    const char *fault =
        parse_number(command, word, rule->minimum, rule->maximum, &number);

    (void)unused;
    if (fault)
        return refused(command, fault);
    *(int *)member_of(command, rule, 0) = number;
    return NULL;
}

static const char *read_flag(cmd_parms *command, void *unused, int on)
{
    (void)unused;
    *(int *)member_of(command, command->info, 0) = on != 0;
    return NULL;
}

static const char *read_list(cmd_parms *command, void *unused,
                             const char *word)
{
    const rule_t *rule = command->info;
    const char *fault = rule->check(command, &word);
    int first;
    apr_array_header_t **list;

    (void)unused;
    if (fault)
        return refused(command, fault);
    first = !idv_configuration_of(command->server)->origins[rule->index];
    list = member_of(command, rule, 0);
    if (first)
        *list = apr_array_make(command->pool, 4, sizeof(const char *));
    APR_ARRAY_PUSH(*list, const char *) = word;
    return NULL;
}

static const char *read_rates(cmd_parms *command, void *unused,
                              const char *type, const char *word)
{
    int part = strcmp(type, "publishable") == 0, number;
    const char *fault = parse_number(command, word, 1, 1000000000, &number);

    (void)unused;
    if (!part && strcmp(type, "secret") != 0)
        fault = "the first word must be secret or publishable";
    if (fault)
        return refused(command, fault);
    ((int *)member_of(command, command->info, part))[part] = number;
    return NULL;
}

static const char *read_pair(cmd_parms *command, void *unused,
                             const char *first, const char *second)
{
    const rule_t *rule = command->info;
    const char *fault = rule->check(command, &first);
    const char **member;

    (void)unused;
    if (!fault && second)
        fault = rule->check(command, &second);
    if (fault)
        return refused(command, fault);
    member = member_of(command, rule, 0);
    member[0] = first;
    member[1] = second;
    return NULL;
}

/* --- what is made of the list --- */

#define AT(member) .index = IDV_AT_##member,                                   \
                   .offset = offsetof(idv_settings_t, member)

static const rule_t rules[IDV_SETTING_COUNT] = {
#define IDV_TEXT(directive, member, preset, checker, help)                     \
    [IDV_AT_##member] = {AT(member), .check = check_##checker},
#define IDV_NUMBER(directive, member, preset, lowest, highest, help)           \
    [IDV_AT_##member] = {AT(member), .minimum = lowest, .maximum = highest},
#define IDV_FLAG(directive, member, preset, help)                              \
    [IDV_AT_##member] = {AT(member)},
#define IDV_LIST(directive, member, checker, help)                             \
    [IDV_AT_##member] = {AT(member), .check = check_##checker},
#define IDV_RATES(directive, secret, preset, publishable, other_preset, help)  \
    [IDV_AT_##secret] = {AT(secret)},
#define IDV_PAIR(directive, first, second, checker, help)                      \
    [IDV_AT_##first] = {AT(first), .check = check_##checker},
#include "core/settings.def"
};

#define RULE(member) (void *)&rules[IDV_AT_##member]

const command_rec idv_configuration_commands[] = {
#define IDV_TEXT(directive, member, preset, checker, help)                     \
    AP_INIT_TAKE1(#directive, read_text, RULE(member), RSRC_CONF, help),
#define IDV_NUMBER(directive, member, preset, lowest, highest, help)           \
    AP_INIT_TAKE1(#directive, read_number, RULE(member), RSRC_CONF, help),
#define IDV_FLAG(directive, member, preset, help)                              \
    AP_INIT_FLAG(#directive, read_flag, RULE(member), RSRC_CONF, help),
#define IDV_LIST(directive, member, checker, help)                             \
    AP_INIT_ITERATE(#directive, read_list, RULE(member), RSRC_CONF, help),
#define IDV_RATES(directive, secret, preset, publishable, other_preset, help)  \
    AP_INIT_TAKE2(#directive, read_rates, RULE(secret), RSRC_CONF, help),
#define IDV_PAIR(directive, first, second, checker, help)                      \
    AP_INIT_TAKE12(#directive, read_pair, RULE(first), RSRC_CONF, help),
#include "core/settings.def"
    {.name = NULL}};

void *idv_configuration_create(apr_pool_t *pool, server_rec *server)
{
    idv_configuration_t *configuration =
        apr_pcalloc(pool, sizeof(*configuration));
    idv_settings_t *settings = &configuration->settings;

    (void)server;
#define IDV_TEXT(directive, member, preset, check, help)                       \
    settings->member = preset;
#define IDV_NUMBER(directive, member, preset, minimum, maximum, help)          \
    settings->member = preset;
#define IDV_FLAG(directive, member, preset, help) settings->member = preset;
#define IDV_LIST(directive, member, check, help)                               \
    settings->member = apr_array_make(pool, 0, sizeof(const char *));
#define IDV_RATES(directive, secret, preset, publishable, other_preset, help)  \
    settings->secret = preset;                                                 \
    settings->publishable = other_preset;
#define IDV_PAIR(directive, first, second, check, help)                        \
    settings->first = settings->second = NULL;
#include "core/settings.def"
    return configuration;
}

void *idv_configuration_merge(apr_pool_t *pool, void *base, void *overlay)
{
    idv_configuration_t *merged = apr_pmemdup(pool, base, sizeof(*merged));
    const idv_configuration_t *own = overlay;

#define TAKE(origin, member)                                                   \
    if (own->origins[IDV_AT_##origin]) {                                       \
        merged->origins[IDV_AT_##origin] = own->origins[IDV_AT_##origin];      \
        merged->settings.member = own->settings.member;                        \
    }
#define IDV_TEXT(directive, member, preset, check, help) TAKE(member, member)
#define IDV_NUMBER(directive, member, preset, minimum, maximum, help)          \
    TAKE(member, member)
#define IDV_FLAG(directive, member, preset, help) TAKE(member, member)
#define IDV_LIST(directive, member, check, help) TAKE(member, member)
#define IDV_RATES(directive, secret, preset, publishable, other_preset, help)  \
    TAKE(secret, secret)                                                       \
    TAKE(publishable, publishable)
#define IDV_PAIR(directive, first, second, check, help)                        \
    TAKE(first, first)                                                         \
    TAKE(first, second)
#include "core/settings.def"
    return merged;
}

idv_configuration_t *idv_configuration_of(const server_rec *server)
{
    return ap_get_module_config(server->module_config, &verify_module);
}

int idv_configuration_in_service(const server_rec *server)
{
    return idv_configuration_of(server)->keyring != NULL;
}

/* --- checks across directives --- */

/* What is being checked. */
typedef struct {
    apr_pool_t *pconf;
    apr_pool_t *temporary;
    server_rec *server;
    idv_configuration_t *configuration;
} checking_t;

static int complain(const checking_t *checking, int index, const char *name,
                    const char *fault)
{
    const ap_directive_t *origin = checking->configuration->origins[index];

    ap_log_error(APLOG_MARK, APLOG_EMERG, 0, checking->server,
                 "IDV0001: %s (%s:%d): %s", name,
                 origin ? origin->filename : "not set",
                 origin ? origin->line_num : 0, fault);
    return HTTP_INTERNAL_SERVER_ERROR;
}

static int check_file(const checking_t *checking, int index, const char *name,
                      const char *path)
{
    if (!path || access(path, R_OK) == 0)
        return OK;
    return complain(checking, index, name,
                    apr_psprintf(checking->temporary, "cannot read %s: %s",
                                 path, strerror(errno)));
}

static apr_status_t close_geo_database(void *database)
{
    MMDB_close(database);
    return APR_SUCCESS;
}

/* A MaxMind database; PATH may be NULL: none. */
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
    int result = open_address_database(checking, IDV_AT_geo_database,
                                       "VerifyGeoDatabase",
                                       settings->geo_database,
                                       &configuration->geo_database);

    if (result != OK)
        return result;
    return open_address_database(checking, IDV_AT_risk_anonymizers,
                                 "VerifyRiskAnonymizers",
                                 settings->risk_anonymizers,
                                 &configuration->anonymizers);
}

static int load_risk_data(const checking_t *checking)
{
    const idv_settings_t *settings = &checking->configuration->settings;
    idv_risk_data_t *data = apr_pcalloc(checking->pconf, sizeof(*data));
    const struct {
        int index;
        const char *name, *path;
        const idv_email_domains_t **domains;
    } lists[] = {
        {IDV_AT_risk_disposable_domains, "VerifyRiskDisposableDomains",
         settings->risk_disposable_domains, &data->disposable_domains},
        {IDV_AT_risk_free_domains, "VerifyRiskFreeDomains",
         settings->risk_free_domains, &data->free_domains},
    };
    idv_error_t *error;

    data->policy = *idv_risk_policy_default();
    error = settings->risk_policy
              ? idv_risk_policy_read(settings->risk_policy, &data->policy,
                                     checking->temporary)
              : NULL;
    if (error)
        return complain(checking, IDV_AT_risk_policy, "VerifyRiskPolicy",
                        error->detail);
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        error = lists[i].path
                  ? idv_email_domains_read(lists[i].path, lists[i].domains,
                                           checking->pconf,
                                           checking->temporary)
                  : NULL;
        if (error)
            return complain(checking, lists[i].index, lists[i].name,
                            error->detail);
    }
    checking->configuration->risk = data;
    return OK;
}

/* One line for each fault, so that they can be mended together. */
static int load_compliance_rules(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    const char *directory = configuration->settings.compliance_rules;
    idv_compliance_rules_t *rules;
    apr_array_header_t *faults;
    idv_error_t *error;
    int result = OK;

    if (!directory)
        return OK;
    error = idv_compliance_directory_read(directory, &rules, &faults,
                                          checking->pconf);
    if (error)
        return complain(checking, IDV_AT_compliance_rules,
                        "VerifyComplianceRules",
                        error->detail ? error->detail : error->message);
    for (int i = 0; i < faults->nelts; i++) {
        const idv_compliance_fault_t *fault =
            &APR_ARRAY_IDX(faults, i, idv_compliance_fault_t);

        result = complain(checking, IDV_AT_compliance_rules,
                          "VerifyComplianceRules",
                          apr_psprintf(checking->temporary, "%s/%s: %s: %s",
                                       directory, fault->file,
                                       *fault->pointer ? fault->pointer : "/",
                                       fault->message));
    }
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
                            "VerifyMasterKeyFile",
                            error->detail ? error->detail : error->message)
                 : OK;
}

/* The first line of a file, without its end. */
static int read_secret(const checking_t *checking, int index, const char *name,
                       const char *path, const char **secret)
{
    char line[SECRET_LINE_MAX], *text;
    apr_file_t *file;
    apr_status_t status =
        apr_file_open(&file, path, APR_FOPEN_READ, APR_FPROT_OS_DEFAULT,
                      checking->temporary);

    if (status == APR_SUCCESS) {
        status = apr_file_gets(line, sizeof(line), file);
        apr_file_close(file);
    }
    if (status != APR_SUCCESS)
        return complain(checking, index, name, "cannot be read");
    line[strcspn(line, "\r\n")] = '\0';
    text = apr_pstrdup(checking->pconf, line);
    idv_wipe_with_pool(text, strlen(text), checking->pconf);
    OPENSSL_cleanse(line, sizeof(line));
    if (!*text)
        return complain(checking, index, name, "holds no secret");
    *secret = text;
    return OK;
}

static int load_captcha_secret(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    const idv_settings_t *settings = &configuration->settings;

    if (!settings->captcha)
        return OK;
    if (!settings->captcha_secret_file)
        return complain(checking, IDV_AT_captcha, "VerifyCaptcha",
                        "needs VerifyCaptchaSecretFile");
    return read_secret(checking, IDV_AT_captcha_secret_file,
                       "VerifyCaptchaSecretFile",
                       settings->captcha_secret_file,
                       &configuration->captcha_secret);
}

static int check_mail(const checking_t *checking)
{
    idv_configuration_t *configuration = checking->configuration;
    const idv_settings_t *settings = &configuration->settings;
    const char *fault = NULL;
    int result;

    if (!settings->smtp)
        return OK;
    if (!settings->smtp_from)
        fault = "needs VerifySMTPFrom";
    else if (!settings->public_url)
        fault = "needs VerifyPublicURL, which the links in e-mail begin with";
    else if (!settings->smtp_user != !settings->smtp_password_file)
        fault = "VerifySMTPUser and VerifySMTPPasswordFile need each other";
    else if (settings->smtp_user && strcmp(settings->smtp_tls, "required") != 0
             && strncmp(settings->smtp, "smtps:", 6) != 0)
        fault = "a password is sent encrypted only: VerifySMTPTLS required";
    if (fault)
        return complain(checking, IDV_AT_smtp, "VerifySMTP", fault);
    result = check_file(checking, IDV_AT_smtp_ca_file, "VerifySMTPCAFile",
                        settings->smtp_ca_file);
    if (result != OK || !settings->smtp_user)
        return result;
    return read_secret(checking, IDV_AT_smtp_password_file,
                       "VerifySMTPPasswordFile", settings->smtp_password_file,
                       &configuration->smtp_password);
}

static int check_server(const checking_t *checking)
{
    const idv_settings_t *settings = &checking->configuration->settings;
    const char *fault;
    int result;

    if ((result = load_keyring(checking)) != OK
        || (result = load_captcha_secret(checking)) != OK
        || (result = check_mail(checking)) != OK
        || (result = check_file(checking, IDV_AT_captcha_ca_file,
                                "VerifyCaptchaCAFile",
                                settings->captcha_ca_file)) != OK
        || (result = open_address_databases(checking)) != OK
        || (result = load_risk_data(checking)) != OK
        || (result = load_compliance_rules(checking)) != OK
        || (result = check_file(checking, IDV_AT_webhook_ca_file,
                                "VerifyWebhookCAFile",
                                settings->webhook_ca_file)) != OK
        || (result = check_file(checking, IDV_AT_models, "VerifyModels",
                                settings->models)) != OK)
        return result;
    if (settings->analyzer && access(settings->analyzer, X_OK) != 0)
        return complain(checking, IDV_AT_analyzer, "VerifyAnalyzer",
                        apr_psprintf(checking->temporary,
                                     "cannot execute %s: %s",
                                     settings->analyzer, strerror(errno)));
    fault = idv_database_configure(
        checking->server, settings,
        checking->configuration->origins[IDV_AT_database], checking->pconf);
    return fault ? complain(checking, IDV_AT_database, "VerifyDatabase", fault)
                 : OK;
}

/* The watchdog is one for the whole server process. */
static int check_same(const checking_t *checking,
                      const idv_configuration_t *first)
{
    const idv_settings_t *a = &first->settings;
    const idv_settings_t *b = &checking->configuration->settings;

    if (strcmp(a->database, b->database) != 0)
        return complain(checking, IDV_AT_database, "VerifyDatabase",
                        "all servers must use the same database");
    if (strcmp(a->master_key_file, b->master_key_file) != 0)
        return complain(checking, IDV_AT_master_key_file,
                        "VerifyMasterKeyFile",
                        "all servers must use the same master key");
    if (strcmp(a->smtp ? a->smtp : "", b->smtp ? b->smtp : "") != 0)
        return complain(checking, IDV_AT_smtp, "VerifySMTP",
                        "all servers must use the same mail server");
    return OK;
}

int idv_configuration_check(apr_pool_t *pconf, apr_pool_t *plog,
                            apr_pool_t *temporary, server_rec *servers)
{
    const idv_configuration_t *first = NULL;

    (void)plog;
    for (server_rec *server = servers; server; server = server->next) {
        idv_configuration_t *configuration = idv_configuration_of(server);
        checking_t checking = {pconf, temporary, server, configuration};
        int result;

        /* Virtual hosts without own directives share the main server's. */
        if (!configuration->settings.database || configuration->keyring)
            continue;
        result = check_server(&checking);
        if (result == OK && first)
            result = check_same(&checking, first);
        if (result != OK)
            return result;
        if (!first)
            first = configuration;
    }
    return OK;
}
