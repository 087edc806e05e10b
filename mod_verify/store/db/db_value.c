/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/db_value.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <apr_tables.h>

#include "core/json_writer.h"
#include "store/db/db_result.h"

/* --- parameters --- */

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
    return idv_db_text(json_is_null(value) ? NULL : idv_json_text(value, pool));
}

idv_db_param_t idv_db_methods(const idv_method_list_t *list, apr_pool_t *pool)
{
    const char *values[IDV_METHOD_COUNT];

    for (int i = 0; i < list->count; i++)
        values[i] = idv_method_value(list->items[i]);
    return idv_db_texts(values, list->count, pool);
}

/* --- rows --- */

int idv_db_rows(const idv_db_result_t *result)
{
    return PQntuples(result->result);
}

int idv_db_is_null(const idv_db_result_t *result, int row, int column)
{
    return PQgetisnull(result->result, row, column);
}

const char *idv_db_get_text(const idv_db_result_t *result, int row, int column)
{
    return idv_db_is_null(result, row, column)
             ? NULL
             : PQgetvalue(result->result, row, column);
}

apr_int64_t idv_db_get_int(const idv_db_result_t *result, int row, int column)
{
    const char *text = idv_db_get_text(result, row, column);

    return text ? apr_atoi64(text) : 0;
}

int idv_db_get_bool(const idv_db_result_t *result, int row, int column)
{
    const char *text = idv_db_get_text(result, row, column);

    return text && *text == 't';
}

idv_bytes_t idv_db_get_bytes(const idv_db_result_t *result, int row, int column,
                             apr_pool_t *pool)
{
    const char *text = idv_db_get_text(result, row, column);
    idv_bytes_t bytes = {NULL, 0};
    apr_size_t length;

    if (!text)
        return bytes;
    length = (apr_size_t)PQgetlength(result->result, row, column);
    if (length >= 2 && text[0] == '\\' && text[1] == 'x')
        bytes.data =
            apr_pdecode_base16_binary(pool, text + 2, (apr_ssize_t)(length - 2),
                                      APR_ENCODE_NONE, &bytes.length);
    return bytes;
}

json_t *idv_db_get_json(const idv_db_result_t *result, int row, int column,
                        apr_pool_t *pool)
{
    return idv_json_load(idv_db_get_text(result, row, column), pool);
}

const char *const *idv_db_get_texts(const idv_db_result_t *result, int row,
                                    int column, apr_pool_t *pool)
{
    const char *literal = idv_db_get_text(result, row, column);
    apr_array_header_t *texts = apr_array_make(pool, 4, sizeof(char *));
    char *end;

    if (!literal)
        return apr_pcalloc(pool, sizeof(char *));
    end = apr_pstrdup(pool, literal);
    for (const char *in = literal + 1; *in && *in != '}'; in += *in == ',') {
        int quoted = *in == '"';

        in += quoted;
        APR_ARRAY_PUSH(texts, const char *) = end;
        while (*in && (quoted ? *in != '"' : *in != ',' && *in != '}')) {
            in += *in == '\\';
            *end++ = *in++;
        }
        in += quoted;
        *end++ = '\0';
    }
    APR_ARRAY_PUSH(texts, const char *) = NULL;
    return (const char *const *)texts->elts;
}

idv_error_t *idv_db_get_methods(const idv_db_result_t *result, int row,
                                int column, idv_method_list_t *list,
                                apr_pool_t *pool)
{
    const char *const *value = idv_db_get_texts(result, row, column, pool);

    list->count = 0;
    for (; *value; value++) {
        idv_method_t method = idv_method_parse(*value);

        if (method == IDV_METHOD_NONE)
            return idv_error_internal(pool, "a stored method is unknown");
        idv_method_list_add(list, method);
    }
    return NULL;
}

const idv_trace_context_t *idv_db_get_trace(const idv_db_result_t *result,
                                            int row, int column,
                                            apr_pool_t *pool)
{
    idv_bytes_t bytes = idv_db_get_bytes(result, row, column, pool);

    return bytes.length == IDV_TRACE_CONTEXT_BYTES
             ? apr_pmemdup(pool, bytes.data, bytes.length) : NULL;
}
