/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json_writer.h"

#include <string.h>

#include "core/json.h"

#define INTEGER_SIZE 21 /* of the longest 64-bit integer */
#define TEXT_EXPECTED 200

void idv_json_writer_init(idv_json_writer_t *writer, apr_size_t expected,
                          apr_pool_t *pool)
{
    writer->size = expected + 1;
    writer->text = apr_palloc(pool, writer->size);
    writer->pool = pool;
    idv_json_writer_clear(writer);
}

void idv_json_writer_clear(idv_json_writer_t *writer)
{
    writer->length = 0;
    writer->follows = 0;
}

const char *idv_json_writer_text(idv_json_writer_t *writer, apr_size_t *length)
{
    writer->text[writer->length] = '\0';
    if (length)
        *length = writer->length;
    return writer->text;
}

/* Room for COUNT bytes and the NUL behind them. */
static char *reserve(idv_json_writer_t *writer, apr_size_t count)
{
    if (writer->size - writer->length <= count) {
        char *text;

        writer->size = 2 * writer->size + count;
        text = apr_palloc(writer->pool, writer->size);
        memcpy(text, writer->text, writer->length);
        writer->text = text;
    }
    return writer->text + writer->length;
}

static void append(idv_json_writer_t *writer, const char *bytes,
                   apr_size_t count)
{
    memcpy(reserve(writer, count), bytes, count);
    writer->length += count;
}

/* Writes what precedes a value: a comma, a key. */
static void begin(idv_json_writer_t *writer, const char *key)
{
    apr_size_t length = key ? strlen(key) : 0;
    char *end = reserve(writer, length + 4);

    if (writer->follows)
        *end++ = ',';
    if (key) {
        *end++ = '"';
        memcpy(end, key, length);
        end += length;
        *end++ = '"';
        *end++ = ':';
    }
    writer->length = (apr_size_t)(end - writer->text);
    writer->follows = 1;
}

static void open_bracket(idv_json_writer_t *writer, const char *key,
                         char bracket)
{
    begin(writer, key);
    append(writer, &bracket, 1);
    writer->follows = 0;
}

static void close_bracket(idv_json_writer_t *writer, char bracket)
{
    append(writer, &bracket, 1);
    writer->follows = 1;
}

void idv_json_open_object(idv_json_writer_t *writer, const char *key)
{
    open_bracket(writer, key, '{');
}

void idv_json_close_object(idv_json_writer_t *writer)
{
    close_bracket(writer, '}');
}

void idv_json_open_array(idv_json_writer_t *writer, const char *key)
{
    open_bracket(writer, key, '[');
}

void idv_json_close_array(idv_json_writer_t *writer)
{
    close_bracket(writer, ']');
}

static int is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

#define ESCAPE_SIZE sizeof("\\u0000")

/* The escape of a character that is not plain, NUL behind it (RFC 8259, 7). */
static void escape(char c, char escaped[ESCAPE_SIZE])
{
    static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    static const char digits[] = "0123456789ABCDEF";

    memcpy(escaped, "\\u0000", ESCAPE_SIZE);
    for (const char *name = named; *name; name += 2) {
        if (*name == c) {
            escaped[1] = name[1];
            escaped[2] = '\0';
            return;
        }
    }
    escaped[4] = digits[c >> 4];
    escaped[5] = digits[c & 15];
}

/* Texts are mostly plain, or JSON full of quotes: those are written in place.
 */
static void append_escaped(idv_json_writer_t *writer, const char *text)
{
    const char *stop = text + strlen(text);
    char *end = reserve(writer, 2 * (apr_size_t)(stop - text));
    char escaped[7];

    for (; text < stop; text++) {
        if (is_plain((unsigned char)*text)) {
            *end++ = *text;
        } else if (*text == '"' || *text == '\\') {
            *end++ = '\\';
            *end++ = *text;
        } else {
            escape(*text, escaped);
            writer->length = (apr_size_t)(end - writer->text);
            append(writer, escaped, strlen(escaped));
            end = reserve(writer, 2 * (apr_size_t)(stop - text));
        }
    }
    writer->length = (apr_size_t)(end - writer->text);
}

void idv_json_put_text(idv_json_writer_t *writer, const char *key,
                       const char *text)
{
    if (!text) {
        idv_json_put_null(writer, key);
        return;
    }
    begin(writer, key);
    append(writer, "\"", 1);
    append_escaped(writer, text);
    append(writer, "\"", 1);
}

void idv_json_put_integer(idv_json_writer_t *writer, const char *key,
                          apr_int64_t value)
{
    char digits[INTEGER_SIZE], *end = digits + sizeof(digits), *first = end;
    apr_uint64_t rest =
        value < 0 ? 0 - (apr_uint64_t)value : (apr_uint64_t)value;

    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--first = '-';
    begin(writer, key);
    append(writer, first, (apr_size_t)(end - first));
}

void idv_json_put_positive(idv_json_writer_t *writer, const char *key,
                           apr_int64_t value)
{
    if (value > 0)
        idv_json_put_integer(writer, key, value);
    else
        idv_json_put_null(writer, key);
}

void idv_json_put_seconds(idv_json_writer_t *writer, const char *key,
                          idv_time_t time)
{
    idv_json_put_positive(writer, key, idv_time_seconds(time));
}

void idv_json_put_boolean(idv_json_writer_t *writer, const char *key, int value)
{
    idv_json_put_raw(writer, key, value ? "true" : "false");
}

void idv_json_put_null(idv_json_writer_t *writer, const char *key)
{
    idv_json_put_raw(writer, key, "null");
}

void idv_json_put_raw(idv_json_writer_t *writer, const char *key,
                      const char *json)
{
    if (!json)
        json = "null";
    begin(writer, key);
    append(writer, json, strlen(json));
}

#define DUMP_FLAGS (JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))

static int append_dumped(const char *bytes, size_t count, void *writer)
{
    append(writer, bytes, count);
    return 0;
}

void idv_json_put_value(idv_json_writer_t *writer, const char *key,
                        const json_t *value)
{
    begin(writer, key);
    if (!value
        || json_dump_callback(value, append_dumped, writer, DUMP_FLAGS) != 0)
        append(writer, "null", 4);
}

const char *idv_json_text(const json_t *value, apr_pool_t *pool)
{
    idv_json_writer_t writer;

    if (!value)
        return NULL;
    idv_json_writer_init(&writer, TEXT_EXPECTED, pool);
    idv_json_put_value(&writer, NULL, value);
    return idv_json_writer_text(&writer, NULL);
}
