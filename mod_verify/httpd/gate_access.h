/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GATE_ACCESS_H
#define IDV_HTTPD_GATE_ACCESS_H

/*
 * `Require verified-age` and `Require verified-identity`, for mod_authz_core,
 * and what goes with a guarded request:
 *
 * - Whoever is refused for want of a proof is led to the gate
 *   (httpd/gate_visit.h), if that refusal is what ends the request. So these
 *   providers combine with others in RequireAny, RequireAll and `Require not`.
 * - A backend learns VERIFY_AGE and VERIFY_GATE from the environment and, with
 *   VerifyGateHeaders, from request headers. Nobody else can set these headers:
 *   they are removed from every request to a server with gates.
 * - The response is private and varies by Cookie, whatever its handler says.
 *
 * Threads: one request, one thread. Memory: the pool of the request.
 */
#include <apr_pools.h>

/* Registers the providers, filters and hooks. */
void idv_gate_access_register(apr_pool_t *pool);

#endif
