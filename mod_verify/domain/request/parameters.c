/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/request/parameters.h"

#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "core/id.h"
#include "core/utf8.h"
#include "domain/method/method.h"
#include "domain/value/identifier.h"
#include "domain/value/jurisdiction.h"
#include "domain/value/session_type.h"

/* Characters of an unknown name up to which an error repeats it. */
#define NAME_MAX_SHOWN 64

/* One parameter being read. */
typedef struct {
    apr_pool_t *pool;
    const idv_parameter_t *rule;
    const char *path;
    const json_t *value;
    int is_query;
    void *member;
} reading_t;

/* An unknown name is shown only if that is harmless. */
static const char *showable(const char *name, apr_pool_t *pool)
{
    for (const char *c = name; *c; c++) {
        if (!apr_isprint(*c) || c - name >= NAME_MAX_SHOWN)
            return NULL;
    }
    return *name ? apr_pstrdup(pool, name) : NULL;
}

static idv_error_t *fault(const reading_t *reading, const char *message)
{
    return idv_error_param(reading->pool, reading->path, "%s", message);
}

/* Likewise, with the name of the array element INDEX. */
static idv_error_t *element_fault(const reading_t *reading, size_t index,
                                  const char *message)
{
    return idv_error_param(reading->pool,
                           apr_psprintf(reading->pool,
                                        "%s[%" APR_SIZE_T_FMT "]",
                                        reading->path, index),
                           "%s", message);
}

/* --- what a parameter takes, in words --- */

static const char *const expected[IDV_PARAMETER_TYPE_COUNT] = {
    [IDV_PARAMETER_STRING] = "a string",
    [IDV_PARAMETER_BOOLEAN] = "true or false",
    [IDV_PARAMETER_STRINGS] = "an array of strings",
    [IDV_PARAMETER_OBJECT] = "an object",
    [IDV_PARAMETER_OBJECTS] = "an array of objects",
    [IDV_PARAMETER_METADATA] = "an object with string values",
    [IDV_PARAMETER_EMAIL] = "an email address as a string",
    [IDV_PARAMETER_PHONE] = "a phone number as a string, with a leading `+`",
    [IDV_PARAMETER_JURISDICTION] = "a country or a region, such as `DE` or "
                                   "`US-CA`",
    [IDV_PARAMETER_REDIRECT_URL] = "an `https` URL as a string",
    [IDV_PARAMETER_WEBHOOK_URL] = "an `https` URL as a string",
    [IDV_PARAMETER_SESSION_TYPE] = "`identity`, `age` or `student`",
    [IDV_PARAMETER_STRENGTH] = "a credential strength, such as "
                               "`document_capture`",
    [IDV_PARAMETER_METHODS] = "an array of verification methods",
    [IDV_PARAMETER_MAX_AGE] = "a number of days from 1 to 3650 followed by "
                              "`d`, such as `30d`",
    [IDV_PARAMETER_MAX_AGE_NUMBER] = "a number of days from 1 to 3650 as a "
                                     "string, such as `30`",
};

static const char *list_of(const char *const *values, const char *before,
                           apr_pool_t *pool)
{
    const char *list = before;

    for (int i = 0; values[i]; i++)
        list = apr_pstrcat(pool, list, i ? ", `" : " `", values[i], "`", NULL);
    return list;
}

/* Completes "Pass …" and "must be …". */
static const char *expectation(const idv_parameter_t *rule, apr_pool_t *pool)
{
    if (rule->hint)
        return rule->hint;
    if (rule->values)
        return list_of(rule->values,
                       rule->type == IDV_PARAMETER_STRINGS ? "an array of"
                                                           : "one of",
                       pool);
    if (rule->type == IDV_PARAMETER_ID)
        return apr_psprintf(pool, "an id that begins with `%s`",
                            idv_id_prefix((idv_id_type_t)rule->minimum));
    if (rule->type == IDV_PARAMETER_INTEGER)
        return apr_psprintf(
            pool, "an integer from %" APR_INT64_T_FMT " to %" APR_INT64_T_FMT,
            rule->minimum, rule->maximum);
    return expected[rule->type];
}

