/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/start/directives.h"

#include <stddef.h>

#include <ap_expr.h>
#include <apr_lib.h>
#include <apr_strings.h>
#include <apr_uri.h>
#include <http_log.h>

#include "core/rate_window.h"
#include "domain/account/captcha.h"
#include "domain/law/compliance.h"
#include "domain/value/url.h"
#include "httpd/access/operator_access.h"
#include "httpd/configuration/configuration.h"
#include "httpd/gate/gate_configuration.h"
#include "methods/face/provider_answer.h"
#include "out/address_guard.h"
#include "out/mail_client.h"
#include "out/mail_message.h"
#include "out/redis_client.h"
#include "store/db/db_connection.h"

APLOG_USE_MODULE(verify);

#define SUBMISSION_PORT 587 /* RFC 6409 */

/* Checks one word and may replace it. Returns the fault, or NULL. */
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
    return idv_conninfo_fault(*word, command->pool);
}

static const char *check_path(cmd_parms *command, const char **word)
{
    const char *path = ap_server_root_relative(command->pool, *word);

    if (!path)
        return "not a valid path";
    *word = path;
    return NULL;
}

static const char no_port[] = "the port must be a number from 1 to 65535";

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
    if (!idv_url_port_is_valid(uri.port_str))
        return no_port;
    if ((*word)[length - 1] == '/')
        *word = apr_pstrmemdup(command->pool, *word, length - 1);
    return NULL;
}

/* An address that pictures of persons are sent to. */
static const char *check_https(cmd_parms *command, const char **word)
{
    return strncmp(*word, "https://", 8) == 0 ? check_url(command, word)
                                              : "not an https address";
}

/* A name that is shown to persons. */
static const char *check_name(cmd_parms *command, const char **word)
{
    return idv_provider_name_fault(*word, command->temp_pool);
}

/* An app link (iOS, Android): the page puts its data into the fragment. */
static const char *check_app(cmd_parms *command, const char **word)
{
    apr_uri_t uri;

    if (apr_uri_parse(command->temp_pool, *word, &uri) != APR_SUCCESS
        || !uri.scheme || strcmp(uri.scheme, "https") != 0 || !uri.hostname
        || !*uri.hostname || uri.fragment || uri.user)
        return "not an https link without a fragment";
    return NULL;
}

static const char *check_captcha(cmd_parms *command, const char **word)
{
    (void)command;
    return idv_captcha_url(*word)
        ? NULL : "must be turnstile, hcaptcha or recaptcha";
}

/* Adds the submission port. libcurl would use 25, the port between mail
 * servers. */
static const char *check_smtp(cmd_parms *command, const char **word)
{
    apr_uri_t uri;
    int is_smtp;

    if (apr_uri_parse(command->temp_pool, *word, &uri) != APR_SUCCESS
        || !uri.scheme || !uri.hostname || !*uri.hostname || uri.user
        || uri.path || uri.query || uri.fragment)
        return "not smtp://host[:port] or smtps://host[:port]";
    if (!idv_url_port_is_valid(uri.port_str))
        return no_port;
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

static const char *check_unknown_law(cmd_parms *command, const char **word)
{
    (void)command;
    return idv_unknown_action_parse(*word) < 0
             ? "not one of refuse, review and allow" : NULL;
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

static const char *check_scheme(cmd_parms *command, const char **word)
{
    (void)command;
    if (!apr_isalpha(**word))
        return "not a URL scheme such as openid4vp";
    for (const char *c = *word; *c; c++) {
        if (!apr_isalnum(*c) && !strchr("+-.", *c))
            return "not a URL scheme such as openid4vp";
    }
    return NULL;
}

static const char *check_expression(cmd_parms *command, const char **word)
{
    const char *fault = NULL;

    ap_expr_parse_cmd(command, *word, AP_EXPR_FLAG_STRING_RESULT, &fault, NULL);
    return fault;
}

/* A path on this server, or the URL of another one. */
static const char *check_logout(cmd_parms *command, const char **word)
{
    apr_uri_t uri;

    for (const char *c = *word; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return "not a path or an https address";
    if ((*word)[0] == '/' && (*word)[1] != '/')
        return NULL;
    return apr_uri_parse(command->temp_pool, *word, &uri) == APR_SUCCESS
                && uri.scheme && uri.hostname && *uri.hostname
                && (strcmp(uri.scheme, "https") == 0
                    || strcmp(uri.scheme, "http") == 0)
             ? NULL
             : "not a path or an https address";
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
    int number = 0;
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
    int part = strcmp(type, "publishable") == 0, number = 0;
    const char *fault = parse_number(command, word, 1, IDV_RATE_LIMIT_MAX, &number);

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

static const char *add_rule(cmd_parms *command, const void *read)
{
    const rule_t *rule = command->info;
    int first =
        !idv_configuration_of(command->server)->origins[rule->index];
    apr_array_header_t **list = member_of(command, rule, 0);

    if (first)
        *list = apr_array_make(command->pool, 4, sizeof(read));
    APR_ARRAY_PUSH(*list, const void *) = read;
    return NULL;
}

static const char *read_operator(cmd_parms *command, void *unused,
                                 const char *words)
{
    idv_operator_rule_t *read;
    const char *fault = idv_operator_rule_read(command, words, &read);

    (void)unused;
    return fault ? refused(command, fault) : add_rule(command, read);
}

static const char *read_gate(cmd_parms *command, void *unused,
                             const char *words)
{
    const idv_configuration_t *configuration =
        idv_configuration_of(command->server);
    const apr_array_header_t *others =
        configuration->origins[IDV_AT_gates] ? configuration->settings.gates
                                             : NULL;
    const idv_gate_t *read;
    const char *fault = idv_gate_read(command, words, others, &read);

    (void)unused;
    return fault ? refused(command, fault) : add_rule(command, read);
}

static const char *read_use(cmd_parms *command, void *directory,
                            const char *word)
{
    const char *fault = idv_gate_read_use(command, directory, word);

    return fault ? refused(command, fault) : NULL;
}

static const char *read_skip(cmd_parms *command, void *directory,
                             const char *word)
{
    const char *fault = idv_gate_read_skip(command, directory, word);

    return fault ? refused(command, fault) : NULL;
}

/* --- generated from settings.def --- */

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
#define IDV_RULES(directive, member, read, help)                               \
    [IDV_AT_##member] = {AT(member)},
#include "core/settings.def"
};

#define RULE(member) (void *)&rules[IDV_AT_##member]

const command_rec idv_directives[] = {
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
#define IDV_RULES(directive, member, read, help)                               \
    AP_INIT_RAW_ARGS(#directive, read_##read, RULE(member), RSRC_CONF, help),
#define IDV_DIRECTORY(directive, read, help)                                   \
    AP_INIT_TAKE1(#directive, read_##read, NULL, ACCESS_CONF, help),
#include "core/settings.def"
    {.name = NULL}};
