/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/exif.h"

#include <string.h>

enum {
    TAG_ORIENTATION = 0x0112,
    TYPE_SHORT = 3,
    DIRECTORY_ENTRY_SIZE = 12,
    TIFF_HEADER_SIZE = 8
};

static apr_uint32_t read16(const unsigned char *p, int big_endian)
{
    return big_endian ? (apr_uint32_t)(p[0] << 8 | p[1])
                      : (apr_uint32_t)(p[1] << 8 | p[0]);
}

static apr_uint32_t read32(const unsigned char *p, int big_endian)
{
    return big_endian ? read16(p, 1) << 16 | read16(p + 2, 1)
                      : read16(p + 2, 0) << 16 | read16(p, 0);
}

static idv_bytes_t part(idv_bytes_t of, apr_size_t offset, apr_size_t length)
{
    return (idv_bytes_t){of.data + offset, length};
}

/* -1 when ENTRY is another tag. */
static int orientation_of_entry(const unsigned char *entry, int big_endian)
{
    apr_uint32_t value;

    if (read16(entry, big_endian) != TAG_ORIENTATION)
        return -1;
    value = read16(entry + 8, big_endian);
    if (read16(entry + 2, big_endian) != TYPE_SHORT
        || value < IDV_ORIENTATION_UPRIGHT
        || value > IDV_ORIENTATION_RIGHT_TURN)
        return IDV_ORIENTATION_UPRIGHT;
    return (int)value;
}

int idv_exif_orientation(idv_bytes_t tiff)
{
    int big_endian;
    apr_size_t position;
    apr_uint32_t entries;

    if (tiff.length < TIFF_HEADER_SIZE)
        return IDV_ORIENTATION_UPRIGHT;
    if (memcmp(tiff.data, "MM\0*", 4) == 0)
        big_endian = 1;
    else if (memcmp(tiff.data, "II*\0", 4) == 0)
        big_endian = 0;
    else
        return IDV_ORIENTATION_UPRIGHT;
    position = read32(tiff.data + 4, big_endian);
    if (position > tiff.length || tiff.length - position < 2)
        return IDV_ORIENTATION_UPRIGHT;
    entries = read16(tiff.data + position, big_endian);
    position += 2;
    for (apr_uint32_t i = 0; i < entries; i++) {
        int orientation;

        if (tiff.length - position < DIRECTORY_ENTRY_SIZE)
            break;
        orientation = orientation_of_entry(tiff.data + position, big_endian);
        if (orientation > 0)
            return orientation;
        position += DIRECTORY_ENTRY_SIZE;
    }
    return IDV_ORIENTATION_UPRIGHT;
}

int idv_exif_jpeg_orientation(idv_bytes_t file)
{
    enum { APP1 = 0xE1, START_OF_SCAN = 0xDA, END_OF_IMAGE = 0xD9 };
    apr_size_t position = 2;

    while (position + 4 <= file.length && file.data[position] == 0xFF) {
        int marker = file.data[position + 1];
        apr_size_t length;

        if (marker == 0xFF) { /* fill byte */
            position++;
            continue;
        }
        if (marker == START_OF_SCAN || marker == END_OF_IMAGE)
            break;
        length = read16(file.data + position + 2, 1);
        if (length < 2 || length > file.length - position - 2)
            break;
        if (marker == APP1 && length >= 8
            && memcmp(file.data + position + 4, "Exif\0\0", 6) == 0)
            return idv_exif_orientation(part(file, position + 10, length - 8));
        position += 2 + length;
    }
    return IDV_ORIENTATION_UPRIGHT;
}

int idv_exif_png_orientation(idv_bytes_t file)
{
    apr_size_t position = 8;

    while (position < file.length && file.length - position >= 12) {
        const unsigned char *chunk = file.data + position;
        apr_size_t length = read32(chunk, 1);

        if (length > file.length - position - 12)
            break;
        if (memcmp(chunk + 4, "eXIf", 4) == 0)
            return idv_exif_orientation(part(file, position + 8, length));
        if (memcmp(chunk + 4, "IEND", 4) == 0)
            break;
        position += 12 + length;
    }
    return IDV_ORIENTATION_UPRIGHT;
}

int idv_exif_webp_orientation(idv_bytes_t file)
{
    apr_size_t position = 12;

    while (position < file.length && file.length - position >= 8) {
        const unsigned char *chunk = file.data + position;
        apr_size_t length = read32(chunk + 4, 0);
        int prefix;

        if (length > file.length - position - 8)
            break;
        if (memcmp(chunk, "EXIF", 4) == 0) {
            /* Some writers keep the JPEG prefix in front of the header. */
            prefix =
                length > 6 && memcmp(chunk + 8, "Exif\0\0", 6) == 0 ? 6 : 0;
            return idv_exif_orientation(
                part(file, position + 8 + prefix, length - prefix));
        }
        position += 8 + length + (length & 1); /* chunks are padded to even */
    }
    return IDV_ORIENTATION_UPRIGHT;
}
