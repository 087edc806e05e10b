/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_MDL_FIXTURE_H
#define IDV_T_UNIT_MDL_FIXTURE_H

/*
 * What the tests of methods/mdl share: bytes out of hexadecimal text, and
 * public vectors where they are at hand (IDV_VECTORS names their folder).
 */
#include "unit/unit.h"

#include <apr_encode.h>
#include <apr_file_io.h>

#include "core/json.h"
#include "methods/mdl/cbor.h"

#define BYTES(text)                                                            \
    ((idv_bytes_t){ (const unsigned char *)(text), sizeof(text) - 1 })

__attribute__((unused)) static idv_bytes_t from_hex(const char *hex,
                                                    apr_pool_t *pool)
{
    idv_bytes_t bytes = { NULL, strlen(hex) / 2 };
    unsigned char *data = apr_palloc(pool, bytes.length + 1);

    assert_int_equal(apr_decode_base16_binary(data, hex,
                                              (apr_ssize_t)strlen(hex),
                                              APR_ENCODE_NONE, NULL),
                     APR_SUCCESS);
    bytes.data = data;
    return bytes;
}

/* The public file mdoc/NAME; where there is none, the test is skipped. */
__attribute__((unused)) static idv_bytes_t vector(const char *name,
                                                  apr_pool_t *pool)
{
    const char *root = getenv("IDV_VECTORS");
    const char *path = apr_pstrcat(pool, root ? root : "../shared/vectors",
                                   "/mdoc/", name, NULL);
    apr_finfo_t info;
    apr_file_t *file;
    char *data;

    if (apr_file_open(&file, path, APR_READ, 0, pool) != APR_SUCCESS) {
        printf("# no public vectors at hand (IDV_VECTORS), skipped\n");
        skip();
    }
    assert_int_equal(apr_file_info_get(&info, APR_FINFO_SIZE, file),
                     APR_SUCCESS);
    data = apr_pcalloc(pool, (apr_size_t)info.size + 1);
    assert_int_equal(
        apr_file_read_full(file, data, (apr_size_t)info.size, NULL),
        APR_SUCCESS);
    apr_file_close(file);
    return (idv_bytes_t){ (unsigned char *)data, (apr_size_t)info.size };
}

/* The JSON of such a file. */
__attribute__((unused)) static json_t *vector_json(const char *name,
                                                   apr_pool_t *pool)
{
    idv_bytes_t text = vector(name, pool);
    json_t *json;

    assert_null(
        idv_json_parse((const char *)text.data, text.length, &json, pool));
    return json;
}

__attribute__((unused)) static const char *json_text(const json_t *json,
                                                     const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));

    assert_non_null(text);
    return text;
}

#endif
