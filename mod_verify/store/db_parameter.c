/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db_parameter.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

idv_db_param_t idv_db_null(void)
{
    return (idv_db_param_t){0};
}

idv_db_param_t idv_db_text(const char *text)
{
    return (idv_db_param_t){.value = text};
}

idv_db_param_t idv_db_int(apr_int64_t value)
{
    idv_db_param_t param = {0};

    apr_snprintf(param.text, sizeof(param.text), "%" APR_INT64_T_FMT, value);
    return param;
}

idv_db_param_t idv_db_time(idv_time_t time)
{
    return time ? idv_db_int(time) : idv_db_null();
}

idv_db_param_t idv_db_bool(int value)
{
    return idv_db_text(value ? "t" : "f");
}

idv_db_param_t idv_db_bytes(idv_bytes_t bytes)
{
    return (idv_db_param_t){.value = (const char *)bytes.data,
                            .length = (int)bytes.length,
                            .binary = 1};
}

idv_db_param_t idv_db_texts(const char *const *texts, int count,
                            apr_pool_t *pool)
{
    apr_size_t size = 3;
    char *literal, *end;

    for (int i = 0; i < count; i++)
        size += 2 * strlen(texts[i]) + 3;
    literal = end = apr_palloc(pool, size);
    *end++ = '{';
    for (int i = 0; i < count; i++) {
        if (i)
            *end++ = ',';
        *end++ = '"';
        for (const char *c = texts[i]; *c; c++) {
            if (*c == '"' || *c == '\\')
                *end++ = '\\';
            *end++ = *c;
        }
        *end++ = '"';
    }
    *end++ = '}';
    *end = '\0';
    return idv_db_text(literal);
}

idv_db_param_t idv_db_text_list(const char *const *texts, apr_pool_t *pool)
{
    int count = 0;

    while (texts[count])
        count++;
    return idv_db_texts(texts, count, pool);
}

idv_db_param_t idv_db_ints(const apr_int64_t *values, int count,
                           apr_pool_t *pool)
{
    enum { LONGEST = sizeof(",-9223372036854775808") };
    char *literal = apr_palloc(pool, (apr_size_t)count * LONGEST + 3);
    char *end = literal;

    *end++ = '{';
    for (int i = 0; i < count; i++)
        end += apr_snprintf(end, LONGEST, "%s%" APR_INT64_T_FMT, i ? "," : "",
                            values[i]);
    *end++ = '}';
    *end = '\0';
    return idv_db_text(literal);
}

idv_db_param_t idv_db_json(const json_t *value, apr_pool_t *pool)
{
    const char *text = NULL;

    if (value && !json_is_null(value)
        && idv_json_dump(value, &text, NULL, pool))
        abort(); /* only without memory: all our JSON is UTF-8 */
    return idv_db_text(text);
}
