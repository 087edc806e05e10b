/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_ACCESS_OPERATOR_ACCESS_H
#define IDV_HTTPD_ACCESS_OPERATOR_ACCESS_H

/*
 * Access control below /dashboard.
 *
 * Identity. Whichever module of httpd authenticates (Basic, LDAP, Kerberos,
 * OpenID Connect) leaves r->user and r->ap_auth_type; a client certificate
 * verified by mod_ssl also counts if SSLUserName derives a user from it.
 * Without r->user and r->ap_auth_type there is no operator, because the
 * providers `all` and `ip` grant without a user. An API key is not an operator
 * either, even if `AuthType VerifyKey` is configured there.
 *
 * Roles. `VerifyOperator ROLE ORG|* PROVIDER ARGUMENTS...` asks any registered
 * Require provider (mod_authz_core's group of providers), including those of
 * mod_authnz_ldap, mod_auth_openidc and <AuthzProviderAlias>. Only
 * AUTHZ_GRANTED counts: `expr` reports a missing user if the expression read
 * one and was false. Without any VerifyOperator no operator has a role.
 *
 * Other sites. Browsers send Basic, Kerberos and certificate logins with every
 * request, whichever page caused it. So every request that changes something
 * must come from a page of this origin, with a JSON body: `Sec-Fetch-Site:
 * same-origin`, or, from browsers without that header, this server's `Origin`.
 * For pages of other origins data is not even read. CORS is never granted here
 * (httpd/hooks/response_filters.h).
 *
 * Threads: rules are read in the parent; any thread of a child uses them.
 * Memory: rules live as long as the configuration, operators in their request's
 * pool. Failures: see each function; the detail of an error never names the
 * operator.
 */
#include <httpd.h>
#include <http_config.h>

#include "api/http/request.h"

/* A VerifyOperator rule; its members are private to this file. */
typedef struct idv_operator_rule_t idv_operator_rule_t;

/* Reads WORDS, the arguments of VerifyOperator. Returns the fault, or NULL. */
const char *idv_operator_rule_read(cmd_parms *command, const char *words,
                                   idv_operator_rule_t **rule);

/* Admits REQUEST, whose route is known, or refuses it: `cross_site_refused`,
 * `access_denied` (no login), `operator_role_required`, and `resource_missing`
 * if the path names an unknown organization or application. Sets `operator`
 * and, for routes of an organization, `key`, which acts as a secret key of the
 * whole organization (or of the application) with the operator's name as its
 * id. */
idv_error_t *idv_operator_admit(idv_request_t *request) IDV_CHECKED;

/* All roles of the operator of REQUEST, an array of idv_operator_grant_t; for
 * idv_services_t. */
apr_array_header_t *idv_operator_grants(const idv_request_t *request);

/* Sets the headers of every answer below /dashboard in HEADERS. */
void idv_operator_set_headers(apr_table_t *headers);

#endif
