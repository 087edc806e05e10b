/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GATE_GATE_VISIT_H
#define IDV_HTTPD_GATE_GATE_VISIT_H

/*
 * The steps of a visitor through a gate, below IDV_GATE_ROOT on every host that
 * has gates:
 *
 *     guarded page   without proof: a navigation gets 303 to .../NAME/start,
 *                    any other request 403 with a Link to it (by an internal
 *                    redirect to .../NAME/denied)
 *     .../start      sets the visit cookie, creates a session, 303 to its page
 *     .../return     the session's page leads here: looks the session up, sets
 *                    the proof cookie, 303 to the guarded page
 *
 * These paths need no access rights of the site, and no proxy, rewrite rule or
 * file of the site can take them over.
 *
 * Protections:
 *
 * - A session is created only for a browser that has returned the visit cookie,
 *   one at a time per cookie, and a limited number a minute per address and per
 *   gate. The code of the API creates it, with its billing and an
 *   Idempotency-Key derived from the cookie, so that tabs that start together
 *   share one session.
 * - The return step uses the session that the visit cookie names, and nothing
 *   in the address. So a link from another browser never yields a proof, and a
 *   verified visitor cannot be moved into somebody else's session.
 * - The destination afterwards is a path of the same host
 *   (idv_gate_destination_is_safe()), kept in the sealed visit cookie.
 * - A session with another outcome leads to a page, never to another redirect.
 *
 * Threads: one request, one thread. Memory: the pool of the request.
 */

/* Registers the hooks. */
void idv_gate_visit_register(void);

#endif
