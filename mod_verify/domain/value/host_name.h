/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_HOST_NAME_H
#define IDV_DOMAIN_VALUE_HOST_NAME_H

/*
 * The ASCII form of internationalized host names (IDNA2008, RFC 5891, with the
 * mapping of UTS 46, nontransitional).
 *
 * Memory: results live in the given pool. Threads: pure.
 */
#include <apr_pools.h>

/* NAME (UTF-8) in lower case with A-labels ("xn--…"). NULL if IDNA refuses
 * NAME, or if it has an ASCII character other than letters, digits, hyphens and
 * dots. The caller checks the form of the result: IDNA maps some characters to
 * dots. */
const char *idv_host_name_ascii(const char *name, apr_pool_t *pool);

#endif
