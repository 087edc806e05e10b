/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_SHOWN_NAME_H
#define IDV_DOMAIN_VALUE_SHOWN_NAME_H

/*
 * Names that others read: of brands, organizations, applications, login clients
 * and trust lists.
 *
 * A name is one line that is visible and does not change the text around it: no
 * control characters, none that set the text direction, and not only spaces or
 * characters without width.
 *
 * Memory: errors live in the given pool. Threads: pure.
 */
#include "core/error.h"

/* `parameter_invalid` at PARAM unless TEXT is such a name of 1 to LIMIT
 * characters. */
idv_error_t *idv_shown_name_check(const char *param, const char *text,
                                  int limit, apr_pool_t *pool) IDV_CHECKED;

#endif
