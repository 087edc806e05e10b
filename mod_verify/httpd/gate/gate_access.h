/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GATE_GATE_ACCESS_H
#define IDV_HTTPD_GATE_GATE_ACCESS_H

/*
 * The providers `Require verified-age` and `Require verified-identity` for
 * mod_authz_core, and the handling of guarded requests:
 *
 * - A visitor without a proof is redirected to the gate
 *   (httpd/gate/gate_visit.h), if the missing proof is the reason for the
 *   refusal. So these providers combine with others in RequireAny, RequireAll
 *   and `Require not`.
 * - A backend gets VERIFY_AGE and VERIFY_GATE in the environment and, with
 *   VerifyGateHeaders, in request headers. Clients cannot set these headers:
 *   they are removed from every request to a server with gates.
 * - The cookies of gates are removed from requests to any server before a handler
 *   gets them, guarded or not: a backend has no use for them, and could be let in
 *   with them. Browsers send them to all ports of a host.
 * - The response is private and varies by Cookie, whatever its handler says.
 *
 * Threads: one request, one thread. Memory: the pool of the request.
 */
#include <apr_pools.h>

/* Registers the providers, filters and hooks. */
void idv_gate_access_register(apr_pool_t *pool);

#endif
