/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/cbor.h"

#include <string.h>

#include <apr_strings.h>

#define INDEFINITE 31 /* additional information of a head without a length */
#define BREAK 0xff

/* Major types, RFC 8949, 3.1. */
enum {
    MAJOR_UNSIGNED,
    MAJOR_NEGATIVE,
    MAJOR_BYTES,
    MAJOR_TEXT,
    MAJOR_ARRAY,
    MAJOR_MAP,
    MAJOR_TAG,
    MAJOR_OTHER
};

typedef struct {
    int major;
    int information;
    apr_uint64_t value;
} head_t;

typedef struct {
    const unsigned char *at, *end;
    idv_cbor_budget_t *budget;
    apr_pool_t *pool;
} reader_t;

static idv_error_t *fault(const reader_t *reader, const char *text)
{
    return idv_error_param(reader->pool, NULL, "CBOR: %s", text);
}

static apr_size_t bytes_left(const reader_t *reader)
{
    return reader->end - reader->at;
}

/* --- reading --- */

static idv_error_t *read_head(reader_t *reader, head_t *head)
{
    int width;

    if (!bytes_left(reader))
        return fault(reader, "ends within an item");
    head->major = *reader->at >> 5;
    head->information = *reader->at++ & 31;
    head->value = head->information;
    if (head->information < 24 || head->information == INDEFINITE)
        return NULL;
    if (head->information > 27)
        return fault(reader, "a head has a reserved value");
    width = 1 << (head->information - 24);
    if (bytes_left(reader) < (apr_size_t)width)
        return fault(reader, "ends within a head");
    head->value = 0;
    while (width-- > 0)
        head->value = head->value << 8 | *reader->at++;
    return NULL;
}

static int at_break(const reader_t *reader)
{
    return bytes_left(reader) && *reader->at == BREAK;
}

/* RFC 3629: no surrogates, nothing overlong, nothing above U+10FFFF; no NUL. */
static int is_text(idv_bytes_t bytes)
{
    const unsigned char *at = bytes.data, *end = bytes.data + bytes.length;

    while (at < end) {
        int more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
        unsigned character = more ? *at & (0x3f >> more) : *at;

        if (*at == 0 || (*at >= 0x80 && *at < 0xc2) || *at > 0xf4
            || end - at <= more)
            return 0;
        for (int i = 1; i <= more; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            character = character << 6 | (at[i] & 0x3f);
        }
        if ((more == 2 && (character < 0x800 || character >> 11 == 0x1b))
            || (more == 3 && (character < 0x10000 || character > 0x10ffff)))
            return 0;
        at += more + 1;
    }
    return 1;
}

/* One definite string of MAJOR. */
static idv_error_t *read_chunk(reader_t *reader, const head_t *head, int major,
                               idv_bytes_t *chunk)
{
    if (head->major != major || head->information == INDEFINITE)
        return fault(reader, "a chunk of a string has another type");
    if (head->value > bytes_left(reader))
        return fault(reader, "ends within a string");
    chunk->data = reader->at;
    chunk->length = (apr_size_t)head->value;
    reader->at += chunk->length;
    /* Each chunk must be valid by itself, RFC 8949, 3.2.3. */
    if (major == MAJOR_TEXT && !is_text(*chunk))
        return fault(reader, "a text is not UTF-8");
    return NULL;
}

/* The chunks after the head of a string of indefinite length. */
static idv_error_t *read_chunks(reader_t *reader, int major,
                                idv_bytes_t *content)
{
    /* A joined string is shorter than its encoding. */
    const unsigned char *begin = reader->at;
    unsigned char *joined;
    apr_size_t length = 0;
    idv_bytes_t chunk = { NULL, 0 };
    head_t head = { 0 };

    while (!at_break(reader)) {
        if (reader->budget->items-- <= 0)
            return fault(reader, "too many items");
        IDV_TRY(read_head(reader, &head));
        IDV_TRY(read_chunk(reader, &head, major, &chunk));
        length += chunk.length;
    }
    joined = apr_palloc(reader->pool, length + 1);
    content->data = joined;
    content->length = length;
    for (reader->at = begin; !at_break(reader); joined += chunk.length) {
        IDV_TRY(read_head(reader, &head));
        IDV_TRY(read_chunk(reader, &head, major, &chunk));
        memcpy(joined, chunk.data, chunk.length);
    }
    reader->at++;
    return NULL;
}

