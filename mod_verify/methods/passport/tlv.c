/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/tlv.h"

#include <string.h>

#define TAG_BYTES_MAX 3
#define LENGTH_BYTES_MAX 4

idv_tlv_reader_t idv_tlv_open(idv_bytes_t bytes, int *fault)
{
    static const unsigned char nothing[1];
    idv_tlv_reader_t reader = {nothing, nothing, fault};

    if (bytes.length > 0) {
        reader.next = bytes.data;
        reader.end = bytes.data + bytes.length;
    }
    return reader;
}

int idv_tlv_has_more(const idv_tlv_reader_t *reader)
{
    return !*reader->fault && reader->next < reader->end;
}

/* The tag at *AT, which then moves past it; 0 if there is none. */
static apr_uint32_t read_tag(const unsigned char **at, const unsigned char *end)
{
    const unsigned char *p = *at;
    apr_uint32_t tag;

    if (p >= end)
        return 0;
    tag = *p++;
    if ((tag & 0x1f) == 0x1f) {
        int more = 1;

        for (int i = 1; i < TAG_BYTES_MAX && p < end && more; i++) {
            more = *p & 0x80;
            tag = tag << 8 | *p++;
        }
        if (more)
            return 0;
    }
    *at = p;
    return tag;
}

/* The length at *AT, which then moves past it; -1 if it is indefinite,
 * truncated, or reaches beyond END. */
static apr_int64_t read_length(const unsigned char **at,
                               const unsigned char *end)
{
    const unsigned char *p = *at;
    apr_int64_t length;

    if (p >= end)
        return -1;
    length = *p++;
    if (length & 0x80) {
        int count = (int)(length & 0x7f);

        if (count == 0 || count > LENGTH_BYTES_MAX || end - p < count)
            return -1;
        length = 0;
        while (count-- > 0)
            length = length << 8 | *p++;
    }
    *at = p;
    return length > end - p ? -1 : length;
}

apr_uint32_t idv_tlv_peek(const idv_tlv_reader_t *reader)
{
    const unsigned char *at = reader->next;

    return *reader->fault ? 0 : read_tag(&at, reader->end);
}

idv_tlv_t idv_tlv_read(idv_tlv_reader_t *reader)
{
    static const unsigned char nothing[1];
    idv_tlv_t none = {0, {nothing, 0}, {nothing, 0}}, element = none;
    const unsigned char *at = reader->next;
    apr_int64_t length = -1;

    if (!*reader->fault) {
        element.tag = read_tag(&at, reader->end);
        if (element.tag != 0)
            length = read_length(&at, reader->end);
    }
    if (length < 0) {
        *reader->fault = 1;
        return none;
    }
    element.content = (idv_bytes_t){at, (apr_size_t)length};
    element.whole.data = reader->next;
    element.whole.length = (apr_size_t)(at - reader->next) + (apr_size_t)length;
    reader->next = at + length;
    return element;
}

idv_tlv_t idv_tlv_expect(idv_tlv_reader_t *reader, apr_uint32_t tag)
{
    if (idv_tlv_peek(reader) != tag)
        *reader->fault = 1;
    return idv_tlv_read(reader);
}

idv_tlv_reader_t idv_tlv_enter(idv_tlv_reader_t *reader, apr_uint32_t tag)
{
    return idv_tlv_open(idv_tlv_expect(reader, tag).content, reader->fault);
}

void idv_tlv_finish(const idv_tlv_reader_t *reader)
{
    if (reader->next != reader->end)
        *reader->fault = 1;
}

int idv_tlv_read_integer(idv_tlv_reader_t *reader)
{
    idv_bytes_t content = idv_tlv_expect(reader, IDV_TLV_INTEGER).content;
    int value = 0;

    if (content.length == 0 || content.length > 4 || content.data[0] & 0x80) {
        *reader->fault = 1;
        return 0;
    }
    for (apr_size_t i = 0; i < content.length; i++)
        value = value << 8 | content.data[i];
    return value;
}

idv_bytes_t idv_tlv_read_bits(idv_tlv_reader_t *reader)
{
    idv_bytes_t bits = idv_tlv_expect(reader, IDV_TLV_BIT_STRING).content;

    if (bits.length == 0 || bits.data[0] != 0) {
        *reader->fault = 1;
        return (idv_bytes_t){bits.data, 0};
    }
    return (idv_bytes_t){bits.data + 1, bits.length - 1};
}

int idv_bytes_equal(idv_bytes_t a, idv_bytes_t b)
{
    return a.length == b.length
        && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}