static idv_error_t *not_expected(const reading_t *reading)
{
    return idv_error_param(reading->pool, reading->path, "must be %s.",
                           expectation(reading->rule, reading->pool));
}

/* --- texts --- */

static int is_one_of(const char *text, const char *const *values)
{
    for (; *values; values++)
        if (strcmp(*values, text) == 0)
            return 1;
    return 0;
}

/* The value as a text within its bounds. */
static idv_error_t *read_text(const reading_t *reading, const char **text)
{
    const idv_parameter_t *rule = reading->rule;
    apr_int64_t length;

    *text = json_string_value(reading->value);
    if (!*text)
        return not_expected(reading);
    if (rule->values)
        return is_one_of(*text, rule->values) ? NULL : not_expected(reading);
    length = (apr_int64_t)idv_utf8_length(*text);
    if (length == 0 && rule->minimum > 0)
        return idv_error_param(reading->pool, reading->path,
                               "must not be empty. Pass %s.",
                               expectation(rule, reading->pool));
    if (length < rule->minimum)
        return idv_error_param(reading->pool, reading->path,
                               "must have at least %" APR_INT64_T_FMT
                               " characters.",
                               rule->minimum);
    if (length > rule->maximum)
        return idv_error_param(reading->pool, reading->path,
                               "must have at most %" APR_INT64_T_FMT
                               " characters.",
                               rule->maximum);
    return NULL;
}

static idv_error_t *read_string(const reading_t *reading)
{
    return read_text(reading, reading->member);
}

static idv_error_t *read_id(const reading_t *reading)
{
    const char *text = json_string_value(reading->value);

    if (!text || !idv_id_is((idv_id_type_t)reading->rule->minimum, text))
        return not_expected(reading);
    *(const char **)reading->member = text;
    return NULL;
}

/* The form of a text in which it is kept. */
typedef idv_error_t *normalize_t(const char *text, const char *param,
                                 const char **out, apr_pool_t *pool);

static idv_error_t *read_normal(const reading_t *reading,
                                normalize_t *normalize)
{
    const char *text;

    IDV_TRY(read_text(reading, &text));
    return normalize(text, reading->path, reading->member, reading->pool);
}

static idv_error_t *read_email(const reading_t *reading)
{
    return read_normal(reading, idv_email_normalize);
}

static idv_error_t *read_phone(const reading_t *reading)
{
    return read_normal(reading, idv_phone_normalize);
}

static idv_error_t *read_jurisdiction(const reading_t *reading)
{
    return read_normal(reading, idv_jurisdiction_parse);
}

static idv_error_t *read_redirect_url(const reading_t *reading)
{
    const char *text;

    IDV_TRY(read_text(reading, &text));
    return idv_url_normalize(text, IDV_URL_REDIRECT, reading->path,
                             reading->member, reading->pool);
}

static idv_error_t *read_webhook_url(const reading_t *reading)
{
    const char *text;

    IDV_TRY(read_text(reading, &text));
    return idv_url_normalize(text, IDV_URL_WEBHOOK, reading->path,
                             reading->member, reading->pool);
}

/* --- numbers and flags --- */

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
        return not_expected(reading);
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
        return not_expected(reading);
    if (number < rule->minimum || number > rule->maximum)
        return not_expected(reading);
    *(apr_int64_t *)reading->member = number;
    return NULL;
}

/* A number of days before the text UNIT. */
static idv_error_t *read_days(const reading_t *reading, const char *unit)
{
    const char *text;
    size_t digits;
    apr_int64_t days;

    IDV_TRY(read_text(reading, &text));
    digits = strspn(text, "0123456789");
    if (text[0] == '0' || strcmp(text + digits, unit) != 0
        || !parse_integer(apr_pstrmemdup(reading->pool, text, digits), &days)
        || days > IDV_MAX_AGE_DAYS)
        return not_expected(reading);
    *(int *)reading->member = (int)days;
    return NULL;
}

static idv_error_t *read_max_age(const reading_t *reading)
{
    return read_days(reading, "d");
}

static idv_error_t *read_max_age_number(const reading_t *reading)
{
    return read_days(reading, "");
}