static idv_error_t *read_string(reader_t *reader, const head_t *head,
                                idv_cbor_t *item)
{
    item->type = head->major == MAJOR_TEXT ? IDV_CBOR_TEXT : IDV_CBOR_BYTES;
    if (head->information == INDEFINITE)
        IDV_TRY(read_chunks(reader, head->major, &item->content));
    else
        IDV_TRY(read_chunk(reader, head, head->major, &item->content));
    if (item->type == IDV_CBOR_TEXT)
        item->content.data = (const unsigned char *)apr_pstrmemdup(
            reader->pool, (const char *)item->content.data,
            item->content.length);
    return NULL;
}

static int equal_keys(const idv_cbor_t *a, const idv_cbor_t *b)
{
    if (a->type != b->type)
        return 0;
    if (a->type != IDV_CBOR_TEXT && a->type != IDV_CBOR_BYTES)
        return a->number == b->number;
    return a->content.length == b->content.length
           && (a->content.length == 0
               || memcmp(a->content.data, b->content.data, a->content.length)
                      == 0);
}

/* KEY, currently the last entry in the list of the map's pairs, must be
 * unique. */
static idv_error_t *check_key(const reader_t *reader, const idv_cbor_t *map,
                              const idv_cbor_t *key)
{
    const idv_cbor_t *other;

    if (key->type != IDV_CBOR_UNSIGNED && key->type != IDV_CBOR_NEGATIVE
        && key->type != IDV_CBOR_TEXT && key->type != IDV_CBOR_BYTES)
        return fault(reader, "a key is neither an integer nor a string");
    for (other = map->first; other != key; other = other->next->next)
        if (equal_keys(other, key))
            return fault(reader, "a map has a key twice");
    return NULL;
}

static idv_error_t *read_item(reader_t *reader, int depth, idv_cbor_t **out);

static idv_error_t *read_child(reader_t *reader, int depth,
                               const idv_cbor_t ***place,
                               const idv_cbor_t **child)
{
    idv_cbor_t *item = NULL;

    IDV_TRY(read_item(reader, depth, &item));
    **place = item;
    *place = &item->next;
    *child = item;
    return NULL;
}

static idv_error_t *read_container(reader_t *reader, const head_t *head,
                                   int depth, idv_cbor_t *item)
{
    int is_map = head->major == MAJOR_MAP;
    int is_indefinite = head->information == INDEFINITE;
    const idv_cbor_t **place = &item->first, *child;

    item->type = is_map ? IDV_CBOR_MAP : IDV_CBOR_ARRAY;
    for (;;) {
        if (is_indefinite && at_break(reader)) {
            reader->at++;
            return NULL;
        }
        if (!is_indefinite && (apr_uint64_t)item->count == head->value)
            return NULL;
        if (is_map && item->count == IDV_CBOR_MAX_MEMBERS)
            return fault(reader, "a map has too many members");
        IDV_TRY(read_child(reader, depth, &place, &child));
        if (is_map) {
            IDV_TRY(check_key(reader, item, child));
            IDV_TRY(read_child(reader, depth, &place, &child));
        }
        item->count++;
    }
}

static idv_error_t *read_other(const reader_t *reader, const head_t *head,
                               idv_cbor_t *item)
{
    item->type = head->information > 24 ? IDV_CBOR_FLOAT : IDV_CBOR_SIMPLE;
    item->number = item->type == IDV_CBOR_FLOAT ? 0 : head->value;
    if (head->information == INDEFINITE)
        return fault(reader, "a break is outside of an indefinite item");
    if (head->information == 24 && head->value < 32)
        return fault(reader, "a simple value is not well-formed");
    return NULL;
}

