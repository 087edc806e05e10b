/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/limits.h"

#include <apr_strings.h>

idv_error_t *idv_param_string(const json_t *value, const char *param,
                              apr_size_t min, apr_size_t max, const char **out,
                              apr_pool_t *pool)
{
    apr_size_t length;

    if (!json_is_string(value))
        return idv_error_param(pool, param, "Must be a string.");
    *out = json_string_value(value);
    length = idv_utf8_length(*out);
    if (length < min)
        return idv_error_param(pool, param, min == 1
                                                ? "Must not be empty."
                                                : "Is too short.");
    if (length > max)
        return idv_error_param(pool, param,
                               "Must have at most %" APR_SIZE_T_FMT
                               " characters.", max);
    return NULL;
}

idv_error_t *idv_param_boolean(const json_t *value, const char *param, int *out,
                               apr_pool_t *pool)
{
    if (!json_is_boolean(value))
        return idv_error_param(pool, param, "Must be true or false.");
    *out = json_is_true(value);
    return NULL;
}

idv_error_t *idv_param_metadata(const json_t *value, const char *param,
                                apr_pool_t *pool)
{
    const char *key, *ignored;
    const json_t *item;

    if (!json_is_object(value))
        return idv_error_param(pool, param, "Must be an object of strings.");
    if (json_object_size(value) > IDV_METADATA_PAIRS_MAX)
        return idv_error_param(pool, param, "Must have at most %d pairs.",
                               IDV_METADATA_PAIRS_MAX);
    json_object_foreach ((json_t *)value, key, item) {
        apr_size_t length = idv_utf8_length(key);

        if (length < 1 || length > IDV_METADATA_KEY_MAX)
            return idv_error_param(pool, param,
                                   "Keys must have 1 to %d characters.",
                                   IDV_METADATA_KEY_MAX);
        IDV_TRY(idv_param_string(item,
                                 apr_pstrcat(pool, param, ".", key, NULL), 0,
                                 IDV_METADATA_VALUE_MAX, &ignored, pool));
    }
    return NULL;
}
