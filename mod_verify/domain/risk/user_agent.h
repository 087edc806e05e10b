/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_RISK_USER_AGENT_H
#define IDV_DOMAIN_RISK_USER_AGENT_H

/*
 * What the User-Agent header (RFC 9110, 10.1.5) says: whether it betrays an
 * automated program, and the family of browsers.
 *
 * Threads: pure. Failures: none.
 */

/* Non-zero if the user agent identifies or betrays itself as an automated
 * program. */
int idv_user_agent_is_automated(const char *user_agent);

/* Like idv_user_agent_is_automated(), for requests that may come from an app:
 * an app without a name of its own sends the name of its HTTP library, which
 * does not count as automated here. */
int idv_app_user_agent_is_automated(const char *user_agent);

/* The family of browsers, a constant: "chrome", "edge", "firefox", "opera",
 * "safari", "samsung_internet" or "other"; NULL for NULL. Statistics count it. It
 * is not a signal of risk: anybody can send any header. */
const char *idv_user_agent_browser(const char *user_agent);

#endif