/* --- arrays and objects --- */

static idv_error_t *check_count(const reading_t *reading, apr_size_t count)
{
    const idv_parameter_t *rule = reading->rule;

    if ((apr_int64_t)count < rule->minimum)
        return idv_error_param(
            reading->pool, reading->path,
            "must have at least %" APR_INT64_T_FMT " entries.", rule->minimum);
    if ((apr_int64_t)count > rule->maximum)
        return idv_error_param(
            reading->pool, reading->path,
            "must have at most %" APR_INT64_T_FMT " entries.", rule->maximum);
    return NULL;
}

static idv_error_t *read_strings(const reading_t *reading)
{
    const char *const *allowed = reading->rule->values;
    const json_t *entry;
    size_t i;

    if (!json_is_array(reading->value))
        return not_expected(reading);
    IDV_TRY(check_count(reading, json_array_size(reading->value)));
    json_array_foreach (reading->value, i, entry) {
        if (!json_is_string(entry))
            return element_fault(reading, i, "must be a string.");
        if (allowed && !is_one_of(json_string_value(entry), allowed))
            return element_fault(
                reading, i,
                apr_pstrcat(reading->pool,
                            list_of(allowed, "must be one of", reading->pool),
                            ".", NULL));
    }
    *(const json_t **)reading->member = reading->value;
    return NULL;
}

static idv_error_t *read_methods(const reading_t *reading)
{
    idv_method_list_t *list = reading->member;
    const json_t *entry;
    size_t i;

    if (!json_is_array(reading->value))
        return not_expected(reading);
    IDV_TRY(check_count(reading, json_array_size(reading->value)));
    list->count = 0;
    json_array_foreach (reading->value, i, entry) {
        idv_method_t method = idv_method_parse(json_string_value(entry));

        if (method == IDV_METHOD_NONE)
            return element_fault(reading, i, "must be a verification method.");
        if (idv_method_list_has(list, method)
            && !(reading->rule->flags & IDV_REPEATABLE))
            return element_fault(reading, i, "is listed twice. List it once.");
        idv_method_list_add(list, method);
    }
    return NULL;
}

static idv_error_t *read_object(const reading_t *reading)
{
    const json_t *value = reading->value;

    if (json_is_array(value) && json_array_size(value) == 0)
        value = idv_json_own(json_object(), reading->pool);
    if (!json_is_object(value))
        return fault(reading, "must be an object.");
    IDV_TRY(check_count(reading, json_object_size(value)));
    *(const json_t **)reading->member = value;
    return NULL;
}

static idv_error_t *read_objects(const reading_t *reading)
{
    const json_t *value;
    size_t i;

    if (!json_is_array(reading->value))
        return not_expected(reading);
    IDV_TRY(check_count(reading, json_array_size(reading->value)));
    json_array_foreach (reading->value, i, value) {
        const reading_t element = {
            .pool = reading->pool,
            .path = apr_psprintf(reading->pool, "%s[%d]", reading->path,
                                 (int)i),
        };

        if (!json_is_object(value))
            return fault(&element, "must be an object.");
    }
    *(const json_t **)reading->member = reading->value;
    return NULL;
}

static idv_error_t *read_metadata(const reading_t *reading)
{
    static const idv_parameter_t value_rule = {
        .type = IDV_PARAMETER_STRING, .maximum = IDV_METADATA_VALUE_MAX};
    const json_t *value;
    const char *key, *text;

    IDV_TRY(read_object(reading));
    json_object_foreach ((json_t *)reading->value, key, value) {
        const reading_t pair = {
            .pool = reading->pool,
            .rule = &value_rule,
            .path = apr_pstrcat(reading->pool, reading->path, ".", key, NULL),
            .value = value,
        };
        apr_size_t length = idv_utf8_length(key);

        if (length < 1 || length > IDV_METADATA_KEY_MAX)
            return idv_error_param(reading->pool, reading->path,
                                   "must have keys of 1 to %d characters.",
                                   IDV_METADATA_KEY_MAX);
        IDV_TRY(read_text(&pair, &text));
    }
    return NULL;
}

/* --- words of the interface --- */

