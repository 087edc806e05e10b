/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/portrait.h"

#include <string.h>

#include "core/word_list.h"
#include "methods/passport/chip_dump.h"
#include "methods/passport/tlv.h"

static const char *const format_codes[] = {
#define X(name, code) code,
    IDV_PORTRAIT_FORMATS(X)
#undef X
};

const char *idv_portrait_format_code(idv_portrait_format_t format)
{
    return format_codes[format];
}

int idv_portrait_format_find(const char *code)
{
    return idv_word_find(format_codes, IDV_PORTRAIT_FORMAT_COUNT, code);
}

/* The first bytes of pictures. */
static const struct {
    idv_portrait_format_t format;
    const char *bytes;
    apr_size_t length;
} beginnings[] = {
    {IDV_PORTRAIT_JPEG, "\xff\xd8\xff", 3},
    {IDV_PORTRAIT_JPEG2000, "\0\0\0\x0cjP  \r\n\x87\n", 12},
    {IDV_PORTRAIT_JPEG2000_CODESTREAM, "\xff\x4f\xff\x51", 4},
};

/* The format of a picture; -1 if BYTES do not start like one. */
static int format_of(idv_bytes_t bytes)
{
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
        if (bytes.length > beginnings[i].length
            && memcmp(bytes.data, beginnings[i].bytes, beginnings[i].length)
                   == 0)
            return beginnings[i].format;
    return -1;
}

static idv_bytes_t behind(idv_bytes_t bytes, apr_size_t count)
{
    static const unsigned char nothing[1];

    if (count >= bytes.length)
        return (idv_bytes_t){nothing, 0};
    return (idv_bytes_t){bytes.data + count, bytes.length - count};
}

/* The big-endian number of COUNT bytes at AT; 0 if some are missing. */
static apr_uint32_t number_at(idv_bytes_t bytes, apr_size_t at, int count)
{
    apr_uint32_t number = 0;

    if (at + (apr_size_t)count > bytes.length)
        return 0;
    for (int i = 0; i < count; i++)
        number = number << 8 | bytes.data[at + (apr_size_t)i];
    return number;
}

/* --- measures --- */

typedef struct {
    apr_uint32_t width;
    apr_uint32_t height;
} measures_t;

/* The frame header (SOF0 to SOF15 without DHT, JPG and DAC) of a JPEG; ITU-T
 * T.81, B.2.2. */
static measures_t measures_of_jpeg(idv_bytes_t picture)
{
    measures_t none = {0, 0};
    apr_size_t at = 2;

    while (at + 9 <= picture.length && picture.data[at] == 0xff) {
        unsigned char marker = picture.data[at + 1];

        if (marker == 0xff) {
            at++;
        } else if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4
                   && marker != 0xc8 && marker != 0xcc) {
            return (measures_t){number_at(picture, at + 7, 2),
                                number_at(picture, at + 5, 2)};
        } else if (marker == 0xda || number_at(picture, at + 2, 2) < 2) {
            return none;
        } else {
            at += 2 + number_at(picture, at + 2, 2);
        }
    }
    return none;
}

/* SIZ of a codestream: ISO/IEC 15444-1, A.5.1. */
static measures_t measures_of_codestream(idv_bytes_t picture)
{
    return (measures_t){number_at(picture, 8, 4) - number_at(picture, 16, 4),
                        number_at(picture, 12, 4) - number_at(picture, 20, 4)};
}

/* The image header box, the first in the header box of a file: ISO/IEC 15444-1,
 * I.5.3. */
static measures_t measures_of_jp2(idv_bytes_t picture)
{
    measures_t none = {0, 0};
    idv_bytes_t rest = picture;

    while (rest.length >= 30) {
        apr_uint32_t length = number_at(rest, 0, 4);

        if (memcmp(rest.data + 4, "jp2h", 4) == 0)
            return memcmp(rest.data + 12, "ihdr", 4) == 0
                     ? (measures_t){number_at(rest, 20, 4),
                                    number_at(rest, 16, 4)}
                     : none;
        if (length < 8)
            return none;
        rest = behind(rest, length);
    }
    return none;
}