static idv_error_t *read_body(reader_t *reader, const head_t *head, int depth,
                              idv_cbor_t *item)
{
    idv_cbor_t *tagged = NULL;

    switch (head->major) {
    case MAJOR_BYTES:
    case MAJOR_TEXT:
        return read_string(reader, head, item);
    case MAJOR_ARRAY:
    case MAJOR_MAP:
        return read_container(reader, head, depth, item);
    case MAJOR_OTHER:
        return read_other(reader, head, item);
    default:
        break;
    }
    if (head->information == INDEFINITE)
        return fault(reader, "a head is not well-formed");
    item->number = head->value;
    if (head->major != MAJOR_TAG) {
        item->type = head->major == MAJOR_UNSIGNED ? IDV_CBOR_UNSIGNED
                                                   : IDV_CBOR_NEGATIVE;
        return NULL;
    }
    item->type = IDV_CBOR_TAG;
    item->count = 1;
    IDV_TRY(read_item(reader, depth, &tagged));
    item->first = tagged;
    return NULL;
}

static idv_error_t *read_item(reader_t *reader, int depth, idv_cbor_t **out)
{
    idv_cbor_t *item;
    head_t head = { 0 };

    if (depth > IDV_CBOR_MAX_DEPTH)
        return fault(reader, "nested too deeply");
    if (reader->budget->items-- <= 0)
        return fault(reader, "too many items");
    item = apr_pcalloc(reader->pool, sizeof(*item));
    item->encoded.data = reader->at;
    IDV_TRY(read_head(reader, &head));
    IDV_TRY(read_body(reader, &head, depth + 1, item));
    item->encoded.length = reader->at - item->encoded.data;
    *out = item;
    return NULL;
}

idv_error_t *idv_cbor_read_first(idv_bytes_t *bytes, idv_cbor_budget_t *budget,
                                 const idv_cbor_t **out, apr_pool_t *pool)
{
    reader_t reader = { bytes->data, bytes->data + bytes->length, budget,
                        pool };
    idv_cbor_t *item = NULL;

    if (bytes->length > IDV_CBOR_MAX_LENGTH)
        return fault(&reader, "too long");
    IDV_TRY(read_item(&reader, 0, &item));
    *bytes = (idv_bytes_t){ reader.at, bytes_left(&reader) };
    *out = item;
    return NULL;
}

idv_error_t *idv_cbor_read(idv_bytes_t bytes, idv_cbor_budget_t *budget,
                           const idv_cbor_t **out, apr_pool_t *pool)
{
    const idv_cbor_t *item;

    IDV_TRY(idv_cbor_read_first(&bytes, budget, &item, pool));
    if (bytes.length)
        return idv_error_param(pool, NULL,
                               "CBOR: data follows the item");
    *out = item;
    return NULL;
}

idv_error_t *idv_cbor_open(const idv_cbor_t *item, idv_cbor_budget_t *budget,
                           const idv_cbor_t **inner, apr_pool_t *pool)
{
    if (!idv_cbor_is(item, IDV_CBOR_TAG)
        || item->number != IDV_CBOR_TAG_EMBEDDED
        || !idv_cbor_is(item->first, IDV_CBOR_BYTES))
        return idv_error_param(pool, NULL, "CBOR: not an embedded item");
    return idv_cbor_read(item->first->content, budget, inner, pool);
}

/* --- lookup --- */

int idv_cbor_is(const idv_cbor_t *item, idv_cbor_type_t type)
{
    return item && item->type == type;
}

int idv_cbor_is_simple(const idv_cbor_t *item, int value)
{
    return idv_cbor_is(item, IDV_CBOR_SIMPLE)
           && item->number == (apr_uint64_t)value;
}

static const idv_cbor_t *find_member(const idv_cbor_t *map,
                                     const idv_cbor_t *key)
{
    const idv_cbor_t *other =
        idv_cbor_is(map, IDV_CBOR_MAP) ? map->first : NULL;

    for (; other; other = other->next->next)
        if (equal_keys(other, key))
            return other->next;
    return NULL;
}

const idv_cbor_t *idv_cbor_member(const idv_cbor_t *map, const char *key)
{
    idv_cbor_t wanted = { .type = IDV_CBOR_TEXT };

    wanted.content.data = (const unsigned char *)key;
    wanted.content.length = strlen(key);
    return find_member(map, &wanted);
}

const idv_cbor_t *idv_cbor_member_bytes(const idv_cbor_t *map, idv_bytes_t key)
{
    idv_cbor_t wanted = { .type = IDV_CBOR_BYTES, .content = key };

    return find_member(map, &wanted);
}

