/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/access/operator_access.h"

#include <string.h>

#include <ap_expr.h>
#include <ap_provider.h>
#include <apr_strings.h>
#include <http_core.h>
#include <http_log.h>
#include <http_protocol.h>
#include <http_ssl.h>
#include <mod_auth.h>

#include "api/http/response.h"
#include "api/http/standing.h"
#include "core/id.h"
#include "httpd/access/rate_limit.h"
#include "httpd/configuration/configuration.h"
#include "httpd/request/request_state.h"

APLOG_USE_MODULE(verify);

/* --- rules --- */

struct idv_operator_rule_t {
    idv_operator_grant_t grant;
    const char *provider_name;
    const authz_provider *provider;
    const char *arguments;
    const void *parsed; /* the provider's parsed form of them */
};

static const char *read_role(cmd_parms *command, const char *word,
                             idv_operator_grant_t *grant)
{
    grant->role = idv_role_of_name(word);
    return grant->role != IDV_ROLE_NONE
             ? NULL
             : apr_psprintf(command->pool,
                            "%s is not a role. Use auditor, reviewer, "
                            "developer, publisher or admin",
                            *word ? word : "(nothing)");
}

static const char *read_organization(cmd_parms *command, const char *word,
                                     idv_operator_grant_t *grant)
{
    grant->organization_id = word;
    return strcmp(word, IDV_OPERATOR_EVERYWHERE) == 0
                || idv_id_is(IDV_ID_ORGANIZATION, word)
             ? NULL
             : apr_psprintf(command->pool,
                            "%s is neither the id of an organization (org_...) "
                            "nor *",
                            *word ? word : "(nothing)");
}

static const char *read_provider(cmd_parms *command, idv_operator_rule_t *rule)
{
    rule->provider = ap_lookup_provider(AUTHZ_PROVIDER_GROUP,
                                        rule->provider_name,
                                        AUTHZ_PROVIDER_VERSION);
    if (!rule->provider || !rule->provider->check_authorization)
        return apr_psprintf(command->pool,
                            "no module provides \"Require %s\"; load the one "
                            "that does before this line",
                            rule->provider_name);
    return rule->provider->parse_require_line
             ? rule->provider->parse_require_line(command, rule->arguments,
                                                  &rule->parsed)
             : NULL;
}

const char *idv_operator_rule_read(cmd_parms *command, const char *words,
                                   idv_operator_rule_t **out)
{
    idv_operator_rule_t *rule = apr_pcalloc(command->pool, sizeof(*rule));
    const char *rest = words, *fault;

    rule->grant.rule = apr_pstrdup(command->pool, words);
    fault = read_role(command, ap_getword_conf(command->pool, &rest),
                      &rule->grant);
    if (!fault)
        fault = read_organization(
            command, ap_getword_conf(command->pool, &rest), &rule->grant);
    if (fault)
        return fault;
    rule->provider_name = ap_getword_conf(command->pool, &rest);
    rule->arguments = apr_pstrdup(command->pool, rest);
    if (!*rule->provider_name)
        return "needs a provider of Require after the organization, such as "
               "user or group";
    *out = rule;
    return read_provider(command, rule);
}

/* Whether the user of R satisfies RULE. */
static int is_granted(request_rec *r, const idv_operator_rule_t *rule)
{
    authz_status status;

    /* An alias provider finds its own name in this note. */
    apr_table_setn(r->notes, AUTHZ_PROVIDER_NAME_NOTE, rule->provider_name);
    status = rule->provider->check_authorization(r, rule->arguments,
                                                 rule->parsed);
    apr_table_unset(r->notes, AUTHZ_PROVIDER_NAME_NOTE);
    return status == AUTHZ_GRANTED;
}

static const apr_array_header_t *rules_of(const idv_request_t *request)
{
    return request->services->settings->operators;
}

apr_array_header_t *idv_operator_grants(const idv_request_t *request)
{
    const apr_array_header_t *rules = rules_of(request);
    apr_array_header_t *grants = apr_array_make(
        request->pool, rules->nelts, sizeof(idv_operator_grant_t));

    for (int i = 0; i < rules->nelts; i++) {
        const idv_operator_rule_t *rule =
            APR_ARRAY_IDX(rules, i, const idv_operator_rule_t *);

        if (is_granted(request->r, rule))
            APR_ARRAY_PUSH(grants, idv_operator_grant_t) = rule->grant;
    }
    return grants;
}

/* --- pages of other sites --- */

