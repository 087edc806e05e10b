/* SPDX-License-Identifier: Apache-2.0 */
#include "store/conninfo.h"

#include <string.h>
#include <sys/stat.h>

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

const char *idv_conninfo_message(const char *message, apr_pool_t *pool)
{
    char *lines = apr_pstrdup(pool, message), *last = NULL;
    const char *text = "";

    for (char *line = apr_strtok(lines, "\n\t", &last); line;
         line = apr_strtok(NULL, "\n\t", &last))
        text = apr_pstrcat(pool, text, *text ? " " : "", line, NULL);
    return text;
}

/* What is wrong with the password file that OPTIONS name, or NULL. Its owner is
 * whoever connects, and not known here. */
static const char *passfile_fault(const PQconninfoOption *options,
                                  apr_pool_t *pool)
{
    struct stat status;

    for (const PQconninfoOption *option = options; option->keyword; option++)
        if (strcmp(option->keyword, "passfile") == 0 && option->val
            && stat(option->val, &status) == 0
            && (status.st_mode & (S_IRWXG | S_IRWXO)))
            return apr_psprintf(pool,
                                "passfile %s: must be accessible to its owner "
                                "only",
                                option->val);
    return NULL;
}

const char *idv_conninfo_fault(const char *conninfo, apr_pool_t *pool)
{
    char *said = NULL;
    PQconninfoOption *options = PQconninfoParse(conninfo, &said);
    int is_secret = strstr(conninfo, "pass") || strstr(conninfo, "://");
    const char *fault = NULL;

    if (!options && said && !is_secret)
        fault = apr_pstrcat(pool, "not a connection string: ",
                            idv_conninfo_message(said, pool), NULL);
    else if (!options)
        fault = "not a connection string: expected libpq's keyword=value pairs "
                "(in single quotes where a value has spaces) or a "
                "postgresql:// URI with special characters percent-encoded";
    else
        fault = passfile_fault(options, pool);
    PQconninfoFree(options);
    PQfreemem(said);
    return fault;
}
