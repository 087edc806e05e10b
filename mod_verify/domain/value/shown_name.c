/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/shown_name.h"

#include "core/utf8.h"

idv_error_t *idv_shown_name_check(const char *param, const char *text,
                                  int limit, apr_pool_t *pool)
{
    int characters = 0;

    for (const char *c = text; *c && characters <= limit; c++) {
        characters += !idv_utf8_is_continuation(*c);
        if (idv_utf8_misleads(c))
            return idv_error_param(pool, param,
                                   "must not contain control characters, also "
                                   "not those of text direction.");
    }
    if (idv_utf8_is_blank(text) || characters > limit)
        return idv_error_param(pool, param, "must have 1 to %d characters.",
                               limit);
    return NULL;
}
