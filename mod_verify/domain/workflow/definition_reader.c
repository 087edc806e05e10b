/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow/definition_reader.h"

#include <stdarg.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json.h"

/* The ARGUMENTS of FORMAT as texts. */
static void read_values(idv_workflow_fault_t *fault, const char *format,
                        va_list arguments, apr_pool_t *pool)
{
    int count = 0;

    /* Here the argument is the whole message, not a value in it. */
    if (strcmp(format, "%s") == 0)
        return;
    for (const char *c = strchr(format, '%');
         c && count < IDV_WORKFLOW_FAULT_VALUES_MAX; c = strchr(c + 1, '%'))
        fault->values[count++] =
            c[1] == 'd' ? apr_itoa(pool, va_arg(arguments, int))
                        : va_arg(arguments, const char *);
}

void idv_definition_fault(const idv_definition_place_t *at, const char *rule,
                          const char *format, ...)
{
    apr_array_header_t *faults = at->compiler->faults;
    idv_workflow_fault_t *entry;
    va_list arguments;

    if (faults->nelts >= IDV_WORKFLOW_FAULTS_MAX)
        return;
    entry = apr_array_push(faults);
    *entry = (idv_workflow_fault_t){.pointer = at->pointer, .rule = rule};
    va_start(arguments, format);
    entry->message = apr_pvsprintf(at->compiler->pool, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    read_values(entry, format, arguments, at->compiler->pool);
    va_end(arguments);
}

idv_definition_place_t idv_definition_member(const idv_definition_place_t *at,
                                             const char *key)
{
    return (idv_definition_place_t){
        at->compiler, json_object_get(at->value, key),
        idv_json_pointer_member(at->pointer, key, at->compiler->pool),
        at->node};
}

idv_definition_place_t idv_definition_element(const idv_definition_place_t *at,
                                              size_t index)
{
    return (idv_definition_place_t){
        at->compiler, json_array_get(at->value, index),
        idv_json_pointer_element(at->pointer, index, at->compiler->pool),
        at->node};
}

static const idv_definition_key_t *
reader_of(const idv_definition_key_t *readers, const char *key)
{
    while (readers->key && strcmp(readers->key, key))
        readers++;
    return readers;
}

void idv_definition_read_keys(const idv_definition_place_t *at,
                              const idv_definition_key_t *readers)
{
    const char *key;
    json_t *value;

    json_object_foreach (at->value, key, value) {
        const idv_definition_key_t *reader = reader_of(readers, key);
        idv_definition_place_t here = idv_definition_member(at, key);

        if (!reader->key)
            idv_definition_fault(&here, "unknown_key", "Unknown key.");
        else if (reader->read)
            reader->read(&here);
    }
    for (; readers->key; readers++) {
        idv_definition_place_t here = idv_definition_member(at, readers->key);

        if (readers->required && !here.value)
            idv_definition_fault(&here, "missing", "Is missing.");
    }
}

void idv_definition_read_object(const idv_definition_place_t *at,
                                const idv_definition_key_t *readers)
{
    if (json_is_object(at->value))
        idv_definition_read_keys(at, readers);
    else
        idv_definition_fault(at, "object", "Must be an object.");
}

int idv_definition_integer(const idv_definition_place_t *at, int min, int max)
{
    json_int_t number = json_integer_value(at->value);

    if (json_is_integer(at->value) && number >= min && number <= max)
        return (int)number;
    idv_definition_fault(at, "integer", "Must be a whole number from %d to %d.",
                         min, max);
    return min;
}

int idv_definition_boolean(const idv_definition_place_t *at)
{
    if (!json_is_boolean(at->value))
        idv_definition_fault(at, "boolean", "Must be true or false.");
    return json_is_true(at->value);
}

int idv_definition_either(const idv_definition_place_t *at, const char *one,
                          const char *other)
{
    const char *text = json_string_value(at->value);

    if (text && !strcmp(text, other))
        return 1;
    if (!text || strcmp(text, one))
        idv_definition_fault(at, "either", "Must be %s or %s.", one, other);
    return 0;
}