const idv_cbor_t *idv_cbor_member_number(const idv_cbor_t *map, apr_int64_t key)
{
    idv_cbor_t wanted = { .type = key < 0 ? IDV_CBOR_NEGATIVE
                                          : IDV_CBOR_UNSIGNED };

    wanted.number = key < 0 ? -(key + 1) : key;
    return find_member(map, &wanted);
}

const char *idv_cbor_text(const idv_cbor_t *item)
{
    return idv_cbor_is(item, IDV_CBOR_TEXT) ? (const char *)item->content.data
                                            : NULL;
}

int idv_cbor_integer(const idv_cbor_t *item, apr_int64_t *number)
{
    if ((!idv_cbor_is(item, IDV_CBOR_UNSIGNED)
         && !idv_cbor_is(item, IDV_CBOR_NEGATIVE))
        || item->number > APR_INT64_MAX)
        return 0;
    *number = item->type == IDV_CBOR_UNSIGNED
                  ? (apr_int64_t)item->number
                  : -1 - (apr_int64_t)item->number;
    return 1;
}

/* --- writing --- */

void idv_cbor_writer_init(idv_cbor_writer_t *writer, apr_pool_t *pool)
{
    memset(writer, 0, sizeof(*writer));
    writer->size = 512;
    writer->data = apr_palloc(pool, writer->size);
    writer->pool = pool;
}

idv_bytes_t idv_cbor_written(const idv_cbor_writer_t *writer)
{
    return (idv_bytes_t){ writer->data, writer->length };
}

void idv_cbor_put_encoded(idv_cbor_writer_t *writer, idv_bytes_t item)
{
    if (writer->size - writer->length < item.length) {
        unsigned char *larger;

        writer->size = 2 * (writer->size + item.length);
        larger = apr_palloc(writer->pool, writer->size);
        memcpy(larger, writer->data, writer->length);
        writer->data = larger;
    }
    if (item.length)
        memcpy(writer->data + writer->length, item.data, item.length);
    writer->length += item.length;
}

static void put_head(idv_cbor_writer_t *writer, int major, apr_uint64_t value)
{
    int width = value < 24            ? 0
                : value <= 0xff       ? 1
                : value <= 0xffff     ? 2
                : value <= 0xffffffff ? 4
                                      : 8;
    unsigned char head[9] = { 0 };

    head[0] = (unsigned char)(major << 5);
    head[0] |= width == 0   ? (unsigned char)value
               : width == 1 ? 24
               : width == 2 ? 25
               : width == 4 ? 26
                            : 27;
    for (int i = 0; i < width; i++)
        head[width - i] = (unsigned char)(value >> (8 * i));
    idv_cbor_put_encoded(writer, (idv_bytes_t){ head, (apr_size_t)width + 1 });
}

void idv_cbor_put_array(idv_cbor_writer_t *writer, int count)
{
    put_head(writer, MAJOR_ARRAY, (apr_uint64_t)count);
}

void idv_cbor_put_map(idv_cbor_writer_t *writer, int pairs)
{
    put_head(writer, MAJOR_MAP, (apr_uint64_t)pairs);
}

void idv_cbor_put_tag(idv_cbor_writer_t *writer, apr_uint64_t tag)
{
    put_head(writer, MAJOR_TAG, tag);
}

void idv_cbor_put_integer(idv_cbor_writer_t *writer, apr_int64_t number)
{
    if (number < 0)
        put_head(writer, MAJOR_NEGATIVE, (apr_uint64_t)(-1 - number));
    else
        put_head(writer, MAJOR_UNSIGNED, (apr_uint64_t)number);
}

void idv_cbor_put_text(idv_cbor_writer_t *writer, const char *text)
{
    idv_bytes_t bytes = { (const unsigned char *)text, strlen(text) };

    put_head(writer, MAJOR_TEXT, bytes.length);
    idv_cbor_put_encoded(writer, bytes);
}

void idv_cbor_put_bytes(idv_cbor_writer_t *writer, idv_bytes_t bytes)
{
    put_head(writer, MAJOR_BYTES, bytes.length);
    idv_cbor_put_encoded(writer, bytes);
}

void idv_cbor_put_simple(idv_cbor_writer_t *writer, int value)
{
    put_head(writer, MAJOR_OTHER, (apr_uint64_t)value);
}
