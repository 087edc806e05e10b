/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/method/method.h"

#include <math.h>
#include <string.h>

#include "core/json_record.h"

/* --- what evidence is worth --- */

static const struct {
    const char *value;
    double ceiling;
} levels[IDV_ASSURANCE_COUNT] = {
#define X(name, value, ceiling) [IDV_ASSURANCE_##name] = {value, ceiling},
    IDV_ASSURANCES(X)
#undef X
};

const char *idv_assurance_value(idv_assurance_t assurance)
{
    return levels[assurance].value;
}

idv_assurance_t idv_assurance_parse(const char *value)
{
    for (int i = IDV_ASSURANCE_NONE + 1; value && i < IDV_ASSURANCE_COUNT; i++)
        if (!strcmp(levels[i].value, value))
            return i;
    return IDV_ASSURANCE_NONE;
}

double idv_assurance_confidence(idv_assurance_t assurance, double reading)
{
    return floor(levels[assurance].ceiling * reading * 1000) / 1000;
}

int idv_assurance_identifies(idv_assurance_t assurance)
{
    return assurance >= IDV_ASSURANCE_CONSISTENT;
}

/* --- strengths --- */

static const char *const strength_values[IDV_STRENGTH_COUNT] = {
#define X(name, value) [IDV_STRENGTH_##name] = value,
    IDV_STRENGTHS(X)
#undef X
};

static const char *const strength_uppers[IDV_STRENGTH_COUNT] = {
#define X(name, value) [IDV_STRENGTH_##name] = #name,
    IDV_STRENGTHS(X)
#undef X
};

const char *idv_strength_value(idv_strength_t strength)
{
    return strength_values[strength];
}

const char *idv_strength_upper(idv_strength_t strength)
{
    return strength_uppers[strength];
}

idv_strength_t idv_strength_parse(const char *value)
{
    idv_method_t method;

    for (int i = IDV_STRENGTH_NONE + 1; value && i < IDV_STRENGTH_COUNT; i++)
        if (!strcmp(strength_values[i], value))
            return i;
    method = idv_method_parse(value);
    return method == IDV_METHOD_NONE ? IDV_STRENGTH_NONE
                                     : idv_method_strength(method);
}

int idv_strength_satisfies(idv_strength_t have, idv_strength_t want)
{
    return have >= want;
}

/* --- methods --- */

static const struct {
    const char *value;
    const char *upper;
    idv_method_kind_t kind;
    idv_strength_t strength;
    idv_assurance_t reach;
} methods[IDV_METHOD_COUNT] = {
#define X(name, value, kind, strength, reach)                                  \
    [IDV_METHOD_##name] = {value, #name, IDV_METHOD_##kind,                    \
                           IDV_STRENGTH_##strength, IDV_ASSURANCE_##reach},
    IDV_METHODS(X)
#undef X
};

const char *idv_method_value(idv_method_t method)
{
    return method == IDV_METHOD_NONE ? NULL : methods[method].value;
}

const char *idv_method_upper(idv_method_t method)
{
    return method == IDV_METHOD_NONE ? NULL : methods[method].upper;
}

idv_method_t idv_method_parse(const char *value)
{
    for (int i = 0; value && i < IDV_METHOD_COUNT; i++)
        if (!strcmp(methods[i].value, value))
            return i;
    return IDV_METHOD_NONE;
}

idv_method_kind_t idv_method_kind(idv_method_t method)
{
    return methods[method].kind;
}

idv_strength_t idv_method_strength(idv_method_t method)
{
    return methods[method].strength;
}

idv_assurance_t idv_method_reach(idv_method_t method)
{
    return methods[method].reach;
}

void idv_method_list_add(idv_method_list_t *list, idv_method_t method)
{
    if (!idv_method_list_has(list, method))
        list->items[list->count++] = method;
}

int idv_method_list_has(const idv_method_list_t *list, idv_method_t method)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i] == method)
            return 1;
    return 0;
}

idv_method_t idv_method_list_strongest(const idv_method_list_t *list)
{
    idv_method_t strongest = IDV_METHOD_NONE;

    for (int i = 0; i < list->count; i++) {
        idv_method_t method = list->items[i];

        if (idv_method_kind(method) == IDV_METHOD_PRIMARY
            && (strongest == IDV_METHOD_NONE
                || idv_method_strength(method)
                       > idv_method_strength(strongest)))
            strongest = method;
    }
    return strongest;
}

json_t *idv_method_list_json(const idv_method_list_t *list)
{
    json_t *array = json_array();

    for (int i = 0; i < list->count; i++)
        json_array_append_new(array,
                              json_string(idv_method_value(list->items[i])));
    return array;
}

idv_error_t *idv_method_list_load(const json_t *array, idv_method_list_t *list,
                                  apr_pool_t *pool)
{
    const json_t *item;
    size_t i;

    memset(list, 0, sizeof(*list));
    if (!json_is_array(array))
        return idv_error_internal(pool, "a stored list of methods is not an "
                                        "array");
    json_array_foreach (array, i, item) {
        idv_method_t method = idv_method_parse(json_string_value(item));

        if (method == IDV_METHOD_NONE)
            return idv_error_internal(pool, "a stored method is unknown");
        idv_method_list_add(list, method);
    }
    return NULL;
}

void idv_method_list_write(idv_json_writer_t *writer, const char *key,
                           const idv_method_list_t *list)
{
    idv_json_open_array(writer, key);
    for (int i = 0; i < list->count; i++)
        idv_json_put_text(writer, NULL, idv_method_value(list->items[i]));
    idv_json_close_array(writer);
}

static idv_error_t *read_item(const char *json, void *list, apr_pool_t *pool)
{
    const char *value = idv_json_read_text(json, pool);
    idv_method_t method = value ? idv_method_parse(value) : IDV_METHOD_NONE;

    if (method == IDV_METHOD_NONE)
        return idv_error_internal(pool, "a stored method is unknown");
    idv_method_list_add(list, method);
    return NULL;
}

idv_error_t *idv_method_list_read(const char *json, idv_method_list_t *list,
                                  apr_pool_t *pool)
{
    memset(list, 0, sizeof(*list));
    return idv_json_read_array(json, read_item, list, pool);
}