static measures_t measures_of(idv_portrait_format_t format, idv_bytes_t picture)
{
    if (format == IDV_PORTRAIT_JPEG)
        return measures_of_jpeg(picture);
    if (format == IDV_PORTRAIT_JPEG2000)
        return measures_of_jp2(picture);
    return measures_of_codestream(picture);
}

/* --- templates --- */

/* The first picture that starts anywhere in BYTES. */
static idv_bytes_t search(idv_bytes_t bytes)
{
    while (bytes.length > 0 && format_of(bytes) < 0)
        bytes = behind(bytes, 1);
    return bytes;
}

/* ISO/IEC 19794-5:2005, 5.4 to 5.8: a record header of 14 bytes. Then, for each
 * face, its length, 20 bytes of facial information (which end with that
 * length), 8 bytes per feature point, 12 bytes of image information, the
 * picture. */
static idv_bytes_t picture_of_2005(idv_bytes_t record)
{
    idv_bytes_t face = behind(record, 14), picture;
    apr_uint32_t length = number_at(face, 0, 4);
    apr_uint32_t header = 20 + 8 * number_at(face, 4, 2) + 12;

    if (length <= header || length > face.length)
        return behind(face, face.length);
    picture = behind(face, header);
    picture.length = length - header;
    return picture;
}

/* The first primitive element that starts like a picture. */
static idv_bytes_t picture_of_39794(idv_bytes_t block, int depth)
{
    int fault = 0;
    idv_tlv_reader_t reader = idv_tlv_open(block, &fault);

    while (idv_tlv_has_more(&reader)) {
        idv_tlv_t element = idv_tlv_read(&reader);
        apr_uint32_t first = element.tag;
        idv_bytes_t found = element.content;

        while (first > 0xff)
            first >>= 8;
        if (first & 0x20 && depth > 0)
            found = picture_of_39794(element.content, depth - 1);
        if (!fault && format_of(found) >= 0)
            return found;
    }
    return behind(block, block.length);
}

static idv_bytes_t picture_of(idv_bytes_t block)
{
    if (block.length > 14 && memcmp(block.data, "FAC\0", 4) == 0)
        return memcmp(block.data + 4, "010", 4) == 0 ? picture_of_2005(block)
                                                     : search(block);
    return picture_of_39794(block, IDV_PORTRAIT_DEPTH);
}

/* The biometric data block of the first template. */
static idv_bytes_t first_block(idv_bytes_t file, int *fault)
{
    idv_tlv_reader_t outer = idv_tlv_open(file, fault);
    idv_tlv_reader_t reader =
        idv_tlv_enter(&outer, idv_chip_file_tag(IDV_CHIP_DG2));
    idv_tlv_reader_t group = idv_tlv_enter(&reader, 0x7F61), template;
    idv_bytes_t none = {file.data, 0};

    idv_tlv_finish(&outer);
    idv_tlv_read_integer(&group); /* how many templates follow */
    template = idv_tlv_enter(&group, 0x7F60);
    while (idv_tlv_has_more(&template)) {
        idv_tlv_t element = idv_tlv_read(&template);

        if (element.tag == 0x5F2E || element.tag == 0x7F2E)
            return element.content;
    }
    return none;
}

idv_error_t *idv_portrait_find(idv_bytes_t file, idv_portrait_t *portrait,
                               apr_pool_t *result)
{
    int fault = 0, format;
    idv_bytes_t picture = picture_of(first_block(file, &fault));
    measures_t measures = {0, 0};

    memset(portrait, 0, sizeof(*portrait));
    format = format_of(picture);
    if (!fault && format >= 0)
        measures = measures_of(format, picture);
    if (measures.width == 0 || measures.width > IDV_PORTRAIT_SIDE_MAX
        || measures.height == 0 || measures.height > IDV_PORTRAIT_SIDE_MAX)
        return idv_error_param(result, idv_chip_file_name(IDV_CHIP_DG2),
                               "The file contains no readable portrait.");
    portrait->format = format;
    portrait->offset = (int)(picture.data - file.data);
    portrait->length = (int)picture.length;
    portrait->width = (int)measures.width;
    portrait->height = (int)measures.height;
    return NULL;
}
