/* SPDX-License-Identifier: Apache-2.0 */
#include "api/parameters.h"

#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "core/id.h"
#include "core/utf8.h"

/* One parameter being read. */
typedef struct {
    apr_pool_t *pool;
    const idv_parameter_t *rule;
    const char *path;
    const json_t *value;
    int is_query;
    void *member;
} reading_t;

/* A name that a stranger chose is shown only when it is harmless to show. */
static const char *showable(const char *name, apr_pool_t *pool)
{
    for (const char *c = name; *c; c++) {
        if (!apr_isprint(*c) || c - name >= 64)
            return NULL;
    }
    return *name ? apr_pstrdup(pool, name) : NULL;
}

static idv_error_t *check_string(const reading_t *reading, const char *path,
                                 const char *text, int bounded)
{
    const idv_parameter_t *rule = reading->rule;

    if (rule->values) {
        for (const char *const *value = rule->values; *value; value++) {
            if (strcmp(*value, text) == 0)
                return NULL;
        }
        return idv_error_param(reading->pool, path,
                               "Not one of the allowed values.");
    }
    if (bounded) {
        apr_int64_t length = (apr_int64_t)idv_utf8_length(text);

        if (length < rule->minimum)
            return idv_error_param(reading->pool, path,
                                   length ? "The text is too short."
                                          : "The text is empty.");
        if (length > rule->maximum)
            return idv_error_param(
                reading->pool, path,
                "The text is longer than %" APR_INT64_T_FMT " characters.",
                rule->maximum);
    }
    return NULL;
}

static idv_error_t *read_string(const reading_t *reading)
{
    if (!json_is_string(reading->value))
        return idv_error_param(reading->pool, reading->path,
                               "Must be a string.");
    *(const char **)reading->member = json_string_value(reading->value);
    return check_string(reading, reading->path,
                        json_string_value(reading->value), 1);
}

static idv_error_t *read_id(const reading_t *reading)
{
    const char *text = json_string_value(reading->value);

    if (!text || !idv_id_is((idv_id_type_t)reading->rule->minimum, text))
        return idv_error_param(reading->pool, reading->path,
                               "Not the id of such an object.");
    *(const char **)reading->member = text;
    return NULL;
}

static idv_error_t *read_boolean(const reading_t *reading)
{
    const char *text = json_string_value(reading->value);

    if (json_is_boolean(reading->value))
        *(int *)reading->member = json_is_true(reading->value);
    else if (reading->is_query && text && strcmp(text, "true") == 0)
        *(int *)reading->member = 1;
    else if (reading->is_query && text && strcmp(text, "false") == 0)
        *(int *)reading->member = 0;
    else
        return idv_error_param(reading->pool, reading->path,
                               "Must be true or false.");
    return NULL;
}

/* Zero when TEXT is not a decimal number that fits. */
static int parse_integer(const char *text, apr_int64_t *number)
{
    size_t length = strlen(text);

    if (length == 0 || length > 18 || strspn(text, "0123456789") != length)
        return 0;
    *number = apr_atoi64(text);
    return 1;
}

static idv_error_t *read_integer(const reading_t *reading)
{
    const idv_parameter_t *rule = reading->rule;
    const char *text = json_string_value(reading->value);
    apr_int64_t number;

    if (json_is_integer(reading->value))
        number = json_integer_value(reading->value);
    else if (!reading->is_query || !text || !parse_integer(text, &number))
        return idv_error_param(reading->pool, reading->path,
                               "Must be an integer.");
    if (number < rule->minimum || number > rule->maximum)
        return idv_error_param(reading->pool, reading->path,
                               "Must be between %" APR_INT64_T_FMT
                               " and %" APR_INT64_T_FMT ".",
                               rule->minimum, rule->maximum);
    *(apr_int64_t *)reading->member = number;
    return NULL;
}

