/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json.h"

#include <string.h>

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

idv_error_t *idv_json_parse(const char *text, apr_size_t length, json_t **out,
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
    if (!*out)
        return idv_error_param(pool, NULL,
                               "Not valid JSON (line %d, column %d).",
                               fault.line, fault.column);
    if (!json_is_object(*out)) {
        *out = NULL;
        return idv_error_param(pool, NULL, "The JSON must be an object.");
    }
    return NULL;
}

static apr_status_t free_text(void *text)
{
    free(text);
    return APR_SUCCESS;
}

idv_error_t *idv_json_dump(const json_t *value, const char **text,
                           apr_size_t *length, apr_pool_t *pool)
{
    char *dumped = json_dumps(value, IDV_JSON_FLAGS);

    if (!dumped)
        return idv_error_internal(pool, "a JSON value could not be written");
    apr_pool_cleanup_register(pool, dumped, free_text, apr_pool_cleanup_null);
    *text = dumped;
    if (length)
        *length = strlen(dumped);
    return NULL;
}

json_t *idv_json_string_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

json_t *idv_json_integer_or_null(apr_int64_t value)
{
    return value > 0 ? json_integer(value) : json_null();
}
