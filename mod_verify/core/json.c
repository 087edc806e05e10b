/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json.h"

#include <string.h>

#include <apr_file_info.h>
#include <apr_file_io.h>
#include <apr_strings.h>

static apr_status_t release_reference(void *value)
{
    json_decref(value);
    return APR_SUCCESS;
}

json_t *idv_json_own(json_t *value, apr_pool_t *pool)
{
    if (value)
        apr_pool_cleanup_register(pool, value, release_reference,
                                  apr_pool_cleanup_null);
    return value;
}

/* jansson's own depth limit is fixed at 2,048 when it is built, so the nesting
 * is counted before it parses. */
static int nesting_depth(const char *text, apr_size_t length)
{
    int depth = 0, deepest = 0, in_string = 0;

    for (apr_size_t i = 0; i < length; i++) {
        char c = text[i];

        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = 0;
        } else if (c == '"') {
            in_string = 1;
        } else if (c == '{' || c == '[') {
            if (++depth > deepest)
                deepest = depth;
        } else if (c == '}' || c == ']') {
            depth--;
        }
    }
    return deepest;
}

/* One object or array. */
static idv_error_t *parse(const char *text, apr_size_t length, json_t **out,
                          apr_pool_t *pool)
{
    json_error_t fault;

    *out = NULL;
    if (nesting_depth(text, length) > IDV_JSON_MAX_DEPTH)
        return idv_error_param(pool, NULL,
                               "The JSON is nested deeper than %d levels.",
                               IDV_JSON_MAX_DEPTH);
    *out = idv_json_own(
        json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault), pool);
    return *out ? NULL
                : idv_error_param(pool, NULL,
                                  "Not valid JSON (line %d, column %d).",
                                  fault.line, fault.column);
}

idv_error_t *idv_json_parse(const char *text, apr_size_t length, json_t **out,
                            apr_pool_t *pool)
{
    IDV_TRY(parse(text, length, out, pool));
    if (!json_is_object(*out)) {
        *out = NULL;
        return idv_error_param(pool, NULL, "The JSON must be an object.");
    }
    return NULL;
}

json_t *idv_json_load(const char *text, apr_pool_t *pool)
{
    return text ? idv_json_own(json_loads(text, JSON_DECODE_ANY, NULL), pool)
                : NULL;
}

json_t *idv_json_integer_or_null(apr_int64_t value)
{
    return value > 0 ? json_integer(value) : json_null();
}

/* --- files --- */

/* One byte more than LIMIT tells a file that is too long. */
static apr_status_t read_bytes(apr_file_t *file, apr_size_t limit, char **text,
                               apr_size_t *length, apr_pool_t *pool)
{
    apr_finfo_t info;
    apr_status_t status = apr_file_info_get(&info, APR_FINFO_SIZE, file);

    if (status != APR_SUCCESS)
        return status;
    *length = info.size > (apr_off_t)limit ? limit + 1 : (apr_size_t)info.size;
    *text = apr_palloc(pool, *length + 1);
    return *length ? apr_file_read_full(file, *text, *length, length)
                   : APR_SUCCESS;
}

idv_error_t *idv_json_file_read(const char *path, apr_size_t limit,
                                json_t **out, apr_pool_t *pool)
{
    apr_pool_t *scratch;
    apr_size_t length = 0;
    apr_file_t *file;
    char *text = NULL;
    idv_error_t *error;
    apr_status_t status;

    *out = NULL;
    apr_pool_create(&scratch, pool);
    status = apr_file_open(&file, path, APR_READ | APR_BINARY, 0, scratch);
    if (status == APR_SUCCESS)
        status = read_bytes(file, limit, &text, &length, scratch);
    if (status != APR_SUCCESS)
        error = idv_error_apr(pool, status, "%s", path);
    else if (length > limit)
        error = idv_error_param(
            pool, NULL, "Larger than %" APR_SIZE_T_FMT " bytes.", limit);
    else
        error = parse(text, length, out, pool);
    apr_pool_destroy(scratch);
    return error;
}

/* --- pointers --- */

const char *idv_json_pointer_member(const char *pointer, const char *key,
                                    apr_pool_t *pool)
{
    apr_size_t length = strlen(pointer);
    char *member = apr_palloc(pool, length + 1 + 2 * strlen(key) + 1);
    char *end = member + length;

    memcpy(member, pointer, length);
    *end++ = '/';
    for (; *key; key++) {
        if (*key == '~' || *key == '/') {
            *end++ = '~';
            *end++ = *key == '~' ? '0' : '1';
        } else {
            *end++ = *key;
        }
    }
    *end = '\0';
    return member;
}

const char *idv_json_pointer_element(const char *pointer, apr_size_t index,
                                     apr_pool_t *pool)
{
    return apr_psprintf(pool, "%s/%" APR_SIZE_T_FMT, pointer, index);
}