static idv_error_t *check_count(const reading_t *reading, apr_size_t count)
{
    const idv_parameter_t *rule = reading->rule;

    if ((apr_int64_t)count < rule->minimum)
        return idv_error_param(reading->pool, reading->path,
                               "Must have at least %" APR_INT64_T_FMT
                               " entries.", rule->minimum);
    if ((apr_int64_t)count > rule->maximum)
        return idv_error_param(reading->pool, reading->path,
                               "Must have at most %" APR_INT64_T_FMT
                               " entries.", rule->maximum);
    return NULL;
}

static idv_error_t *read_strings(const reading_t *reading)
{
    size_t i;
    json_t *entry;

    if (!json_is_array(reading->value))
        return idv_error_param(reading->pool, reading->path,
                               "Must be an array of strings.");
    IDV_TRY(check_count(reading, json_array_size(reading->value)));
    json_array_foreach(reading->value, i, entry) {
        const char *path = apr_psprintf(reading->pool, "%s[%" APR_SIZE_T_FMT
                                        "]", reading->path, i);

        if (!json_is_string(entry))
            return idv_error_param(reading->pool, path, "Must be a string.");
        IDV_TRY(check_string(reading, path, json_string_value(entry), 0));
    }
    *(const json_t **)reading->member = reading->value;
    return NULL;
}

static idv_error_t *read_object(const reading_t *reading)
{
    if (!json_is_object(reading->value))
        return idv_error_param(reading->pool, reading->path,
                               "Must be an object.");
    IDV_TRY(check_count(reading, json_object_size(reading->value)));
    *(const json_t **)reading->member = reading->value;
    return NULL;
}

static idv_error_t *refuse(const reading_t *reading)
{
    return idv_error_param(reading->pool, reading->path, "%s",
                           reading->rule->refusal);
}

static idv_error_t *(*const readers[])(const reading_t *) = {
    [IDV_PARAMETER_STRING] = read_string,
    [IDV_PARAMETER_BOOLEAN] = read_boolean,
    [IDV_PARAMETER_INTEGER] = read_integer,
    [IDV_PARAMETER_ID] = read_id,
    [IDV_PARAMETER_STRINGS] = read_strings,
    [IDV_PARAMETER_OBJECT] = read_object,
    [IDV_PARAMETER_REFUSED] = refuse,
};

static const idv_parameter_t *rule_of(const idv_parameter_t *table,
                                      const char *name)
{
    for (; table->name; table++) {
        if (strcmp(table->name, name) == 0)
            return table;
    }
    return NULL;
}

static idv_error_t *read_one(const idv_request_t *request,
                             const idv_parameter_t *rule, json_t *value,
                             void *input)
{
    reading_t reading = {request->pool, rule, rule->name, value,
                         request->parameters_are_query,
                         (char *)input + rule->offset};

    if (json_is_null(value) && (rule->flags & IDV_NULLABLE))
        return NULL;
    return readers[rule->type](&reading);
}

idv_error_t *idv_parameters_read(const idv_request_t *request,
                                 const idv_parameter_t *table, void *input)
{
    return idv_parameters_read_each(request, table, input, NULL, NULL);
}

idv_error_t *idv_parameters_read_each(const idv_request_t *request,
                                      const idv_parameter_t *table, void *input,
                                      idv_parameter_check_t check, void *baton)
{
    const char *name;
    json_t *value;

    json_object_foreach(request->parameters, name, value) {
        const idv_parameter_t *rule = rule_of(table, name);

        if (!rule)
            return idv_error_param(request->pool,
                                   showable(name, request->pool),
                                   "Unknown parameter.");
        IDV_TRY(read_one(request, rule, value, input));
        if (check)
            IDV_TRY(check(baton, name));
    }
    for (; table->name; table++) {
        if ((table->flags & IDV_REQUIRED)
            && !json_object_get(request->parameters, table->name))
            return idv_error_param(request->pool, table->name,
                                   "The parameter is required.");
    }
    return NULL;
}

idv_error_t *idv_parameters_none(const idv_request_t *request)
{
    static const idv_parameter_t nothing[] = {{0}};

    return idv_parameters_read(request, nothing, NULL);
}
