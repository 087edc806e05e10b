/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/setup/setup_value.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json_writer.h"
#include "domain/value/url.h"
#include "domain/workflow/workflow_diff.h"

#define SHOWN_MAX 120 /* bytes of a value in a plan */

/* --- equality --- */

static int by_text(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* LIST, texts, in a fixed order. */
static json_t *sorted(const json_t *list, apr_pool_t *pool)
{
    size_t count = json_array_size(list);
    const char **texts = apr_palloc(pool, (count + 1) * sizeof(*texts));
    json_t *copy = idv_json_own(json_array(), pool);

    for (size_t i = 0; i < count; i++)
        texts[i] = json_string_value(json_array_get(list, i));
    qsort(texts, count, sizeof(*texts), by_text);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(copy, json_string(texts[i]));
    return copy;
}

/* OBJECT without its null members; null if nothing is left. */
static json_t *without_nulls(const json_t *object, apr_pool_t *pool)
{
    json_t *copy = idv_json_own(json_object(), pool), *value;
    const char *name;

    json_object_foreach ((json_t *)object, name, value)
        if (!json_is_null(value))
            json_object_set(copy, name, value);
    return json_object_size(copy) ? copy : json_null();
}

static const json_t *normal(const idv_setup_field_t *field,
                            const json_t *value, apr_pool_t *pool)
{
    const char *url;
    idv_error_t *error;

    if (!value || json_is_null(value))
        return json_null();
    switch (field->type) {
    case IDV_SETUP_WORDS:
    case IDV_SETUP_ADDRESSES:
    case IDV_SETUP_CERTIFICATES:
        return sorted(value, pool);
    case IDV_SETUP_BRAND:
        return without_nulls(value, pool);
    case IDV_SETUP_URL:
        error = idv_url_normalize(json_string_value(value), IDV_URL_WEBHOOK,
                                  field->name, &url, pool);
        return error ? value : idv_json_own(json_string(url), pool);
    default:
        return value;
    }
}

int idv_setup_equal(const idv_setup_field_t *field, const json_t *one,
                    const json_t *other, apr_pool_t *pool)
{
    return json_equal(normal(field, one, pool), normal(field, other, pool));
}

/* --- options --- */

static const char *joined(const json_t *list, const char *separator,
                          apr_pool_t *pool)
{
    const char *text = "";
    json_t *item;
    size_t i;

    json_array_foreach ((json_t *)list, i, item)
        text = apr_pstrcat(pool, text, i ? separator : "",
                           json_string_value(item), NULL);
    return text;
}

const char *idv_setup_option(const idv_setup_field_t *field,
                             const json_t *value, apr_pool_t *pool)
{
    if (json_is_null(value))
        return field->type == IDV_SETUP_LIMIT ? "server" : "";
    switch (field->type) {
    case IDV_SETUP_NUMBER:
    case IDV_SETUP_LIMIT:
        return apr_psprintf(pool, "%" APR_INT64_T_FMT,
                            (apr_int64_t)json_integer_value(value));
    case IDV_SETUP_SWITCH:
        return json_is_true(value) ? "on" : "off";
    case IDV_SETUP_FLAG:
        return json_is_true(value) ? "" : NULL;
    case IDV_SETUP_WORDS:
        return joined(value, ",", pool);
    case IDV_SETUP_ADDRESSES:
        return joined(value, " ", pool);
    case IDV_SETUP_MAPPING:
        return idv_json_text(value, pool);
    default:
        return json_string_value(value);
    }
}

/* --- plans --- */

/* VALUE, or its beginning if it is long. New reference. */
static json_t *shown(const json_t *value, apr_pool_t *pool)
{
    const char *text;
    size_t length;

    if (!value || json_is_null(value))
        return json_null();
    text = json_is_string(value) ? json_string_value(value)
                                 : idv_json_text(value, pool);
    length = strlen(text);
    if (length <= SHOWN_MAX)
        return json_incref((json_t *)value);
    length = SHOWN_MAX;
    while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    return json_string(apr_psprintf(pool, "%.*s... (%" APR_SIZE_T_FMT " bytes)",
                                    (int)length, text, strlen(text)));
}

static void add(json_t *fields, const char *name, const json_t *before,
                const json_t *after, apr_pool_t *pool)
{
    json_array_append_new(fields,
                          json_pack("{s:s, s:o, s:o}", "field", name, "old",
                                    shown(before, pool), "new",
                                    shown(after, pool)));
}

static void show_members(const idv_setup_field_t *field, const json_t *before,
                         const json_t *after, json_t *fields, apr_pool_t *pool)
{
    json_t *changes = idv_json_own(idv_workflow_diff(before, after, pool), pool);
    json_t *change;
    size_t i;

    json_array_foreach (changes, i, change)
        add(fields,
            apr_pstrcat(pool, field->name,
                        json_string_value(json_object_get(change, "pointer")),
                        NULL),
            json_object_get(change, "before"), json_object_get(change, "after"),
            pool);
}

void idv_setup_show(const idv_setup_field_t *field, const json_t *before,
                    const json_t *after, json_t *fields, apr_pool_t *pool)
{
    switch (field->type) {
    case IDV_SETUP_CERTIFICATES:
        json_array_append_new(
            fields, json_pack("{s:s, s:i, s:i}", "field", field->name, "old",
                              (int)json_array_size(before), "new",
                              (int)json_array_size(after)));
        return;
    case IDV_SETUP_BRAND:
    case IDV_SETUP_DOCUMENT:
    case IDV_SETUP_MAPPING:
        if (json_is_object(before) && json_is_object(after)) {
            show_members(field, before, after, fields, pool);
            return;
        }
        add(fields, field->name, before, after, pool);
        return;
    default:
        add(fields, field->name, before, after, pool);
    }
}