/* Whether ORIGIN is that of BASE, a URL that may have a path. */
static int is_origin_of(const char *origin, const char *base)
{
    const char *host = base ? ap_strstr_c(base, "://") : NULL;
    apr_size_t length;

    if (!host)
        return 0;
    length = (apr_size_t)(host - base) + 3 + strcspn(host + 3, "/");
    return strlen(origin) == length && strncasecmp(origin, base, length) == 0;
}

/* Whether ORIGIN is that of R itself, as seen by this server or by a proxy in
 * front of it. */
static int is_own_origin(request_rec *r, const char *origin)
{
    const idv_settings_t *settings = &idv_configuration_of(r->server)->settings;
    const char *host = apr_table_get(r->headers_in, "Host");

    return is_origin_of(origin, settings->public_url)
        || (host && idv_request_has_own_name(r)
            && is_origin_of(origin, apr_pstrcat(r->pool, ap_http_scheme(r),
                                                "://", host, NULL)));
}

static int is_safe(const request_rec *r)
{
    return r->method_number == M_GET || r->method_number == M_OPTIONS;
}

/* Whether R was caused by a page of this origin or, if it only reads, directly
 * by the user. */
static int is_from_here(request_rec *r)
{
    const char *site = apr_table_get(r->headers_in, "Sec-Fetch-Site");
    const char *origin = apr_table_get(r->headers_in, "Origin");

    if (site && is_safe(r))
        return strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
    if (site)
        return strcmp(site, "same-origin") == 0;
    if (origin)
        return is_own_origin(r, origin);
    return is_safe(r);
}

/* Links from anywhere may open pages and their files. Other sites may not
 * request data or change anything. */
static int is_page(const idv_request_t *request)
{
    return is_safe(request->r)
        && strncmp(request->r->uri, "/dashboard/v1/", strlen("/dashboard/v1/"))
               != 0;
}

/* Whether the body is declared as JSON, which a form of another site cannot
 * do. */
static int has_json_type(request_rec *r)
{
    const char *type = apr_table_get(r->headers_in, "Content-Type");
    apr_size_t length = strlen("application/json");

    if (r->method_number == M_DELETE)
        return 1;
    return type && strncasecmp(type, "application/json", length) == 0
        && (type[length] == '\0' || strchr("; \t", type[length]));
}

static idv_error_t *check_origin(const idv_request_t *request)
{
    if (is_page(request))
        return NULL;
    if (!is_from_here(request->r))
        return idv_error_new(IDV_E_CROSS_SITE_REFUSED, request->pool);
    return is_safe(request->r) || has_json_type(request->r)
             ? NULL
             : idv_error_new(IDV_E_UNSUPPORTED_MEDIA_TYPE, request->pool);
}

/* --- identity --- */

static idv_error_t *nobody(const idv_request_t *request, const char *message)
{
    idv_error_t *error = idv_error_new(IDV_E_ACCESS_DENIED, request->pool);

    error->message = message;
    return error;
}

/* How the user of R was authenticated; NULL if unknown. */
static const char *authentication_of(request_rec *r)
{
    const char *verified;

    /* mod_ssl derives a user from a certificate; newer versions set a type,
     * older ones none. */
    if (r->ap_auth_type && strcmp(r->ap_auth_type, "ClientCert") == 0)
        return "ClientCertificate";
    if (r->ap_auth_type)
        return strcasecmp(r->ap_auth_type, "VerifyKey") == 0 ? NULL
                                                             : r->ap_auth_type;
    verified = ap_ssl_var_lookup(r->pool, r->server, r->connection, r,
                                 "SSL_CLIENT_VERIFY");
    return verified && strcmp(verified, "SUCCESS") == 0 ? "ClientCertificate"
                                                        : NULL;
}

/* Names are displayed, recorded and put into JSON. */
static int is_presentable(const char *name)
{
    json_t *text = json_stringn(name, strlen(name));
    int is_text = text != NULL && *name;

    json_decref(text);
    for (const char *c = name; *c; c++)
        is_text = is_text && (unsigned char)*c >= ' ' && *c != 0x7f;
    return is_text && strlen(name) <= IDV_OPERATOR_USER_MAX;
}

static const char *shown_name(const idv_request_t *request)
{
    const idv_configuration_t *configuration =
        idv_configuration_of(request->r->server);
    const char *fault = NULL, *name = NULL;

    if (configuration->operator_name)
        name = ap_expr_str_exec(request->r, configuration->operator_name,
                                &fault);
    return name && !fault && is_presentable(name) ? name : request->r->user;
}

