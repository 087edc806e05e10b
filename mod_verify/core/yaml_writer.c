/* SPDX-License-Identifier: Apache-2.0 */
#include "core/yaml_writer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>
#include <yaml.h>

#include "core/terminal_text.h"

typedef struct {
    yaml_emitter_t emitter;
    apr_array_header_t *bytes; /* char */
    int failed;
} writer_t;

static int append(void *baton, unsigned char *bytes, size_t length)
{
    writer_t *writer = baton;

    for (size_t i = 0; i < length; i++)
        APR_ARRAY_PUSH(writer->bytes, char) = (char)bytes[i];
    return 1;
}

static void emit(writer_t *writer, yaml_event_t *event, int is_made)
{
    if (!is_made || !yaml_emitter_emit(&writer->emitter, event))
        writer->failed = 1;
}

/* --- scalars --- */

/* Words that some reader of YAML 1.1 or 1.2 takes for a truth value or null. */
static int is_reserved(const char *text)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no",
                                        "on",   "off",  "y",     "n",   NULL};

    for (const char *const *word = words; *word; word++)
        if (strcasecmp(*word, text) == 0)
            return 1;
    return 0;
}

/* A text that begins like a name or path, and is not reserved, is a text to any
 * reader. libyaml quotes what the syntax demands. */
static yaml_scalar_style_t style_of(const char *text)
{
    if (strchr(text, '\n') && strlen(text) > 1)
        return YAML_LITERAL_SCALAR_STYLE;
    return (isalpha((unsigned char)*text) || *text == '/') && !is_reserved(text)
             ? YAML_PLAIN_SCALAR_STYLE
             : YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

static void emit_text(writer_t *writer, const char *text,
                      yaml_scalar_style_t style)
{
    yaml_event_t event;

    emit(writer, &event,
         yaml_scalar_event_initialize(&event, NULL, NULL,
                                      (const yaml_char_t *)text,
                                      (int)strlen(text), 1, 1, style));
}

static void emit_scalar(writer_t *writer, const json_t *value)
{
    char *text;

    if (json_is_string(value)) {
        emit_text(writer, json_string_value(value),
                  style_of(json_string_value(value)));
        return;
    }
    text = json_dumps(value, JSON_ENCODE_ANY);
    if (text)
        emit_text(writer, text, YAML_PLAIN_SCALAR_STYLE);
    else
        writer->failed = 1;
    free(text);
}

/* --- containers --- */

static void emit_value(writer_t *writer, const json_t *value);

static int is_scalar(const json_t *value)
{
    return !json_is_object(value) && !json_is_array(value);
}

/* A short list of scalars fits on a line. */
static int is_short(const json_t *list)
{
    json_t *item;
    size_t i;

    json_array_foreach ((json_t *)list, i, item)
        if (!is_scalar(item) || json_string_length(item) > 40)
            return 0;
    return json_array_size(list) <= 8;
}

static void emit_list(writer_t *writer, const json_t *list)
{
    yaml_event_t event;
    json_t *item;
    size_t i;

    emit(writer, &event,
         yaml_sequence_start_event_initialize(
             &event, NULL, NULL, 1,
             is_short(list) ? YAML_FLOW_SEQUENCE_STYLE
                            : YAML_BLOCK_SEQUENCE_STYLE));
    json_array_foreach ((json_t *)list, i, item)
        emit_value(writer, item);
    emit(writer, &event, yaml_sequence_end_event_initialize(&event));
}

static void emit_object(writer_t *writer, const json_t *object)
{
    yaml_event_t event;
    const char *name;
    json_t *member;

    emit(writer, &event,
         yaml_mapping_start_event_initialize(
             &event, NULL, NULL, 1,
             json_object_size(object) ? YAML_BLOCK_MAPPING_STYLE
                                      : YAML_FLOW_MAPPING_STYLE));
    json_object_foreach ((json_t *)object, name, member) {
        emit_text(writer, name,
                  style_of(name) == YAML_PLAIN_SCALAR_STYLE
                      ? YAML_PLAIN_SCALAR_STYLE
                      : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
        emit_value(writer, member);
    }
    emit(writer, &event, yaml_mapping_end_event_initialize(&event));
}

static void emit_value(writer_t *writer, const json_t *value)
{
    if (json_is_object(value))
        emit_object(writer, value);
    else if (json_is_array(value))
        emit_list(writer, value);
    else
        emit_scalar(writer, value);
}

static void emit_document(writer_t *writer, const json_t *value)
{
    yaml_event_t event;

    emit(writer, &event,
         yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(writer, &event,
         yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
    emit_value(writer, value);
    emit(writer, &event, yaml_document_end_event_initialize(&event, 1));
    emit(writer, &event, yaml_stream_end_event_initialize(&event));
}

static idv_error_t *write_text(const json_t *value, int in_ascii,
                               const char **text, apr_pool_t *pool)
{
    writer_t writer = {.bytes = apr_array_make(pool, 4096, 1)};

    if (!yaml_emitter_initialize(&writer.emitter))
        return idv_error_internal(pool, "libyaml: no memory");
    yaml_emitter_set_output(&writer.emitter, append, &writer);
    yaml_emitter_set_encoding(&writer.emitter, YAML_UTF8_ENCODING);
    yaml_emitter_set_unicode(&writer.emitter, !in_ascii);
    yaml_emitter_set_indent(&writer.emitter, 2);
    yaml_emitter_set_width(&writer.emitter, -1);
    emit_document(&writer, value);
    yaml_emitter_delete(&writer.emitter);
    if (writer.failed)
        return idv_error_internal(pool, "YAML could not be written");
    APR_ARRAY_PUSH(writer.bytes, char) = '\0';
    *text = writer.bytes->elts;
    return NULL;
}

idv_error_t *idv_yaml_write(const json_t *value, const char **text,
                            apr_pool_t *pool)
{
    IDV_TRY(write_text(value, 0, text, pool));
    return idv_terminal_lines(*text, pool) == *text
             ? NULL
             : write_text(value, 1, text, pool);
}
