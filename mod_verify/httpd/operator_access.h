/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_OPERATOR_ACCESS_H
#define IDV_HTTPD_OPERATOR_ACCESS_H

/*
 * Who may call what below /dashboard.
 *
 * Identity. Whichever module of httpd authenticates (Basic, LDAP, Kerberos,
 * OpenID Connect) leaves r->user and r->ap_auth_type; a client certificate
 * that mod_ssl has verified counts, too, where SSLUserName has made a user of
 * it. Without both there is no operator: the providers `all` and `ip` grant
 * without a user. An API key is no operator either, whoever configured
 * `AuthType VerifyKey` there.
 *
 * Roles. `VerifyOperator ROLE ORG|* PROVIDER ARGUMENTS...` asks any provider of
 * Require that is registered (mod_authz_core's group of providers), so also
 * those of mod_authnz_ldap, of mod_auth_openidc and of <AuthzProviderAlias>.
 * Only AUTHZ_GRANTED counts: `expr` answers that a user is missing where the
 * expression read one and was false. Without any VerifyOperator nobody has a
 * role.
 *
 * Other sites. Logins by Basic, Kerberos and certificates go with every request
 * of a browser, whichever page caused it. So every request that is to change
 * something has to come from a page of this origin: `Sec-Fetch-Site:
 * same-origin`, or, from browsers without that header, an `Origin` that is this
 * server's; with a JSON body. Data is not even read for pages of others. CORS
 * is never answered here (httpd/response_filters.h).
 *
 * Threads: rules are read in the parent; any thread of a child asks them.
 * Memory: rules live as long as the configuration, operators in their request's
 * pool. Failures: as told at each function; the detail of an error never names
 * the operator.
 */
#include <httpd.h>
#include <http_config.h>

#include "api/http/request.h"

/* A VerifyOperator; what it consists of is this file's. */
typedef struct idv_operator_rule_t idv_operator_rule_t;

/* Reads WORDS, what stands behind VerifyOperator. The result is what is wrong
 * with them, or NULL. */
const char *idv_operator_rule_read(cmd_parms *command, const char *words,
                                   idv_operator_rule_t **rule);

/* Lets REQUEST, whose route is found, in, or refuses it: `cross_site_refused`,
 * `access_denied` (nobody has logged in), `operator_role_required`, and where
 * the path names an organization or application that is none,
 * `resource_missing`. Sets `operator` and, for routes of an organization, `key`,
 * which stands for an organization-wide (or the application's) secret key with
 * the operator's name as its id. */
idv_error_t *idv_operator_admit(idv_request_t *request) IDV_CHECKED;

/* The roles that the operator of REQUEST has, by any rule, as an array of
 * idv_operator_grant_t; for idv_services_t. */
apr_array_header_t *idv_operator_grants(const idv_request_t *request);

/* The headers of every answer below /dashboard, into HEADERS. */
void idv_operator_set_headers(apr_table_t *headers);

#endif
