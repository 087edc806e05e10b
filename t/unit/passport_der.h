/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_PASSPORT_DER_H
#define IDV_T_UNIT_PASSPORT_DER_H

/*
 * Writing of tag-length-value encodings for the tests of the passport room, and
 * the public files of chips where they are at hand.
 *
 * Memory: the pool given. Everything fails the test that asks.
 */
#include "unit/unit.h"

#include "core/crypto.h"

#define BYTES(literal)                                                         \
    ((idv_bytes_t){ (const unsigned char *)(literal), sizeof(literal) - 1 })

/* An element with the tag TAG (its bytes as a number) around the byte strings
 * that follow. */
#define DER(pool, tag, ...)                                                    \
    der_element(pool, tag, (const idv_bytes_t[]){ __VA_ARGS__ },               \
                sizeof((const idv_bytes_t[]){ __VA_ARGS__ })                   \
                    / sizeof(idv_bytes_t))
#define JOIN(pool, ...)                                                        \
    der_join(pool, (const idv_bytes_t[]){ __VA_ARGS__ },                       \
             sizeof((const idv_bytes_t[]){ __VA_ARGS__ })                      \
                 / sizeof(idv_bytes_t))

__attribute__((unused)) static idv_bytes_t
der_join(apr_pool_t *pool, const idv_bytes_t *parts, size_t count)
{
    unsigned char *data;
    apr_size_t length = 0;

    for (size_t i = 0; i < count; i++)
        length += parts[i].length;
    data = apr_palloc(pool, length + 1);
    length = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].length > 0)
            memcpy(data + length, parts[i].data, parts[i].length);
        length += parts[i].length;
    }
    return (idv_bytes_t){ data, length };
}

__attribute__((unused)) static idv_bytes_t
der_element(apr_pool_t *pool, apr_uint32_t tag, const idv_bytes_t *parts,
            size_t count)
{
    idv_bytes_t content = der_join(pool, parts, count);
    unsigned char head[8], *p = head;

    for (int shift = 16; shift >= 0; shift -= 8)
        if (tag >> shift)
            *p++ = (unsigned char)(tag >> shift);
    if (content.length > 0xffff) {
        *p++ = 0x83;
        *p++ = (unsigned char)(content.length >> 16);
        *p++ = (unsigned char)(content.length >> 8);
    } else if (content.length > 0xff) {
        *p++ = 0x82;
        *p++ = (unsigned char)(content.length >> 8);
    } else if (content.length > 0x7f) {
        *p++ = 0x81;
    }
    *p++ = (unsigned char)content.length;
    return JOIN(pool, { head, (apr_size_t)(p - head) }, content);
}

/* A copy whose byte at AT, counted from the end when it is negative, differs. */
__attribute__((unused)) static idv_bytes_t
with_other_byte(apr_pool_t *pool, idv_bytes_t bytes, int at)
{
    unsigned char *data = apr_pmemdup(pool, bytes.data, bytes.length);

    data[at < 0 ? (int)bytes.length + at : at] ^= 1;
    return (idv_bytes_t){ data, bytes.length };
}

/* The first place of NEEDLE in BYTES; fails when there is none. */
__attribute__((unused)) static int place_of(idv_bytes_t bytes,
                                            idv_bytes_t needle)
{
    const unsigned char *found =
        memmem(bytes.data, bytes.length, needle.data, needle.length);

    assert_non_null(found);
    return (int)(found - bytes.data);
}

__attribute__((unused)) static idv_bytes_t from_hex(apr_pool_t *pool,
                                                    const char *text)
{
    apr_size_t length = strlen(text) / 2;
    unsigned char *data = apr_palloc(pool, length + 1);

    for (apr_size_t i = 0; i < length; i++) {
        unsigned value;

        assert_int_equal(sscanf(text + 2 * i, "%2x", &value), 1);
        data[i] = (unsigned char)value;
    }
    return (idv_bytes_t){ data, length };
}

__attribute__((unused)) static void assert_bytes(idv_bytes_t actual,
                                                 idv_bytes_t expected)
{
    assert_int_equal(actual.length, expected.length);
    assert_memory_equal(actual.data, expected.data, expected.length);
}

/* A public file, not part of the project: IDV_VECTORS names their folder.
 * Without it the test is skipped. */
__attribute__((unused)) static idv_bytes_t public_file(apr_pool_t *pool,
                                                       const char *name)
{
    const char *root = getenv("IDV_VECTORS");
    const char *path = apr_pstrcat(pool, root ? root : "../shared/vectors",
                                   "/emrtd/", name, NULL);
    FILE *file = fopen(path, "rb");
    unsigned char *data = apr_palloc(pool, 65536);
    size_t length;

    if (!file) {
        printf("# no public files of chips at hand (IDV_VECTORS), skipped\n");
        skip();
    }
    length = fread(data, 1, 65536, file);
    fclose(file);
    assert_in_range(length, 1, 65535);
    return (idv_bytes_t){ data, length };
}

#endif
