/* SPDX-License-Identifier: Apache-2.0 */
#include "core/yaml_document.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>
#include <yaml.h>

/* A container that is being read. */
typedef struct {
    json_t *container;
    apr_array_header_t *lines; /* int, one for each member */
    const char *key;           /* the name whose value comes next */
} frame_t;

typedef struct {
    yaml_parser_t parser;
    yaml_event_t event;
    idv_yaml_document_t *document;
    frame_t stack[IDV_JSON_MAX_DEPTH];
    int depth;
    int values;
    apr_pool_t *pool;
} reader_t;

static idv_error_t *refuse(const reader_t *reader, const char *message)
{
    reader->document->line = (int)reader->event.start_mark.line + 1;
    return idv_error_param(reader->pool, NULL, "%s", message);
}

/* --- scalars --- */

/* Whether TEXT is one of WORDS in lower case, capitalized or in upper case. */
static int is_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    int upper = 0;

    if (strlen(text) != length || strcasecmp(text, word) != 0)
        return 0;
    for (size_t i = 0; i < length; i++)
        upper += isupper((unsigned char)text[i]) != 0;
    return upper == 0 || upper == (int)length
        || (upper == 1 && isupper((unsigned char)*text));
}

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Whether TEXT is a decimal number; *IS_REAL if it has a fraction or an
 * exponent. A text like 007 is none, since it is likely a code. */
static int is_number(const char *text, int *is_real)
{
    const char *rest = text + (*text == '-');
    size_t count = digits(rest);

    *is_real = 0;
    if (count == 0 || (count > 1 && *rest == '0'))
        return 0;
    rest += count;
    if (*rest == '.') {
        *is_real = 1;
        count = digits(++rest);
        if (count == 0)
            return 0;
        rest += count;
    }
    if (*rest == 'e' || *rest == 'E') {
        *is_real = 1;
        rest += 1 + (rest[1] == '-' || rest[1] == '+');
        count = digits(rest);
        if (count == 0)
            return 0;
        rest += count;
    }
    return *rest == '\0';
}

static json_t *number(const char *text, int is_real)
{
    json_int_t whole;

    errno = 0;
    if (is_real) {
        double real = strtod(text, NULL);

        return errno ? NULL : json_real(real);
    }
    whole = strtoll(text, NULL, 10);
    return errno ? NULL : json_integer(whole);
}

/* The value of an unquoted TEXT; NULL: a number out of range. */
static json_t *plain_value(const char *text)
{
    int is_real;

    if (!*text || strcmp(text, "~") == 0 || is_word(text, "null"))
        return json_null();
    if (is_word(text, "true"))
        return json_true();
    if (is_word(text, "false"))
        return json_false();
    return is_number(text, &is_real) ? number(text, is_real)
                                     : json_string(text);
}

static idv_error_t *scalar_value(const reader_t *reader, json_t **value)
{
    const char *text = (const char *)reader->event.data.scalar.value;
    size_t length = reader->event.data.scalar.length;

    if (memchr(text, '\0', length))
        return refuse(reader, "A text contains a NUL.");
    if (reader->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        *value = plain_value(text);
    else
        *value = json_stringn(text, length);
    return *value ? NULL : refuse(reader, "A value is out of range.");
}

/* --- containers --- */

static idv_error_t *read_key(reader_t *reader, frame_t *frame)
{
    const char *text = (const char *)reader->event.data.scalar.value;
    size_t length = reader->event.data.scalar.length;

    if (reader->event.type != YAML_SCALAR_EVENT)
        return refuse(reader, "A name must be a text.");
    if (length > IDV_YAML_KEY_MAX || memchr(text, '\0', length))
        return refuse(reader, "A name is too long or contains a NUL.");
    frame->key = apr_pstrmemdup(reader->pool, text, length);
    if (json_object_get(frame->container, frame->key))
        return refuse(reader, "A name occurs twice.");
    APR_ARRAY_PUSH(frame->lines, int) =
        (int)reader->event.start_mark.line + 1;
    return NULL;
}

/* Puts VALUE, a new reference, where the reader is. */
static idv_error_t *put(reader_t *reader, json_t *value)
{
    frame_t *frame =
        reader->depth ? &reader->stack[reader->depth - 1] : NULL;

    if (++reader->values > IDV_YAML_VALUES_MAX) {
        json_decref(value);
        return refuse(reader, "The document has too many values.");
    }
    if (!frame) {
        reader->document->marked = idv_json_own(value, reader->pool);
        return json_is_object(value)
                 ? NULL
                 : refuse(reader, "The document must be a mapping.");
    }
    if (json_is_array(frame->container)) {
        APR_ARRAY_PUSH(frame->lines, int) =
            (int)reader->event.start_mark.line + 1;
        json_array_append_new(frame->container, value);
        return NULL;
    }
    if (json_object_set_new(frame->container, frame->key, value) != 0)
        return refuse(reader, "A name is not valid UTF-8.");
    frame->key = NULL;
    return NULL;
}

static idv_error_t *open_container(reader_t *reader, json_t *container)
{
    frame_t *frame = &reader->stack[reader->depth];
    json_t **key = apr_pmemdup(reader->pool, &container, sizeof(container));

    if (reader->depth == IDV_JSON_MAX_DEPTH) {
        json_decref(container);
        return refuse(reader, "The document is nested too deeply.");
    }
    IDV_TRY(put(reader, container));
    reader->depth++;
    *frame = (frame_t){
        .container = container,
        .lines = apr_array_make(reader->pool, 4, sizeof(int)),
    };
    apr_hash_set(reader->document->lines, key, sizeof(*key), frame->lines);
    return NULL;
}

/* --- events --- */

static int has_anchor_or_tag(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return 1;
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor || event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor
            || event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor
            || event->data.mapping_start.tag;
    default:
        return 0;
    }
}