static idv_error_t *read_session_type(const reading_t *reading)
{
    idv_session_type_t type =
        idv_session_type_parse(json_string_value(reading->value));

    if (type == IDV_SESSION_TYPE_NONE)
        return not_expected(reading);
    *(idv_session_type_t *)reading->member = type;
    return NULL;
}

static idv_error_t *read_strength(const reading_t *reading)
{
    idv_strength_t strength =
        idv_strength_parse(json_string_value(reading->value));

    if (strength == IDV_STRENGTH_NONE)
        return not_expected(reading);
    *(idv_strength_t *)reading->member = strength;
    return NULL;
}

static idv_error_t *refuse(const reading_t *reading)
{
    return fault(reading, reading->rule->hint);
}

static idv_error_t *(*const readers[IDV_PARAMETER_TYPE_COUNT])(
    const reading_t *) = {
    [IDV_PARAMETER_STRING] = read_string,
    [IDV_PARAMETER_BOOLEAN] = read_boolean,
    [IDV_PARAMETER_INTEGER] = read_integer,
    [IDV_PARAMETER_ID] = read_id,
    [IDV_PARAMETER_STRINGS] = read_strings,
    [IDV_PARAMETER_OBJECT] = read_object,
    [IDV_PARAMETER_OBJECTS] = read_objects,
    [IDV_PARAMETER_METADATA] = read_metadata,
    [IDV_PARAMETER_EMAIL] = read_email,
    [IDV_PARAMETER_PHONE] = read_phone,
    [IDV_PARAMETER_JURISDICTION] = read_jurisdiction,
    [IDV_PARAMETER_REDIRECT_URL] = read_redirect_url,
    [IDV_PARAMETER_WEBHOOK_URL] = read_webhook_url,
    [IDV_PARAMETER_SESSION_TYPE] = read_session_type,
    [IDV_PARAMETER_STRENGTH] = read_strength,
    [IDV_PARAMETER_METHODS] = read_methods,
    [IDV_PARAMETER_MAX_AGE] = read_max_age,
    [IDV_PARAMETER_MAX_AGE_NUMBER] = read_max_age_number,
    [IDV_PARAMETER_REFUSED] = refuse,
};

/* --- a table --- */

static const idv_parameter_t *rule_of(const idv_parameter_t *table,
                                      const char *name)
{
    for (; table->name; table++) {
        if (strcmp(table->name, name) == 0)
            return table;
    }
    return NULL;
}

static idv_error_t *unknown(const char *name, apr_pool_t *pool)
{
    const char *shown = showable(name, pool);

    return shown ? idv_error_param(pool, shown,
                                   "is unknown. Check its name, or omit it.")
                 : idv_error_param(pool, NULL,
                                   "A parameter has an unknown name. Omit it.");
}

static idv_error_t *read_one(const idv_parameters_t *given,
                             const idv_parameter_t *rule, const json_t *value,
                             void *input, apr_pool_t *pool)
{
    const reading_t reading = {.pool = pool,
                               .rule = rule,
                               .path = rule->name,
                               .value = value,
                               .is_query = given->are_query,
                               .member = (char *)input + rule->offset};

    if (json_is_null(value))
        return NULL;
    return readers[rule->type](&reading);
}

idv_error_t *idv_parameters_read(const idv_parameters_t *given,
                                 const idv_parameter_t *table, void *input,
                                 idv_parameter_check_t *check, apr_pool_t *pool)
{
    const json_t *value;
    const char *name;

    json_object_foreach ((json_t *)given->values, name, value) {
        const idv_parameter_t *rule = rule_of(table, name);

        if (!rule)
            return unknown(name, pool);
        IDV_TRY(read_one(given, rule, value, input, pool));
        if (check && (!json_is_null(value) || (rule->flags & IDV_NULLABLE)))
            IDV_TRY(check(input, name, pool));
    }
    for (; table->name; table++) {
        value = json_object_get(given->values, table->name);
        if ((table->flags & IDV_REQUIRED) && (!value || json_is_null(value)))
            return idv_error_param(pool, table->name, "is required. Pass %s.",
                                   expectation(table, pool));
    }
    return NULL;
}
