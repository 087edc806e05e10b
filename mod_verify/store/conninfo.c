/* SPDX-License-Identifier: Apache-2.0 */
#include "store/conninfo.h"

#include <string.h>

#include <apr_strings.h>
#include <libpq-fe.h>

static const char *preset_of(const idv_conninfo_preset_t *presets,
                             const char *keyword)
{
    for (; presets->keyword; presets++)
        if (strcmp(presets->keyword, keyword) == 0)
            return presets->value;
    return NULL;
}

static const char *add(const char *text, const char *keyword, const char *value,
                       apr_pool_t *pool)
{
    char *quoted = apr_palloc(pool, 2 * strlen(value) + 1), *end = quoted;

    for (; *value; value++) {
        if (*value == '\'' || *value == '\\')
            *end++ = '\\';
        *end++ = *value;
    }
    *end = '\0';
    return apr_pstrcat(pool, text, *text ? " " : "", keyword, "='", quoted, "'",
                       NULL);
}

const char *idv_conninfo_complete(const char *conninfo,
                                  const idv_conninfo_preset_t *presets,
                                  apr_pool_t *pool)
{
    PQconninfoOption *options = PQconninfoParse(conninfo, NULL);
    const char *text = "";

    if (!options)
        return conninfo;
    for (const PQconninfoOption *option = options; option->keyword; option++) {
        const char *value =
            option->val ? option->val : preset_of(presets, option->keyword);

        if (value)
            text = add(text, option->keyword, value, pool);
    }
    PQconninfoFree(options);
    return text;
}
