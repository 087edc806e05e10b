/* SPDX-License-Identifier: Apache-2.0 */
#include "core/query_string.h"

#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* NULL when an escape is broken or a NUL. */
static char *decode(const char *text, size_t length, apr_pool_t *pool)
{
    char *decoded = apr_palloc(pool, length + 1), *end = decoded;

    for (size_t i = 0; i < length; i++) {
        int high, low;

        if (text[i] != '%') {
            *end++ = text[i] == '+' ? ' ' : text[i];
            continue;
        }
        if (i + 2 >= length)
            return NULL;
        high = hex_digit(text[i + 1]);
        low = hex_digit(text[i + 2]);
        if (high < 0 || low < 0 || (high == 0 && low == 0))
            return NULL;
        *end++ = (char)(high << 4 | low);
        i += 2;
    }
    *end = '\0';
    return decoded;
}

#define INDEX_DIGITS 3 /* of an element's number in the name of an array */
#define PARAM_MAX 64 /* characters repeated of an unknown name */

/* NAME as the `param` of an error; NULL when it is not fit to be shown. */
static const char *as_param(const char *name)
{
    for (const char *c = name; *c; c++) {
        if (!apr_isalnum(*c) && !strchr("_-.[]", *c))
            return NULL;
    }
    return *name && strlen(name) <= PARAM_MAX ? name : NULL;
}

/* The length of NAME without the brackets of an element of an array, "[]" or
 * "[0]", which PHP, qs and others write; 0: it has none. The number only says
 * that there is an array: elements keep the order in which they were sent. */
static size_t array_name_length(const char *name)
{
    const char *open = strrchr(name, '[');
    size_t digits = open ? strspn(open + 1, "0123456789") : 0;

    if (!open || digits > INDEX_DIGITS || strcmp(open + 1 + digits, "]") != 0)
        return 0;
    return (size_t)(open - name);
}

/* MESSAGE about the parameter NAME, which is only shown if it is harmless. */
static idv_error_t *fault(const char *name, const char *message,
                          apr_pool_t *pool)
{
    const char *shown = as_param(name);

    return idv_error_param(pool, shown, shown ? "%s" : "A parameter %s",
                           message);
}

static idv_error_t *add(json_t *object, char *name, const char *value,
                        apr_pool_t *pool)
{
    size_t array = array_name_length(name);
    json_t *text = json_string(value), *known;

    if (!text)
        return fault(name, "must be valid UTF-8.", pool);
    if (array)
        name[array] = '\0';
    known = json_object_get(object, name);
    if (known && !(array && json_is_array(known))) {
        json_decref(text);
        return fault(name, "is given twice. Pass it once.", pool);
    }
    if (array && !known) {
        known = json_array();
        if (json_object_set_new(object, name, known)) {
            json_decref(text);
            return idv_error_param(pool, NULL,
                                   "A parameter's name is not valid UTF-8.");
        }
    }
    if (array ? json_array_append_new(known, text)
              : json_object_set_new(object, name, text))
        return idv_error_param(pool, NULL,
                               "A parameter's name is not valid UTF-8.");
    return NULL;
}

static idv_error_t *add_pair(json_t *object, const char *pair, size_t length,
                             apr_pool_t *pool)
{
    const char *equals = memchr(pair, '=', length);
    size_t name_length = equals ? (size_t)(equals - pair) : length;
    char *name = decode(pair, name_length, pool);
    char *value = equals ? decode(equals + 1, length - name_length - 1, pool)
                         : apr_pstrdup(pool, "");

    if (!name || !*name)
        return idv_error_param(pool, NULL,
                               "A name in the query is empty or not "
                               "percent-encoded correctly.");
    if (!value)
        return fault(name, "must be percent-encoded correctly.", pool);
    return add(object, name, value, pool);
}

static idv_error_t *parse(const char *text, json_t **out, apr_pool_t *pool)
{
    json_t *object = idv_json_own(json_object(), pool);
    int count = 0;

    *out = NULL;
    if (!object)
        return idv_error_internal(pool, "out of memory for a query");
    while (text && *text) {
        size_t length = strcspn(text, "&");

        if (length > 0) {
            if (++count > IDV_QUERY_MAX_PARAMETERS)
                return idv_error_param(pool, NULL, "Too many parameters.");
            IDV_TRY(add_pair(object, text, length, pool));
        }
        text += length;
        text += *text == '&';
    }
    *out = object;
    return NULL;
}

idv_error_t *idv_query_string_parse(const char *text, json_t **out,
                                    apr_pool_t *pool)
{
    if (text && strlen(text) > IDV_QUERY_MAX_LENGTH)
        return idv_error_param(pool, NULL, "The query is too long.");
    return parse(text, out, pool);
}

idv_error_t *idv_form_parse(idv_bytes_t body, json_t **out, apr_pool_t *pool)
{
    const char *text = (const char *)body.data;

    if (body.length > 0 && memchr(text, '\0', body.length))
        return idv_error_param(pool, NULL, "The form contains a NUL.");
    return parse(body.length ? apr_pstrmemdup(pool, text, body.length) : NULL,
                 out, pool);
}