static idv_error_t *identify(idv_request_t *request, idv_operator_t **out)
{
    request_rec *r = request->r;
    const char *authentication = r->user ? authentication_of(r) : NULL;

    if (!authentication)
        return nobody(request,
                      "Nobody has logged in: the <Location \"/dashboard\"> of "
                      "this server needs an AuthType, and a Require that "
                      "demands a user.");
    if (!is_presentable(r->user))
        return nobody(request, "This login has no name that could be used: it "
                               "must be UTF-8 of at most 255 bytes.");
    *out = apr_pcalloc(request->pool, sizeof(**out));
    **out = (idv_operator_t){
        .user = r->user,
        .name = shown_name(request),
        .authentication = authentication,
        .address = r->useragent_ip,
    };
    apr_table_setn(r->notes, "verify-operator", r->user);
    return NULL;
}

/* --- roles --- */

/* The message for an operator who lacks the role NEEDED. */
static const char *what_is_missing(const idv_request_t *request,
                                   idv_role_t needed,
                                   const char *organization_id)
{
    if (needed == IDV_ROLE_SERVICE)
        return "This requires the role admin of all organizations.";
    return apr_psprintf(
        request->pool, "This requires the role %s%s%s.", idv_role_name(needed),
        organization_id ? " in this organization" : "",
        needed == IDV_ROLE_ADMIN ? "" : ", or one that includes it");
}

/* Finds the first rule that grants the operator the role NEEDED. */
static idv_error_t *find_role(const idv_request_t *request, idv_role_t needed,
                              const char *organization_id,
                              idv_operator_t *operator)
{
    const apr_array_header_t *rules = rules_of(request);
    idv_error_t *error;

    for (int i = 0; needed != IDV_ROLE_ANY && i < rules->nelts; i++) {
        const idv_operator_rule_t *rule =
            APR_ARRAY_IDX(rules, i, const idv_operator_rule_t *);

        if (!idv_operator_grant_allows(&rule->grant, needed, organization_id)
            || !is_granted(request->r, rule))
            continue;
        operator->role = rule->grant.role;
        operator->rule = rule->grant.rule;
        return NULL;
    }
    if (needed == IDV_ROLE_ANY)
        return NULL;
    error = idv_error_new(IDV_E_OPERATOR_ROLE_REQUIRED, request->pool);
    error->message = what_is_missing(request, needed, organization_id);
    return error;
}

/* --- admission --- */

/* In a disabled organization every operator is only an auditor: an approval or
 * a new key would have effects and cost money without the customer's
 * involvement. */
static idv_error_t *check_disabled(const idv_request_t *request,
                                   const idv_organization_standing_t *standing)
{
    idv_error_t *error;

    if (!standing->disabled
        || idv_role_allows(IDV_ROLE_AUDITOR, request->route->role))
        return NULL;
    error = idv_error_new(IDV_E_OPERATOR_ROLE_REQUIRED, request->pool);
    error->message = "This organization is disabled. Its data can be read but "
                     "not changed.";
    return error;
}

/* Creates the key that stands for the operator. Its organization is read over a
 * connection from that organization's share. */
static idv_error_t *take_place_of_key(idv_request_t *request)
{
    idv_api_key_t *key = apr_pcalloc(request->pool, sizeof(*key));
    const idv_scope_t scope = {request->organization_id,
                               request->application_id};
    idv_organization_standing_t standing;

    key->id = request->operator->user;
    key->organization_id = request->organization_id;
    key->application_id = request->application_id;
    key->type = IDV_KEY_SECRET;
    key->scopes = IDV_KEY_SCOPES_ALL; /* the role sets the limits */
    request->key = key;
    request->caller_organization_id = key->organization_id;
    IDV_TRY(idv_request_standing(request, &scope, &standing));
    key->sandbox = standing.sandbox;
    key->billing_suspended = standing.billing_suspended;
    return check_disabled(request, &standing);
}

idv_error_t *idv_operator_admit(idv_request_t *request)
{
    idv_operator_t *operator;

    IDV_TRY(check_origin(request));
    IDV_TRY(identify(request, &operator));
    request->operator = operator;
    request->caller_id =
        apr_pstrcat(request->pool, "operator ", operator->user, NULL);
    /* Count before evaluating the rules: they may query a directory each time,
     * even if they refuse the operator. */
    idv_rate_limit_count(request);
    IDV_TRY(idv_rate_limit_check(request));
    IDV_TRY(find_role(request, request->route->role, request->organization_id,
                      operator));
    return request->organization_id ? take_place_of_key(request) : NULL;
}

void idv_operator_set_headers(apr_table_t *headers)
{
#define IDV_DASHBOARD_HEADER(name, value) apr_table_setn(headers, name, value);
#include "api/http/dashboard_headers.def"
#undef IDV_DASHBOARD_HEADER
}