static idv_error_t *read_value(reader_t *reader)
{
    json_t *value;

    if (reader->event.type == YAML_SEQUENCE_START_EVENT)
        return open_container(reader, json_array());
    if (reader->event.type == YAML_MAPPING_START_EVENT)
        return open_container(reader, json_object());
    IDV_TRY(scalar_value(reader, &value));
    return put(reader, value);
}

static idv_error_t *read_event(reader_t *reader)
{
    frame_t *frame =
        reader->depth ? &reader->stack[reader->depth - 1] : NULL;

    switch (reader->event.type) {
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        reader->depth--;
        return NULL;
    case YAML_DOCUMENT_START_EVENT:
        return reader->document->marked
                 ? refuse(reader, "The file has more than one document.")
                 : NULL;
    case YAML_ALIAS_EVENT:
    case YAML_SCALAR_EVENT:
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        if (has_anchor_or_tag(&reader->event))
            return refuse(reader, "Anchors, aliases and tags are not "
                                  "supported.");
        return frame && json_is_object(frame->container) && !frame->key
                 ? read_key(reader, frame)
                 : read_value(reader);
    default:
        return NULL;
    }
}

static idv_error_t *refuse_syntax(const reader_t *reader)
{
    const yaml_parser_t *parser = &reader->parser;

    reader->document->line = (int)parser->problem_mark.line + 1;
    return idv_error_param(reader->pool, NULL, "Not valid YAML: %s.",
                           parser->problem ? parser->problem : "no memory");
}

static idv_error_t *read_events(reader_t *reader)
{
    int is_done = 0;

    while (!is_done) {
        idv_error_t *error;

        if (!yaml_parser_parse(&reader->parser, &reader->event))
            return refuse_syntax(reader);
        is_done = reader->event.type == YAML_STREAM_END_EVENT;
        error = read_event(reader);
        yaml_event_delete(&reader->event);
        IDV_TRY(error);
    }
    if (reader->document->marked)
        return NULL;
    reader->document->line = 1;
    return idv_error_param(reader->pool, NULL, "The file is empty.");
}

static int lines_of(const char *text, apr_size_t length)
{
    int lines = 1;

    for (apr_size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

static idv_error_t *read_marked(const char *text, apr_size_t length,
                                idv_yaml_document_t *document,
                                apr_pool_t *pool)
{
    reader_t reader = {.document = document, .pool = pool};
    idv_error_t *error;

    *document = (idv_yaml_document_t){.lines = apr_hash_make(pool)};
    if (!yaml_parser_initialize(&reader.parser))
        return idv_error_internal(pool, "libyaml: no memory");
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text,
                                 length);
    error = read_events(&reader);
    yaml_parser_delete(&reader.parser);
    if (document->line > lines_of(text, length)) /* counts the end as a line */
        document->line = lines_of(text, length);
    return error;
}

/* JSON is not quite a part of YAML 1.1: of a character beyond U+FFFF it may
 * have escaped halves, which libyaml refuses. Then only the lines are missing. */
idv_error_t *idv_yaml_read(const char *text, apr_size_t length,
                           idv_yaml_document_t *document, apr_pool_t *pool)
{
    apr_size_t start = 0;
    json_t *json = NULL;
    idv_error_t *error, *json_error = NULL;

    while (start < length && strchr(" \t\r\n", text[start]) && text[start])
        start++;
    if (start < length && text[start] == '{')
        json_error = idv_json_parse(text, length, &json, pool);
    error = read_marked(text, length, document, pool);
    if (json && !json_error) {
        if (error)
            *document = (idv_yaml_document_t){.lines = document->lines};
        document->root = json;
        return NULL;
    }
    document->root = error ? NULL : document->marked;
    return error;
}

/* --- lines --- */

/* The index of KEY in CONTAINER, and its value; -1: none. */
static int find(const json_t *container, const char *key, json_t **value)
{
    const char *name;
    int index = 0;

    if (json_is_array(container)) {
        index = *key ? atoi(key) : -1;
        *value = index < 0 ? NULL
                           : json_array_get(container, (size_t)index);
        return *value ? index : -1;
    }
    json_object_foreach ((json_t *)container, name, *value) {
        if (strcmp(name, key) == 0)
            return index;
        index++;
    }
    return -1;
}

/* The next step of *POINTER, unescaped. */
static char *next_key(const char **pointer, apr_pool_t *pool)
{
    size_t length = strcspn(*pointer + 1, "/");
    char *key = apr_pstrmemdup(pool, *pointer + 1, length), *out = key;

    *pointer += 1 + length;
    for (const char *in = key; *in; in++)
        if (in[0] == '~' && (in[1] == '0' || in[1] == '1'))
            *out++ = *++in == '0' ? '~' : '/';
        else
            *out++ = *in;
    *out = '\0';
    return key;
}

int idv_yaml_line(const idv_yaml_document_t *document, const char *pointer,
                  apr_pool_t *pool)
{
    json_t *value = document->marked;
    int line = value ? 1 : 0;

    while (*pointer == '/' && value) {
        const apr_array_header_t *lines =
            apr_hash_get(document->lines, &value, sizeof(value));
        int index = lines ? find(value, next_key(&pointer, pool), &value) : -1;

        if (index < 0 || index >= lines->nelts)
            return line;
        line = APR_ARRAY_IDX(lines, index, int);
    }
    return line;
}
