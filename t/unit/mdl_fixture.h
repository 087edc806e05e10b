/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_MDL_FIXTURE_H
#define IDV_T_UNIT_MDL_FIXTURE_H

/*
 * What the tests of methods/mdl share: bytes out of hexadecimal text, public
 * vectors where they are at hand.
 */
#include "unit/unit.h"

#include <apr_encode.h>
#include <apr_file_io.h>

#include "methods/mdl/cbor.h"

__attribute__((unused)) static idv_bytes_t from_hex(const char *hex,
                                                    apr_pool_t *pool)
{
    idv_bytes_t bytes = { NULL, strlen(hex) / 2 };
    unsigned char *data = apr_palloc(pool, bytes.length + 1);

    assert_int_equal(apr_decode_base16_binary(data, hex, strlen(hex),
                                              APR_ENCODE_NONE, NULL),
                     APR_SUCCESS);
    bytes.data = data;
    return bytes;
}

#endif
