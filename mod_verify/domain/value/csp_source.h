/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_CSP_SOURCE_H
#define IDV_DOMAIN_VALUE_CSP_SOURCE_H

/*
 * Sources of a content security policy (CSP Level 3, 2.3.1 and 6.7.2.8), as far
 * as they name pages that may frame another: 'none', 'self', *, https:, and a
 * host with an optional scheme, leading wildcard and port.
 *
 * Memory: none. Threads: pure. Failures: none; a source that is not understood
 * allows nothing.
 */

/* Non-zero if SOURCE allows ORIGIN, the origin of another page (RFC 6454, 6.2).
 * OWN is the origin of the page with the policy. */
int idv_csp_source_allows(const char *source, const char *own,
                          const char *origin);

#endif
