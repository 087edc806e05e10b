/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_MAX_AGE_H
#define IDV_DOMAIN_MAX_AGE_H

/*
 * `max_age` in its two forms: "30d" at session creation, "30" in the lookup;
 * 1 to IDV_MAX_AGE_DAYS days, no sign, no leading zero, nothing around it.
 * Threads: pure.
 */
#include "core/error.h"

#define IDV_MAX_AGE_DAYS 3650

typedef enum { IDV_MAX_AGE_SESSION, IDV_MAX_AGE_LOOKUP } idv_max_age_form_t;

/* The days of TEXT; `parameter_invalid` at PARAM for anything else. */
idv_error_t *idv_max_age_parse(const char *text, idv_max_age_form_t form,
                               const char *param, int *days,
                               apr_pool_t *pool) IDV_CHECKED;

#endif
