/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/host_name.h"

#include <apr_lib.h>
#include <apr_strings.h>
#include <idn2.h>

const char *idv_host_name_ascii(const char *name, apr_pool_t *pool)
{
    char *encoded = NULL;
    const char *result;

    /* The mapping of UTS 46 would drop ASCII characters that it disallows. */
    for (const char *c = name; *c; c++)
        if (!(*c & 0x80) && !apr_isalnum(*c) && *c != '-' && *c != '.')
            return NULL;
    if (idn2_lookup_u8((const uint8_t *)name, (uint8_t **)&encoded,
                       IDN2_NONTRANSITIONAL | IDN2_USE_STD3_ASCII_RULES)
        != IDN2_OK)
        return NULL;
    result = apr_pstrdup(pool, encoded);
    idn2_free(encoded);
    return result;
}
